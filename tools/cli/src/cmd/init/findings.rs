//! What `tester init` has found in a folder, and what it has not, a line for each.

use std::path::Path;

use tester_core::process::shell_word;
use tester_core::run::config::Seconds;
use tester_core::util::quote::one_line;
use tester_core::util::tester_word::tester_word;

use super::case_folders::CaseFolder;
use super::official_tools::OfficialTools;
use super::other_judges::other_judge;
use super::packages::BrokenPackage;
use super::pahcer::{PAHCER, PahcerSettings};
use super::printed_score::PrintedScore;
use super::programs::{Candidate, can_start, is_later};

/// Lines to print.
#[derive(Debug, Default)]
pub(super) struct Findings {
    lines: Vec<String>,
}

impl Findings {
    pub(super) fn print(&self) {
        self.lines.iter().for_each(|line| note!("{line}"));
    }

    fn add(&mut self, label: &str, text: impl AsRef<str>) {
        self.lines.push(format!("{label:<10} {}", text.as_ref()));
    }

    fn hint(&mut self, text: impl AsRef<str>) {
        self.add("", format!("hint: {}", text.as_ref()));
    }

    /// The program to judge, and the other ones. The first may be built and started as pahcer does.
    pub(super) fn program(&mut self, typed: Option<&str>, all: &[Candidate], is_of_pahcer: bool) {
        let others = match (typed, all) {
            (Some(typed), _) => {
                self.add("program", typed);
                return;
            }
            (None, []) => {
                self.add("program", "not found: no Cargo package with a program, no source file such as main.cpp or main.py");
                self.hint(
                    "write command = \"./main\" into tester.toml, and how it is built into build",
                );
                return;
            }
            (None, [chosen, others @ ..]) => {
                let source = chosen.source.display();
                let mut what = format!("{source}, judged as: {}", chosen.command);
                if is_of_pahcer {
                    what = format!("{what} (built and started as in {PAHCER})");
                } else if let [other, ..] = others
                    && is_later(&chosen.source, &other.source)
                {
                    what.push_str(" (it has the largest number)");
                }
                self.add("program", what);
                if let Some(why) = compiler_missing(chosen) {
                    self.hint(why);
                }
                others
            }
        };
        const SHOWN: usize = 5;
        if !others.is_empty() {
            let names = others
                .iter()
                .take(SHOWN)
                .map(|other| other.source.display().to_string());
            let names = names.collect::<Vec<_>>().join(", ");
            let more = if others.len() > SHOWN { ", …" } else { "" };
            self.add("", format!("not chosen: {names}{more}"));
            // Two sources may become one file.
            let other = match others[0].command == all[0].command {
                true => others[0].source.as_os_str(),
                false => others[0].command.as_ref(),
            };
            self.hint(format!(
                "for another one: {} init --force --command {}",
                tester_word(),
                shell_word(other)
            ));
        }
        if all[0].command.starts_with("python3 ") && can_start("pypy3") {
            self.hint("pypy3 is installed too: command = \"pypy3 …\" is as AtCoder's PyPy");
        }
    }

    /// The official tools, and packages that Cargo refuses.
    pub(super) fn tools(
        &mut self,
        tools: Option<&OfficialTools>,
        broken: &[BrokenPackage],
        top: &Path,
    ) {
        match tools {
            Some(tools) => {
                let folder = match tools.folder.as_os_str().is_empty() {
                    true => "this package".to_owned(),
                    false => tools.folder.display().to_string(),
                };
                self.add("tools", format!("{folder}: {}", tools.bins.join(", ")));
            }
            None => {
                self.add(
                    "tools",
                    "not found: no tools/Cargo.toml with programs vis or tester",
                );
                self.hint(format!(
                    "unpack the contest's local tools here, then: {} init --force",
                    tester_word()
                ));
                if let Some(other) = other_judge(top) {
                    self.add("", other.what);
                    self.hint(other.hint);
                }
            }
        }
        self.broken(broken);
    }

    /// Packages that Cargo refuses: those with one reason in one line, and what helps.
    fn broken(&mut self, all: &[BrokenPackage]) {
        let manifest = |folder: &Path| folder.join("Cargo.toml").display().to_string();
        for same in all.chunk_by(|a, b| a.why == b.why) {
            let manifests: Vec<_> = same
                .iter()
                .map(|package| manifest(&package.folder))
                .collect();
            let (manifests, why) = (manifests.join(", "), &same[0].why);
            // What Cargo proposes after it is longer than the hint.
            let outside = why.split_once(" this may be fixable by ");
            let why = outside.map_or(&**why, |(why, _)| why);
            self.add("", format!("cargo does not accept {manifests}: {why}"));
            if outside.is_some() {
                let file = shell_word(manifests.as_ref());
                self.hint(format!(
                    "to make it a package of its own: echo '[workspace]' >> {file}"
                ));
            }
        }
    }

    /// Why no tools are needed.
    pub(super) fn no_other_judge(&mut self, why: &str) {
        self.add("judge", format!("{} itself: {why}", tester_word()));
    }

    /// The program that judges, and the one that draws.
    pub(super) fn judge(
        &mut self,
        tools: &OfficialTools,
        interactive: bool,
        top: &Path,
        found: bool,
    ) {
        let (name, what) = match interactive {
            true => ("tester", "talks to the program: an interactive contest"),
            false => (
                tools.scorer(),
                "prints the score of an output: not an interactive contest",
            ),
        };
        let missing = if found && !tools.has(name) {
            "; not found"
        } else {
            ""
        };
        if found || interactive {
            self.add("tester", format!("{} {what}{missing}", tools.word(name)));
        }
        if let (false, true, Some(why)) = (interactive, tools.has("tester"), tools.own_tester(top))
        {
            let own = tools.source("tester");
            self.add("", format!("not chosen: {}, {why}", own.display()));
            let word = tester_word();
            self.hint(format!(
                "if it talks to the program: {word} init --force --interactive"
            ));
        }
        match tools.has("vis") {
            true => self.add("visualizer", tools.word("vis")),
            false if found => self.add("visualizer", "not found"),
            false => {}
        }
    }

    /// The case files, and which of them pahcer judges, if not all.
    pub(super) fn cases(
        &mut self,
        folder: &CaseFolder,
        tools: &OfficialTools,
        top: &Path,
        numbers: Option<&str>,
    ) {
        let shown = folder.path.display();
        match folder.count {
            0 => {
                self.add("cases", format!("not found: no {shown}/0000.txt"));
                if let Some((count, line)) = tools.generate(top, folder) {
                    self.hint(format!("make {count} of them: {line}"));
                }
            }
            1 => self.add("cases", format!("{shown}: 1 file")),
            count => self.add("cases", format!("{shown}: {count} files")),
        }
        if !folder.others.is_empty() {
            let others = folder
                .others
                .iter()
                .map(|other| other.display().to_string());
            let others = others.collect::<Vec<_>>().join(", ");
            self.add(
                "",
                format!("not chosen: {others}; cases in tester.toml names the folder"),
            );
        }
        if let Some(numbers) = numbers {
            self.add("", format!("judged: {numbers}, as in {PAHCER}"));
        }
    }

    /// What no folder tells, but pahcer's configuration may, or the source of the tools.
    pub(super) fn scores(
        &mut self,
        is_said: bool,
        pahcer: &PahcerSettings,
        printed: Option<&PrintedScore>,
    ) {
        match pahcer.objective {
            _ if is_said => {}
            Some(objective) => {
                let name = objective.name();
                self.add("objective", format!("{name}, as in {PAHCER}"));
            }
            None => self.add(
                "objective",
                match printed.and_then(PrintedScore::objective) {
                    Some(_) => {
                        "min, as the score is a cost; write objective = \"max\" if more is better"
                    }
                    None => "max, as in most contests; write objective = \"min\" if less is better",
                },
            ),
        }
        if let Some(expression) = &pahcer.score_regex {
            let expression = one_line(expression);
            self.add("score", format!("{expression}, as in {PAHCER}"));
        } else if let Some(PrintedScore { shown, source, .. }) = printed {
            let source = source.display();
            self.add("score", format!("{shown}, as {source} prints it"));
        }
    }

    /// What no folder tells either.
    pub(super) fn time_limit(&mut self, usual: Seconds, is_said: bool) {
        if !is_said {
            let what = "a guess; set time_limit to that of the contest";
            self.add("time limit", format!("{usual} s, {what}"));
        }
    }

    /// What pahcer builds and starts otherwise.
    pub(super) fn pahcer_steps(&mut self, steps: &[String]) {
        let mut label = "pahcer";
        for step in steps {
            self.add(label, format!("not taken over: {}", one_line(step)));
            label = "";
        }
        if label.is_empty() {
            self.hint("to build and start so, change build and command");
        }
    }

    /// What must be built before anything can be judged, in the order of the file.
    pub(super) fn first_build(&mut self, tools: &OfficialTools, build: &[String], top: &Path) {
        let is_built = |name: &String| top.join(tools.program(name)).is_file();
        // With `gen` alone, something is missing.
        let mut judges = tools.bins.iter().filter(|name| *name != "gen");
        let are_built = tools.bins.as_slice() != ["gen"] && judges.all(is_built);
        let of_tools = tools.build();
        let mut label = "build";
        for line in build {
            let what = match Some(line) == of_tools.as_ref() {
                true if are_built => continue,
                true => " (the tools, once)",
                false => "",
            };
            self.add(label, format!("{line}{what}"));
            label = "";
        }
        if label.is_empty() {
            self.hint(format!(
                "`{} batch` runs this before it judges",
                tester_word()
            ));
        }
    }
}

/// What to do if the compiler or interpreter of a program is not there.
fn compiler_missing(program: &Candidate) -> Option<String> {
    let line = program.build.as_deref().unwrap_or(&program.command);
    let name = line.split(' ').next()?;
    let is_there = name.contains('/') || can_start(name);
    (!is_there).then(|| format!("{name} is not in PATH: install it, or change build and command"))
}
