//! `lab serve`: who is answered, and what. How its pages look and what a click does is in `serve_page.rs`.

use std::process::Command;

use crate::many;
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(super) fn read(answer: &(u16, String)) -> Value {
    serde_json::from_str(&answer.1).unwrap_or_else(|_| panic!("{answer:?}"))
}

/// The data of a page, as its scripts read it.
fn data(page: &str) -> Value {
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

/// The error has a translation beside it, so that a page in Japanese shows no English.
pub(super) fn assert_is_translated(answer: &Value) {
    let error = answer["error"].as_str().unwrap();
    let japanese = answer["japanese"][error].as_str().unwrap_or_default();
    let is_kana = |c: char| ('ぁ'..='ヿ').contains(&c);
    // The hint stands on a line of its own.
    // A template that fits by chance takes pieces of English over.
    let is_english = |line: &str| {
        [" such as ", " not ", " at most "]
            .iter()
            .any(|piece| line.contains(piece))
    };
    let lines_are = japanese
        .lines()
        .all(|line| line.contains(is_kana) && !is_english(line));
    assert!(!japanese.is_empty() && lines_are, "{error}: {japanese}");
}

#[test]
fn only_who_means_this_server_is_answered() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let port = server.host.split_once(':').unwrap().1;
    let status = |head: &str| server.ask(head).0;
    for (host, expected) in [
        (server.host.clone(), 200),
        (format!("127.0.0.1:{port}"), 200),
        ("localhost".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
        (format!("localhost:{port}.evil.example"), 403),
        (format!("localhost.evil.example:{port}"), 403),
    ] {
        assert_eq!(
            status(&format!("GET /api/runs HTTP/1.1\r\nHost: {host}\r\n")),
            expected,
            "{host}"
        );
    }
    assert_eq!(status("GET /api/runs HTTP/1.0\r\n"), 403);
    for (origin, expected) in [
        (format!("http://{}", server.host), 200),
        ("http://evil.example".to_owned(), 403),
        (format!("https://{}", server.host), 403),
        ("null".to_owned(), 403),
    ] {
        let head = format!(
            "GET /api/runs HTTP/1.1\r\nHost: {}\r\nOrigin: {origin}\r\n",
            server.host
        );
        assert_eq!(status(&head), expected, "{origin}");
    }
    let twice = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nHost: evil.example\r\n",
        server.host
    );
    assert!(matches!(status(&twice), 400 | 403));
    // A picture on another site's page has no origin, but browsers tell that it is another site's.
    for (site, expected) in [
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
        ("none", 200),
    ] {
        let head = format!(
            "GET /api/runs HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: {site}\r\n",
            server.host
        );
        assert_eq!(status(&head), expected, "{site}");
    }
    let link = format!(
        "GET / HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: cross-site\r\n",
        server.host
    );
    assert_eq!(status(&format!("{link}Sec-Fetch-Dest: document\r\n")), 200);
    assert_eq!(status(&format!("{link}Sec-Fetch-Dest: image\r\n")), 403);
    // It answers questions and nothing else.
    for method in ["POST", "PUT", "DELETE"] {
        assert_eq!(
            status(&format!(
                "{method} /api/runs HTTP/1.1\r\nHost: {}\r\n",
                server.host
            )),
            405
        );
    }
    assert_eq!(server.get("/../../etc/passwd").0, 404);
    assert!(server.interrupt());
}

#[test]
fn the_board_names_the_parameters_of_its_text() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    for (problem, form) in [
        ("hitblow+3+10", "hitblow P K"),
        ("balance+5+odd", "balance N odd"),
    ] {
        let data = data(&server.get(&format!("/board?problem={problem}")).1);
        assert_eq!(data["form"], form);
    }
}

#[test]
fn a_game_with_lies_names_the_commands_that_look_into_it() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let data = data(&server.get("/board?problem=liar+3+10").1);
    assert_eq!(data["studied"], false);
    let why = data["notStudied"].as_str().unwrap();
    for command in [
        "tester --problem \"liar 3 10\" ./solver --trace",
        "lab liar \"liar 3 10\"",
    ] {
        assert!(why.contains(command), "{why}");
        let japanese = data["japanese"][why].as_str().unwrap();
        assert!(japanese.contains(command), "{japanese}");
    }
    assert_is_translated(&json!({ "error": why, "japanese": data["japanese"] }));
}

#[test]
fn it_ends_though_a_client_keeps_it_waiting() {
    use std::io::Write;
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let mut stream =
        std::net::TcpStream::connect(server.host.replace("localhost", "127.0.0.1")).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: local").unwrap();
    assert!(server.interrupt());
    drop(stream);
}

#[test]
fn a_port_that_is_in_use_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(["serve", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains(&format!(
            "failed to listen on port {port}: Address already in use"
        )),
        "{said}"
    );
}

#[test]
fn a_history_that_is_missing_or_of_another_kind_is_said_and_one_that_comes_later_is_seen() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let runs = || read(&server.get("/api/runs"));
    assert_eq!(runs()["absent"], true);
    assert_eq!(server.get("/").0, 200);
    let (status, said) = server.get("/report?runs=1");
    assert_eq!(status, 404);
    assert!(said.contains("no history at "), "{said}");
    assert_is_translated(&data(&said));
    many::played(dir.path(), "later", 3);
    assert_eq!(runs()["runs"][0]["tag"], "later");
    std::fs::write(dir.path().join("h"), "something else").unwrap();
    let (status, said) = server.get("/");
    assert_eq!(status, 503);
    assert!(
        said.contains("is not a history, but another kind of file"),
        "{said}"
    );
    assert_is_translated(&data(&said));
}

#[test]
fn a_history_of_a_newer_tester_is_said_and_left_as_it_is() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 3);
    let file = dir.path().join("h");
    let mut before = std::fs::read(&file).unwrap();
    // SQLite keeps a program's own version there, the greatest byte first.
    before[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&file, &before).unwrap();
    let server = Serving::start(dir.path());
    for path in [
        "/",
        "/report?runs=1",
        "/case/1/1",
        "/api/runs",
        "/api/session/1/1",
    ] {
        let (status, said) = server.get(path);
        assert_eq!(status, 503, "{path}");
        let why = "is of a newer tester: expected format ";
        assert!(said.contains(why), "{path}: {said}");
        let is_page = said.starts_with("<!DOCTYPE");
        let answer = if is_page {
            data(&said)
        } else {
            read(&(status, said))
        };
        assert_is_translated(&answer);
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn runs_and_cases_are_those_of_the_history() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 50);
    let server = Serving::start(dir.path());
    // A browser without scripts shows the same as text.
    let plain = |path: &str| {
        let page = server.get(path).1;
        let (_, text) = page.split_once("<noscript>").unwrap();
        text.split_once("</noscript>").unwrap().0.to_owned()
    };
    assert!(plain("/").contains("  some "), "{}", plain("/"));
    assert!(plain("/").contains("スクリプトが無効"), "{}", plain("/"));
    assert!(plain("/board").contains("数字"), "{}", plain("/board"));
    assert!(
        plain("/nowhere").contains("ページが見つかりません"),
        "{}",
        plain("/nowhere")
    );
    assert!(
        plain("/case/1/2").contains("\n2  1 2 9  "),
        "{}",
        plain("/case/1/2")
    );
    let run = read(&server.get("/api/runs"))["runs"][0].clone();
    assert_eq!(
        (&run["judged"], &run["accepted"]),
        (&Value::from(50), &Value::from(50))
    );
    assert_eq!(server.get("/report?runs=some").0, 200);
    let (status, page) = server.get("/case/1/7");
    assert_eq!(status, 200);
    // Case 7 takes seven wrong guesses.
    let shown = data(&page);
    assert_eq!(shown["session"]["turns"].as_array().unwrap().len(), 8);
    assert_eq!(shown["about"]["studied"], true);
    for (path, why) in [
        ("/case/1/99", "found none with number 0099"),
        ("/case/nobody/1", "a run&#39;s number, a tag"),
        ("/report?runs=1,1", "run 1 is named twice"),
    ] {
        let (status, said) = server.get(path);
        assert!((400..500).contains(&status), "{path}: {status}");
        assert!(said.contains(&why.replace("&#39;", "'")), "{path}: {said}");
        assert_is_translated(&data(&said));
    }
    // What was written is gone: it is said, and the rest is shown.
    for entry in std::fs::read_dir(dir.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            std::fs::remove_dir_all(path).unwrap();
        }
    }
    let (status, page) = server.get("/case/1/7");
    assert_eq!(status, 200);
    assert!(page.contains("\"missing\":"), "{page}");
}

#[test]
fn a_missing_or_changed_case_is_reported_and_a_pipe_instead_of_it_does_not_block() {
    let dir = TempDir::new().unwrap();
    let cases = dir.path().join("in");
    std::fs::create_dir(&cases).unwrap();
    let text = |seed| {
        let spec = tester::problem::Spec::parse("hitblow 3 10").unwrap();
        spec.generate(tester::problem::rng::Seed(seed))
            .unwrap()
            .to_text()
    };
    let file = |case: u64| cases.join(format!("{case:04}.txt"));
    for case in 0..4 {
        std::fs::write(file(case), text(case)).unwrap();
    }
    many::keep(
        dir.path(),
        &many::Playing {
            tag: "files",
            command: "./mine",
            source: tester::case::Source::Folder(cases.clone()),
            wrong: &|_| vec!["0 1 2".to_owned()],
            parameters: &[],
            decimals: 0,
            transcripts_from: 0,
        },
    );
    std::fs::remove_file(file(1)).unwrap();
    std::fs::write(file(2), text(99)).unwrap();
    std::fs::remove_file(file(3)).unwrap();
    let made = Command::new("mkfifo").arg(file(3)).status().unwrap();
    assert!(made.success());
    let server = Serving::start(dir.path());
    for (case, missing) in [
        (0, Value::Null),
        (1, json!("changed")),
        (2, json!("changed")),
        (3, json!("changed")),
    ] {
        let kept = read(&server.get(&format!("/api/session/1/{case}")));
        assert_eq!(kept["missing"], missing, "{case}: {kept}");
        assert_eq!(kept["session"]["turns"][0]["guess"], "0 1 2");
        assert_eq!(kept["answer"].is_null(), !missing.is_null());
        assert_eq!(server.get(&format!("/case/1/{case}")).0, 200);
    }
}

#[test]
fn a_damaged_history_is_the_servers_trouble_and_what_can_be_done_is_said() {
    let dir = TempDir::new().unwrap();
    many::played(dir.path(), "some", 200);
    let file = dir.path().join("h");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[8192..].fill(0x5a);
    std::fs::write(&file, bytes).unwrap();
    let server = Serving::start(dir.path());
    let (status, said) = server.get("/report?runs=1");
    assert_eq!(status, 503, "{said}");
    assert!(said.contains("restore a copy"), "{said}");
    assert_is_translated(&data(&said));
}

#[test]
fn what_is_wrong_with_a_position_is_said() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let position = |told: Value| read(&server.post("/api/analysis", &told.to_string()));
    let game = "hitblow 3 10";
    for (told, why) in [
        (json!({ "problem": "hitblow 3" }), "expected hitblow P K"),
        (
            json!({ "problem": "hitblow 6 10" }),
            "expected a game of at most 50000 codes",
        ),
        (
            json!({ "problem": game, "rows": ["012"] }),
            "row \"012\": expected what was asked, a colon and the reply, such as \"012: …\"",
        ),
        (
            json!({ "problem": game, "rows": ["012:0,0", "x:0"] }),
            "row 2 (x: 0): expected a code of the game such as \"012\", found \"x\"",
        ),
        (
            json!({ "problem": game, "rows": ["012:0,4"] }),
            "row 1 (012: 0,4): expected hits and blows such as \"0 1\"",
        ),
        (
            json!({ "problem": game, "named": ["1"] }),
            "expected a code of the game",
        ),
        (
            json!({ "problem": game, "digits": "abc" }),
            "digits: expected 10 different characters",
        ),
        (
            json!({ "problem": game, "prior": "012" }),
            "prior, line 1: expected a code of the game and a weight",
        ),
        (
            json!({ "problem": game, "rows": vec!["012:0,0"; 201] }),
            "expected at most 200 rows, found 201",
        ),
    ] {
        let answer = position(told.clone());
        let said = answer["error"].as_str().unwrap_or_default();
        assert!(said.contains(why), "{told}: {said}");
        assert_is_translated(&answer);
    }
    // Requests with too much data, or with other data, are refused.
    let long = json!({ "problem": game, "prior": "#".repeat(2 << 20) });
    assert_eq!(server.post("/api/analysis", &long.to_string()).0, 413);
    assert!((400..500).contains(&server.post("/api/analysis", "[").0));
}

#[test]
fn a_game_is_played_by_the_judges_rules() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let spec = tester::problem::Spec::parse("hitblow 3 10").unwrap();
    let answer = spec
        .generate(tester::problem::rng::Seed(7))
        .unwrap()
        .answer()
        .unwrap();
    let game = |lines: &str| {
        let query = format!(
            "/api/game?problem=hitblow+3+10&seed=7&lines={}",
            lines.replace(' ', "+")
        );
        read(&server.get(&query))
    };
    let won = game(&format!("012;{answer}"));
    assert_eq!(
        (&won["done"], &won["score"]),
        (&Value::from(true), &Value::from(2))
    );
    assert_eq!(won["turns"][1]["reply"], "3 0");
    assert_eq!(game("012")["answer"], Value::Null);
    let refused = game("112");
    let why = refused["error"].as_str().unwrap();
    assert!(why.contains("appears twice"), "{why}");
    assert_is_translated(&refused);
}
