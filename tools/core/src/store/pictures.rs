//! Pictures that a contest's visualizer drew of a run's cases, as a page shows them.
//!
//! What a visualizer writes may be anything: a page shows it fenced, as an image or in a frame of its own
//! (`tools/core/web/picture.js`).

use std::cell::Cell;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::folders::near;
use crate::case::CaseId;
use crate::run::draw::{folder_beside, pictures_in};
use crate::util::bounded_read;

/// A larger picture is only named.
const LARGEST: u64 = 8 << 20;

/// A picture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Picture {
    /// Its file, to be opened alone.
    pub path: String,
    /// How it is shown.
    pub kind: PictureKind,
    /// HTML, SVG, or an address with the data of an image; nothing if it is too large, or is to be asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Where a server has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// How many bytes it has.
    pub bytes: u64,
}

/// How a picture is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PictureKind {
    /// In a frame.
    Html,
    /// In a frame too, so that it tells what is under the mouse.
    Svg,
    /// As an image.
    Image,
}

/// Reads pictures, up to a number of bytes in all.
pub(crate) struct PictureReader {
    left: Cell<u64>,
}

impl PictureReader {
    /// At most `room` bytes.
    pub(crate) fn new(room: u64) -> Self {
        Self {
            left: Cell::new(room),
        }
    }

    /// The picture of a case whose outputs are in `folder`, if it was drawn.
    pub(crate) fn read(&self, folder: &Path, id: CaseId) -> Option<Picture> {
        let path = picture_of(folder, id)?;
        let bytes = path.metadata().ok()?.len();
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        let room = self.left.get().min(LARGEST);
        let content = (bytes <= room).then(|| bounded_read::read(&path, room).ok());
        let content = content.flatten();
        let used = content.as_ref().map_or(0, |content| content.len() as u64);
        self.left.set(self.left.get() - used);
        let (kind, content) = match suffix.as_str() {
            "html" | "htm" => (PictureKind::Html, content.map(|bytes| fitted(&text(bytes)))),
            "svg" => (PictureKind::Svg, content.map(text)),
            suffix => (
                PictureKind::Image,
                content.map(|bytes| data_address(suffix, &bytes)),
            ),
        };
        Some(Picture {
            path: near(&path).display().to_string(),
            kind,
            content,
            address: None,
            bytes,
        })
    }
}

/// The file with the picture of a case whose outputs are in `folder`.
pub fn picture_of(folder: &Path, id: CaseId) -> Option<PathBuf> {
    let output = folder.join(id.file_name("txt"));
    pictures_in(&folder_beside(&output, id)).into_iter().next()
}

/// The same page with drawings that are no wider than its frame.
pub fn fitted(html: &str) -> String {
    const STYLE: &str =
        "<style>svg[viewBox], img, canvas { max-width: 100%; height: auto }</style>";
    // In front of the doctype, it would change how the page is read.
    let begin = html.len() - html.trim_start().len();
    let is_doctype = html[begin..]
        .get(..9)
        .is_some_and(|word| word.eq_ignore_ascii_case("<!doctype"));
    let at = html
        .find('>')
        .filter(|_| is_doctype)
        .map_or(0, |end| end + 1);
    [&html[..at], STYLE, &html[at..]].concat()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn data_address(suffix: &str, bytes: &[u8]) -> String {
    let kind = if suffix == "jpg" { "jpeg" } else { suffix };
    format!("data:image/{kind};base64,{}", STANDARD.encode(bytes))
}

impl Picture {
    /// The sums of the scripts that stand in it, as a page's policy names them.
    ///
    /// A frame has the policy of the page around it. There, only these scripts may run, and they stand in no other
    /// place.
    pub(crate) fn script_sums(&self) -> Vec<String> {
        let content = match self.kind {
            PictureKind::Image => None,
            PictureKind::Html | PictureKind::Svg => self.content.as_deref(),
        };
        let scripts = content.into_iter().flat_map(inline_scripts);
        let sum = |script: &str| {
            // Browsers read every end of a line as one character.
            let script = script.replace("\r\n", "\n").replace('\r', "\n");
            format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script)))
        };
        scripts.map(sum).collect()
    }
}

/// The texts between the tags of scripts.
fn inline_scripts(html: &str) -> Vec<&str> {
    let lower = html.to_ascii_lowercase();
    let mut scripts = Vec::new();
    let mut at = 0;
    while let Some(found) = lower[at..].find("<script") {
        let tag = at + found;
        let Some(open) = end_of_tag(&lower[tag..]).map(|end| tag + end) else {
            break;
        };
        let Some(close) = lower[open..].find("</script").map(|end| open + end) else {
            break;
        };
        scripts.push(&html[open..close]);
        at = close;
    }
    scripts.retain(|script| !script.is_empty());
    scripts
}

/// Where a tag ends; a bracket between quotes is no end.
fn end_of_tag(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(name: &str, content: &[u8]) -> (tempfile::TempDir, PictureReader) {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("vis/0007");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), content).unwrap();
        (dir, PictureReader::new(100))
    }

    #[test]
    fn pictures_are_read_as_they_are_shown() {
        let (dir, reader) = drawn("vis.html", b"<p>\xff</p>");
        let picture = reader.read(dir.path(), CaseId(7)).unwrap();
        assert_eq!(picture.kind, PictureKind::Html);
        assert!(
            picture
                .content
                .unwrap()
                .ends_with("</style><p>\u{fffd}</p>")
        );
        assert!(picture.path.ends_with("vis/0007/vis.html"));
        assert_eq!(reader.read(dir.path(), CaseId(8)), None);
        let (dir, reader) = drawn("a.JPG", b"abc");
        let picture = reader.read(dir.path(), CaseId(7)).unwrap();
        assert_eq!(
            picture.content.as_deref(),
            Some("data:image/jpeg;base64,YWJj")
        );
    }

    #[test]
    fn a_style_stands_after_the_doctype() {
        let doctype = fitted(" <!DocType html><p>");
        assert!(doctype.starts_with(" <!DocType html><style>") && doctype.ends_with("</style><p>"));
        for without in ["<p>é", "", "<!-- é"] {
            let page = fitted(without);
            assert!(page.starts_with("<style>") && page.ends_with(&format!("</style>{without}")));
        }
    }

    #[test]
    fn what_is_too_large_is_only_named() {
        let (dir, reader) = drawn("out.svg", &[b' '; 60]);
        let read = || reader.read(dir.path(), CaseId(7)).unwrap();
        assert!(read().content.is_some());
        // Only 40 bytes are left.
        let second = read();
        assert_eq!((second.content, second.bytes), (None, 60));
    }

    #[test]
    fn scripts_are_those_that_a_browser_runs() {
        let scripts = "<p><SCRIPT>a()</Script ><script src='x.js' data-a='>'></script>\
                       <script type=\"module\">\r\nb()\r\n</script><script>never closed";
        assert_eq!(inline_scripts(scripts), ["a()", "\r\nb()\r\n"]);
        let picture = Picture {
            path: String::new(),
            kind: PictureKind::Html,
            content: Some("<script>a()</script>".to_owned()),
            address: None,
            bytes: 0,
        };
        // printf 'a()' | openssl dgst -sha256 -binary | base64
        let sums = picture.script_sums();
        assert_eq!(
            sums,
            ["'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='"]
        );
        let image = Picture {
            kind: PictureKind::Image,
            ..picture
        };
        assert!(image.script_sums().is_empty());
    }
}
