//! A contest's own visualizer: a line for the shell that draws a case and an output.

use std::ffi::OsString;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::error::ExternalError;
use super::line;
use super::tails::Tails;
use super::tap::Tap;
use crate::judge::crash_report::last_words;
use crate::judge::error::JudgeError;
use crate::judge::live::run_unattended;
use crate::judge::record::Verdict;
use crate::judge::usage::MoreTime;
use crate::judge::verdict::{Limits, tool_failure};
use crate::process::{Command, Contestant};

/// The largest file that a visualizer may write, in bytes.
pub const LARGEST_PICTURE: u64 = 64 << 20;

/// The blocks of `ulimit -f`.
const BLOCK: u64 = 512;

/// The line of a visualizer, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visualizer {
    line: String,
}

/// How a visualizer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisualizerEnd {
    /// The end of its stdout.
    pub stdout: Vec<u8>,
    /// What it said last on stderr, quoted: of a panic its place and message.
    pub last_words: Option<String>,
    /// Why it did not end well, in one line; `None` if it did. If it passed no limit, the verdict is RE.
    pub failure: Option<(Verdict, String)>,
}

impl Visualizer {
    /// Checks a line such as `./tools/target/release/vis {case} {out}`.
    ///
    /// # Errors
    /// If a placeholder is misspelt, or the case has no place.
    pub fn parse(text: &str) -> Result<Self, ExternalError> {
        line::check_visualizer(text)?;
        let line = text.to_owned();
        Ok(Self { line })
    }

    /// As it is written down.
    pub(crate) fn line(&self) -> &str {
        &self.line
    }

    /// The program that the line begins with, if it is named by its path and is not there.
    pub(crate) fn missing_program(&self) -> Option<&str> {
        let first = self.line.split_whitespace().next()?;
        let is_path = first.contains('/') && !first.contains(['\'', '"', '$', '{', '=']);
        (is_path && !Path::new(first).exists()).then_some(first)
    }

    /// The line for a case and an output, to be pasted into a shell.
    pub(crate) fn filled(&self, case: &Path, number: u64, out: &Path) -> OsString {
        let none = Command {
            program: OsString::new(),
            args: Vec::new(),
        };
        line::fill(&self.line, case, number, out, &none, &[])
    }

    /// What is started to draw in `folder`; all three paths are absolute.
    pub(crate) fn command(&self, case: &Path, number: u64, out: &Path, folder: &Path) -> Command {
        let mut script = b"cd ".to_vec();
        line::quote_for_sh(folder.as_os_str(), &mut script);
        script.extend(format!(" || exit; ulimit -f {}; ", LARGEST_PICTURE / BLOCK).bytes());
        script.extend_from_slice(self.filled(case, number, out).as_bytes());
        Command::shell(OsString::from_vec(script))
    }

    /// Waits until a shell that was started with [`Visualizer::command`] has ended, under the limits of a contest's
    /// tester. It is killed when `interrupt` becomes readable.
    ///
    /// # Errors
    /// As [`crate::judge::judge`].
    pub(crate) fn wait(
        shell: Contestant,
        limits: &Limits,
        interrupt: Option<BorrowedFd<'_>>,
    ) -> Result<VisualizerEnd, JudgeError> {
        let mut unwatched = ();
        let mut tails = Tails::default();
        let mut tap = Tap::new(&mut unwatched, &mut tails);
        let ended = run_unattended(shell, limits, &|| MoreTime::NONE, interrupt, &mut tap)?;
        Ok(VisualizerEnd {
            failure: tool_failure(&ended.process, limits),
            stdout: tails.stdout,
            last_words: last_words(&tails.stderr, ended.process.ending),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_case_or_with_a_program_is_refused() {
        let refused = |line: &str| {
            let error = Visualizer::parse(line).unwrap_err();
            format!("{error}\nhint: {}", error.hint().unwrap())
        };
        insta::assert_snapshot!(refused("./vis {out}"), @"
        no {case} in --vis: ./vis {out}
        hint: placeholders are {case}, {out} and {number}, such as ./tools/target/release/vis {case} {out}; double a brace of the shell's own: {{ }}
        ");
        insta::assert_snapshot!(refused("./vis {case} {command}"), @"
        unknown placeholder {command} in --vis: ./vis {case} {command}
        hint: placeholders are {case}, {out} and {number}, such as ./tools/target/release/vis {case} {out}; double a brace of the shell's own: {{ }}
        ");
        insta::assert_snapshot!(refused("./vis {case"), @"
        a brace without its pair in --vis: ./vis {case
        hint: placeholders are {case}, {out} and {number}, such as ./tools/target/release/vis {case} {out}; double a brace of the shell's own: {{ }}
        ");
    }

    #[test]
    fn it_starts_in_its_folder_with_quoted_paths() {
        let vis = Visualizer::parse("./vis {case} {out} {number} {{}}").unwrap();
        let command = vis.command(
            "/c/in/0007.txt".as_ref(),
            7,
            "/c/o t".as_ref(),
            "/c/it's".as_ref(),
        );
        let words: Vec<_> = command
            .args
            .iter()
            .map(|arg| arg.to_string_lossy())
            .collect();
        insta::assert_snapshot!(words.join(" "), @r#"-c cd '/c/it'\''s' || exit; ulimit -f 131072; ./vis /c/in/0007.txt '/c/o t' 0007 {}"#);
    }
}
