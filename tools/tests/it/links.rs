//! Pages of the documentation link to files and headings that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::expression::expression;

/// The pages of the project: `*.md` at the top, in `docs`, and in the packages of contests.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["", "docs", "tools/contests"].map(|folder| root.join(folder));
    let files = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut pages: Vec<PathBuf> = paths.filter(is_page).collect();
    pages.sort();
    pages
}

/// A page without its blocks of code, in which `#` begins no heading.
fn without_code(text: &str) -> String {
    let block = expression!(r"(?ms)^```.*?^```$");
    block.replace_all(text, "").into_owned()
}

/// The name by which a link reaches a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    let link = expression!(r"\[([^]]*)\]\([^)]*\)");
    let dropped = expression!(r"[^\w\- ]");
    let text = link.replace_all(heading, "$1").to_lowercase();
    dropped.replace_all(text.trim(), "").replace(' ', "-")
}

/// The anchors of all headings. A second heading of the same words ends in `-1`.
fn anchors(text: &str) -> BTreeSet<String> {
    let heading = expression!(r"(?m)^#+ (.*)$");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let text = without_code(text);
    let headings = heading.captures_iter(&text).map(|found| anchor(&found[1]));
    headings
        .map(|name| {
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            match *count {
                1 => name,
                count => format!("{name}-{}", count - 1),
            }
        })
        .collect()
}

/// The links of a page that lead nowhere. `known` keeps the anchors of each page that was read.
fn broken(page: &Path, known: &mut BTreeMap<PathBuf, BTreeSet<String>>) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    let link = expression!(r"\]\(([^)\s]+)\)");
    let is_elsewhere = expression!("^[a-z]+:");
    let mut leads_somewhere = |target: &String| {
        let (path, heading) = target.split_once('#').unwrap_or((target, ""));
        let file = match path {
            "" => page.to_owned(),
            path => page.parent().unwrap().join(path),
        };
        if heading.is_empty() || file.extension().is_none_or(|extension| extension != "md") {
            return file.exists();
        }
        let read = || std::fs::read_to_string(&file).map(|text| anchors(&text));
        let anchors = known.entry(file.clone());
        anchors
            .or_insert_with(|| read().unwrap_or_default())
            .contains(heading)
    };
    link.captures_iter(&without_code(&text))
        .map(|found| found[1].to_owned())
        .filter(|target| !is_elsewhere.is_match(target) && !leads_somewhere(target))
        .collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let pages = pages();
    assert!(pages.len() >= 30, "{pages:?}");
    let mut known = BTreeMap::new();
    let broken: Vec<(PathBuf, Vec<String>)> = pages
        .into_iter()
        .map(|page| (page.clone(), broken(&page, &mut known)))
        .filter(|(_, links)| !links.is_empty())
        .collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// The headings of a page, below its title, that its list of sections does not name.
fn unlisted(text: &str) -> Vec<String> {
    let text = without_code(text);
    let heading = expression!(r"(?m)^## (.*)$");
    let (list, _) = text.split_once("\n## ").unwrap_or((&text, ""));
    let headings = heading.captures_iter(&text).map(|found| anchor(&found[1]));
    headings
        .filter(|name| !list.contains(&format!("](#{name})")))
        .collect()
}

#[test]
fn pages_of_the_guide_list_their_sections() {
    let names = ["guide", "contest-tester", "compare", "shards"];
    for name in names
        .iter()
        .flat_map(|name| [format!("{name}.md"), format!("{name}.ja.md")])
    {
        let page = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../docs")
            .join(&name);
        let text = std::fs::read_to_string(page).unwrap();
        assert_eq!(unlisted(&text), [""; 0], "{name}");
    }
    assert_eq!(unlisted("# A\n- [b](#b)\n\n## B\n\n## C d\n"), ["c-d"]);
}

#[test]
fn a_link_to_no_heading_is_seen() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("a.md");
    let text = "# One `two`: x\n\n```\n# no heading\n```\n# 手数 (3)\n# One `two`: x\n";
    let links = "[a](#one-two-x) [b](#one-two-x-1) [c](a.md#手数-3) [d](#no-heading) [e](b.md) [f](https://x.y)";
    std::fs::write(&page, format!("{text}{links}\n")).unwrap();
    assert_eq!(broken(&page, &mut BTreeMap::new()), ["#no-heading", "b.md"]);
}
