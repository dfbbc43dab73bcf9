use adoube_protocol::{Color, CommandId, GameId, InvitationToken, Level, Millis, PlayerId, Version};

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
    pub phase: Phase,
    pub summary: String,
}

/// A game in the list of a player.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ListedGame {
    pub game: Game,
    pub color: Color,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Invitation {
    pub token: InvitationToken,
    pub game: GameId,
}
