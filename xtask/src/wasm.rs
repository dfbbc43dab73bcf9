//! The rules compiled to WebAssembly, with their bindings, where the web client imports them from.
//!
//! `wasm-opt` is left out on purpose: it gains about 3 % here, and the version that Debian packages
//! writes modules that browsers refuse.

use anyhow::Result;

use crate::fresh::Step;
use crate::house::{House, run};
use crate::tools::{self, WasmStandardLibrary};

const FOLDER: &str = "web/src/lib/wasm";
const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles `adoube-wasm`, and writes `adoube_wasm.js`, `.d.ts` and `_bg.wasm` when it changed.
pub(crate) fn build(house: &House) -> Result<()> {
    let library = tools::wasm_standard_library(house, TARGET)?;
    let mut compile = house.cargo();
    compile.args(["build", "--package", "adoube-wasm", "--profile", "wasm", "--target", TARGET]);
    if let WasmStandardLibrary::FromSource { linker } = library {
        // Allows `-Z` on a stable compiler, which is what Debian packages.
        compile.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
        if let Some(linker) = linker {
            compile.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
    }
    run(&mut compile)?;

    let module = house.target(&format!("{TARGET}/wasm/adoube_wasm.wasm"));
    let folder = house.path(FOLDER);
    let outputs =
        ["adoube_wasm.js", "adoube_wasm.d.ts", "adoube_wasm_bg.wasm"].map(|file| folder.join(file)).to_vec();
    Step::new(house, "wasm", vec![module.clone(), house.path("xtask/bindings")], outputs).unless_fresh(|| {
        run(house
            .cargo()
            .args(["run", "--quiet", "--package", "xtask-bindings", "--"])
            .args([&module, &folder]))
    })
}
