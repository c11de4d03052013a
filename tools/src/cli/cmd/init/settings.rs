//! The text of a new `tester.toml`.

use crate::judge::external::USUAL_SCORE;
use crate::problem::Objective;
use crate::run::config::{Seconds, VERSION};
use crate::util::tester_word::tester_name;

/// What differs from contest to contest.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// The line that judges one case.
    pub(super) external: String,
    /// Whether it is known that there is such a judge: otherwise its lines are remarks.
    pub(super) has_judge: bool,
    pub(super) objective: Objective,
    pub(super) name: String,
    /// The visualizer's line, and whether there is one: otherwise the line is a remark.
    pub(super) vis: (String, bool),
    pub(super) cases: String,
    /// How many cases can be made, and the line that makes them.
    pub(super) generate: Option<(usize, String)>,
    pub(super) build: Vec<String>,
    /// `None` if no program was found.
    pub(super) command: Option<String>,
    pub(super) time_limit: Seconds,
}

impl Settings {
    /// The file.
    pub(super) fn text(&self) -> String {
        let tester = tester_name();
        let build = self.build.iter().map(|line| quoted(line));
        let build = build.collect::<Vec<_>>().join(", ");
        let command = match &self.command {
            Some(command) => format!("command = {}", quoted(command)),
            None => "# command = \"./main\"".to_owned(),
        };
        let generate = match &self.generate {
            Some((count, line)) => format!("# This makes {count} of them: {line}\n"),
            None => String::new(),
        };
        format!(
            "\
# How `{tester} batch` judges here. Options on the command line win; --no-config ignores this file.
version = {VERSION}

[judge]
# The shell line that judges one case: {{case}} is its file, {{command}} the program, {{out}} the file for its output.
{judge}external = {external}
# Whether less is better (min), or more (max).
{judge}objective = {objective}
# What of a score counts in the contest: score, log or relative (ratios of scores), or rank.
# measure = \"log\"
# The problem's name in the history.
{judge}name = {name}
# Draws a case into the current folder: `{tester} vis CASE`, and the worst cases after a batch.
{vis}
# Names of the numbers in the first line of a case, or an expression with named groups.
# parameters = \"N M\"
# The score in what the line prints, stderr before stdout: the group score of the last match.
# score_regex = '{USUAL_SCORE}'
# Look at stdout only, if the program's own stderr could be taken for a score.
# score_stream = \"stdout\"
# Accept a score of 0, which otherwise means a wrong answer.
# zero_counts = true

[batch]
# Files named 0000.txt, 0001.txt, …; with numbers, only those: [{cases}, \"0..1000\"].
{generate}cases = {cases}
# Cases to judge at the end, on which nothing was tuned: `{tester} batch --held-out`.
# held_out = \"1000..2000\"
# Shell lines that run first, in this order.
build = [{build}]
# The program that is judged if none is typed.
{command}
# Seconds, of the program alone where its time is known; MiB; cases at the same time.
{judge}time_limit = {seconds}
# memory_limit = 1024
# jobs = 2
# The last runs whose output files are kept.
# keep_runs = 20
# How many of the worst cases are drawn.
# vis_worst = 3

# What `{tester} tune` tries: in braces a name and a range, with :int for whole numbers, :log where ratios matter.
# [tune]
# command = \"{own} --heat {{t:0.1..1000:log}}\"
# trials = 30
",
            own = self.command.as_deref().unwrap_or("./main").replace(['"', '\\'], ""),
            judge = if self.has_judge { "" } else { "# " },
            external = quoted(&self.external),
            objective = quoted(self.objective.name()),
            name = quoted(&self.name),
            vis = self.visualizer(),
            cases = quoted(&self.cases),
            seconds = self.time_limit,
        )
    }

    fn visualizer(&self) -> String {
        let (line, is_there) = &self.vis;
        let remark = if *is_there { "" } else { "# " };
        format!("{remark}vis = {}", quoted(line))
    }
}

/// A string of TOML: a name may hold quotes.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
