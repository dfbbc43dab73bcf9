use super::*;

const ADOUBE: u32 = 100;
const JEAN: u32 = 1000;

fn name(user: u32) -> String {
    match user {
        ROOT => "root".into(),
        ADOUBE => "adoube".into(),
        JEAN => "jean".into(),
        other => other.to_string(),
    }
}

/// A folder and the four files in it, with these owners, as `user` sees them.
fn installation((folder, mode): (u32, u32), [data, log, index, lock]: [u32; 4], user: u32) -> Installation {
    let found = |path: &str, owner| Found { path: path.into(), owner, mode: 0o600 };
    let files =
        vec![found("/d/g", data), found("/d/g-wal", log), found("/d/g-shm", index), found("/d/g.lock", lock)];
    let may_read = user == ROOT || files.iter().take(3).all(|file| file.owner == user);
    let may_create = user == ROOT || user == folder || mode & SHARED != 0;
    let folder = Found { path: "/d".into(), owner: folder, mode };
    Installation { folder, files, has_data: true, user, may_create, may_read }
}

const ALL: &str = "/d/g /d/g-wal /d/g-shm /d/g.lock";

/// Checks that there is exactly one problem, an error, with this remedy.
#[track_caller]
fn expect_error(installation: &Installation, remedy: &str) {
    let problems = installation.problems(name);
    let [problem] = &*problems else { panic!("{problems:?}") };
    assert!(problem.is_error && problem.remedy == remedy, "{problem:?}");
}

#[test]
fn one_command_gives_all_wrong_files_to_the_owner_of_the_folder() {
    let own = (ADOUBE, 0o750);
    for user in [ADOUBE, ROOT, JEAN] {
        expect_error(&installation(own, [ROOT; 4], user), &format!("chown adoube: {ALL}"));
        // The data was replaced, or only the lock was created, by a command run as root.
        let data = installation(own, [ROOT, ADOUBE, ADOUBE, ADOUBE], user);
        expect_error(&data, "chown adoube: /d/g");
        let lock = installation(own, [ADOUBE, ADOUBE, ADOUBE, ROOT], user);
        expect_error(&lock, "chown adoube: /d/g.lock");
        let log = installation(own, [ADOUBE, ROOT, ROOT, JEAN], user);
        expect_error(&log, "chown adoube: /d/g-wal /d/g-shm /d/g.lock");
    }
    let problems = installation(own, [ROOT, ADOUBE, ADOUBE, ROOT], ADOUBE).problems(name);
    let findings: Vec<_> = problems.iter().map(|problem| &*problem.finding).collect();
    assert_eq!(findings, ["/d/g belongs to root and /d/g.lock belongs to root, but must belong to adoube"]);
}

#[test]
fn in_a_folder_owned_by_root_the_owner_of_the_data_is_the_servers_user() {
    let of_root = (ROOT, 0o755);
    // The server runs as root.
    assert_eq!(installation(of_root, [ROOT; 4], ROOT).problems(name), []);
    assert_eq!(installation(of_root, [ROOT, ROOT, ROOT, JEAN], ROOT).problems(name), []);
    // Someone else cannot tell whose server it is.
    expect_error(
        &installation(of_root, [ROOT; 4], JEAN),
        &format!(
            "if the server runs as jean: chown jean: /d {ALL}; otherwise run this command as the server's user"
        ),
    );
    // The server cannot create a log next to its data.
    let given = installation(of_root, [ADOUBE, ADOUBE, ADOUBE, ROOT], ADOUBE);
    expect_error(&given, "chown adoube: /d /d/g.lock");
    let problems = installation(of_root, [ADOUBE; 4], ROOT).problems(name);
    let [Problem { is_error: false, remedy, .. }] = &*problems else { panic!("{problems:?}") };
    assert_eq!(remedy, "unless the server runs as root: chown adoube: /d");
}

#[test]
fn in_a_folder_for_several_users_the_files_show_whose_server_it_is() {
    let shared = (ROOT, 0o1777);
    for user in [ADOUBE, ROOT] {
        assert_eq!(installation(shared, [ADOUBE; 4], user).problems(name), []);
        expect_error(
            &installation(shared, [ADOUBE, ROOT, ROOT, ADOUBE], user),
            "chown adoube: /d/g-wal /d/g-shm",
        );
    }
    expect_error(
        &installation(shared, [ROOT; 4], JEAN),
        &format!(
            "if the server runs as jean: chown jean: {ALL}; otherwise run this command as the server's user"
        ),
    );
    let mixed = [ADOUBE, JEAN, ROOT, ADOUBE];
    expect_error(&installation(shared, mixed, JEAN), "chown jean: /d/g /d/g-shm /d/g.lock");
    expect_error(
        &installation(shared, mixed, ROOT),
        &format!("give them to the server's user: chown USER: {ALL}"),
    );
    assert_eq!(installation((JEAN, 0o775), [ADOUBE; 4], ADOUBE).problems(name), []);
}

#[test]
fn another_user_is_told_to_run_the_command_as_the_servers_user() {
    let mut house = installation((ADOUBE, 0o750), [ADOUBE; 4], JEAN);
    expect_error(&house, "sudo -u adoube adoube doctor");
    let nameless = installation((1001, 0o750), [1001; 4], JEAN);
    expect_error(&nameless, "sudo -u '#1001' adoube doctor");
    house.may_read = true;
    let problems = house.problems(name);
    assert!(
        matches!(&*problems, [Problem { is_error: false, remedy, .. }] if remedy == "sudo -u adoube adoube doctor")
    );
    (house.files, house.has_data) = (Vec::new(), false);
    expect_error(&house, "sudo -u adoube adoube doctor");
    house.user = ADOUBE;
    house.may_create = true;
    assert_eq!(house.problems(name), []);
    // No remedy runs a command as root or gives files to root.
    for folder in [(ROOT, 0o755), (ROOT, 0o777), (ADOUBE, 0o750), (ADOUBE, 0o770)] {
        for owners in [[ROOT; 4], [ADOUBE; 4], [ROOT, ADOUBE, ROOT, JEAN], [ADOUBE, ADOUBE, ADOUBE, ROOT]] {
            for user in [ROOT, ADOUBE, JEAN] {
                for problem in installation(folder, owners, user).problems(name) {
                    assert!(!problem.remedy.contains("-u root"), "{problem:?}");
                    assert!(!problem.remedy.contains("chown root"), "{problem:?}");
                }
            }
        }
    }
}

#[test]
fn the_permission_bits_determine_the_finding_and_the_remedy() {
    let with_mode = |mode| {
        let mut house = installation((ADOUBE, 0o750), [ADOUBE; 4], ADOUBE);
        for file in house.files.iter_mut().take(2) {
            file.mode = mode;
        }
        house
    };
    for (mode, access) in [(0o644, "read"), (0o602, "change"), (0o606, "read and change")] {
        let problems = with_mode(mode).problems(name);
        let [Problem { is_error: false, finding, remedy }] = &*problems else { panic!("{problems:?}") };
        let expected = format!("every user of this machine can {access} /d/g and /d/g-wal;");
        assert!(finding.starts_with(&expected), "{finding}");
        assert_eq!(remedy, "chmod o= /d/g /d/g-wal");
    }
    assert_eq!(with_mode(0o601).problems(name), []);
    expect_error(&with_mode(0o400), "chmod u+rw /d/g /d/g-wal");
    let mut house = with_mode(0o600);
    house.may_create = false;
    expect_error(&house, "chmod u+rwx /d");
}

#[test]
fn paths_are_quoted_for_a_shell() {
    assert_eq!(quoted(Path::new("/var/lib/échecs/games.sqlite-wal")), "/var/lib/échecs/games.sqlite-wal");
    assert_eq!(quoted(Path::new("/srv/l'école 1/g")), r"'/srv/l'\''école 1/g'");
    let file = Found { path: "/g".into(), owner: ROOT, mode: 0o600 };
    assert_eq!(change_owner("4711", [&file]), "chown 4711 /g");
}
