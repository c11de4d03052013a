//! Languages of submissions and validators: how the format builds and runs them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use regex::Regex;

use crate::util::regular_file::read_regular;

/// The program that a build makes, in its folder.
pub(super) const PROGRAM: &str = "program";

/// Sources in one language, in the folder where they are built.
pub(super) struct Sources<'a> {
    pub(super) folder: &'a Path,
    /// Those that are compiled or run, not headers.
    pub(super) files: &'a [PathBuf],
    pub(super) memory_mib: u64,
}

/// How sources become a program: a line that builds it, if one is needed, and a line that runs it.
pub(super) struct Recipe {
    pub(super) build: Option<Vec<OsString>>,
    pub(super) run: Vec<OsString>,
}

/// A language.
pub(super) struct Language {
    pub(super) name: &'static str,
    /// The name of its folder in `include/`.
    pub(super) code: &'static str,
    pub(super) endings: &'static [&'static str],
    pub(super) recipe: fn(&Sources<'_>) -> Result<Recipe, String>,
}

/// All of them. Where a folder has files of several, the first is meant: C++ includes C.
pub(super) const LANGUAGES: [Language; 7] = [
    Language {
        name: "C++",
        code: "cpp",
        endings: &["cc", "cpp", "cxx", "c++", "C"],
        recipe: |sources| {
            Ok(compiled(
                &["g++", "-g", "-O2", "-std=gnu++20"],
                sources,
                &[],
            ))
        },
    },
    Language {
        name: "C",
        code: "c",
        endings: &["c"],
        recipe: |sources| {
            Ok(compiled(
                &["gcc", "-g", "-O2", "-std=gnu17"],
                sources,
                &["-lm"],
            ))
        },
    },
    Language {
        name: "Rust",
        code: "rust",
        endings: &["rs"],
        recipe: rust,
    },
    Language {
        name: "Java",
        code: "java",
        endings: &["java"],
        recipe: java,
    },
    Language {
        name: "Python",
        code: "python3",
        endings: &["py", "py3"],
        recipe: |sources| interpreted("python3", sources, &["__main__.py", "main.py"]),
    },
    Language {
        name: "JavaScript",
        code: "javascript",
        endings: &["js", "mjs"],
        recipe: |sources| interpreted("node", sources, &["main.js", "index.js"]),
    },
    Language {
        name: "shell",
        code: "sh",
        endings: &["sh", "bash"],
        recipe: |sources| interpreted("bash", sources, &["main.sh"]),
    },
];

impl Language {
    /// Whether this file is written in it.
    pub(super) fn is_of(&self, file: &Path) -> bool {
        let ending = file.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| self.endings.contains(&ending))
    }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(OsString::from).collect()
}

fn compiled(compiler: &[&str], sources: &Sources<'_>, libraries: &[&str]) -> Recipe {
    let program = sources.folder.join(PROGRAM);
    let mut build = words(compiler);
    build.extend(["-o".into(), program.clone().into_os_string()]);
    build.extend(
        sources
            .files
            .iter()
            .map(|file| file.clone().into_os_string()),
    );
    build.extend(words(libraries));
    Recipe {
        build: Some(build),
        run: vec![program.into_os_string()],
    }
}

fn rust(sources: &Sources<'_>) -> Result<Recipe, String> {
    let main = entry(sources, &["main.rs"])?;
    let only = Sources {
        files: &[main],
        ..*sources
    };
    let compiler = [
        "rustc",
        "--edition=2021",
        "-C",
        "opt-level=2",
        "--crate-name=program",
    ];
    Ok(compiled(&compiler, &only, &[]))
}

fn java(sources: &Sources<'_>) -> Result<Recipe, String> {
    let main = sources.files.iter().find_map(|file| main_class(file));
    let main = main.ok_or("no file has a class with a static method main")?;
    let mut build = words(&["javac", "-encoding", "UTF-8", "-d"]);
    build.push(sources.folder.as_os_str().to_owned());
    build.extend(
        sources
            .files
            .iter()
            .map(|file| file.clone().into_os_string()),
    );
    // What the machine itself takes beside the heap counts, too.
    let heap = format!("-Xmx{}m", sources.memory_mib.saturating_sub(256).max(64));
    let mut run = words(&["java", "-XX:+UseSerialGC", "-Xss64m", &heap, "-cp"]);
    run.extend([sources.folder.as_os_str().to_owned(), main.into()]);
    Ok(Recipe {
        build: Some(build),
        run,
    })
}

/// The class of a Java file that has a method `main`, with its package.
fn main_class(file: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&read_regular(file).ok()?).into_owned();
    let find = |expression: &str, text: &str| {
        let expression = Regex::new(expression).expect("a constant");
        let found = expression.captures_iter(text).last();
        found.map(|found| found[1].to_owned())
    };
    let main = Regex::new(r"static\s+(?:public\s+)?void\s+main\b").expect("a constant");
    let before = &text[..main.find(&text)?.start()];
    let class = find(
        r"(?m)^[^/*\n]*\b(?:class|record|enum|interface)\s+(\w+)",
        before,
    )?;
    Some(match find(r"(?m)^\s*package\s+([\w.]+)\s*;", before) {
        Some(package) => format!("{package}.{class}"),
        None => class,
    })
}

fn interpreted(program: &str, sources: &Sources<'_>, names: &[&str]) -> Result<Recipe, String> {
    let main = entry(sources, names)?;
    Ok(Recipe {
        build: None,
        run: vec![program.into(), main.into_os_string()],
    })
}

/// The file that begins: the only one, or one with such a name.
fn entry(sources: &Sources<'_>, names: &[&str]) -> Result<PathBuf, String> {
    let named = names.iter().map(|name| sources.folder.join(name));
    let mut named = named.filter(|path| sources.files.contains(path));
    match (sources.files, named.next()) {
        ([file], _) => Ok(file.clone()),
        (_, Some(file)) => Ok(file),
        (files, None) => Err(format!(
            "expected one file or {}, found {} files",
            names.join(" or "),
            files.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_class_with_main_is_found_whatever_the_file_is_called() {
        let dir = tempfile::tempdir().unwrap();
        let main = |text: &str| {
            let file = dir.path().join("x.java");
            fs::write(&file, text).unwrap();
            main_class(&file)
        };
        let text = "package a.b;\n// The class of it\npublic class One {}\nclass Two {\n  public static void main(String[] args) {} }\nclass Three {}\n";
        assert_eq!(main(text).as_deref(), Some("a.b.Two"));
        assert_eq!(main("class A { void main() {} }"), None);
    }

    #[test]
    fn no_two_languages_have_one_ending() {
        let mut endings: Vec<_> = LANGUAGES.iter().flat_map(|known| known.endings).collect();
        let all = endings.len();
        endings.sort();
        endings.dedup();
        assert_eq!(endings.len(), all);
    }
}
