//! Adds a toy game to a copy of the sources, as described in `CONTRIBUTING.md`, and tests the copy. This
//! shows that a new game needs only new files, and lines in the lists named there.
//!
//! The toy is in `xtask/toy`: `files` contains its own files, at their paths in the repository; `lines.txt`
//! lists the lines that it adds to other files. The copy is in `target/toy`. Its packages have their own
//! version, so that they can use the repository's build folder, with its compiled dependencies, without
//! replacing anything there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::repository::{Repository, format_command, run};
use crate::{page, structure, web};

/// The folders that are copied, in addition to the files at the top level.
const FOLDERS: &[&str] = &[".cargo", "crates", "deploy", "docs", "games", "locales", "web", "xtask"];
/// Parts of them that are not copied: results of builds and tests, installed packages, and the toy itself.
const NOT_COPIED: &[&str] = &[
    "web/dist",
    "web/node_modules",
    "web/playwright-report",
    "web/src/lib/wasm",
    "web/test-results",
    "xtask/toy",
];
/// The version of the packages in the workspace, and the one they have in the copy.
const VERSION: (&str, &str) = ("\nversion = \"0.1.0\"\n", "\nversion = \"0.1.0+toy\"\n");

/// The packages with tests that apply to every game. All are selected for each test, so that they are
/// compiled only once, with the same features.
const PACKAGES: &[&str] = &[
    "--package=adoube-rules",
    "--package=adoube-notation",
    "--package=adoube-engine",
    "--package=adoube-game",
    "--package=adoube-learn",
    "--package=adoube-wasm",
];

/// The packages with an optimisation level of their own. Here it is 1: the tests take seconds, and compiling
/// their packages takes much longer.
const OPTIMISED: &[&str] = &[
    "adoube-rules",
    "adoube-notation",
    "adoube-engine",
    "adoube-game",
    "adoube-problems",
    "adoube-winnable",
];

/// The tests to run, as arguments of `cargo test`, where `NAME` is the name of the toy. They are the tests
/// that apply to every game, and the toy's own.
const TESTS: &[&[&str]] = &[
    &["--test=perft", "--", "NAME"],
    // Both `adoube-rules` and `adoube-notation` have a test named `random_play`.
    &["--test=NAME_by_definition", "--test=random_play", "--test=playing"],
    &[
        "--test=engine",
        "--test=game",
        "--",
        "play::games_against_random_turns",
        "play::nodes",
        "evaluation::",
        "properties::",
    ],
    &[
        "--lib",
        "--",
        "NAME",
        "variant::tests",
        "explain::tests::explained_takings",
        "explain::tests::checks",
        // The tests of the diagrams, the drills and the rule pages.
        "book::tests",
        "drill::tests",
        "page::tests",
        // The letters of its men.
        "n4_message_letters",
    ],
];

/// Tests that write the page's data about the games, and fail if the data was out of date.
const WRITERS: &[&str] = &["--lib", "--", "committed_games"];

/// Adds the toy to a copy of the sources, and tests it there.
pub(crate) fn test(repository: &Repository) -> Result<()> {
    let name = name(repository)?;
    let copy = repository.copy_in(repository.target("toy"));
    Tree::with_toy(repository)?.write_to(&copy.path(""))?;
    structure::games(&copy)?;
    page::no_rules(&copy)?;
    run(copy.cargo().args(["fmt", "--all", "--check"]))?;
    // This fails if a crate does not handle the game or has room for only four games.
    run(copy.cargo().args(["check", "--workspace", "--all-targets"]))?;
    for tests in TESTS {
        let tests = tests.iter().map(|test| test.replace("NAME", &name));
        run(cargo_test(&copy).args(tests))?;
    }
    run_twice(|| {
        let mut writers = cargo_test(&copy);
        writers.args(WRITERS);
        writers
    })?;
    web_tests(repository, &copy)
}

fn cargo_test(copy: &Repository) -> Command {
    let mut test = copy.cargo();
    for package in OPTIMISED {
        test.args(["--config", &format!("profile.dev.package.{package}.opt-level=1")]);
    }
    test.arg("test").args(PACKAGES);
    test
}

/// Returns the name of the toy, which is the name of its folder in `games`.
fn name(repository: &Repository) -> Result<String> {
    let folder = repository.path("xtask/toy/files/games");
    let first = fs::read_dir(&folder).ok().and_then(|mut entries| entries.next()?.ok());
    let name = first.and_then(|entry| entry.file_name().into_string().ok());
    name.with_context(|| format!("{} has no folder with the name of the toy", folder.display()))
}

/// Runs the page's tests that cover all games. They need no WebAssembly module.
fn web_tests(repository: &Repository, copy: &Repository) -> Result<()> {
    web::packages(repository)?;
    let packages = copy.path("web/node_modules");
    if !packages.exists() {
        link(&repository.path("web/node_modules"), &packages)?;
    }
    run_twice(|| {
        let mut tests = copy.npm();
        tests.args(["exec", "--", "vitest", "run", "src/lib/i18n", "src/lib/pieces"]);
        tests
    })
}

/// Runs tests that rewrite a generated file if it is out of date. It is out of date in the first run, so only
/// the second one counts.
fn run_twice(tests: impl Fn() -> Command) -> Result<()> {
    tests().output().with_context(|| format_command(&tests()))?;
    run(&mut tests())
}

/// The files of a checkout by their paths.
#[derive(Debug, Default)]
struct Tree {
    files: BTreeMap<PathBuf, Content>,
}

#[derive(Debug, PartialEq, Eq)]
enum Content {
    Bytes(Vec<u8>),
    /// A symbolic link, with its target.
    Link(PathBuf),
}

impl Tree {
    /// Reads the sources with the toy in them.
    fn with_toy(repository: &Repository) -> Result<Self> {
        let mut tree = Self::default();
        for folder in FOLDERS {
            tree.add(&repository.path(""), Path::new(folder))?;
        }
        for entry in fs::read_dir(repository.path(""))? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                tree.files.insert(entry.file_name().into(), Content::Bytes(fs::read(entry.path())?));
            }
        }
        for (path, content) in Self::of(&repository.path("xtask/toy/files"))?.files {
            if tree.files.insert(path.clone(), content).is_some() {
                bail!("the toy's file {} already exists in the repository", path.display());
            }
        }
        for lines in read_lines(repository)? {
            let text = lines.added_to(tree.text(&lines.file)?)?;
            tree.set(&lines.file, text);
        }
        let manifest = tree.text("Cargo.toml")?;
        if !manifest.contains(VERSION.0) {
            bail!(
                "Cargo.toml has no line `{}` to replace: update VERSION in xtask/src/toy.rs",
                VERSION.0.trim()
            );
        }
        tree.set("Cargo.toml", manifest.replacen(VERSION.0, VERSION.1, 1));
        Ok(tree)
    }

    /// Reads all files in a folder.
    fn of(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.add(folder, Path::new(""))?;
        Ok(tree)
    }

    /// Adds all files in a folder of a checkout, except [`NOT_COPIED`].
    fn add(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let absolute = root.join(folder);
        for entry in fs::read_dir(&absolute).with_context(|| absolute.display().to_string())? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if NOT_COPIED.iter().any(|not| path == Path::new(not)) {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.add(root, &path)?;
            } else if kind.is_symlink() {
                self.files.insert(path, Content::Link(fs::read_link(entry.path())?));
            } else {
                self.files.insert(path, Content::Bytes(fs::read(entry.path())?));
            }
        }
        Ok(())
    }

    fn text(&self, path: &str) -> Result<&str> {
        match self.files.get(Path::new(path)) {
            Some(Content::Bytes(bytes)) => {
                std::str::from_utf8(bytes).with_context(|| format!("{path} is not text"))
            }
            _ => bail!("{path} is no longer a file: update xtask/toy/lines.txt and CONTRIBUTING.md"),
        }
    }

    fn set(&mut self, path: &str, text: String) {
        self.files.insert(path.into(), Content::Bytes(text.into_bytes()));
    }

    /// Makes a folder contain exactly these files, apart from [`NOT_COPIED`]. Unchanged files keep their
    /// modification time, so that cargo compiles only what has changed.
    fn write_to(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        for path in Self::of(folder)?.files.keys().filter(|path| !self.files.contains_key(*path)) {
            fs::remove_file(folder.join(path))?;
            // Cargo refuses a folder in `crates` without a `Cargo.toml`.
            let parents = path.ancestors().skip(1).filter(|parent| *parent != Path::new(""));
            for parent in parents {
                if fs::remove_dir(folder.join(parent)).is_err() {
                    break;
                }
            }
        }
        for (path, content) in &self.files {
            let file = folder.join(path);
            let found = || match fs::read_link(&file) {
                Ok(to) => Some(Content::Link(to)),
                Err(_) => fs::read(&file).ok().map(Content::Bytes),
            };
            if found().as_ref() == Some(content) {
                continue;
            }
            fs::create_dir_all(file.parent().context("the file has no parent folder")?)?;
            match content {
                Content::Bytes(bytes) => {
                    // Otherwise this would write to the target of a former link.
                    if file.is_symlink() {
                        fs::remove_file(&file)?;
                    }
                    fs::write(&file, bytes)?;
                }
                Content::Link(to) => {
                    // There may be a file, or a link that points elsewhere.
                    let _ = fs::remove_file(&file);
                    link(to, &file)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn link(to: &Path, file: &Path) -> Result<()> {
    std::os::unix::fs::symlink(to, file).with_context(|| file.display().to_string())
}

#[cfg(not(unix))]
fn link(_: &Path, file: &Path) -> Result<()> {
    bail!(
        "{} would be a symbolic link: the test of the toy game needs a system that supports them",
        file.display()
    )
}

/// Lines that the toy adds to a file.
#[derive(Debug, PartialEq, Eq)]
struct Lines {
    file: String,
    /// The beginning of the line before which they are inserted, ignoring indentation.
    before: String,
    text: String,
}

impl Lines {
    /// Returns the file's text with the lines inserted.
    fn added_to(&self, text: &str) -> Result<String> {
        let Self { file, before, text: added } = self;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            if line.trim_start().starts_with(before.as_str()) {
                let (head, tail) = text.split_at(at);
                return Ok(format!("{head}{added}{tail}"));
            }
            at += line.len();
        }
        bail!(
            "{file} has no line that begins with `{before}`: update xtask/toy/lines.txt and CONTRIBUTING.md"
        )
    }
}

/// Reads `lines.txt`. Each header, ``=== FILE before `START` ``, is followed by the lines to insert before
/// the first line that begins with `START`.
fn read_lines(repository: &Repository) -> Result<Vec<Lines>> {
    let text = fs::read_to_string(repository.path("xtask/toy/lines.txt")).context("xtask/toy/lines.txt")?;
    parse_lines(&text)
}

fn parse_lines(text: &str) -> Result<Vec<Lines>> {
    let mut all: Vec<Lines> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix("=== ") {
            let head = head.trim_end_matches('\n');
            let parts =
                head.split_once(" before `").and_then(|(file, rest)| Some((file, rest.strip_suffix('`')?)));
            let Some((file, before)) = parts else {
                bail!(
                    "=== {head}: a header in xtask/toy/lines.txt must have the form === FILE before `START`"
                )
            };
            all.push(Lines { file: file.to_owned(), before: before.to_owned(), text: String::new() });
        } else if let Some(last) = all.last_mut() {
            last.text += line;
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            bail!("`{}` comes before the first `=== FILE`", line.trim_end());
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the section of `CONTRIBUTING.md` on adding a game.
    fn section(repository: &Repository) -> String {
        let text = fs::read_to_string(repository.path("CONTRIBUTING.md")).unwrap();
        let (_, after) = text.split_once("## Adding a game\n").expect("a section on games");
        after.split("\n## ").next().unwrap_or_default().to_owned()
    }

    /// `CONTRIBUTING.md` or `games/README.md` names every file that must be written or changed to add a game.
    #[test]
    fn the_documents_name_every_file_of_the_toy_game() {
        let repository = Repository::find().unwrap();
        let section = section(&repository);
        let name = name(&repository).unwrap();
        let own = Tree::of(&repository.path("xtask/toy/files")).unwrap();
        let own = own.files.keys().map(|path| path.to_str().unwrap().replace(&name, "NAME"));
        let lines = read_lines(&repository).unwrap().into_iter().map(|lines| lines.file);
        let places: BTreeSet<String> = own.chain(lines).collect();
        let folder = fs::read_to_string(repository.path("games/README.md")).unwrap();
        let is_named = |place: &str| match place.strip_prefix("games/NAME/") {
            // The README of the folder lists them, with `LANGUAGE` in place of each language.
            Some(file) => {
                let languages = [".fr.", ".en.", ".es."];
                let any = languages.iter().fold(file.to_owned(), |file, one| file.replace(one, ".LANGUAGE."));
                folder.contains(&format!("| `{any}` |"))
            }
            None => section.contains(&format!("`{place}`")),
        };
        let missing: Vec<_> = places.iter().filter(|place| !is_named(place)).collect();
        assert!(missing.is_empty(), "CONTRIBUTING.md or games/README.md does not name {missing:?}");
        assert!(places.len() >= 20, "{places:?}");
    }

    #[test]
    fn the_toy_can_be_added_to_the_sources() {
        let repository = Repository::find().unwrap();
        let tree = Tree::with_toy(&repository).unwrap();
        assert!(tree.text("crates/rules/src/variant.rs").unwrap().contains("Giveaway = giveaway::Giveaway"));
        assert!(tree.text("Cargo.toml").unwrap().contains("+toy"));
        assert!(!tree.files.keys().any(|path| path.starts_with("target") || path.starts_with("xtask/toy")));
    }

    #[test]
    fn lines_are_inserted_before_the_first_line_that_begins_with_the_given_text() {
        let [lines, last] =
            &parse_lines("# why\n\n=== a.rs before `mod `\nmod x;\n=== b.md before `## N`\n## G\n\n")
                .unwrap()[..]
        else {
            panic!("two entries")
        };
        assert_eq!(
            lines.added_to("use z;\n  mod a;\nmod b;\n").unwrap(),
            "use z;\nmod x;\n  mod a;\nmod b;\n"
        );
        assert_eq!(last.added_to("## M\n## N\n").unwrap(), "## M\n## G\n\n## N\n");
        let error = lines.added_to("use z;\n").unwrap_err().to_string();
        assert!(error.contains("a.rs has no line that begins with `mod `"), "{error}");
        for wrong in ["=== a.rs\nx\n", "=== a.rs before x\n", "x\n=== a.rs before `x`\n"] {
            parse_lines(wrong).unwrap_err();
        }
    }

    #[test]
    fn writing_a_tree_removes_other_files_and_does_not_touch_unchanged_ones() {
        let folder = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        tree.set("a/b", "one".into());
        tree.set("c", "two".into());
        tree.set("e/f/g", "four".into());
        tree.write_to(folder.path()).unwrap();
        let written = || fs::metadata(folder.path().join("a/b")).unwrap().modified().unwrap();
        let before = written();
        let mut tree = Tree::default();
        tree.set("a/b", "one".into());
        tree.set("a/d", "three".into());
        tree.write_to(folder.path()).unwrap();
        assert_eq!(written(), before);
        assert_eq!(Tree::of(folder.path()).unwrap().files, tree.files);
        assert!(!folder.path().join("e").exists());
    }
}
