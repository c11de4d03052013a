//! The programs that a line for the shell names by their paths, to be looked for before any case is judged.

/// The words that are certainly paths of programs to be started from the current folder: the first word of a command,
/// with a slash and without anything that a shell would replace. Nothing after a `cd`, and no path that an earlier
/// command names: that may make the file.
pub(super) fn programs(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (start, command) in commands(line) {
        let mut words = command.split_ascii_whitespace();
        let first = words.find(|word| !is_assignment(word));
        let Some(first) = first else { continue };
        if ["cd", "pushd", "chroot"].contains(&first) {
            break;
        }
        let is_path = first.contains('/') && first.bytes().all(is_plain);
        if is_path && !line[..start].contains(first) {
            found.push(first);
        }
    }
    found
}

/// The commands of a line, and where each begins. Within quotes, nothing separates commands; placeholders and other
/// braces are left as they are, and are no plain words.
fn commands(line: &str) -> Vec<(usize, &str)> {
    let mut commands = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if open == letter => quote = None,
            None if letter == '"' || letter == '\'' => quote = Some(letter),
            None if ";&|()\n".contains(letter) => {
                commands.push((start, &line[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    commands.push((start, &line[start..]));
    commands
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_./+,:@%".contains(&byte)
}

fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(letter))
}

#[cfg(test)]
mod tests {
    use super::programs;

    #[test]
    fn programs_are_the_first_words_of_commands_that_have_a_path() {
        for (line, expected) in [
            ("./t {command} < {case} > {out}", vec!["./t"]),
            (
                "{command} < {case} > {out} && ./vis {case} {out}",
                vec!["./vis"],
            ),
            (
                "SEED=1 tools/target/release/tester {command}",
                vec!["tools/target/release/tester"],
            ),
            (
                "a=/x; /bin/t {case} 2>&1 | ./score",
                vec!["/bin/t", "./score"],
            ),
            ("(./a {case}; ./b)", vec!["./a", "./b"]),
        ] {
            assert_eq!(programs(line), expected, "{line}");
        }
        for line in [
            "tester {command} < {case}",
            "cd tools && ./t {case}",
            "g++ a.cpp -o ./a && ./a < {case}",
            "test -x ./t && ./t {case}",
            "$HOME/t {case}",
            "~/t {case}",
            "\"./a b\" {case}",
            "echo './t; ./u' {case}",
            "{command} < {case}",
        ] {
            assert_eq!(programs(line), Vec::<&str>::new(), "{line}");
        }
    }
}
