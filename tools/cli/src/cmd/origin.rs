//! Runs that came in by `merge`: their shards may come from another user, and bring shell lines and a program.
//!
//! To look at such a run starts nothing. To resume it, or to draw its cases, starts what its shards say. So what is
//! started must be the user's own: typed, or in `tester.toml`.

use std::fmt::Display;

use anyhow::Result;
use tester_core::process::{Command, shell_word};
use tester_core::run::config::FILE;
use tester_core::store::Run;

use crate::args::{Batch, OwnLines};
use crate::hint::with_hint;

/// Checks that a run which is resumed starts only what is the user's own: its judge, its visualizer if cases are drawn,
/// and its program.
///
/// # Errors
/// If the run was merged, and one of them is only in its shards; or if `tester.toml` cannot be read.
pub(super) fn check_resumption(args: &Batch, run: &Run) -> Result<()> {
    if !run.merged {
        return Ok(());
    }
    let own = args.own_lines()?;
    check_judge(run, &own, args.drawn() > 0)?;
    check_program(run, &own)
}

fn check_judge(run: &Run, own: &OwnLines, draws: bool) -> Result<()> {
    let Some(external) = &run.about.spec.external else {
        return Ok(());
    };
    if !own.judges.contains(&external.line) {
        let (key, what) = match external.contract {
            None => ("external", "judge's line"),
            Some(_) => ("interactor", "interactor's line"),
        };
        let line = shell_word(external.line.as_ref());
        return Err(with_hint(
            foreign(run, what, line),
            format!(
                "if you trust it, type it as --{key} with the other options of the run, or write it into [judge] of {FILE} as {key}"
            ),
        ));
    }
    match &external.vis {
        Some(vis) if draws && !own.visualizers.contains(vis) => Err(with_hint(
            foreign(run, "visualizer's line", shell_word(vis.as_ref())),
            format!(
                "--vis-worst 0 draws nothing; if you trust it, type it as --vis with the other options of the run, or write it into [judge] of {FILE} as vis"
            ),
        )),
        _ => Ok(()),
    }
}

fn check_program(run: &Run, own: &OwnLines) -> Result<()> {
    let (about, command) = (&run.about, &run.about.spec.command);
    let line = about.spec.external.as_ref().map(|external| &external.line);
    // Without a program, the judge's line is what is judged.
    let is_line = line.is_some_and(|line| Command::shell(line) == *command);
    if about.provenance.command_given || is_line || own.programs.contains(command) {
        return Ok(());
    }
    Err(with_hint(
        foreign(run, "program", command),
        format!(
            "if you trust it, type it with the options of the run, or write it into [batch] of {FILE} as command; what you type after `merge` is yours, too"
        ),
    ))
}

/// Checks that the pictures of a run may be drawn with its own line.
///
/// # Errors
/// If the run was merged, so that the line is that of its shards.
pub(super) fn check_visualizer(run: &Run) -> Result<()> {
    let external = run.about.spec.external.as_ref();
    match external.and_then(|external| external.vis.as_ref()) {
        Some(vis) if run.merged => Err(with_hint(
            foreign(run, "visualizer's line", shell_word(vis.as_ref())),
            format!("if you trust it, write it into [judge] of {FILE} as vis"),
        )),
        _ => Ok(()),
    }
}

/// What is wrong with a line of the run, or with its program.
fn foreign(run: &Run, what: &str, found: impl Display) -> String {
    let id = run.id;
    format!("run {id} came from shards, and its {what} is neither typed nor in {FILE}: {found}")
}
