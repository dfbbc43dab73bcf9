//! `adoube house`: commands for the operator.

mod audit;
mod check;
mod reports;
mod reset_clock;
mod rotate_key;
mod second_factor_off;
mod sign_out;
mod tidy;

use std::io::Write;

use clap::Subcommand;

/// Maintain the data and the accounts in it
#[derive(Subcommand, Debug)]
pub(crate) enum House {
    Check(check::Check),
    ResetClock(reset_clock::ResetClock),
    Tidy(tidy::Tidy),
    RotateKey(rotate_key::RotateKey),
    Reports(reports::Reports),
    SignOut(sign_out::SignOut),
    SecondFactorOff(second_factor_off::SecondFactorOff),
    Audit(audit::Audit),
}

pub(crate) fn run(command: &House, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        House::Check(arguments) => check::run(arguments, out),
        House::ResetClock(arguments) => reset_clock::run(arguments, out),
        House::Tidy(arguments) => tidy::run(arguments, out),
        House::RotateKey(arguments) => rotate_key::run(arguments, out),
        House::Reports(arguments) => reports::run(arguments, out),
        House::SignOut(arguments) => sign_out::run(arguments, out),
        House::SecondFactorOff(arguments) => second_factor_off::run(arguments, out),
        House::Audit(arguments) => audit::run(arguments, out),
    }
}
