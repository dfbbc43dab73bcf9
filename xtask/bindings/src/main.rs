//! `xtask-bindings <module.wasm> <folder>`: writes the module and its JavaScript and TypeScript
//! bindings, for `import` in a browser, into the folder.
//!
//! A crate of its own because the generator takes a minute to compile: `cargo xtask` must not wait
//! for it when it only runs the Rust tests.

use std::env;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        bail!("expected two arguments: a compiled module and a folder, got {}", arguments.len());
    };
    Bindgen::new()
        .input_path(module)
        // Names and tools are for debuggers; the page loads this before the first move.
        .remove_name_section(true)
        .remove_producers_section(true)
        // svelte-check holds the client to the types.
        .typescript(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
        .with_context(|| format!("no bindings could be made from {module}"))
}
