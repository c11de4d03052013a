//! Pages in English and Japanese: the same commands, figures, pictures and tables, and each has a link to the other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::expression::expression;
use regex::Regex;

/// Every Japanese page with its English one.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["", "docs", "tools/contests"].map(|folder| root.join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let japanese = files.map(|file| file.unwrap().path());
    let japanese = japanese.filter(|path| path.to_string_lossy().ends_with(".ja.md"));
    let mut pairs: Vec<(PathBuf, PathBuf)> = japanese
        .map(|path| {
            let english = path.to_string_lossy().replace(".ja.md", ".md");
            (PathBuf::from(english), path)
        })
        .collect();
    pairs.sort();
    pairs
}

/// The commands of a page, without remarks after two blanks or a `#`.
fn commands(text: &str) -> Vec<String> {
    let remark = expression!(r"\s+#.*|\s{3,}\S.*");
    let typed = text.lines().filter(|line| line.starts_with("$ "));
    typed
        .map(|line| remark.replace(line, "").trim().to_owned())
        .collect()
}

/// Numbers with a point, or of at least three digits. Smaller ones are often words: "two", "2 つ".
fn figures(text: &str) -> BTreeSet<String> {
    let target = expression!(r"\]\([^)]*\)");
    let number = expression!(r"\d[\d,]*(?:\.\d+)?(?:/\d+)?");
    let text = target.replace_all(text, "]");
    let found = number
        .find_iter(&text)
        .map(|found| found.as_str().replace(',', ""));
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    found
        .filter(|text| text.contains('.') || digits(text) >= 3)
        .collect()
}

/// The targets of pictures, and for each heading and table row that there is one.
fn shape(text: &str) -> Vec<String> {
    let picture = expression!(r"!\[[^]]*\]\(([^)]*)\)");
    let of_line = |line: &str| match line.as_bytes().first() {
        Some(b'#') => Some("heading".to_owned()),
        Some(b'|') => Some(format!("row of {}", line.matches('|').count())),
        _ => picture.captures(line).map(|found| found[1].to_owned()),
    };
    text.lines().filter_map(of_line).collect()
}

#[test]
fn pages_in_both_languages_agree() {
    let pairs = pairs();
    assert!(pairs.len() >= 6, "{pairs:?}");
    for (english, japanese) in &pairs {
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let texts = [read(english), read(japanese)];
        let [commands_here, commands_there] = [&texts[0], &texts[1]].map(|text| commands(text));
        assert_eq!(commands_here, commands_there, "{}", japanese.display());
        let [here, there] = [&texts[0], &texts[1]].map(|text| figures(text));
        let apart: Vec<&String> = here.symmetric_difference(&there).collect();
        assert!(apart.is_empty(), "{}: {apart:?}", japanese.display());
        let [here, there] = [&texts[0], &texts[1]].map(|text| shape(text));
        assert_eq!(here, there, "{}", japanese.display());
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(
            texts[0].contains(&format!("[日本語]({})", name(japanese))),
            "{}",
            english.display()
        );
        assert!(
            texts[1].contains(&format!("[English]({})", name(english))),
            "{}",
            japanese.display()
        );
    }
}

#[test]
fn a_figure_or_a_command_that_differs_is_seen() {
    assert_eq!(
        figures("about 1,296 of 7 codes, 4.3403 (see [7](a123.md)), 5625/1296"),
        figures("1296、4.3403、5625/1296")
    );
    assert_ne!(figures("4.3403"), figures("4.3404"));
    assert_eq!(
        commands("$ lab value      here\n$ a # b\nno command"),
        ["$ lab value", "$ a"]
    );
    assert_ne!(
        shape("| a | b |\n![x](y.svg)"),
        shape("| a | b |\n![x](z.svg)")
    );
}

/// Links of a page to English pages, apart from those whose text says that they are English.
fn english_links(text: &str) -> Vec<String> {
    let link = expression!(r"\[([^]]*)\]\(([^)#]+\.md)(?:#[^)]*)?\)");
    let found = link.captures_iter(text);
    let english = found.filter(|found| &found[1] != "English" && !found[2].ends_with(".ja.md"));
    english.map(|found| found[2].to_owned()).collect()
}

#[test]
fn japanese_pages_lead_to_japanese_pages() {
    for (_, japanese) in &pairs() {
        let text = std::fs::read_to_string(japanese).unwrap();
        for link in english_links(&text) {
            let target = japanese.with_file_name(link.replace(".md", ".ja.md"));
            assert!(!target.exists(), "{}: {link}", japanese.display());
        }
    }
    let text = "[English](a.md) [日本語](b.ja.md#c) [d](d.md) [e](e.md#f)";
    assert_eq!(english_links(text), ["d.md", "e.md"]);
}

#[test]
fn words_of_the_pages_are_those_of_the_documents() {
    // A label ends in a colon of full width. The word after it is what the documents and articles write.
    let label =
        Regex::new("\\p{Han}:[\"`]|[\\p{Hiragana}\\p{Katakana}]:[\"`]|乱数シード|玉|残りターン")
            .unwrap();
    for file in ["core/web/words/ja.js", "lab/web/words/ja.js"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let found: Vec<&str> = label.find_iter(&text).map(|found| found.as_str()).collect();
        assert!(found.is_empty(), "{file}: {found:?}");
    }
    assert!(label.is_match("縦軸:\"") && !label.is_match("縦軸：\""));
}

/// Words of the pages, and messages of the judge and the server.
#[test]
fn colons_and_commas_of_japanese_words_are_full_width() {
    // After a Japanese character, or after the name of a signal.
    let half_width =
        Regex::new(r#"[\p{Hiragana}\p{Katakana}\p{Han}）][:,] |"SIG[A-Z]+: "#).unwrap();
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [
        "core/src/judge/reasons.rs",
        "core/src/problem/words.rs",
        "core/web/words/ja.js",
        "lab/src/serve/messages.rs",
        "lab/web/words/ja.js",
        "lab/web/words/oil.js",
    ] {
        let text = std::fs::read_to_string(tools.join(name)).unwrap();
        let found: Vec<&str> = half_width.find_iter(&text).map(|m| m.as_str()).collect();
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}
