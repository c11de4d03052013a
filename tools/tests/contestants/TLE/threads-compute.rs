// args: --time-limit 0.5
// says: the program was still computing its next line
//! Four threads compute; the first one only waits for them.
fn main() {
    let spin = || loop {
        std::hint::spin_loop();
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(spin)).collect();
    for thread in threads {
        let _: Result<(), _> = thread.join();
    }
}
