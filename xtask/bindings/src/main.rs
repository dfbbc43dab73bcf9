//! `xtask-bindings <module.wasm> <folder> <name>`: writes the module and its JavaScript and TypeScript
//! bindings, for `import` in a browser, into the folder, under that name.
//!
//! This is a separate crate because the generator takes a minute to compile, and a `cargo xtask` that only
//! runs the Rust tests should not have to wait for it.

use std::env;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        bail!("expected three arguments: a compiled module, a folder and a name, got {}", arguments.len());
    };
    Bindgen::new()
        .input_path(module)
        .out_name(name)
        // Names and tool information are useful only to debuggers, and would delay the page, which loads this
        // module before the first move.
        .remove_name_section(true)
        .remove_producers_section(true)
        // svelte-check verifies the client against these types.
        .typescript(true)
        .web(true)
        .and_then(|bindgen| bindgen.generate(folder))
        .with_context(|| format!("cannot generate bindings for {module}"))
}
