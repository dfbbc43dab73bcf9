//! `adoube class`: lists the classes of the house and gives them to other teachers.

use std::{fmt::Write as _, io::Write};

use adoube_protocol::{AdminAct, AdminQuery, ClassList, HouseClass};
use adoube_store::columns::name_key;
use anyhow::bail;
use clap::{Args, Subcommand};

use super::operator::{act, print_result, query};
use crate::settings::SettingFlags;

/// Manage classes, whether or not a server is running
///
/// `adoube user add-pupils` creates a class. A class exists as long as it has a pupil, even if the account of
/// its teacher was deleted.
#[derive(Subcommand, Debug)]
pub(crate) enum Class {
    /// List classes, sorted by name
    ///
    /// Prints a line for each: name, teacher, number of pupils and one of the pupils, separated by tabs; `-`
    /// stands for a teacher whose account was deleted.
    List {
        #[command(flatten)]
        settings: SettingFlags,
    },
    Give(Give),
}

/// Give a class to another teacher
///
/// The pupils keep their accounts and passwords.
#[derive(Args, Debug)]
pub(crate) struct Give {
    /// The name of the class
    class: String,
    /// The name of the new teacher's account; its role must be teacher or administrator
    #[arg(long, value_name = "TEACHER")]
    to: String,
    /// The teacher who has the class, if there are several classes of this name
    #[arg(long, value_name = "TEACHER")]
    from: Option<String>,
    /// One of the pupils, if several classes of this name belonged to deleted accounts
    #[arg(long, value_name = "NAME", conflicts_with = "from")]
    pupil: Option<String>,
    /// A new name for the class, if the new teacher already has a class with the same name
    #[arg(long, value_name = "CLASS")]
    name: Option<String>,
    #[command(flatten)]
    settings: SettingFlags,
}

pub(crate) fn run(command: &Class, out: &mut impl Write) -> anyhow::Result<()> {
    match command {
        Class::List { settings } => {
            for HouseClass { name, teacher, pupils, pupil } in classes(settings)? {
                writeln!(out, "{name}\t{}\t{pupils}\t{pupil}", teacher.as_deref().unwrap_or("-"))?;
            }
            Ok(())
        }
        Class::Give(Give { class, to, from, pupil, name, settings }) => {
            let pupil = match pupil {
                Some(pupil) => pupil.clone(),
                None => only(class, from.as_deref(), classes(settings)?)?.pupil,
            };
            let give =
                AdminAct::GiveClass { pupil, class: class.clone(), to: to.clone(), name: name.clone() };
            print_result(&act(settings, give)?, out)
        }
    }
}

fn classes(settings: &SettingFlags) -> anyhow::Result<Vec<HouseClass>> {
    Ok(query::<ClassList>(settings, AdminQuery::Classes)?.classes)
}

fn is_of(class: &HouseClass, teacher: &str) -> bool {
    class.teacher.as_ref().is_some_and(|name| name_key(name) == name_key(teacher))
}

/// Returns the only class with this name, and with this teacher if one is given.
fn only(name: &str, teacher: Option<&str>, classes: Vec<HouseClass>) -> anyhow::Result<HouseClass> {
    let is_meant =
        |class: &HouseClass| class.name == name && teacher.is_none_or(|teacher| is_of(class, teacher));
    let mut found = classes.into_iter().filter(is_meant);
    let Some(first) = found.next() else {
        bail!("there is no such class; `adoube class list` lists the classes")
    };
    let mut several = String::new();
    for HouseClass { teacher, pupils, pupil, .. } in found {
        let teacher = teacher.as_deref().unwrap_or("a deleted account");
        write!(several, "; the class of {teacher}, with pupil {pupil} (pupils: {pupils})")?;
    }
    if several.is_empty() {
        return Ok(first);
    }
    let HouseClass { teacher, pupils, pupil, .. } = first;
    let teacher = teacher.as_deref().unwrap_or("a deleted account");
    bail!(
        "several classes have this name; choose one with --from TEACHER or --pupil NAME: \
         the class of {teacher}, with pupil {pupil} (pupils: {pupils}){several}"
    )
}

/// Returns the classes of an account with their numbers of pupils, as a comma-separated list, or `None` if it
/// has none.
pub(super) fn taught_by(settings: &SettingFlags, teacher: &str) -> anyhow::Result<Option<String>> {
    let classes = classes(settings)?;
    let classes = classes.iter().filter(|class| is_of(class, teacher));
    let classes = classes.map(|HouseClass { name, pupils, .. }| match pupils {
        1 => format!("{name} (1 pupil)"),
        _ => format!("{name} ({pupils} pupils)"),
    });
    let classes = classes.collect::<Vec<_>>();
    Ok((!classes.is_empty()).then(|| classes.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_found_by_its_name_and_its_teacher() {
        let class = |name: &str, teacher: Option<&str>, pupil: &str| HouseClass {
            name: name.into(),
            teacher: teacher.map(Into::into),
            pupils: 2,
            pupil: pupil.into(),
        };
        let all = || {
            vec![
                class("CM1", Some("Theo"), "Karim"),
                class("CM2", Some("Tessa"), "Emma"),
                class("CM2", None, "Zoe-B"),
                class("CM2", None, "Louis"),
            ]
        };
        assert_eq!(only("CM1", None, all()).unwrap().pupil, "Karim");
        assert_eq!(only("CM2", Some("tessa"), all()).unwrap().pupil, "Emma");
        assert!(only("CM1", Some("Tessa"), all()).unwrap_err().to_string().contains("no such class"));
        let error = only("CM2", None, all()).unwrap_err().to_string();
        for part in [
            "--from",
            "--pupil",
            "of Tessa, with pupil Emma",
            "of a deleted account, with pupil Zoe-B",
            "Louis (pupils: 2",
        ] {
            assert!(error.contains(part), "{error}");
        }
    }
}
