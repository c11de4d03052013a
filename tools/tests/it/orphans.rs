//! The processor time of processes that live for a moment and are nobody's children counts, however many there are.

use crate::common::{CASE, run_in, write_cases};
use crate::expected::compiled_text;

/// Fifty orphans, one after the other, which compute for 8 ms each. Then it knows the answer.
const SOURCE: &str = r#"use std::io::Read;

unsafe extern "C" {
    fn fork() -> i32;
    fn setsid() -> i32;
    fn clock() -> i64;
    fn wait(status: *mut i32) -> i32;
    fn _exit(status: i32) -> !;
}

fn main() {
    for _ in 0..50 {
        let (mut reader, writer) = std::io::pipe().unwrap();
        unsafe {
            if fork() == 0 {
                setsid();
                if fork() == 0 {
                    let begun = clock();
                    while clock() - begun < 8_000 {}
                }
                _exit(0);
            }
            wait(std::ptr::null_mut());
        }
        drop(writer);
        // Until it has ended.
        reader.read_to_end(&mut Vec::new()).unwrap();
    }
    println!("8 2 5");
}
"#;

#[test]
fn orphans_that_live_for_a_moment_are_charged() {
    let dir = tempfile::tempdir().unwrap();
    compiled_text(dir.path(), "orphans", SOURCE);
    write_cases(dir.path(), [CASE]);
    for options in [&[][..], &["--no-containment"]] {
        let args = [
            &["batch", "--json", "--time-limit", "60"],
            options,
            &["--", "./orphans"],
        ]
        .concat();
        let shown = run_in(dir.path(), &args, "");
        let record: serde_json::Value = serde_json::from_str(shown.stdout.trim()).unwrap();
        assert_eq!(record["verdict"], "AC", "{shown:?}");
        let cpu_ms = record["cpu_ms"].as_f64().unwrap();
        assert!(cpu_ms >= 400.0, "{options:?}: {shown:?}");
        // With a limit, it is time that decides.
        let tight = [&["--time-limit", "0.2"], options, &["./orphans"]].concat();
        let shown = run_in(dir.path(), &tight, CASE);
        assert!(shown.stderr.contains("TLE: turn 1: "), "{shown:?}");
    }
}
