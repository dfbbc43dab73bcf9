//! The commands. Each module defines the arguments of a command, or of two related ones, and runs it. `data`
//! and `operator` contain helpers for several commands.

mod backup;
mod bench;
mod class;
mod completions;
mod config;
mod contest;
mod convert;
mod copy;
mod data;
mod datagen;
mod diagram;
mod doctor;
mod game;
mod house;
mod moves;
mod odds;
mod operator;
mod perft;
mod pgn;
mod problems;
mod report;
mod restore;
mod serve;
mod status;
mod train;
mod uci;
mod user;
mod winnable;
mod work;

use std::io::Write;

use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Perft(perft::Perft),
    Moves(moves::Moves),
    Status(status::Status),
    Convert(convert::Convert),
    #[command(subcommand)]
    Pgn(pgn::Pgn),
    Winnable(winnable::Winnable),
    Diagram(diagram::Diagram),
    Uci(uci::Uci),
    Bench(bench::Bench),
    Match(Box<contest::Match>),
    Datagen(datagen::Datagen),
    Train(Box<train::Train>),
    Odds(odds::FitOdds),
    Tune(contest::Tune),
    Problems(problems::Problems),
    Serve(serve::Serve),
    Work(work::Work),
    Config(config::ShowConfig),
    Doctor(doctor::Doctor),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Copy(copy::Copy),
    #[command(subcommand)]
    House(house::House),
    #[command(subcommand)]
    User(user::User),
    #[command(subcommand)]
    Class(class::Class),
    #[command(subcommand)]
    Report(report::Report),
    #[command(subcommand)]
    Game(game::Game),
    /// Print the version, with the commit if that is known
    Version,
    Completions(completions::Completions),
    Manual(completions::Manual),
}

impl Command {
    pub(crate) fn run(&self, out: &mut (impl Write + Send)) -> anyhow::Result<()> {
        match self {
            Self::Perft(arguments) => perft::run(arguments, out),
            Self::Moves(arguments) => moves::run(arguments, out),
            Self::Status(arguments) => status::run(arguments, out),
            Self::Convert(arguments) => convert::run(arguments, out),
            Self::Pgn(arguments) => pgn::run(arguments, out),
            Self::Winnable(arguments) => winnable::run(arguments, out),
            Self::Diagram(arguments) => diagram::run(arguments, out),
            Self::Uci(arguments) => uci::run(arguments, out),
            Self::Bench(arguments) => bench::run(arguments, out),
            Self::Match(arguments) => contest::run(arguments, out),
            Self::Datagen(arguments) => datagen::run(arguments, out),
            Self::Train(arguments) => train::run(arguments, out),
            Self::Odds(arguments) => odds::run(arguments, out),
            Self::Tune(arguments) => contest::tune(arguments, out),
            Self::Problems(arguments) => problems::run(arguments, out),
            Self::Serve(arguments) => serve::run(arguments),
            Self::Work(arguments) => work::run(arguments),
            Self::Config(arguments) => config::run(arguments, out),
            Self::Doctor(arguments) => doctor::run(arguments, out),
            Self::Backup(arguments) => backup::run(arguments, out),
            Self::Restore(arguments) => restore::run(arguments, out),
            Self::Copy(arguments) => copy::run(arguments, out),
            Self::House(arguments) => house::run(arguments, out),
            Self::Completions(arguments) => completions::run(arguments, out),
            Self::Manual(arguments) => completions::write_manual(arguments),
            Self::User(arguments) => user::run(arguments, out),
            Self::Class(arguments) => class::run(arguments, out),
            Self::Report(arguments) => report::run(arguments, out),
            Self::Game(arguments) => game::run(arguments, out),
            Self::Version => Ok(writeln!(out, "adoube {}", env!("ADOUBE_VERSION"))?),
        }
    }
}
