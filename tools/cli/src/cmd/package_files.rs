//! The files of a new package: those of the package `templates/new`, with another name.
//!
//! That package is a member of this project's workspace, so that its code is checked and its tests run as it stands.

use std::path::PathBuf;

/// What the package and its library are called in the templates.
const NAMES: [&str; 2] = ["new-contest", "new_contest"];

/// How the templates name the judge.
const DEPENDENCY: &str = r#"path = "../..""#;

/// Where the templates expect programs.
const PROGRAMS: &str = "target/release/";

macro_rules! templates {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../templates/new/", $name)))),*]
    };
}

/// All files except the manifest.
const TEMPLATES: &[(&str, &str)] = templates![
    "README.md",
    "src/problem.rs",
    "src/lib.rs",
    "src/main.rs",
    "tests/problem.rs",
    "contestants/rust.rs",
    "contestants/python.py",
    "contestants/cpp.cpp",
    "tester.toml",
    ".gitignore",
];

const MANIFEST: &str = include_str!("../../../templates/new/Cargo.toml");

/// The end of a manifest if the package is its own workspace. Only such a manifest may have profiles.
const OWN_WORKSPACE: &str = r#"# No member of a workspace in a folder above.
[workspace]

# Without optimisation across packages, and with less of the database, the judge is as fast. The first build takes
# 0.6 of the time.
[profile.release]
lto = "off"

[profile.release.package.libsqlite3-sys]
opt-level = 1

[profile.dev]
debug = "line-tables-only"
lto = "off"
"#;

/// Where Cargo finds the judge.
pub(super) enum Dependency {
    /// The folder of the judge's package.
    Path(PathBuf),
    /// The URL of a repository.
    Git(String),
}

/// A new package.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) dependency: Dependency,
    /// Whether it is a member of a workspace around it.
    pub(super) is_member: bool,
    /// The folder in which Cargo builds, as seen from the package.
    pub(super) target: String,
}

/// The names of all files.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let others = TEMPLATES.iter().map(|(name, _)| *name);
    std::iter::once("Cargo.toml").chain(others)
}

/// The first parts of the names.
pub(super) fn top_names() -> impl Iterator<Item = &'static str> {
    names().map(|name| name.split('/').next().unwrap_or(name))
}

impl Package {
    /// `Cargo.toml`.
    pub(super) fn manifest(&self) -> String {
        let dependency = match &self.dependency {
            Dependency::Path(path) => format!("path = {}", quoted(&path.to_string_lossy())),
            Dependency::Git(url) => format!("git = {}", quoted(url)),
        };
        let text = self.named(MANIFEST).replace(DEPENDENCY, &dependency);
        match self.is_member {
            true => text,
            false => format!("{text}\n{OWN_WORKSPACE}"),
        }
    }

    /// The names and texts of all files.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, String)> {
        let programs = format!("{}/release/", self.target);
        let text = move |text: &str| self.named(text).replace(PROGRAMS, &programs);
        let others = TEMPLATES
            .iter()
            .map(move |(name, template)| (*name, text(template)));
        std::iter::once(("Cargo.toml", self.manifest())).chain(others)
    }

    fn named(&self, text: &str) -> String {
        let library = self.name.replace('-', "_");
        let text = text.replace(NAMES[0], &self.name);
        text.replace(NAMES[1], &library)
    }
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
