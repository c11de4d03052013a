//! `tester merge`: shards of a batch become one run of the history.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use tools::contestant::Command;
use tools::files;
use tools::history::{Ended, Entry, History, HistoryError, Kind, RunId, State};
use tools::provenance::{Host, Provenance};
use tools::record::Judged;
use tools::shard::{About, Keep, Merge, MergeError, Merged, ReadError};

use crate::args::{self, KeptArgs};
use crate::show::print_run;

pub(crate) fn run(args: &args::Merge) -> Result<ExitCode> {
    let program = args.program();
    if let Some(program) = &program {
        program.check()?;
    }
    files::make_dir(&args.kept.out)?;
    let mut history = History::open(&args.kept.history())?;
    let (run, merged) = history.enter(|entry| enter(entry, args, program.as_ref()))?;
    for note in &merged.notes {
        note!("tester: note: {note}");
    }
    if let Some(missing) = &merged.missing {
        note!("tester: note: {missing}");
    }
    history.check_is_there()?;
    let run = history.find(&run.to_string())?;
    let all_accepted = print_run(&history, &run, &args.kept, args.format())?;
    Ok(ExitCode::from(u8::from(!all_accepted)))
}

/// Why nothing was entered.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Merge(#[from] MergeError),
}

fn enter(
    entry: &mut Entry<'_>,
    args: &args::Merge,
    program: Option<&Command>,
) -> Result<(RunId, Merged), Refused> {
    let mut merge = Merge::new(program);
    let mut entering = Entering {
        entry,
        kept: &args.kept,
        program,
        run: None,
    };
    read_all(&args.files, &mut merge, &mut entering)?;
    let merged = merge.finish(args.partial)?;
    let Entering { entry, run, .. } = entering;
    let run = run.expect("what is merged has begun");
    entry.end(run, &ended(&merged))?;
    Ok((run, merged))
}

/// Hands what is in the files to `keeper`, one after the other.
pub(crate) fn read_all<K: Keep>(
    paths: &[PathBuf],
    merge: &mut Merge,
    keeper: &mut K,
) -> Result<(), K::Error> {
    for path in paths {
        let name = path.display().to_string();
        if path == Path::new("-") {
            merge.read("standard input", io::stdin().lock(), keeper)?;
            continue;
        }
        match File::open(path) {
            Ok(file) => merge.read(&name, BufReader::with_capacity(1 << 16, file), keeper)?,
            Err(source) => merge.cannot_be_read(&ReadError::Io { name, source }),
        }
    }
    Ok(())
}

/// What the history is told at the end.
fn ended(merged: &Merged) -> Ended {
    Ended {
        state: match merged.missing {
            None => State::Done,
            Some(_) => State::Unfinished,
        },
        begun_ms: merged.begun_ms,
        took_ms: merged.took_ms,
        machine: machine(&merged.hosts),
        sandbox: merged.sandbox.clone(),
        hosts: merged.hosts.clone(),
    }
}

/// In place of the machine of a run of one.
fn machine(hosts: &[Host]) -> String {
    match hosts {
        [host] => host.machine.clone(),
        _ => format!("{} hosts", hosts.len()),
    }
}

/// A run on its way into the history.
struct Entering<'a, 'b> {
    entry: &'a mut Entry<'b>,
    kept: &'a KeptArgs,
    /// As what it is recorded.
    program: Option<&'a Command>,
    run: Option<RunId>,
}

impl Keep for Entering<'_, '_> {
    type Error = Refused;

    fn begin(&mut self, about: &About) -> Result<(), Refused> {
        let mut new = about.to_new_run(Kind::Batch, String::new(), &self.kept.out);
        new.tag = self.kept.tag.clone();
        new.comment = self.kept.comment.clone();
        if let Some(program) = self.program {
            new.plan.command = program.clone();
            // Workers have no repository; here is where the program was made.
            if new.provenance.git_commit.is_none() {
                let here = Provenance::of(program);
                new.provenance.git_commit = here.git_commit;
                new.provenance.git_dirty = here.git_dirty;
            }
        }
        self.run = Some(self.entry.begin(&new)?);
        Ok(())
    }

    fn keep(&mut self, host: usize, judged: &Judged) -> Result<Option<Judged>, Refused> {
        let run = self.run.expect("begun before its first record");
        Ok(self.entry.add(run, host, judged)?)
    }
}
