//! Embeds the drawings of men and the board colours from the web page's sources.
//!
//! The men come from the sets of chess men, which all variants share, and from `games/NAME/men`, whose
//! drawings show how men move and capture. The boards come from the blocks `[data-board='NAME']` in the
//! page's tokens.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

/// The sets in which each role is drawn as the chess man with the same letter.
const CHESS_SETS: [&str; 2] = ["classic", "silhouette"];
const SETS: &str = "../../web/src/lib/pieces";
const GAMES: &str = "../../games";
const TOKENS: &str = "../../web/src/lib/tokens.css";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={SETS}");
    println!("cargo::rerun-if-changed={GAMES}");
    println!("cargo::rerun-if-changed={TOKENS}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("OUT_DIR is not set"))?);
    fs::write(out.join("drawings.rs"), drawings()?)?;
    fs::write(out.join("boards.rs"), boards(&fs::read_to_string(TOKENS)?)?)
}

/// Returns the table of drawings as an expression.
fn drawings() -> io::Result<String> {
    let mut sets = Vec::new();
    for name in CHESS_SETS {
        sets.push((name.to_owned(), Path::new(SETS).join(name)));
    }
    for game in folders(Path::new(GAMES))? {
        let men = game.join("men");
        if men.is_dir() {
            let name = game.file_name().unwrap_or_default().to_string_lossy();
            sets.push((format!("mechanism/{name}"), men));
        }
    }
    let mut table = String::from("&[\n");
    for (name, folder) in sets {
        let mut men = fs::read_dir(&folder)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<_>>>()?;
        men.sort();
        for man in men.iter().filter_map(|file| file.strip_prefix("white-")?.strip_suffix(".svg")) {
            let of = |color| {
                // Not an absolute path, because a checkout that was already built may be moved.
                let file = format!("/{}/{color}-{man}.svg", folder.display());
                format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))")
            };
            // Writing to a string cannot fail.
            let _ = writeln!(table, "    ({name:?}, {man:?}, [{}, {}]),", of("white"), of("black"));
        }
    }
    table += "]\n";
    Ok(table)
}

/// Returns the table of boards as an expression, in the order of the style sheet.
fn boards(css: &str) -> io::Result<String> {
    let missing = |what: &str| io::Error::other(format!("{TOKENS}: {what} is missing"));
    let mut table = String::from("&[\n");
    for block in css.split("[data-board='").skip(1) {
        let (name, rest) = block.split_once('\'').ok_or_else(|| missing("the name of a board"))?;
        let declarations = rest.split_once('}').ok_or_else(|| missing("the end of a board"))?.0;
        let color = |property: &str| {
            let what = format!("--board-{property} of the board {name}");
            let value = declarations.split(&format!("--board-{property}: ")).nth(1);
            let value = value.and_then(|rest| rest.split(';').next()).ok_or_else(|| missing(&what))?;
            // Pictures use the colours of the light theme.
            let light = value.strip_prefix("light-dark(").and_then(|both| both.split(',').next());
            let hex = light.unwrap_or(value);
            let is_hex = hex.len() == 7 && hex.starts_with('#');
            if is_hex {
                Ok(hex.to_owned())
            } else {
                Err(missing(&format!("a colour such as #f0dfc2 in {what}")))
            }
        };
        let _ = writeln!(
            table,
            "    Board {{ name: {name:?}, light: {:?}, dark: {:?}, on_light: {:?}, on_dark: {:?} }},",
            color("light")?,
            color("dark")?,
            color("coordinate-on-light")?,
            color("coordinate-on-dark")?,
        );
    }
    table += "]\n";
    Ok(table)
}

/// Lists the folders in a folder, sorted.
fn folders(parent: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(parent)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let mut folders = entries.into_iter().filter(|path| path.is_dir()).collect::<Vec<_>>();
    folders.sort();
    Ok(folders)
}
