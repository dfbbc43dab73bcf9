//! Finds tools other than the Rust compiler, installs missing ones if that takes only one step, and otherwise
//! reports how to get them.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repository::{Repository, output_of, run};

/// Where the standard library for WebAssembly comes from.
#[derive(Debug)]
pub(crate) enum WasmStandardLibrary {
    Installed,
    /// The library is compiled with the module, from the sources that come with the compiler.
    FromSource {
        /// The linker to name explicitly; `None` if the compiler comes with one, or if none was found.
        linker: Option<PathBuf>,
    },
}

/// Finds the standard library for the target, or installs it with `rustup`, or finds its sources.
pub(crate) fn wasm_standard_library(repository: &Repository, target: &str) -> Result<WasmStandardLibrary> {
    let installed = || {
        rustc_path(repository, &["--print", "target-libdir", "--target", target])
            .and_then(|folder| fs::read_dir(folder).ok())
            .is_some_and(|files| {
                files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
            })
    };
    if installed() {
        return Ok(WasmStandardLibrary::Installed);
    }
    if let Some(rustup) = find_on_path("rustup") {
        let added = run(repository.command(rustup).args(["target", "add", target]));
        if added.is_ok() && installed() {
            return Ok(WasmStandardLibrary::Installed);
        }
    }
    let sysroot = sysroot(repository)?;
    if library_of(&sysroot).join("Cargo.lock").is_file() {
        return Ok(WasmStandardLibrary::FromSource { linker: external_linker(&sysroot) });
    }
    bail!(
        "the standard library for {target} is missing: run `rustup target add {target}`, or on Debian \
         without rustup `apt-get install rust-web-src lld`"
    )
}

/// The remedy if [`standard_library_sources`] finds no sources.
pub(crate) const HOW_TO_GET_SOURCES: &str = "the sources of the standard library are missing: run \
     `rustup component add rust-src`, or on Debian without rustup `apt-get install rust-web-src lld`";

/// Finds the sources of the standard library, or installs them with `rustup`.
pub(crate) fn standard_library_sources(repository: &Repository) -> Result<Option<WasmStandardLibrary>> {
    let sysroot = sysroot(repository)?;
    let are_installed = || library_of(&sysroot).join("Cargo.lock").is_file();
    if !are_installed()
        && let Some(rustup) = find_on_path("rustup")
    {
        // The files show whether it succeeded.
        let _ = run(repository.command(rustup).args(["component", "add", "rust-src"]));
    }
    Ok(are_installed().then(|| WasmStandardLibrary::FromSource { linker: external_linker(&sysroot) }))
}

/// Returns `true` if cargo has, or can get, the dependencies of the standard library.
pub(crate) fn can_fetch_standard_library(repository: &Repository, target: &str) -> bool {
    let Ok(sysroot) = sysroot(repository) else { return false };
    let mut fetch = repository.cargo();
    fetch.env("RUSTC_BOOTSTRAP", "1").args(["fetch", "--locked", "--target", target, "--manifest-path"]);
    run(fetch.arg(library_of(&sysroot).join("Cargo.toml"))).is_ok()
}

fn rustc_path(repository: &Repository, arguments: &[&str]) -> Option<PathBuf> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output_of(repository.command(rustc).args(arguments)).map(PathBuf::from)
}

fn sysroot(repository: &Repository) -> Result<PathBuf> {
    rustc_path(repository, &["--print", "sysroot"]).context("`rustc --print sysroot` failed")
}

/// Returns the folder of the standard library's sources, which may not exist.
pub(crate) fn library_sources(repository: &Repository) -> Result<PathBuf> {
    Ok(library_of(&sysroot(repository)?))
}

fn library_of(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib/src/rust/library")
}

/// Returns the WebAssembly linker to name explicitly. Returns `None` if the compiler comes with its own,
/// which fits it best, or if there is none.
fn external_linker(sysroot: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(sysroot.join("lib/rustlib")).ok()?;
    let rust_lld = format!("bin/rust-lld{}", env::consts::EXE_SUFFIX);
    if hosts.flatten().any(|host| host.path().join(&rust_lld).is_file()) {
        return None;
    }
    find_on_path("wasm-ld")
}

/// Checks that npm and a recent enough Node.js are installed.
pub(crate) fn node() -> Result<()> {
    const NODE_REMEDY: &str = "install Node.js 20.19, or 22.12 or later, with npm";
    let Some(version) = output_of(Command::new("node").arg("--version")) else {
        bail!("`node` is missing: {NODE_REMEDY}");
    };
    if !node_is_recent(&version) {
        bail!("`node` is {version}, too old for the web tools: {NODE_REMEDY}");
    }
    if find_on_path("npm").is_none() {
        bail!("`npm` is missing: {NODE_REMEDY}");
    }
    Ok(())
}

/// Returns `true` for the versions that the bundler requires: `^20.19 || >=22.12`.
fn node_is_recent(version: &str) -> bool {
    let mut numbers = version.trim_start_matches('v').split('.').map(str::parse::<u32>);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => {
            (major == 20 && minor >= 19) || (major == 22 && minor >= 12) || major > 22
        }
        _ => false,
    }
}

/// A cargo command that is installed when needed.
#[derive(Debug)]
pub(crate) struct CargoTool {
    pub(crate) name: &'static str,
    /// The version for which its settings in this repository were written.
    pub(crate) version: &'static str,
}

/// Finds the right version of a tool, or has `cargo` install it in the build folder.
pub(crate) fn cargo_tool(repository: &Repository, tool: &CargoTool) -> Result<PathBuf> {
    find_or_install(repository, tool, repository.cargo())
}

/// Installs a tool with the lowest priority while something else runs, so that it is ready when
/// [`cargo_tool`] needs it. An error is only printed, because that call tries again.
pub(crate) fn prepare(repository: &Repository, tool: &CargoTool) {
    if let Err(error) = find_or_install(repository, tool, repository.low_priority_cargo()) {
        eprintln!("xtask: {} was not prepared: {error:#}", tool.name);
    }
}

fn find_or_install(repository: &Repository, tool: &CargoTool, mut cargo: Command) -> Result<PathBuf> {
    let CargoTool { name, version } = tool;
    let root = repository.target("tools");
    let own = root.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let fits = |path: &PathBuf| {
        output_of(repository.command(path).arg("--version"))
            .is_some_and(|version_line| version_line.ends_with(&format!(" {version}")))
    };
    // Only one thread of one process may install tools at a time: if two install the same tool, one fails. The
    // lock is released when the file is closed.
    fs::create_dir_all(&root)?;
    let path = root.join("lock");
    let lock = File::create(&path).with_context(|| format!("{} cannot be created", path.display()))?;
    lock.lock().with_context(|| format!("{} cannot be locked", path.display()))?;
    if let Some(found) = find_on_path(name).into_iter().chain([own.clone()]).find(fits) {
        return Ok(found);
    }
    // An unoptimised build takes half the time, and the tool runs for only a few seconds. Debug information
    // is not needed.
    run(cargo
        .args(["install", "--quiet", "--debug", "--locked", "--force", "--root"])
        .arg(&root)
        .arg("--target-dir")
        .arg(root.join("build"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .arg(format!("{name}@{version}")))?;
    Ok(own)
}

/// Finds Rust's standard library for a target, or installs it with `rustup`. Returns `false` if it is
/// missing.
pub(crate) fn is_target_installed(repository: &Repository, target: &str) -> bool {
    let installed = || {
        rustc_path(repository, &["--print", "target-libdir", "--target", target])
            .is_some_and(|folder| folder.is_dir())
    };
    if !installed()
        && let Some(rustup) = find_on_path("rustup")
    {
        // The files show whether it succeeded.
        let _ = run(repository.command(rustup).args(["target", "add", target]));
    }
    installed()
}

/// Finds a program, or installs its Debian package where that is allowed.
pub(crate) fn debian_program(name: &str, package: &str) -> Result<()> {
    if find_on_path(name).is_none() && may_install() {
        install(&[package])?;
    }
    if find_on_path(name).is_none() {
        bail!("`{name}` is missing: on Debian `apt-get install {package}`");
    }
    Ok(())
}

/// Debian's Chromium packages, in order of preference. Each has the same name as its program. The headless
/// shell needs little more than half the processor time for the same tests.
const CHROMIUM: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Finds Chromium for the browser tests, or installs Debian's if [`may_install`].
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(given) = env::var_os("CHROMIUM").map(PathBuf::from) {
        if given.is_file() {
            return Ok(given);
        }
        bail!("CHROMIUM is {}, which is not a file: name the executable", given.display());
    }
    for name in CHROMIUM {
        if let Some(found) = find_on_path(name) {
            return Ok(found);
        }
        if may_install() {
            match install(&[name]) {
                Ok(()) => {}
                // Not every Debian release has both.
                Err(error) => eprintln!("xtask: {error:#}"),
            }
            if let Some(installed) = find_on_path(name) {
                return Ok(installed);
            }
        }
    }
    bail!(
        "Chromium is missing: install {}, or name an executable in the CHROMIUM variable",
        CHROMIUM.join(" or ")
    )
}

/// A server that tests start themselves.
struct Service {
    program: &'static str,
    /// The folders that may contain the program; `*` stands for any folder name.
    folders: &'static [&'static str],
    /// The name of the Debian package.
    package: &'static str,
}

/// The servers, with the folders in which the tests look for them.
const SERVICES: [Service; 4] = [
    Service { program: "initdb", folders: &["/usr/lib/postgresql/*/bin"], package: "postgresql" },
    Service { program: "nats-server", folders: &["/usr/sbin", "/usr/local/bin"], package: "nats-server" },
    Service { program: "nginx", folders: &["/usr/sbin", "/usr/local/sbin"], package: "nginx" },
    Service { program: "caddy", folders: &["/usr/bin", "/usr/local/bin"], package: "caddy" },
];

impl Service {
    fn is_installed(&self) -> bool {
        let file = format!("{}{}", self.program, env::consts::EXE_SUFFIX);
        find_on_path(self.program).is_some()
            || self.folders.iter().any(|folder| match folder.split_once("/*/") {
                None => Path::new(folder).join(&file).is_file(),
                Some((outer, inner)) => fs::read_dir(outer).is_ok_and(|found| {
                    found.flatten().any(|each| each.path().join(inner).join(&file).is_file())
                }),
            })
    }
}

/// Finds the servers that tests start themselves, or installs Debian's if [`may_install`]. A missing server
/// causes a warning, because the tests that need it are skipped; with the `CI` variable set, it is an error.
pub(crate) fn test_services() -> Result<()> {
    let missing = || -> Vec<&str> {
        SERVICES.iter().filter(|service| !service.is_installed()).map(|service| service.package).collect()
    };
    let mut packages = missing();
    if !packages.is_empty() && may_install() {
        if let Err(error) = install(&packages) {
            eprintln!("xtask: {error:#}");
        }
        packages = missing();
    }
    if packages.is_empty() {
        return Ok(());
    }
    let remedy = format!("servers for tests are missing: `apt-get install {}`", packages.join(" "));
    if env::var_os("CI").is_some() {
        bail!("{remedy}");
    }
    eprintln!("xtask: {remedy}; tests that need them are skipped");
    Ok(())
}

/// Checks that a clean Debian system can be created on this machine, and installs the tools to do so.
pub(crate) fn clean_debian() -> Result<()> {
    if !may_install() {
        bail!("creating a clean Debian system requires root on Debian");
    }
    let programs =
        [("mmdebstrap", "mmdebstrap"), ("strip", "binutils"), ("xz", "xz-utils"), ("rpmbuild", "rpm")];
    let missing: Vec<&str> = programs
        .into_iter()
        .filter(|(program, _)| find_on_path(program).is_none())
        .map(|(_, package)| package)
        .collect();
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

/// Returns `true` if Debian packages can be installed without a prompt.
fn may_install() -> bool {
    is_debian() && output_of(Command::new("id").arg("-u")).as_deref() == Some("0")
}

fn install(packages: &[&str]) -> Result<()> {
    run(Command::new("apt-get").arg("update"))?;
    run(Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "--yes", "--no-install-recommends"])
        .args(packages))
}

fn is_debian() -> bool {
    // Derivatives of Debian do not count: their package of the same name may be something else.
    fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

/// Returns the first file with that name on PATH.
pub(crate) fn find_on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_node_versions_are_those_that_the_bundler_requires() {
        for good in ["v20.19.0", "v20.20.2", "v22.12.0", "v24.0.1"] {
            assert!(node_is_recent(good), "{good}");
        }
        for bad in ["v18.20.4", "v20.18.3", "v21.7.0", "v22.11.0", "", "v20", "twenty.nineteen"] {
            assert!(!node_is_recent(bad), "{bad}");
        }
    }

    #[test]
    fn services_are_found_on_the_path_and_in_their_folders() {
        let service = |program, folders| Service { program, folders, package: "package" };
        assert!(service("cargo", &[]).is_installed());
        assert!(service("sh", &["/bin"]).is_installed());
        assert!(service("Cargo.toml", &[concat!(env!("CARGO_MANIFEST_DIR"), "/../*/")]).is_installed());
        assert!(!service("adoube-no-such-program", &["/bin", "/no/such/*/folder"]).is_installed());
    }

    #[test]
    fn programs_on_the_path_are_found() {
        assert!(find_on_path("cargo").is_some());
        assert_eq!(find_on_path("adoube-no-such-program"), None);
    }
}
