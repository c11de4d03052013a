//! The shape of the house: which folder of `tools/core/src` may import which, no circle between files, and
//! short files and functions. Read from the source text, so that a slip is found where it is made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::expression::expression;
use regex::Regex;

/// The folders of the lab.
mod lab;

/// The folders of `tools/core/src` in the order of the flow, and the package `tools/cli`. A folder imports only folders
/// that stand before its own; reports and shards do not know each other.
const ORDER: [&str; 11] = [
    "process", "util", "problem", "case", "judge", "run", "stats", "store", "report", "shard",
    "cli",
];

/// The libraries: in each, no circle and no code in a `mod.rs`.
const LIBRARIES: [&str; 4] = [
    "tools/core/src",
    "tools/cli/src",
    "tools/lab/core/src",
    "tools/lab/src",
];

/// The longest file and the longest function, in lines.
const LONGEST_FILE: usize = 450;
const LONGEST_FUNCTION: usize = 80;

/// The most arrows between the folders.
const MOST_ARROWS: usize = 50;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All Rust files below a folder, by their paths in it.
fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let hidden = path.file_name().unwrap().to_string_lossy().starts_with('.');
            if path.is_dir() && !hidden && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                files.push(path.strip_prefix(dir).unwrap().to_owned());
            }
        }
    }
    files.sort();
    assert!(!files.is_empty(), "no Rust file in {}", dir.display());
    files
}

/// The text without comments, and without what only tests have: lines such as `mod tests;`, and the test
/// module at the end of a file.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    let text = lines.collect::<Vec<_>>().join("\n");
    let tests = expression!(r"\n#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod tests \{");
    let text = tests.split(&text).next().unwrap();
    let line = expression!(r"(?m)^#\[cfg\(test\)\]\n(?:#\[.*\n)?.*;$");
    line.replace_all(text, "").into_owned()
}

/// What names other modules: visibilities and words between quotes are not among it, and in a module that stands inside
/// its file, a `super` is that file.
fn naming(code: &str) -> String {
    let visibility = expression!(r"\bpub\((?:in [a-z_0-9:]+|crate|super)\)");
    let inline = expression!(r"^( *)(?:pub )?mod \$?[a-z_0-9]+ \{$");
    let outward = expression!(r"\bsuper::((?:super::)*)");
    let mut closes: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    let quoted = expression!(r#""\w+""#);
    for line in quoted
        .replace_all(&visibility.replace_all(code, "pub"), "")
        .lines()
    {
        let mut text = line.to_owned();
        for _ in &closes {
            text = outward.replace_all(&text, "$1").into_owned();
        }
        lines.push(text);
        if let Some(found) = inline.captures(line) {
            closes.push(format!("{}}}", &found[1]));
        } else if closes.last().is_some_and(|close| close == line) {
            closes.pop();
        }
    }
    assert!(closes.is_empty(), "a module without its end: {closes:?}");
    lines.join("\n")
}

/// The paths of an import `base::{list}`.
fn imported(base: &str, list: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut start = 0;
    let mut depth = 0;
    for (at, sign) in list.char_indices().chain([(list.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let path = list[start..at].trim();
                start = at + 1;
                match path.split_once("::{") {
                    Some((inner, rest)) => {
                        let rest = rest.strip_suffix('}').expect("a list ends with its brace");
                        paths.extend(imported(&format!("{base}::{inner}"), rest));
                    }
                    None if path.is_empty() => {}
                    None => paths.push(format!("{base}::{path}")),
                }
            }
            _ => {}
        }
    }
    paths
}

fn rank(folder: &str) -> usize {
    let found = ORDER.iter().position(|known| *known == folder);
    found.unwrap_or_else(|| panic!("the folder {folder} is not in the order of the folders"))
}

fn may_import(from: &str, to: &str) -> bool {
    from == to || rank(to) < rank(from) && (from, to) != ("shard", "report")
}

/// What the files of each folder of [`ORDER`] are called, whose they are, and their texts.
fn stations() -> Vec<(PathBuf, String, String)> {
    let files = |src: &str, of: &dyn Fn(&Path) -> Option<String>| {
        let src = project().join(src);
        let all = rust_files(&src).into_iter();
        let all = all.filter_map(|file| Some((of(&file)?, read(&src.join(&file)), file)));
        all.map(|(folder, text, file)| (file, folder, text))
            .collect::<Vec<_>>()
    };
    let core = files("tools/core/src", &|file| folder(file).map(str::to_owned));
    let cli = files("tools/cli/src", &|_| Some("cli".to_owned()));
    [core, cli].concat()
}

/// The folder of a file: `run` for `run/batch.rs`; `None` for `lib.rs`, `main.rs` and a folder of binaries.
fn folder(file: &Path) -> Option<&str> {
    let first = file.iter().next()?.to_str()?;
    (file.components().count() > 1 && first != "bin").then_some(first)
}

#[test]
fn imports_run_one_way() {
    let import = Regex::new(r"\bcrate::([a-z_]+)\b").unwrap();
    let mut against = Vec::new();
    for (file, from, text) in stations() {
        // The packages themselves are in the order of Cargo.toml.
        if from == "cli" {
            continue;
        }
        // Tests import as the code does.
        for found in import.captures_iter(&text) {
            let to = &found[1];
            if !may_import(&from, to) {
                against.push(format!("{} imports {to}", file.display()));
            }
        }
    }
    assert!(against.is_empty(), "against the flow: {against:#?}");
}

#[test]
fn arrows_between_folders_are_few() {
    let import = Regex::new(r"\b(?:crate|tester_core)::([a-z_]+)\b").unwrap();
    let mut arrows = BTreeSet::new();
    for (_, from, text) in stations() {
        for found in import.captures_iter(&code(&text)) {
            let to = found[1].to_owned();
            if from != to && ORDER.contains(&to.as_str()) {
                arrows.insert((from.clone(), to));
            }
        }
    }
    let count = arrows.len();
    println!("{count} arrows between the folders");
    assert!(count <= MOST_ARROWS, "{count} arrows: {arrows:?}");
}

#[test]
fn the_table_of_the_design_is_the_order_of_the_code() {
    let design = read(&project().join("docs/design.md"));
    let name = Regex::new(r"`([a-z]+)/?`").unwrap();
    let rows: Vec<(String, BTreeSet<String>)> = design
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let folder = cells.get(1)?.strip_prefix('`')?.strip_suffix("/`")?;
            let imports = name.captures_iter(cells.get(3)?);
            Some((
                folder.to_owned(),
                imports.map(|c| c[1].to_owned()).collect(),
            ))
        })
        .filter(|(folder, _)| ORDER.contains(&folder.as_str()))
        .collect();
    let folders: Vec<&str> = rows.iter().map(|(folder, _)| folder.as_str()).collect();
    assert_eq!(folders, ORDER, "the rows of the table in docs/design.md");
    for (folder, imports) in &rows {
        let allowed = ORDER
            .iter()
            .filter(|to| *to != folder && may_import(folder, to));
        let allowed: BTreeSet<String> = allowed.map(|to| (*to).to_owned()).collect();
        assert_eq!(*imports, allowed, "imports of {folder} in docs/design.md");
    }
}

/// The modules of the library, each with those that it names.
struct Modules {
    /// By module path (`run::batch`): whether it is a `mod.rs`, and its code.
    code: BTreeMap<String, (bool, String)>,
}

impl Modules {
    fn of_library(src: &Path) -> Self {
        let mut code_of = BTreeMap::new();
        for file in rust_files(src) {
            if ["lib.rs", "main.rs"]
                .iter()
                .any(|root| file == Path::new(root))
                || file.starts_with("bin")
            {
                continue;
            }
            let is_facade = file.ends_with("mod.rs");
            let path = match is_facade {
                true => file.parent().unwrap().to_owned(),
                false => file.with_extension(""),
            };
            let words: Vec<&str> = path.iter().map(|word| word.to_str().unwrap()).collect();
            let text = code(&read(&src.join(&file)));
            code_of.insert(words.join("::"), (is_facade, text));
        }
        Self { code: code_of }
    }

    /// The module in which `path` leads, by the longest part of it that is a module.
    fn resolve(&self, path: &str) -> Option<&str> {
        let mut path = path;
        loop {
            if let Some((known, _)) = self.code.get_key_value(path) {
                return Some(known);
            }
            path = path.rsplit_once("::")?.0;
        }
    }

    /// What `module` names: paths from `crate` and from `super`.
    fn named_by(&self, module: &str) -> BTreeSet<String> {
        let (_, text) = &self.code[module];
        let mut named = BTreeSet::new();
        let path =
            expression!(r"\b(crate|(?:super::)*super)((?:::[a-z_0-9]+)+|)(?:::\{([^;]*)\})?");
        for found in path.captures_iter(&naming(text)) {
            let mut base: Vec<&str> = match &found[1] {
                "crate" => Vec::new(),
                supers => {
                    let up = supers.split("::").count();
                    let words: Vec<&str> = module.split("::").collect();
                    words[..words.len() - up].to_vec()
                }
            };
            base.extend(found[2].split("::").filter(|word| !word.is_empty()));
            let base = base.join("::");
            match found.get(3) {
                Some(list) => named.extend(imported(&base, list.as_str())),
                None => _ = named.insert(base),
            }
        }
        let child = expression!(r"\bmod ([a-z_0-9]+);");
        let children = child.captures_iter(text);
        named.extend(children.map(|c| format!("{module}::{}", &c[1])));
        let mut resolved: BTreeSet<String> = named
            .iter()
            .map(|path| path.trim_start_matches("::"))
            .filter_map(|path| self.resolve(path))
            .map(str::to_owned)
            .collect();
        resolved.remove(module);
        resolved
    }
}

/// A circle among `arrows`, if there is one.
fn circle(arrows: &BTreeMap<String, BTreeSet<String>>) -> Option<Vec<String>> {
    fn walk(
        at: &str,
        arrows: &BTreeMap<String, BTreeSet<String>>,
        way: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> bool {
        if let Some(start) = way.iter().position(|known| known == at) {
            way.drain(..start);
            return true;
        }
        if done.contains(at) {
            return false;
        }
        way.push(at.to_owned());
        let found = arrows.get(at).into_iter().flatten();
        if found.into_iter().any(|next| walk(next, arrows, way, done)) {
            return true;
        }
        done.insert(way.pop().unwrap());
        false
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|start| {
        let mut way = Vec::new();
        walk(start, arrows, &mut way, &mut done).then_some(way)
    })
}

#[test]
fn no_circle_between_modules_of_a_library() {
    for library in LIBRARIES {
        let modules = Modules::of_library(&project().join(library));
        let arrows: BTreeMap<String, BTreeSet<String>> = modules
            .code
            .keys()
            .filter(|module| !module.ends_with("tests"))
            .map(|module| (module.clone(), modules.named_by(module)))
            .collect();
        // The test would find nothing in an empty graph.
        assert!(arrows.values().map(BTreeSet::len).sum::<usize>() > 100);
        assert_eq!(circle(&arrows), None, "modules of {library} in a circle");
    }
}

#[test]
fn what_a_program_is_knows_nothing_of_processes() {
    let modules = Modules::of_library(&project().join(LIBRARIES[0]));
    let is_own = |module: &&String| module.starts_with("process::program");
    let own = modules.code.keys().filter(is_own);
    let named = own.flat_map(|module| modules.named_by(module));
    let (own, other): (Vec<_>, Vec<_>) = named.partition(|to| is_own(&to));
    assert!(own.len() > 10 && other.is_empty(), "{other:?}");
}

#[test]
fn a_circle_would_be_found() {
    let arrows = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
    let mut map: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in arrows {
        map.entry(from.to_owned())
            .or_default()
            .insert(to.to_owned());
    }
    assert_eq!(circle(&map), Some(vec!["b".to_owned(), "c".to_owned()]));
    map.remove("c");
    assert_eq!(circle(&map), None);
}

#[test]
fn facades_hold_no_code() {
    let item = Regex::new(
        r"(?m)^\s*(?:pub(?:\([a-z]+\))? )?(fn|struct|enum|trait|impl|static|const|type)\b",
    )
    .unwrap();
    for library in LIBRARIES {
        let modules = Modules::of_library(&project().join(library));
        let with_code: Vec<&String> = modules
            .code
            .iter()
            .filter(|(_, (is_facade, text))| *is_facade && item.is_match(text))
            .map(|(module, _)| module)
            .collect();
        assert!(with_code.is_empty(), "{library}: {with_code:?}");
    }
}

/// Functions with their lengths in lines, as rustfmt lays them out: from `fn` to the closing brace in the
/// same column.
fn functions(text: &str) -> Vec<(String, usize)> {
    let head = expression!(r"^( *)(?:[a-z]+(?:\([a-z]+\))? )*fn ([a-z_0-9]+)");
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(head) = head.captures(line) else {
            continue;
        };
        if line.ends_with(';') || line.ends_with('}') {
            continue;
        }
        let close = format!("{}}}", &head[1]);
        let end = lines[at..].iter().position(|line| *line == close);
        found.extend(end.map(|end| (head[2].to_owned(), end + 1)));
    }
    found
}

#[test]
fn files_and_functions_are_short() {
    let project = project();
    let mut long = Vec::new();
    let mut count = 0;
    for dir in ["tools", "tests", "src"] {
        for file in rust_files(&project.join(dir)) {
            let text = read(&project.join(dir).join(&file));
            let name = format!("{dir}/{}", file.display());
            // A submission is one file, because it is pasted as one.
            let is_submission = name == "src/main.rs" || name.starts_with("src/bin/");
            if text.lines().count() > LONGEST_FILE && !is_submission {
                long.push(format!("{name} has {} lines", text.lines().count()));
            }
            for (function, lines) in functions(&text) {
                count += 1;
                if lines > LONGEST_FUNCTION {
                    long.push(format!("{name}: {function} has {lines} lines"));
                }
            }
        }
    }
    assert!(count > 1000, "only {count} functions were found");
    assert!(long.is_empty(), "too long:\n{}", long.join("\n"));
}
