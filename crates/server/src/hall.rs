//! The hall: who is here, who would like to play, and which games can be watched.
//!
//! A seek for a live game is in memory alone and goes with its maker, and so does a challenge without an account; a seek for
//! correspondence, and the challenge of an account, is kept in the store, which decides who takes it.

mod people;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use adoube_bus::{Bus, Notice, Subscription};
use adoube_protocol::{
    Challenge, ChallengeId, ChallengeList, ColorChoice, CommandId, CreateChallenge, CreateSeek, GameId,
    GameSettings, GameSummary, Hall as Shown, HallServerMessage, Millis, PlayerId, Seek, SeekId, TimeControl,
};
use adoube_store::{Proposal, Store};
use serde::{Deserialize, Serialize};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use people::Crowd;
pub(crate) use people::Here;

use crate::{
    audience,
    auth::Visitor,
    clock::Clock,
    entropy::Entropy,
    error::{Error, LogError},
    games::Games,
    limits,
    names::Names,
    wire,
};

/// The topic of what everybody in the hall is told. No game has an id of that length.
const TOPIC: &str = "hall";
/// How often people and games are told of, if they have changed.
const PACE: Duration = Duration::from_secs(1);
/// A live seek outlives its maker's last socket for so long: who reloads the page keeps it.
const GRACE_MS: i64 = 60_000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// For correspondence.
const LONG_MS: i64 = 14 * DAY_MS;
/// Open wishes of one player, seeks and challenges together.
const PER_PLAYER: usize = 5;
/// Open wishes of all who come from one address.
const PER_ADDRESS: usize = 40;
/// Open challenges to one player.
const PER_RECIPIENT: usize = 20;
/// Open seeks, and open challenges, of all who have an account, and of all others. None takes the place of another kind.
const SEEKS: usize = 1_000;
const CHALLENGES: usize = 4_000;
/// Seeks that a visitor is shown, the newest ones.
const SHOWN: usize = 200;
/// Bytes of what is wished for: a position and some choices take a few hundred.
const WISH_BYTES: usize = 1_024;
/// Games that are shown.
const GAMES: u32 = 50;

/// A wish to play.
#[derive(Clone, Debug)]
struct Wish {
    from: PlayerId,
    /// One player, by name too; or whoever comes.
    to: Option<(PlayerId, String)>,
    body: Body,
    created_at: Millis,
    expires_at: Millis,
    /// Whether it is in the store.
    kept: bool,
    /// Whether its maker has an account.
    signed_in: bool,
    /// From where it came; not known after a restart.
    address: Option<IpAddr>,
}

#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    command: CommandId,
    color: ColorChoice,
    settings: GameSettings,
}

#[derive(Debug)]
pub(crate) struct Hall {
    pub(crate) parts: Parts,
    wishes: Mutex<HashMap<String, Wish>>,
    crowd: Arc<Crowd>,
}

/// What the hall is given.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) names: Arc<Names>,
    pub(crate) games: Arc<Games>,
}

impl Hall {
    /// The hall with the wishes that were kept.
    pub(crate) async fn open(parts: Parts) -> Result<Self, Error> {
        let mut wishes = HashMap::new();
        for proposal in parts.store.list_proposals(parts.clock.now()).await? {
            let to = match &proposal.to {
                Some(player) => match parts.names.of(player).await? {
                    Some(name) => Some((player.clone(), name)),
                    None => continue,
                },
                None => None,
            };
            let body = serde_json::from_str(&proposal.body).map_err(LogError::Proposal)?;
            let Proposal { id, from, created_at, expires_at, .. } = proposal;
            wishes.insert(
                id,
                Wish { from, to, body, created_at, expires_at, kept: true, signed_in: true, address: None },
            );
        }
        Ok(Self { parts, wishes: Mutex::new(wishes), crowd: Arc::default() })
    }

    fn wishes(&self) -> MutexGuard<'_, HashMap<String, Wish>> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wish_count(&self) -> usize {
        self.wishes().len()
    }

    /// Somebody is here, with a socket of the hall or of a game, until the answer is dropped.
    pub(crate) fn enter(&self, player: &PlayerId, name: Option<String>, in_hall: bool) -> Here {
        self.crowd.enter(player, name, in_hall, Arc::clone(&self.parts.clock))
    }

    /// All that there is to see for a visitor.
    pub(crate) async fn show(&self, player: &PlayerId) -> Result<Shown, Error> {
        let mut seeks = Vec::new();
        let mut mine = Vec::new();
        for (id, wish) in self.seeks_for(player) {
            let Ok(id) = id.parse::<SeekId>() else { continue };
            if wish.from == *player {
                mine.push(id.clone());
            }
            seeks.push(self.seek(id, &wish).await?);
        }
        Ok(Shown {
            seeks,
            mine,
            challenges: self.challenges(player).await?,
            people: self.crowd.people(),
            games: self.games().await?,
        })
    }

    /// Returns the newest seeks, and all of the player's own, newest first.
    fn seeks_for(&self, player: &PlayerId) -> Vec<(String, Wish)> {
        let wishes = self.wishes();
        let mut seeks = wishes.iter().filter(|(_, wish)| wish.to.is_none()).collect::<Vec<_>>();
        seeks.sort_unstable_by(|(a, one), (b, other)| (other.created_at, b).cmp(&(one.created_at, a)));
        let shown = seeks.into_iter().enumerate();
        let shown = shown.filter(|(place, (_, wish))| *place < SHOWN || wish.from == *player);
        shown.map(|(_, (id, wish))| (id.clone(), wish.clone())).collect()
    }

    async fn seek(&self, id: SeekId, wish: &Wish) -> Result<Seek, Error> {
        Ok(Seek {
            id,
            name: self.parts.names.of(&wish.from).await?,
            color: wish.body.color,
            settings: wish.body.settings.clone(),
            created_at: wish.created_at,
        })
    }

    async fn challenge(&self, id: ChallengeId, wish: &Wish) -> Result<Challenge, Error> {
        Ok(Challenge {
            id,
            from: self.parts.names.of(&wish.from).await?,
            to: wish.to.as_ref().map(|(_, name)| name.clone()).unwrap_or_default(),
            color: wish.body.color,
            settings: wish.body.settings.clone(),
            created_at: wish.created_at,
        })
    }

    pub(crate) async fn challenges(&self, player: &PlayerId) -> Result<ChallengeList, Error> {
        let mut list = ChallengeList::default();
        // At most those of one player, and those to one player.
        let concerned = {
            let wishes = self.wishes();
            let is_theirs =
                |wish: &Wish| wish.to.as_ref().is_some_and(|(to, _)| to == player || wish.from == *player);
            let theirs = wishes.iter().filter(|(_, wish)| is_theirs(wish));
            theirs.map(|(id, wish)| (id.clone(), wish.clone())).collect::<Vec<_>>()
        };
        for (id, wish) in &concerned {
            let Ok(id) = id.parse::<ChallengeId>() else { continue };
            if wish.from == *player {
                list.sent.push(self.challenge(id, wish).await?);
            } else {
                list.received.push(self.challenge(id, wish).await?);
            }
        }
        list.sent.sort_by_key(|challenge| challenge.created_at);
        list.received.sort_by_key(|challenge| challenge.created_at);
        Ok(list)
    }

    async fn games(&self) -> Result<Vec<GameSummary>, Error> {
        let listed = self.parts.store.list_public(GAMES).await?;
        listed.iter().map(wire::listed).collect::<Result<_, _>>().map_err(Error::from)
    }

    pub(crate) async fn create_seek(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateSeek,
    ) -> Result<SeekId, Error> {
        let player = &visitor.player;
        let terms = self.parts.games.creator.terms(&request.settings)?;
        self.parts.games.creator.may_sit(player, terms.options.clock).await?;
        let id = SeekId::from_random(self.parts.entropy.random()?);
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let kept = is_correspondence(&body.settings);
        let lasts = if kept { LONG_MS } else { DAY_MS };
        let wish = self.wish((visitor, address), None, body, lasts, kept)?;
        let (id, wish) = match self.add(id.to_string(), wish).await? {
            Added::New(id, wish) => (id, wish),
            Added::Repeated(id) => return id.parse().map_err(|_| Error::CommandUsed),
        };
        let id: SeekId = id.parse().map_err(|_| Error::Internal("no id of a seek"))?;
        let seek = self.seek(id.clone(), &wish).await?;
        self.tell(TOPIC, &HallServerMessage::SeekAdded { seek }).await;
        Ok(id)
    }

    pub(crate) async fn create_challenge(
        &self,
        visitor: &Visitor,
        address: IpAddr,
        request: CreateChallenge,
    ) -> Result<ChallengeId, Error> {
        let player = &visitor.player;
        let terms = self.parts.games.creator.terms(&request.settings)?;
        self.parts.games.creator.may_sit(player, terms.options.clock).await?;
        let to = self.parts.store.lookup_account_by_name(&request.to).await?.ok_or(Error::PlayerNotFound)?;
        if to.player == *player {
            return Err(Error::OwnChallenge);
        }
        let id = ChallengeId::from_random(self.parts.entropy.random()?);
        let body = Body { command: request.command, color: request.color, settings: request.settings };
        let lasts = if is_correspondence(&body.settings) { LONG_MS } else { DAY_MS };
        let to = Some((to.player, to.name));
        // An identity without an account costs nothing: its challenge lasts as long as it is here, like a live seek.
        let kept = visitor.session.is_some();
        let wish = self.wish((visitor, address), to, body, lasts, kept)?;
        let (id, wish) = match self.add(id.to_string(), wish).await? {
            Added::New(id, wish) => (id, wish),
            Added::Repeated(id) => return id.parse().map_err(|_| Error::CommandUsed),
        };
        let id: ChallengeId = id.parse().map_err(|_| Error::Internal("no id of a challenge"))?;
        let challenge = self.challenge(id.clone(), &wish).await?;
        self.tell_parties(&wish, &HallServerMessage::Challenge { challenge }).await;
        Ok(id)
    }

    fn wish(
        &self,
        (visitor, address): (&Visitor, IpAddr),
        to: Option<(PlayerId, String)>,
        body: Body,
        lasts_ms: i64,
        kept: bool,
    ) -> Result<Wish, Error> {
        // A FEN could be followed by anything.
        if serde_json::to_string(&body).map_err(LogError::Write)?.len() > WISH_BYTES {
            return Err(Error::TooLarge(WISH_BYTES));
        }
        let now = self.parts.clock.now();
        let expires_at = Millis(now.0 + lasts_ms);
        let address = Some(limits::home(address));
        Ok(Wish {
            from: visitor.player.clone(),
            to,
            body,
            created_at: now,
            expires_at,
            kept,
            signed_in: visitor.session.is_some(),
            address,
        })
    }

    async fn add(&self, id: String, wish: Wish) -> Result<Added, Error> {
        {
            // At once for all: of two that ask at the same time, the second sees the first.
            let mut wishes = self.wishes();
            let mut mine = wishes.iter().filter(|(_, other)| other.from == wish.from);
            if let Some((id, other)) = mine.find(|(_, other)| other.body.command == wish.body.command) {
                let is_same = (&other.body, &other.to) == (&wish.body, &wish.to);
                return if is_same { Ok(Added::Repeated(id.clone())) } else { Err(Error::CommandUsed) };
            }
            has_place(&wishes.values(), &wish)?;
            wishes.insert(id.clone(), wish.clone());
        }
        if wish.kept
            && let Err(error) = self.keep_wish(&id, &wish).await
        {
            self.wishes().remove(&id);
            return Err(error);
        }
        Ok(Added::New(id, wish))
    }

    async fn keep_wish(&self, id: &str, wish: &Wish) -> Result<(), Error> {
        let proposal = Proposal {
            id: id.to_owned(),
            from: wish.from.clone(),
            to: wish.to.as_ref().map(|(player, _)| player.clone()),
            body: serde_json::to_string(&wish.body).map_err(LogError::Write)?,
            created_at: wish.created_at,
            expires_at: wish.expires_at,
        };
        Ok(self.parts.store.add_proposal(proposal).await?)
    }

    pub(crate) async fn accept_seek(&self, player: &PlayerId, id: &SeekId) -> Result<GameId, Error> {
        let wish = self.wishes().get(id.as_str()).filter(|wish| wish.to.is_none()).cloned();
        let wish = wish.ok_or(Error::SeekNotFound)?;
        if wish.from == *player {
            return Err(Error::OwnSeek);
        }
        let game = self.accept(player, id.as_str(), &wish, Error::SeekNotFound).await;
        self.tell(TOPIC, &HallServerMessage::SeekRemoved { id: id.clone() }).await;
        game
    }

    pub(crate) async fn accept_challenge(
        &self,
        player: &PlayerId,
        id: &ChallengeId,
    ) -> Result<GameId, Error> {
        let wish = self.addressed(player, id)?;
        if wish.from == *player {
            return Err(Error::OwnChallenge);
        }
        let game = self.accept(player, id.as_str(), &wish, Error::ChallengeNotFound).await;
        self.tell_parties(&wish, &HallServerMessage::ChallengeGone { id: id.clone() }).await;
        game
    }

    /// A challenge that a visitor has made, or that is made to it; others do not learn that it is there.
    fn addressed(&self, player: &PlayerId, id: &ChallengeId) -> Result<Wish, Error> {
        let wishes = self.wishes();
        let wish = wishes.get(id.as_str()).ok_or(Error::ChallengeNotFound)?;
        match &wish.to {
            Some((to, _)) if to == player || wish.from == *player => Ok(wish.clone()),
            _ => Err(Error::ChallengeNotFound),
        }
    }

    async fn accept(&self, player: &PlayerId, id: &str, wish: &Wish, gone: Error) -> Result<GameId, Error> {
        let terms = self.parts.games.creator.terms(&wish.body.settings)?;
        self.parts.games.creator.may_sit(player, terms.options.clock).await?;
        if !self.take(id).await? {
            return Err(gone);
        }
        let proposer = (&wish.from, wish.body.color);
        let game = self.parts.games.creator.create_between(proposer, player, terms, id).await?;
        let started = HallServerMessage::GameStarted { id: game.clone() };
        self.tell(&private(&wish.from), &started).await;
        Ok(game)
    }

    /// Takes a wish away; returns whether it was still there.
    async fn take(&self, id: &str) -> Result<bool, Error> {
        let Some(wish) = self.wishes().remove(id) else { return Ok(false) };
        if !wish.kept {
            return Ok(true);
        }
        match self.parts.store.delete_proposal(id).await {
            Ok(taken) => Ok(taken),
            Err(error) => {
                self.wishes().insert(id.to_owned(), wish);
                Err(error.into())
            }
        }
    }

    pub(crate) async fn withdraw_seek(&self, player: &PlayerId, id: &SeekId) -> Result<(), Error> {
        let owner =
            self.wishes().get(id.as_str()).filter(|wish| wish.to.is_none()).map(|wish| wish.from.clone());
        match owner {
            None => return Err(Error::SeekNotFound),
            Some(owner) if owner != *player => return Err(Error::NotYours),
            Some(_) => {}
        }
        self.take(id.as_str()).await?;
        self.tell(TOPIC, &HallServerMessage::SeekRemoved { id: id.clone() }).await;
        Ok(())
    }

    /// Declines a challenge, or takes an own one back.
    pub(crate) async fn end_challenge(&self, player: &PlayerId, id: &ChallengeId) -> Result<(), Error> {
        let wish = self.addressed(player, id)?;
        self.take(id.as_str()).await?;
        self.tell_parties(&wish, &HallServerMessage::ChallengeGone { id: id.clone() }).await;
        Ok(())
    }

    /// Takes away what a player wishes for, and what others wish for from the player, whose account is gone.
    pub(crate) async fn forget(&self, player: &PlayerId) {
        let gone = {
            let mut wishes = self.wishes();
            let is_gone =
                |wish: &Wish| wish.from == *player || wish.to.as_ref().is_some_and(|(to, _)| to == player);
            wishes.extract_if(|_, wish| is_gone(wish)).collect::<Vec<_>>()
        };
        for (id, wish) in gone {
            // Those that were kept went with the account. One that was made at the same moment goes here.
            if wish.kept
                && let Err(error) = self.parts.store.delete_proposal(&id).await
            {
                Error::from(error).log();
            }
            self.tell_gone(&id, &wish).await;
        }
    }

    /// What is for everybody in the hall, and what is for one player alone.
    pub(crate) async fn subscribe(
        &self,
        player: &PlayerId,
    ) -> Result<(Box<dyn Subscription>, Box<dyn Subscription>), Error> {
        let failed = |error| {
            tracing::error!(%error, "no subscription");
            Error::Internal("the bus does not answer")
        };
        let all = self.parts.bus.subscribe(TOPIC).await.map_err(failed)?;
        Ok((all, self.parts.bus.subscribe(&private(player)).await.map_err(failed)?))
    }

    async fn tell_parties(&self, wish: &Wish, message: &HallServerMessage) {
        self.tell(&private(&wish.from), message).await;
        if let Some((to, _)) = &wish.to {
            self.tell(&private(to), message).await;
        }
    }

    async fn tell(&self, topic: &str, message: &HallServerMessage) {
        let Ok(body) = serde_json::to_vec(message) else { return };
        let notice = Notice { sequence: 0, audience: audience::ALL, body: body.into() };
        if let Err(error) = self.parts.bus.publish(topic, notice).await {
            tracing::warn!(%error, "the hall was not told something");
        }
    }

    /// Tells who is here and what is played, and takes seeks away whose makers have left, until `stop`.
    pub(crate) async fn keep(self: Arc<Self>, stop: CancellationToken) {
        let mut rounds = tokio::time::interval(PACE);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut shown = Vec::new();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                _ = rounds.tick() => {}
            }
            self.sweep().await;
            if let Some(people) = self.crowd.news() {
                self.tell(TOPIC, &HallServerMessage::People { people }).await;
            }
            if self.crowd.is_hall_empty() {
                continue;
            }
            match self.games().await {
                Ok(games) if games != shown => {
                    shown.clone_from(&games);
                    self.tell(TOPIC, &HallServerMessage::Games { games }).await;
                }
                Ok(_) => {}
                Err(error) => error.log(),
            }
        }
    }

    async fn sweep(&self) {
        let now = self.parts.clock.now();
        let left = |wish: &Wish| {
            !wish.kept
                && now.0.saturating_sub(wish.created_at.0) >= GRACE_MS
                && self.crowd.away_from_hall_ms(&wish.from, now).is_none_or(|away_ms| away_ms >= GRACE_MS)
        };
        let gone = {
            let wishes = self.wishes();
            let gone = wishes.iter().filter(|(_, wish)| wish.expires_at <= now || left(wish));
            gone.map(|(id, wish)| (id.clone(), wish.clone())).collect::<Vec<_>>()
        };
        for (id, wish) in gone {
            match self.take(&id).await {
                Ok(_) => self.tell_gone(&id, &wish).await,
                Err(error) => error.log(),
            }
        }
    }

    async fn tell_gone(&self, id: &str, wish: &Wish) {
        if wish.to.is_some() {
            let Ok(id) = id.parse() else { return };
            self.tell_parties(wish, &HallServerMessage::ChallengeGone { id }).await;
        } else {
            let Ok(id) = id.parse() else { return };
            self.tell(TOPIC, &HallServerMessage::SeekRemoved { id }).await;
        }
    }
}

/// Returns whether there is a place for one more wish, or which bound it would break.
fn has_place<'a>(others: &(impl Iterator<Item = &'a Wish> + Clone), new: &Wish) -> Result<(), Error> {
    let count = |counts: &dyn Fn(&Wish) -> bool| others.clone().filter(|other| counts(other)).count();
    if count(&|other| other.from == new.from) >= PER_PLAYER {
        return Err(Error::TooManySeeks(PER_PLAYER));
    }
    let from_here = |other: &Wish| other.address.is_some() && other.address == new.address;
    if count(&from_here) >= PER_ADDRESS {
        return Err(Error::TooManyFromHere(PER_ADDRESS));
    }
    let Some((to, _)) = &new.to else {
        let seeks = count(&|other| other.to.is_none() && other.signed_in == new.signed_in);
        return if seeks >= SEEKS { Err(Error::HallFull) } else { Ok(()) };
    };
    let to_the_same = |other: &Wish| other.to.as_ref().is_some_and(|(other, _)| other == to);
    if count(&|other| to_the_same(other) && from_here(other)) >= PER_PLAYER {
        return Err(Error::TooManyFromHere(PER_PLAYER));
    }
    // Those of accounts are counted for themselves: others cannot keep them away.
    if count(&|other| to_the_same(other) && other.signed_in == new.signed_in) >= PER_RECIPIENT {
        return Err(Error::TooManyChallenges(PER_RECIPIENT));
    }
    let challenges = count(&|other| other.to.is_some() && other.signed_in == new.signed_in);
    if challenges >= CHALLENGES { Err(Error::HallFull) } else { Ok(()) }
}

enum Added {
    New(String, Wish),
    Repeated(String),
}

fn private(player: &PlayerId) -> String {
    format!("to {player}")
}

fn is_correspondence(settings: &GameSettings) -> bool {
    matches!(settings.time_control, Some(TimeControl::Correspondence { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(from: u128, to: Option<u128>, signed_in: bool, address: u32) -> Wish {
        let settings = serde_json::from_str(r#"{"variant":"chess"}"#).unwrap();
        let command = CommandId("00000000-0000-0000-0000-000000000001".parse().unwrap());
        Wish {
            from: PlayerId::from_random(from),
            to: to.map(|to| (PlayerId::from_random(to), "Anna".into())),
            body: Body { command, color: ColorChoice::White, settings },
            created_at: Millis(0),
            expires_at: Millis(1),
            kept: signed_in,
            signed_in,
            address: Some(IpAddr::from(address.to_be_bytes())),
        }
    }

    fn refused(others: &[Wish], new: &Wish) -> Option<&'static str> {
        has_place(&others.iter(), new).err().map(|error| error.code())
    }

    #[test]
    fn neither_addresses_nor_identities_fill_the_hall_for_accounts() {
        // Identities of many addresses: each has as many seeks as it may have.
        let mut wishes = Vec::new();
        for number in 0..SEEKS as u128 {
            wishes.push(wish(number / 5, None, false, u32::try_from(number / 40).unwrap()));
        }
        assert_eq!(refused(&wishes, &wish(900_000, None, false, 99_999)), Some("hall-full"));
        assert_eq!(refused(&wishes, &wish(0, None, false, 99_999)), Some("too-many-seeks"));
        assert_eq!(refused(&wishes, &wish(900_000, None, false, 1)), Some("too-many-from-here"));
        assert_eq!(refused(&wishes, &wish(900_000, None, true, 99_999)), None);
        assert_eq!(refused(&wishes, &wish(900_000, Some(1), false, 99_999)), None);
        // After a restart it is not known where wishes came from.
        for wish in &mut wishes {
            wish.address = None;
        }
        assert_eq!(refused(&wishes, &wish(900_000, None, true, 1)), None);
    }

    #[test]
    fn one_players_list_has_room_for_accounts() {
        let mut wishes = Vec::new();
        for number in 0..PER_RECIPIENT as u128 {
            wishes.push(wish(number, Some(1_000), false, u32::try_from(number).unwrap()));
        }
        assert_eq!(refused(&wishes, &wish(500, Some(1_000), false, 99)), Some("too-many-challenges"));
        assert_eq!(refused(&wishes, &wish(500, Some(1_001), false, 99)), None);
        assert_eq!(refused(&wishes, &wish(500, Some(1_000), true, 99)), None);
    }
}
