//! Embeds the drawings of the men from the page's sources. Sets are folders; a set may have a subfolder for a game.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

const PIECES: &str = "../../web/src/lib/pieces";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PIECES}");
    let pieces = fs::canonicalize(PIECES)?;
    let mut table = String::from("&[\n");
    for folder in folders(&pieces)? {
        let name = folder.strip_prefix(&pieces).map_err(io::Error::other)?;
        let name = name.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
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

/// Lists all folders below a folder, sorted.
fn folders(under: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(under)? {
        let path = entry?.path();
        if path.is_dir() {
            found.push(path.clone());
            found.extend(folders(&path)?);
        }
    }
    found.sort();
    Ok(found)
}
