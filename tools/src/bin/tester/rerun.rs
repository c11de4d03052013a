//! The command that judges one case of a run alone, to be pasted.

use std::ffi::OsString;

use tools::case::{CaseFile, CaseId, Source};
use tools::contestant::{Command, shell_word};
use tools::history::NewRun;
use tools::problem::{DEFAULT_PROBLEM, Spec};

use crate::args;

/// How the cases of a run are judged one by one.
pub(crate) struct Rerun<'a> {
    source: &'a Source,
    /// The options that were given with it.
    options: String,
    command: &'a Command,
    /// The case files, if that is what they are; none that cannot be listed any more.
    files: Vec<CaseFile>,
}

impl<'a> Rerun<'a> {
    pub(crate) fn new(run: &'a NewRun) -> Self {
        let (source, plan) = (&run.source, &run.plan);
        let sandbox = run.sandbox.as_ref().map_or("", |_| "--sandbox ");
        Self {
            source,
            options: args::typed(&plan.limits) + sandbox,
            command: &plan.command,
            files: source.files().unwrap_or_default(),
        }
    }

    pub(crate) fn of(&self, case: CaseId) -> String {
        let tester = tester_word();
        let (options, command) = (&self.options, self.command);
        let quoted = |text: &str| shell_word(text.as_ref());
        // A program that is called like a subcommand is none behind two dashes.
        match self.source {
            Source::Folder(_) | Source::Matching(_) => {
                let file = self.files.iter().find(|file| file.id == case);
                let file = file.map_or_else(|| case.file_name("txt").into(), |f| f.path.clone());
                let file = shell_word(file.as_os_str());
                format!("{tester} {options}-- {command} < {file}")
            }
            Source::Seeds { problem, .. } => {
                let problem = match problem.as_str() {
                    DEFAULT_PROBLEM => String::new(),
                    other => format!("--problem {} ", quoted(other)),
                };
                format!("{tester} --seed {} {problem}{options}-- {command}", case.0)
            }
            Source::AllSecrets { problem } => {
                let all = Spec::parse(problem).and_then(|spec| spec.enumerate());
                let instance = all.ok().and_then(|mut all| all.nth(case.0 as usize));
                let lines = instance.map(|i| i.to_text()).unwrap_or_default();
                let lines: Vec<String> = lines.lines().map(quoted).collect();
                let lines = lines.join(" ");
                format!("printf '%s\\n' {lines} | {tester} {options}-- {command}")
            }
        }
    }
}

/// This program as it was called, for commands to be pasted.
pub(crate) fn tester_word() -> String {
    let tester = std::env::args_os().next();
    shell_word(&tester.unwrap_or_else(|| OsString::from("tester")))
}
