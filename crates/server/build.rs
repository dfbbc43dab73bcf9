//! Embeds the built web client into the binary or, if it is not built, a page that says how to build it.

use std::{env, fs, path::Path};

/// A substitute for the client's page that allows building and testing the server without Node. The server
/// fills it in the same way as the client's page.
const PAGE: &str = "<!doctype html>
<html lang=\"fr\">
<head>
<meta charset=\"utf-8\">
<title>adoube</title>
</head>
<body>
<p lang=\"en\">The web client is not built: run <code>cargo xtask serve</code>.</p>
<div id=\"app\"></div>
</body>
</html>
";

/// Writes the page and the list of its files to `OUT_DIR`, where the server includes them as text. Otherwise
/// the first visitor would have to wait until all files are unpacked.
fn embed_page(from: &Path) {
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    let page = fs::read_to_string(from.join("index.html")).expect("the page can be read");
    fs::write(Path::new(&out).join("page.html"), page).expect("OUT_DIR can be written");
    let chunks = fs::read_to_string(from.join("chunks.json")).unwrap_or_else(|_| "{}".to_owned());
    fs::write(Path::new(&out).join("chunks.json"), chunks).expect("OUT_DIR can be written");
    let mut files = Vec::new();
    list(from, "", &mut files);
    fs::write(Path::new(&out).join("files.txt"), files.join("\n")).expect("OUT_DIR can be written");
}

/// Lists the files in a folder and its subfolders, as paths that start with a slash.
fn list(folder: &Path, prefix: &str, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &path, files);
        } else {
            files.push(path);
        }
    }
}

fn main() {
    let built = "../../web/dist";
    println!("cargo::rerun-if-changed={built}");
    // Warnings about the size and number of the assets are not useful.
    println!("cargo::rerun-if-env-changed=MEMORY_SERVE_QUIET");
    if Path::new(built).join("index.html").is_file() {
        embed_page(Path::new(built));
        memory_serve::load_directory_with_embed(built, true);
        return;
    }
    let folder = Path::new(&env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("no-client");
    fs::create_dir_all(&folder).expect("OUT_DIR can be written");
    fs::write(folder.join("index.html"), PAGE).expect("OUT_DIR can be written");
    embed_page(&folder);
    memory_serve::load_directory_with_embed(folder.to_str().expect("OUT_DIR is text"), true);
}
