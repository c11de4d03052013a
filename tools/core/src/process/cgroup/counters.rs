//! What the kernel counts for a cgroup, read from files that stay open: a microsecond or two each.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::Duration;

/// The open files of a cgroup.
pub(super) struct Counters {
    current: File,
    stat: File,
    memory_events: File,
    cpu: File,
    tasks: File,
    pub(super) events: File,
}

impl Counters {
    pub(super) fn open(dir: &Path) -> io::Result<Self> {
        let open = |name: &str| File::open(dir.join(name));
        Ok(Self {
            current: open("memory.current")?,
            stat: open("memory.stat")?,
            memory_events: open("memory.events")?,
            cpu: open("cpu.stat")?,
            tasks: open("pids.current")?,
            events: open("cgroup.events")?,
        })
    }

    /// Processor time of all that was ever in it.
    pub(super) fn cpu(&self) -> io::Result<Duration> {
        let text = Text::read(&self.cpu)?;
        Ok(Duration::from_micros(text.value("usage_usec").unwrap_or(0)))
    }

    /// How often the kernel killed something because the cgroup itself had no memory left. A kill because the machine
    /// had none is not among them.
    pub(super) fn memory_kills(&self) -> io::Result<u64> {
        let text = Text::read(&self.memory_events)?;
        let count = |name| text.value(name).unwrap_or(0);
        Ok(count("oom").min(count("oom_kill")))
    }

    /// All memory that is charged to it, with files that the kernel can drop.
    pub(super) fn charged_kib(&self) -> io::Result<u64> {
        let text = Text::read(&self.current)?;
        Ok(text.number() / 1024)
    }

    /// Memory that the kernel cannot drop: the programs' own, files in memory, buffers of sockets.
    ///
    /// The peak that the kernel keeps (`memory.peak`) is not used: it counts every file that is read or written.
    pub(super) fn used_kib(&self) -> io::Result<u64> {
        let text = Text::read(&self.stat)?;
        let names = ["anon", "shmem", "sock"];
        let bytes = names
            .iter()
            .filter_map(|name| text.value(name))
            .sum::<u64>();
        Ok(bytes / 1024)
    }

    /// How many processes and threads are in it, those not counted that were waited for.
    pub(super) fn tasks(&self) -> io::Result<u64> {
        Ok(Text::read(&self.tasks)?.number())
    }

    /// Whether a process is in it or below.
    pub(super) fn is_populated(&self) -> io::Result<bool> {
        let text = Text::read(&self.events)?;
        Ok(text.value("populated") != Some(0))
    }
}

/// A short file: `memory.stat`, the longest, has 60 lines of at most 40 bytes.
struct Text {
    bytes: [u8; 4096],
    len: usize,
}

impl Text {
    fn read(file: &File) -> io::Result<Self> {
        let mut bytes = [0; 4096];
        let len = file.read_at(&mut bytes, 0)?;
        Ok(Self { bytes, len })
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes[..self.len].split(|byte| *byte == b'\n')
    }

    /// The number behind a name.
    fn value(&self, name: &str) -> Option<u64> {
        let mut lines = self.lines();
        let number = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b" "));
        str::from_utf8(number?).ok()?.parse().ok()
    }

    /// The number that is the whole text.
    fn number(&self) -> u64 {
        let line = self.lines().next().unwrap_or_default();
        let line = str::from_utf8(line).unwrap_or_default();
        line.parse().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of a cgroup as Linux 6.12 writes them.
    fn folder() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("memory.current", "73400320\n");
        write("pids.current", "12\n");
        write(
            "memory.stat",
            "anon 1048576\nfile 20971520\nkernel 557056\nkernel_stack 16384\nsock 2097152\nvmalloc 0\nshmem 4194304\n\
             file_mapped 8192\nanon_thp 0\nshmem_thp 2097152\n",
        );
        write(
            "memory.events",
            "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n",
        );
        write(
            "cpu.stat",
            "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n",
        );
        write("cgroup.events", "populated 1\nfrozen 0\n");
        dir
    }

    #[test]
    fn counters_are_those_of_the_files() {
        let dir = folder();
        let counters = Counters::open(dir.path()).unwrap();
        assert_eq!(counters.cpu().unwrap(), Duration::from_micros(1_234_567));
        assert_eq!(counters.charged_kib().unwrap(), 70 << 10);
        assert_eq!(counters.used_kib().unwrap(), (1 + 2 + 4) << 10);
        assert_eq!(counters.memory_kills().unwrap(), 2);
        assert_eq!(counters.tasks().unwrap(), 12);
        assert!(counters.is_populated().unwrap());
    }

    #[test]
    fn a_kill_by_the_machine_and_an_empty_cgroup_are_told_apart() {
        let dir = folder();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("memory.events", "max 0\noom 0\noom_kill 2\n");
        write("cgroup.events", "populated 0\nfrozen 0\n");
        let counters = Counters::open(dir.path()).unwrap();
        assert_eq!(counters.memory_kills().unwrap(), 0);
        assert!(!counters.is_populated().unwrap());
    }
}
