//! `adoube game`: hides, adjudicates and ends games.

use std::io::Write;

use adoube_protocol::{AdminAct, GameId, GameResult};
use clap::{Args, Subcommand, ValueEnum};

use super::operator::{act, audit_entry};
use crate::settings::SettingFlags;

/// Hide, adjudicate and end games, whether or not a server is running
#[derive(Subcommand, Debug)]
pub(crate) enum Game {
    Hide(Hide),
    Adjudicate(Adjudicate),
    End(End),
}

/// Remove a game from the hall; its players, and visitors who know its address, can still see it
#[derive(Args, Debug)]
pub(crate) struct Hide {
    /// The id of the game, the last part of its address
    game: GameId,
    /// Put it back into the hall
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

/// End a game with a result
#[derive(Args, Debug)]
pub(crate) struct Adjudicate {
    /// The id of the game, the last part of its address
    game: GameId,
    /// The result
    result: Adjudication,
    #[command(flatten)]
    settings: SettingFlags,
}

/// End a game without a result
#[derive(Args, Debug)]
pub(crate) struct End {
    /// The id of the game, the last part of its address
    game: GameId,
    #[command(flatten)]
    settings: SettingFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Adjudication {
    White,
    Black,
    Draw,
}

pub(crate) fn run(command: &Game, out: &mut impl Write) -> anyhow::Result<()> {
    let result = match command {
        Game::Hide(Hide { game, show, settings }) => {
            act(settings, AdminAct::HideGame { game: game.clone(), hidden: !show })?
        }
        Game::Adjudicate(Adjudicate { game, result, settings }) => {
            let result = match result {
                Adjudication::White => GameResult::WhiteWins,
                Adjudication::Black => GameResult::BlackWins,
                Adjudication::Draw => GameResult::Draw,
            };
            act(settings, AdminAct::Adjudicate { game: game.clone(), result })?
        }
        Game::End(End { game, settings }) => {
            act(settings, AdminAct::Adjudicate { game: game.clone(), result: GameResult::NoResult })?
        }
    };
    Ok(writeln!(out, "done{}", audit_entry(&result))?)
}
