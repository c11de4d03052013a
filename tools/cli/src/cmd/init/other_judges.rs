//! Judges of other kinds than the official tools of AtCoder: an interactor, a testing tool of Code Jam or the ICPC, a
//! tester in the style of Topcoder, a problem package. `tester init` writes no settings for them, but says which are needed.

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
    let names = ["interactor", "judge", "interactive_runner"];
    names.iter().any(|name| is_called(file, name)) || is_testing_tool(file)
}

/// Whether a file is called as the testing tools of Code Jam and of ICPC contests are.
fn is_testing_tool(file: &Path) -> bool {
    is_called(file, "testing_tool") || is_called(file, "local_testing_tool")
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
    let interactor = || files.iter().find_map(|file| interactor(top, file, &files));
    let testing_tool = || files.iter().find_map(|file| testing_tool(top, file));
    package()
        .or_else(interactor)
        .or_else(testing_tool)
        .or_else(|| files.iter().find_map(|file| own_judge(file)))
        .or_else(|| files.iter().find_map(|file| jar(file)))
}

fn interactor(top: &Path, file: &Path, all: &[PathBuf]) -> Option<OtherJudge> {
    let recipe = SourceRecipe::from_path(file).filter(|_| is_called(file, "interactor"))?;
    let text = read_text(&top.join(file), MAX_TEXT).ok()?;
    let run = recipe.run;
    let is_testlib = text.contains("registerInteraction");
    // What it writes to `tout` is for the checker to judge.
    let is_unjudged = is_testlib && text.contains("tout");
    let checker = is_unjudged.then(|| checker(all)).flatten();
    let keys = match is_testlib {
        true => {
            let answer = if text.contains("ans.") {
                " {case}.a"
            } else {
                ""
            };
            let check = checker.as_ref().map_or(String::new(), |checker| {
                format!(" && {} {{case}} {{feedback}}/out {{case}}.a", checker.run)
            });
            format!(
                "interactor = \"{run} {{case}} {{feedback}}/out{answer}{check}\", contract = \"testlib\""
            )
        }
        false => format!("interactor = \"{run} {{case}}\""),
    };
    let builds = (recipe.build.into_iter()).chain(checker.and_then(|checker| checker.build));
    let builds: Vec<String> = builds.collect();
    Some(OtherJudge {
        what: format!("{} may be the contest's interactor", file.display()),
        hint: format!(
            "in {FILE}, instead of external: {keys}{}",
            build_key(&builds)
        ),
    })
}

/// The checker beside an interactor that is written with testlib.
fn checker(all: &[PathBuf]) -> Option<SourceRecipe> {
    let names = ["check", "checker"];
    let is_checker = |file: &&PathBuf| names.iter().any(|name| is_called(file, name));
    // The program that was built from it lies beside it.
    let mut checkers = all.iter().filter(is_checker);
    checkers.find_map(|file| SourceRecipe::from_path(file))
}

/// A testing tool either talks to the program on its own stdin and stdout, as an interactor does, or starts it.
fn testing_tool(top: &Path, file: &Path) -> Option<OtherJudge> {
    let recipe = SourceRecipe::from_path(file).filter(|_| is_testing_tool(file))?;
    let text = read_text(&top.join(file), MAX_TEXT).ok()?;
    let run = recipe.run;
    let starts = text.contains("Popen");
    let hint = if starts {
        let case = match text.contains("\"-f\"") {
            true => "-f {case}",
            false => "$(cat {case})",
        };
        format!(
            "in {FILE}: external = \"{run} {case} {{command}} >&2\", and as score_regex what it prints if all was right, such as '(?m)^Queries used: (?P<score>\\d+)'"
        )
    } else {
        format!(
            "in {FILE}, instead of external: interactor = \"{run} $(cat {{case}})\", where each case file holds its arguments, such as the number of a test set"
        )
    };
    Some(OtherJudge {
        what: format!("{} may be the contest's testing tool", file.display()),
        hint,
    })
}

/// A judge that starts the program, as docs/adding-a-problem.md has one.
fn own_judge(file: &Path) -> Option<OtherJudge> {
    let recipe = SourceRecipe::from_path(file).filter(|_| is_called(file, "judge"))?;
    let builds: Vec<String> = recipe.build.into_iter().collect();
    let (run, build) = (recipe.run, build_key(&builds));
    Some(OtherJudge {
        what: format!("{} may be a judge of your own", file.display()),
        hint: format!(
            "in {FILE}, if it starts the program: external = \"{run} {{case}} {{out}} {{command}}\"{build}"
        ),
    })
}

/// The build lines that a judge needs, after its other settings.
fn build_key(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("\"{line}\", ")).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("; build = [{}…]", lines.concat()),
    }
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
