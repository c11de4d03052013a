//! `tester merge`: shards of a batch become one run of the history.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use tester_core::judge::record::JudgedCase;
use tester_core::process::Command;
use tester_core::run::provenance::{Host, Provenance};
use tester_core::shard::{InMemory, Manifest, Merge, Merged, ReadError, RecordSink};
use tester_core::store::{History, Import, Kind, NewRun, RunId, RunSummary, State};
use tester_core::util::bounded_read;
use tester_core::util::tester_word::tester_word;

use crate::args::{self, KeptArgs};
use crate::cmd::import_error::ImportError;
use crate::cmd::run_folder::make_folder_of_history;
use crate::cmd::show::print_run;
use crate::print::print;

pub(crate) fn run(args: &args::Merge) -> Result<ExitCode> {
    let program = args.program();
    if let Some(program) = &program {
        program.check()?;
    }
    if args.dry_run {
        return look(args, program.as_ref());
    }
    // What takes long is done before the history is locked.
    let given = program.map(GivenCommand::new);
    let copies = wait_for_pipes(&args.files)?;
    let mut history = open(&args.kept)?;
    let (run, merged) = history.enter(|entry| enter(entry, args, given.as_ref(), copies))?;
    tell(&merged.notes);
    tell(merged.missing.as_slice());
    history.check_is_there()?;
    let run = history.find(&run.to_string())?;
    if let Some(first) = history.of_same_shards(&run)? {
        let (first, second) = (first.id, run.id);
        say!(
            "note: run {first} has the same shards; `{} delete {second}` removes the second one",
            tester_word()
        );
    }
    let all_accepted = print_run(&history, &run, &args.kept, args.format())?;
    Ok(ExitCode::from(u8::from(!all_accepted)))
}

/// Opens the history, and creates it if it is missing.
pub(crate) fn open(kept: &KeptArgs) -> Result<History> {
    make_folder_of_history(kept)?;
    Ok(History::open(&kept.history())?)
}

/// Reads all shards and writes nothing to the history.
fn look(args: &args::Merge, program: Option<&Command>) -> Result<ExitCode> {
    if args.format().is_some() {
        bail!("--json and --csv cannot be used with --dry-run");
    }
    let mut merge = Merge::new(program);
    let Ok(()) = read_all(
        &args.files,
        Copies::new(),
        &mut merge,
        &mut InMemory::default(),
    );
    let merged = merge.finish(args.partial)?;
    tell(&merged.notes);
    tell(merged.missing.as_slice());
    let (kept, planned) = (merged.kept, merged.about.planned());
    print(&format!(
        "{kept} of {planned} cases, one run; nothing was kept\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints notes on standard error.
pub(crate) fn tell(notes: &[String]) {
    for note in notes {
        say!("note: {note}");
    }
}

/// Copies of what comes through pipes, by the words that name these.
pub(crate) type Copies = BTreeMap<PathBuf, File>;

/// Waits for the ends of standard input and of pipes without a name, if they are named: another machine may still judge and
/// write to them.
fn wait_for_pipes(paths: &[PathBuf]) -> Result<Copies> {
    let mut copies = Copies::new();
    for path in paths.iter().filter(|path| is_pipe(path)) {
        let opened = match path == Path::new("-") {
            true => io::stdin().as_fd().try_clone_to_owned().map(File::from),
            false => bounded_read::open(path),
        };
        // A pipe with a name is refused later, with all others that cannot be read.
        if let Ok(mut pipe) = opened
            && !copies.contains_key(path)
        {
            let copied = tempfile::tempfile().and_then(|mut copy| {
                io::copy(&mut pipe, &mut copy)?;
                copy.rewind()?;
                Ok(copy)
            });
            let failed = || format!("failed to copy {} to a temporary file", name_of(path));
            copies.insert(path.clone(), copied.with_context(failed)?);
        }
    }
    Ok(copies)
}

fn is_pipe(path: &Path) -> bool {
    path == Path::new("-")
        || path
            .metadata()
            .is_ok_and(|found| found.file_type().is_fifo())
}

/// How a file is called in messages.
fn name_of(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".to_owned(),
        false => path.display().to_string(),
    }
}

fn enter(
    entry: &mut Import<'_>,
    args: &args::Merge,
    given: Option<&GivenCommand>,
    copies: Copies,
) -> Result<(RunId, Merged), ImportError> {
    let mut merge = Merge::new(given.map(|given| &given.program));
    let mut entering = Entering {
        entry,
        kept: &args.kept,
        given,
        run: None,
    };
    read_all(&args.files, copies, &mut merge, &mut entering)?;
    let merged = merge.finish(args.partial)?;
    let Entering { entry, run, .. } = entering;
    let run = run.expect("what is merged has begun");
    entry.end(run, &ended(&merged))?;
    Ok((run, merged))
}

/// Hands the shards in the files to `keeper`, one file after the other; the copies instead of what they were copied from.
pub(crate) fn read_all<K: RecordSink>(
    paths: &[PathBuf],
    mut copies: Copies,
    merge: &mut Merge,
    keeper: &mut K,
) -> Result<(), K::Error> {
    for path in paths {
        if let Some(copy) = copies.remove(path) {
            merge.read(&name_of(path), BufReader::new(copy), keeper)?;
            continue;
        }
        if path == Path::new("-") {
            merge.read(&name_of(path), io::stdin().lock(), keeper)?;
            continue;
        }
        let files = match path.is_dir() {
            true => shards_in(path),
            false => Ok(vec![path.clone()]),
        };
        match files {
            Ok(files) => {
                if files.is_empty() {
                    say!("note: no files *.jsonl are in {}", path.display());
                }
                for file in files {
                    read_file(&file, merge, keeper)?;
                }
            }
            Err(source) => cannot_be_read(path, source, merge),
        }
    }
    Ok(())
}

/// The files of a folder with names of shards, sorted; hidden ones are not finished yet.
fn shards_in(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(dir)?.collect::<io::Result<Vec<_>>>()?;
    let paths = entries.into_iter().filter(|entry| {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        name.ends_with(b".jsonl") && !name.starts_with(b".")
    });
    let mut paths: Vec<PathBuf> = paths.map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

fn read_file<K: RecordSink>(
    path: &Path,
    merge: &mut Merge,
    keeper: &mut K,
) -> Result<(), K::Error> {
    match bounded_read::open(path) {
        Ok(file) => {
            let file = BufReader::with_capacity(1 << 16, file);
            merge.read(&path.display().to_string(), file, keeper)
        }
        Err(source) => {
            cannot_be_read(path, source, merge);
            Ok(())
        }
    }
}

fn cannot_be_read(path: &Path, source: io::Error, merge: &mut Merge) {
    let name = path.display().to_string();
    merge.cannot_be_read(&ReadError::Io { name, source });
}

/// The summary with which the run ends in the history.
pub(crate) fn ended(merged: &Merged) -> RunSummary {
    RunSummary {
        state: State::from_end(merged.missing.is_none()),
        begun_ms: merged.begun_ms,
        took_ms: merged.took_ms,
        machine: machine(&merged.hosts),
        sandbox: merged.sandbox.clone(),
        hosts: merged.hosts.clone(),
    }
}

/// The command under which a run is recorded, if it is not that of the shards.
pub(crate) struct GivenCommand {
    program: Command,
    /// The git commit is taken here: the folder of a worker may be in no repository, or in another one.
    here: Provenance,
}

impl GivenCommand {
    /// Cost: asks git, which takes seconds in a large repository.
    pub(crate) fn new(program: Command) -> Self {
        Self {
            program,
            here: Provenance::new(String::new),
        }
    }
}

/// The run for the history.
pub(crate) fn new_run(
    about: &Manifest,
    kind: Kind,
    kept: &KeptArgs,
    given: Option<&GivenCommand>,
) -> NewRun {
    let mut new = about.to_new_run(kind, kept.out());
    new.tag = kept.tag.clone();
    new.comment = kept.comment.clone();
    if let Some(GivenCommand { program, here }) = given {
        new.spec.command = program.clone();
        new.provenance.command_given = true;
        if here.git_commit.is_some() {
            new.provenance.git_commit.clone_from(&here.git_commit);
            new.provenance.git_dirty = here.git_dirty;
        }
    }
    new
}

/// The machines of the run, in one text.
fn machine(hosts: &[Host]) -> String {
    match hosts {
        [host] => host.machine.clone(),
        _ => format!("{} hosts", hosts.len()),
    }
}

/// A run on its way into the history.
struct Entering<'a, 'b> {
    entry: &'a mut Import<'b>,
    kept: &'a KeptArgs,
    given: Option<&'a GivenCommand>,
    run: Option<RunId>,
}

impl RecordSink for Entering<'_, '_> {
    type Error = ImportError;

    fn begin(&mut self, about: &Manifest) -> Result<(), ImportError> {
        let new = new_run(about, Kind::Batch, self.kept, self.given);
        self.run = Some(self.entry.begin(&new)?);
        Ok(())
    }

    fn keep(
        &mut self,
        host: usize,
        judged: &JudgedCase,
    ) -> Result<Option<JudgedCase>, ImportError> {
        let run = self.run.expect("begun before its first record");
        Ok(self.entry.add(run, host, judged)?)
    }
}
