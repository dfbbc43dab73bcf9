//! Tests `adoube user`, `report`, `game` and `house audit`, with and without a running server.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

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
