//! The rules, and apart from them the engine, compiled to WebAssembly, with their bindings, where the web client
//! imports them from.
//!
//! `wasm-opt` is left out on purpose: it gains about 3 % here, and the version that Debian packages
//! writes modules that browsers refuse.

use anyhow::Result;

use crate::fresh::Step;
use crate::house::{House, run};
use crate::tools::{self, WasmStandardLibrary};

const FOLDER: &str = "web/src/lib/wasm";
const TARGET: &str = "wasm32-unknown-unknown";

/// A crate that becomes a module.
struct Module {
    package: &'static str,
    profile: &'static str,
    /// For the compiler, beside what the profile says.
    flags: &'static str,
}

const MODULES: [Module; 2] = [
    Module { package: "adoube-wasm", profile: "wasm", flags: "" },
    // Vectors for the networks, which all browsers have had since 2023, and a stack for the longest lines.
    Module {
        package: "adoube-wasm-analysis",
        profile: "wasm-engine",
        flags: "-Ctarget-feature=+simd128 -Clink-arg=-zstack-size=4194304",
    },
];

/// Compiles the modules, and writes `.js`, `.d.ts` and `_bg.wasm` of each when it changed.
pub(crate) fn build(house: &House) -> Result<()> {
    MODULES.iter().try_for_each(|module| module.build(house))
}

impl Module {
    fn build(&self, house: &House) -> Result<()> {
        let library = tools::wasm_standard_library(house, TARGET)?;
        let mut compile = house.cargo();
        compile.args(["build", "--package", self.package, "--profile", self.profile, "--target", TARGET]);
        if !self.flags.is_empty() {
            compile.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", self.flags);
        }
        if let WasmStandardLibrary::FromSource { linker } = library {
            // Allows `-Z` on a stable compiler, which is what Debian packages.
            compile.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
            if let Some(linker) = linker {
                compile.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            }
        }
        run(&mut compile)?;

        let name = self.package.replace('-', "_");
        let module = house.target(&format!("{TARGET}/{}/{name}.wasm", self.profile));
        let folder = house.path(FOLDER);
        let outputs = [".js", ".d.ts", "_bg.wasm"].map(|end| folder.join(format!("{name}{end}"))).to_vec();
        Step::new(house, &name, vec![module.clone(), house.path("xtask/bindings")], outputs).unless_fresh(
            || {
                run(house
                    .cargo()
                    .args(["run", "--quiet", "--package", "xtask-bindings", "--"])
                    .args([&module, &folder]))
            },
        )
    }
}
