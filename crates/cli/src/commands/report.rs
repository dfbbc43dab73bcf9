//! `adoube report`: reads and handles reported chat lines.

use std::io::Write;

use adoube_protocol::{AdminAct, AdminQuery, ChatReport, ReportList, ReportOutcome, ReportQuery};
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};

use super::operator::{act, audit_entry, date, query};
use crate::settings::SettingFlags;

/// Read and handle reported chat lines, whether or not a server is running
#[derive(Subcommand, Debug)]
pub(crate) enum Report {
    List(List),
    Show(Show),
    Handle(Handle),
}

/// List reports, newest first
///
/// Prints a line for each: the number of the reported line, the date in UTC, `open`, `upheld` or `dismissed`,
/// the author, the game and the reason, separated by tabs.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Also list reports that were handled
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Show the reports on a line, each with the line, marked `>`, the lines around it, and the outcome
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// The number of the reported line
    line: i64,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Record the outcome of the reports on a line
#[derive(Args, Debug)]
pub(crate) struct Handle {
    /// The number of the reported line
    line: i64,
    /// Whether the report was justified
    outcome: Outcome,
    /// A note on the outcome
    #[arg(long, default_value = "")]
    note: String,
    #[command(flatten)]
    settings: SettingFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Outcome {
    Upheld,
    Dismissed,
}

pub(crate) fn run(command: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Report::List(arguments) => {
            for report in all(&arguments.settings, arguments.all)? {
                let author = author(&report);
                writeln!(
                    out,
                    "{}\t{}\t{}\t{author}\t{}\t{}",
                    report.line,
                    date(report.at),
                    state(&report),
                    report.game,
                    report.reason
                )?;
            }
            Ok(())
        }
        Report::Show(arguments) => {
            for report in of_line(&arguments.settings, arguments.line)? {
                print(&report, out)?;
            }
            Ok(())
        }
        Report::Handle(arguments) => {
            let outcome = match arguments.outcome {
                Outcome::Upheld => ReportOutcome::Upheld,
                Outcome::Dismissed => ReportOutcome::Dismissed,
            };
            of_line(&arguments.settings, arguments.line)?;
            let (line, note) = (arguments.line, arguments.note.clone());
            let result = act(&arguments.settings, AdminAct::HandleReport { line, outcome, note })?;
            Ok(writeln!(out, "done{}", audit_entry(&result))?)
        }
    }
}

fn all(settings: &SettingFlags, all: bool) -> anyhow::Result<Vec<ChatReport>> {
    let (mut reports, mut skip) = (Vec::new(), 0);
    loop {
        let page: ReportList = query(settings, AdminQuery::Reports(ReportQuery { all, skip }))?;
        reports.extend(page.reports);
        match page.next {
            Some(next) => skip = next,
            None => return Ok(reports),
        }
    }
}

/// Returns the reports on a line, which several visitors may have reported.
fn of_line(settings: &SettingFlags, line: i64) -> anyhow::Result<Vec<ChatReport>> {
    let mut reports = all(settings, true)?;
    reports.retain(|report| report.line == line);
    if reports.is_empty() {
        bail!("line {line} was not reported; `adoube report list --all` lists the reports")
    }
    Ok(reports)
}

fn state(report: &ChatReport) -> &'static str {
    match report.handled.as_ref().map(|handled| handled.outcome) {
        None => "open",
        Some(ReportOutcome::Upheld) => "upheld",
        Some(ReportOutcome::Dismissed) => "dismissed",
    }
}

fn author(report: &ChatReport) -> &str {
    report.author.as_deref().unwrap_or("a visitor without an account")
}

fn print(report: &ChatReport, out: &mut impl Write) -> anyhow::Result<()> {
    let reporter = report.reporter.as_deref().unwrap_or("a visitor without an account");
    writeln!(out, "{}  game {}  by {reporter}: {}", date(report.at), report.game, report.reason)?;
    for line in &report.lines {
        let mark = if line.id == report.line { '>' } else { ' ' };
        writeln!(out, "  {mark} {}  {}: {}", date(line.at), line.author, line.text)?;
    }
    if let Some(handled) = &report.handled {
        let by = handled.by.as_deref().unwrap_or("the operator, or an account deleted since");
        writeln!(out, "{}  {} by {by}: {}", date(handled.at), state(report), handled.note)?;
    }
    Ok(())
}
