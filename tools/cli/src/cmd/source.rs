//! `tester source` and `tester diff`: the source of past runs. Batches and duels keep it when they begin.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command as Process, ExitCode};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use tester_core::process::Command;
use tester_core::run::program_source::{ProgramSource, SourceFile};
use tester_core::store::{History, Run, RunId};
use tester_core::util::tester_word::tester_word;

use crate::args;
use crate::hint::with_hint;
use crate::print::{ignore_closed_pipe, print};

/// A program that may be older than its source.
pub(super) struct StaleProgram {
    run: RunId,
    source: PathBuf,
}

impl StaleProgram {
    /// Says it after the table, below which users do not look for what was said first.
    pub(super) fn tell_again(&self) {
        let Self { run, source } = self;
        let source = source.display();
        note!(
            "caution: {source} was written after the program of run {run} was built, or while its last build line ran"
        );
    }
}

/// Keeps the source of a run's program: as it is now, or that of an earlier run of the same program. `built` is when the
/// last build line began, if there was one. Says if the program may be older than its source.
///
/// # Errors
/// If the history cannot be written.
pub(super) fn keep_source(
    history: &mut History,
    run: RunId,
    command: &Command,
    built: Option<SystemTime>,
) -> Result<Option<StaleProgram>> {
    let newer = match ProgramSource::of_command(command, built) {
        ProgramSource::Known(files) => {
            history.keep_source(run, &files)?;
            return Ok(None);
        }
        ProgramSource::Newer(source) => Some(source),
        // All that `java` or `make` starts has the same file.
        ProgramSource::Unknown if !command.program.as_encoded_bytes().contains(&b'/') => {
            return Ok(None);
        }
        ProgramSource::Unknown => None,
    };
    history.keep_source_of_same_program(run)?;
    Ok(newer.map(|source| {
        let shown = source.display();
        note!(
            "note: {shown} was written after the program was built, or while its last build line ran"
        );
        StaleProgram { run, source }
    }))
}

/// Checks that scripts and modules are those that were kept when a run began: none is another one, none is missing, and
/// none is new. Modules are no files of its command; a compiled program is known by its own hash.
///
/// # Errors
/// If they are not.
pub(super) fn check_source(run: &Run, kept: &[SourceFile]) -> Result<()> {
    let ProgramSource::Known(now) = ProgramSource::of_scripts(&run.about.spec.command) else {
        return Ok(());
    };
    if !kept
        .iter()
        .any(|file| content_of(&now, &file.path).is_some())
    {
        // None was kept, or the paths were those of another folder.
        return Ok(());
    }
    // Other files are kept that a compiled program is made of.
    let is_script = |path: &Path| {
        now.iter()
            .any(|script| script.path.extension() == path.extension())
    };
    for SourceFile { path, content } in kept {
        let shown = path.display();
        match content_of(&now, path) {
            Some(found) if found != content => bail!("{shown} has changed since the run began"),
            None if is_script(path) => bail!("{shown} is no part of the program any more"),
            _ => {}
        }
    }
    let is_new = |file: &&SourceFile| content_of(kept, &file.path).is_none();
    match now.iter().find(is_new) {
        Some(new) => bail!("{} is a new part of the program", new.path.display()),
        None => Ok(()),
    }
}

fn content_of<'a>(files: &'a [SourceFile], path: &Path) -> Option<&'a [u8]> {
    let found = files.iter().find(|file| file.path == path);
    found.map(|file| &file.content[..])
}

pub(crate) fn source(args: &args::SourceOf) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let (run, files) = source_of(&history, history.find_or_best(&args.run)?)?;
    if let Some(dir) = &args.dir {
        for path in write_below(dir, &files)? {
            note!("{}", path.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let file = choose(&run, &files, args.file_of_run.as_deref())?;
    write_source(&file.content)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn diff(args: &args::Diff) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let [first, second] = find_two(&history, args)?;
    if first.id == second.id {
        bail!("run {} cannot be compared with itself", first.id);
    }
    let (first, second) = (source_of(&history, first)?, source_of(&history, second)?);
    let differences = differences(&first, &second)?;
    write_source(&differences)?;
    let is_same = first.0.same_files(&second.0);
    if differences.is_empty() && !is_same {
        note!("note: what is kept of both sources is the same, but the programs differ (SHA-256)");
    } else if differences.is_empty() {
        note!("note: {}", same_source(&first.0, &second.0));
    }
    Ok(ExitCode::from(u8::from(
        !differences.is_empty() || !is_same,
    )))
}

/// That two runs have the same source, and their commands if these differ.
fn same_source(first: &Run, second: &Run) -> String {
    let same = format!("runs {} and {} have the same source", first.id, second.id);
    let [a, b] = [first, second].map(|run| &run.about.spec.command);
    match a == b {
        true => same,
        false => format!("{same}; their commands are {a} and {b}"),
    }
}

/// Writes bytes as they are, or so that a terminal obeys nothing in them.
fn write_source(bytes: &[u8]) -> Result<()> {
    if io::stdout().is_terminal() {
        return print(&String::from_utf8_lossy(bytes));
    }
    let written = io::stdout().write_all(bytes);
    written
        .or_else(ignore_closed_pipe)
        .context("failed to write the source")
}

/// The two runs that were asked for.
fn find_two(history: &History, args: &args::Diff) -> Result<[Run; 2]> {
    let Some(first) = &args.first else {
        let second = history.find_or_best(&args.second)?;
        return Ok([run_before(history, &second)?, second]);
    };
    let both = history.find_all(&[first, &args.second])?;
    Ok(both.try_into().expect("a run for each word"))
}

/// The newest run that began before this one.
fn run_before(history: &History, run: &Run) -> Result<Run> {
    let runs = history.runs(None, usize::MAX)?;
    let before = runs.into_iter().find(|other| other.id < run.id);
    before.with_context(|| format!("run {} is the first one of the history", run.id))
}

/// A run, and the files of its source.
fn source_of(history: &History, run: Run) -> Result<(Run, Vec<SourceFile>)> {
    let files = history.source_of(run.id)?;
    if files.is_empty() {
        return Err(with_hint(
            format!("no source of run {} is kept", run.id),
            format!(
                "it was not found, it was newer than the program, or an older tester judged the run; see `{} source --help`",
                tester_word()
            ),
        ));
    }
    Ok((run, files))
}

/// The one file of a run, or the one with this end of its path.
fn choose<'a>(run: &Run, files: &'a [SourceFile], end: Option<&Path>) -> Result<&'a SourceFile> {
    let whole = |file: &&SourceFile| end.is_some_and(|end| file.path == end);
    if let Some(file) = files.iter().find(whole) {
        return Ok(file);
    }
    let fits = |file: &&SourceFile| end.is_none_or(|end| file.path.ends_with(end));
    let fitting: Vec<&SourceFile> = files.iter().filter(fits).collect();
    if let [file] = fitting[..] {
        return Ok(file);
    }
    let names = |files: Vec<&SourceFile>| {
        let names = files.iter().map(|file| file.path.display().to_string());
        names.collect::<Vec<_>>().join(", ")
    };
    let cause = match (fitting.len(), end) {
        (0, Some(end)) => {
            let all = names(files.iter().collect());
            format!(
                "no source file of run {} is called {}; it has {all}",
                run.id,
                end.display()
            )
        }
        (count, _) => {
            let found = names(fitting);
            format!(
                "expected one source file of run {}, found {count}: {found}",
                run.id
            )
        }
    };
    Err(with_hint(
        cause,
        format!(
            "name one: `{tester} source {run} FILE`; all of them: `{tester} source {run} --dir DIR`",
            tester = tester_word(),
            run = run.id
        ),
    ))
}

/// Writes the files below a folder that has none, and returns their paths.
fn write_below(dir: &Path, files: &[SourceFile]) -> Result<Vec<PathBuf>> {
    let failed = |path: &Path| format!("failed to write {}", path.display());
    std::fs::create_dir_all(dir).with_context(|| failed(dir))?;
    if dir
        .read_dir()
        .with_context(|| failed(dir))?
        .next()
        .is_some()
    {
        bail!(
            "expected an empty or a new folder, found files in {}",
            dir.display()
        );
    }
    let written: Vec<PathBuf> = files
        .iter()
        .map(|file| dir.join(below(&file.path)))
        .collect();
    let mut names = HashSet::new();
    if let Some(twice) = written.iter().find(|path| !names.insert(*path)) {
        bail!("two of the source files would both be {}", twice.display());
    }
    for (file, path) in files.iter().zip(&written) {
        let folder = path.parent().unwrap_or(dir);
        std::fs::create_dir_all(folder).with_context(|| failed(folder))?;
        let made = File::create_new(path);
        made.and_then(|mut made| made.write_all(&file.content))
            .with_context(|| failed(path))?;
    }
    Ok(written)
}

/// A path that leads nowhere but below a folder: a history may come from another user. What is elsewhere has folders with
/// names of their own, so that no two files become one.
fn below(path: &Path) -> PathBuf {
    let parts = path.components();
    let part = |part| match part {
        Component::Normal(name) => Some(name.to_owned()),
        Component::RootDir => Some("root".into()),
        Component::ParentDir => Some("up".into()),
        _ => None,
    };
    parts.filter_map(part).collect()
}

/// What `diff -u` prints; nothing if both are the same.
fn differences(
    (first, before): &(Run, Vec<SourceFile>),
    (second, after): &(Run, Vec<SourceFile>),
) -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().context("failed to make a folder for both sources")?;
    let names = [first.id.to_string(), second.id.to_string()];
    for (name, (run, files)) in names.iter().zip([(first, before), (second, after)]) {
        let written = write_below(&folder.path().join(name), files)?;
        // What `diff` prints beside the name.
        let begun = UNIX_EPOCH + Duration::from_millis(run.begun_ms.max(0) as u64);
        for path in written {
            let file = File::options().write(true).open(&path);
            file.and_then(|file| file.set_modified(begun))
                .with_context(|| format!("failed to write {}", path.display()))?;
        }
    }
    // The only file of each is the same one under another name.
    let names = match (&before[..], &after[..]) {
        ([a], [b]) => [
            Path::new(&names[0]).join(below(&a.path)),
            Path::new(&names[1]).join(below(&b.path)),
        ],
        _ => names.map(PathBuf::from),
    };
    let ran = Process::new("diff")
        .args(["-u", "-r", "-N", "--"])
        .args(&names)
        .current_dir(folder.path())
        .output();
    let ran = ran.map_err(|error| {
        with_hint(
            format!("failed to start diff: {error}"),
            format!(
                "install diffutils, or write both: `{} source {} > FILE`",
                tester_word(),
                first.id
            ),
        )
    })?;
    match ran.status.code() {
        Some(0 | 1) => Ok(ran.stdout),
        _ => bail!(
            "diff failed: {}",
            String::from_utf8_lossy(&ran.stderr).trim_end()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_of_a_history_leads_out_of_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let target = dir.path().join("old");
        let file = |path: &str| SourceFile {
            path: path.into(),
            content: b"1\n".to_vec(),
        };
        let files = [file("/etc/x.rs"), file("../../y.rs"), file("src/main.rs")];
        let written = write_below(&target, &files).unwrap();
        let expected = ["root/etc/x.rs", "up/up/y.rs", "src/main.rs"].map(|path| target.join(path));
        assert_eq!(written, expected);
        let again = write_below(&target, &files).unwrap_err().to_string();
        assert!(
            again.starts_with("expected an empty or a new folder"),
            "{again}"
        );
    }
}
