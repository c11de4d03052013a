//! Every program of `contestants/` gets the verdict of its folder, with the reason that it says.

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{CASE, run, run_in};

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
struct Expected {
    path: PathBuf,
    options: Vec<String>,
    verdict: String,
    /// What the reason must contain; nothing for AC.
    says: Option<String>,
}

impl Expected {
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

    fn is_met(&self, verdict: &str, reason: Option<&str>) -> bool {
        let said = match (&self.says, reason) {
            (None, None) => true,
            (Some(says), Some(reason)) => reason.contains(says),
            _ => false,
        };
        verdict == self.verdict && said
    }

    /// What is wrong when it is judged alone.
    fn wrong_alone(&self) -> Option<String> {
        let options = self.options.iter().map(String::as_str);
        let args: Vec<&str> = options.chain([self.path.to_str().unwrap()]).collect();
        let shown = run(&args, CASE);
        let lines: Vec<&str> = shown.stderr.lines().collect();
        let right = match lines[..] {
            [.., last] if self.verdict == "AC" => {
                last.starts_with("Score = ") && last != "Score = 0"
            }
            [.., reason, "Score = 0"] => {
                let (verdict, reason) = reason.split_once(": ").unwrap_or_default();
                self.is_met(verdict, Some(reason))
            }
            _ => false,
        };
        let stderr = &shown.stderr[shown.stderr.len().saturating_sub(400)..];
        let failed = !right || shown.status != 0;
        failed.then(|| format!("{}: {}\n{stderr}", self.path.display(), shown.status))
    }

    /// What is wrong when three of it are judged in a batch, two at the same time.
    fn wrong_in_a_batch(&self) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("in")).unwrap();
        for name in ["0000.txt", "0001.txt", "0002.txt"] {
            std::fs::write(dir.path().join("in").join(name), CASE).unwrap();
        }
        let options = self.options.iter().map(String::as_str);
        let path = self.path.to_str().unwrap();
        let batch = ["batch", "--json", "--jobs", "2"].into_iter();
        let args: Vec<&str> = batch.chain(options).chain(["--", path]).collect();
        let shown = run_in(dir.path(), &args, "");
        let lines = shown.stdout.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            self.is_met(line["verdict"].as_str().unwrap(), line["reason"].as_str())
        });
        let right = lines.clone().count() == 3 && lines.into_iter().all(|right| right);
        (!right).then(|| {
            format!(
                "{}: {}\n{}",
                self.path.display(),
                shown.status,
                shown.stdout
            )
        })
    }
}

/// The command lines of all processes that sleep as only contestants here do.
fn left() -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = entries.filter_map(|e| std::fs::read_to_string(e.path().join("cmdline")).ok());
    commands
        .filter(|command| command.contains("sleep\0") && command.contains("61.5"))
        .collect()
}

/// What is wrong with any of them; several are looked at at the same time, for most only sleep.
fn wrong(all: &[Expected], look: fn(&Expected) -> Option<String>) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(look(one));
        }
        wrong
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

#[test]
fn every_contestant_gets_its_verdict_and_reason_and_leaves_nothing() {
    let paths = contestants();
    let all: Vec<Expected> = paths.iter().map(|path| Expected::of(path)).collect();
    assert!(all.len() >= 60, "only {} contestants were found", all.len());
    for look in [Expected::wrong_alone, Expected::wrong_in_a_batch] {
        let wrong = wrong(&all, look);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert_eq!(left(), [""; 0]);
    }
}
