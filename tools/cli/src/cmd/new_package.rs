//! `tester new`: writes a package with a problem of one's own.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use tester_core::process::shell_word;
use tester_core::util::tester_word::shorter;

use super::cargo_metadata::cargo_metadata;
use super::package_files::{self, Dependency, Package};
use crate::args::New;
use crate::hint::with_hint;

pub(crate) fn run(args: &New) -> Result<ExitCode> {
    let dir = args.dir.clone().unwrap_or_else(|| args.name.clone().into());
    let mut package = Package {
        name: args.name.clone(),
        dependency: dependency(args.tester.as_deref())?,
        is_member: true,
        target: "target".to_owned(),
    };
    check_free(&dir)?;
    let is_new = dir.symlink_metadata().is_err();
    let mut made = Vec::new();
    if let Err(error) = write_all(&dir, &mut package, &mut made) {
        // Half a package would not build, and would be in the way of the next try.
        remove(&dir, &made);
        if is_new {
            let _ = fs::remove_dir(&dir);
        }
        return Err(error);
    }
    say_what_is_next(&dir);
    Ok(ExitCode::SUCCESS)
}

/// Writes the package. `made` gets the files that did not exist before.
fn write_all(dir: &Path, package: &mut Package, made: &mut Vec<PathBuf>) -> Result<()> {
    let first: Vec<_> = package.files().collect();
    for (name, text) in &first {
        write(dir, name, text, made)?;
    }
    settle(dir, package)?;
    for ((name, text), (_, before)) in package.files().zip(first) {
        if text != before {
            let path = dir.join(name);
            fs::write(&path, text)
                .with_context(|| format!("failed to write {}", path.display()))?;
        }
    }
    Ok(())
}

/// Removes these files, and the folders of the package that are empty then: there were none before.
fn remove(dir: &Path, files: &[PathBuf]) {
    for file in files {
        let _ = fs::remove_file(file);
    }
    for folder in package_files::names().filter_map(|name| Path::new(name).parent()) {
        if folder != Path::new("") {
            let _ = fs::remove_dir(dir.join(folder));
        }
    }
}

/// Where Cargo is to find the judge.
fn dependency(typed: Option<&str>) -> Result<Dependency> {
    let hint = "--tester PATH names a checkout of the judge, --tester URL its git repository";
    match typed {
        Some(url) if url.contains("://") || url.starts_with("git@") => {
            Ok(Dependency::Git(url.to_owned()))
        }
        Some(path) => {
            let path = Path::new(path);
            let found = [path.to_owned(), path.join("tools")];
            let found = found.iter().find(|path| is_judge(path)).ok_or_else(|| {
                let found = path.display();
                with_hint(
                    format!("expected a checkout of the judge, found none in {found}"),
                    hint,
                )
            })?;
            Ok(Dependency::Path(fs::canonicalize(found)?))
        }
        None => built_from().map(Dependency::Path).ok_or_else(|| {
            let what = "expected the checkout that this program was built from, found it no more";
            with_hint(what, hint)
        }),
    }
}

/// The package of the judge that this program was built from, if it is still there.
fn built_from() -> Option<PathBuf> {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
    // What Cargo has fetched is Cargo's to delete.
    let is_fetched = cli.to_string_lossy().contains("/git/checkouts/");
    let judge = cli.parent()?;
    (is_judge(judge) && !is_fetched).then(|| judge.to_owned())
}

/// Whether the folder has the package of the judge.
fn is_judge(path: &Path) -> bool {
    let text = fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
    let manifest = text.parse::<toml::Table>().unwrap_or_default();
    let name = manifest
        .get("package")
        .and_then(|package| package.get("name"));
    name.and_then(toml::Value::as_str) == Some("tester")
}

/// Refuses a folder that has something of the same name.
fn check_free(dir: &Path) -> Result<()> {
    for name in package_files::top_names() {
        let path = dir.join(name);
        if path.symlink_metadata().is_ok() {
            let cause = format!("{} exists already; nothing was written", path.display());
            return Err(with_hint(cause, "--dir DIR names another folder"));
        }
    }
    Ok(())
}

/// Writes a file that does not exist yet.
fn write(dir: &Path, name: &str, text: &str, made: &mut Vec<PathBuf>) -> Result<()> {
    let path = dir.join(name);
    let folder = path.parent().expect("a folder and a name");
    fs::create_dir_all(folder).with_context(|| format!("failed to make {}", folder.display()))?;
    let file = OpenOptions::new().write(true).create_new(true).open(&path);
    let written = file.and_then(|mut file| {
        made.push(path.clone());
        file.write_all(text.as_bytes())
    });
    written.with_context(|| format!("failed to write {}", path.display()))
}

/// Finds out from Cargo whether the package is a member of a workspace around it, and where programs are built. Without
/// an answer, it is a workspace of its own. Cargo answers only where the files of a package are.
fn settle(dir: &Path, package: &mut Package) -> Result<()> {
    let top = fs::canonicalize(dir)?;
    let around = layout(dir).filter(|layout| layout.root != top);
    package.is_member = around.is_some();
    if around.is_none() {
        fs::write(top.join("Cargo.toml"), package.manifest())?;
    }
    if let Some(layout) = around.or_else(|| layout(dir)) {
        let target = shorter(layout.target, &top);
        // It is followed by a name, so that no `./` is needed.
        let target = target.strip_prefix(".").unwrap_or(&target);
        package.target = target.to_string_lossy().into_owned();
    }
    Ok(())
}

/// Folders of a workspace.
struct Layout {
    root: PathBuf,
    target: PathBuf,
}

fn layout(dir: &Path) -> Option<Layout> {
    let found = cargo_metadata(dir).ok()?;
    let folder = |key: &str| Some(PathBuf::from(found.get(key)?.as_str()?));
    Some(Layout {
        root: folder("workspace_root")?,
        target: folder("target_directory")?,
    })
}

fn say_what_is_next(dir: &Path) {
    let names: Vec<&str> = package_files::names().collect();
    note!("wrote to {}: {}", dir.display(), names.join(", "));
    note!("next:");
    if dir != Path::new(".") {
        note!("  cd {}", shell_word(dir.as_os_str()));
    }
    note!("  cargo run --release -- batch");
}
