//! A page: one HTML file that needs no network, no server and no other file.
//!
//! Data stands in elements that browsers do not run, and the page's own policy forbids it to load anything. So the
//! output of a contestant always stays text.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::util::quote::printable;

/// The beginning of every page, with places as in [`Page::markup`].
const HEAD: &str = include_str!("../../../web/head.html");

/// What a page is made of.
pub struct Page<'a> {
    /// The body, with places for what stands in it, each alone on its line: `{{text}}`, `{{data}}`, `{{scripts}}`.
    pub markup: &'static str,
    /// What the browser's tab says.
    pub title: String,
    /// In this order: later ones win over earlier ones.
    pub styles: &'a [&'static str],
    /// In this order: each uses what stands before it.
    pub scripts: &'a [&'static str],
    /// Libraries of others that are in it, each with its licence, which must go wherever they go.
    pub licences: &'a [(&'static str, &'static str)],
    /// The same for a browser without scripts.
    pub text: String,
    /// Whether its scripts ask the server that it comes from.
    pub asks: bool,
    /// The sums of scripts that may run too, in frames of their own: see `Picture::script_sums`.
    pub fenced: Vec<String>,
}

impl Page<'_> {
    /// Writes the page; `data` writes what its scripts read, with [`data_element`].
    ///
    /// # Errors
    /// If the sink fails.
    pub fn write<W: Write>(
        &self,
        sink: &mut W,
        data: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut data = Some(data);
        let lines = [HEAD, self.markup].into_iter();
        for line in lines.flat_map(|part| part.split_inclusive('\n')) {
            match line.trim() {
                "{{policy}}" => writeln!(sink, "{}", self.policy())?,
                "{{title}}" => writeln!(sink, "<title>{}</title>", escaped(&self.title))?,
                "{{styles}}" => {
                    for style in self.styles {
                        writeln!(sink, "<style>\n{}\n</style>", style.trim_end())?;
                    }
                }
                "{{licences}}" => {
                    for (name, text) in self.licences {
                        writeln!(sink, "<!--\n{name}\n\n{}\n-->", text.trim())?;
                    }
                }
                "{{text}}" => writeln!(sink, "<pre>{}</pre>", escaped(&self.text))?,
                "{{data}}" => {
                    if let Some(data) = data.take() {
                        data(sink)?;
                    }
                }
                "{{scripts}}" => {
                    for script in self.scripts {
                        writeln!(sink, "<script>{}</script>", framed(script))?;
                    }
                }
                _ => sink.write_all(line.as_bytes())?,
            }
        }
        Ok(())
    }
}

impl Page<'_> {
    /// The policy of the page: the browser may run the page's own scripts, known by their hashes, but no script from
    /// data. It may ask the page's own server, if there is one, and may load nothing else.
    fn policy(&self) -> String {
        let sum = |script: &&str| {
            let sum = Sha256::digest(framed(script).as_bytes());
            format!("'sha256-{}'", STANDARD.encode(sum))
        };
        let scripts = self.scripts.iter().map(sum);
        let scripts: Vec<String> = scripts.chain(self.fenced.iter().cloned()).collect();
        let asks = if self.asks {
            "connect-src 'self'; frame-src 'self'; "
        } else {
            ""
        };
        format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {asks}style-src 'unsafe-inline'; \
             script-src {}; img-src data: blob:; form-action 'none'; base-uri 'none'\">",
            scripts.join(" ")
        )
    }
}

/// A script as it stands in its element.
fn framed(script: &str) -> String {
    format!("\n{}\n", script.trim_end())
}

/// JSON that no browser runs and no text in it can end.
///
/// # Errors
/// If the sink fails.
pub fn data_element(sink: &mut impl Write, id: &str, data: &impl Serialize) -> io::Result<()> {
    write!(sink, "<script type=\"application/json\" id=\"{id}\">")?;
    serde_json::to_writer(Unclosed(&mut *sink), data)?;
    writeln!(sink, "</script>")
}

/// Passes JSON on with every `<` written as `\u003c`, which means the same there.
struct Unclosed<W>(W);

impl<W: Write> Write for Unclosed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (i, piece) in bytes.split(|&byte| byte == b'<').enumerate() {
            if i > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(piece)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A text as it stands in HTML. There, a browser shows no control character, reads a carriage return as a newline, and
/// may drop a NUL. An editor or a terminal may obey them.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::page::{report, session};

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let mut sink = Vec::new();
        data_element(&mut sink, "a", &["</script><b>", "<!--", "\"\\"]).unwrap();
        let html = String::from_utf8(sink).unwrap();
        insta::assert_snapshot!(html, @r#"<script type="application/json" id="a">["\u003c/script>\u003cb>","\u003c!--","\"\\"]</script>"#);
        let (_, inside) = html.split_once('>').unwrap();
        let inside = inside.trim_end().strip_suffix("</script>").unwrap();
        let read: Vec<String> = serde_json::from_str(inside).unwrap();
        assert_eq!(read, ["</script><b>", "<!--", "\"\\"]);
        assert_eq!(
            escaped("<a href=\"x\">&"),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
    }

    #[test]
    fn control_characters_are_shown_as_what_they_are() {
        assert_eq!(
            escaped("1\t0\n\0\r\u{1b}[2J<\u{202e}"),
            "1\t0\n\\u{0}\\r\\u{1b}[2J&lt;\\u{202e}"
        );
    }

    #[test]
    fn nothing_that_is_built_in_ends_its_element_either() {
        for page in [report::page(), session::page()] {
            for script in page.scripts {
                assert!(!script.to_lowercase().contains("</script"));
                assert!(!script.contains("<!--"));
            }
            for style in page.styles {
                assert!(!style.to_lowercase().contains("</style"));
            }
            for (_, licence) in page.licences {
                assert!(!licence.contains("--"));
            }
            for place in ["policy", "title", "styles", "text", "data", "scripts"] {
                let place = format!("{{{{{place}}}}}");
                let whole = [HEAD, page.markup].concat();
                assert_eq!(whole.matches(&place).count(), 1, "{place}");
            }
        }
    }
}
