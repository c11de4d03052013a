//! Sentences with places for values, in English and in Japanese.
//!
//! Messages are English. A page that is read in Japanese recognises the template of a message and fills the
//! Japanese one with the same values. Both texts stand side by side, so that neither is changed alone.

use std::fmt::{Display, Write as _};

/// One sentence in both languages.
///
/// A place is written as a number in braces:
///
/// - `{0}`: one word, such as a number;
/// - `{0"}`: a text that [`quote`](crate::util::quote::quote) has made;
/// - `{0*}`: any text; if that is a sentence of its own, it is translated as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    english: &'static str,
    japanese: &'static str,
}

/// Declares templates as constants, and `TEMPLATES`, the list of them all, as `Problem::reasons` returns it.
#[macro_export]
macro_rules! templates {
    ($($name:ident = $english:literal, $japanese:literal;)*) => {
        $(pub(super) const $name: $crate::util::template::Template =
            $crate::util::template::Template::new($english, $japanese);)*
        pub(super) const TEMPLATES: &[$crate::util::template::Template] = &[$($name),*];
    };
}
pub use templates;

impl Template {
    /// Both texts; each has the same places.
    pub const fn new(english: &'static str, japanese: &'static str) -> Self {
        Self { english, japanese }
    }

    /// The English text with these values.
    ///
    /// # Panics
    /// If there are fewer values than places.
    pub fn fill(&self, values: &[&dyn Display]) -> String {
        fill(&pieces(self.english), values)
    }
}

/// A part of a template's text.
enum Piece<'a> {
    Text(&'a str),
    Place(usize, Kind),
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Word,
    Quoted,
    Text,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for part in text.split_inclusive('}') {
        let Some((before, place)) = part.split_once('{') else {
            pieces.push(Piece::Text(part));
            continue;
        };
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        let place = place.trim_end_matches('}');
        let kind = match place.as_bytes().last() {
            Some(b'"') => Kind::Quoted,
            Some(b'*') => Kind::Text,
            _ => Kind::Word,
        };
        let index = place.trim_end_matches(['"', '*']).parse();
        pieces.push(Piece::Place(index.expect("a place is a number"), kind));
    }
    pieces
}

fn fill(pieces: &[Piece<'_>], values: &[impl Display]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Place(index, _) => {
                write!(out, "{}", values[*index]).expect("a string takes everything");
            }
        }
    }
    out
}

/// Recognises messages and translates them into Japanese.
pub struct Translator {
    /// English and Japanese; those with the most text of their own first.
    templates: Vec<[Vec<Piece<'static>>; 2]>,
}

impl Translator {
    /// A translator for these templates.
    pub fn new(templates: impl Iterator<Item = Template>) -> Self {
        let both = |t: Template| [pieces(t.english), pieces(t.japanese)];
        let mut templates: Vec<_> = templates.map(both).collect();
        let own_text = |piece: &Piece<'_>| match piece {
            Piece::Text(text) => text.len(),
            Piece::Place(..) => 0,
        };
        // `stone {0} appears twice` is tried before `stone {0}`.
        templates.sort_by_key(|[english, _]| {
            std::cmp::Reverse(english.iter().map(own_text).sum::<usize>())
        });
        Self { templates }
    }

    /// `text` in Japanese; `None` if no template has made it.
    ///
    /// Cost: some 10 µs.
    pub fn japanese(&self, text: &str) -> Option<String> {
        self.templates.iter().find_map(|[english, japanese]| {
            let mut found = Vec::new();
            if !has_form(english, text, &mut found) {
                return None;
            }
            let mut values = vec![String::new(); found.len()];
            for (index, kind, value) in found {
                let sentence = (kind == Kind::Text).then(|| self.japanese(value));
                values[index] = sentence.flatten().unwrap_or_else(|| value.to_owned());
            }
            Some(fill(japanese, &values))
        })
    }
}

/// Whether `text` has the form of these pieces, and what stands in their places: the shortest values that fit.
fn has_form<'t>(
    pieces: &[Piece<'_>],
    text: &'t str,
    found: &mut Vec<(usize, Kind, &'t str)>,
) -> bool {
    match pieces {
        [] => text.is_empty(),
        [Piece::Text(own), rest @ ..] => text
            .strip_prefix(own)
            .is_some_and(|text| has_form(rest, text, found)),
        [Piece::Place(index, kind), rest @ ..] => {
            let before = found.len();
            let mut fits = |end: usize| {
                found.truncate(before);
                found.push((*index, *kind, &text[..end]));
                has_form(rest, &text[end..], found)
            };
            match kind {
                Kind::Quoted => quoted_len(text).is_some_and(fits),
                Kind::Word => ends(text)
                    .take_while(|&end| !text[..end].contains(' '))
                    .any(&mut fits),
                Kind::Text => ends(text).any(&mut fits),
            }
        }
    }
}

/// Where a value that begins with `text` may end: nowhere inside quotes, for what stands there is not ours.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let next = |at: usize| {
        let rest = &text[at..];
        let step = quoted_len(rest).or_else(|| rest.chars().next().map(char::len_utf8));
        step.map(|step| at + step)
    };
    std::iter::successors(next(0), move |&at| next(at))
}

/// The length of the quoted text that `text` begins with: `"0 1"`, or `"0 1 …" (2000 bytes)`.
fn quoted_len(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('"')?;
    let mut escaped = false;
    let closing = inside.find(|c| {
        let is_closing = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        is_closing
    })?;
    let end = closing + 2;
    let cut = text[..end].ends_with("…\"");
    let bytes = text[end..].strip_prefix(" (").filter(|_| cut);
    let bytes = bytes.and_then(|rest| Some(end + 2 + rest.find(" bytes)")? + " bytes)".len()));
    Some(bytes.unwrap_or(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::quote::quote;

    templates! {
        TURN = "turn {0}: {1*}", "{0} ターン目：{1*}";
        IN_LINE = "{0*} in {1\"}", "{0*}（{1\"}）";
        TWICE = "stone {0} appears twice", "石 {0} が 2 回あります";
        STONE = "stone {0}", "石 {0}";
        OF = "{0} of {1}", "{1} のうち {0}";
    }

    fn japanese(text: &str) -> Option<String> {
        Translator::new(TEMPLATES.iter().copied()).japanese(text)
    }

    #[test]
    fn a_message_is_recognised_with_the_messages_in_it() {
        let line = quote(b"? stone 3 appears twice in \"7\" of 8");
        let text = TURN.fill(&[&3, &IN_LINE.fill(&[&TWICE.fill(&[&7]), &line])]);
        assert_eq!(text, format!("turn 3: stone 7 appears twice in {line}"));
        let expected = format!("3 ターン目：石 7 が 2 回あります（{line}）");
        assert_eq!(japanese(&text), Some(expected));
        assert_eq!(japanese("2 of 3").as_deref(), Some("3 のうち 2"));
        assert_eq!(japanese("turn 3: oh").as_deref(), Some("3 ターン目：oh"));
        assert_eq!(japanese("oh"), None);
    }

    #[test]
    fn a_quoted_text_is_taken_as_a_whole() {
        for line in [
            &b"a\" in \"b"[..],
            &[b'"'; 100],
            b"\\",
            b"\\\"",
            &[b'x'; 100],
        ] {
            let line = quote(line);
            assert_eq!(quoted_len(&format!("{line} in \"x\"")), Some(line.len()));
            let text = IN_LINE.fill(&[&line, &line]);
            assert_eq!(japanese(&text), Some(format!("{line}（{line}）")));
        }
        assert_eq!(quoted_len("\"never closed"), None);
    }
}
