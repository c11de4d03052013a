//! `tester source` and `tester diff`: the source of past runs. Batches and duels keep it when they begin.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command as Process, ExitCode};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::cli::args;
use crate::cli::hint::with_hint;
use crate::cli::print::{ignore_closed_pipe, print};
use crate::process::Command;
use crate::run::program_source::{ProgramSource, SourceFile};
use crate::store::{History, Run, RunId};
use crate::util::tester_word::tester_word;

/// Keeps the source of a run's program, if it is known.
///
/// # Errors
/// If the history cannot be written.
pub(super) fn keep_source(history: &mut History, run: RunId, command: &Command) -> Result<()> {
    match ProgramSource::of_command(command) {
        ProgramSource::Known(files) => history.keep_source(run, &files)?,
        ProgramSource::Newer(source) => {
            let (source, program) = (source.display(), command.program.to_string_lossy());
            note!("note: {source} was written after {program}; was the program built since?");
        }
        ProgramSource::Unknown => {}
    }
    Ok(())
}

pub(crate) fn source(args: &args::SourceOf) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let (run, files) = source_of(&history, &args.run)?;
    if let Some(dir) = &args.dir {
        for path in write_below(dir, &files)? {
            note!("{}", path.display());
        }
        return Ok(ExitCode::SUCCESS);
    }
    let file = choose(&run, &files, args.file_of_run.as_deref())?;
    let printed = match io::stdout().is_terminal() {
        true => return print(&String::from_utf8_lossy(&file.content)).map(|()| ExitCode::SUCCESS),
        false => io::stdout().write_all(&file.content),
    };
    printed
        .or_else(ignore_closed_pipe)
        .context("failed to write the source")?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn diff(args: &args::Diff) -> Result<ExitCode> {
    let history = History::open_existing(&args.file.path)?;
    let second = history.find(&args.second)?;
    let first = match &args.first {
        Some(word) => history.find(word)?,
        None => run_before(&history, &second)?,
    };
    let both = [first, second].map(|run| source_of(&history, &run.id.to_string()));
    let [first, second] = both;
    let (first, second) = (first?, second?);
    if first.0.id == second.0.id {
        bail!("run {} cannot be compared with itself", first.0.id);
    }
    let text = text_of_diff(&first, &second)?;
    print(&text)?;
    Ok(ExitCode::from(u8::from(!text.is_empty())))
}

/// The newest run that began before this one.
fn run_before(history: &History, run: &Run) -> Result<Run> {
    let runs = history.runs(None, usize::MAX)?;
    let before = runs.into_iter().find(|other| other.id < run.id);
    before.with_context(|| format!("run {} is the first one of the history", run.id))
}

/// A run, and the files of its source.
fn source_of(history: &History, word: &str) -> Result<(Run, Vec<SourceFile>)> {
    let run = history.find(word)?;
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
    let fits = |file: &&SourceFile| end.is_none_or(|end| file.path.ends_with(end));
    let fitting: Vec<&SourceFile> = files.iter().filter(fits).collect();
    if let [file] = fitting[..] {
        return Ok(file);
    }
    let names = files.iter().map(|file| file.path.display().to_string());
    let names = names.collect::<Vec<_>>().join(", ");
    let found = match fitting.len() {
        0 => "none of the name".to_owned(),
        count => count.to_string(),
    };
    Err(with_hint(
        format!(
            "expected one source file of run {}, found {found}: {names}",
            run.id
        ),
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
    let mut written = Vec::with_capacity(files.len());
    for file in files {
        let path = dir.join(below(&file.path));
        let folder = path.parent().unwrap_or(dir);
        std::fs::create_dir_all(folder).with_context(|| failed(folder))?;
        // Two paths of a foreign history may come to one.
        let made = File::create_new(&path);
        made.and_then(|mut made| made.write_all(&file.content))
            .with_context(|| failed(&path))?;
        written.push(path);
    }
    Ok(written)
}

/// A path that leads nowhere but below a folder: a history may come from another user.
fn below(path: &Path) -> PathBuf {
    let parts = path.components();
    parts
        .filter(|part| matches!(part, Component::Normal(_)))
        .collect()
}

/// What `diff -u` prints; nothing if both are the same.
fn text_of_diff(
    (first, before): &(Run, Vec<SourceFile>),
    (second, after): &(Run, Vec<SourceFile>),
) -> Result<String> {
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
        Some(0 | 1) => Ok(String::from_utf8_lossy(&ran.stdout).into_owned()),
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
        let expected = ["etc/x.rs", "y.rs", "src/main.rs"].map(|path| target.join(path));
        assert_eq!(written, expected);
        let again = write_below(&target, &files).unwrap_err().to_string();
        assert!(
            again.starts_with("expected an empty or a new folder"),
            "{again}"
        );
    }
}
