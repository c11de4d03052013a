//! What `tester init` has looked at in a folder and has chosen, from which it tells its findings and makes the settings.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use tester_core::case::list_cases;
use tester_core::problem::Objective;
use tester_core::process::is_terminal_control;
use tester_core::run::config::{FILE, Seconds};
use tester_core::util::tester_word::tester_word;
use toml::Value;

use super::case_folders::CaseFolder;
use super::findings::Findings;
use super::official_tools::OfficialTools;
use super::old_settings::OldSettings;
use super::packages::Packages;
use super::pahcer::PahcerSettings;
use super::printed_score::PrintedScore;
use super::programs::{Candidate, build_of, candidates, put_first};
use super::settings::Settings;
use crate::args::Init;
use crate::hint::with_hint;

/// What most contests are content with.
const TIME_LIMIT: Seconds = Seconds(Duration::from_secs(4));

/// What most contests want.
const OBJECTIVE: Objective = Objective::Max;

/// What is there, and what is chosen of it.
pub(super) struct Plan<'a> {
    args: &'a Init,
    top: &'a Path,
    old: &'a OldSettings,
    packages: Packages,
    /// The official tools, if they are there.
    tools: Option<OfficialTools>,
    /// The same, or those that are expected to come.
    expected: OfficialTools,
    pahcer: PahcerSettings,
    /// Programs that were found; the first is chosen, unless a command was typed.
    candidates: Vec<Candidate>,
    /// Whether the first is built and started as pahcer does.
    is_of_pahcer: bool,
    /// A command that was typed, and is none of them.
    typed_command: Option<&'a str>,
    /// What is judged, if it is known.
    command: Option<String>,
    interactive: bool,
    /// Whether the judge of the old settings stays.
    keeps_judge: bool,
    /// Why no other judge is needed, if none is.
    why_no_judge: Option<String>,
    cases: CaseFolder,
    /// Which of them are judged, if not all.
    numbers: Option<String>,
    /// How scores are printed, if not as usual.
    printed: Option<PrintedScore>,
    build: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Looks at the folder `top`, and chooses.
    ///
    /// # Errors
    /// If it is that of the tools alone.
    pub(super) fn new(args: &'a Init, top: &'a Path, old: &'a OldSettings) -> Result<Self> {
        let packages = Packages::find(top);
        let tools = OfficialTools::find(top, &packages);
        let expected = tools.clone().unwrap_or_else(OfficialTools::expected);
        let pahcer = PahcerSettings::read(top, old);
        let mut all = candidates(top, &packages, tools.as_ref());
        let is_of_pahcer = pahcer.steps.put_first(&expected.folder, &mut all);
        let typed_command = typed_command(args, &mut all);
        if all.is_empty() && args.command.is_none() {
            check_is_contest(tools.as_ref())?;
        }
        let chosen = all.first().map(|program| &*program.command);
        let command = typed_command.or(chosen).map(str::to_owned);
        let interactive = args.interactive || expected.are_interactive(top);
        let cases = CaseFolder::find(top, &expected.folder);
        let has_tester = tools.is_some() || args.interactive;
        let keeps_judge = !has_tester && old.get("external").is_some();
        let why_no_judge = match has_tester || keeps_judge {
            true => None,
            false => why_no_judge(top, &cases.path, old),
        };
        let has_judge = why_no_judge.is_none();
        // What builds a judge or a program that no folder tells stays in front, as it was.
        let keeps_build = keeps_judge || command.is_none();
        let old_build = if keeps_build { old.build() } else { Vec::new() };
        let own_build = (command.as_deref()).and_then(|command| build_of(command, &all));
        let of_tools = expected.build().filter(|_| has_judge && !keeps_judge);
        let numbers = pahcer.numbers(cases.count);
        Ok(Self {
            args,
            top,
            old,
            is_of_pahcer: is_of_pahcer && args.command.is_none(),
            typed_command,
            command,
            interactive,
            keeps_judge,
            why_no_judge,
            numbers: numbers.filter(|_| has_judge || old.get("seeds").is_none()),
            printed: PrintedScore::read(top, &expected, interactive, old),
            build: without_repeats(old_build.into_iter().chain(own_build).chain(of_tools)),
            candidates: all,
            packages,
            tools,
            expected,
            pahcer,
            cases,
        })
    }

    /// What is said about it.
    pub(super) fn findings(&self) -> Findings {
        let (expected, top) = (&self.expected, self.top);
        let mut findings = Findings::default();
        let old_command = self.old.get("command").and_then(Value::as_str);
        let old_command = old_command.filter(|_| self.candidates.is_empty());
        let typed = self.typed_command.or(old_command);
        findings.program(typed, &self.candidates, self.is_of_pahcer);
        match &self.why_no_judge {
            Some(why) => findings.no_other_judge(why),
            None => findings.tools(self.tools.as_ref(), &self.packages.broken, top),
        }
        findings.judge(expected, self.interactive, top, self.tools.is_some());
        findings.cases(&self.cases, expected, top, self.numbers.as_deref());
        if self.why_no_judge.is_some() {
            return findings;
        }
        let is_set = |key| self.old.get(key).is_some();
        let is_said = self.args.objective.is_some() || is_set("objective");
        findings.scores(is_said, &self.pahcer, self.printed.as_ref());
        let is_said = self.args.time_limit.is_some() || is_set("time_limit");
        findings.time_limit(TIME_LIMIT, is_said);
        findings.first_build(expected, &self.build, top);
        if !is_set("build") {
            let known = (&*expected.folder, &*self.candidates);
            let steps = &self.pahcer.steps;
            findings.pahcer_steps(&steps.others(known, &self.build, self.command.as_deref()));
        }
        findings
    }

    /// What is written. `typed` are the keys that options set.
    pub(super) fn settings(self, typed: &[&str]) -> Settings {
        let (args, top, expected) = (self.args, self.top, &self.expected);
        let has_judge = self.why_no_judge.is_none();
        let has_vis = expected.has("vis");
        let found = [
            ("external", !self.keeps_judge),
            ("vis", has_vis),
            ("build", true),
            ("command", self.command.is_some()),
        ];
        Settings {
            external: judge_line(expected, self.interactive, top),
            has_judge,
            objective: (args.objective.or(self.pahcer.objective))
                .or(self.printed.as_ref().and_then(PrintedScore::objective))
                .unwrap_or(OBJECTIVE),
            numbers: self.numbers,
            score_regex: (self.pahcer.score_regex)
                .or(self.printed.map(|printed| printed.expression)),
            name: args.name.clone().unwrap_or_else(|| name_of(top)),
            vis: (
                format!("{} {{case}} {{out}}", expected.word("vis")),
                has_vis,
            ),
            cases: self.cases.path.to_string_lossy().into_owned(),
            generate: expected.generate(top, &self.cases),
            build: self.build,
            command: self.command,
            time_limit: args.time_limit.unwrap_or(TIME_LIMIT),
            old: self.old.fitting(has_judge, &found, typed),
        }
    }
}

/// Refuses the folder of the contest's own tools: without a program, it is not that of the contest.
fn check_is_contest(tools: Option<&OfficialTools>) -> Result<()> {
    match tools {
        Some(tools) if tools.folder.as_os_str().is_empty() => Err(with_hint(
            "this is the folder of the contest's tools; nothing was written",
            format!("cd .. && {} init", tester_word()),
        )),
        _ => Ok(()),
    }
}

/// The command that was typed. A source file in its place is put before the other candidates.
fn typed_command<'a>(args: &'a Init, all: &mut [Candidate]) -> Option<&'a str> {
    let typed = args.command.as_deref()?;
    (!put_first(typed, all)).then_some(typed)
}

/// The shell line that judges a case with these tools.
fn judge_line(tools: &OfficialTools, interactive: bool, top: &Path) -> String {
    if interactive {
        return tools.tester_line(top);
    }
    let scorer = tools.word(tools.scorer());
    format!("{{command}} < {{case}} > {{out}} && {scorer} {{case}} {{out}}")
}

fn without_repeats(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut all = Vec::new();
    for line in lines {
        if !all.contains(&line) {
            all.push(line);
        }
    }
    all
}

/// Why no other judge is needed: the cases are of a built-in problem. The lines of a judge are remarks then.
fn why_no_judge(top: &Path, cases: &Path, old: &OldSettings) -> Option<String> {
    if old.has_own_seeds() {
        return Some(format!("the seeds of the old {FILE} make the cases"));
    }
    let problem = first_problem(top, cases)?;
    Some(format!("the cases are of {problem}, which is built in"))
}

/// The built-in problem of the first case file, if it is one.
fn first_problem(top: &Path, cases: &Path) -> Option<String> {
    let first = list_cases(&top.join(cases)).ok()?.into_iter().next()?;
    Some(first.read().ok()?.spec())
}

/// The name of the folder, by which its runs are found in the history.
fn name_of(top: &Path) -> String {
    let name = top.file_name().unwrap_or_default().to_string_lossy();
    match name.is_empty() || name.chars().any(is_terminal_control) {
        true => "contest".to_owned(),
        false => name.into_owned(),
    }
}
