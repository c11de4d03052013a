//! The source files of a program for a virtual machine: of Java by the names of its classes, of .NET by its project.

use std::path::{Path, PathBuf};

use crate::process::Command;
use crate::process::program::virtual_machine::{JavaProgram, classes_beside, dotnet_library};

/// How many folders above a library of .NET its project is looked for: `bin/Release/net8.0` and one more.
const LEVELS: usize = 4;

/// The most folders of a project that are looked at.
const MAX_FOLDERS: usize = 1000;

/// The file that a virtual machine runs for a command, and the files of which it is compiled; none if they are not found.
/// At most about `most` files.
pub(super) fn virtual_source(command: &Command, most: usize) -> Option<(PathBuf, Vec<PathBuf>)> {
    match JavaProgram::of_command(command) {
        Some(JavaProgram::Source(file)) => Some((file.clone(), vec![file])),
        Some(JavaProgram::Class { file, root }) => {
            let files = java_files(&file, &root)?;
            Some((file, files))
        }
        None => {
            let library = dotnet_library(command)?;
            let files = project_files(&library, most)?;
            Some((library, files))
        }
    }
}

/// The files with the names of a class and of those beside it. They are in the same folders as the classes, in the folder
/// above all classes, or in `src` there.
fn java_files(class: &Path, root: &Path) -> Option<Vec<PathBuf>> {
    let package = class.strip_prefix(root).ok()?.parent()?;
    let whole = std::env::current_dir().ok()?.join(root);
    let above = whole.parent();
    let above = above.map(|above| [above.to_owned(), above.join("src")]);
    let roots = [root.to_owned()]
        .into_iter()
        .chain(above.into_iter().flatten());
    let mut folders = roots.map(|root| root.join(package));
    let source = |folder: &Path, class: &Path| {
        let name = class.with_extension("java");
        Some(folder.join(name.file_name()?)).filter(|path| path.is_file())
    };
    let folder = folders.find(|folder| source(folder, class).is_some())?;
    let classes = classes_beside(class);
    Some(
        classes
            .iter()
            .filter_map(|class| source(&folder, class))
            .collect(),
    )
}

/// The only project file in a folder above a library, and the files in C# below that folder.
fn project_files(library: &Path, most: usize) -> Option<Vec<PathBuf>> {
    let whole = library.canonicalize().ok()?;
    let above = whole.ancestors().skip(1).take(LEVELS);
    let (folder, projects) = above
        .map(|folder| (folder, with_ending(folder, "csproj")))
        .find(|(_, projects)| !projects.is_empty())?;
    let [project] = &projects[..] else {
        return None;
    };
    let mut files = vec![project.clone()];
    let mut folders = vec![folder.to_owned()];
    for _ in 0..MAX_FOLDERS {
        let Some(folder) = folders.pop().filter(|_| files.len() <= most) else {
            break;
        };
        files.extend(with_ending(&folder, "cs"));
        folders.extend(entries(&folder).filter(|path| is_of_user(path)));
    }
    Some(files)
}

/// Whether it is a folder whose files are not made by a build.
fn is_of_user(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_hidden = name.as_encoded_bytes().starts_with(b".");
    let is_plain = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    is_plain && !is_hidden && name != "bin" && name != "obj"
}

fn with_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let is_it = |path: &PathBuf| path.extension() == Some(ending.as_ref()) && path.is_file();
    entries(folder).filter(is_it).collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with these files, and what is found of a command in it.
    fn found(files: &[&str], line: &str) -> Option<Vec<String>> {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in files {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        let line = line.replace("DIR", root.to_str().unwrap());
        let (_, found) = virtual_source(&Command::from_line(&line).unwrap(), 200)?;
        let below = |path: &PathBuf| path.strip_prefix(&root).unwrap().display().to_string();
        let mut names: Vec<String> = found.iter().map(below).collect();
        names.sort();
        Some(names)
    }

    #[test]
    fn source_of_java_has_the_names_of_its_classes() {
        let files = [
            "Main.class",
            "Main$1.class",
            "Lib.class",
            "Main.java",
            "Lib.java",
            "Old.java",
        ];
        let names = found(&files, "java -cp DIR Main").unwrap();
        assert_eq!(names, ["Lib.java", "Main.java"]);
        let files = ["out/my/Main.class", "src/my/Main.java", "src/Main.java"];
        let names = found(&files, "java -cp DIR/out my.Main").unwrap();
        assert_eq!(names, ["src/my/Main.java"]);
        assert_eq!(found(&["Main.class"], "java -cp DIR Main"), None);
        let names = found(&["A.java"], "java DIR/A.java").unwrap();
        assert_eq!(names, ["A.java"]);
    }

    #[test]
    fn source_of_dotnet_are_the_files_of_its_project() {
        let built = [
            "bin/Release/net8.0/my",
            "bin/Release/net8.0/my.dll",
            "obj/Release/My.cs",
        ];
        let own = [
            "my.csproj",
            "Program.cs",
            "lib/Search.cs",
            ".git/Old.cs",
            "notes.txt",
        ];
        let files = [&built[..], &own].concat();
        let expected = ["Program.cs", "lib/Search.cs", "my.csproj"];
        for line in [
            "DIR/bin/Release/net8.0/my",
            "dotnet DIR/bin/Release/net8.0/my.dll",
        ] {
            assert_eq!(found(&files, line).unwrap(), expected, "{line}");
        }
        let two = [&files[..], &["tests.csproj"]].concat();
        assert_eq!(found(&two, "DIR/bin/Release/net8.0/my"), None);
    }
}
