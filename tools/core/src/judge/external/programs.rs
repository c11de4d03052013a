//! The programs that a line for the shell names by their paths, to be looked for before any case is judged.

use crate::process::Ending;

/// The commands that certainly start a program from the current folder: those whose first word is a path without
/// anything that a shell would replace, or the name of a program with such words after it, of which one may be a script.
/// Each ends before the first word that a shell would replace. Nothing after a `cd`, and no path that an earlier command
/// names: that may make the file.
pub(super) fn programs(line: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for (start, command) in commands(line) {
        let words = command.split_ascii_whitespace();
        let words = words.skip_while(|word| is_assignment(word));
        let is_known = |word: &&str| word.bytes().all(is_plain) && !line[..start].contains(word);
        if matches!(words.clone().next(), Some("cd" | "pushd" | "chroot")) {
            break;
        }
        let words: Vec<&str> = words.take_while(is_known).collect();
        match words.as_slice() {
            [path, ..] if path.contains('/') => found.push(words),
            [_, _, ..] => found.push(words),
            _ => {}
        }
    }
    found
}

/// What starts a program as it stands, and does not talk to it: programs, and words of the shell.
///
/// Only names tell `timeout 5 {command} < {case}` from `judge 5 {command} < {case}`. What is not in this list counts as
/// a tester. If it is none, that matters only where the program prints a score of 0, waits, or gets a signal.
const STARTERS: [&str; 25] = [
    "bash", "chrt", "command", "dash", "env", "exec", "ionice", "nice", "nohup", "prlimit",
    "setsid", "sh", "stdbuf", "taskset", "time", "timeout", "if", "then", "elif", "else", "while",
    "until", "do", "!", "{{",
];

/// Those of them whose option `-c` has a command.
const SHELLS: [&str; 3] = ["bash", "dash", "sh"];

/// Options of them whose values are words of their own.
const VALUED: [&str; 8] = ["-C", "-c", "-f", "-k", "-n", "-o", "-s", "-u"];

/// Whether the line hands `{command}` to a program that talks to it, as far as the line shows. Otherwise it begins a
/// command of its own, and its input is a file or a pipe of the line.
pub(super) fn talks(line: &str) -> bool {
    commands(line).into_iter().any(|(_, command)| {
        let (words, program) = words_and_program(command);
        let has_tester = words
            .get(program)
            .is_some_and(|word| !word.contains("{command}"));
        has_tester && words[program + 1..].iter().any(is_contestant)
    })
}

/// The `timeout` in front of a command that has `{command}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineTimeout {
    /// It and its words, as they stand in the line.
    pub(super) words: String,
    /// Whether it may end what it has started by SIGKILL.
    kills: bool,
}

impl LineTimeout {
    /// Whether a line that ended so was ended by it.
    ///
    /// SIGKILL to a group ends `timeout`, too. A shell reports that as a status.
    pub(super) fn is_reason_of(&self, line: Ending) -> bool {
        const TIMED_OUT: Ending = Ending::Exited(124);
        let killed = [
            Ending::Exited(128 + libc::SIGKILL),
            Ending::Signaled(libc::SIGKILL),
        ];
        line == TIMED_OUT || (self.kills && killed.contains(&line))
    }
}

/// The first `timeout` in front of a command that has `{command}`, as far as the line shows.
pub(super) fn line_timeout(line: &str) -> Option<LineTimeout> {
    commands(line).into_iter().find_map(|(_, command)| {
        let (words, program) = words_and_program(command);
        let timeout = words[..program]
            .iter()
            .position(|word| name(word) == "timeout")?;
        words[timeout..].iter().any(is_contestant).then_some(())?;
        let is_value =
            |at: usize| ["-k", "--kill-after", "-s", "--signal"].contains(&words[at - 1]);
        let is_duration = |at: &usize| !words[*at].starts_with('-') && !is_value(*at);
        let duration = (timeout + 1..words.len()).find(is_duration)?;
        let options = words[timeout + 1..duration].join(" ");
        let kills = ["-k", "--kill-after", "KILL", "9"];
        Some(LineTimeout {
            words: words[timeout..=duration].join(" "),
            kills: kills.iter().any(|kills| options.contains(kills)),
        })
    })
}

fn is_contestant(word: &&str) -> bool {
    word.contains("{command}")
}

/// The words of a command, and which of them is the program; their number if none is.
fn words_and_program(command: &str) -> (Vec<&str>, usize) {
    let words = command.split_ascii_whitespace();
    // The text of `sh -c '…'` has words too.
    let words: Vec<&str> = words.map(|word| word.trim_matches(['"', '\''])).collect();
    let (mut before, mut is_shell) = ("", false);
    let program = words.iter().position(|&word| {
        let is_file = before.ends_with(['<', '>']);
        is_shell |= SHELLS.contains(&name(word));
        // Of an option of what starts the program. That of a shell's `-c` is a command.
        let is_value =
            VALUED.contains(&before) && !(is_shell && before == "-c") && !word.contains(['/', '{']);
        before = word;
        !is_file && !is_value && !is_before_program(word)
    });
    let program = program.unwrap_or(words.len());
    (words, program)
}

/// Whether a word may stand before the program of a command: what starts the program, options with values such as
/// numbers, signals (`KILL`) and modes (`L`), assignments, and redirections.
fn is_before_program(word: &str) -> bool {
    STARTERS.contains(&name(word))
        || word.starts_with(['-', '<', '>'])
        || (word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains('/'))
        || word.bytes().all(|b| b.is_ascii_uppercase())
        || is_assignment(word)
}

/// The last part of a path.
fn name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or_default()
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
    use super::{line_timeout, programs, talks};
    use crate::process::Ending;

    #[test]
    fn a_program_that_gets_the_command_talks_to_it() {
        for line in [
            "./tester {command} < {case} > {out}",
            "tester {case} {command} > {out}",
            "SEED=1 python3 judge.py {case} \"{command}\"",
            "cd tools && cargo run -r --bin tester {command} < {case}",
            "timeout 60 ./tester {command} < {case} > {out}",
            "timeout -s KILL 1.5m nice -n 5 tester {command} < {case}",
            "nice ./tester {command}",
            "env A=1 /usr/bin/nice -5 ./tester {command}",
            "taskset -c 0 ./tester {command}",
            "taskset 0x3 ./tester {command}",
            "stdbuf -oL -e L tester {command}",
            "setsid -w ./tester {command}",
            "< {case} > {out} ./tester {command}",
            "2> err ./tester {command}",
            "sh judge.sh {case} {command}",
            "sh -c 'timeout 9 ./tester {command} < {case}'",
            "if ! ./tester {command} < {case}; then echo Score = 0; fi",
            "$TESTER {command}",
            "030/tester {command} < {case}",
            "sh -c 'tester {command} < {case}'",
        ] {
            assert!(talks(line), "{line}");
        }
        for line in [
            "{command} < {case} > {out} && ./vis {case} {out}",
            "timeout 5 {command} < {case} > {out}; ./vis {case} {out}",
            "sh -c \"{command}\" < {case} > {out}",
            "A=1 {command} < {case}",
            "cat {case} | {command} | ./score {case}",
            "< {case} {command} > {out}",
            "<{case} >{out} 2> err {command}",
            "timeout -k 5 -s INT 1.5s nice -n 5 {command} < {case} > {out}; ./vis {case} {out}",
            "env -i -u PATH A=1 taskset -c 0-3 stdbuf -o L setsid {command} < {case}",
            "if ! {command} < {case} > {out}; then echo Score = 0; fi",
            "timeout -s term 1 {command} < {case} > {out}; echo Score = 7",
            "ionice -c idle nice -n $N timeout 1 {command} < {case}",
            "time -f %e {command} < {case}",
            "bash -c \"timeout 9 {command} < {case}\"",
            "./play {case}",
        ] {
            assert!(!talks(line), "{line}");
        }
    }

    #[test]
    fn a_timeout_in_front_of_the_tester_ends_the_line_with_its_own_statuses() {
        let (by_124, by_kill) = (
            Ending::Exited(124),
            [Ending::Exited(137), Ending::Signaled(9)],
        );
        for (line, words, kills) in [
            (
                "timeout 1 ./t {command} < {case} > {out}",
                "timeout 1",
                false,
            ),
            (
                "/usr/bin/timeout -v 1.5m nice ./t {command}",
                "/usr/bin/timeout -v 1.5m",
                false,
            ),
            (
                "sh -c 'timeout -s INT 9 ./t {command}'",
                "timeout -s INT 9",
                false,
            ),
            (
                "cd a && timeout -k 1 $N ./t {command}",
                "timeout -k 1 $N",
                true,
            ),
            ("timeout -s KILL 1 ./t {command}", "timeout -s KILL 1", true),
            ("timeout -s 9 1 ./t {command}", "timeout -s 9 1", true),
            (
                "timeout --signal=SIGKILL 1 ./t {command}",
                "timeout --signal=SIGKILL 1",
                true,
            ),
            (
                "timeout --kill-after 2 1 ./t {command}",
                "timeout --kill-after 2 1",
                true,
            ),
            (
                "timeout 9 {command} < {case} > {out} && ./vis {case}",
                "timeout 9",
                false,
            ),
        ] {
            let timeout = line_timeout(line).expect(line);
            assert_eq!(timeout.words, words);
            assert!(timeout.is_reason_of(by_124), "{line}");
            for end in by_kill {
                assert_eq!(timeout.is_reason_of(end), kills, "{line}");
            }
            for end in [Ending::Exited(0), Ending::Exited(1), Ending::Signaled(15)] {
                assert!(!timeout.is_reason_of(end), "{line}");
            }
        }
        for line in [
            "./t {command} < {case}",
            "./t timeout 1 {command}",
            "{command} < {case} > {out}; timeout 1 ./vis {case} {out}",
            "timeout",
        ] {
            assert_eq!(line_timeout(line), None, "{line}");
        }
    }

    #[test]
    fn programs_are_the_words_of_commands_that_a_shell_leaves_as_they_are() {
        for (line, expected) in [
            ("./t {command} < {case} > {out}", vec!["./t"]),
            (
                "python3 -u judge.py {case} a.py",
                vec!["python3 -u judge.py"],
            ),
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
            ("./abcd {case} && cd b && ./t", vec!["./abcd"]),
            (
                "make judge.py && python3 judge.py {case}",
                vec!["make judge.py"],
            ),
            // The second path may be what the first command makes.
            ("test -x ./t && ./t {case}", vec!["test -x ./t"]),
        ] {
            let found: Vec<String> = programs(line).iter().map(|words| words.join(" ")).collect();
            assert_eq!(found, expected, "{line}");
        }
        for line in [
            "tester {command} < {case}",
            "cd tools && ./t {case}",
            "$HOME/t {case}",
            "~/t {case}",
            "\"./a b\" {case}",
            "{command} < {case}",
        ] {
            assert_eq!(programs(line), Vec::<Vec<&str>>::new(), "{line}");
        }
    }
}
