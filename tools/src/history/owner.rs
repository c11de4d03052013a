//! Whether the process that began a run still lives. A number alone does not tell: it is given away
//! again. With the time at which the process was started, and the boot that this time counts from, it
//! does.

use std::fs::read_to_string;

/// Names this process, for ever.
pub(super) fn this_process() -> String {
    let pid = std::process::id();
    let boot = boot();
    let started = started(pid).unwrap_or_default();
    format!("{boot} {pid} {started}")
}

/// Whether the process that was named so is running on this machine.
pub(super) fn lives(owner: &str) -> bool {
    let mut words = owner.split(' ');
    let (Some(boot_then), Some(pid), Some(then)) = (words.next(), words.next(), words.next())
    else {
        return false;
    };
    let now = pid.parse().ok().and_then(started);
    boot_then == boot() && now.is_some_and(|now| now == then)
}

fn boot() -> String {
    let id = read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    id.trim().to_owned()
}

/// When a process was started, in the kernel's count since boot; `None` if there is none, or if it has
/// ended and its parent has not taken notice.
fn started(pid: u32) -> Option<String> {
    let stat = read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in parentheses, may itself hold spaces and parentheses; the state follows, and 19 later this.
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let ended = matches!(fields.next(), Some("Z" | "X"));
    fields.nth(18).filter(|_| !ended).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_known_until_it_ends() {
        assert!(lives(&this_process()));
        assert!(!lives(""));
        let mut words: Vec<String> = this_process().split(' ').map(str::to_owned).collect();
        words[2] = "1".to_owned(); // the same number, started at another time
        assert!(!lives(&words.join(" ")));
    }
}
