//! Why a file is no program that can be started here, and what to do about it. It looks at the file; nothing is started.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::language::{first_line_of_script, has_windows_first_line, interpreter_of};
use super::shell_word::shell_word;
use super::source_file::{SourceRecipe, build_of_missing};

/// What is wrong with a program, and what to do about it.
#[derive(Debug)]
pub struct Unusable {
    pub(super) cause: String,
    pub(super) hint: Option<String>,
}

impl Unusable {
    pub(super) fn new(cause: impl Into<String>, hint: impl Into<String>) -> Self {
        let (cause, hint) = (cause.into(), Some(hint.into()));
        Self { cause, hint }
    }

    pub(super) fn without_hint(cause: &str) -> Self {
        Self {
            cause: cause.to_owned(),
            hint: None,
        }
    }
}

/// Why a file cannot be executed, not even by a shell.
pub(super) fn why_not_executable(path: &Path) -> Option<Unusable> {
    let shown = shell_word(path.as_os_str());
    match std::fs::metadata(path) {
        Err(_) => Some(match std::fs::read_link(path) {
            Ok(target) => Unusable::new(
                format!("it is a link to {}, which does not exist", target.display()),
                "build it first: cargo build --release",
            ),
            Err(_) => Unusable::new(
                "no such file",
                match (without_quotes(path), build_of_missing(path)) {
                    (Some(hint), _) => hint,
                    (None, Some(build)) => format!("build it first: {build}"),
                    (None, None) if Path::new("Cargo.toml").is_file() => {
                        "check the path, or build it first: cargo build --release".to_owned()
                    }
                    (None, None) => "check the path, or build it first".to_owned(),
                },
            ),
        }),
        Ok(meta) if meta.is_dir() => Some(Unusable::without_hint("it is a folder")),
        // To look into a pipe would wait for its other end.
        Ok(meta) if !meta.is_file() => Some(Unusable::without_hint("it is a pipe or a device")),
        // Every file is executable where the file system has no such permission, as that of Windows.
        Ok(_) if is_compiled_source(path) => source_file(path),
        Ok(meta) if meta.permissions().mode() & 0o111 == 0 => Some(Unusable::new(
            "it is not executable",
            match interpreter_of(path) {
                Some(interpreter) => {
                    format!(
                        "chmod +x {shown}, or name its interpreter first: {interpreter} {shown}"
                    )
                }
                None => format!("chmod +x {shown}, or, for a script, name its interpreter first"),
            },
        )),
        Ok(_) if has_windows_first_line(path) => Some(Unusable::new(
            "its first line (#!) ends as on Windows (CRLF), so no interpreter is found",
            format!("sed -i 's/\\r$//' {shown} makes it end as here"),
        )),
        Ok(_) => None,
    }
}

/// What to do about a command of several words in one pair of quotes.
pub(super) fn without_quotes(program: &Path) -> Option<String> {
    let words = shlex::split(program.to_str()?)?;
    (words.len() > 1).then(|| {
        format!(
            "write its words without quotes around all of them: {}",
            words.join(" ")
        )
    })
}

/// Why the kernel does not execute a file that may be executed: it has no format of its own, and names no interpreter.
/// A shell reads such a file as a script.
pub(super) fn why_foreign(path: &Path) -> Option<Unusable> {
    is_foreign(path).then(|| not_executable_here(path))
}

fn is_foreign(path: &Path) -> bool {
    let mut first = Vec::new();
    let Ok(file) = File::open(path) else {
        return false; // it may be executed, and not read
    };
    let read = file.take(4).read_to_end(&mut first);
    let is_known = first.starts_with(b"#!") || first.starts_with(b"\x7fELF");
    read.is_ok() && !is_known && !has_other_formats()
}

/// Whether the kernel was told of further formats, such as those of Windows.
pub(super) fn has_other_formats() -> bool {
    let formats = std::fs::read_dir("/proc/sys/fs/binfmt_misc");
    let names = formats
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    names
        .into_iter()
        .any(|name| name != "register" && name != "status")
}

/// Why the kernel does not execute a file that it may execute.
pub(super) fn not_executable_here(path: &Path) -> Unusable {
    source_file(path)
        .filter(|_| is_compiled_source(path))
        .unwrap_or_else(|| {
            let interpreter = interpreter_of(path);
            let (interpreter, file) = match &interpreter {
                Some(interpreter) => (&**interpreter, shell_word(path.as_os_str())),
                None => ("python3", "FILE".to_owned()),
            };
            Unusable::new(
                "not a program this system can execute",
                format!(
                    "a script needs a first line such as #!/usr/bin/env {interpreter}, or its interpreter named first: \
                     {interpreter} {file}"
                ),
            )
        })
}

/// Whether a file must be compiled before it can run. One that names its interpreter (`#!`) need not be.
pub(super) fn is_compiled_source(path: &Path) -> bool {
    let recipe = SourceRecipe::from_path(path);
    recipe.is_some_and(|recipe| recipe.build.is_some()) && first_line_of_script(path).is_none()
}

/// Why a source file that exists is no program.
pub(super) fn source_file(path: &Path) -> Option<Unusable> {
    let recipe = SourceRecipe::from_path(path).filter(|_| path.is_file())?;
    let cause = format!("it is a source file in {}, not a program", recipe.language);
    Some(Unusable::new(cause, recipe.hint()))
}
