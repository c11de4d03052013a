//! Draws a case with the contest's visualizer, in a folder of its own.
//!
//! Visualizers write `vis.html` or `out.svg` into the current folder, whichever case it is. So each has its own
//! current folder, in which the folders of the contest are there under their usual names.

use std::fs;
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::case::CaseId;
use crate::judge::JudgeError;
use crate::judge::external::{LARGEST_PICTURE, Visualizer, VisualizerEnd};
use crate::judge::record::Verdict;
use crate::judge::verdict::Limits;
use crate::process::{Confinement, Contestant, shell_line};
use crate::util::atomic_file::{WriteError, make_dir};
use crate::util::quote::last_line;

/// The folder for pictures, beside the outputs that they are of.
pub(crate) const PICTURES: &str = "vis";

/// The suffixes of what a browser shows, the most useful first.
const SHOWN: [&str; 8] = ["html", "htm", "svg", "png", "gif", "jpg", "jpeg", "webp"];

/// What is drawn, and where.
#[derive(Clone, Copy, Debug)]
pub struct DrawTask<'a> {
    /// The number of the case.
    pub id: CaseId,
    /// Its file.
    pub case: &'a Path,
    /// The program's output.
    pub out: &'a Path,
    /// The folder for the picture, [`folder_beside`] the output.
    pub folder: &'a Path,
}

/// The picture that a visualizer drew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file to look at.
    pub path: PathBuf,
    /// The end of what the visualizer printed on stdout.
    pub stdout: Vec<u8>,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The folder cannot be made, or a link in it.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The visualizer cannot be started, or the system failed.
    #[error("failed to run the visualizer")]
    Run(#[from] JudgeError),
    /// There is none.
    #[error("no visualizer {0}")]
    Missing(String),
    /// It has passed a limit.
    #[error("the visualizer was stopped at case {id}: {why}")]
    Limit {
        /// The case.
        id: CaseId,
        /// Which limit.
        why: String,
    },
    /// It has written nothing that can be shown.
    #[error("the visualizer wrote no picture of case {id}: {why}")]
    Nothing {
        /// The case.
        id: CaseId,
        /// How it ended, and the last line that it printed.
        why: String,
        /// The line, to be tried by hand.
        line: String,
    },
}

impl DrawError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Nothing { line, .. } => Some(format!(
                "it must write vis.html, out.svg or a picture into the current folder (not into another by cd); try it: {line}"
            )),
            Self::Missing(_) => Some(
                "build the contest's tools (cargo build --release --manifest-path tools/Cargo.toml), or change vis in tester.toml"
                    .to_owned(),
            ),
            Self::Limit { .. } => Some(
                "it has the limits of a case: time_limit and memory_limit in tester.toml"
                    .to_owned(),
            ),
            Self::Run(JudgeError::Start(error)) => error.hint(),
            Self::Write(_) | Self::Run(_) => None,
        }
    }
}

/// The folder for the picture of an output: `out/runs/3/vis/0007` for `out/runs/3/0007.txt`.
pub fn folder_beside(out: &Path, id: CaseId) -> PathBuf {
    let folder = out.parent().unwrap_or_else(|| Path::new(""));
    folder.join(PICTURES).join(id.to_string())
}

/// Draws a case. What an earlier picture left in the folder is removed first. The visualizer is killed when `interrupt`
/// becomes readable; what it had written is removed.
///
/// # Errors
/// If the visualizer cannot be started, or writes no picture.
pub fn draw(
    visualizer: &Visualizer,
    task: &DrawTask<'_>,
    confinement: &Confinement<'_>,
    limits: &Limits,
    interrupt: Option<BorrowedFd<'_>>,
) -> Result<Picture, DrawError> {
    if let Some(program) = visualizer.missing_program() {
        return Err(DrawError::Missing(program.to_owned()));
    }
    make_dir(task.folder)?;
    remove_files(task.folder);
    let failed = |source| WriteError {
        path: task.folder.to_owned(),
        source,
    };
    let absolute = |path: &Path| std::path::absolute(path).map_err(failed);
    let [case, out, folder] = [task.case, task.out, task.folder].map(absolute);
    let links = Links::new(visualizer.line(), task.folder).map_err(failed)?;
    let command = visualizer.command(&case?, task.id.0, &out?, &folder?);
    let shell = Contestant::start(&command, confinement).map_err(JudgeError::from)?;
    let end = Visualizer::wait(shell, limits, interrupt);
    drop(links);
    if end.is_err() {
        remove_files(task.folder);
    }
    let end = end?;
    let written = pictures_in(task.folder).into_iter().next();
    if let Some(why) = passed_limit(&end, written.as_deref()) {
        remove_files(task.folder);
        return Err(DrawError::Limit { id: task.id, why });
    }
    match written {
        Some(path) => Ok(Picture {
            path,
            stdout: end.stdout,
        }),
        None => Err(nothing(visualizer, task, &end)),
    }
}

/// Which limit a visualizer has passed, if any. One that ended with another status may have drawn what is wrong with the
/// output.
fn passed_limit(end: &VisualizerEnd, written: Option<&Path>) -> Option<String> {
    let failure = end.failure.as_ref();
    if let Some((_, why)) = failure.filter(|(verdict, _)| *verdict != Verdict::Re) {
        return Some(why.clone());
    }
    let bytes = written?.metadata().ok()?.len();
    (bytes >= LARGEST_PICTURE).then(|| {
        let mib = LARGEST_PICTURE >> 20;
        format!("it wrote a file of {mib} MiB, and may write less")
    })
}

/// How a visualizer ended that has written no picture, and the last line that it printed.
fn nothing(visualizer: &Visualizer, task: &DrawTask<'_>, end: &VisualizerEnd) -> DrawError {
    let ended = end.failure.as_ref().map(|(_, why)| why.clone());
    let ended = ended.unwrap_or_else(|| "it ended well".to_owned());
    let said = match &end.last_words {
        Some(words) => Some(format!("its stderr ended with {words}")),
        None => last_line(&end.stdout).map(|last| format!("its stdout ended with {last}")),
    };
    let why: Vec<String> = [Some(ended), said].into_iter().flatten().collect();
    let line = visualizer.filled(task.case, task.id.0, task.out);
    DrawError::Nothing {
        id: task.id,
        why: why.join("; "),
        line: shell_line(&line),
    }
}

/// The files in a folder that a browser can show, the most useful first. Links and empty files are none.
pub(crate) fn pictures_in(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_file = |about: &fs::Metadata| about.is_file() && about.len() > 0;
        if entry.metadata().is_ok_and(|about| is_file(&about))
            && let Some(rank) = rank(&path)
        {
            found.push((rank, path));
        }
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

fn rank(path: &Path) -> Option<usize> {
    let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
    SHOWN.iter().position(|shown| *shown == suffix)
}

/// Removes all pictures beside outputs; other folders stay.
pub(crate) fn remove_pictures(outputs: &Path) {
    let pictures = outputs.join(PICTURES);
    for entry in fs::read_dir(&pictures).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_case = name
            .to_str()
            .is_some_and(|name| name.parse::<u64>().is_ok());
        if is_case && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_files(&entry.path());
            let _ = fs::remove_dir(entry.path());
        }
    }
    let _ = fs::remove_dir(pictures);
}

/// Removes the files and links of a folder, and nothing below it. What cannot be removed only takes up room.
fn remove_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| !kind.is_dir()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Links in a picture's folder to the folders of the contest, and to the files that the line names. They go when this
/// is dropped.
struct Links(Vec<PathBuf>);

impl Links {
    fn new(line: &str, folder: &Path) -> io::Result<Self> {
        let mut links = Self(Vec::new());
        let here = std::env::current_dir()?;
        for entry in fs::read_dir(&here)?.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let is_named = || name.to_str().is_some_and(|name| names_file(line, name));
            if path.is_dir() || is_named() {
                let link = folder.join(&name);
                symlink(&path, &link)?;
                links.0.push(link);
            }
        }
        Ok(links)
    }
}

impl Drop for Links {
    fn drop(&mut self) {
        for link in &self.0 {
            if link.is_symlink() {
                let _ = fs::remove_file(link);
            }
        }
    }
}

/// Whether a word of the line is this file of the current folder. The name of a file to write is none: a link of that name
/// would lead the picture to the contest's folder.
fn names_file(line: &str, name: &str) -> bool {
    const BEFORE_WRITTEN: [&str; 4] = [">", "-o", "--out", "--output"];
    let line = line.replace('>', " > ");
    let words = line.split(|c: char| c.is_whitespace() || "'\"=;&|()<".contains(c));
    let mut before = "";
    words.filter(|word| !word.is_empty()).any(|word| {
        let is_written = BEFORE_WRITTEN.contains(&before);
        before = word;
        !is_written && word.strip_prefix("./").unwrap_or(word) == name
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_line_names_are_linked_and_others_are_not() {
        let line = "python3 ./vis.py --config='set.json' {case} {out} >vis.html";
        assert!(names_file(line, "vis.py") && names_file(line, "set.json"));
        assert!(!names_file(line, "vis") && !names_file(line, "python"));
        // What it writes is none of them, unless it reads that, too.
        assert!(!names_file(line, "vis.html"));
        for line in [
            "v {case} > ./a.svg",
            "v {case} >| 'a.svg'",
            "v -o a.svg {case}",
            "v --out=a.svg",
            "v --output \"a.svg\"",
        ] {
            assert!(!names_file(line, "a.svg"), "{line}");
            assert!(names_file(&format!("{line}; v a.svg"), "a.svg"), "{line}");
        }
    }

    #[test]
    fn pictures_are_ordered_by_how_useful_they_are() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("b.svg", "x"),
            ("a.PNG", "x"),
            ("vis.html", "x"),
            ("log.txt", "x"),
            ("empty.html", ""),
        ] {
            fs::write(dir.path().join(name), text).unwrap();
        }
        symlink("vis.html", dir.path().join("link.html")).unwrap();
        let found = pictures_in(dir.path());
        let names: Vec<_> = found
            .iter()
            .map(|path| path.file_name().unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["vis.html", "b.svg", "a.PNG"]);
    }

    #[test]
    fn only_pictures_of_cases_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let vis = dir.path().join(PICTURES);
        fs::create_dir_all(vis.join("0007/deep")).unwrap();
        fs::create_dir_all(vis.join("0008")).unwrap();
        fs::create_dir_all(vis.join("mine")).unwrap();
        for file in ["0007/vis.html", "0008/out.svg", "mine/vis.html"] {
            fs::write(vis.join(file), "x").unwrap();
        }
        remove_pictures(dir.path());
        assert!(vis.join("mine/vis.html").exists() && vis.join("0007/deep").exists());
        assert!(!vis.join("0007/vis.html").exists() && !vis.join("0008").exists());
    }
}
