//! The kernel's release.

use rustix::system::uname;

/// The release, such as `6.1.0-18-amd64`.
pub(super) fn release() -> String {
    uname().release().to_string_lossy().into_owned()
}

/// Whether the kernel is of this version or a later one.
pub(super) fn is_at_least(major: u32, minor: u32) -> bool {
    let system = uname();
    let release = system.release().to_str().unwrap_or_default();
    has_reached(release, (major, minor))
}

fn has_reached(release: &str, version: (u32, u32)) -> bool {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    let mut number = || numbers.next()?.parse::<u32>().ok();
    (number(), number()) >= (Some(version.0), Some(version.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_compared_by_their_numbers() {
        for (release, later) in [
            ("6.14.0-27-generic", true),
            ("6.14", true),
            ("6.14-rc1", true),
            ("6.18.5", true),
            ("10.0.1", true),
            ("6.13.12", false),
            ("6.2.0-1-amd64", false),
            ("5.19.0", false),
            ("unknown", false),
        ] {
            assert_eq!(has_reached(release, (6, 14)), later, "{release}");
        }
    }
}
