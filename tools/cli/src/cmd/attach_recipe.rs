//! What to type, and to paste, so that a program runs on the FIFOs of `tester attach`: in a shell, gdb, lldb, VS Code.

use std::fmt;
use std::path::{Path, PathBuf, absolute};

use serde_json::{Value, json};
use tester_core::process::{Command, Fifos, shell_word};

/// How a program of an interpreter waits for its debugger.
struct InterpreterDebugger {
    /// Whether an interpreter of this name has it.
    is_of: fn(&str) -> bool,
    name: &'static str,
    /// What is said to the interpreter before the program.
    options: &'static str,
    /// A configuration for `launch.json` of VS Code.
    configuration: fn() -> Value,
}

const INTERPRETER_DEBUGGERS: [InterpreterDebugger; 3] = [
    InterpreterDebugger {
        is_of: |name| name.starts_with("python") || name.starts_with("pypy"),
        name: "debugpy",
        options: "-m debugpy --listen 5678 --wait-for-client",
        configuration: || {
            json!({
                "name": "attach (Python)", "type": "debugpy", "request": "attach",
                "connect": { "host": "localhost", "port": 5678 },
            })
        },
    },
    InterpreterDebugger {
        is_of: |name| ["node", "nodejs"].contains(&name),
        name: "inspector",
        options: "--inspect-brk",
        configuration: || {
            json!({
                "name": "attach (JavaScript)", "type": "node", "request": "attach", "port": 9229,
            })
        },
    },
    InterpreterDebugger {
        is_of: |name| name == "java",
        name: "jdwp",
        // Without quiet=y, it prints its address on stdout.
        options: "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=localhost:5005",
        configuration: || {
            json!({
                "name": "attach (Java)", "type": "java", "request": "attach",
                "hostName": "localhost", "port": 5005,
            })
        },
    },
];

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

    /// The debugger of an interpreter; gdb and lldb would show the interpreter's own code.
    fn interpreter_debugger(&self) -> Option<&'static InterpreterDebugger> {
        let name = Path::new(&self.program.program).file_name()?;
        let name = name.to_string_lossy();
        INTERPRETER_DEBUGGERS
            .iter()
            .find(|debugger| (debugger.is_of)(&name))
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
        let program = self.program.find();
        let program = program.unwrap_or_else(|_| PathBuf::from(&self.program.program));
        let program = whole(&program);
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
        if let Some(debugger) = self.interpreter_debugger() {
            let args = self.program.args.iter();
            let args: String = args.map(|arg| format!(" {}", shell_word(arg))).collect();
            let (interpreter, options) = (shell_word(&self.program.program), debugger.options);
            let name = debugger.name;
            writeln!(f, "{name:<10} {interpreter} {options}{args} {redirections}")?;
            let configuration = (debugger.configuration)();
            return write!(
                f,
                "VS Code    in \"configurations\" of .vscode/launch.json:\n{configuration}"
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
