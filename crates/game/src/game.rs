use adoube_rules::{
    AnyPosition, ByColor, Color, Position as _, ReadPositionError, Variant,
    coordinate::{self, TurnError},
    winnable::{self, Effort},
};
use thiserror::Error;

use crate::{
    command::{Command, Refusal},
    ending::{Ending, Reason},
    event::{DrawRules, Event, EventKind, Schema, Seat},
};

/// What a game begins with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewGame {
    pub variant: Variant,
    /// Without it, the initial position of the game.
    pub fen: Option<String>,
    pub draw_rules: DrawRules,
    pub seats: ByColor<Seat>,
}

/// Why a game cannot begin.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum CreateError {
    #[error("the position cannot be played")]
    Position(#[from] ReadPositionError),
    #[error("the game would be over before it begins, by {}", .0.reason.name())]
    Over(Ending),
}

/// Why a log makes no game.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ReplayError {
    #[error("a log begins with the creation of the game")]
    NotCreated,
    #[error("event {version} creates the game again")]
    CreatedTwice { version: u64 },
    #[error("the initial position cannot be played")]
    Position(#[from] ReadPositionError),
    #[error("event {version} is a turn that is not legal")]
    Turn { version: u64, source: TurnError },
    #[error("event {version} comes after the end of the game")]
    AfterTheEnd { version: u64 },
}

/// A turn of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlayedTurn {
    /// Coordinate text.
    pub text: String,
    /// The version of the game after this turn.
    pub version: u64,
    pub at_ms: i64,
}

/// A game as its events have made it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    version: u64,
    created_at_ms: i64,
    /// Time of the newest event. Clocks will be computed from the times of the turns.
    updated_at_ms: i64,
    variant: Variant,
    initial_fen: String,
    draw_rules: DrawRules,
    seats: ByColor<Seat>,
    position: AnyPosition,
    turns: Vec<PlayedTurn>,
    /// The keys of all positions so far, the present one last.
    keys: Vec<u64>,
    offer: Option<Color>,
    /// The own turn in which each side last offered a draw.
    last_offer: ByColor<Option<usize>>,
    ending: Option<Ending>,
}

impl Game {
    /// Returns a new game with its first event, or why it cannot begin.
    pub fn create(new: NewGame, now_ms: i64) -> Result<(Self, Vec<Event>), CreateError> {
        let position = match &new.fen {
            Some(fen) => AnyPosition::from_fen(new.variant, fen)?,
            None => AnyPosition::initial(new.variant),
        };
        let initial_fen = position.fen();
        // From the text that is kept, so that what is read back later is what was checked now.
        let game = Self::created(now_ms, new.variant, &initial_fen, new.draw_rules, new.seats.clone())?;
        if let Some(ending) = game.ending_on_the_board() {
            return Err(CreateError::Over(ending));
        }
        let kind = EventKind::Created {
            variant: new.variant,
            initial_fen,
            draw_rules: new.draw_rules,
            seats: new.seats.into(),
        };
        Ok((game, vec![Event { schema: Schema::default(), at_ms: now_ms, kind }]))
    }

    /// Returns the game that a log tells of.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, ReplayError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(ReplayError::NotCreated)?;
        let EventKind::Created { variant, initial_fen, draw_rules, seats } = &first.kind else {
            return Err(ReplayError::NotCreated);
        };
        let mut game = Self::created(first.at_ms, *variant, initial_fen, *draw_rules, seats.clone().into())?;
        for event in events {
            game.apply(event)?;
        }
        Ok(game)
    }

    fn created(
        at_ms: i64,
        variant: Variant,
        initial_fen: &str,
        draw_rules: DrawRules,
        seats: ByColor<Seat>,
    ) -> Result<Self, ReadPositionError> {
        let position = AnyPosition::from_fen(variant, initial_fen)?;
        Ok(Self {
            version: 1,
            created_at_ms: at_ms,
            updated_at_ms: at_ms,
            variant,
            initial_fen: initial_fen.to_owned(),
            draw_rules,
            seats,
            keys: vec![position.key()],
            position,
            turns: Vec::new(),
            offer: None,
            last_offer: ByColor { white: None, black: None },
            ending: None,
        })
    }

    /// Takes in the next event of the log. After an error the game is as before.
    pub fn apply(&mut self, event: &Event) -> Result<(), ReplayError> {
        let version = self.version + 1;
        if self.ending.is_some() {
            return Err(ReplayError::AfterTheEnd { version });
        }
        match &event.kind {
            EventKind::Created { .. } => return Err(ReplayError::CreatedTwice { version }),
            EventKind::Joined { color, player } => {
                self.seats[*color] = Seat::Person { player: player.clone() };
            }
            EventKind::Played { color, turn } => {
                let parsed = coordinate::parse(&self.position, turn)
                    .map_err(|source| ReplayError::Turn { version, source })?;
                self.position.play_turn_unchecked(&parsed);
                self.keys.push(self.position.key());
                self.turns.push(PlayedTurn { text: turn.clone(), version, at_ms: event.at_ms });
                // An offer stands until the receiver moves (C24).
                if self.offer == Some(!*color) {
                    self.offer = None;
                }
            }
            EventKind::DrawOffered { color } => {
                self.last_offer[*color] = self.own_turn(*color);
                self.offer = Some(*color);
            }
            EventKind::DrawDeclined { .. } => self.offer = None,
            EventKind::Ended { result, reason } => {
                self.ending = Some(Ending { result: *result, reason: *reason });
                self.offer = None;
            }
        }
        self.version = version;
        self.updated_at_ms = event.at_ms;
        Ok(())
    }

    /// Returns the events to which a command leads, or why it is refused. The game itself stays as it is.
    pub fn decide(&self, command: &Command, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        if let Some(ending) = self.ending {
            return Err(Refusal::Over(ending));
        }
        let kind = match command {
            Command::Join { color, player } => return self.decide_join(*color, player, now_ms),
            _ if !self.is_started() => return Err(Refusal::NotStarted),
            Command::Play { by, turn, ply } => return self.decide_play(*by, turn, *ply, now_ms),
            Command::Resign { by } => ended(Ending::win(!*by, Reason::Resignation)),
            Command::OfferDraw { by } => {
                if let Some(by) = self.offer {
                    return Err(Refusal::OfferStands { by });
                }
                let own_turn = self.own_turn(*by);
                if own_turn.is_some() && own_turn == self.last_offer[*by] {
                    return Err(Refusal::OfferedThisTurn);
                }
                EventKind::DrawOffered { color: *by }
            }
            Command::AcceptDraw { by } => {
                self.offer_to(*by)?;
                ended(Ending::draw(Reason::Agreement))
            }
            Command::DeclineDraw { by } => {
                self.offer_to(*by)?;
                EventKind::DrawDeclined { color: *by }
            }
            Command::ClaimDraw { by } => {
                if self.turn() != *by {
                    return Err(Refusal::NotYourTurn { turn: self.turn() });
                }
                ended(self.claimable().ok_or(Refusal::NothingToClaim)?)
            }
        };
        Ok(vec![self.event(kind, now_ms)])
    }

    fn decide_join(&self, color: Color, player: &str, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        if let Some(color) = self.color_of(player) {
            return Err(Refusal::AlreadySeated { color });
        }
        if self.seats[color] != Seat::Open {
            return Err(Refusal::SeatTaken { color });
        }
        Ok(vec![self.event(EventKind::Joined { color, player: player.to_owned() }, now_ms)])
    }

    fn decide_play(&self, by: Color, text: &str, ply: usize, now_ms: i64) -> Result<Vec<Event>, Refusal> {
        if ply != self.turns.len() {
            return Err(Refusal::OtherPosition { seen: ply, now: self.turns.len() });
        }
        if self.turn() != by {
            return Err(Refusal::NotYourTurn { turn: self.turn() });
        }
        let turn = coordinate::parse(&self.position, text)?;
        let played = EventKind::Played { color: by, turn: coordinate::write(&self.position, &turn) };
        let mut events = vec![self.event(played, now_ms)];
        let mut after = self.clone();
        after.position.play_turn_unchecked(&turn);
        after.keys.push(after.position.key());
        if let Some(ending) = after.ending_on_the_board() {
            events.push(self.event(ended(ending), now_ms));
        }
        Ok(events)
    }

    fn event(&self, kind: EventKind, now_ms: i64) -> Event {
        // The clock of the machine may be set back; the log is not.
        Event { schema: Schema::default(), at_ms: now_ms.max(self.updated_at_ms), kind }
    }

    fn offer_to(&self, color: Color) -> Result<(), Refusal> {
        if self.offer == Some(!color) { Ok(()) } else { Err(Refusal::NoOffer) }
    }

    /// The number of the own turn that a side is in: the one it is about to play, or the one it has just played.
    fn own_turn(&self, color: Color) -> Option<usize> {
        let first = if self.turns.len().is_multiple_of(2) { self.turn() } else { !self.turn() };
        let played = if first == color { self.turns.len().div_ceil(2) } else { self.turns.len() / 2 };
        if self.turn() == color { Some(played) } else { played.checked_sub(1) }
    }

    /// How often the present position has been on the board.
    fn occurrences(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|&key| Some(key) == now).count()
    }

    /// How the game ends with the present position, nobody asking for it.
    fn ending_on_the_board(&self) -> Option<Ending> {
        if let Some(outcome) = self.position.outcome(self.draw_rules.into()) {
            return Some(outcome.into());
        }
        // What cannot be proved in a moment plays on: a dead position stays dead (C20).
        if winnable::is_dead(&self.position, Effort::Quick) {
            return Some(Ending::draw(Reason::DeadPosition));
        }
        let (repetitions, halfmoves) = match self.draw_rules {
            DrawRules::Club => (3, 100),
            DrawRules::Fide => (5, 150),
        };
        if repetition_loses(self.variant) {
            if self.occurrences() >= 3 {
                // The side to move is the winner: the other one brought the position about (I12).
                return Some(Ending::win(self.turn(), Reason::Repetition));
            }
        } else if self.occurrences() >= repetitions {
            return Some(Ending::draw(Reason::Repetition));
        }
        (self.position.halfmove_clock() >= halfmoves).then(|| Ending::draw(Reason::FiftyMoves))
    }

    /// The draw that the side to move may claim (C21, C22).
    fn claimable(&self) -> Option<Ending> {
        if self.position.halfmove_clock() >= 100 {
            Some(Ending::draw(Reason::FiftyMoves))
        } else if self.occurrences() >= 3 && !repetition_loses(self.variant) {
            Some(Ending::draw(Reason::Repetition))
        } else {
            None
        }
    }

    /// Returns the number of events.
    pub fn version(&self) -> u64 {
        self.version
    }

    pub fn created_at_ms(&self) -> i64 {
        self.created_at_ms
    }

    /// Returns the time of the newest event.
    pub fn updated_at_ms(&self) -> i64 {
        self.updated_at_ms
    }

    pub fn variant(&self) -> Variant {
        self.variant
    }

    pub fn initial_fen(&self) -> &str {
        &self.initial_fen
    }

    pub fn draw_rules(&self) -> DrawRules {
        self.draw_rules
    }

    pub fn seats(&self) -> &ByColor<Seat> {
        &self.seats
    }

    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    pub fn turns(&self) -> &[PlayedTurn] {
        &self.turns
    }

    /// Returns the number of turns that had been played at a version.
    pub fn ply_at(&self, version: u64) -> usize {
        self.turns.partition_point(|turn| turn.version <= version)
    }

    /// Returns the side to move; also after the end.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Returns who offers a draw that is not yet answered.
    pub fn draw_offer(&self) -> Option<Color> {
        self.offer
    }

    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns whether both seats are taken.
    pub fn is_started(&self) -> bool {
        self.seats.white != Seat::Open && self.seats.black != Seat::Open
    }

    /// Returns the side of a player.
    pub fn color_of(&self, player: &str) -> Option<Color> {
        let sits = |seat: &Seat| matches!(seat, Seat::Person { player: sitting } if sitting == player);
        Color::ALL.into_iter().find(|&color| sits(&self.seats[color]))
    }

    /// Returns the level of the machine, if it is to move.
    pub fn awaits_machine(&self) -> Option<u8> {
        match self.seats[self.turn()] {
            Seat::Machine { level } if self.ending.is_none() && self.is_started() => Some(level),
            _ => None,
        }
    }
}

fn ended(ending: Ending) -> EventKind {
    EventKind::Ended { result: ending.result, reason: ending.reason }
}

/// Whether a side that brings the same position about for the third time loses (I12), instead of drawing (C22).
fn repetition_loses(variant: Variant) -> bool {
    variant == Variant::Interweave
}
