//! The packages of the workspace and what they depend on, from `cargo metadata`.

use serde_json::Value;

/// How a package uses another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    Normal,
    Build,
    Dev,
}

/// One line of a package's manifest that names another package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) used: Use,
    /// Whether it is a package of this repository.
    pub(crate) ours: bool,
}

/// A package of the graph, ours or of others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// An SPDX expression; empty when the package does not say.
    pub(crate) license: String,
    /// The place it was fetched from; `None` for ours.
    pub(crate) source: Option<String>,
    /// For ours: the manifest, from the root of the repository.
    pub(crate) manifest: String,
    pub(crate) has_build_script: bool,
    pub(crate) dependencies: Vec<Dependency>,
}

/// All packages that a build of the workspace needs.
#[derive(Default)]
pub(crate) struct Graph {
    pub(crate) packages: Vec<Package>,
}

impl Graph {
    /// Reads the output of `cargo metadata --format-version 1`.
    pub(crate) fn parse(json: &str) -> Result<Graph, String> {
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("cargo metadata: {error}"))?;
        let root = string(&value, "workspace_root")?;
        let packages =
            array(&value, "packages")?.iter().map(|package| parse_package(package, root));
        Ok(Graph { packages: packages.collect::<Result<_, _>>()? })
    }

    /// The packages of this repository.
    pub(crate) fn ours(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_none())
    }

    /// The packages of others.
    pub(crate) fn theirs(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.source.is_some())
    }
}

fn parse_package(value: &Value, root: &str) -> Result<Package, String> {
    let manifest = string(value, "manifest_path")?;
    let manifest = manifest.strip_prefix(root).unwrap_or(manifest).trim_start_matches(['/', '\\']);
    let is_build_script = |target: &Value| {
        let kinds = target["kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "custom-build"))
    };
    let dependencies = array(value, "dependencies")?.iter().map(parse_dependency);
    Ok(Package {
        name: string(value, "name")?.to_owned(),
        license: value["license"].as_str().unwrap_or("").to_owned(),
        source: value["source"].as_str().map(str::to_owned),
        manifest: manifest.replace('\\', "/"),
        has_build_script: array(value, "targets")?.iter().any(is_build_script),
        dependencies: dependencies.collect::<Result<_, _>>()?,
    })
}

fn parse_dependency(value: &Value) -> Result<Dependency, String> {
    let used = match value["kind"].as_str() {
        None => Use::Normal,
        Some("build") => Use::Build,
        Some("dev") => Use::Dev,
        Some(other) => return Err(format!("cargo metadata: unknown kind of dependency {other}")),
    };
    Ok(Dependency {
        name: string(value, "name")?.to_owned(),
        used,
        ours: value["source"].is_null(),
    })
}

fn string<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or_else(|| format!("cargo metadata: no text `{key}`"))
}

fn array<'a>(value: &'a Value, key: &str) -> Result<&'a [Value], String> {
    let array = value[key].as_array().ok_or_else(|| format!("cargo metadata: no list `{key}`"))?;
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read() {
        let json = r#"{"workspace_root": "/r", "packages": [
            {"name": "a", "license": "MIT", "source": null, "manifest_path": "/r/crates/a/Cargo.toml",
             "targets": [{"kind": ["lib"]}, {"kind": ["custom-build"]}],
             "dependencies": [{"name": "b", "kind": null, "source": "registry+x"},
                              {"name": "c", "kind": "dev", "source": null}]},
            {"name": "b", "license": null, "source": "registry+x", "manifest_path": "/b/Cargo.toml",
             "targets": [], "dependencies": []}]}"#;
        let graph = Graph::parse(json).unwrap();
        let a = graph.ours().next().unwrap();
        assert_eq!((a.manifest.as_str(), a.has_build_script), ("crates/a/Cargo.toml", true));
        let uses: Vec<_> =
            a.dependencies.iter().map(|d| (d.name.as_str(), d.used, d.ours)).collect();
        assert_eq!(uses, [("b", Use::Normal, false), ("c", Use::Dev, true)]);
        assert_eq!(graph.theirs().map(|package| package.name.as_str()).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn metadata_of_another_shape_is_refused() {
        for json in ["", "{}", r#"{"workspace_root": "/r", "packages": [{}]}"#] {
            assert!(Graph::parse(json).is_err(), "{json}");
        }
    }
}
