//! Checks the licences and sources of dependencies and the advisories about them, and writes the bills of
//! materials for the binary and the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::repository::{Repository, output_of, run};
use crate::{tools, web};

/// The version for which `deny.toml` was written.
pub(crate) const DENY: tools::CargoTool = tools::CargoTool { name: "cargo-deny", version: "0.20.2" };

/// The package whose binary is distributed.
const BINARY: &str = "adoube-cli";

/// Checks the licences and sources of all dependencies and that none is banned, and checks for advisories if
/// their database can be reached.
pub(crate) fn deny(repository: &Repository) -> Result<()> {
    let tool = tools::cargo_tool(repository, &DENY)?;
    check_that_a_forbidden_licence_is_refused(repository, &tool)?;
    run(repository.command(&tool).args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))?;
    if run(repository.command(&tool).args(["fetch", "db"])).is_err() {
        eprintln!("advisories were not checked: their database cannot be reached from here");
        return Ok(());
    }
    run(repository.command(&tool).args(["check", "--hide-inclusion-graph", "--disable-fetch", "advisories"]))
}

/// Proves that the check can fail: with the same `deny.toml`, a package under a forbidden licence is refused.
fn check_that_a_forbidden_licence_is_refused(repository: &Repository, tool: &Path) -> Result<()> {
    let folder = repository.target("tools").join("forbidden-licence");
    fs::create_dir_all(folder.join("src"))?;
    let manifest = "[package]\nname = \"forbidden\"\nversion = \"1.0.0\"\nedition = \"2024\"\nlicense = \"AGPL-3.0-only\"\n\n[workspace]\n";
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), "")?;
    let output = repository
        .command(tool)
        .args(["--color", "never", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--config")
        .arg(repository.path("deny.toml"))
        .args(["check", "licenses"])
        .output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !stderr.contains("AGPL-3.0-only") {
        bail!("`cargo deny` did not refuse AGPL-3.0-only, so its check proves nothing:\n{stderr}");
    }
    Ok(())
}

/// Writes the bills of materials for the binary and the page, as `CycloneDX` 1.5, to `sbom/` in the build
/// folder.
pub(crate) fn sbom(repository: &Repository) -> Result<()> {
    let folder = repository.target("sbom");
    fs::create_dir_all(&folder)?;

    let metadata = output_of(repository.cargo().args(["metadata", "--format-version", "1", "--locked"]));
    let metadata = serde_json::from_str(&metadata.context("`cargo metadata` failed")?)?;
    // `cargo metadata` describes all packages and their possible dependencies, with the features of the whole
    // workspace. `cargo tree` lists the packages that are built for this binary.
    let tree = output_of(repository.cargo().args([
        "tree",
        "--locked",
        "--package",
        BINARY,
        "--target",
        "all",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]));
    let tree = tree.context("`cargo tree` failed")?;
    let built = names_of_tree(&tree);
    let bom = rust_bom(&metadata, BINARY, &built)?;
    check_complete(&bom, &built)?;
    check_no_others(&bom, &built)?;
    fs::write(folder.join("adoube.cdx.json"), serde_json::to_string_pretty(&bom)?)?;

    web::packages(repository)?;
    if output_of(repository.npm().args(["sbom", "--help"])).is_none() {
        eprintln!("the dependencies of the page were not listed: `npm sbom` needs npm 10 or later");
        return Ok(());
    }
    let page = output_of(repository.npm().args(["sbom", "--sbom-format", "cyclonedx", "--omit", "dev"]));
    let page = page.context("`npm sbom` failed")?;
    let mut bom: Value = serde_json::from_str(&page).context("`npm sbom` did not write JSON")?;
    make_reproducible(&mut bom);
    let expected = fs::read_to_string(repository.path("web/package.json"))?;
    let expected: Value = serde_json::from_str(&expected)?;
    let expected = expected["dependencies"].as_object().context("web/package.json names no dependencies")?;
    let version = |version: &Value| version.as_str().unwrap_or_default().to_owned();
    check_complete(&bom, &expected.iter().map(|(name, value)| (name.clone(), version(value))).collect())?;
    fs::write(folder.join("web.cdx.json"), serde_json::to_string_pretty(&bom)?)?;
    eprintln!("bills of materials for the binary and the page: {}", folder.display());
    Ok(())
}

/// Removes what makes each bill of materials unique, so that packages with the same content are equal.
fn make_reproducible(bom: &mut Value) {
    if let Some(bom) = bom.as_object_mut() {
        bom.remove("serialNumber");
    }
    if let Some(metadata) = bom["metadata"].as_object_mut() {
        metadata.remove("timestamp");
    }
}

/// Lists a package and those of its dependencies that are in `built`, from the output of `cargo metadata`.
/// Dependencies that only tests or other workspace members need are left out.
fn rust_bom(metadata: &Value, package: &str, built: &BTreeSet<(String, String)>) -> Result<Value> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages: BTreeMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let root = packages
        .iter()
        .find_map(|(id, each)| (text(&each["name"]) == package).then_some(id))
        .with_context(|| format!("`cargo metadata` does not list {package}"))?;

    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut pending = vec![root.clone()];
    while let Some(id) = pending.pop() {
        if dependencies.contains_key(&id) {
            continue;
        }
        let is_built = |dependency: &Value| {
            let package = &packages[&text(&dependency["pkg"])];
            built.contains(&(text(&package["name"]), text(&package["version"])))
                && list(&dependency["dep_kinds"]).iter().any(|kind| text(&kind["kind"]) != "dev")
        };
        let of_node = list(&nodes.get(&id).with_context(|| format!("{id} is not resolved"))?["deps"]);
        let direct: BTreeSet<String> =
            of_node.iter().filter(|each| is_built(each)).map(|each| text(&each["pkg"])).collect();
        pending.extend(direct.iter().cloned());
        dependencies.insert(id, direct);
    }

    let purl = |id: &String| {
        let package = &packages[id];
        format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
    };
    let component = |id: &String| {
        let package = &packages[id];
        let mut component = json!({
            "type": if id == root { "application" } else { "library" },
            "bom-ref": purl(id),
            "name": package["name"],
            "version": package["version"],
            "purl": purl(id),
        });
        if let Some(license) = package["license"].as_str() {
            // Older manifests have a slash instead of `OR`.
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        component
    };
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(root) },
        "components": dependencies.keys().filter(|id| *id != root).map(component).collect::<Vec<_>>(),
        "dependencies": dependencies
            .iter()
            .map(|(id, direct)| json!({
                "ref": purl(id),
                "dependsOn": direct.iter().map(purl).collect::<Vec<_>>(),
            }))
            .collect::<Vec<_>>(),
    }))
}

/// Reads names and versions from lines such as `serde_derive v1.0.228 (proc-macro)`.
fn names_of_tree(tree: &str) -> BTreeSet<(String, String)> {
    tree.lines()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
        })
        .collect()
}

/// Fails unless a document is a bill of materials that names all of these packages.
fn check_complete(bom: &Value, expected: &BTreeSet<(String, String)>) -> Result<()> {
    if bom["bomFormat"] != "CycloneDX" || bom["specVersion"].as_str().is_none() {
        bail!("this is not a CycloneDX document");
    }
    let named = names_of_bom(bom);
    let missing: Vec<_> =
        expected.difference(&named).map(|(name, version)| format!("{name} {version}")).collect();
    if expected.is_empty() || !missing.is_empty() {
        bail!("the bill of materials lacks {} of {}: {}", missing.len(), expected.len(), missing.join(", "));
    }
    Ok(())
}

/// Fails if a bill of materials names a package that was not built.
fn check_no_others(bom: &Value, built: &BTreeSet<(String, String)>) -> Result<()> {
    let extra: Vec<_> =
        names_of_bom(bom).difference(built).map(|(name, version)| format!("{name} {version}")).collect();
    if !extra.is_empty() {
        bail!(
            "the bill of materials names packages that are not built ({}): {}",
            extra.len(),
            extra.join(", ")
        );
    }
    Ok(())
}

fn names_of_bom(bom: &Value) -> BTreeSet<(String, String)> {
    let none = Vec::new();
    let components = bom["components"].as_array().unwrap_or(&none).iter();
    components
        .chain([&bom["metadata"]["component"]])
        .filter_map(|each| Some((each["name"].as_str()?.to_owned(), each["version"].as_str()?.to_owned())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Value {
        let package =
            |name: &str| json!({ "id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0" });
        let dep = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        json!({
            "packages": [package("app"), package("door"), package("hinge"), package("paint"), package("ladder")],
            "resolve": { "nodes": [
                { "id": "app", "deps": [dep("door", Value::Null), dep("ladder", json!("dev")), dep("paint", json!("build"))] },
                { "id": "door", "deps": [dep("hinge", Value::Null)] },
                { "id": "hinge", "deps": [] },
                { "id": "paint", "deps": [] },
                { "id": "ladder", "deps": [] },
            ] },
        })
    }

    fn name_set(names: &[&str]) -> BTreeSet<(String, String)> {
        names.iter().map(|name| ((*name).to_owned(), "1.0.0".to_owned())).collect()
    }

    #[test]
    fn a_bill_of_materials_does_not_depend_on_when_it_was_written() {
        let mut bom = json!({
            "serialNumber": "urn:uuid:1",
            "metadata": { "timestamp": "2026-01-01T00:00:00Z", "lifecycles": [] },
            "components": [],
        });
        make_reproducible(&mut bom);
        assert_eq!(bom, json!({ "metadata": { "lifecycles": [] }, "components": [] }));
    }

    #[test]
    fn built_packages_are_listed_without_test_dependencies() {
        let bom = rust_bom(&metadata(), "app", &name_set(&["app", "door", "hinge", "paint"])).unwrap();
        assert!(check_complete(&bom, &name_set(&["app", "door", "hinge", "paint"])).is_ok());
        let names: Vec<_> = bom["components"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
        assert_eq!(names, ["door", "hinge", "paint"]);
        assert_eq!(bom["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(
            bom["dependencies"][1],
            json!({
                "ref": "pkg:cargo/door@1.0.0",
                "dependsOn": ["pkg:cargo/hinge@1.0.0"],
            })
        );
    }

    #[test]
    fn features_of_other_members_add_no_packages() {
        let built = name_set(&["app", "door", "paint"]);
        let bom = rust_bom(&metadata(), "app", &built).unwrap();
        assert!(check_complete(&bom, &built).is_ok() && check_no_others(&bom, &built).is_ok());
        let whole = rust_bom(&metadata(), "app", &name_set(&["app", "door", "hinge", "paint"])).unwrap();
        let error = check_no_others(&whole, &built).unwrap_err().to_string();
        assert_eq!(error, "the bill of materials names packages that are not built (1): hinge 1.0.0");
    }

    #[test]
    fn a_missing_package_is_reported() {
        let mut bom = rust_bom(&metadata(), "app", &name_set(&["app", "door", "hinge", "paint"])).unwrap();
        bom["components"].as_array_mut().unwrap().remove(1);
        let error =
            check_complete(&bom, &name_set(&["app", "door", "hinge", "paint"])).unwrap_err().to_string();
        assert_eq!(error, "the bill of materials lacks 1 of 4: hinge 1.0.0");
        assert!(check_complete(&json!({}), &name_set(&["app"])).is_err());
        assert!(check_complete(&bom, &name_set(&[])).is_err(), "an empty list is refused");
    }

    #[test]
    fn lines_of_cargo_tree_are_parsed() {
        let tree = "app v1.0.0 (/src/app)\ndoor v1.0.0 (proc-macro)\ndoor v1.0.0 (proc-macro) (*)\n\n";
        assert_eq!(names_of_tree(tree), name_set(&["app", "door"]));
    }
}
