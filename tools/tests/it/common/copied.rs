//! Scripts in a copy of the top folder, with stand-ins for programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::{TempDir, tempdir};

use crate::common::{Shown, names, script};

/// The top folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// Whether a program is there; says so where it is not, for then something is not tested.
pub fn has(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if found.is_err() {
        eprintln!("not tested, for there is no {program} here");
    }
    found.is_ok()
}

/// A folder like the top folder, with these scripts, and `bin/` for stand-ins, which are found first.
pub struct Copy {
    dir: TempDir,
}

impl Copy {
    pub fn of(scripts: &[&str]) -> Self {
        let dir = tempdir().unwrap();
        for name in ["bin", "scripts", "target"] {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        for name in scripts {
            fs::copy(
                root().join("scripts").join(name),
                dir.path().join("scripts").join(name),
            )
            .unwrap();
        }
        Self { dir }
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A program that notes its arguments in `log` and then does this.
    pub fn stand_in(&self, name: &str, body: &str) {
        let note = format!("echo {name} \"$@\" >> '{}/log'", self.path().display());
        script(&self.path().join("bin"), name, &format!("{note}\n{body}"));
    }

    /// What the stand-ins were called with.
    pub fn log(&self) -> String {
        fs::read_to_string(self.path().join("log")).unwrap_or_default()
    }

    /// The call of a script.
    pub fn command(&self, name: &str, args: &[&str]) -> Command {
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}/bin:{path}", self.path().display());
        let mut command = Command::new(self.path().join("scripts").join(name));
        command
            .args(args)
            .current_dir(self.path())
            .env("PATH", path);
        command
    }

    /// Runs a script, and checks that it leaves no temporary file.
    pub fn run(&self, name: &str, args: &[&str], variables: &[(&str, &str)]) -> Shown {
        let temporary = tempdir().unwrap();
        let output = self
            .command(name, args)
            .env("TMPDIR", temporary.path())
            .envs(variables.iter().copied())
            .output()
            .unwrap();
        assert_eq!(names(temporary.path()), [""; 0], "{name} left these files");
        Shown::from(output)
    }
}
