//! Links `tester` to a fixed address.
//!
//! It is started once for every case in your own loops. With SQLite in it, there are 3,900 addresses
//! that the loader would have to write at every start: 25 page faults of 116, and some 100 of the 1000 µs
//! that judging one case may cost. At a fixed address the linker writes them once. What is given up is
//! that the program itself lies at a random address; its libraries, stack and heap still do.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // With other C libraries the linker may be asked for a kind of program that excludes this.
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bin=tester=-no-pie");
    }
}
