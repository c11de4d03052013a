//! Judges of other kinds than the official tools of AtCoder: an interactor, a tester in the style of Topcoder, a problem
//! package. `tester init` writes no settings for them, but says which are needed.

use std::path::{Path, PathBuf};

use tester_core::process::SourceRecipe;
use tester_core::run::config::FILE;
use tester_core::util::bounded_read::{MAX_TEXT, read_text};
use tester_core::util::tester_word::tester_word;

/// What a file is, and what to do with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OtherJudge {
    pub(super) what: String,
    pub(super) hint: String,
}

/// Whether a file judges by its name: it is no program to judge.
pub(super) fn is_judge(file: &Path) -> bool {
    is_called(file, "interactor") || is_called(file, "judge")
}

fn is_called(file: &Path, name: &str) -> bool {
    let stem = file.file_stem().unwrap_or_default();
    stem.eq_ignore_ascii_case(name)
}

/// The first judge of another kind in a folder.
pub(super) fn other_judge(top: &Path) -> Option<OtherJudge> {
    let entries = std::fs::read_dir(top).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| PathBuf::from(entry.file_name()))
        .collect();
    files.sort();
    let package = || {
        let file = files.iter().find(|file| file.as_os_str() == "problem.yaml");
        file.map(|_| OtherJudge {
            what: "problem.yaml is that of a problem package".to_owned(),
            hint: format!(
                "an interactive one is judged by: {} package .",
                tester_word()
            ),
        })
    };
    let interactor = || files.iter().find_map(|file| interactor(top, file));
    package()
        .or_else(interactor)
        .or_else(|| files.iter().find_map(|file| own_judge(file)))
        .or_else(|| files.iter().find_map(|file| jar(file)))
}

fn interactor(top: &Path, file: &Path) -> Option<OtherJudge> {
    let recipe = SourceRecipe::from_path(file).filter(|_| is_called(file, "interactor"))?;
    let text = read_text(&top.join(file), MAX_TEXT).ok()?;
    let run = recipe.run;
    let keys = match text.contains("registerInteraction") {
        true => format!("interactor = \"{run} {{case}} {{feedback}}/out\", contract = \"testlib\""),
        false => format!("interactor = \"{run} {{case}}\""),
    };
    Some(OtherJudge {
        what: format!("{} may be the contest's interactor", file.display()),
        hint: format!(
            "in {FILE}, instead of external: {keys}{}",
            build_key(recipe.build)
        ),
    })
}

/// A judge that starts the program, as docs/adding-a-problem.md has one.
fn own_judge(file: &Path) -> Option<OtherJudge> {
    let recipe = SourceRecipe::from_path(file).filter(|_| is_called(file, "judge"))?;
    let (run, build) = (recipe.run, build_key(recipe.build));
    Some(OtherJudge {
        what: format!("{} may be a judge of your own", file.display()),
        hint: format!(
            "in {FILE}, if it starts the program: external = \"{run} {{case}} {{out}} {{command}}\"{build}"
        ),
    })
}

/// The build line that a judge needs, after its other settings.
fn build_key(line: Option<String>) -> String {
    let key = line.map(|line| format!("; build = [\"{line}\", …]"));
    key.unwrap_or_default()
}

fn jar(file: &Path) -> Option<OtherJudge> {
    let name = file.to_str()?;
    let is_tester = name.to_lowercase().contains("tester") && name.ends_with(".jar");
    is_tester.then(|| OtherJudge {
        what: format!("{name} may be the contest's tester, in the style of Topcoder"),
        hint: format!(
            "external = 'java -jar {name} -exec \"{{command}}\" -seed $(cat {{case}})', where each case file holds a seed"
        ),
    })
}
