//! What to type, and to paste, so that a program runs on the FIFOs of `tester attach`: in a shell, gdb, lldb, VS Code.

use std::fmt;
use std::path::{Path, PathBuf, absolute};

use serde_json::{Value, json};

use crate::process::{Command, Fifos, shell_word};

/// The lines for one program.
pub(super) struct Recipe {
    program: Command,
    to_program: PathBuf,
    from_program: PathBuf,
}

impl Recipe {
    pub(super) fn new(program: &Command, fifos: &Fifos) -> Self {
        Self {
            program: program.clone(),
            to_program: fifos.to_program(),
            from_program: fifos.from_program(),
        }
    }

    /// The redirections of a shell.
    fn redirections(&self) -> String {
        let word = |path: &Path| shell_word(path.as_os_str());
        let (to, from) = (word(&self.to_program), word(&self.from_program));
        format!("< {to} > {from}")
    }

    /// Whether it is a program for Python, whose debuggers are others.
    fn is_python(&self) -> bool {
        let name = Path::new(&self.program.program).file_name();
        name.is_some_and(|name| name.to_string_lossy().starts_with("python"))
    }

    fn args(&self) -> Vec<String> {
        let args = self.program.args.iter();
        args.map(|arg| arg.to_string_lossy().into_owned()).collect()
    }

    fn gdb(&self) -> String {
        let args = self.program.args.iter().map(|arg| shell_word(arg) + " ");
        let run = format!("run {}{}", args.collect::<String>(), self.redirections());
        let program = shell_word(&self.program.program);
        format!(
            "gdb -ex 'break main' -ex {} {program}",
            shell_word(run.as_ref())
        )
    }

    fn lldb(&self) -> String {
        let word = |path: &Path| shell_word(path.as_os_str());
        let (to, from) = (word(&self.to_program), word(&self.from_program));
        let launch = format!("process launch --stdin {to} --stdout {from}");
        let launch = shell_word(launch.as_ref());
        let (program, rest) = (&self.program.program, &self.program.args);
        let rest: String = rest
            .iter()
            .map(|arg| format!(" {}", shell_word(arg)))
            .collect();
        let rest = match rest.is_empty() {
            true => rest,
            false => format!(" --{rest}"),
        };
        let program = shell_word(program);
        format!("lldb -o 'breakpoint set --name main' -o {launch} {program}{rest}")
    }

    /// Configurations for `launch.json` of VS Code: of the C/C++ extension, and of CodeLLDB.
    fn configurations(&self) -> [Value; 2] {
        let whole = |path: &Path| {
            let path = absolute(path).unwrap_or_else(|_| path.to_owned());
            path.to_string_lossy().into_owned()
        };
        let (to, from) = (whole(&self.to_program), whole(&self.from_program));
        let program = whole(Path::new(&self.program.program));
        let mut redirected = self.args();
        redirected.extend(["<".to_owned(), to.clone(), ">".to_owned(), from.clone()]);
        let cwd = whole(Path::new("."));
        [
            json!({
                "name": "attach (C/C++)", "type": "cppdbg", "request": "launch", "MIMode": "gdb",
                "program": program, "args": redirected, "cwd": cwd,
            }),
            json!({
                "name": "attach (CodeLLDB)", "type": "lldb", "request": "launch",
                "program": program, "args": self.args(), "cwd": cwd, "stdio": [to, from, null],
            }),
        ]
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let redirections = self.redirections();
        writeln!(f, "shell      {} {redirections}", self.program)?;
        if self.is_python() {
            let args = self
                .program
                .args
                .iter()
                .map(|arg| format!(" {}", shell_word(arg)));
            let (python, args) = (shell_word(&self.program.program), args.collect::<String>());
            let listen = "-m debugpy --listen 5678 --wait-for-client";
            writeln!(f, "debugpy    {python} {listen}{args} {redirections}")?;
            let attach = json!({
                "name": "attach (Python)", "type": "debugpy", "request": "attach",
                "connect": { "host": "localhost", "port": 5678 },
            });
            return write!(
                f,
                "VS Code    in \"configurations\" of .vscode/launch.json:\n{attach}"
            );
        }
        writeln!(f, "gdb        {}", self.gdb())?;
        writeln!(f, "lldb       {}", self.lldb())?;
        write!(
            f,
            "VS Code    in \"configurations\" of .vscode/launch.json, one of:"
        )?;
        let configurations = self.configurations();
        configurations
            .iter()
            .try_for_each(|one| write!(f, "\n{one}"))
    }
}
