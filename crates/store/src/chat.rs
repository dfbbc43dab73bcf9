use adoube_vocabulary::{ChatRoom, Color, CommandId, GameId, Millis, PlayerId};
use async_trait::async_trait;

use crate::Result;

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewLine {
    pub game: GameId,
    pub room: ChatRoom,
    pub player: PlayerId,
    pub command: CommandId,
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}

/// Something that was said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Line {
    pub id: i64,
    pub room: ChatRoom,
    pub player: PlayerId,
    /// Of the account, if there is one.
    pub name: Option<String>,
    pub color: Option<Color>,
    pub text: String,
    pub at: Millis,
}

/// The end of [`ChatStore::add_line`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Said {
    /// The id of the line.
    New(i64),
    /// The same player has said this by the same command before.
    Repeated,
    /// The same player has used that command for another line.
    Otherwise,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NewReport {
    pub game: GameId,
    /// The room in which the reporter is: others are not its business.
    pub room: ChatRoom,
    pub line: i64,
    /// Who reports.
    pub player: PlayerId,
    pub reason: String,
    pub at: Millis,
}

/// Lines of the same room that are kept with a reported one, before it and after it.
pub const KEPT_AROUND: u32 = 10;

/// A report, and what was reported as it was then.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Report {
    pub report: NewReport,
    /// Of the line.
    pub author: PlayerId,
    /// Of the author's account at that time.
    pub name: Option<String>,
    /// The line, and those before and after it in its room, oldest first.
    pub said: Vec<Line>,
}

#[async_trait]
pub trait ChatStore: Send + Sync {
    /// Keeps a line, unless the same player has sent that command before.
    async fn add_line(&self, line: NewLine) -> Result<Said>;

    /// The last lines of a room, oldest first.
    async fn list_lines(&self, game: &GameId, room: ChatRoom, limit: u32) -> Result<Vec<Line>>;

    /// Lines that a player has said, oldest first, each with its game: a page of them, after the line of that id.
    async fn list_lines_of(&self, player: &PlayerId, after: i64, limit: u32) -> Result<Vec<(GameId, Line)>>;

    /// Keeps a report, one of each player for each line, with the [`KEPT_AROUND`] lines on either side; returns whether there is such a line in that
    /// room. The report stays when the lines go.
    async fn add_report(&self, report: NewReport) -> Result<bool>;

    /// Lists reports, newest first.
    async fn list_reports(&self, limit: u32) -> Result<Vec<Report>>;
}
