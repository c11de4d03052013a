//! `lab serve` under clients that open connections and say nothing, or ask for what is large.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit, setrlimit};
use tempfile::TempDir;

use crate::serving::Serving;

/// `count` connections with the beginning of a request.
fn half_open(server: &Serving, count: usize, beginning: &str) -> Vec<TcpStream> {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).unwrap();
    let address = server.address();
    let open = || {
        let mut stream = TcpStream::connect(address).unwrap();
        // The server may have dropped it already, for a later one.
        let _ = stream.write_all(beginning.as_bytes());
        stream
    };
    std::iter::repeat_with(open).take(count).collect()
}

fn page_comes_within_a_second(server: &Serving) {
    let begun = Instant::now();
    let (status, _) = server.get("/articles");
    let took = begun.elapsed();
    assert_eq!(status, 200);
    assert!(took < Duration::from_secs(1), "{took:?}");
}

#[test]
fn half_requests_do_not_stop_other_requests() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start_with_files(dir.path(), 256);
    let host = &server.host;
    let head = format!("GET /articles HTTP/1.1\r\nHost: {host}\r\nX-Long: ");
    let body = format!(
        "POST /api/analysis HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    for beginning in ["", "G", &head, &body] {
        let held = half_open(&server, 1000, beginning);
        page_comes_within_a_second(&server);
        drop(held);
        page_comes_within_a_second(&server);
    }
}

#[test]
fn connections_queue_while_the_server_is_busy() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let allowed = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap();
    let count = allowed.trim().parse::<usize>().unwrap().min(500);
    server.suspend();
    // Where the queue is full, a connection is not made before the server goes on.
    let address = server.address();
    let open = || TcpStream::connect_timeout(&address, Duration::from_secs(5)).map(drop);
    let opened = std::iter::repeat_with(open).take(count);
    assert!(opened.into_iter().all(|it| it.is_ok()));
}

#[test]
fn half_requests_are_closed_after_some_seconds() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let host = &server.host;
    let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Long: ");
    let body = format!(
        "POST /api/analysis HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{"
    );
    let idle = format!("GET /api/runs HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let begun = Instant::now();
    let held = ["", &head, &body, &idle].map(|text| half_open(&server, 1, text).remove(0));
    for mut stream in held {
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        let ended = stream.read_to_end(&mut Vec::new());
        assert!(ended.is_ok(), "still open: {ended:?}");
    }
    assert!(begun.elapsed() >= Duration::from_secs(2), "too soon");
}

#[test]
fn games_that_are_too_large_cost_no_memory() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let (status, _) = server.get("/board?problem=hitblow+4+10");
    assert_eq!(status, 200);
    let before = server.peak_kib();
    let question = r#"{"problem":"hitblow 8 10"}"#;
    let (status, answer) = server.post("/api/analysis", question);
    assert_eq!(status, 400);
    assert!(answer.contains("found 1814400 in hitblow 8 10"), "{answer}");
    let (status, _) = server.get("/board?problem=hitblow+8+10");
    assert_eq!(status, 200);
    let grown = server.peak_kib() - before;
    assert!(grown < 8 << 10, "{grown} KiB for games that are refused");
}

#[test]
fn error_repeats_little_of_what_was_sent() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let prior = "x ".repeat(400_000);
    let question = format!(r#"{{"problem":"hitblow 3 10","prior":"{prior}"}}"#);
    let (status, answer) = server.post("/api/analysis", &question);
    assert_eq!(status, 400);
    assert!(answer.len() < 2000, "{} bytes", answer.len());
}
