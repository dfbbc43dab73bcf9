//! Tests `adoube user`, `class`, `report`, `game` and `house audit`, with and without a running server.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

use adoube_protocol::{Millis, PlayerId};
use adoube_store::{AccountStore as _, Admission, GameStore as _, NameSkeleton, NewAccount};
use adoube_store_sqlite::SqliteStore;

use crate::{refused, stdout_of};

/// A server that is killed when dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server. Returns it and the first two lines that it prints.
fn serve(data: &Path) -> (Server, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_adoube"))
        .args(["serve", "--listen", "127.0.0.1:0", "--set", "log=off", "--data"])
        .arg(data)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let errors = BufReader::new(child.stderr.take().expect("piped"));
    let lines = errors.lines().map_while(Result::ok).take(2).collect();
    (Server(child), lines)
}

fn commands(path: &str) {
    let user = |arguments: &[&str]| stdout_of(&[&["user"], arguments, &["--data", path]].concat());
    let link = user(&["invite", "--role", "teacher", "--uses", "2"]);
    assert!(link.starts_with("http://127.0.0.1:") && link.contains("/join/"), "{link}");
    let refuse = |arguments: &[&str]| refused(&[&["user"], arguments, &["--data", path]].concat());
    assert!(refuse(&["close", "Nobody"]).contains("no player has this name: Nobody"));
    assert!(refuse(&["delete", "Nobody"]).contains("--yes"));
    assert!(refuse(&["role", "Nobody", "king"]).contains("is not one of administrator"));
    assert!(refuse(&["invite", "--uses", "0"]).contains("--uses"));
    assert!(refuse(&["reset-pupil", "Nobody", "Other"]).contains("no player has this name: Nobody, Other"));
    assert_eq!(user(&["list"]), "");
    assert_eq!(stdout_of(&["report", "list", "--data", path]), "");
    let handle = ["report", "handle", "7", "upheld", "--data", path];
    assert!(refused(&handle).contains("line 7 was not reported"));
    let end = ["game", "end", "aB3dE5gH7jK9", "--data", path];
    assert!(refused(&end).contains("there is no such game"));
}

#[test]
fn a_command_group_without_a_subcommand_lists_its_commands() {
    for (group, commands) in [
        ("user", &["list", "invite", "close", "reset-pupil", "role"][..]),
        ("class", &["list", "give"]),
        ("report", &["list", "show", "handle"]),
        ("game", &["hide", "adjudicate", "end"]),
        ("house", &["check", "audit", "sign-out", "rotate-key"]),
        ("pgn", &["check", "stats", "convert"]),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_adoube")).arg(group).output().expect("the binary runs");
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{group}: {text}");
        assert!(text.contains(&format!("Usage: adoube {group}")), "{text}");
        for command in commands {
            let line = text.lines().find_map(|line| line.trim_start().strip_prefix(command));
            assert!(
                line.is_some_and(|about| about.starts_with("  ") && about.trim().len() > 5),
                "{command}: {text}"
            );
        }
    }
}

#[test]
fn operator_commands_work_with_and_without_a_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.sqlite");
    let path = data.to_str().expect("UTF-8");
    assert!(refused(&["user", "list", "--data", path]).contains("does not exist"));
    {
        let (_server, lines) = serve(&data);
        let [address, link] = &*lines else { panic!("{lines:?}") };
        assert!(address.starts_with("adoube: http://127.0.0.1:"), "{address}");
        assert!(link.contains("there is no administrator yet") && link.contains("/join/"), "{link}");
        commands(path);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let socket = fs::metadata(folder.path().join("data.sqlite.admin")).expect("the socket");
            assert_eq!(socket.permissions().mode() & 0o777, 0o600);
        }
    }
    // The killed server has left its socket behind, which does not affect the commands.
    commands(path);
    let log = stdout_of(&["house", "audit", "--data", path]);
    let entries = log.lines().map(|line| line.split('\t').collect::<Vec<_>>()).collect::<Vec<_>>();
    assert_eq!(entries.len(), 2, "{log}");
    assert_eq!((entries[0][0], entries[0][2], entries[0][3]), ("2", "the operator", "invite"), "{log}");
    assert_eq!(entries[1][5], "days=7 role=teacher uses=2", "{log}");
    let check = ["house", "audit", "--check", "--data", path];
    assert_eq!(stdout_of(&check), "2 entries, the chain is intact\n");
}

/// Writes a list of names and returns its path.
fn names(folder: &Path, text: &str) -> String {
    let path = folder.join("names.txt");
    fs::write(&path, text).expect("the list is written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Creates a data file with these accounts.
fn accounts(data: &Path, names: &[&str]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let store = SqliteStore::open(data).await.expect("a store");
        for (number, &name) in (1..).zip(names) {
            let account = NewAccount {
                player: PlayerId::from_random(number),
                name: name.into(),
                skeleton: NameSkeleton {
                    skeleton: name.to_lowercase(),
                    alternatives: Vec::new(),
                    retired: Vec::new(),
                },
                password: "hash".into(),
                identity: None,
                email: None,
                language: "fr".into(),
                created_at: Millis(9),
                admission: Admission::Open,
            };
            store.add_account(account).await.expect("the store writes");
        }
        store.close().await;
    });
}

#[test]
fn a_class_is_given_to_another_teacher() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data.sqlite");
    let path = data.to_str().expect("UTF-8");
    accounts(&data, &["Tessa", "Theo", "Anna"]);
    let run = |arguments: &[&str]| stdout_of(&[arguments, &["--data", path]].concat());
    let refuse = |arguments: &[&str]| refused(&[arguments, &["--data", path]].concat());
    for name in ["Tessa", "Theo"] {
        run(&["user", "role", name, "teacher"]);
    }
    let list = names(folder.path(), "Emma\nLouis\n");
    run(&["user", "add-pupils", "CM2", &list, "--teacher", "Tessa"]);
    assert_eq!(run(&["class", "list"]), "CM2\tTessa\t2\tEmma\n");
    assert!(refuse(&["class", "give", "CM1", "--to", "Theo"]).contains("there is no such class"));
    assert!(refuse(&["class", "give", "CM2", "--to", "Anna"]).contains("the role of teacher"));

    // Each command after which a teacher can no longer teach lists the teacher's classes.
    let warning = refuse(&["user", "delete", "tessa"]);
    assert!(warning.contains("CM2 (2 pupils)") && warning.contains("adoube class give"), "{warning}");
    assert!(run(&["user", "close", "Tessa"]).contains("CM2 (2 pupils)"));
    run(&["user", "reopen", "Tessa"]);
    assert!(run(&["user", "role", "Tessa", "none"]).contains("CM2 (2 pupils)"));
    let deleted = run(&["user", "delete", "Tessa", "--yes"]);
    assert!(deleted.contains("no longer have a teacher: CM2 (2 pupils)"), "{deleted}");
    assert_eq!(run(&["class", "list"]), "CM2\t-\t2\tEmma\n");
    assert!(run(&["class", "give", "CM2", "--to", "theo", "--name", "CM2 B"]).starts_with("done"));
    assert_eq!(run(&["class", "list"]), "CM2 B\tTheo\t2\tEmma\n");
    assert!(run(&["user", "delete", "Anna", "--yes"]).lines().count() == 1);

    // Every refused name is listed with its reason, including the names of deleted accounts.
    run(&["user", "delete", "Emma", "--yes"]);
    let list = names(folder.path(), "Emma\nZoé!\nLouis\nLi\n");
    let refusal = refuse(&["user", "add-pupils", "CM1", &list, "--teacher", "Theo"]);
    for part in ["Li;", "Zoé! (!)", "taken: Louis", "name of a deleted account, free again by 20", ": Emma"]
    {
        assert!(refusal.contains(part), "{refusal}");
    }
}
