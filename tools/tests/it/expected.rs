//! The programs of `contestants/`, and what must be said of each.
//!
//! A program is a shell script, or, where a shell is not enough, one file of Rust. What stands in its first
//! comments says how it is judged:
//!
//! ```text
//! # args: --time-limit 0.3       options of the tester; 1 where the reason needs the program to have done something
//! # says: turn 1: 0.3            what the reason must contain (all but AC)
//! # or: TLE                      a verdict that is right as well
//! # needs: signal scope          only where the kernel keeps it from signalling and reading the judge
//! # needs: sandbox               only where there is a sandbox, and in it
//! # pace: 1000 MiB a second      how fast it passes its limit
//! ```

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command as Process;
use std::time::Duration;

use tempfile::TempDir;
use tester::judge::verdict::Limits;
use tester::process::Command;
use tester::process::landlock::has_signal_scope;
use tester::process::sandbox::Sandbox;

use crate::common::CASE;

/// The names of three cases.
pub const NAMES: [&str; 3] = ["0000.txt", "0001.txt", "0002.txt"];

/// A folder with three times the same case.
pub fn three_cases() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["in", "out"] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
    }
    for name in NAMES {
        std::fs::write(dir.path().join("in").join(name), CASE).unwrap();
    }
    dir
}

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

/// What stands behind `key: ` in a comment.
fn header(text: &str, key: &str) -> Option<String> {
    let comments = text.lines().filter_map(|line| {
        let comment = line.strip_prefix("# ").or(line.strip_prefix("// "))?;
        comment.strip_prefix(key)?.strip_prefix(": ")
    });
    comments.map(str::to_owned).next()
}

/// The compiler that made this test.
pub fn rustc() -> Process {
    let mut rustc = Process::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition=2024", "-O"]);
    rustc
}

/// The program itself: a script, or what the compiler makes of the source.
fn program(source: &Path) -> PathBuf {
    match source.extension().is_some_and(|ext| ext == "sh") {
        true => source.to_owned(),
        false => compiled(source),
    }
}

/// What the compiler makes of a file of Rust, unless it has done so before.
pub fn compiled(source: &Path) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::fs::create_dir_all(&dir).unwrap();
    let made = dir.join(source.file_stem().unwrap());
    // Several processes of tests may want it at the same time. One makes it: a batch that judges with it, or judges
    // it, ends where it is replaced.
    let lock = File::create(made.with_extension("lock")).unwrap();
    lock.lock().unwrap();
    let changed = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    if changed(&made) < changed(source) {
        let draft = made.with_extension("draft");
        compile(source, &draft);
        std::fs::rename(draft, &made).unwrap();
    }
    made
}

/// What the compiler makes of a text of Rust, in a folder of the test.
pub fn compiled_text(dir: &Path, name: &str, text: &str) -> PathBuf {
    let program = dir.join(name);
    let source = program.with_extension("rs");
    std::fs::write(&source, text).unwrap();
    compile(&source, &program);
    program
}

fn compile(source: &Path, program: &Path) {
    let output = rustc()
        .arg("-o")
        .args([program, source])
        .output()
        .expect("rustc in PATH");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// A contestant, and what must be said of it.
pub struct Expected {
    /// What is run.
    pub program: PathBuf,
    /// Its folder and file.
    pub name: String,
    pub options: Vec<String>,
    pub verdict: String,
    /// Whether it is judged in a sandbox.
    pub sandboxed: bool,
    /// How much it passes its limit by in a second, where that is known.
    pub pace: Option<f64>,
    /// A verdict that is right as well, with any reason.
    or: Option<String>,
    /// What the reason must contain; nothing for AC.
    says: Option<String>,
}

impl Expected {
    /// All contestants that can be judged here, in the order of their names.
    pub fn all() -> Vec<Self> {
        let paths = contestants();
        assert!(
            paths.len() >= 80,
            "only {} contestants were found",
            paths.len()
        );
        paths.iter().filter_map(|path| Self::of(path)).collect()
    }

    /// The limits that its options set.
    pub fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for pair in self.options.chunks_exact(2) {
            let number: f64 = pair[1].parse().unwrap();
            match pair[0].as_str() {
                "--time-limit" => limits.time = Duration::from_secs_f64(number),
                "--memory-limit" => limits.memory_kib = (number as u64) << 10,
                "--turn-limit" => limits.turns = number as u64,
                "--process-limit" => limits.processes = number as u64,
                other => panic!("{}: {other}", self.name),
            }
        }
        limits
    }

    /// That of this file, unless what it needs is not here.
    fn of(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).unwrap();
        let folder = path.parent().unwrap().file_name().unwrap();
        let verdict = folder.to_str().unwrap().to_owned();
        let name = format!("{verdict}/{}", path.file_name().unwrap().display());
        let needs = header(&text, "needs");
        let here = match needs.as_deref() {
            None => true,
            Some("signal scope") => has_signal_scope(),
            Some("sandbox") => sandbox(Path::new("sh"), &[]).is_some(),
            Some(other) => panic!("{name}: needs {other}"),
        };
        if !here {
            eprintln!("not tested, for there is no {} here: {name}", needs?);
            return None;
        }
        let options = header(&text, "args").unwrap_or_default();
        let mut options: Vec<_> = options.split_whitespace().map(str::to_owned).collect();
        let sandboxed = needs.as_deref() == Some("sandbox");
        options.extend(sandboxed.then(|| "--sandbox".to_owned()));
        let says = header(&text, "says");
        assert_eq!(says.is_none(), verdict == "AC", "{name}");
        let pace = header(&text, "pace");
        Some(Self {
            program: program(path),
            name,
            options,
            verdict,
            sandboxed,
            pace: pace.map(|pace| pace.split(' ').next().unwrap().parse().unwrap()),
            or: header(&text, "or"),
            says,
        })
    }

    /// The options and words with which three cases are judged in a batch, two at the same time.
    pub fn batch(&self) -> Vec<&str> {
        let options = self.options.iter().map(String::as_str);
        let batch = ["batch", "--json", "--jobs", "2"]
            .into_iter()
            .chain(options);
        batch
            .chain(["--", self.program.to_str().unwrap()])
            .collect()
    }

    /// Whether that printed what must be said, three times.
    pub fn is_met_in_batch(&self, stdout: &str) -> bool {
        let is_met = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            self.is_met(line["verdict"].as_str().unwrap(), line["reason"].as_str())
        };
        let met: Vec<bool> = stdout.lines().map(is_met).collect();
        met == [true; NAMES.len()]
    }

    pub fn is_met(&self, verdict: &str, reason: Option<&str>) -> bool {
        let said = match (&self.says, reason) {
            (None, None) => true,
            (Some(says), Some(reason)) => reason.contains(says) && is_japanese(reason),
            _ => false,
        };
        let other = reason.is_some() && self.or.as_deref() == Some(verdict);
        verdict == self.verdict && said || other
    }
}

/// Whether pages can say this reason in Japanese, all of it except what the contestant wrote.
fn is_japanese(reason: &str) -> bool {
    let Some(japanese) = tester::judge::reasons::japanese(reason) else {
        return false;
    };
    let ours: String = japanese.replace("\\\"", "").split('"').step_by(2).collect();
    let mut english = ours.split(|c: char| !c.is_ascii_alphabetic() && c != ' ');
    english.all(|words| !words.trim().contains(' '))
}

/// The sandbox of this machine for a program, if there is one.
pub fn sandbox(program: &Path, hidden: &[PathBuf]) -> Option<Sandbox> {
    let command = Command {
        program: program.into(),
        args: vec![],
    };
    Sandbox::find(&command, hidden, None).ok()
}

/// Waits until no other test judges contestants that sleep, because [`left`] would count theirs.
///
/// What it returns is held until then. It is a lock on the folder of temporary files, so that it works between
/// processes too, such as those of another clone.
pub fn take_turn() -> std::fs::File {
    let turn = std::fs::File::open(std::env::temp_dir()).unwrap();
    turn.lock().unwrap();
    turn
}

/// The command lines of all processes that sleep as only contestants here do.
pub fn left() -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let commands = entries.filter_map(|e| std::fs::read_to_string(e.path().join("cmdline")).ok());
    commands
        .filter(|command| command.contains("sleep\0") && command.contains("61.5"))
        .collect()
}
