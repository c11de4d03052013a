//! Files that a source file names as its parts: modules in Python, headers in C and C++. Only those that are there count,
//! so that no part of a language's library does.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::process::program::language::ending_of_script;
use crate::util::bounded_read;

/// The longest file that is looked at.
const MAX_FILE: u64 = 1 << 20;

/// The most names of parts that are looked for in one file, and the longest one: a file may be hostile.
const MAX_NAMES: usize = 500;
const MAX_NAME: usize = 250;

/// These files with their parts below one of the folders `roots`, and the parts of these, up to this many.
pub(super) fn with_parts(files: Vec<PathBuf>, roots: &[PathBuf], most: usize) -> Vec<PathBuf> {
    let is_own = |part: &PathBuf| {
        let whole = std::path::absolute(part).unwrap_or_default();
        roots.iter().any(|root| plain(&whole).starts_with(root))
    };
    let mut known: BTreeSet<PathBuf> = files.iter().cloned().collect();
    let folders: Vec<PathBuf> = files.iter().map(|file| folder_of(file)).collect();
    let mut open = files;
    while let Some(file) = open.pop() {
        if known.len() > most {
            break;
        }
        // A path with `..` is another name of the same file.
        let parts = parts_of(&file, &folders);
        let parts = parts.into_iter().filter(is_own);
        let parts = parts.filter(|part| known.insert(part.clone()));
        open.extend(parts);
    }
    known.into_iter().collect()
}

fn folder_of(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// The parts of one file: beside it, or in the folder of one of the files with which the search began.
fn parts_of(file: &Path, folders: &[PathBuf]) -> Vec<PathBuf> {
    let ending = match file.extension() {
        Some(ending) => ending.to_str(),
        None => ending_of_script(file),
    };
    let names: fn(&str) -> Vec<String> = match ending.unwrap_or_default() {
        "py" => python_modules,
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "inc" | "ipp" => headers,
        _ => return Vec::new(),
    };
    // Remarks may be in Shift_JIS.
    let Ok(text) = bounded_read::read(file, MAX_FILE) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&text);
    let own = folder_of(file);
    let find = |name: String| {
        let mut places = [&own].into_iter().chain(folders);
        places.find_map(|folder| {
            let path = plain(&folder.join(&name));
            path.is_file().then_some(path)
        })
    };
    let mut all = names(&text);
    all.retain(|name| name.len() <= MAX_NAME);
    all.into_iter().take(MAX_NAMES).filter_map(find).collect()
}

/// The path without `..` after a folder and without `.`, as the compiler would not know it by two names.
pub(super) fn plain(path: &Path) -> PathBuf {
    use std::path::Component::{CurDir, Normal, ParentDir};
    let mut plain = PathBuf::new();
    for part in path.components() {
        let last = plain.components().next_back();
        match (part, last) {
            (CurDir, _) => {}
            (ParentDir, Some(Normal(_))) => {
                plain.pop();
            }
            (other, _) => plain.push(other),
        }
    }
    plain
}

/// What `#include "a.hpp"` names.
fn headers(text: &str) -> Vec<String> {
    let named = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix('#')?.trim_start();
        let line = line.strip_prefix("include")?.trim_start();
        let (name, _) = line.strip_prefix('"')?.split_once('"')?;
        Some(name.to_owned())
    });
    named.take(MAX_NAMES).collect()
}

/// The files that `import a.b, c` and `from a import b` may mean: a module, or a folder of modules.
fn python_modules(text: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for line in statements(text) {
        if modules.len() > MAX_NAMES {
            break;
        }
        let line = &*line;
        if let Some(names) = line.strip_prefix("import ") {
            let names = imported(names).take(MAX_NAMES);
            modules.extend(names.map(|name| name.replace('.', "/")));
        } else if let Some((from, names)) = from_import(line) {
            // One dot before a name is the file's own folder, each other one a folder above it.
            let bare = from.trim_start_matches('.');
            let up = "../".repeat((from.len() - bare.len()).saturating_sub(1));
            let module = up + &bare.replace('.', "/");
            let separator = if bare.is_empty() { "" } else { "/" };
            let names = imported(names).take(MAX_NAMES);
            modules.extend(names.map(|name| format!("{module}{separator}{name}")));
            modules.push(module);
        }
    }
    let files = modules.iter().filter(|module| !module.is_empty());
    files
        .flat_map(|module| [format!("{module}.py"), format!("{module}/__init__.py")])
        .collect()
}

/// The statements that import something: several may be on a line, and one may be on several in brackets.
fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        if is_open && let Some(last) = statements.last_mut() {
            last.push_str(line);
            is_open = !line.contains(')');
            continue;
        }
        let parts = line.split(';').map(str::trim_start);
        let imports = parts.filter(|part| part.starts_with("import ") || part.starts_with("from "));
        for part in imports {
            is_open = part.contains('(') && !part.contains(')');
            statements.push(part.to_owned());
        }
    }
    statements
}

/// The module of `from MODULE import NAMES`, and the names. A longer module is none.
fn from_import(line: &str) -> Option<(&str, &str)> {
    let (module, names) = line.strip_prefix("from ")?.split_once(" import")?;
    let module = module.trim();
    (module.len() <= MAX_NAME).then_some((module, names))
}

/// The names of a list, without `as` and what follows.
fn imported(names: &str) -> impl Iterator<Item = &str> {
    let names = names.split(',').filter(|name| name.len() <= MAX_NAME);
    names.filter_map(|name| {
        let name = name.trim_matches(['(', ')', ' ', '\t']);
        name.split_whitespace().next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the files, and returns the parts of the first one with it.
    fn parts(files: &[(&str, &str)]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let roots = [dir.path().join("src"), dir.path().join("lib")];
        let roots = match files[0].0.contains('/') {
            true => &roots[..],
            false => &[dir.path().to_owned()],
        };
        let found = with_parts(vec![dir.path().join(files[0].0)], roots, 99);
        let name = |path: PathBuf| path.strip_prefix(dir.path()).unwrap().display().to_string();
        found.into_iter().map(name).collect()
    }

    #[test]
    fn modules_of_python_are_found_beside_the_script() {
        let found = parts(&[
            (
                "main.py",
                "import sys, a as b, lib.deep  # import no\nif 1:\n    from c import d\nfrom lib import (\n    x,  # no\n    other,\n)\nimport sys; import e\n",
            ),
            ("e.py", ""),
            ("a.py", "import main\n"),
            ("c.py", ""),
            ("no.py", ""),
            ("lib/__init__.py", ""),
            ("lib/deep.py", "from . import near\nfrom .. import up\n"),
            ("lib/near.py", ""),
            ("lib/other.py", ""),
            ("up.py", ""),
        ]);
        let expected = [
            "a.py",
            "c.py",
            "e.py",
            "lib/__init__.py",
            "lib/deep.py",
            "lib/near.py",
            "lib/other.py",
            "main.py",
            "up.py",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn headers_of_c_are_found_beside_the_file_that_names_them() {
        let found = parts(&[
            (
                "src/main.cpp",
                "#include <vector>\n#include \"a.hpp\"\n  # include \"../lib/b.inc\"\n",
            ),
            (
                "src/a.hpp",
                "#include \"c.h\"\n#include \"main.cpp\"\n#include \"../secret/e.h\"\n",
            ),
            ("src/c.h", ""),
            ("src/d.h", ""),
            ("secret/e.h", ""),
            ("lib/b.inc", "#include \"a.hpp\"\n"),
        ]);
        assert_eq!(found, ["lib/b.inc", "src/a.hpp", "src/c.h", "src/main.cpp"]);
    }

    #[test]
    fn a_script_without_ending_is_in_the_language_of_its_first_line() {
        let text = |first: &str| format!("{first}\nimport a\n");
        let found = |first: &str| parts(&[("main", &text(first)), ("a.py", "")]);
        assert_eq!(found("#!/usr/bin/env -S pypy3 -u"), ["a.py", "main"]);
        assert_eq!(found("#!/usr/bin/python3"), ["a.py", "main"]);
        assert_eq!(found("#!/bin/sh"), ["main"]);
        assert_eq!(found("# python3"), ["main"]);
    }

    #[test]
    fn a_hostile_file_costs_little() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.py");
        let names = vec!["x"; 60_000].join(",");
        let text = format!(
            "from {}y import {names}\nfrom .. import {names}\n",
            ".".repeat(60_000)
        );
        assert!(python_modules(&text).iter().map(String::len).sum::<usize>() < 100_000);
        std::fs::write(&file, text).unwrap();
        let roots = [dir.path().to_owned()];
        assert_eq!(with_parts(vec![file.clone()], &roots, 9), [file]);
    }
}
