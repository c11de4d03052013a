//! The official tools of a contest: a package with the programs `gen`, `vis` and, for an interactive contest, `tester`.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use tester_core::process::{cargo_build, shell_word};
use tester_core::util::bounded_read::{MAX_TEXT, read_text};

use super::case_folders::CaseFolder;
use super::packages::Packages;

/// Where official tools usually are.
pub(super) const USUAL_TOOLS: &str = "tools";

/// The longest description that is read, in bytes.
const MAX_DESCRIPTION: u64 = 1 << 20;

/// Programs of official tools; others in the same package are the contestant's.
pub(super) const PROGRAMS: [&str; 5] = ["gen", "tester", "vis", "score", "scorer"];

/// The tools that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfficialTools {
    /// From the contest's folder.
    pub(super) folder: PathBuf,
    pub(super) bins: Vec<String>,
    /// Where the programs are, once built.
    release: PathBuf,
    /// Whether there are sources to build.
    has_sources: bool,
}

impl OfficialTools {
    /// The tools in the folder `tools`, else in another folder.
    pub(super) fn find(top: &Path, packages: &Packages) -> Option<Self> {
        let judges = |name: &&str| ["tester", "vis"].contains(name);
        let has_judge = |bins: &[String]| bins.iter().any(|bin| judges(&bin.as_str()));
        let mut found = packages.found.iter().map(|package| Self {
            folder: package.folder.clone(),
            bins: (package.bins.iter().map(|(bin, _)| bin.clone()))
                .filter(|bin| PROGRAMS.contains(&bin.as_str()))
                .collect(),
            release: package.release.clone(),
            has_sources: true,
        });
        let usual = found
            .clone()
            .find(|tools| tools.folder == Path::new(USUAL_TOOLS));
        usual
            .or_else(|| found.find(|tools| has_judge(&tools.bins)))
            .or_else(|| Self::without_cargo(top))
    }

    /// What is in `tools` where Cargo does not answer.
    fn without_cargo(top: &Path) -> Option<Self> {
        let folder = top.join(USUAL_TOOLS);
        let names = |dir: PathBuf, is_program: fn(&Path) -> bool| {
            let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
            let paths = entries
                .map(|entry| entry.path())
                .filter(move |path| is_program(path));
            paths.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        };
        let sources = names(folder.join("src/bin"), |path| {
            path.extension().is_some_and(|ext| ext == "rs")
        });
        let built = names(folder.join("target/release"), is_executable);
        let mut bins: Vec<String> = sources.chain(built).collect();
        bins.sort();
        bins.dedup();
        bins.retain(|bin| PROGRAMS.contains(&bin.as_str()));
        (!bins.is_empty()).then(|| Self {
            bins,
            has_sources: folder.join("Cargo.toml").is_file(),
            ..Self::expected()
        })
    }

    /// Where the tools will be once you have unpacked them, if they are as usual.
    pub(super) fn expected() -> Self {
        Self {
            folder: USUAL_TOOLS.into(),
            bins: Vec::new(),
            release: Path::new(USUAL_TOOLS).join("target/release"),
            has_sources: true,
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.bins.iter().any(|bin| bin == name)
    }

    /// A program of the tools, once built.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.release.join(name)
    }

    /// The same in a line of `tester.toml`.
    pub(super) fn word(&self, name: &str) -> String {
        let path = self.program(name);
        let begins = path.starts_with("..") || path.is_absolute() || path.starts_with(".");
        let path = if begins {
            path
        } else {
            Path::new(".").join(path)
        };
        let word = shell_word(path.as_os_str());
        word.replace('{', "{{").replace('}', "}}")
    }

    /// The shell line that builds them; `None` if only the programs are there.
    pub(super) fn build(&self) -> Option<String> {
        self.has_sources.then(|| cargo_build(&self.folder))
    }

    /// The program that prints the score of an output, if the contest is not interactive.
    pub(super) fn scorer(&self) -> &'static str {
        let found = ["score", "scorer"].into_iter().find(|name| self.has(name));
        found.unwrap_or("vis")
    }

    /// The line of an interactive contest.
    pub(super) fn tester_line(&self, top: &Path) -> String {
        let tester = self.word("tester");
        match self.has_case_as_argument(top) {
            true => format!("{tester} {{case}} {{command}} > {{out}}"),
            false => format!("{tester} {{command}} < {{case}} > {{out}}"),
        }
    }

    /// Whether the tools' own description starts `tester` with the case as its first argument, as those of older contests
    /// do. Otherwise the case is its input.
    fn has_case_as_argument(&self, top: &Path) -> bool {
        self.describes(top, passes_case)
    }

    /// Whether they have a `tester`, which talks to the program.
    pub(super) fn are_interactive(&self, top: &Path) -> bool {
        self.has("tester") && self.own_tester(top).is_none()
    }

    /// Why their `tester` is the contestant's, and not the contest's: the tools' own description does not know it, though
    /// it says how to start `vis`. Or it starts programs, but none that it is told.
    pub(super) fn own_tester(&self, top: &Path) -> Option<&'static str> {
        let names_tester = |line: &str| line.to_lowercase().contains("tester");
        let is_described = || self.describes(top, names_tester) || !self.describes(top, starts_vis);
        if self.has("vis") && !is_described() {
            return Some("which the README of the tools does not name");
        }
        let source = read_text(&top.join(self.source("tester")), MAX_TEXT).unwrap_or_default();
        starts_only_named(&source).then_some("which starts no program that it is told")
    }

    /// The source of a program, from the contest's folder.
    pub(super) fn source(&self, name: &str) -> PathBuf {
        let bins = self.folder.join("src/bin");
        bins.join(format!("{name}.rs"))
    }

    /// Whether a line of the tools' own description is such a one.
    fn describes(&self, top: &Path, is_such: fn(&str) -> bool) -> bool {
        let is_one = |line: &str| is_such(line).then_some(());
        self.described(top, is_one).is_some()
    }

    /// The first that is found in a line of the tools' own description.
    fn described<T>(&self, top: &Path, find: impl Fn(&str) -> Option<T>) -> Option<T> {
        let entries = std::fs::read_dir(top.join(&self.folder));
        let paths = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let descriptions = paths.filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let ends = [".md", ".txt", ".html"];
            name.starts_with("README") && ends.iter().any(|end| name.ends_with(end))
        });
        let mut texts = descriptions.filter_map(|path| {
            let text = read_text(&path, MAX_DESCRIPTION).ok()?;
            let is_page = path.extension().is_some_and(|end| end == "html");
            Some(if is_page { text_of_page(&text) } else { text })
        });
        texts.find_map(|text| text.lines().find_map(&find))
    }

    /// The line that makes more case files than there are, and how many it makes. Case N is that of line N in the list
    /// of seeds that came with the tools; if that has no more, of seed N.
    pub(super) fn generate(&self, top: &Path, cases: &CaseFolder) -> Option<(usize, String)> {
        let count = cases.count;
        let there = |line: String| match self.folder.as_os_str() {
            here if here.is_empty() => line,
            folder => format!("(cd {} && {line})", shell_word(folder)),
        };
        let seeds = read_text(&top.join(&self.folder).join("seeds.txt"), MAX_TEXT);
        let seeds = seeds.map_or(0, |text| {
            text.lines().filter(|line| !line.trim().is_empty()).count()
        });
        // In older contests, the seeds are its input.
        let generate = match self.describes(top, reads_seeds) {
            true => "cargo run --release --bin gen <",
            false => "cargo run --release --bin gen",
        };
        let options = self.options_of_gen(top, cases);
        self.has("gen").then(|| match seeds > count {
            true => (seeds, there(format!("{generate} seeds.txt{options}"))),
            false => {
                let all = if count < 100 { 100 } else { count * 10 };
                let (last, list) = (all - 1, "more-seeds.txt");
                let seq = format!("seq 0 {last} > {list}");
                (all, there(format!("{seq} && {generate} {list}{options}")))
            }
        })
    }

    /// What `gen` needs after its seeds, by the tools' own description: the problem, where a contest has several.
    fn options_of_gen(&self, top: &Path, cases: &CaseFolder) -> String {
        let Some(problem) = self.described(top, words_after_seeds) else {
            return String::new();
        };
        let folder = cases.path.file_name().unwrap_or_default();
        let folder = folder.to_string_lossy();
        let letter = folder.strip_prefix("in").unwrap_or_default();
        let is_its = !letter.is_empty() && problem.ends_with(letter);
        match is_its && self.describes(top, |line| line.contains("--dir=")) {
            true => format!(" {problem} --dir={folder}"),
            false => format!(" {problem}"),
        }
    }
}

/// Whether a line of a description starts `tester` with a case as its first argument.
fn passes_case(line: &str) -> bool {
    let words = line.split_whitespace().map(|word| word.trim_matches('`'));
    let is_tester = |word: &&str| {
        matches!(
            word.rsplit(['/', '\\']).next(),
            Some("tester" | "tester.exe")
        )
    };
    let mut after = words.skip_while(|word| !is_tester(word)).skip(1);
    let first = after.find(|word| *word != "--").unwrap_or_default();
    let is_case = first.ends_with(".txt") || first.starts_with("in/");
    is_case && !line.contains('<') && after.next().is_some_and(|word| word != ">")
}

/// Whether a line of a description starts `gen` with the seeds as its input.
fn reads_seeds(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_gen = |word: &str| matches!(word.rsplit(['/', '\\']).next(), Some("gen" | "gen.exe"));
    let mut pairs = words.windows(2);
    pairs.any(|pair| is_gen(pair[0]) && pair[1].starts_with('<') && !pair[1].ends_with('>'))
}

/// The words after the seeds in a line of a description that starts `gen`.
fn words_after_seeds(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_gen = |word: &str| matches!(word.rsplit(['/', '\\']).next(), Some("gen" | "gen.exe"));
    let pairs = words.windows(2);
    let at = pairs
        .enumerate()
        .find(|(_, pair)| is_gen(pair[0]) && pair[1] == "seeds.txt");
    let after = &words[at?.0 + 2..];
    let is_plain = |word: &&str| {
        let is_one = |c: char| c.is_ascii_alphanumeric() || "-=".contains(c);
        word.chars().all(is_one)
    };
    let is_command = ["cargo", "gen", "gen.exe"]
        .iter()
        .any(|name| words[0].ends_with(name));
    let is_short = (1..=2).contains(&after.len());
    (is_command && is_short && after.iter().all(is_plain)).then(|| after.join(" "))
}

/// Whether a line of a description starts `vis`.
fn starts_vis(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut pairs = words.windows(2);
    words.contains(&"./vis") || pairs.any(|pair| pair[0] == "--bin" && pair[1] == "vis")
}

/// Whether a program in Rust starts others, and its source has the names of all of them.
fn starts_only_named(source: &str) -> bool {
    let code = source.lines().map(str::trim_start);
    let code: Vec<&str> = code.filter(|line| !line.starts_with("//")).collect();
    let code = code.join("\n");
    let mut started = code.split("Command::new(").skip(1).peekable();
    let is_any = started.peek().is_some();
    is_any && started.all(|rest| rest.trim_start().starts_with('"'))
}

/// The text of a page: no tags, and the signs that stand for others in it.
fn text_of_page(page: &str) -> String {
    static TAG: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("<[^<>]*>").expect("it is an expression"));
    let text = TAG.replace_all(page, "");
    let signs = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")];
    let replaced = |text: String, (sign, is)| text.replace(sign, is);
    signs.into_iter().fold(text.into_owned(), replaced)
}

fn is_executable(path: &Path) -> bool {
    let about = path.metadata();
    about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
        && path.extension().is_none()
}

#[cfg(test)]
mod tests {
    use super::{passes_case, reads_seeds, starts_only_named, words_after_seeds};

    #[test]
    fn descriptions_say_which_problem_a_generator_is_for() {
        for (line, expected) in [
            ("cargo run -r --bin gen seeds.txt A", "A"),
            ("./gen.exe seeds.txt --problem A", "--problem A"),
        ] {
            assert_eq!(words_after_seeds(line).as_deref(), Some(expected));
        }
        for line in [
            "cargo run -r --bin gen seeds.txt",
            "cargo run -r --bin gen seeds.txt > list.csv",
            "cargo run -r --bin gen seeds.txt を実行します",
            "cargo run -r --bin gen < seeds.txt",
            "With gen seeds.txt is read",
            "",
        ] {
            assert_eq!(words_after_seeds(line), None, "{line}");
        }
    }

    #[test]
    fn a_tester_of_a_contest_starts_what_it_is_told() {
        let own = "Command::new(\"cargo\")";
        for source in [
            own,
            &format!("{own};\n{own}"),
            "Command::new(\n    \"sh\"\n)",
        ] {
            assert!(starts_only_named(source), "{source}");
        }
        let told = "Command::new(command)";
        let only_remark = "// Command::new(\"cargo\")";
        for source in [told, &format!("{own};{told}"), only_remark, "run();", ""] {
            assert!(!starts_only_named(source), "{source}");
        }
    }

    #[test]
    fn descriptions_say_where_the_seeds_of_a_generator_go() {
        for line in [
            "cargo run --release --bin gen < seeds.txt",
            "./gen.exe <seeds.txt",
        ] {
            assert!(reads_seeds(line), "{line}");
        }
        for line in [
            "cargo run -r --bin gen seeds.txt",
            "gen <seeds>",
            "cargo run --bin gen",
            "./tester gen.py < in.txt",
        ] {
            assert!(!reads_seeds(line), "{line}");
        }
    }

    #[test]
    fn descriptions_say_where_the_case_of_a_tester_goes() {
        for line in [
            "cargo run --release --bin tester in/0000.txt ./a.out > out/0000.txt",
            "`$ cargo run -r --bin tester -- in/0000.txt python3 main.py > out/0000.txt`",
            "./tester.exe input.txt a.exe > output.txt",
        ] {
            assert!(passes_case(line), "{line}");
        }
        for line in [
            "cargo run --release --bin tester ./a.out < in/0000.txt > out/0000.txt",
            "cargo run --release --bin tester python3 main.py < in/0000.txt > out/0000.txt",
            "cargo run --release --bin vis in/0000.txt out/0000.txt",
            "The tester in/0000.txt",
            "# tester",
            "",
        ] {
            assert!(!passes_case(line), "{line}");
        }
    }
}
