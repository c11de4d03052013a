//! The steps of pahcer's configuration: what builds the program, and what starts it. They are taken over only where they
//! leave no doubt; other steps may do anything, and are only said.

use std::path::{Component, Path, PathBuf};

use tester_core::process::{cargo_build, shell_word};
use toml::{Table, Value};

use super::official_tools::PROGRAMS;
use super::programs::Candidate;

/// Compile steps and test steps, in their order.
#[derive(Debug, Default)]
pub(super) struct PahcerSteps {
    compile: Vec<Step>,
    test: Vec<Step>,
}

/// One program with its arguments, in a folder.
#[derive(Debug)]
struct Step {
    program: String,
    args: Vec<String>,
    /// From the contest's folder; empty for that folder.
    folder: PathBuf,
}

impl PahcerSteps {
    pub(super) fn new(config: &Table) -> Self {
        let steps = |key| {
            let steps = config
                .get("test")
                .and_then(|test| test.get(key)?.as_array());
            let steps = steps.into_iter().flatten();
            steps.filter_map(Step::new).collect()
        };
        Self {
            compile: steps("compile_steps"),
            test: steps("test_steps"),
        }
    }

    /// Puts the program that they build and start before the other candidates, in the place of what was known of its
    /// source. Says whether this changes anything.
    pub(super) fn put_first(&self, tools: &Path, candidates: &mut Vec<Candidate>) -> bool {
        let Some(program) = self.program(tools, candidates) else {
            return false;
        };
        let is_first = candidates.first() == Some(&program);
        candidates
            .retain(|other| other.source != program.source && other.command != program.command);
        candidates.insert(0, program);
        !is_first
    }

    /// The program that they build and start, if they leave no doubt: compilers write what is started, or Cargo builds
    /// one of these candidates, or an interpreter reads one.
    fn program(&self, tools: &Path, candidates: &[Candidate]) -> Option<Candidate> {
        let words = self.started()?;
        let builds: Vec<&Step> = self.own_builds(tools).collect();
        let command: Vec<String> = words.iter().map(|word| shell_word(word.as_ref())).collect();
        let command = command.join(" ");
        let started = lexical(Path::new(&words[0]))?;
        let found = |is: &dyn Fn(&&Candidate) -> bool| candidates.iter().find(is).cloned();
        let names = |words: &[String], source: &Path| {
            let is_it = |word: &String| lexical(Path::new(word)).as_deref() == Some(source);
            words.iter().any(is_it)
        };
        match *builds {
            [] => {
                let is_read =
                    |it: &&Candidate| it.build.is_none() && names(&words[1..], &it.source);
                let read = found(&is_read)?;
                Some(Candidate { command, ..read })
            }
            [step] if step.is_cargo_build() => {
                let (args, built) = (words.get(1..)?, self.moved_from(&started));
                let is_built = |it: &&Candidate| it.is_built_by_cargo_as(&built);
                let program = found(&is_built)?;
                let args = args
                    .iter()
                    .map(|word| format!(" {}", shell_word(word.as_ref())));
                Some(Candidate {
                    build: Some(step.line()),
                    command: format!("{}{}", program.command, args.collect::<String>()),
                    ..program
                })
            }
            [step] if step.folder.as_os_str().is_empty() && step.output()? == started => {
                let compiled = found(&|it| names(&step.args, &it.source));
                Some(Candidate {
                    source: compiled.map_or(started, |it| it.source),
                    build: Some(step.line()),
                    command,
                })
            }
            _ => None,
        }
    }

    /// The lines of steps that build or start otherwise than these lines and this command do.
    pub(super) fn others(
        &self,
        (tools, candidates): (&Path, &[Candidate]),
        build: &[String],
        command: Option<&str>,
    ) -> Vec<String> {
        let compiled = self.own_builds(tools).map(Step::line);
        let compiled = compiled.filter(|line| !build.contains(line));
        let tested: Vec<String> = self.test.iter().map(Step::line).collect();
        let program = self.program(tools, candidates);
        let is_started = |command| {
            let is_same = program.is_some_and(|program| program.command == command);
            is_same || tested.iter().any(|line| has_words(line, command))
        };
        let starts_other = command.is_some_and(|command| !is_started(command));
        let tested = tested.first().filter(|_| starts_other);
        compiled.chain(tested.cloned()).collect()
    }

    /// Compile steps, without those that only move files and those of the official tools.
    fn own_builds(&self, tools: &Path) -> impl Iterator<Item = &Step> {
        let is_of_tools = move |step: &Step| step.program == "cargo" && step.folder == tools;
        let steps = self.compile.iter();
        steps.filter(move |step| !step.only_moves() && !is_of_tools(step))
    }

    /// The words that start the program, from the contest's folder. The first of them has a folder where it is a file.
    fn started(&self) -> Option<Vec<String>> {
        let judges = |step: &&Step| step.official().is_some();
        // A program that prints its own score is no program for the contest's tester.
        self.test.iter().find(judges)?;
        let is_tester = |step: &&Step| step.official().is_some_and(|(name, _)| name == "tester");
        let (words, folder) = match self.test.iter().find(is_tester) {
            Some(step) => (step.official()?.1.to_vec(), &step.folder),
            None => {
                let step = self.test.first().filter(|step| step.official().is_none())?;
                let words = std::iter::once(&step.program).chain(&step.args);
                (words.cloned().collect(), &step.folder)
            }
        };
        let is_plain = !words.is_empty() && words.iter().all(|word| !word.contains('{'));
        let words = words.into_iter().filter(|_| is_plain);
        let from_top = |word: String| match folder.as_os_str().is_empty() {
            true => Some(word),
            // Of other words nothing tells whether they are files there.
            false if word.starts_with("../") => {
                let path = lexical(&folder.join(word))?;
                Some(Path::new(".").join(path).to_str()?.to_owned())
            }
            false => Some(word).filter(|word| !word.contains(['/', '.'])),
        };
        let words: Vec<String> = words.map(from_top).collect::<Option<_>>()?;
        (!words.is_empty()).then_some(words)
    }

    /// What a file was before the compile steps moved or copied it.
    fn moved_from(&self, file: &Path) -> PathBuf {
        let source = |step: &Step| match (&*step.program, &*step.args) {
            ("mv" | "cp", [.., from, to]) if lexical(Path::new(to)).as_deref() == Some(file) => {
                Some(PathBuf::from(from))
            }
            _ => None,
        };
        let from = self.compile.iter().find_map(source);
        from.unwrap_or_else(|| file.to_owned())
    }
}

impl Step {
    fn new(step: &Value) -> Option<Self> {
        let text = |key| step.get(key)?.as_str();
        let args = step.get("args").and_then(Value::as_array);
        let args = args.into_iter().flatten().filter_map(Value::as_str);
        Some(Self {
            program: text("program")?.to_owned(),
            args: args.map(str::to_owned).collect(),
            folder: lexical(Path::new(text("current_dir").unwrap_or_default()))?,
        })
    }

    /// The same for the shell.
    fn line(&self) -> String {
        if self.program == "cargo" && self.args == ["build", "--release"] {
            return cargo_build(&self.folder);
        }
        let words = std::iter::once(&self.program).chain(&self.args);
        let words: Vec<String> = words.map(|word| shell_word(word.as_ref())).collect();
        let line = words.join(" ");
        match self.folder.as_os_str().is_empty() {
            true => line,
            false => format!("(cd {} && {line})", shell_word(self.folder.as_os_str())),
        }
    }

    fn only_moves(&self) -> bool {
        ["cp", "mkdir", "mv", "rm"].contains(&&*self.program)
    }

    /// Whether Cargo builds, and to the usual place.
    fn is_cargo_build(&self) -> bool {
        let has = |words: &[&str]| self.args.iter().any(|arg| words.contains(&&**arg));
        let elsewhere = ["--manifest-path", "--profile", "--target"];
        let is_elsewhere = |arg: &String| elsewhere.iter().any(|word| arg.starts_with(word));
        let builds = self.program == "cargo" && has(&["build", "b"]) && has(&["--release", "-r"]);
        builds && self.folder.as_os_str().is_empty() && !self.args.iter().any(is_elsewhere)
    }

    /// What a compiler writes.
    fn output(&self) -> Option<PathBuf> {
        let name = Path::new(&self.program).file_name()?.to_str()?;
        let is_c = ["g++", "gcc", "clang", "c++", "cc"]
            .iter()
            .any(|compiler| name.starts_with(compiler));
        let has = |words: &[&str]| self.args.iter().any(|arg| words.contains(&&**arg));
        match self.args.iter().position(|arg| arg == "-o") {
            Some(at) => lexical(Path::new(self.args.get(at + 1)?)),
            None => (is_c && !has(&["-c", "-E", "-S"])).then(|| "a.out".into()),
        }
    }

    /// The program of the official tools that this starts, and the words after it.
    fn official(&self) -> Option<(&str, &[String])> {
        let known = |name: &str| PROGRAMS.into_iter().find(|known| *known == name);
        if self.program != "cargo" {
            let name = Path::new(&self.program).file_stem()?.to_str()?;
            return Some((known(name)?, &self.args));
        }
        let at = self.args.iter().position(|arg| arg == "--bin")?;
        let name = known(self.args.get(at + 1)?)?;
        let after = &self.args[at + 2..];
        let is_of_cargo =
            |arg: &String| ["--", "--quiet", "--release", "-q", "-r"].contains(&&**arg);
        let begin = after.iter().take_while(|arg| is_of_cargo(arg)).count();
        Some((name, &after[begin..]))
    }
}

/// A path without `.` and `..`; `None` if it leads out of the folder that it is from.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.pop() => {}
            Component::ParentDir => return None,
            part => parts.push(part),
        }
    }
    Some(parts)
}

/// Whether the words of a command follow each other in a line; `./main` and `main` are one program.
fn has_words(line: &str, command: &str) -> bool {
    let words = |text: &str| {
        let words = text.split_ascii_whitespace();
        let words: Vec<String> = words
            .map(|word| word.strip_prefix("./").unwrap_or(word).to_owned())
            .collect();
        words
    };
    let (line, command) = (words(line), words(command));
    line.windows(command.len().max(1))
        .any(|part| part == command)
}
