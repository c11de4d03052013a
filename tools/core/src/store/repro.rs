//! The command that judges one case of a run alone, for you to paste.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use super::folders::near;
use super::history::HISTORY;
use super::run::{NewRun, RunId};
use crate::case::{CaseFile, CaseId, Source};
use crate::judge::external::ExternalSpec;
use crate::judge::verdict::Limits;
use crate::problem::{Instances, Spec, default_problem, problem_named};
use crate::process::{Command, shell_line, shell_word};

/// How the cases of a run are judged one by one.
pub struct ReproCommand<'a> {
    /// How `tester` is called.
    tester: &'a str,
    /// The option that names the history; empty for the usual one.
    history: String,
    source: &'a Source,
    /// The options that were given with it.
    options: String,
    command: &'a Command,
    external: Option<&'a ExternalSpec>,
    out: PathBuf,
    /// The case files, if the run is on files; empty if they can no longer be listed.
    files: Vec<CaseFile>,
    /// The position of the last secret that was asked for, if the run is on all secrets: the next one is near.
    secrets: RefCell<Option<Secrets>>,
}

impl<'a> ReproCommand<'a> {
    /// For the cases of `run`; `tester` is how this program is called where the command is pasted.
    pub fn new(run: &'a NewRun, tester: &'a str) -> Self {
        let spec = &run.spec;
        let source = &spec.source;
        let sandbox = spec.sandbox.as_ref().map_or("", |_| "--sandbox ");
        Self {
            tester,
            history: String::new(),
            source,
            options: spec.limits.typed(&usual_limits(run)) + sandbox,
            command: &spec.command,
            external: spec.external.as_ref(),
            out: near(&spec.out),
            files: source.files().unwrap_or_default(),
            secrets: RefCell::new(None),
        }
    }

    /// The same for a run of this history, for commands that read it.
    #[must_use]
    pub fn with_history(mut self, path: &Path) -> Self {
        let path = near(path);
        if path != Path::new(HISTORY) {
            self.history = format!("--history {} ", shell_word(path.as_os_str()));
        }
        self
    }

    /// The command that draws a case of a run; `case` is its number, or the path of its file.
    pub(crate) fn draw(&self, run: RunId, case: &str) -> String {
        let (tester, history) = (self.tester, &self.history);
        format!(
            "{tester} vis {history}{} --run {run}",
            shell_word(case.as_ref())
        )
    }

    /// Where the file of a case is, or was.
    fn file(&self, case: CaseId) -> PathBuf {
        let found = self.files.binary_search_by_key(&case, |file| file.id);
        let folder = folder(self.source).unwrap_or(Path::new(""));
        found.map_or_else(
            |_| folder.join(case.file_name("txt")),
            |at| self.files[at].path.clone(),
        )
    }

    /// The text of a secret's case.
    fn secret(&self, problem: &str, case: CaseId) -> Option<String> {
        let mut secrets = self.secrets.borrow_mut();
        if secrets.as_ref().is_none_or(|known| known.next > case.0) {
            let rest = Spec::parse(problem).ok()?.enumerate().ok()?;
            *secrets = Some(Secrets { next: 0, rest });
        }
        let known = secrets.as_mut()?;
        let instance = known.rest.nth((case.0 - known.next) as usize)?;
        known.next = case.0 + 1;
        Some(instance.to_text())
    }

    /// The command for one case.
    pub(crate) fn of(&self, case: CaseId) -> String {
        let tester = self.tester;
        let (options, command) = (&self.options, self.command);
        let quoted = |text: &str| shell_word(text.as_ref());
        // After two dashes, a program may have the name of a subcommand.
        match self.source.origin() {
            Source::Folder(_)
            | Source::Matching(_)
            | Source::Several(_)
            | Source::Chosen { .. } => {
                let file = self.file(case);
                let file = shell_word(file.as_os_str());
                format!("{tester} {options}-- {command} < {file}")
            }
            Source::External { .. } => {
                let of_external = |external| self.of_external(external, case);
                self.external.map(of_external).unwrap_or_default()
            }
            Source::Seeds { problem, .. } => {
                let problem = match problem == default_problem() {
                    true => String::new(),
                    false => format!("--problem {} ", quoted(problem)),
                };
                format!("{tester} --seed {} {problem}{options}-- {command}", case.0)
            }
            Source::AllSecrets { problem } => {
                let lines = self.secret(problem, case).unwrap_or_default();
                let lines: Vec<String> = lines.lines().map(quoted).collect();
                let lines = lines.join(" ");
                format!("printf '%s\\n' {lines} | {tester} {options}-- {command}")
            }
        }
    }

    /// The command for one case of another judge.
    fn of_external(&self, external: &ExternalSpec, case: CaseId) -> String {
        let (tester, options, command) = (self.tester, &self.options, self.command);
        let file = self.file(case);
        let Some(contract) = external.contract else {
            let out = self.out.join(case.file_name("txt"));
            return shell_line(&external.filled(&file, case.0, &out, command));
        };
        let (line, file) = (
            shell_word(external.line.as_ref()),
            shell_word(file.as_os_str()),
        );
        let (contract, score) = (contract.name(), external.score_options());
        format!(
            "{tester} --interactor {line} --contract {contract} {score}{options}-- {command} < {file}"
        )
    }
}

/// The command that judges the program of a run on other cases: the seeds after its own, or the files that are held out.
pub(crate) fn on_other_cases(run: &NewRun, tester: &str) -> String {
    let spec = &run.spec;
    let cases = match spec.source.origin() {
        Source::Seeds { problem, seeds } => {
            let problem = match problem == default_problem() {
                true => String::new(),
                false => format!(" --problem {}", shell_word(problem.as_ref())),
            };
            let next = next_seeds(seeds);
            format!("--seeds {}..{}{problem}", next.start, next.end)
        }
        _ => "--held-out".to_owned(),
    };
    format!("{tester} batch {cases} -- {}", spec.command)
}

/// What holds cases out in `tester.toml`, for a run on others.
pub(crate) fn held_out_example(run: &NewRun) -> String {
    let (name, used, next) = match run.spec.source.origin() {
        Source::Seeds { seeds, .. } => {
            let next = next_seeds(seeds);
            ("seeds", *seeds.start()..next.start, next)
        }
        _ => ("cases", 0..1000, 1000..2000),
    };
    format!("{name} = \"{used:?}\" and held_out = \"{next:?}\"")
}

/// As many seeds, after these.
fn next_seeds(seeds: &RangeInclusive<u64>) -> Range<u64> {
    let first = seeds.end().saturating_add(1);
    first..first.saturating_add(seeds.end() - seeds.start() + 1)
}

/// The limits of a run without options.
fn usual_limits(run: &NewRun) -> Limits {
    let first = run.problem.split("; ").next();
    let first = first.filter(|_| run.spec.external.is_none());
    Limits::from_problem(first.and_then(problem_named))
}

/// The folder with the cases, if there is one.
fn folder(source: &Source) -> Option<&Path> {
    match source {
        Source::Folder(dir) => Some(dir),
        Source::External { files, .. } => folder(files),
        Source::Chosen { of, .. } => folder(of),
        _ => None,
    }
}

/// The secrets from some place on.
struct Secrets {
    next: u64,
    rest: Instances,
}
