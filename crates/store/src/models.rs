use adoube_vocabulary::{
    Color, CommandId, GameId, GameResult, InvitationToken, Level, ListState, MatchId, Millis, PlayerId,
    Version,
};

/// An event that is to be added; `body` is text that only `game` understands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewEvent {
    pub at: Millis,
    pub body: String,
}

/// An event of a game's log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct StoredEvent {
    /// Version of the game after this event.
    pub version: Version,
    pub at: Millis,
    pub body: String,
}

/// The command that leads to a change. It is kept with its answer, so that a repeat gets the same answer.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Command {
    pub player: PlayerId,
    pub id: CommandId,
    pub answer: String,
}

/// Where a game stands, roughly.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Phase {
    Waiting,
    Playing,
    Over,
}

/// What lists need to know of a game without replaying it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Shadow {
    pub phase: Phase,
    /// The side to move; none when the game is over.
    pub turn: Option<Color>,
    /// None as long as the game is not over.
    pub result: Option<GameResult>,
    /// When the game ends if nothing happens.
    pub deadline: Option<Millis>,
    /// The level at which the machine is to move now, if it is.
    pub awaits_machine: Option<Level>,
    /// Text that only the server understands.
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
    /// The name of the game that is played.
    pub variant: String,
    /// Whether the hall shows it while it is played.
    pub public: bool,
    /// The match it belongs to, and its number there.
    pub in_match: Option<(MatchId, u16)>,
    pub events: Vec<NewEvent>,
    pub seats: Vec<Seat>,
    pub invitation: Option<InvitationToken>,
    pub shadow: Shadow,
    pub command: Command,
}

/// The end of [`Store::add_game`](crate::Store::add_game).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Created {
    Done,
    /// This command has been sent before; the answer of then.
    Repeated(String),
    /// Another game has that id already.
    IdTaken,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Append {
    pub game: GameId,
    /// The version of the game from which the events follow.
    pub based_on: Version,
    pub events: Vec<NewEvent>,
    /// Seats taken by these events.
    pub seats: Vec<Seat>,
    pub shadow: Shadow,
    /// None if nobody asked for the change, as when a clock runs out.
    pub command: Option<Command>,
}

/// The end of [`Store::append`](crate::Store::append).
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Appended {
    /// The version of the game now.
    Done(Version),
    /// The game has another version; nothing was written.
    Conflict(Version),
    /// This command has been sent before; nothing was written. The answer of then.
    Repeated(String),
    /// There is no such game.
    Missing,
}

/// A game, without its log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    pub id: GameId,
    pub version: Version,
    pub created_at: Millis,
    pub updated_at: Millis,
    /// The name of the game that is played.
    pub variant: String,
    pub phase: Phase,
    /// The side to move; none when the game is over.
    pub turn: Option<Color>,
    pub result: Option<GameResult>,
    pub deadline: Option<Millis>,
    pub summary: String,
}

/// The names of the accounts on both sides of a game.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Names {
    pub white: Option<String>,
    pub black: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedGame {
    pub game: Game,
    pub names: Names,
    /// The side of the player whose list it is; none in a list for everybody.
    pub color: Option<Color>,
}

/// Where a page of a list of games begins: after the game with these.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cursor {
    /// What the list is ordered by.
    pub at: Millis,
    pub game: GameId,
}

/// Which games of a player are listed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GameFilter {
    pub player: PlayerId,
    pub state: ListState,
    pub variant: Option<String>,
    pub after: Option<Cursor>,
    pub limit: u32,
}

impl GameFilter {
    /// All games of a player, newest first.
    pub fn all_of(player: &PlayerId, limit: u32) -> Self {
        Self { player: player.clone(), state: ListState::Mine, variant: None, after: None, limit }
    }
}

impl ListedGame {
    /// Returns where the page after this game begins, in a list of that state.
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

/// A game whose clock runs.
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
    /// None as long as the game is not over.
    pub result: Option<GameResult>,
}

/// Several games between the same two players (C25); `body` is text that only the server understands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Match {
    pub id: MatchId,
    pub body: String,
}

/// Time in which no server was there to play.
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

/// The time between a machine's start and its end.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Boot {
    /// Other for each boot of each machine.
    pub id: String,
    /// When it began, by the machine's clock.
    pub at: Millis,
}
