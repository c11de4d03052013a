//! Whether the process that began a run still lives.

use crate::process::procfs::ProcessId;

/// A unique name of this process: the boot of the machine, and the process since that boot.
pub(super) fn this_process() -> String {
    format!("{} {}", boot(), ProcessId::this())
}

/// Whether the process that was named so is running on this machine.
pub(super) fn lives(owner: &str) -> bool {
    let named = owner.split_once(' ').filter(|(then, _)| *then == boot());
    let process = named.and_then(|(_, process)| process.parse::<ProcessId>().ok());
    process.is_some_and(ProcessId::lives)
}

fn boot() -> String {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_lives_while_its_process_does() {
        let this = this_process();
        assert!(lives(&this));
        let other_boot = this.replacen(&boot(), "another", 1);
        assert!(!lives(&other_boot) && !lives("") && !lives("x y"));
    }
}
