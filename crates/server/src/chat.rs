//! Chat. Each game has a room for its players and one for its spectators.

use std::{sync::Arc, time::Instant};

use adoube_protocol::{ChatLine, ChatPolicy, ChatRoom, CommandId, GameId, PlayerId, ServerMessage};
use adoube_rules::Color;
use adoube_store::{CONTEXT_MESSAGES, ChatAdded, ChatMessage, NewChatMessage, NewReport, Store};
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory},
};
use sha2::{Digest as _, Sha256};

use crate::{
    administration::HouseCache, audience, blocks::BlockCache, clock::Clock, error::Error,
    games::GameNewsPublisher, log_throttle::LogThrottle, metrics::Metrics, names::Names,
    publisher::Publisher, wire,
};

/// The maximum length of a chat message, and of the reason for a report, in characters.
const MAX_LENGTH: usize = 280;
/// The maximum size of a report in bytes, without its reason: the reported line and its context, allowing
/// each line [`MAX_LENGTH`] four-byte characters, and 200 bytes for its ids and the overhead of its row.
pub(crate) const REPORT_BYTES: usize = (2 * CONTEXT_MESSAGES as usize + 1) * (4 * MAX_LENGTH + 200);
static REPORT_LOG: LogThrottle = LogThrottle::new();
/// The maximum number of earlier lines shown to a visitor who enters a room.
const HISTORY: u32 = 100;

#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) names: Arc<Names>,
    pub(crate) publisher: Publisher,
    pub(crate) news: Arc<GameNewsPublisher>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) house: Arc<HouseCache>,
    pub(crate) blocks: Arc<BlockCache>,
    /// The salt for hashing player ids into author tags, which must not reveal the ids.
    pub(crate) salt: Vec<u8>,
}

/// A visitor in one of a game's chat rooms, as a player or as a spectator.
#[derive(Clone, Debug)]
pub(crate) struct ChatVisitor {
    pub(crate) game: GameId,
    pub(crate) player: PlayerId,
    pub(crate) side: Option<Color>,
}

impl ChatVisitor {
    fn room(&self) -> ChatRoom {
        if self.side.is_some() { ChatRoom::Players } else { ChatRoom::Watchers }
    }
}

impl Chat {
    pub(crate) async fn history(&self, reader: &ChatVisitor) -> Result<Vec<ChatLine>, Error> {
        let relations = self.blocks.of(&reader.player).await?;
        let lines = self.store.list_messages(&reader.game, reader.room(), HISTORY).await?;
        let lines = lines.into_iter().filter(|line| !relations.has_blocked(&line.player));
        Ok(lines.map(|line| self.chat_line(&reader.game, line)).collect())
    }

    /// Returns `true` if a socket message is a chat message by a player whom this visitor has blocked.
    pub(crate) async fn is_hidden(&self, reader: &ChatVisitor, message: &[u8]) -> Result<bool, Error> {
        let relations = self.blocks.of(&reader.player).await?;
        let mut blocked = relations.blocked().peekable();
        if blocked.peek().is_none() {
            return Ok(false);
        }
        let Ok(ServerMessage::Chat { line }) = serde_json::from_slice(message) else { return Ok(false) };
        Ok(blocked.any(|player| self.author(&reader.game, player) == line.author))
    }

    /// Stores a chat message and publishes it to the room.
    pub(crate) async fn post(
        &self,
        speaker: &ChatVisitor,
        command: CommandId,
        text: &str,
    ) -> Result<(), Error> {
        let text = checked_line(text)?;
        self.may_chat(&speaker.player).await?;
        let new = NewChatMessage {
            game: speaker.game.clone(),
            room: speaker.room(),
            player: speaker.player.clone(),
            command,
            color: speaker.side.map(wire::color_to_wire),
            text: text.clone(),
            at: self.clock.now(),
        };
        let (room, color, at) = (new.room, new.color, new.at);
        // The name is looked up first. If the lookup failed after the line was stored, the line would never
        // be published, because repeating the command would not publish it.
        let name = self.names.of(&speaker.player).await?;
        let id = match self.store.add_message(new).await? {
            ChatAdded::New(id) => id,
            // The line has already been published, unless the store's response to the first attempt was lost.
            ChatAdded::Repeated => return Ok(()),
            ChatAdded::CommandReused => return Err(Error::CommandUsed),
        };
        self.metrics.chat_line();
        let line = ChatMessage { id, room, player: speaker.player.clone(), name, color, text, at };
        let message = ServerMessage::Chat { line: self.chat_line(&speaker.game, line) };
        self.publisher.publish_to(audience::of_room(room), &speaker.game, &message).await;
        if let Some(side) = speaker.side
            && let Err(error) = self.news.publish_chat(&speaker.game, side).await
        {
            // The line itself has been published, so the request succeeds.
            error.log();
        }
        Ok(())
    }

    /// Fails if the house has closed the chat to this player, or if the player has been silenced.
    async fn may_chat(&self, player: &PlayerId) -> Result<(), Error> {
        let policy = self.house.settings().chat;
        if policy == ChatPolicy::Nobody {
            return Err(Error::ChatClosed);
        }
        let Some(account) = self.store.lookup_account(player).await? else { return Ok(()) };
        let membership = account.membership;
        if policy == ChatPolicy::NoPupils && membership.class.is_some() {
            return Err(Error::ChatClosed);
        }
        if membership.silenced_until.is_some_and(|until| until > self.clock.now()) {
            return Err(Error::Silenced);
        }
        Ok(())
    }

    /// Stores a report of a line, for moderators to handle.
    pub(crate) async fn report(&self, speaker: &ChatVisitor, line: i64, reason: &str) -> Result<(), Error> {
        let report = NewReport {
            game: speaker.game.clone(),
            room: speaker.room(),
            message: line,
            player: speaker.player.clone(),
            reason: checked_line(reason)?,
            at: self.clock.now(),
        };
        if !self.store.add_report(report).await? {
            return Err(Error::LineNotFound);
        }
        self.metrics.report();
        if let Some(suppressed) = REPORT_LOG.line(Instant::now()) {
            tracing::info!(game = %speaker.game, line, suppressed, "a chat message was reported");
        }
        Ok(())
    }

    /// Returns the tag that identifies a player in the chat of one game.
    fn author(&self, game: &GameId, player: &PlayerId) -> String {
        let digest = Sha256::new()
            .chain_update(&self.salt)
            .chain_update(game.as_str())
            .chain_update(player.as_str())
            .finalize();
        let [a, b, c, d, ..]: [u8; 32] = digest.into();
        format!("{:08x}", u32::from_be_bytes([a, b, c, d]))
    }

    fn chat_line(&self, game: &GameId, line: ChatMessage) -> ChatLine {
        let author = self.author(game, &line.player);
        ChatLine {
            id: line.id,
            room: line.room,
            author,
            name: line.name,
            color: line.color,
            text: line.text,
            at: line.at,
        }
    }
}

fn checked_line(text: &str) -> Result<String, Error> {
    line_of(text, MAX_LENGTH).ok_or(Error::ChatText(MAX_LENGTH))
}

/// Returns the trimmed text, or `None` if it has no visible character, has more than `longest` characters, or
/// contains control characters or Unicode's embedding, override or isolate characters for text direction.
pub(crate) fn line_of(text: &str, longest: usize) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));

    let disturbs = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_valid =
        text.chars().any(is_visible) && text.chars().count() <= longest && !text.chars().any(disturbs);
    is_valid.then(|| text.to_owned())
}

/// Returns `true` if a character is invisible by itself although it is neither a space nor a control
/// character. Examples are joiners, fillers and variation selectors.
fn is_invisible(c: char) -> bool {
    /// The Braille pattern without dots. Unicode classifies it as a symbol, but it looks like a space.
    const BRAILLE_BLANK: char = '\u{2800}';
    c == BRAILLE_BLANK || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Returns `true` if a character is visible when it stands alone.
fn is_visible(c: char) -> bool {
    use GeneralCategory as Category;
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let shows_nothing = matches!(
        category,
        Category::Control
            | Category::Format
            | Category::SpaceSeparator
            | Category::LineSeparator
            | Category::ParagraphSeparator
            | Category::Surrogate
            | Category::PrivateUse
            | Category::Unassigned
            | Category::NonspacingMark
            | Category::EnclosingMark
    );
    !shows_nothing && !is_invisible(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_visible_characters_is_refused() {
        for blank in [
            "\u{200b}",
            "\u{200d}\u{200c}",
            "\u{3164}",
            "\u{115f}",
            "\u{1160}",
            "\u{ffa0}",
            "\u{2800}",
            "\u{00a0}",
            "\u{2003}",
            "\u{00ad}",
            "\u{2060}",
            "\u{feff}",
            "\u{180e}",
            "\u{fe0f}",
            "\u{e0041}",
            "\u{0301}",
            "\u{20dd}",
            "\u{e000}",
            "\u{17b4}",
            " \u{200b} \u{3164} ",
            "\u{034f}",
        ] {
            assert!(checked_line(blank).is_err(), "{}", blank.escape_unicode());
            // Between visible characters it is allowed, because it may join or accent them.
            assert!(checked_line(&format!("a{blank}a")).is_ok(), "{}", blank.escape_unicode());
        }
        assert_eq!(checked_line("\u{200b}\u{3164} hello \u{2800}").unwrap(), "hello");
        // Joined emoji, a flag, a letter with a combining accent, Korean, Arabic, a single full stop.
        for text in ["\u{1f469}\u{200d}\u{1f467}", "\u{1f1eb}\u{1f1f7}", "e\u{0301}", "한글", "سلام", "."]
        {
            assert_eq!(checked_line(text).unwrap(), text);
        }
    }

    #[test]
    fn a_line_is_plain_text_of_limited_length() {
        assert_eq!(checked_line("  <script>alert('é')</script> ").unwrap(), "<script>alert('é')</script>");
        assert!(checked_line(&"é".repeat(280)).is_ok());
        for bad in ["", "   ", &"x".repeat(281), "a\nb", "a\u{0}b", "a\u{202e}b"] {
            checked_line(bad).unwrap_err();
        }
    }
}
