//! What a user should know of a run: files that are left out or were written meanwhile, and accepted cases in doubt.

use std::path::Path;

use tester_core::case::{CaseError, Source, misnamed};
use tester_core::judge::record::JudgedCase;
use tester_core::problem::default_problem;
use tester_core::run::config::{Config, FILE};
use tester_core::run::executor::Executor;
use tester_core::store::RunId;
use tester_core::util::bounded_read;
use tester_core::util::tester_word::tester_word;

use crate::args::MAX_CONFIG;
use crate::own_package::{own_package, program_of};

/// Says what is unexpected about the cases of a run.
pub(crate) fn tell_of_source(source: &Source) {
    tell_misnamed(source);
    if let Source::Seeds { problem, .. } | Source::AllSecrets { problem } = source
        && problem == default_problem()
    {
        tell_other_judge(problem);
    }
}

/// Says which files look like cases and are left out because of their names.
fn tell_misnamed(source: &Source) {
    const SHOWN: usize = 3;
    let files = misnamed(source);
    let names = files
        .iter()
        .take(SHOWN)
        .map(|file| file.display().to_string());
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match files.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !files.is_empty() {
        note!("caution: not judged: {names}{more}; case files are called 0000.txt, 0001.txt, …");
    }
}

/// What to say of cases that `tester.toml` holds out, where `--held-out` was not typed.
///
/// # Errors
/// If the case files cannot be listed.
pub(crate) fn held_out_caution(
    source: &Source,
    held_out: Option<&Source>,
) -> Result<Option<String>, CaseError> {
    let shared = held_out.map(|held_out| source.shared_with(held_out));
    let shared = shared.transpose()?.flatten();
    Ok(shared.map(|cases| {
        format!(
            "caution: held-out cases are judged ({cases}): a program that is chosen by them looks better with \
             --held-out than it is"
        )
    }))
}

/// Says it.
///
/// # Errors
/// As [`held_out_caution`].
pub(crate) fn tell_held_out(source: &Source, held_out: Option<&Source>) -> Result<(), CaseError> {
    let caution = held_out_caution(source, held_out)?;
    caution.iter().for_each(|caution| note!("{caution}"));
    Ok(())
}

/// Says which files may have made cases of one run unequal.
pub(crate) fn tell_written_data(executor: &Executor) {
    for file in executor.written_data() {
        let file = file.display();
        note!("caution: {file}, which the command names, was written while cases were judged");
    }
}

/// Accepted cases in which the program failed: the contest's tester accepted what it had printed.
pub(crate) struct Doubts {
    run: RunId,
    count: usize,
    /// The first one, with the reason for the doubt.
    first: Option<String>,
}

impl Doubts {
    /// No case of the run yet.
    pub(crate) fn new(run: RunId) -> Self {
        Self {
            run,
            count: 0,
            first: None,
        }
    }

    /// Another case of the run.
    pub(crate) fn add(&mut self, judged: &JudgedCase) {
        let reason = judged.record.reason.as_ref();
        if let Some(reason) = reason.filter(|_| judged.accepted()) {
            self.count += 1;
            self.first
                .get_or_insert_with(|| format!("{}: {reason}", judged.case.id));
        }
    }

    /// Says how many there are.
    pub(crate) fn tell(&self) {
        if let Self {
            run,
            count,
            first: Some(first),
        } = self
        {
            let (cases, are) = match count {
                1 => ("case", "is"),
                _ => ("cases", "are"),
            };
            note!("caution: {count} accepted {cases} of run {run} {are} in doubt; {first}");
        }
    }
}

/// Says that a case of `problem` is none of the contest that this folder is for.
pub(crate) fn tell_other_judge(problem: &str) {
    let tester = tester_word();
    let other = match other_judge() {
        None => return,
        Some(OtherJudge::Contest) => {
            format!("{FILE} names the contest's own tester, which `{tester} batch` asks")
        }
        Some(OtherJudge::Package(name)) => program_of(&name),
    };
    note!("note: this is {problem}, a problem of {tester} itself; {other}");
}

/// Says after cases of `problem` were made that they are none of that contest, and what makes those.
pub(crate) fn tell_other_gen(problem: &str) {
    let (contest, hint) = match other_judge() {
        None => return,
        Some(OtherJudge::Contest) => (
            format!("the contest whose tester {FILE} names"),
            "official tools make those: (cd tools && cargo run --release --bin gen seeds.txt)",
        ),
        Some(OtherJudge::Package(name)) => (
            format!("the package {name}"),
            "its own program makes those: cargo run --release -- gen --seeds 0..100",
        ),
    };
    note!(
        "caution: these are cases of {problem}, a problem of {tester} itself, and none of {contest}\nhint: {hint}",
        tester = tester_word()
    );
}

/// What judges the contest of a folder, if it is not this program.
enum OtherJudge {
    /// The contest's own tester.
    Contest,
    /// The program of a package with a problem of its own, which has this name.
    Package(String),
}

/// What judges the contest of this folder. Settings for built-in problems name no other judge.
fn other_judge() -> Option<OtherJudge> {
    let text = bounded_read::read_text(Path::new(FILE), MAX_CONFIG).ok()?;
    let judge = Config::parse(&text).ok()?.judge;
    match judge.is_some_and(|judge| judge.external.is_some() || judge.interactor.is_some()) {
        true => Some(OtherJudge::Contest),
        false => own_package().map(OtherJudge::Package),
    }
}
