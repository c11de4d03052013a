//! A server that ends with the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};

/// `lab serve`, running.
pub struct Serving {
    child: Child,
    /// `localhost:PORT`.
    pub host: String,
}

impl Serving {
    /// Over the history `dir/h`, on a port that is free.
    pub fn start(dir: &Path) -> Self {
        Self::start_with_files(dir, 1024)
    }

    /// The same; it may open at most `files` files and connections.
    pub fn start_with_files(dir: &Path, files: usize) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -n {files}; exec \"$@\""), "sh"])
            .arg(env!("CARGO_BIN_EXE_lab"))
            .args(["serve", "--port", "0", "--history", "h"])
            .current_dir(dir)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.as_mut().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let host = line
            .strip_prefix("http://")
            .and_then(|rest| rest.split_once('/'));
        let host = host.unwrap_or_else(|| panic!("{line:?}")).0.to_owned();
        Self { child, host }
    }

    /// Where a page of it is.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.host)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        let address = self.host.replace("localhost", "127.0.0.1");
        address.parse().unwrap()
    }

    /// Stops it, as Ctrl-Z does: until it ends it does nothing more.
    pub fn suspend(&self) {
        self.signal(Signal::STOP);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Status and body of what it answers.
    pub fn get(&self, path: &str) -> (u16, String) {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.host))
    }

    /// Status and body of what it answers to this JSON.
    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        let host = &self.host;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        self.talk(&head, body)
    }

    /// Status and body of what it answers to headers, each ended by a line break.
    pub fn ask(&self, head: &str) -> (u16, String) {
        self.talk(head, "")
    }

    /// The headers of what it answers, in lower case.
    pub fn headers(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n", self.host);
        let answer = self.answer(&request, "");
        answer.split_once("\r\n\r\n").unwrap().0.to_lowercase()
    }

    fn talk(&self, head: &str, body: &str) -> (u16, String) {
        let answer = self.answer(head, body);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn answer(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        // What is too long is refused before it is read to its end.
        let _ = write!(stream, "{head}Connection: close\r\n\r\n{body}");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// The most memory that it has had resident, in KiB.
    pub fn peak_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.unwrap().trim().strip_suffix(" kB").unwrap();
        peak.parse().unwrap()
    }

    /// Asks it to end, as Ctrl-C does, and waits; returns whether it ended well.
    pub fn interrupt(mut self) -> bool {
        self.signal(Signal::INT);
        self.child.wait().unwrap().success()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
