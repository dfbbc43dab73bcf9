use adoube_vocabulary::{
    Color, CommandId, GameId, GameResult, InvitationToken, Level, ListState, MatchId, Millis, PlayerId,
    Version,
};

/// An event to be added. Only the `game` crate interprets `body`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewEvent {
    pub at: Millis,
    pub body: String,
}

/// An event in a game's log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredEvent {
    /// The version of the game after this event.
    pub version: Version,
    pub at: Millis,
    pub body: String,
}

/// The command that caused a change. It is stored with its answer, so that a repeat gets the same answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CommandRecord {
    pub player: PlayerId,
    pub id: CommandId,
    pub answer: String,
}

/// The phase of a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Phase {
    Waiting,
    Playing,
    Over,
}

/// The read model of a game: the columns that lists need, derived from the log, so that lists need not replay
/// games.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReadModel {
    pub phase: Phase,
    /// The side to move; `None` when the game is over.
    pub turn: Option<Color>,
    /// `None` until the game is over.
    pub result: Option<GameResult>,
    /// The time at which the game ends unless a player acts before then.
    pub deadline: Option<Millis>,
    /// The machine's level, if it has to act: it is to move, or has been offered a draw.
    pub awaits_machine: Option<Level>,
    /// Text that only the server interprets.
    pub summary: String,
}

/// A player's side in a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Seat {
    pub color: Color,
    pub player: PlayerId,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewGame {
    pub id: GameId,
    pub created_at: Millis,
    /// The name of the variant.
    pub variant: String,
    /// Whether the hall shows the game while it is being played.
    pub public: bool,
    /// The match, if the game belongs to one, and the number of the game in it.
    pub in_match: Option<(MatchId, u16)>,
    pub events: Vec<NewEvent>,
    pub seats: Vec<Seat>,
    pub invitation: Option<InvitationToken>,
    pub read_model: ReadModel,
    pub command: CommandRecord,
    /// The proposal from which the game is created, if any. Creating the game deletes the proposal. If the
    /// proposal is no longer open, no game is created.
    pub proposal: Option<String>,
}

/// The outcome of [`GameStore::add_game`](crate::GameStore::add_game).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Created {
    Done,
    /// This command has already been sent. Contains the first answer.
    Repeated(String),
    /// Another game already has this id.
    IdTaken,
    /// The proposal from which the game was to be created is no longer open.
    ProposalGone,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Append {
    pub game: GameId,
    /// The version that the events are based on.
    pub based_on: Version,
    pub events: Vec<NewEvent>,
    /// The seats taken with these events.
    pub seats: Vec<Seat>,
    pub read_model: ReadModel,
    /// `None` if the change has no command, for instance when a clock runs out.
    pub command: Option<CommandRecord>,
}

/// The outcome of [`GameStore::append`](crate::GameStore::append).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Appended {
    /// The version of the game after the append.
    Done(Version),
    /// The game has a different version, given here, so nothing was written.
    Conflict(Version),
    /// This command has already been sent, so nothing was written. Contains the first answer.
    Repeated(String),
    /// The game does not exist.
    Missing,
}

/// A game, without its log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    pub id: GameId,
    pub version: Version,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// The name of the variant.
    pub variant: String,
    pub phase: Phase,
    /// The side to move; `None` when the game is over.
    pub turn: Option<Color>,
    pub result: Option<GameResult>,
    pub deadline: Option<Millis>,
    pub summary: String,
}

/// The names of the two players' accounts.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct PlayerNames {
    pub white: Option<String>,
    pub black: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedGame {
    pub game: Game,
    pub names: PlayerNames,
    /// The side of the player whose list it is; `None` in a public list.
    pub color: Option<Color>,
}

/// The last game of a page in a list of games, after which the next page starts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cursor {
    /// The time by which the list is ordered.
    pub at: Millis,
    pub game: GameId,
}

/// Selects a player's games for a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GameFilter {
    pub player: PlayerId,
    pub state: ListState,
    pub variant: Option<String>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

impl GameFilter {
    /// Selects all of a player's games, newest first.
    pub fn all_of(player: &PlayerId, limit: u32) -> Self {
        Self { player: player.clone(), state: ListState::Mine, variant: None, after: None, limit }
    }
}

impl ListedGame {
    /// Returns the cursor for the page after this game in a list with that state.
    pub fn cursor(&self, state: ListState) -> Cursor {
        let at = match state {
            ListState::Mine => self.game.created_at,
            // Games without a deadline come last.
            ListState::Waiting => self.game.deadline.unwrap_or(Millis(i64::MAX)),
            ListState::Playing | ListState::Finished => self.game.updated_at,
        };
        Cursor { at, game: self.game.id.clone() }
    }
}

/// A game with a deadline.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RunningGame {
    pub id: GameId,
    pub deadline: Millis,
    pub updated_at: Millis,
}

/// A game of a match.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MatchedGame {
    pub id: GameId,
    pub number: u16,
    /// `None` until the game is over.
    pub result: Option<GameResult>,
}

/// Several games between the same two players (C25). Only the server interprets `body`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Match {
    pub id: MatchId,
    pub body: String,
}

/// A period in which no server was running, or the server stalled.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Downtime {
    pub from: Millis,
    pub until: Millis,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Invitation {
    pub token: InvitationToken,
    pub game: GameId,
}

/// A boot of the server's host.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Boot {
    /// The id of the boot, unique among all boots of all hosts.
    pub id: String,
    /// The boot time, by the host's clock.
    pub at: Millis,
}
