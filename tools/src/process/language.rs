//! Programming languages: how names of their files end, and what compiles or runs them.
//!
//! Languages of problem packages (`run/package/language.rs`) are another list: that format says itself which endings
//! there are, and how it builds.

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
    /// The compiler's call before `-o PROGRAM SOURCE`. The options are those of AtCoder's judge, as far as they matter
    /// for speed and language.
    Compiler(&'static str),
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
static LANGUAGES: [Language; 14] = [
    compiled("C++", &["cpp", "cc", "cxx"], "g++ -O2 -std=gnu++20"),
    compiled("C", &["c"], "gcc -O2"),
    compiled("Go", &["go"], "go build"),
    compiled("D", &["d"], "gdc -O2"),
    compiled("Rust", &["rs"], "rustc -O --edition 2021"),
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
}

/// How names of files end that a compiler makes a program of, the likelier first.
pub(crate) fn compiled_endings() -> impl Iterator<Item = &'static str> {
    let compiled = LANGUAGES
        .iter()
        .filter(|known| matches!(known.tool, Tool::Compiler(_)));
    compiled.flat_map(|known| known.endings.iter().copied())
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

/// Whether a program executes scripts, by its name, such as `python3.12`.
pub(super) fn is_interpreter(program: &str) -> bool {
    LANGUAGES.iter().any(|known| match known.tool {
        Tool::Compiler(_) => false,
        Tool::Interpreter { names, .. } => names.iter().any(|name| program.starts_with(name)),
    })
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
