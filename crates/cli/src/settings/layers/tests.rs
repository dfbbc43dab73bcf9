use std::time::Duration;

use adoube_server::Rate;

use super::*;

fn read(file: &str, environment: &[(&str, &str)], flags: SettingFlags) -> anyhow::Result<Layers> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("adoube.toml");
    fs::write(&path, file)?;
    let flags = SettingFlags { config: Some(path), ..flags };
    let environment = environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Layers::read_with(&flags, &environment.collect::<Vec<_>>())
}

#[test]
fn a_later_source_overrides_an_earlier_one() {
    let file = "listen = \"0.0.0.0:1\"\ndata = \"file.sqlite\"\n[limits]\ncreations = \"7/min\"\nmessages = \"8/20s\"\n";
    let environment = [("ADOUBE_LISTEN", "0.0.0.0:2"), ("ADOUBE_LIMITS_MESSAGES", "9/20s")];
    let flags = SettingFlags { listen: Some("0.0.0.0:3".into()), ..SettingFlags::default() };
    let layers = read(file, &environment, flags).unwrap();
    let Settings { server, data, .. } = layers.settings().unwrap();
    assert_eq!(server.listen, "0.0.0.0:3".parse().unwrap());
    assert_eq!(data, Data::File("file.sqlite".into()));
    let limits = &server.limits;
    assert_eq!((limits.creations.to_string(), limits.messages.to_string()), ("7/min".into(), "9/20s".into()));
    let mut printed = Vec::new();
    layers.print(&mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    for line in [
        "listen = \"0.0.0.0:3\"  # command line",
        "limits.messages = \"9/20s\"  # $ADOUBE_LIMITS_MESSAGES",
        "limits.hashes = \"2\"  # built in",
    ] {
        assert!(printed.lines().any(|found| found == line), "{line} is not in\n{printed}");
    }
    // The output is a valid settings file.
    read(&printed, &[], SettingFlags::default()).unwrap().settings().unwrap();
}

#[test]
fn a_preset_sets_only_limits_that_were_not_set() {
    let usual = read("", &[], SettingFlags::default()).unwrap().settings().unwrap().server.limits;
    assert_eq!(usual, Limits::default());
    for file in ["limits = \"club\"", "[limits]\npreset = \"club\""] {
        let layers = read(file, &[], SettingFlags::default()).unwrap();
        assert_eq!(layers.settings().unwrap().server.limits, Limits::of(Preset::Club), "{file}");
        let mut printed = Vec::new();
        layers.print(&mut printed).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        assert!(printed.contains("limits.connections_per_address = \"1024\"  # preset club"), "{printed}");
        assert_eq!(
            read(&printed, &[], SettingFlags::default()).unwrap().settings().unwrap().server.limits,
            Limits::of(Preset::Club)
        );
    }
    let file = "[limits]\npreset = \"club\"\ncreations_per_address = \"5/min\"";
    let limits = read(file, &[("ADOUBE_LIMITS", "default")], SettingFlags::default())
        .unwrap()
        .settings()
        .unwrap()
        .server
        .limits;
    let expected = Rate::new(5, Duration::from_mins(1));
    assert_eq!(limits, Limits { creations_per_address: expected, ..Limits::default() });
}

#[test]
fn the_deployment_reference_lists_every_setting() {
    let guide = include_str!("../../../../../docs/deployment.md");
    for name in Layers::built_in().unwrap().values.keys() {
        assert!(guide.contains(name), "docs/deployment.md does not mention {name}");
    }
}

#[test]
fn data_commands_work_despite_an_invalid_server_setting() {
    let layers = read("data = \"file.sqlite\"\n[limits]\nhashes = \"many\"", &[], SettingFlags::default());
    let layers = layers.unwrap();
    assert!(layers.settings().is_err());
    assert_eq!(layers.data().unwrap(), Data::File("file.sqlite".into()));
    assert_eq!(layers.retention().unwrap(), Retention::default());
    let layers = read("[keep]\nnames = \"30\"", &[], SettingFlags::default()).unwrap();
    let error = layers.retention().unwrap_err().to_string();
    assert!(error.contains("adoube.toml:2: keep.names: \"30\""), "{error}");
}

#[test]
fn secrets_are_not_printed() {
    for file in ["[mail]\nsmtp = \"smtps://me:horse@example.org\"", "bus = \"nats://me:horse@example.org\""] {
        let layers = read(file, &[], SettingFlags::default()).unwrap();
        let mut printed = Vec::new();
        layers.print(&mut printed).unwrap();
        assert!(!String::from_utf8(printed).unwrap().contains("horse"));
        assert!(!format!("{:?}", layers.settings().unwrap()).contains("horse"));
    }
}

#[test]
fn the_bus_is_a_string_or_a_table() {
    let bus = |layers: &Layers| layers.settings().unwrap().bus.nats();
    assert!(bus(&read("", &[], SettingFlags::default()).unwrap()).is_none());
    let file = "[bus]\nurl = \"tls://a\"\ncredentials = \"user.creds\"\nprefix = \"club\"";
    let settings = bus(&read(file, &[], SettingFlags::default()).unwrap()).unwrap();
    assert_eq!((&*settings.url, &*settings.prefix, settings.certificates), ("tls://a", "club", None));
    assert_eq!(settings.credentials.as_deref(), Some(Path::new("user.creds")));
    let file = "bus = \"nats://a\"";
    let url = |layers: Layers| bus(&layers).unwrap().url;
    assert_eq!(url(read(file, &[], SettingFlags::default()).unwrap()), "nats://a");
    let environment = [("ADOUBE_BUS", "nats://b")];
    assert_eq!(url(read(file, &environment, SettingFlags::default()).unwrap()), "nats://b");
    let flags = SettingFlags { bus: Some("nats://c".into()), ..SettingFlags::default() };
    assert_eq!(url(read(file, &environment, flags).unwrap()), "nats://c");
}

#[test]
fn a_misspelled_variable_is_refused_with_the_nearest_setting() {
    for (name, nearest) in [
        ("ADOUBE_LIMITS_CREATION", "$ADOUBE_LIMITS_CREATIONS?"),
        ("ADOUBE_PUBLIC_ORIGN", "$ADOUBE_PUBLIC_ORIGIN?"),
        ("ADOUBE_MAIL.SMTP", "$ADOUBE_MAIL_SMTP?"),
    ] {
        let error = read("", &[(name, "3")], SettingFlags::default()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(nearest), "{error}");
    }
    // A variable that does not resemble any setting causes only a warning, because an upgrade may have
    // removed its setting.
    let layers =
        read("", &[("ADOUBE_PRIVATE_GARDEN", "1"), ("ADOUBE_TAG", "v1")], SettingFlags::default()).unwrap();
    assert!(matches!(&*layers.warnings(), [one, _] if one.problem.contains("$ADOUBE_PRIVATE_GARDEN")));
    // Set by Kubernetes for services with names like ours.
    let others = [
        ("ADOUBE_PORT", "tcp://10.0.0.1:8787"),
        ("ADOUBE_PORT_8787_TCP", "tcp://10.0.0.1:8787"),
        ("ADOUBE_PORT_8787_TCP_PROTO", "tcp"),
        ("ADOUBE_WEB_SERVICE_HOST", "10.0.0.1"),
        ("ADOUBE_SERVICE_PORT_HTTP", "80"),
    ];
    assert_eq!(read("", &others, SettingFlags::default()).unwrap().warnings(), []);
    let set = vec![("limits.creatons".to_owned(), "3".to_owned())];
    let error = read("", &[], SettingFlags { set, ..SettingFlags::default() }).unwrap_err().to_string();
    assert!(error.contains("did you mean limits.creations?"), "{error}");
}

#[test]
fn settings_without_an_effect_cause_a_warning() {
    for (file, setting, missing) in [
        ("[mail]\nfrom = \"Club <club@example.org>\"", "mail.from", "mail.smtp"),
        ("[bus]\n\nprefix = \"club\"", "bus.prefix", "bus.url"),
        ("metrics_token = \"0123456789abcdef\"", "metrics_token", "metrics"),
    ] {
        let warnings = read(file, &[], SettingFlags::default()).unwrap().warnings();
        let warnings: Vec<_> = warnings.iter().map(|warning| &*warning.problem).collect();
        let expected = format!("{setting} has no effect, because {missing} is missing");
        assert!(warnings.iter().any(|problem| problem.ends_with(&expected)), "{file}: {warnings:?}");
    }
    let file = "metrics = \"127.0.0.1:9187\"\nlog = \"info,adoub_server=debug\"";
    let warnings = read(file, &[], SettingFlags::default()).unwrap().warnings();
    let [log] = &*warnings else { panic!("{warnings:?}") };
    assert!(log.problem.contains("adoube.toml:2: log contains \"adoub_server\""), "{log}");
}

#[test]
fn a_mail_password_that_may_be_sent_unencrypted_causes_a_warning() {
    for (url, is_reported) in [
        ("smtp://me:horse@example.org", true),
        ("smtp://me:horse@example.org:587?tls=opportunistic", true),
        ("smtp://me:horse@192.0.2.1", true),
        ("smtp://me:horse@example.org:587?tls=required", false),
        ("smtps://me:horse@example.org", false),
        ("smtp://example.org", false),
        ("smtp://me:horse@localhost", false),
        ("smtp://me:horse@127.0.0.1:2525", false),
        ("smtp://me:horse@[::1]", false),
    ] {
        let set = vec![("mail.smtp".to_owned(), url.to_owned())];
        let warnings = read("", &[], SettingFlags { set, ..SettingFlags::default() }).unwrap().warnings();
        let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), usize::from(is_reported), "{url}: {warnings:?}");
        assert!(warnings.iter().all(|warning| warning.contains("tls=required")), "{url}: {warnings:?}");
        assert!(warnings.iter().all(|warning| !warning.contains("horse")), "{url}: {warnings:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_readable_file_with_a_secret_causes_a_warning() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adoube.toml");
    fs::write(&path, "[mail]\nsmtp = \"smtps://me:horse@example.org\"").unwrap();
    for (mode, expected) in [(0o644, 1), (0o640, 0), (0o600, 0)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let flags = SettingFlags { config: Some(path.clone()), ..SettingFlags::default() };
        let warnings = Layers::read_with(&flags, &[]).unwrap().warnings();
        assert_eq!(warnings.len(), expected, "{warnings:?}");
        assert!(warnings.iter().map(ToString::to_string).all(|warning| warning.contains("mail.smtp")
            && warning.contains("chmod o= ")
            && !warning.contains("horse")));
    }
}

#[test]
fn errors_name_the_source_and_the_line() {
    for (file, line, problem) in [
        ("# A comment\n\nlisen = \"0.0.0.0:1\"", 3, "unknown setting \"lisen\"; did you mean listen?"),
        ("listen = \"0.0.0.0:1\"\ndata = \n", 2, "this line is not valid TOML: "),
        ("listen = 0.0.0.0:1", 1, "write NAME = \"VALUE\", [TABLE] or # COMMENT"),
        ("hsts = \"off\"\nhsts = \"host\"", 2, "this line repeats a setting from a line above"),
        ("# A comment\nsesions = 3", 2, "did you mean sessions?"),
        (
            "[pages]\ncolour = \"red\"",
            2,
            "unknown setting \"pages.colour\"; `adoube config` lists all settings",
        ),
        (
            "data = \"a\"\r\nlisten = true\r\n",
            2,
            "write a quoted string, a whole number or a list, for example \"127.0.0.1:8787\"",
        ),
        ("[limits]\nhashes = 2\ncreations = \"many\"", 3, "limits.creations: \"many\" is not a count"),
        ("limits.hashes = 2\nlimits.silence_s = 0", 2, "limits.silence_s must be a number of seconds"),
        ("limits = \"school\"", 1, "limits.preset must be one of default, club, not \"school\""),
        (
            "[limits]\nhashes = 2\n\npublic_origin = \"https://chess.example.org\"",
            4,
            "public_origin belongs above the first line in brackets, not below [limits]",
        ),
        (
            "hsts = \"off\"\npreset = \"club\"",
            2,
            "unknown setting \"preset\"; put it below the line [limits], or write limits.preset",
        ),
        (
            "\nsessions = 3",
            2,
            "\"sessions\" is a table, not a setting; set sessions.idle_d or sessions.longest_d",
        ),
        ("other_origins = [\n  \"https://a.example\",\n  true,\n]", 1, "other_origins cannot be a boolean"),
    ] {
        let read = read(file, &[], SettingFlags::default());
        let error = read.and_then(|layers| layers.settings()).unwrap_err();
        let error = format!("{error:#}");
        assert!(
            error.contains(&format!("adoube.toml:{line}: ")) && error.contains(problem),
            "{file}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("adoube.toml");
    fs::write(&path, b"data = \"a\"\n# \xe9t\xe9\n").unwrap();
    let flags = SettingFlags { config: Some(path), ..SettingFlags::default() };
    let error = Layers::read_with(&flags, &[]).unwrap_err().to_string();
    assert!(error.contains("adoube.toml:2: this line is not valid UTF-8"), "{error}");
    // A file saved on Windows may begin with a byte-order mark.
    let layers = read("\u{feff}hsts = \"off\"\r\n", &[], SettingFlags::default()).unwrap();
    assert_eq!(layers.text("hsts"), "off");
    let error = read("", &[("ADOUBE_HSTS", "all")], SettingFlags::default()).unwrap().settings().unwrap_err();
    assert!(error.to_string().starts_with("$ADOUBE_HSTS: hsts must be one of off"), "{error}");
}

#[test]
fn errors_name_the_setting() {
    for (file, problem) in [
        ("lisen = \"0.0.0.0:1\"", "unknown setting \"lisen\""),
        ("listen = ", "is not valid TOML"),
        ("listen = true", "listen cannot be a boolean"),
        ("listen = \"here\"", "listen address \"here\""),
        ("other_origins = [\"chess\"]", "other_origins: \"chess\" is not an origin"),
        ("metrics_token = \"short\"", "metrics_token must have at least 16 printable ASCII characters"),
        ("[limits]\nhashes = \"many\"", "limits.hashes must be a whole number"),
        ("[limits]\nsilence_s = 0", "limits.silence_s must be a number of seconds, at least 1"),
        ("[limits]\ncreations = 60", "limits.creations: \"60\" is not a count and a period, such as 60/min"),
        ("[limits]\ncreations_per_s = 60", "as in limits.creations = \"60/min\""),
        ("[limits]\nsign_ins_per_s = 300", "limits.sign_ins now includes the unit of time"),
        (
            "[keep]\nreports = 30",
            "keep.reports: \"30\" is neither a number of days from 1 to 65535, such as 30d, nor \"always\"",
        ),
        ("limits = \"school\"", "limits.preset must be one of default, club, not \"school\""),
        ("metrics = \"9187\"", "metrics must be an IP address and a port"),
        ("hsts = \"all\"", "hsts must be one of off, host, subdomains"),
        ("trusted_proxies = [\"proxy\"]", "trusted_proxies must be IP addresses"),
        ("trusted_proxies = [true]", "trusted_proxies cannot be a boolean"),
        ("public_origin = \"chess\"", "public_origin: \"chess\" is not a scheme and a host, such as"),
        (
            "public_origin = \"https://a.example/b?c\"",
            "public_origin: \"https://a.example/b?c\" has a query, which is not part of the address of a house; write \"https://a.example/b\"",
        ),
        (
            "other_origins = [\"https://a.example/b\"]",
            "other_origins: \"https://a.example/b\" is not an origin",
        ),
        ("machine_threads = \"two\"", "machine_threads must be a whole number, not \"two\""),
        ("log_format = \"xml\"", "log_format must be one of text, json, not \"xml\""),
        ("[sessions]\nidle_d = 0", "sessions.idle_d must be a number from 1 to 36600"),
    ] {
        let error =
            read(file, &[], SettingFlags::default()).and_then(|layers| layers.settings()).unwrap_err();
        assert!(format!("{error:#}").contains(problem), "{file}: {error:#}");
    }
}
