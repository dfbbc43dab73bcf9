//! Embeds the drawings of the men: the classic set, shared by all variants, from the web page's sources, and
//! the sets that show how men capture from `games/NAME/men`.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

const CLASSIC: &str = "../../web/src/lib/pieces/classic";
const GAMES: &str = "../../games";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={CLASSIC}");
    println!("cargo::rerun-if-changed={GAMES}");
    let mut sets = vec![("classic".to_owned(), fs::canonicalize(CLASSIC)?)];
    for game in folders(Path::new(GAMES))? {
        let men = game.join("men");
        if men.is_dir() {
            let name = game.file_name().unwrap_or_default().to_string_lossy();
            sets.push((format!("mechanism/{name}"), fs::canonicalize(men)?));
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
                let file = folder.join(format!("{color}-{man}.svg")).display().to_string();
                format!("include_str!({file:?})")
            };
            // Writing to a string does not fail.
            let _ = writeln!(table, "    ({name:?}, {man:?}, [{}, {}]),", of("white"), of("black"));
        }
    }
    table += "]\n";
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets no OUT_DIR"))?;
    fs::write(PathBuf::from(out).join("drawings.rs"), table)
}

/// Lists the folders in a folder, sorted.
fn folders(of: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(of)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    let mut folders = entries.into_iter().filter(|path| path.is_dir()).collect::<Vec<_>>();
    folders.sort();
    Ok(folders)
}
