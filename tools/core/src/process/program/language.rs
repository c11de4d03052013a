//! Programming languages: how names of their files end, and what compiles or runs them.
//!
//! Languages of problem packages (`run/package/language.rs`) are another list: that format says itself which endings
//! there are, and how it builds.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A language.
pub(super) struct Language {
    /// For people.
    pub(super) name: &'static str,
    /// How names of its files end.
    endings: &'static [&'static str],
    /// What a file needs to run.
    pub(super) tool: Tool,
}

/// What a source file needs to run.
#[derive(Clone, Copy)]
pub(super) enum Tool {
    /// The compiler's call before the program and ` SOURCE`. The options are those of AtCoder's judge, as far as they
    /// matter for speed and language.
    Compiler(&'static str),
    /// Two lines with places: `{source}`, `{folder}` of it, its `{stem}`, and `{program}`, the path without an ending.
    Lines {
        build: &'static str,
        run: &'static str,
    },
    /// A compiler for a virtual machine, and that machine's program.
    Virtual {
        compiler: &'static str,
        machine: &'static str,
    },
    /// An interpreter.
    Interpreter {
        /// The word before the file in a contestant's command; `None` if such files are rarely contestants.
        usual: Option<&'static str>,
        /// How the names of programs begin that execute such a file.
        names: &'static [&'static str],
    },
}

const fn compiled(
    name: &'static str,
    endings: &'static [&'static str],
    call: &'static str,
) -> Language {
    Language {
        name,
        endings,
        tool: Tool::Compiler(call),
    }
}

const fn interpreted(
    name: &'static str,
    endings: &'static [&'static str],
    usual: Option<&'static str>,
    names: &'static [&'static str],
) -> Language {
    Language {
        name,
        endings,
        tool: Tool::Interpreter { usual, names },
    }
}

/// All of them; of two compiled ones, the likelier first.
static LANGUAGES: [Language; 22] = [
    compiled("C++", &["cpp", "cc", "cxx"], "g++ -O2 -std=gnu++20 -o "),
    compiled("C", &["c"], "gcc -O2 -o "),
    compiled("Go", &["go"], "go build -o "),
    compiled("D", &["d"], "gdc -O2 -o "),
    compiled("Rust", &["rs"], "rustc -O --edition 2021 -o "),
    compiled("Haskell", &["hs"], "ghc -O2 -o "),
    // It takes no blank before the program.
    compiled("Nim", &["nim"], "nim c -d:release -o:"),
    compiled("Swift", &["swift"], "swiftc -O -o "),
    compiled("Crystal", &["cr"], "crystal build --release -o "),
    compiled("OCaml", &["ml"], "ocamlopt -O3 -o "),
    Language {
        name: "Kotlin",
        endings: &["kt"],
        tool: Tool::Lines {
            build: "kotlinc {source} -include-runtime -d {program}.jar",
            run: "java -jar {program}.jar",
        },
    },
    // A program in C# is a project, whose library has its name. Files in `bin` are no source of it.
    Language {
        name: "C#",
        endings: &["csproj"],
        tool: Tool::Lines {
            build: "dotnet publish {source} -c Release -o {folder}bin/publish",
            run: "dotnet {folder}bin/publish/{stem}.dll",
        },
    },
    Language {
        name: "Java",
        endings: &["java"],
        tool: Tool::Virtual {
            compiler: "javac",
            machine: "java",
        },
    },
    interpreted("Python", &["py"], Some("python3"), &["python", "pypy"]),
    interpreted("JavaScript", &["js", "mjs", "cjs"], Some("node"), &["node"]),
    interpreted("TypeScript", &["ts"], None, &["node"]),
    interpreted("Ruby", &["rb"], Some("ruby"), &["ruby"]),
    interpreted("Julia", &["jl"], Some("julia"), &["julia"]),
    interpreted("Lua", &["lua"], None, &["lua"]),
    interpreted("Perl", &["pl"], None, &["perl"]),
    interpreted("PHP", &["php"], None, &["php"]),
    interpreted(
        "shell",
        &["sh", "bash", "zsh"],
        None,
        &["sh", "bash", "dash", "zsh"],
    ),
];

impl Language {
    /// The language of a file, by its name.
    pub(super) fn from_path(source: &Path) -> Option<&'static Self> {
        let ending = source.extension()?.to_str()?.to_ascii_lowercase();
        LANGUAGES
            .iter()
            .find(|known| known.endings.contains(&&*ending))
    }

    /// Whether a program executes files in it, by the program's name.
    fn is_run_by(&self, program: &str) -> bool {
        match self.tool {
            Tool::Compiler(_) | Tool::Lines { .. } | Tool::Virtual { .. } => false,
            Tool::Interpreter { names, .. } => names.iter().any(|name| program.starts_with(name)),
        }
    }
}

/// How names of files end that a compiler makes a program of, the likelier first.
pub(crate) fn compiled_endings() -> impl Iterator<Item = &'static str> {
    let compiled = LANGUAGES
        .iter()
        .filter(|known| matches!(known.tool, Tool::Compiler(_)));
    compiled.flat_map(|known| known.endings.iter().copied())
}

/// Other compilers than those of the table.
const MORE_COMPILERS: [&str; 2] = ["clang", "clang++"];

/// Whether a shell line only compiles, as far as it shows: then it makes programs, and neither cases nor scripts.
pub fn only_compiles(line: &str) -> bool {
    let is_plain =
        |command: &str| !command.contains(['|', '&', ';', '<', '>', '$', '`', '(', '\n']);
    let compiles = |command: &str| {
        let words = shlex::split(command).unwrap_or_default();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["cd", _] => true,
            ["cargo", "build" | "b", ..] => true,
            ["cargo", toolchain, "build" | "b", ..] => toolchain.starts_with('+'),
            [first, ..] if MORE_COMPILERS.contains(first) => true,
            // Nim's compiler runs the program then, and that of Haskell an expression.
            all if all.iter().any(|word| ["-r", "--run", "-e"].contains(word)) => false,
            _ => LANGUAGES.iter().any(|known| match known.tool {
                // The words before its options and files, such as `go build`.
                Tool::Compiler(call) | Tool::Lines { build: call, .. } => {
                    let call = call
                        .split(' ')
                        .take_while(|word| !word.starts_with(['-', '{']));
                    words.starts_with(&call.collect::<Vec<_>>())
                }
                Tool::Virtual { compiler, .. } => words.first() == Some(&compiler),
                Tool::Interpreter { .. } => false,
            }),
        }
    };
    line.split("&&")
        .all(|command| is_plain(command) && compiles(command))
}

/// Whether a file is a script, by its name: an interpreter runs it as it is.
pub(crate) fn is_script(path: &Path) -> bool {
    let language = Language::from_path(path);
    language.is_some_and(|known| matches!(known.tool, Tool::Interpreter { .. }))
}

/// Whether a file is written in a programming language, by its name; headers of C and C++ are, too.
pub(crate) fn is_source(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let is_header = ending.is_some_and(|ending| HEADERS.iter().any(|header| ending == *header));
    is_header || Language::from_path(path).is_some()
}

/// How names of headers end.
const HEADERS: [&str; 4] = ["h", "hh", "hpp", "hxx"];

/// What runs a script: what its first line (`#!`) names, else the usual program for the ending of its name.
pub(super) fn interpreter_of(path: &Path) -> Option<String> {
    interpreter_in(path).or_else(|| {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match Language::from_path(path)?.tool {
            Tool::Compiler(_) | Tool::Lines { .. } | Tool::Virtual { .. } => None,
            Tool::Interpreter { usual, names } => {
                let own = names.iter().find(|name| **name == ending);
                usual.or(own.copied()).or(names.first().copied())
            }
        }
        .map(str::to_owned)
    })
}

/// How the name of a script would end in the language of the interpreter that its first line names.
pub(crate) fn ending_of_script(path: &Path) -> Option<&'static str> {
    let line = interpreter_in(path)?;
    let program = Path::new(line.split(' ').next()?).file_name()?.to_str()?;
    let known = LANGUAGES.iter().find(|known| known.is_run_by(program))?;
    known.endings.first().copied()
}

/// The first line of a file after `#!`, if it begins so; none for others.
pub(crate) fn first_line_of_script(path: &Path) -> Option<String> {
    let start = start_of_script(path)?;
    Some(start.lines().next().unwrap_or_default().to_owned())
}

/// Whether the first line of a script ends as on Windows. The kernel takes that end for a part of the interpreter's name.
pub(super) fn has_windows_first_line(path: &Path) -> bool {
    start_of_script(path)
        .and_then(|start| Some(start.split('\n').next()?.ends_with('\r')))
        .unwrap_or(false)
}

fn start_of_script(path: &Path) -> Option<String> {
    // The most that the kernel reads.
    const LONGEST: u64 = 256;
    // A FIFO would be waited for.
    let file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    let mut start = Vec::new();
    file.take(LONGEST).read_to_end(&mut start).ok()?;
    Some(String::from_utf8_lossy(start.strip_prefix(b"#!")?).into_owned())
}

/// The interpreter that the first line of a file names.
fn interpreter_in(path: &Path) -> Option<String> {
    let line = first_line_of_script(path)?;
    let mut words: Vec<&str> = line.split_whitespace().collect();
    if Path::new(words.first()?).file_name()? == "env" {
        words.remove(0);
        words.retain(|word| *word != "-S");
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+".contains(c);
    let are_plain = words.iter().all(|word| word.chars().all(is_plain));
    (!words.is_empty() && are_plain).then(|| words.join(" "))
}

/// Whether a program executes scripts, by its name, such as `python3.12`.
pub(super) fn is_interpreter(program: &str) -> bool {
    LANGUAGES.iter().any(|known| known.is_run_by(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_languages_have_one_ending() {
        let mut endings: Vec<_> = LANGUAGES.iter().flat_map(|known| known.endings).collect();
        let all = endings.len();
        endings.sort();
        endings.dedup();
        assert_eq!(endings.len(), all);
    }

    #[test]
    fn the_interpreter_of_a_script_is_that_of_its_first_line_else_of_its_ending() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text, expected) in [
            ("a.pl", "print 1;\n", Some("perl")),
            ("a.php", "<?php", Some("php")),
            ("a.lua", "", Some("lua")),
            ("a.ts", "", Some("node")),
            ("a.py", "", Some("python3")),
            ("a.sh", "echo 1\n", Some("sh")),
            ("a.BASH", "echo 1\n", Some("bash")),
            ("b.sh", "#!/bin/bash -e\n", Some("/bin/bash -e")),
            (
                "a",
                "#! /usr/bin/env -S pypy3 -u\r\nprint(1)\n",
                Some("pypy3 -u"),
            ),
            ("b", "#!/usr/bin/env\n", None),
            ("c", "#!/bin/sh; rm x\n", None),
            ("d", "print(1)\n", None),
            ("e", "\u{7f}ELF", None),
        ] {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(interpreter_of(&path).as_deref(), expected, "{name}");
        }
        assert_eq!(
            interpreter_of(Path::new("none.rb")).as_deref(),
            Some("ruby")
        );
    }

    #[test]
    fn lines_that_only_compile_are_told_from_those_that_may_do_anything() {
        for line in [
            "cargo build --release",
            "cargo +nightly build --release --manifest-path tools/Cargo.toml",
            "cd tools && cargo build -r",
            "g++ -O2 -o main main.cpp && go build -o a a.go",
            "clang++ -O2 -o 'a b' 'a b.cpp'",
            "javac -d out Main.java",
            "nim c -d:release -o:main main.nim",
            "dotnet publish a.csproj -c Release -o bin/publish",
        ] {
            assert!(only_compiles(line), "{line}");
        }
        for line in [
            "make",
            "cargo run --bin gen",
            "go run gen.go",
            "g++ -o gen gen.cpp && ./gen",
            "cargo build; ./gen",
            "cargo build && chmod +x main.py",
            "gcc -E a.c > a.py",
            "nim c -r gen.nim",
            "ghc -e main gen.hs",
            "dotnet run gen.csproj",
            "g++ $(./gen)",
            "",
        ] {
            assert!(!only_compiles(line), "{line}");
        }
    }

    #[test]
    fn scripts_and_interpreters_are_known_by_their_names() {
        assert!(
            ["a.py", "a.ts", "my/a.SH"]
                .iter()
                .all(|path| is_script(Path::new(path)))
        );
        assert!(
            !["a.cpp", "a.txt", "py"]
                .iter()
                .any(|path| is_script(Path::new(path)))
        );
        assert!(
            ["python3.12", "pypy3", "sh"]
                .iter()
                .all(|program| is_interpreter(program))
        );
        assert!(
            !["cat", "./a.py"]
                .iter()
                .any(|program| is_interpreter(program))
        );
        assert!(
            ["a.rs", "lib/a.HPP", "a.py"]
                .iter()
                .all(|path| is_source(Path::new(path)))
        );
        assert!(
            !["a.d.txt", "main", "Cargo.toml"]
                .iter()
                .any(|path| is_source(Path::new(path)))
        );
    }
}
