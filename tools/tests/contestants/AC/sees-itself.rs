//! Its number, its threads, its children and its end are in `/proc` as everywhere, as tools such as AddressSanitizer
//! expect.
use std::fs::{read_dir, read_link, read_to_string};
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

fn main() {
    let own = std::process::id();
    std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(60)));
    let threads = read_dir(format!("/proc/{own}/task")).unwrap().count();
    assert_eq!(threads, 2);
    assert_eq!(
        read_link("/proc/self").unwrap(),
        std::path::PathBuf::from(own.to_string())
    );
    assert!(
        read_to_string(format!("/proc/{own}/maps"))
            .unwrap()
            .contains("[stack]")
    );
    let status = read_to_string("/proc/self/status").unwrap();
    let parent = std::os::unix::process::parent_id();
    assert!(status.contains(&format!("\nPPid:\t{parent}\n")), "{status}");
    let end = |line: &str| Command::new("sh").args(["-c", line]).status().unwrap();
    for signal in [3, 6, 9, 11, 15] {
        let line = format!("ulimit -c 0; kill -{signal} $$");
        assert_eq!(end(&line).signal(), Some(signal));
    }
    assert_eq!(end("exit 7").code(), Some(7));
    println!("8 2 5");
}
