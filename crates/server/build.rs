//! Embeds the web client in the binary or, if it has not been built, a page that says how to build it.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use sha2::{Digest as _, Sha256};

/// A substitute for the client's page, so that the server can be built and tested without Node. The server
/// handles both pages in the same way.
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

/// Writes the page, the list of its chunks, the client's files and a table of them to `OUT_DIR`, from which
/// the server includes them.
fn embed(from: &Path, out: &Path) {
    let page = fs::read_to_string(from.join("index.html")).expect("the page can be read");
    fs::write(out.join("page.html"), page).expect("OUT_DIR is writable");
    let chunks = fs::read_to_string(from.join("chunks.json")).unwrap_or_else(|_| "{}".to_owned());
    fs::write(out.join("chunks.json"), chunks).expect("OUT_DIR is writable");
    let mut files = Vec::new();
    list(from, "", &mut files);
    files.sort_unstable();
    let mut table = String::from("[\n");
    for (number, (path, file)) in files.iter().enumerate() {
        let content = fs::read(file).expect("the file can be read");
        let content_type = mime_guess::from_path(file).first_or_octet_stream();
        let digest = Sha256::digest(&content);
        let tag = u128::from_be_bytes(digest[..16].try_into().expect("the digest has 32 bytes"));
        let compressed = compress(&content);
        let is_compressed = compressed.len() < content.len() / 10 * 9;
        let name = format!("file-{number}");
        fs::write(out.join(&name), if is_compressed { compressed } else { content })
            .expect("OUT_DIR is writable");
        writeln!(
            table,
            "    ({path:?}, File::new({:?}, \"W/\\\"{tag:x}\\\"\", {is_compressed}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")))),",
            content_type.as_ref(),
        )
        .expect("writing to a string cannot fail");
    }
    fs::write(out.join("files.rs"), table + "]").expect("OUT_DIR is writable");
}

/// Lists the files in a folder and its subfolders, each with its URL path.
fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let entry = entry.expect("the folder can be read");
        let path = format!("{prefix}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &path, files);
        } else {
            files.push((path, entry.path()));
        }
    }
}

/// Compresses with brotli at the highest level.
fn compress(content: &[u8]) -> Vec<u8> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 11, 22);
    writer.write_all(content).expect("writing to a vector cannot fail");
    writer.into_inner()
}

fn main() {
    let built = Path::new("../../web/dist");
    println!("cargo::rerun-if-changed={}", built.display());
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    if built.join("index.html").is_file() {
        embed(built, &out);
        return;
    }
    let folder = out.join("no-client");
    fs::create_dir_all(&folder).expect("OUT_DIR is writable");
    fs::write(folder.join("index.html"), PAGE).expect("OUT_DIR is writable");
    embed(&folder, &out);
}
