//! How the official tools print a score, where their source tells that it is not as usual: a line `Total Cost = 12`, or only
//! the number.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use tester_core::judge::external::{LikelyScore, USUAL_SCORE};
use tester_core::problem::Objective;
use tester_core::util::bounded_read::{MAX_TEXT, read_text};

use super::official_tools::OfficialTools;
use super::old_settings::OldSettings;

/// A score that is printed in another way than usual.
#[derive(Debug)]
pub(super) struct PrintedScore {
    /// As it is printed, with N for the number.
    pub(super) shown: String,
    /// What finds it.
    pub(super) expression: String,
    /// Where that is written.
    pub(super) source: PathBuf,
}

impl PrintedScore {
    /// What the source of the program says that prints the score; `None` if that is as usual, if the source does not
    /// tell, or if an old `tester.toml` does.
    pub(super) fn read(
        top: &Path,
        tools: &OfficialTools,
        interactive: bool,
        old: &OldSettings,
    ) -> Option<Self> {
        if old.get("score_regex").is_some() {
            return None;
        }
        let name = match interactive {
            true => "tester",
            false => tools.scorer(),
        };
        let source = tools.source(name);
        let text = read_text(&top.join(&source), MAX_TEXT).ok()?;
        // A tester that talks to the program copies to stdout what that prints.
        let (shown, expression) = other_score(&text, !interactive)?;
        Some(Self {
            shown,
            expression,
            source,
        })
    }
}

impl PrintedScore {
    /// Less of a cost is better.
    pub(super) fn objective(&self) -> Option<Objective> {
        let is_cost = self.shown.to_lowercase().contains("cost");
        is_cost.then_some(Objective::Min)
    }
}

/// What stands for each value that is printed.
const NUMBER: &str = "0";

/// A score that a program in Rust prints in another way than usual, and what finds it.
fn other_score(source: &str, has_stdout: bool) -> Option<(String, String)> {
    static USUAL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(USUAL_SCORE).expect("it is an expression"));
    let lines = printed(source);
    if lines.iter().any(|(_, line)| USUAL.is_match(line)) {
        return None;
    }
    let named = |line: &String| LikelyScore::named(line.as_bytes());
    let mut all: Vec<_> = lines.iter().filter_map(|(_, line)| named(line)).collect();
    all.dedup();
    let on_stdout = lines.iter().filter(|(is_stdout, _)| *is_stdout);
    let on_stdout: Vec<&String> = on_stdout.map(|(_, line)| line).collect();
    let likely = match (&*all, &*on_stdout) {
        ([one], _) => one.clone(),
        // The only line may be nothing but the number.
        ([], [one]) if has_stdout => LikelyScore::bare(one.as_bytes())?,
        _ => return None,
    };
    let words = likely.line.strip_suffix(NUMBER)?;
    Some((format!("{words}N"), likely.expression))
}

/// The lines that a program in Rust prints, with a number for each value; and whether each goes to stdout.
fn printed(source: &str) -> Vec<(bool, String)> {
    static PRINT: LazyLock<Regex> = LazyLock::new(|| {
        let print = r#"\b(e?)print(?:ln)?!\(\s*"([^"\n]*)""#;
        Regex::new(print).expect("it is an expression")
    });
    static VALUE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\{[^{}]*\}").expect("it is an expression"));
    let code = source.lines().map(str::trim_start);
    let code: Vec<&str> = code.filter(|line| !line.starts_with("//")).collect();
    let line = |text: &str| VALUE.replace_all(text, NUMBER).trim().to_owned();
    PRINT
        .captures_iter(&code.join("\n"))
        .map(|found| (found[1].is_empty(), line(&found[2])))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::other_score;

    fn shown(source: &str) -> Option<String> {
        other_score(source, true).map(|(shown, _)| shown)
    }

    #[test]
    fn a_score_with_another_name_or_without_any_is_found() {
        let cost = "match exec(&mut p) {\n    Ok(o) => eprintln!(\"Total Cost = {}\", o.total_cost),\n    Err(e) => {\n        \
                    eprintln!(\"{}\", e);\n    }\n}";
        let (shown_cost, expression) = other_score(cost, false).unwrap();
        assert_eq!(shown_cost, "Total Cost = N");
        assert_eq!(expression, r"(?m)^\s*Total Cost\s*=\s*(?P<score>\d+)\s*$");
        let split = "eprintln!(\n    \"score: {score}\"\n);\n// println!(\"Score = {}\", score);";
        assert_eq!(shown(split).as_deref(), Some("score: N"));
        let bare = "eprintln!(\"Usage: {} <input>\", name);\nprintln!(\"{}\", score(&input));";
        let (shown_bare, expression) = other_score(bare, true).unwrap();
        assert_eq!(shown_bare, "N");
        assert_eq!(expression, r"(?m)^\s*(?P<score>\d+)\s*$");
    }

    #[test]
    fn nothing_is_said_where_the_score_is_as_usual_or_the_source_does_not_tell() {
        for source in [
            "eprintln!(\"Total Cost = {}\", cost);\neprintln!(\"Score = {}\", score);",
            "eprintln!(\"Score = 0\");\nprintln!(\"{}\", text);",
            "eprintln!(\"cost = {}\", a);\neprintln!(\"total = {}\", b);",
            "println!(\"{}\", error);\nprintln!(\"{}\", score);",
            "eprintln!(\"N = {}\", n);",
            "print_score(&input);",
            "",
        ] {
            assert_eq!(shown(source), None, "{source}");
        }
        // What a tester copies to stdout is the program's.
        assert!(other_score("println!(\"{}\", line);", false).is_none());
    }
}
