//! The programs of `contestants/`, and what must be said of each.

#![allow(dead_code)] // each test file is a program of its own and uses a part

use std::path::{Path, PathBuf};
use std::time::Duration;

use tools::verdict::Limits;

fn contestants() -> Vec<PathBuf> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contestants");
    let folders = std::fs::read_dir(base).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<PathBuf> = folders
        .filter(|path| path.is_dir())
        .flat_map(|folder| {
            std::fs::read_dir(folder)
                .unwrap()
                .map(|e| e.unwrap().path())
        })
        .collect();
    all.sort();
    all
}

/// What stands behind `# key: ` in a script.
fn header(text: &str, key: &str) -> Option<String> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(&format!("# {key}: ")));
    line.map(str::to_owned)
}

/// A contestant, and what must be said of it.
pub struct Expected {
    pub path: PathBuf,
    pub options: Vec<String>,
    pub verdict: String,
    /// What the reason must contain; nothing for AC.
    says: Option<String>,
}

impl Expected {
    /// All contestants, in the order of their names.
    pub fn all() -> Vec<Self> {
        let paths = contestants();
        let all: Vec<Self> = paths.iter().map(|path| Self::of(path)).collect();
        assert!(all.len() >= 60, "only {} contestants were found", all.len());
        all
    }

    /// The limits that its options set.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for pair in self.options.chunks(2) {
            let number: f64 = pair[1].parse().unwrap();
            match pair[0].as_str() {
                "--time-limit" => limits.time = Duration::from_secs_f64(number),
                "--memory-limit" => limits.memory_kib = (number as u64) << 10,
                "--turn-limit" => limits.turns = number as u64,
                "--process-limit" => limits.processes = number as u64,
                other => panic!("{}: {other}", self.path.display()),
            }
        }
        limits
    }

    fn of(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let folder = path.parent().unwrap().file_name().unwrap();
        let options = header(&text, "args").unwrap_or_default();
        let verdict = folder.to_str().unwrap().to_owned();
        let says = header(&text, "says");
        assert_eq!(says.is_none(), verdict == "AC", "{}", path.display());
        Self {
            path: path.to_owned(),
            options: options.split_whitespace().map(str::to_owned).collect(),
            verdict,
            says,
        }
    }

    pub fn is_met(&self, verdict: &str, reason: Option<&str>) -> bool {
        let said = match (&self.says, reason) {
            (None, None) => true,
            (Some(says), Some(reason)) => reason.contains(says),
            _ => false,
        };
        verdict == self.verdict && said
    }
}

/// The command lines of all processes that sleep as only contestants here do.
pub fn left() -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = entries.filter_map(|e| std::fs::read_to_string(e.path().join("cmdline")).ok());
    commands
        .filter(|command| command.contains("sleep\0") && command.contains("61.5"))
        .collect()
}
