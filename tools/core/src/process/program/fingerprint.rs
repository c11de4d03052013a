//! What a program is, by the content of its files.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

use super::command::Command;
use super::virtual_machine::unnamed_files;

/// The SHA-256 of a program's file, or with those of the files that its arguments name, and of those that it runs without
/// a name (`virtual_machine`). A file that cannot be read counts as an empty one: starting it will say why.
pub fn fingerprint(command: &Command) -> String {
    fingerprint_by(command, hash)
}

/// The same, if another function knows the SHA-256 of files, or reads them.
pub(crate) fn fingerprint_by(command: &Command, hash: impl Fn(&Path) -> Option<String>) -> String {
    let program = command.find().map(|path| hash(&path));
    let program = program.ok().flatten().unwrap_or_default();
    let unnamed = unnamed_files(command);
    let named = command.args.iter().map(Path::new);
    let files = hashes(named.chain(unnamed.iter().map(PathBuf::as_path)), hash);
    if files.is_empty() {
        return program;
    }
    hex(&Sha256::digest(program + &files))
}

/// The SHA-256 of the list of those of all files that a line for the shell names, in their order.
///
/// Cost: reads them.
pub fn fingerprint_of_line(line: &str) -> String {
    fingerprint_of_line_by(line, hash)
}

/// The same, if another function knows the SHA-256 of files, or reads them.
pub(crate) fn fingerprint_of_line_by(line: &str, hash: impl Fn(&Path) -> Option<String>) -> String {
    // A line that a shell cannot split names nothing that could be found.
    let words = shlex::split(line).unwrap_or_default();
    hex(&Sha256::digest(hashes(words.iter().map(Path::new), hash)))
}

/// The hashes of those that are files, one after the other.
fn hashes<'a>(
    paths: impl Iterator<Item = &'a Path>,
    hash: impl Fn(&Path) -> Option<String>,
) -> String {
    paths
        .filter(|path| path.is_file())
        .filter_map(hash)
        .collect()
}

/// The SHA-256 of a file, in hexadecimal digits; `None` if it cannot be read.
///
/// Cost: reads it.
pub fn hash(path: &Path) -> Option<String> {
    // A FIFO would be waited for.
    let mut file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut Writer(&mut hasher)).ok()?;
    Some(hex(&hasher.finalize()))
}

/// The SHA-256 of the program of this process, also if its file has no name any more; `None` if it cannot be read.
///
/// Cost: reads it, the first time.
pub fn own_program() -> Option<&'static str> {
    static OWN: OnceLock<Option<String>> = OnceLock::new();
    OWN.get_or_init(|| hash(Path::new("/proc/self/exe")))
        .as_deref()
}

struct Writer<'a>(&'a mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes as text, two digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(words: &[&Path]) -> Command {
        Command {
            program: words[0].into(),
            args: words[1..].iter().map(Into::into).collect(),
        }
    }

    #[test]
    fn a_program_is_known_by_what_is_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let (program, script) = (dir.path().join("p"), dir.path().join("s.py"));
        std::fs::write(&program, "abc").unwrap();
        std::fs::write(&script, "1").unwrap();
        // printf abc | sha256sum
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let option = Path::new("--fast");
        assert_eq!(fingerprint(&command(&[&program, option])), known);
        let before = fingerprint(&command(&[&program, &script]));
        assert_ne!(before, known);
        std::fs::write(&script, "2").unwrap();
        assert_ne!(fingerprint(&command(&[&program, &script])), before);
    }
}
