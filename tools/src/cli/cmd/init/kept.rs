//! `tester init --force`: what the old `tester.toml` says stays, where no option says otherwise.
//!
//! What `init` finds anew (program, build lines, tester, visualizer, folder of the cases) is written as found, because
//! that is why it is run again. The old file is kept under another name all the same.

use toml::{Table, Value};

/// Keys of which no folder tells anything, with their tables.
const KEPT: [(&str, &str); 17] = [
    ("judge", "contract"),
    ("judge", "score_regex"),
    ("judge", "score_stream"),
    ("judge", "zero_counts"),
    ("judge", "objective"),
    ("judge", "measure"),
    ("judge", "name"),
    ("judge", "parameters"),
    ("batch", "held_out"),
    ("batch", "seeds"),
    ("batch", "out"),
    ("batch", "time_limit"),
    ("batch", "memory_limit"),
    ("batch", "jobs"),
    ("batch", "keep_runs"),
    ("batch", "vis_worst"),
    ("batch", "cases"),
];

/// Keys that are found anew.
const FOUND: [(&str, &str); 5] = [
    ("judge", "external"),
    ("judge", "vis"),
    ("batch", "cases"),
    ("batch", "build"),
    ("batch", "command"),
];

/// A new file with old settings in it.
pub(super) struct Kept {
    pub(super) text: String,
    /// The keys whose old values stay.
    pub(super) kept: Vec<String>,
    /// The keys whose values are found anew, and are others than before.
    pub(super) replaced: Vec<String>,
}

/// Lays old settings over a new file. `typed` are the keys that options set.
pub(super) fn keep(new: &str, old: &Table, typed: &[&str]) -> Kept {
    let found: Table = toml::from_str(new).unwrap_or_default();
    let (mut text, mut kept) = (new.to_owned(), Vec::new());
    // An interactor is found by nobody, and stands where the tester's line would.
    let interactor = get(old, "judge", "interactor").filter(|_| !typed.contains(&"external"));
    let has_judge = interactor.is_some() || get(&found, "judge", "external").is_some();
    if let Some(value) = interactor {
        text = with(&text, "judge", ("interactor", "external"), value);
        kept.push("interactor".to_owned());
    }
    for (table, key) in KEPT {
        let Some(value) = get(old, table, key).filter(|_| !typed.contains(&key)) else {
            continue;
        };
        // A folder alone is found anew. With numbers it is a choice, which other cases that are held out belong to.
        let is_found = key == "cases" && !value.is_array();
        let is_of_other_judge = table == "judge" && key != "measure" && !has_judge;
        if is_found || is_of_other_judge || get(&found, table, key) == Some(value) {
            continue;
        }
        let instead = if key == "seeds" { "cases" } else { key };
        text = with(&text, table, (key, instead), value);
        kept.push(key.to_owned());
    }
    if let Some(Value::Table(tune)) = old.get("tune") {
        let remarks = text.find("# [tune]").unwrap_or(text.len());
        text.truncate(remarks);
        let lines = tune.iter().map(|(key, value)| format!("{key} = {value}\n"));
        text.push_str(&format!("[tune]\n{}", lines.collect::<String>()));
        kept.push("[tune]".to_owned());
    }
    let written: Table = toml::from_str(&text).unwrap_or_default();
    let is_other = |(table, key): &&(&str, &str)| {
        let before = get(old, table, key);
        before.is_some() && before != get(&written, table, key)
    };
    let replaced = FOUND
        .iter()
        .filter(is_other)
        .map(|(_, key)| (*key).to_owned());
    Kept {
        replaced: replaced.collect(),
        text,
        kept,
    }
}

fn get<'a>(file: &'a Table, table: &str, key: &str) -> Option<&'a Value> {
    file.get(table)?.as_table()?.get(key)
}

/// The text with this value of a key: instead of the line of another key, which may be a remark, else as the first one
/// of the table.
fn with(text: &str, table: &str, (key, instead): (&str, &str), value: &Value) -> String {
    let line = format!("{key} = {value}");
    let begins = |line: &&str| {
        let line = line.strip_prefix("# ").unwrap_or(line);
        let rest = line.strip_prefix(instead);
        rest.is_some_and(|rest| rest.starts_with(" = "))
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let head = format!("[{table}]");
    let head = lines.iter().position(|line| *line == head);
    let start = head.map_or(lines.len(), |at| at + 1);
    let is_head = |line: &&str| line.starts_with('[') || line.starts_with("# [");
    let length = lines[start..].iter().position(is_head);
    let end = length.map_or(lines.len(), |length| start + length);
    match lines[start..end].iter().position(begins) {
        Some(at) => lines[start + at] = &line,
        None => lines.insert(start, &line),
    }
    lines.join("\n") + "\n"
}
