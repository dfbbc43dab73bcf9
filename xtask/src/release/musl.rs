//! The static binary, linked with musl instead of the host's C library.
//!
//! Where `rustup` cannot fetch Rust's standard library for musl, it is compiled from the sources that come
//! with the compiler, together with the unwinder, which is a library in C and C++.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repository::{Repository, run};
use crate::tools;

const TARGET: &str = "x86_64-unknown-linux-musl";

/// The folder of musl's start files and its static library in Debian's `musl-dev` package.
const START_FILES: &str = "/usr/lib/x86_64-linux-musl";

/// The part of LLVM's libunwind that unwinds the stack of a Rust program on Linux.
const UNWINDER: [(&str, &[&str]); 5] = [
    ("UnwindLevel1.c", &["-std=c99"]),
    ("UnwindLevel1-gcc-ext.c", &["-std=c99"]),
    ("UnwindRegistersRestore.S", &[]),
    ("UnwindRegistersSave.S", &[]),
    ("libunwind.cpp", &["-xc++", "-std=c++17", "-nostdinc++", "-fno-exceptions", "-fno-rtti"]),
];

/// Rust's standard library for the target.
#[derive(Debug)]
pub(super) enum StandardLibrary {
    Installed,
    FromSource { unwinder: PathBuf },
}

/// Finds or installs the requirements of a static binary: Rust's standard library for the target, and a C
/// compiler for SQLite and the cryptographic code.
pub(super) fn prepare(repository: &Repository) -> Result<StandardLibrary> {
    tools::debian_program("musl-gcc", "musl-tools")?;
    if tools::is_target_installed(repository, TARGET) {
        return Ok(StandardLibrary::Installed);
    }
    tools::debian_program("g++", "g++")?;
    if !Path::new(START_FILES).join("rcrt1.o").is_file() {
        bail!("{START_FILES}/rcrt1.o is missing: on Debian `apt-get install musl-dev`");
    }
    if tools::standard_library_sources(repository)?.is_none() {
        bail!("{}", tools::HOW_TO_GET_SOURCES);
    }
    let unwinder = repository.target("musl-unwinder");
    compile_unwinder(&tools::library_sources(repository)?.join("../src/llvm-project/libunwind"), &unwinder)?;
    Ok(StandardLibrary::FromSource { unwinder })
}

/// Compiles `libunwind.a` into a folder.
fn compile_unwinder(sources: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be created", folder.display()))?;
    let mut objects = Vec::new();
    for (source, options) in UNWINDER {
        let object = folder.join(format!("{source}.o"));
        run(Command::new("musl-gcc")
            .args(options)
            .args(["-O2", "-fPIC", "-fstrict-aliasing", "-funwind-tables", "-fvisibility=hidden"])
            .args(["-DNDEBUG", "-D_GNU_SOURCE", "-D_LIBUNWIND_IS_NATIVE_ONLY", "-I"])
            .arg(sources.join("include"))
            .arg("-c")
            .arg(sources.join("src").join(source))
            .arg("-o")
            .arg(&object))?;
        objects.push(object);
    }
    run(Command::new("ar").arg("rcs").arg(folder.join("libunwind.a")).args(objects))
}

/// Compiles the binary, and returns its path.
pub(super) fn compile(repository: &Repository, library: &StandardLibrary) -> Result<PathBuf> {
    let mut compile = repository.cargo();
    compile.args(["build", "--release", "--package", "adoube-cli", "--bin", "adoube", "--target", TARGET]);
    if let StandardLibrary::FromSource { unwinder } = library {
        let unwinder = unwinder.to_str().context("the path of the build folder is not UTF-8")?;
        // Separated by a character that no path contains.
        let flags = [
            "-Clink-self-contained=no",
            &format!("-Lnative={unwinder}"),
            // gcc then links musl's start files rather than its own.
            &format!("-Clink-arg=-B{START_FILES}"),
        ]
        .join("\x1f");
        compile
            // Allows `-Z` on a stable compiler.
            .env("RUSTC_BOOTSTRAP", "1")
            .arg("-Zbuild-std=std,panic_unwind")
            .env("CARGO_ENCODED_RUSTFLAGS", flags)
            // `musl-gcc` does not support `-static-pie`, and would link a dynamic program.
            .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_LINKER", "gcc");
    }
    run(&mut compile)?;
    Ok(repository.target(TARGET).join("release/adoube"))
}
