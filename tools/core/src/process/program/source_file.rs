//! Source files: how a program is made of one, for hints and for `tester init`.
//!
//! It looks at names and folders only; nothing is compiled here.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::language::{Language, Tool, compiled_endings};
use super::shell_word::shell_word;

/// How a source file becomes a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRecipe {
    /// What it is written in.
    pub language: &'static str,
    /// The shell line that compiles it; `None` if it is interpreted.
    pub build: Option<String>,
    /// The command afterwards.
    pub run: String,
}

impl SourceRecipe {
    /// The recipe of a source file, by its name.
    pub fn from_path(source: &Path) -> Option<Self> {
        // A word that starts with a dash would be an option.
        let dashed = source.as_os_str().as_encoded_bytes().starts_with(b"-");
        let source = &if dashed {
            Path::new(".").join(source)
        } else {
            source.to_owned()
        };
        let known = Language::from_path(source)?;
        let (language, typed) = (known.name, shell_word(source.as_os_str()));
        let compiler = match known.tool {
            Tool::Compiler(compiler) => compiler,
            Tool::Lines { build, run } => {
                return Some(Self {
                    language,
                    build: Some(filled(build, source)?),
                    run: filled(run, source)?,
                });
            }
            Tool::Virtual { compiler, machine } => {
                return Some(Self {
                    language,
                    build: Some(format!("{compiler} {typed}")),
                    run: class_command(machine, source),
                });
            }
            Tool::Interpreter { usual, .. } => {
                return Some(Self {
                    language,
                    build: None,
                    run: format!("{} {typed}", usual?),
                });
            }
        };
        if let Some(package) = (language == "Rust").then(|| package_of(source)).flatten() {
            return Some(package);
        }
        let program = source.with_extension("");
        let output = shell_word(program.as_os_str());
        Some(Self {
            language,
            build: Some(format!("{compiler}{output} {typed}")),
            run: shell_word(with_slash(program).as_os_str()),
        })
    }

    /// What to do with the file where a program was expected.
    pub(super) fn hint(&self) -> String {
        match &self.build {
            Some(build) => format!("compile it: {build}; the program is then {}", self.run),
            None => format!("name its interpreter first: {}", self.run),
        }
    }
}

/// The line that makes a program that is not there: of a Cargo package, for a program in its `target/release`, or of the
/// source file beside it, `main.cpp` for `./main`.
pub(super) fn build_of_missing(program: &Path) -> Option<String> {
    let folder = program
        .parent()
        .filter(|folder| folder.ends_with("target/release"));
    if let Some(package) = folder.and_then(|folder| folder.ancestors().nth(2)) {
        let has_manifest = package.join("Cargo.toml").is_file();
        return has_manifest.then(|| cargo_build(package));
    }
    if program.extension().is_some() {
        return None;
    }
    let mut sources = compiled_endings().map(|ending| program.with_extension(ending));
    let found = sources.find(|path| path.is_file())?;
    SourceRecipe::from_path(&found)?.build
}

/// The line that builds the package of a folder, from the current folder.
pub fn cargo_build(package: &Path) -> String {
    let package = package.strip_prefix(".").unwrap_or(package);
    if package.as_os_str().is_empty() {
        return "cargo build --release".to_owned();
    }
    let manifest = package.join("Cargo.toml");
    let manifest = shell_word(manifest.as_os_str());
    format!("cargo build --release --manifest-path {manifest}")
}

/// A word without a slash would be looked up in `PATH`.
fn with_slash(program: PathBuf) -> PathBuf {
    match program.as_os_str().as_encoded_bytes().contains(&b'/') {
        true => program,
        false => Path::new(".").join(program),
    }
}

/// The command that runs the class of a source file.
fn class_command(machine: &str, source: &Path) -> String {
    let class = source.file_stem().unwrap_or_default();
    let class = shell_word(class);
    match source.parent().map(Path::as_os_str) {
        Some(folder) if !folder.is_empty() => {
            format!("{machine} -cp {} {class}", shell_word(folder))
        }
        _ => format!("{machine} {class}"),
    }
}

/// A line of [`Tool::Lines`] with its places filled; `None` if the path is no text.
fn filled(line: &str, source: &Path) -> Option<String> {
    let program = source.with_extension("");
    // With a slash at its end, if it has a name.
    let folder = source.with_file_name("");
    let places = [
        ("{source}", source),
        ("{program}", &*program),
        ("{folder}", &*folder),
        ("{stem}", Path::new(source.file_stem()?)),
    ];
    let words = line.split(' ').map(|word| {
        let fill =
            |word: String, (place, path): &(&str, &Path)| Some(word.replace(place, path.to_str()?));
        let word = places.iter().try_fold(word.to_owned(), fill)?;
        Some(shell_word(word.as_ref()))
    });
    let words: Option<Vec<String>> = words.collect();
    Some(words?.join(" "))
}

/// The recipe of a program of a Cargo package: `src/main.rs` or a file of `src/bin`.
fn package_of(source: &Path) -> Option<SourceRecipe> {
    let absolute = std::path::absolute(source).ok()?;
    let folder = absolute.parent()?;
    let is_bin = folder.ends_with("src/bin");
    let is_main = folder.ends_with("src") && absolute.file_stem() == Some(OsStr::new("main"));
    let package = folder.ancestors().nth(if is_bin { 2 } else { 1 })?;
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).ok()?;
    let name = match () {
        () if is_bin => absolute.file_stem()?.to_str()?.to_owned(),
        () if is_main => {
            let manifest: toml::Table = manifest.parse().ok()?;
            let name = manifest.get("package")?.get("name")?;
            name.as_str()?.to_owned()
        }
        () => return None,
    };
    // The way as it was typed; nothing for the current folder.
    let levels = if is_bin { 3 } else { 2 };
    let typed = source.ancestors().nth(levels).unwrap_or(Path::new(""));
    let program = typed.join("target/release").join(name);
    Some(SourceRecipe {
        language: "Rust",
        build: Some(cargo_build(typed)),
        run: shell_word(program.as_os_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(source: &Path) -> String {
        let recipe = SourceRecipe::from_path(source).unwrap();
        format!("{}: {}", recipe.language, recipe.hint())
    }

    #[test]
    fn each_language_has_its_compiler_or_interpreter() {
        insta::assert_snapshot!(shown(Path::new("main.cpp")), @"C++: compile it: g++ -O2 -std=gnu++20 -o main main.cpp; the program is then ./main");
        insta::assert_snapshot!(shown(Path::new("my/a b.CC")), @"C++: compile it: g++ -O2 -std=gnu++20 -o 'my/a b' 'my/a b.CC'; the program is then 'my/a b'");
        insta::assert_snapshot!(shown(Path::new("a.rs")), @"Rust: compile it: rustc -O --edition 2021 -o a a.rs; the program is then ./a");
        insta::assert_snapshot!(shown(Path::new("my/a.py")), @"Python: name its interpreter first: python3 my/a.py");
        insta::assert_snapshot!(shown(Path::new("a.cjs")), @"JavaScript: name its interpreter first: node a.cjs");
        insta::assert_snapshot!(shown(Path::new("-x.cpp")), @"C++: compile it: g++ -O2 -std=gnu++20 -o ./-x ./-x.cpp; the program is then ./-x");
        insta::assert_snapshot!(shown(Path::new("Main.java")), @"Java: compile it: javac Main.java; the program is then java Main");
        insta::assert_snapshot!(shown(Path::new("src/Main.java")), @"Java: compile it: javac src/Main.java; the program is then java -cp src Main");
        insta::assert_snapshot!(shown(Path::new("Main.hs")), @"Haskell: compile it: ghc -O2 -o Main Main.hs; the program is then ./Main");
        insta::assert_snapshot!(shown(Path::new("my/a b.nim")), @"Nim: compile it: nim c -d:release -o:'my/a b' 'my/a b.nim'; the program is then 'my/a b'");
        insta::assert_snapshot!(shown(Path::new("main.swift")), @"Swift: compile it: swiftc -O -o main main.swift; the program is then ./main");
        insta::assert_snapshot!(shown(Path::new("main.cr")), @"Crystal: compile it: crystal build --release -o main main.cr; the program is then ./main");
        insta::assert_snapshot!(shown(Path::new("main.ml")), @"OCaml: compile it: ocamlopt -O3 -o main main.ml; the program is then ./main");
        insta::assert_snapshot!(shown(Path::new("my/a b.kt")), @"Kotlin: compile it: kotlinc 'my/a b.kt' -include-runtime -d 'my/a b.jar'; the program is then java -jar 'my/a b.jar'");
        insta::assert_snapshot!(shown(Path::new("ahc.csproj")), @"C#: compile it: dotnet publish ahc.csproj -c Release -o bin/publish; the program is then dotnet bin/publish/ahc.dll");
        insta::assert_snapshot!(shown(Path::new("a b/c.csproj")), @"C#: compile it: dotnet publish 'a b/c.csproj' -c Release -o 'a b/bin/publish'; the program is then dotnet 'a b/bin/publish/c.dll'");
        insta::assert_snapshot!(shown(Path::new("-x.py")), @"Python: name its interpreter first: python3 ./-x.py");
        assert_eq!(SourceRecipe::from_path(Path::new("main")), None);
        assert_eq!(SourceRecipe::from_path(Path::new("in/0000.txt")), None);
    }

    #[test]
    fn programs_of_a_package_are_built_by_cargo() {
        let dir = tempfile::tempdir().unwrap();
        let manifest = "[package]\nname = \"ahc999\"\n";
        std::fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
        let folder = dir.path().display().to_string();
        let shown = |source| shown(&dir.path().join(source)).replace(&folder, "DIR");
        insta::assert_snapshot!(shown("src/bin/a.rs"), @"Rust: compile it: cargo build --release --manifest-path DIR/Cargo.toml; the program is then DIR/target/release/a");
        insta::assert_snapshot!(shown("src/main.rs"), @"Rust: compile it: cargo build --release --manifest-path DIR/Cargo.toml; the program is then DIR/target/release/ahc999");
        insta::assert_snapshot!(shown("src/lib.rs"), @"Rust: compile it: rustc -O --edition 2021 -o DIR/src/lib DIR/src/lib.rs; the program is then DIR/src/lib");
    }
}
