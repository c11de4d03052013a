//! Runs as one HTML file that needs nothing else: no network, no server, no other file.
//!
//! What stands in the page is data; the scripts of `tools/web` show it. Whatever a contestant wrote stays
//! text: data stands in elements that no browser runs, and the page's own policy forbids it to load anything.

use std::io::{self, Write};

use serde::Serialize;

mod data;
pub use data::{CaseOfRun, Pairing, Report, ShownRun};

/// The page with places for everything else, each alone on its line.
const PAGE: &str = include_str!("../../web/report.html");
/// In this order: later ones win over earlier ones.
const STYLES: &[&str] = &[
    include_str!("../../web/vendor/tabulator/tabulator_simple.min.css"),
    include_str!("../../web/style.css"),
];
/// In this order: each uses what stands before it.
const SCRIPTS: &[&str] = &[
    include_str!("../../web/vendor/chart.js/chart.umd.min.js"),
    include_str!("../../web/vendor/tabulator/tabulator.min.js"),
    include_str!("../../web/words.js"),
    include_str!("../../web/charts.js"),
    include_str!("../../web/told.js"),
    include_str!("../../web/cases.js"),
    include_str!("../../web/report.js"),
];
/// What must go wherever the libraries go.
const LICENCES: &[(&str, &str)] = &[
    (
        "Chart.js",
        include_str!("../../web/vendor/chart.js/LICENSE.md"),
    ),
    (
        "Tabulator",
        include_str!("../../web/vendor/tabulator/LICENSE"),
    ),
];

/// Writes the page.
///
/// Cost: some 100 bytes a case, and what is left of its session; 700 KB for the libraries.
///
/// # Errors
/// If the sink fails.
pub fn write(report: &Report<'_>, sink: &mut impl Write) -> io::Result<()> {
    for line in PAGE.split_inclusive('\n') {
        match line.trim() {
            "{{title}}" => writeln!(sink, "<title>{}</title>", escaped(&report.title()))?,
            "{{styles}}" => {
                for style in STYLES {
                    writeln!(sink, "<style>\n{}\n</style>", style.trim_end())?;
                }
            }
            "{{licences}}" => {
                for (name, text) in LICENCES {
                    writeln!(sink, "<!--\n{name}\n\n{}\n-->", text.trim())?;
                }
            }
            "{{text}}" => writeln!(sink, "<pre>{}</pre>", escaped(&report.text()))?,
            "{{data}}" => {
                data_element(sink, "report", &report.data())?;
                for run in &report.runs {
                    data_element(sink, &format!("kept-{}", run.run.id), &run.kept())?;
                }
            }
            "{{scripts}}" => {
                for script in SCRIPTS {
                    writeln!(sink, "<script>\n{}\n</script>", script.trim_end())?;
                }
            }
            _ => sink.write_all(line.as_bytes())?,
        }
    }
    Ok(())
}

/// JSON that no browser runs and no text in it can end.
fn data_element(sink: &mut impl Write, id: &str, data: &impl Serialize) -> io::Result<()> {
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

/// A text as it stands in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
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
    fn nothing_that_is_built_in_ends_its_element_either() {
        for script in SCRIPTS {
            assert!(!script.to_lowercase().contains("</script"));
            assert!(!script.contains("<!--"));
        }
        for style in STYLES {
            assert!(!style.to_lowercase().contains("</style"));
        }
        for (_, licence) in LICENCES {
            assert!(!licence.contains("--"));
        }
        for place in ["title", "styles", "licences", "text", "data", "scripts"] {
            assert_eq!(
                PAGE.matches(&format!("{{{{{place}}}}}")).count(),
                1,
                "{place}"
            );
        }
    }
}
