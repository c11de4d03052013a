//! `tester init`: looks at the folder of a contest, and writes a `tester.toml` that fits.
//!
//! It says what it has found, what it has not, and what must be built first. It builds nothing.

mod case_folders;
mod findings;
mod kept;
mod official_tools;
mod other_judges;
mod packages;
mod pahcer;
mod pahcer_steps;
mod printed_score;
mod programs;
mod settings;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use toml::Value;

use crate::args::{Init, MAX_CONFIG};
use crate::hint::with_hint;
use case_folders::CaseFolder;
use findings::Findings;
use kept::OldSettings;
use official_tools::OfficialTools;
use packages::Packages;
use pahcer::PahcerSettings;
use printed_score::PrintedScore;
use programs::{Candidate, build_of, candidates};
use settings::Settings;
use tester_core::case::list_cases;
use tester_core::problem::Objective;
use tester_core::process::is_terminal_control;
use tester_core::run::config::{Config, FILE, Seconds};
use tester_core::util::tester_word::tester_word;
use tester_core::util::{atomic_file, bounded_read};

pub(crate) fn run(args: &Init) -> Result<ExitCode> {
    let path = Path::new(FILE);
    if path.symlink_metadata().is_ok() && !args.force {
        let cause = format!("{FILE} exists already; nothing was written");
        let hint =
            "--force looks again and writes a new one with your settings; the old file stays as";
        let old_file = free_name(OLD_FILE);
        return Err(with_hint(cause, format!("{hint} {}", old_file.display())));
    }
    let top = std::env::current_dir().context("failed to find the current folder")?;
    let old_text = old_text(path)?;
    // One that is wrong cannot be laid under another.
    let old = old_text.as_deref().unwrap_or_default();
    let old = (Config::parse(old).is_ok()).then(|| toml::from_str(old));
    let old = OldSettings::new(old.and_then(Result::ok).unwrap_or_default());
    let typed = typed(args);
    let Plan { settings, findings } = Plan::new(args, &top, (&old, &typed))?;
    let text = settings.text();
    Config::parse(&text).context("failed to make a valid tester.toml")?;
    let new = OldSettings::new(toml::from_str(&text)?);
    let replaced = old_text.filter(|old| !old.is_empty() && *old != text);
    let old_file = free_name(OLD_FILE);
    if let Some(old_text) = &replaced {
        atomic_file::write_whole(&old_file, old_text.as_bytes())?;
    }
    atomic_file::write_whole(path, text.as_bytes())?;
    findings.print();
    for (label, keys) in old.changes(&new, &typed) {
        note!("{label:<10} {keys}");
    }
    if replaced.is_some() {
        note!("old file   {}", old_file.display());
    }
    let mut above = top.ancestors().skip(1).map(|dir| dir.join(FILE));
    if let Some(above) = above.find(|file| file.is_file()) {
        let above = above.display();
        note!("note       {above} is there too; from now on, this folder has its own file");
    }
    note!(
        "wrote {FILE}; look at it, then run: {} batch",
        tester_word()
    );
    Ok(ExitCode::SUCCESS)
}

/// Where the settings are kept that were there before.
const OLD_FILE: &str = "tester.toml.old";

/// This name, or with the first number that makes another: an older file is not written over.
fn free_name(name: &str) -> PathBuf {
    let numbered = (2..).map(|number: u32| PathBuf::from(format!("{name}.{number}")));
    let mut names = std::iter::once(PathBuf::from(name)).chain(numbered);
    let free = names.find(|path| path.symlink_metadata().is_err());
    free.expect("there are fewer files than numbers")
}

/// The text that was there before; `None` if there is no file.
///
/// # Errors
/// If it cannot be read: then it cannot be kept under another name either.
fn old_text(path: &Path) -> Result<Option<String>> {
    match bounded_read::read_text(path, MAX_CONFIG) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(with_hint(
            format!("failed to read {FILE}: {error}; nothing was written"),
            format!(
                "make it readable, as UTF-8 text, or rename it: {} init writes a new one",
                tester_word()
            ),
        )),
    }
}

/// The keys that options set.
fn typed(args: &Init) -> Vec<&'static str> {
    let all = [
        ("external", args.interactive),
        ("contract", args.interactive),
        ("objective", args.objective.is_some()),
        ("name", args.name.is_some()),
        ("time_limit", args.time_limit.is_some()),
    ];
    let typed = all.into_iter().filter(|(_, is_typed)| *is_typed);
    typed.map(|(key, _)| key).collect()
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

/// What is written, and what is said about it.
struct Plan {
    settings: Settings,
    findings: Findings,
}

impl Plan {
    fn new(args: &Init, top: &Path, (old, typed): (&OldSettings, &[&str])) -> Result<Self> {
        let packages = Packages::find(top);
        let tools = OfficialTools::find(top, &packages);
        let pahcer = PahcerSettings::read(top, old);
        let expected = tools.clone().unwrap_or_else(OfficialTools::expected);
        let mut all = candidates(top, &packages, tools.as_ref());
        let is_of_pahcer = pahcer.steps.put_first(&expected.folder, &mut all);
        let is_of_pahcer = is_of_pahcer && args.command.is_none();
        let typed_command = typed_command(args, &mut all);
        if all.is_empty() && args.command.is_none() {
            check_is_contest(tools.as_ref())?;
        }
        let chosen = all.first().map(|program| &*program.command);
        let command = typed_command.or(chosen).map(str::to_owned);
        let keeps_judge = tools.is_none() && !args.interactive && old.get("external").is_some();
        let own_build = (command.as_deref()).and_then(|command| build_of(command, &all));
        let interactive = args.interactive || expected.are_interactive(top);
        let cases = CaseFolder::find(top, &expected.folder);
        let needs_none = tools.is_none() && !args.interactive && !keeps_judge;
        let own = why_no_judge(top, &cases.path, old).filter(|_| needs_none);
        let has_judge = own.is_none();
        let of_tools = expected.build().filter(|_| has_judge && !keeps_judge);
        // What builds a judge or a program that no folder tells stays in front, as it was.
        let keeps_build = keeps_judge || command.is_none();
        let old_build = if keeps_build { old.build() } else { Vec::new() };
        let build = without_repeats(old_build.into_iter().chain(own_build).chain(of_tools));
        let printed = PrintedScore::read(top, &expected, interactive, old);
        let is_set = |key| old.get(key).is_some();
        let numbers = pahcer
            .numbers(cases.count)
            .filter(|_| has_judge || !is_set("seeds"));
        let mut findings = Findings::default();
        let old_command = old.get("command").and_then(Value::as_str);
        let old_command = old_command.filter(|_| all.is_empty());
        findings.program(typed_command.or(old_command), &all, is_of_pahcer);
        match &own {
            Some(why) => findings.no_other_judge(why),
            None => findings.tools(tools.as_ref(), &packages.broken, top),
        }
        findings.judge(&expected, interactive, top, tools.is_some());
        findings.cases(&cases, &expected, top, numbers.as_deref());
        if has_judge {
            let is_said = args.objective.is_some() || is_set("objective");
            findings.scores(is_said, &pahcer, printed.as_ref());
            let is_said = args.time_limit.is_some() || is_set("time_limit");
            findings.time_limit(TIME_LIMIT, is_said);
            findings.first_build(&expected, &build, top);
            if !is_set("build") {
                let known = (&*expected.folder, &*all);
                findings.pahcer_steps(&pahcer.steps.others(known, &build, command.as_deref()));
            }
        }
        let found = [
            ("external", !keeps_judge),
            ("vis", expected.has("vis")),
            ("build", true),
            ("command", command.is_some()),
        ];
        let settings = Settings {
            external: judge_line(&expected, interactive, top),
            has_judge,
            objective: (args.objective.or(pahcer.objective))
                .or(printed.as_ref().and_then(PrintedScore::objective))
                .unwrap_or(OBJECTIVE),
            numbers,
            score_regex: (pahcer.score_regex).or(printed.map(|printed| printed.expression)),
            name: args.name.clone().unwrap_or_else(|| name_of(top)),
            vis: (
                format!("{} {{case}} {{out}}", expected.word("vis")),
                expected.has("vis"),
            ),
            cases: cases.path.to_string_lossy().into_owned(),
            generate: expected.generate(top, &cases),
            build,
            command,
            time_limit: args.time_limit.unwrap_or(TIME_LIMIT),
            old: old.fitting(has_judge, &found, typed),
        };
        Ok(Self { settings, findings })
    }
}

/// The command that was typed. A source file in its place is put before the other candidates.
fn typed_command<'a>(args: &'a Init, all: &mut [Candidate]) -> Option<&'a str> {
    let typed = args.command.as_deref()?;
    (!programs::put_first(typed, all)).then_some(typed)
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

/// What most contests are content with.
const TIME_LIMIT: Seconds = Seconds(Duration::from_secs(4));

/// What most contests want.
const OBJECTIVE: Objective = Objective::Max;

/// The name of the folder, by which its runs are found in the history.
fn name_of(top: &Path) -> String {
    let name = top.file_name().unwrap_or_default().to_string_lossy();
    match name.is_empty() || name.chars().any(is_terminal_control) {
        true => "contest".to_owned(),
        false => name.into_owned(),
    }
}
