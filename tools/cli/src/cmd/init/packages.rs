//! The Cargo packages of a contest's folder: the one in it, and those in the folders of it.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tester_core::process::cargo_build;
use tester_core::util::bounded_read::{MAX_TEXT, read_text};
use tester_core::util::tester_word::shorter;
use toml::Table;

use crate::cmd::cargo_metadata::cargo_metadata;

/// A Cargo package with programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    /// From the contest's folder; empty for that folder.
    pub(super) folder: PathBuf,
    /// Programs, and their source files from the contest's folder.
    pub(super) bins: Vec<(String, PathBuf)>,
    /// The program that `cargo run` means.
    pub(super) default_run: Option<String>,
    /// Where its programs are after `cargo build --release`.
    pub(super) release: PathBuf,
}

impl Package {
    /// Whether it has the program that a package has by itself, or says which one `cargo run` means.
    pub(super) fn has_main(&self) -> bool {
        let is_main = |source: &Path| source == self.folder.join("src/main.rs");
        self.default_run.is_some() || self.bins.iter().any(|(_, source)| is_main(source))
    }

    /// The shell line that builds it, from the contest's folder.
    pub(super) fn build(&self) -> String {
        cargo_build(&self.folder)
    }
}

/// A folder with a `Cargo.toml` that Cargo does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrokenPackage {
    pub(super) folder: PathBuf,
    pub(super) why: String,
}

/// All packages, the one of the contest's folder first, then by folder.
#[derive(Debug, Default)]
pub(super) struct Packages {
    pub(super) found: Vec<Package>,
    pub(super) broken: Vec<BrokenPackage>,
}

impl Packages {
    /// Asks Cargo, which knows workspaces, names of programs and where they are built.
    pub(super) fn find(top: &Path) -> Self {
        let mut all = Self::default();
        for folder in folders_with_manifest(top) {
            if all.found.iter().any(|package| package.folder == folder) {
                continue; // in a workspace of an earlier one
            }
            match cargo_metadata(&top.join(&folder)) {
                Ok(metadata) => all.add(top, &metadata),
                Err(why) => {
                    let is_top = folder.as_os_str().is_empty();
                    all.found
                        .extend(is_top.then(|| without_cargo(top)).flatten());
                    all.broken.push(BrokenPackage { folder, why });
                }
            }
        }
        all.found.retain(|package| !package.bins.is_empty());
        all.found.sort_by(|a, b| a.folder.cmp(&b.folder));
        all
    }

    fn add(&mut self, top: &Path, metadata: &Value) {
        let target = metadata["target_directory"].as_str().unwrap_or("target");
        let release = Path::new(target).join("release");
        // Pictures are drawn in other folders, where a path that goes up would lead elsewhere.
        let release = match shorter(release.clone(), top) {
            relative if relative.starts_with("..") => release,
            relative => relative,
        };
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let Some(package) = package_of(top, package, &release) else {
                continue;
            };
            if self
                .found
                .iter()
                .all(|known| known.folder != package.folder)
            {
                self.found.push(package);
            }
        }
    }
}

/// A package from its metadata; `None` if it is outside the contest's folder.
fn package_of(top: &Path, package: &Value, release: &Path) -> Option<Package> {
    let manifest = Path::new(package["manifest_path"].as_str()?);
    let folder = manifest.parent()?.strip_prefix(top).ok()?;
    let is_bin = |target: &&Value| {
        let kinds = target["kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"))
    };
    let bin = |target: &Value| {
        let source = Path::new(target["src_path"].as_str()?);
        let source = source.strip_prefix(top).unwrap_or(source);
        Some((target["name"].as_str()?.to_owned(), source.to_owned()))
    };
    let targets = package["targets"].as_array()?.iter();
    Some(Package {
        name: package["name"].as_str()?.to_owned(),
        folder: folder.to_owned(),
        bins: targets.filter(is_bin).filter_map(bin).collect(),
        default_run: package["default_run"].as_str().map(str::to_owned),
        release: release.to_owned(),
    })
}

/// The package of the contest's folder as its manifest has it, where Cargo does not accept it: a helper beside it is not
/// the program.
fn without_cargo(top: &Path) -> Option<Package> {
    let text = read_text(&top.join("Cargo.toml"), MAX_TEXT).ok()?;
    let manifest: Table = text.parse().ok()?;
    let package = manifest.get("package")?;
    let name = package.get("name")?.as_str()?.to_owned();
    let named = manifest.get("bin").and_then(toml::Value::as_array);
    let named = named.into_iter().flatten().filter_map(|bin| {
        let path = bin.get("path")?.as_str()?;
        Some((bin.get("name")?.as_str()?.to_owned(), PathBuf::from(path)))
    });
    let mut bins: Vec<(String, PathBuf)> = named.collect();
    let main = PathBuf::from("src/main.rs");
    if top.join(&main).is_file() && bins.iter().all(|(_, source)| *source != main) {
        bins.push((name.clone(), main));
    }
    let default_run = package.get("default-run").and_then(toml::Value::as_str);
    Some(Package {
        name,
        folder: PathBuf::new(),
        bins,
        default_run: default_run.map(str::to_owned),
        release: "target/release".into(),
    })
}

/// Where the official tools are if their archive, which has a folder `tools`, was unpacked in `tools`.
pub(super) const UNPACKED_IN_TOOLS: &str = "tools/tools";

/// The contest's folder and the folders in it, if they have a `Cargo.toml`.
fn folders_with_manifest(top: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(top).into_iter().flatten().flatten();
    let names = entries.map(|entry| PathBuf::from(entry.file_name()));
    let mut folders: Vec<PathBuf> = names
        .chain([PathBuf::new(), UNPACKED_IN_TOOLS.into()])
        .collect();
    folders.retain(|folder| top.join(folder).join("Cargo.toml").is_file());
    folders.sort();
    folders
}
