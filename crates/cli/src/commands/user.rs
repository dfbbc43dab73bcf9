//! `adoube user`: manages members' accounts.

use std::{fs, io::Read as _, io::Write, path::PathBuf};

use adoube_protocol::{AccountState, AdminAct, AdminDone, AdminQuery, Member, MemberList, MemberQuery, Role};
use adoube_store::columns::name_key;
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};

use super::{
    class::taught_by,
    operator::{act, date, link, print_result, query},
};
use crate::settings::SettingFlags;

/// Manage the accounts of members, whether or not a server is running
///
/// Every change is written to the audit log (`adoube house audit`).
#[derive(Subcommand, Debug)]
pub(crate) enum User {
    List(List),
    /// Show an account
    Show(Named),
    Invite(Invite),
    /// Open an account that is waiting for approval
    Approve(Named),
    Rename(Rename),
    Silence(Silence),
    /// Let an account chat again
    Unsilence(Named),
    /// Close an account until it is reopened: its owner cannot sign in
    Close(Named),
    /// Reopen a closed account
    Reopen(Named),
    Delete(Delete),
    /// Create a link that lets the owner of an account choose a new password
    ///
    /// The link is valid for three days, and can be used once. Hand it over only to the owner. Prints the
    /// link.
    ResetPassword(Named),
    /// End all sessions of an account and revoke its recovery links
    ///
    /// Prints `done`, the number of ended sessions unless it is 0, and the number of the audit log entry.
    EndSessions(Named),
    /// Turn off the second factor of an account
    ///
    /// For an account owner who has lost both the authenticator app and the recovery codes. Verify the
    /// owner's identity first. Ends all sessions of the account.
    SecondFactorOff(Named),
    Role(SetRole),
    AddPupils(AddPupils),
    ResetPupil(ResetPupils),
}

/// The name of an account
#[derive(Args, Debug)]
pub(crate) struct Named {
    /// The name of the account
    name: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// List accounts, sorted by name
///
/// Prints a line for each: name, role, state (`open`, `pending`, `closed`), class and date of last use,
/// separated by tabs; `-` stands for a missing value. The date of last use is stored with the sessions, so it
/// is unknown for an account without an open session, even if the account has been used.
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only names that contain this
    #[arg(long, value_name = "TEXT")]
    find: Option<String>,
    /// Only accounts that are waiting for approval
    #[arg(long, conflicts_with = "closed")]
    pending: bool,
    /// Only closed accounts
    #[arg(long)]
    closed: bool,
    /// Only accounts with a role
    #[arg(long)]
    staff: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Create a link that lets visitors register, whatever the registration policy of the house
///
/// Prints the link.
#[derive(Args, Debug)]
pub(crate) struct Invite {
    /// The role of the new accounts: administrator, moderator, teacher or arbiter
    #[arg(long)]
    role: Option<Role>,
    /// The number of accounts that can be registered with the link, at most 500
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=500))]
    uses: u32,
    /// The number of days for which the link is valid, at most 90
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=90))]
    days: u16,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Give an account another name
#[derive(Args, Debug)]
pub(crate) struct Rename {
    /// The name of the account
    name: String,
    /// The new name
    to: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Bar an account from chat
#[derive(Args, Debug)]
pub(crate) struct Silence {
    /// The name of the account
    name: String,
    /// For this number of days; until further notice by default
    #[arg(long)]
    days: Option<u16>,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Delete an account; its games stay, without a name
#[derive(Args, Debug)]
pub(crate) struct Delete {
    /// The name of the account
    name: String,
    /// Confirms that the account is to be deleted for good
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Set the role of an account
#[derive(Args, Debug)]
pub(crate) struct SetRole {
    /// The name of the account
    name: String,
    /// administrator, moderator, teacher, arbiter or none
    role: String,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Generate new passwords for pupils
///
/// Ends all sessions of the accounts. Either all passwords are replaced or none. Prints `NAME`, a tab and the
/// password for each.
#[derive(Args, Debug)]
pub(crate) struct ResetPupils {
    /// The names of the accounts
    #[arg(required = true, value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    settings: SettingFlags,
}

/// Create accounts without an e-mail address for the pupils of a class
///
/// Reads names, one per line or separated by commas, semicolons or tabs, as spreadsheets save them. If any
/// name is taken, occurs twice or is not valid, no account is created, and the error lists all such names
/// with the reasons. Prints `NAME`, a tab and the password for each; the passwords cannot be shown again.
#[derive(Args, Debug)]
pub(crate) struct AddPupils {
    /// The name of the class
    class: String,
    /// The file with the names; `-` is standard input
    names: PathBuf,
    /// The name of the teacher's account; its role must be teacher or administrator
    #[arg(long, value_name = "NAME")]
    teacher: String,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(command: &User, out: &mut impl Write) -> anyhow::Result<()> {
    let act_on = |named: &Named, make: fn(String) -> AdminAct| act(&named.settings, make(named.name.clone()));
    match command {
        User::List(arguments) => list(arguments, out),
        User::Show(named) => show(named, out),
        User::Invite(arguments) => {
            let Invite { role, uses, days, settings } = arguments;
            print_link(
                settings,
                &act(settings, AdminAct::Invite { role: *role, uses: *uses, days: *days })?,
                out,
            )
        }
        User::Approve(named) => print_result(&act_on(named, |account| AdminAct::Approve { account })?, out),
        User::Rename(Rename { name, to, settings }) => {
            let rename = AdminAct::Rename { account: name.clone(), name: to.clone() };
            print_result(&act(settings, rename)?, out)
        }
        User::Silence(Silence { name, days, settings }) => {
            print_result(&act(settings, AdminAct::Silence { account: name.clone(), days: *days })?, out)
        }
        User::Unsilence(named) => {
            print_result(&act_on(named, |account| AdminAct::Unsilence { account })?, out)
        }
        User::Close(named) => {
            print_result(&act_on(named, |account| AdminAct::Close { account })?, out)?;
            print_classes(&named.settings, &named.name, "whose account is closed", out)
        }
        User::Reopen(named) => print_result(&act_on(named, |account| AdminAct::Reopen { account })?, out),
        User::Delete(Delete { name, yes, settings }) => {
            let classes = taught_by(settings, name)?;
            match &classes {
                _ if *yes => {}
                None => bail!("{name} would be deleted for good; confirm it with --yes"),
                Some(classes) => bail!(
                    "{name} would be deleted for good, and these classes would have no teacher: {classes}; first \
                     give them to another teacher with `adoube class give CLASS --to TEACHER`, or confirm \
                     the deletion with --yes"
                ),
            }
            print_result(&act(settings, AdminAct::Delete { account: name.clone() })?, out)?;
            if let Some(classes) = classes {
                writeln!(out, "these classes no longer have a teacher: {classes}; {GIVE}")?;
            }
            Ok(())
        }
        User::ResetPassword(named) => {
            let result = act_on(named, |account| AdminAct::ResetPassword { account })?;
            print_link(&named.settings, &result, out)
        }
        User::EndSessions(named) => {
            print_result(&act_on(named, |account| AdminAct::EndSessions { account })?, out)
        }
        User::SecondFactorOff(named) => {
            print_result(&act_on(named, |account| AdminAct::SecondFactorOff { account })?, out)
        }
        User::Role(SetRole { name, role, settings }) => {
            let role = if role == "none" { None } else { Some(role.parse()?) };
            print_result(&act(settings, AdminAct::SetRole { account: name.clone(), role })?, out)?;
            match role {
                Some(Role::Administrator | Role::Teacher) => Ok(()),
                _ => print_classes(settings, name, "who can no longer manage them", out),
            }
        }
        User::AddPupils(arguments) => add_pupils(arguments, out),
        User::ResetPupil(ResetPupils { names, settings }) => {
            let reset = match &**names {
                [account] => AdminAct::ResetPupil { account: account.clone() },
                accounts => AdminAct::ResetPupils { accounts: accounts.to_vec() },
            };
            print_passwords(&act(settings, reset)?, out)
        }
    }
}

/// How to give a class to another teacher.
const GIVE: &str = "give them to another teacher with `adoube class give CLASS --to TEACHER`";

/// Prints the classes that an account still has, if any, after an act that leaves it unable to teach them.
fn print_classes(settings: &SettingFlags, name: &str, why: &str, out: &mut impl Write) -> anyhow::Result<()> {
    // The act has been carried out, whether or not the classes can be read.
    out.flush()?;
    if let Some(classes) = taught_by(settings, name)? {
        writeln!(out, "these classes still belong to {name}, {why}: {classes}; {GIVE}")?;
    }
    Ok(())
}

fn print_link(settings: &SettingFlags, result: &AdminDone, out: &mut impl Write) -> anyhow::Result<()> {
    let path = result.link.as_deref().context("the response has no link")?;
    Ok(writeln!(out, "{}", link(settings, path)?)?)
}

fn print_passwords(result: &AdminDone, out: &mut impl Write) -> anyhow::Result<()> {
    for pupil in &result.pupils {
        writeln!(out, "{}\t{}", pupil.name, pupil.password.expose())?;
    }
    Ok(())
}

fn list(arguments: &List, out: &mut impl Write) -> anyhow::Result<()> {
    let state = match (arguments.pending, arguments.closed) {
        (true, _) => Some(AccountState::Pending),
        (_, true) => Some(AccountState::Closed),
        _ => None,
    };
    let mut member_query = MemberQuery {
        find: arguments.find.clone(),
        state,
        with_role: arguments.staff,
        ..MemberQuery::default()
    };
    loop {
        let page: MemberList = query(&arguments.settings, AdminQuery::Members(member_query.clone()))?;
        for member in &page.members {
            let Member { name, role, state, class, used_at, .. } = member;
            let used = used_at.map(|at| date(at).chars().take(10).collect::<String>());
            writeln!(
                out,
                "{name}\t{}\t{}\t{}\t{}",
                role.map_or("-", Role::name),
                state_text(*state),
                class.as_deref().unwrap_or("-"),
                used.as_deref().unwrap_or("-")
            )?;
        }
        match page.next {
            Some(next) => member_query.after = Some(next),
            None => return Ok(()),
        }
    }
}

fn state_text(state: AccountState) -> &'static str {
    match state {
        AccountState::Open => "open",
        AccountState::Pending => "pending",
        AccountState::Closed => "closed",
    }
}

fn show(named: &Named, out: &mut impl Write) -> anyhow::Result<()> {
    let mut member_query = MemberQuery { find: Some(named.name.clone()), ..MemberQuery::default() };
    let member = loop {
        let page: MemberList = query(&named.settings, AdminQuery::Members(member_query.clone()))?;
        let mut members = page.members.into_iter();
        if let Some(member) = members.find(|member| name_key(&member.name) == name_key(&named.name)) {
            break member;
        }
        match page.next {
            Some(next) => member_query.after = Some(next),
            None => bail!("there is no account called {:?}", named.name),
        }
    };
    let yes_or_no = |value: bool| if value { "yes" } else { "no" };
    writeln!(out, "name: {}", member.name)?;
    writeln!(out, "role: {}", member.role.map_or("none", Role::name))?;
    writeln!(out, "state: {}", state_text(member.state))?;
    if let Some(until) = member.silenced_until {
        let until = if until.0 == i64::MAX { "further notice".to_owned() } else { date(until) };
        writeln!(out, "silenced until: {until}")?;
    }
    if let Some(class) = &member.class {
        let teacher = member.teacher.as_deref().unwrap_or("deleted account");
        writeln!(out, "class: {class} (teacher: {teacher})")?;
    }
    writeln!(out, "e-mail address: {}", yes_or_no(member.has_email))?;
    writeln!(out, "second factor: {}", yes_or_no(member.second_factor))?;
    writeln!(out, "created: {}", date(member.created_at))?;
    let used = member.used_at.map_or_else(|| "not known, because no session is open".to_owned(), date);
    writeln!(out, "last used: {used}")?;
    Ok(writeln!(out, "sessions: {}", member.sessions)?)
}

fn add_pupils(arguments: &AddPupils, out: &mut impl Write) -> anyhow::Result<()> {
    let AddPupils { class, names, teacher, settings } = arguments;
    let bytes = if names.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).context("standard input cannot be read")?;
        bytes
    } else {
        fs::read(names).with_context(|| format!("{} cannot be read", names.display()))?
    };
    let names = names_in(&bytes);
    let add = AdminAct::AddPupils { class: class.clone(), names, teacher: Some(teacher.clone()) };
    print_passwords(&act(settings, add)?, out)
}

/// Returns the names in a file, which may have been saved by a spreadsheet: with a byte-order mark, in UTF-16
/// or Windows-1252, in quotes, in columns or with empty cells. The page reads pasted lists in the same way
/// (`namesIn`).
fn names_in(bytes: &[u8]) -> Vec<String> {
    let utf_16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(unit));
        String::from_utf16_lossy(&units.collect::<Vec<_>>())
    };
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        bytes => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|&byte| windows_1252(byte)).collect(),
        },
    };
    let is_trimmed = |c: char| c.is_whitespace() || matches!(c, '"' | '\u{feff}');
    let names = text.split(['\n', '\r', '\t', ';', ',']).map(|name| name.trim_matches(is_trimmed));
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Returns the character for a Windows-1252 byte. Of the characters that differ from Latin-1, only those that
/// a name can contain are translated.
fn windows_1252(byte: u8) -> char {
    match byte {
        0x8a => 'Š',
        0x8c => 'Œ',
        0x8e => 'Ž',
        0x92 => '’',
        0x9a => 'š',
        0x9c => 'œ',
        0x9e => 'ž',
        0x9f => 'Ÿ',
        other => char::from(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_lists_that_spreadsheets_save() {
        for text in [
            "Léa\nHugo\nO'Brien\n",
            "\u{feff}Léa\r\nHugo\r\n\r\nO'Brien",
            "Léa;\r\nHugo;;\r\nO'Brien;\r\n;;\r\n",
            "Léa\tHugo\tO'Brien\t",
            "\"Léa\", \"Hugo\",\u{a0}\"O'Brien\"",
            "Léa\rHugo \rO'Brien",
        ] {
            assert_eq!(names_in(text.as_bytes()), ["Léa", "Hugo", "O'Brien"], "{text:?}");
        }
        let units = "\u{feff}Léa\tHugo".encode_utf16();
        let little = units.clone().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = units.flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        for bytes in [little, big] {
            assert_eq!(names_in(&bytes), ["Léa", "Hugo"]);
        }
        assert_eq!(names_in(b"L\xe9a;\r\nC\x9cur;\r\nO\x92Brien"), ["Léa", "Cœur", "O’Brien"]);
    }
}
