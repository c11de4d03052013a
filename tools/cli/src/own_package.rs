//! A package with a problem of its own, as `tester new` writes one: only its own program knows the problem.

use std::path::Path;

use tester_core::problem::{ParamError, has_built_in_problems, problem_named};
use tester_core::util::bounded_read;
use tester_core::util::tester_word::tester_word;

/// A longer file is no manifest.
const MAX_MANIFEST: u64 = 1 << 20;

/// The name of this folder's package, if it depends on the judge and another program runs now.
pub(crate) fn own_package() -> Option<String> {
    if !has_built_in_problems() {
        return None;
    }
    let text = bounded_read::read_text(Path::new("Cargo.toml"), MAX_MANIFEST).ok()?;
    let manifest: toml::Table = text.parse().ok()?;
    manifest.get("dependencies")?.get("tester")?;
    let name = manifest.get("package")?.get("name")?.as_str()?;
    Some(name.to_owned())
}

/// What the program of a package has, and how it is called.
pub(crate) fn program_of(package: &str) -> String {
    format!(
        "the program of the package {package} knows this folder's problem: cargo run --release -- COMMAND"
    )
}

/// The hint for a problem that is not known here, where a package has one.
pub(crate) fn own_package_hint(error: &ParamError) -> Option<String> {
    let is_known = problem_named(error.found.trim_matches('"')).is_some();
    let package = own_package().filter(|_| !is_known)?;
    Some(program_of(&package))
}

/// How a batch is told what to judge. `init` is for contests with a tester of their own: in a package, its settings would
/// judge the package's own program.
pub(crate) fn how_to_name_a_program() -> String {
    let tester = tester_word();
    match (has_built_in_problems(), own_package()) {
        (true, Some(package)) => program_of(&package),
        (true, None) => format!(
            "{tester} batch -- ./solver, or command = \"./solver\" in tester.toml; in a contest's folder, `{tester} init` \
             writes that file"
        ),
        (false, _) => {
            format!("{tester} batch -- PROGRAM, or command = \"PROGRAM\" in tester.toml")
        }
    }
}
