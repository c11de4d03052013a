//! The picture that a contest's visualizer drew, as the server shows it: fenced, beside input and output.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use crate::browser::Page;
use crate::many;
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;
use tester::case::{Parameters, Source};
use tester::judge::external::{ExternalSpec, Stream, USUAL_SCORE};
use tester::judge::record::{JudgedCase, Record, Verdict};
use tester::problem::Objective;
use tester::run::spec::RunSpec;
use tester::store::{History, NewRun, State};

/// A picture with a script, which tells the page around it what it could do.
const DRAWN: &str = "<p id=by>no script has run</p><svg viewBox='0 0 640 320' width='640' height='320'><rect width='640' height='320' fill='#def'/></svg><script>\n\
    const reach = (what) => { try { return String(what()); } catch (error) { return error.name; } };\n\
    document.getElementById('by').textContent = 'drawn by a script';\n\
    const told = { parent: reach(() => parent.document.title), top: reach(() => { top.location.href = 'about:blank'; return 'left'; }) };\n\
    fetch('/api/runs').then(() => 'loaded', () => 'refused').then((text) => parent.postMessage({ ...told, fetch: text }, '*'));\n\
    </script>";

/// A run of two cases before another judge, the first of which was drawn.
fn drawn(dir: &Path) {
    std::fs::create_dir(dir.join("in")).unwrap();
    for (name, text) in [("0000.txt", "20 3\n<b>\n"), ("0001.txt", "10 2\n")] {
        std::fs::write(dir.join("in").join(name), text).unwrap();
    }
    let mut history = History::open(&dir.join("h")).unwrap();
    let runs = dir.join("out/runs");
    let (run, folder) = history
        .begin_in(&new_run(dir), &runs, NonZeroUsize::MAX)
        .unwrap();
    let source = new_run(dir).spec.source;
    let judged = source.tickets().unwrap().map(|case| {
        let case = case.open().unwrap();
        std::fs::write(folder.join(case.key.id.file_name("txt")), "the output\n").unwrap();
        let record = Record {
            parameters: Parameters::new([Some(20.0), Some(3.0)]),
            verdict: Verdict::Ac,
            score: 7.into(),
            reason: None,
            ..Record::internal_error("sums".to_owned(), String::new())
        };
        JudgedCase {
            case: case.key,
            record,
        }
    });
    let judged: Vec<JudgedCase> = judged.collect();
    history.add(run, &judged).unwrap();
    history
        .end(run, State::Done, Duration::from_secs(1))
        .unwrap();
    let pictures = folder.join("vis/0000");
    std::fs::create_dir_all(&pictures).unwrap();
    std::fs::write(pictures.join("vis.html"), DRAWN).unwrap();
}

fn new_run(dir: &Path) -> NewRun {
    let files = Source::Folder(dir.join("in"));
    let source = Source::External {
        name: "sums".to_owned(),
        files: Box::new(files),
    };
    let spec = RunSpec {
        external: Some(ExternalSpec {
            contract: None,
            line: "./t {command} < {case} > {out}".to_owned(),
            score: USUAL_SCORE.to_owned(),
            objective: Objective::Max,
            scale: tester::judge::ScoreScale::ONE,
            zero_counts: false,
            stream: Stream::Any,
            files: None,
            parameters: Some("N M".to_owned()),
            vis: Some("./vis {case} {out}".to_owned()),
        }),
        parameters: vec!["N".to_owned(), "M".to_owned()],
        ..many::spec(dir, "./mine", source)
    };
    many::kept(spec, 2, "sums".to_owned())
}

#[test]
fn a_picture_has_an_address_and_a_policy_of_its_own() {
    let dir = TempDir::new().unwrap();
    drawn(dir.path());
    let server = Serving::start(dir.path());
    let (status, body) = server.get("/vis/1/0");
    assert_eq!(status, 200);
    assert!(body.ends_with(DRAWN), "{body}");
    let headers = server.headers("/vis/1/0");
    assert!(
        headers.contains("content-security-policy: sandbox allow-scripts; default-src 'none'; "),
        "{headers}"
    );
    assert!(
        headers.contains("x-frame-options: sameorigin\r\n"),
        "{headers}"
    );
    assert!(
        headers.contains("content-type: text/html; charset=utf-8\r\n"),
        "{headers}"
    );
    assert!(
        headers.contains("x-content-type-options: nosniff\r\n"),
        "{headers}"
    );
    // All other pages stand in no frame.
    assert!(server.headers("/").contains("x-frame-options: deny\r\n"));
    for none in ["/vis/1/1", "/vis/1/9", "/vis/9/0"] {
        assert_eq!(server.get(none).0, 404, "{none}");
    }
    assert_eq!(server.get("/vis/1/..%2f..%2fh").0, 400);
    let (_, details) = server.get("/api/session/1/0");
    let details: Value = serde_json::from_str(&details).unwrap();
    assert_eq!(details["picture"]["address"], "/vis/1/0");
    assert_eq!(details["picture"]["content"], Value::Null);
    assert_eq!(details["input"]["text"], "20 3\n<b>\n");
    assert_eq!(details["texts"][0]["text"], "the output\n");
}

#[test]
#[ignore = "needs Chromium"]
fn a_case_is_seen_with_its_picture_in_report_and_page() {
    let dir = TempDir::new().unwrap();
    drawn(dir.path());
    let server = Serving::start(dir.path());
    let page = Page::new(1280, 900);
    let listen = "(() => { window.told = []; addEventListener('message', (event) => told.push([event.origin, event.data])); })()";
    let expected = json!([["null", { "parent": "SecurityError", "top": "SecurityError", "fetch": "refused" }]]);
    page.open_url(&server.url("/report?runs=1"));
    page.eval(listen);
    page.eval("(location.hash = '#case=0')");
    page.wait_for("told.length > 0");
    assert_eq!(page.eval("told"), expected);
    assert_eq!(
        page.texts("#details .copied button"),
        ["Copy input", "Copy output"]
    );
    // The same of the case's own page; its picture may have told before anybody listened.
    for (width, language) in [(1280, "en"), (390, "ja")] {
        page.resize(width, 844, width < 600);
        page.open_url(&server.url(&format!("/case/1/0?lang={language}")));
        page.eval(listen);
        page.eval("(document.querySelector('iframe').src += '')");
        page.wait_for("told.length > 0");
        assert_eq!(page.eval("told[0]"), expected[0]);
        assert_eq!(
            page.eval("document.documentElement.scrollWidth <= innerWidth"),
            true
        );
        assert_eq!(page.eval("document.querySelectorAll('b').length"), 0);
        page.picture(&format!("drawn-{width}-{language}"));
    }
    assert_eq!(page.errors(), json!([]));
}
