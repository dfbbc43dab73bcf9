//! Compiles the rules, the mirror of a game, and the engine to separate WebAssembly modules, with the
//! bindings that the web client imports.
//!
//! The engine is compiled twice: for pages whose workers can share memory, where it searches with several
//! threads, and for other pages. The instruction set is fixed at compile time, so one module cannot serve
//! both.
//!
//! `wasm-opt` is left out on purpose: it gains about 3% here, and Debian's version writes modules that
//! browsers reject.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result};

use crate::fresh::Step;
use crate::repository::{Repository, run};
use crate::tools::{self, WasmStandardLibrary};

const FOLDER: &str = "web/src/lib/wasm";
const TARGET: &str = "wasm32-unknown-unknown";

/// A crate that is compiled to a module.
struct Module {
    package: &'static str,
    /// The base name of the files that the page imports.
    name: &'static str,
    profile: &'static str,
    /// Compiler flags in addition to the profile.
    flags: &'static [&'static str],
    /// A subfolder of the build folder. Modules of the same package and profile need different ones, because
    /// otherwise they would overwrite each other.
    folder: &'static str,
    /// Whether the module's memory is shared between the page's threads.
    is_shared: bool,
}

/// Sets a stack size that is large enough for the longest lines that the engine searches. The page gives
/// other threads the same size (`STACK_BYTES` in `web/src/lib/analysis/engine-module.ts`).
const STACK: &str = "-Clink-arg=-zstack-size=4194304";

const MODULES: [Module; 4] = [
    Module {
        package: "adoube-wasm",
        name: "adoube_wasm",
        profile: "wasm",
        flags: &[],
        folder: "",
        is_shared: false,
    },
    Module {
        package: "adoube-wasm-game",
        name: "adoube_wasm_game",
        profile: "wasm",
        flags: &[],
        folder: "",
        is_shared: false,
    },
    Module {
        package: "adoube-wasm-analysis",
        name: "adoube_wasm_analysis",
        profile: "wasm-engine",
        // Vector instructions, for the networks. All browsers have supported them since 2023.
        flags: &["-Ctarget-feature=+simd128", STACK],
        folder: "",
        is_shared: false,
    },
    Module {
        package: "adoube-wasm-analysis",
        name: "adoube_wasm_analysis_threads",
        profile: "wasm-engine",
        flags: &[
            // The compiler warns for each crate that atomics are not stable. There is no other way to request
            // them for the standard library too. Browsers have supported the instructions since 2021.
            "-Ctarget-feature=+simd128,+atomics,+bulk-memory,+mutable-globals",
            STACK,
            "-Clink-arg=--shared-memory",
            "-Clink-arg=--import-memory",
            // Shared memory must declare its maximum size. 256 MiB is more than twice what the engine needs:
            // 32 MiB for the table, and 8 MiB for the stack and histories of each of eight threads.
            "-Clink-arg=--max-memory=268435456",
            // The bindings need these to give each thread a stack and thread-local values.
            "-Clink-arg=--export=__wasm_init_tls",
            "-Clink-arg=--export=__tls_size",
            "-Clink-arg=--export=__tls_align",
            "-Clink-arg=--export=__tls_base",
            "-Clink-arg=--export=__heap_base",
        ],
        folder: "wasm-threads/",
        is_shared: true,
    },
];

/// Compiles the modules, and writes the `.js`, `.d.ts` and `_bg.wasm` files of those that changed.
///
/// Only the module with threads may be missing afterwards: the page then uses the one without.
pub(crate) fn build(repository: &Repository) -> Result<()> {
    let installed = tools::wasm_standard_library(repository, TARGET)?;
    // The installed standard library is compiled without atomics.
    let with_atomics = tools::standard_library_sources(repository)?;
    let library = |module: &Module| if module.is_shared { with_atomics.as_ref() } else { Some(&installed) };
    // Optimising a whole module at the end uses only one processor, so the modules are compiled in parallel.
    let compiled = thread::scope(|scope| {
        let running = MODULES.each_ref().map(|module| {
            let library = library(module);
            scope.spawn(move || library.map(|library| run(&mut module.compile(repository, library))))
        });
        running.map(|module| module.join().expect("running a command does not panic"))
    });
    for (module, compiled) in MODULES.iter().zip(compiled) {
        let Some(compiled) = compiled else {
            module.skip_module(repository, tools::HOW_TO_GET_SOURCES)?;
            continue;
        };
        if module.is_shared && compiled.is_err() && !tools::can_fetch_standard_library(repository, TARGET) {
            module.skip_module(
                repository,
                "cargo cannot download the crates that the standard library uses: run this once with access to the crate registry",
            )?;
            continue;
        }
        compiled?;
        module.bind(repository)?;
    }
    Ok(())
}

impl Module {
    fn compile(&self, repository: &Repository, library: &WasmStandardLibrary) -> Command {
        let mut compile = repository.cargo();
        compile.args(["build", "--package", self.package, "--profile", self.profile, "--target", TARGET]);
        if !self.folder.is_empty() {
            compile.arg("--target-dir").arg(repository.target(self.folder));
        }
        if !self.flags.is_empty() {
            compile.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", self.flags.join(" "));
        }
        if let WasmStandardLibrary::FromSource { linker } = library {
            // Allows `-Z` on a stable compiler, such as Debian's.
            compile.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=std,panic_abort");
            if let Some(linker) = linker {
                compile.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
            }
        }
        compile
    }

    fn bind(&self, repository: &Repository) -> Result<()> {
        let compiled = self.package.replace('-', "_");
        let module = repository.target(&format!("{}{TARGET}/{}/{compiled}.wasm", self.folder, self.profile));
        Step::new(
            repository,
            self.name,
            vec![module.clone(), repository.path("xtask/bindings")],
            self.files(repository).to_vec(),
        )
        .run_if_stale(|| {
            run(repository
                .cargo()
                .args(["run", "--quiet", "--package", "xtask-bindings", "--"])
                .args([&module, &repository.path(FOLDER)])
                .arg(self.name))
        })
    }

    fn files(&self, repository: &Repository) -> [PathBuf; 3] {
        [".js", ".d.ts", "_bg.wasm"].map(|end| repository.path(FOLDER).join(format!("{}{end}", self.name)))
    }

    /// Reports why the module is missing, and removes an older one, which may be incompatible.
    fn skip_module(&self, repository: &Repository, why: &str) -> Result<()> {
        eprintln!("xtask: {} was not built, so the engine has one thread in the browser: {why}", self.name);
        for file in self.files(repository) {
            if file.exists() {
                fs::remove_file(&file).with_context(|| format!("{} cannot be removed", file.display()))?;
            }
        }
        Ok(())
    }
}
