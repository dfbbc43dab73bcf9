//! Creation of games, from the settings in a request to the first events.

use std::{sync::Arc, time::Instant};

use adoube_game::{Game, MatchGame, NewGame, Options, Seat, TimeControl};
use adoube_protocol::{
    ColorChoice, CommandId, CreateGame, CreatedGame, GameId, GameSettings, InvitationToken, MatchId, Millis,
    OpponentChoice, PlayerId, Shuffle, ShuffledSides,
};
use adoube_rules::{AnyPosition, ByColor, Color, Position as _, Variant, fen, shuffle};
use adoube_store::{self as store, Created, Store};

use super::{
    derived_command_id,
    ledger::{Ledger, bodies, read_model},
    matches,
    receipt::{digest_of_creation, read_creation, write_creation},
    system_player,
};
use crate::{
    administration::HouseCache,
    clock::Clock,
    entropy::Entropy,
    error::Error,
    log_throttle::LogThrottle,
    metrics::Metrics,
    names::{Names, player_of},
    wire,
};

/// The maximum number of attempts to generate an unused id. In practice one attempt is enough, because ids
/// have 71 bits.
const ID_ATTEMPTS: usize = 3;
/// Throttles the log line about new games, because thousands may be created in a second.
static CREATION_LOG: LogThrottle = LogThrottle::new();
/// The maximum number of games in a match.
const MAX_GAMES: u8 = 20;

const NO_PROPOSAL: Error =
    Error::Internal("the store reported a closed proposal for a game that has no proposal");

/// Validated settings for a game or a match.
#[derive(Clone, Debug)]
pub(crate) struct Terms {
    pub(crate) variant: Variant,
    /// `None` for the variant's initial position.
    pub(crate) fen: Option<String>,
    pub(crate) draw_rules: adoube_game::DrawRules,
    pub(crate) options: Options,
    pub(crate) games: u8,
}

/// The seats of a new game, and the command that creates it.
#[derive(Clone, Debug)]
pub(crate) struct Seating {
    pub(crate) seats: ByColor<Seat>,
    pub(crate) player: PlayerId,
    pub(crate) command: CommandId,
    /// The digest of the request, if a player has requested the game.
    pub(crate) request_digest: Option<String>,
    /// Whether the hall lists the game.
    pub(crate) public: bool,
    /// The proposal that is closed when the game is created.
    pub(crate) proposal: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Creator {
    pub(super) ledger: Arc<Ledger>,
    pub(super) store: Arc<dyn Store>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) names: Arc<Names>,
    pub(super) house: Arc<HouseCache>,
    pub(super) metrics: Arc<Metrics>,
}

impl Creator {
    /// Creates a game at a player's request, either against the machine or with an open seat for an invited
    /// opponent.
    pub(crate) async fn create(&self, player: &PlayerId, request: CreateGame) -> Result<CreatedGame, Error> {
        let request_digest = Some(digest_of_creation(&request)?);
        if let Some(answer) = self.store.lookup_command(player, request.command).await? {
            return read_creation(&answer, request_digest.as_deref());
        }
        let terms = self.terms(&request.settings, request.opponent)?;
        self.check_seat_allowed(player, terms.options.clock).await?;
        let color = self.color(request.color)?;
        let other = match request.opponent {
            OpponentChoice::Friend => Seat::Open,
            OpponentChoice::Machine { level } => Seat::Machine { level: level.get() },
        };
        let mut seats = ByColor { white: other.clone(), black: other };
        seats[color] = person(player);
        let seating = Seating {
            seats,
            player: player.clone(),
            command: request.command,
            request_digest,
            public: false,
            proposal: None,
        };
        self.create_from(terms, seating).await?.ok_or(NO_PROPOSAL)
    }

    /// Creates a game between two players who have agreed on it through a proposal, and closes the proposal.
    /// Returns `None` if the proposal is no longer open.
    pub(crate) async fn create_between(
        &self,
        (proposer, color): (&PlayerId, ColorChoice),
        taker: &PlayerId,
        terms: Terms,
        proposal: &str,
    ) -> Result<Option<GameId>, Error> {
        self.check_seat_allowed(proposer, terms.options.clock).await?;
        self.check_seat_allowed(taker, terms.options.clock).await?;
        let mut seats = ByColor { white: person(taker), black: person(taker) };
        seats[self.color(color)?] = person(proposer);
        let seating = Seating {
            seats,
            player: system_player(),
            command: command_of(proposal),
            request_digest: None,
            public: true,
            proposal: Some(proposal.to_owned()),
        };
        match self.create_from(terms, seating).await? {
            // The game may have been created by an earlier request from this player, or because another
            // player accepted the proposal.
            Some(created) => Ok(self.has_seat(&created.id, taker).await?.then_some(created.id)),
            None => self.created_by(proposal, taker).await,
        }
    }

    /// Returns the game that was created from a proposal, if the player has a seat in it.
    pub(crate) async fn created_by(
        &self,
        proposal: &str,
        player: &PlayerId,
    ) -> Result<Option<GameId>, Error> {
        let answer = self.store.lookup_command(&system_player(), command_of(proposal)).await?;
        let Some(answer) = answer else { return Ok(None) };
        let id = read_creation(&answer, None)?.id;
        Ok(self.has_seat(&id, player).await?.then_some(id))
    }

    async fn has_seat(&self, game: &GameId, player: &PlayerId) -> Result<bool, Error> {
        Ok(self.ledger.cached_or_loaded(game).await?.color_of(player).is_some())
    }

    /// Validates the settings of a request and returns the resulting terms.
    pub(crate) fn terms(&self, settings: &GameSettings, opponent: OpponentChoice) -> Result<Terms, Error> {
        let variant = crate::listed::variant_of(&settings.variant)?;
        self.house.offers(variant, settings.time_control.unwrap_or_default(), opponent)?;
        let fen = match (&settings.fen, settings.shuffle) {
            (Some(_), Some(_)) => return Err(Error::PositionTwice),
            (Some(fen), None) => Some(fen.clone()),
            (None, Some(shuffle)) => Some(self.shuffled(variant, shuffle)?),
            (None, None) => None,
        };
        let games = settings.games.unwrap_or(1);
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(Error::Games(MAX_GAMES));
        }
        let terms = Terms {
            variant,
            fen,
            draw_rules: wire::draw_rules_from_wire(settings.draw_rules.unwrap_or_default()),
            options: Options {
                clock: wire::time_control_from_wire(settings.time_control.unwrap_or_default()),
                touch_move: settings.touch_move.unwrap_or(false),
                casual: settings.casual.unwrap_or(true),
                in_match: None,
            },
            games,
        };
        // Terms under which no game can start are refused now rather than when an opponent joins.
        terms.begin(ByColor { white: Seat::Open, black: Seat::Open }, None, self.clock.now())?;
        Ok(terms)
    }

    fn shuffled(&self, variant: Variant, start: Shuffle) -> Result<String, Error> {
        let (white, black) = match start {
            Shuffle::Number { white, black } => (white, black),
            Shuffle::Random { sides } => {
                let random = self.entropy.random()?;
                let count = u128::from(shuffle::count(variant));
                let (first, second) = ((random % count) as u16, ((random / count) % count) as u16);
                (first, if sides == ShuffledSides::Same { first } else { second })
            }
        };
        let setup = shuffle::setup(variant, white, black).map_err(Error::Shuffle)?;
        Ok(fen::write(&setup))
    }

    pub(crate) fn color(&self, choice: ColorChoice) -> Result<Color, Error> {
        Ok(match choice {
            ColorChoice::White => Color::White,
            ColorChoice::Black => Color::Black,
            ColorChoice::Random => Color::ALL[usize::from(self.entropy.random()? & 1 == 0)],
        })
    }

    /// Fails for a correspondence game if the player has no account, because such games can outlast the
    /// player's cookie.
    pub(crate) async fn check_seat_allowed(
        &self,
        player: &PlayerId,
        clock: TimeControl,
    ) -> Result<(), Error> {
        if clock.is_correspondence() && self.names.of(player).await?.is_none() {
            return Err(Error::AccountNeeded);
        }
        Ok(())
    }

    /// Creates a game and, if the terms are for several games, the match that it begins. Returns `None` if
    /// the proposal is no longer open.
    async fn create_from(&self, terms: Terms, seating: Seating) -> Result<Option<CreatedGame>, Error> {
        let in_match = if terms.games > 1 {
            let id = MatchId::from_random(self.entropy.random()?);
            let body = matches::document(&terms)?;
            self.store.add_match(store::Match { id: id.clone(), body }).await?;
            Some((id, 1))
        } else {
            None
        };
        self.try_add(&terms, in_match, seating).await
    }

    /// Creates a game that does not come from a proposal. If the command is repeated, returns the game that
    /// it has already created.
    pub(super) async fn add(
        &self,
        terms: &Terms,
        in_match: Option<(MatchId, u16)>,
        seating: Seating,
    ) -> Result<CreatedGame, Error> {
        self.try_add(terms, in_match, seating).await?.ok_or(NO_PROPOSAL)
    }

    async fn try_add(
        &self,
        terms: &Terms,
        in_match: Option<(MatchId, u16)>,
        seating: Seating,
    ) -> Result<Option<CreatedGame>, Error> {
        let (game, events) = terms.begin(seating.seats, in_match.as_ref(), self.clock.now())?;
        let game = Arc::new(game);
        let seats = seats_of(&game);
        for _ in 0..ID_ATTEMPTS {
            let id = GameId::from_random(self.entropy.random()?);
            let invitation = if game.is_started() {
                None
            } else {
                Some(InvitationToken::from_random(self.entropy.random()?))
            };
            let answer = CreatedGame { id: id.clone(), invitation: invitation.clone() };
            let text = write_creation(&answer, seating.request_digest.as_deref())?;
            let new = store::NewGame {
                id: id.clone(),
                created_at: Millis(game.created_at_ms()),
                variant: terms.variant.to_string(),
                public: seating.public,
                in_match: in_match.clone(),
                events: bodies(&events)?,
                seats: seats.clone(),
                invitation,
                read_model: read_model(&game)?,
                command: store::CommandRecord {
                    player: seating.player.clone(),
                    id: seating.command,
                    answer: text,
                },
                proposal: seating.proposal.clone(),
            };
            match self.ledger.create(new, Arc::clone(&game), &events).await? {
                Created::Done => {
                    if let Some(suppressed) = CREATION_LOG.line(Instant::now()) {
                        tracing::info!(game = %id, variant = %terms.variant, suppressed, "game created");
                    }
                    self.metrics.game_created();
                    return Ok(Some(answer));
                }
                Created::Repeated(answer) => {
                    return Ok(Some(read_creation(&answer, seating.request_digest.as_deref())?));
                }
                Created::ProposalGone => return Ok(None),
                Created::IdTaken => {}
            }
        }
        Err(Error::Internal("every generated id is already in use"))
    }
}

impl Terms {
    /// Returns the terms of an existing game, for creating another game under the same terms.
    pub(super) fn of(game: &Game) -> Self {
        Self {
            variant: game.variant(),
            fen: (game.initial_fen() != AnyPosition::initial(game.variant()).fen())
                .then(|| game.initial_fen().to_owned()),
            draw_rules: game.draw_rules(),
            options: Options { in_match: None, ..game.options().clone() },
            games: 1,
        }
    }

    fn begin(
        &self,
        seats: ByColor<Seat>,
        in_match: Option<&(MatchId, u16)>,
        now: Millis,
    ) -> Result<(Game, Vec<adoube_game::Event>), Error> {
        let in_match = in_match.map(|(id, number)| Box::new(MatchGame { id: id.clone(), number: *number }));
        let new = NewGame {
            variant: self.variant,
            fen: self.fen.clone(),
            draw_rules: self.draw_rules,
            seats,
            options: Options { in_match, ..self.options.clone() },
        };
        Ok(Game::create(new, now.0)?)
    }
}

/// Returns the id of the command that creates a game from a proposal. It does not depend on who accepts the
/// proposal.
fn command_of(proposal: &str) -> CommandId {
    derived_command_id("proposal", proposal)
}

fn person(player: &PlayerId) -> Seat {
    Seat::Person { player: player.clone() }
}

fn seats_of(game: &Game) -> Vec<store::Seat> {
    let seat = |color| {
        let player = player_of(&game.seats()[color])?.clone();
        Some(store::Seat { color: wire::color_to_wire(color), player })
    };
    Color::ALL.into_iter().filter_map(seat).collect()
}
