use std::io::Write;

use adoube_protocol::{AdminQuery, AuditCheck, AuditList, AuditQuery};
use anyhow::bail;
use clap::Args;

use crate::{
    commands::operator::{date, query},
    settings::SettingFlags,
};

/// What is printed instead of the name of an account that has been deleted.
const DELETED: &str = "a deleted account";

/// Show the audit log, newest entry first, or check it
///
/// Prints a line for each entry: number, date in UTC, actor, act, subjects and details, separated by tabs.
/// With `--check` it prints `N entries, the chain is intact`, or exits with status 2 and names the newest
/// entry where the chain breaks: that entry was changed, or the one before it was changed or removed.
#[derive(Args, Debug)]
pub(crate) struct Audit {
    /// Check the chain of hashes
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(arguments: &Audit, out: &mut impl Write) -> anyhow::Result<()> {
    if arguments.check {
        let found: AuditCheck = query(&arguments.settings, AdminQuery::CheckAudit)?;
        return match (found.entries, found.broken_at) {
            (Some(count), None) => Ok(writeln!(out, "{count} entries, the chain is intact")?),
            (_, at) => {
                bail!("entry {} of the audit log does not follow the one before it", at.unwrap_or_default())
            }
        };
    }
    let mut audit_query = AuditQuery::default();
    loop {
        let page: AuditList = query(&arguments.settings, AdminQuery::Audit(audit_query.clone()))?;
        for entry in &page.entries {
            let by = match (&entry.by, entry.operator) {
                (Some(name), _) => name.as_str(),
                (None, true) => "the operator",
                (None, false) => DELETED,
            };
            let subjects: Vec<&str> =
                entry.subjects.iter().map(|subject| subject.as_deref().unwrap_or(DELETED)).collect();
            let details = entry.details.iter().map(|(name, value)| format!("{name}={value}"));
            writeln!(
                out,
                "{}\t{}\t{by}\t{}\t{}\t{}",
                entry.number,
                date(entry.at),
                entry.act,
                if subjects.is_empty() { "-".to_owned() } else { subjects.join(", ") },
                details.collect::<Vec<_>>().join(" ")
            )?;
        }
        match page.next {
            Some(next) => audit_query.before = Some(next),
            None => return Ok(()),
        }
    }
}
