//! How much the hosts of a run differ in speed, and which verdicts are doubtful because of that.
//!
//! A verdict is doubtful if another host of the same run might have given another verdict. One kind is a TLE on a slow
//! host that might be within the limit on the fastest. The other is an AC on a fast host that might exceed the limit on
//! the slowest. Only the calibrations are used: we assume that a program's time scales as the calibration does. This
//! is a good estimate only for programs that resemble the calibration's work.

use crate::case::CaseId;
use crate::judge::record::Verdict;
use crate::run::calibrate::NOISE;
use crate::run::provenance::Host;

/// How many doubtful cases are named.
const NAMED: usize = 8;

/// How long a case took, and where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    /// The case.
    pub id: CaseId,
    /// The number of the host.
    pub host: usize,
    /// What came of it.
    pub verdict: Verdict,
    /// The time that counts against the limit, in milliseconds.
    pub time_ms: f64,
}

/// The figures of one host.
#[derive(Clone, Debug, PartialEq)]
pub struct HostFigures {
    /// The host.
    pub host: Host,
    /// How many cases it has judged.
    pub cases: usize,
    /// How many of them are TLE.
    pub tle: usize,
}

/// Doubtful verdicts of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoubtfulVerdicts {
    /// How many there are.
    pub count: usize,
    /// The first of them.
    pub first: Vec<CaseId>,
}

/// What the hosts of a run have judged, gathered one case at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct HostComparison {
    /// The hosts, by their numbers.
    pub by_host: Vec<HostFigures>,
    /// TLE that might be within the limit on the fastest host.
    pub tle: DoubtfulVerdicts,
    /// AC that might not be within the limit on the slowest.
    pub ac: DoubtfulVerdicts,
    /// The fastest and the slowest.
    extremes: Option<(Host, Host)>,
}

impl HostComparison {
    /// A comparison without cases; `hosts` are by their numbers.
    pub(crate) fn new(hosts: Vec<Host>) -> Self {
        let by_speed = |a: &&Host, b: &&Host| a.calibration_ms.total_cmp(&b.calibration_ms);
        let fastest = hosts.iter().min_by(by_speed).cloned();
        let slowest = hosts.iter().max_by(by_speed).cloned();
        let none = |host| HostFigures {
            host,
            cases: 0,
            tle: 0,
        };
        Self {
            extremes: fastest.zip(slowest),
            by_host: hosts.into_iter().map(none).collect(),
            tle: DoubtfulVerdicts::default(),
            ac: DoubtfulVerdicts::default(),
        }
    }

    /// One more case, in ascending order.
    pub(crate) fn add(&mut self, timing: &Timing) {
        let Some(own) = self.by_host.get_mut(timing.host) else {
            return;
        };
        own.cases += 1;
        own.tle += usize::from(timing.verdict == Verdict::Tle);
        let Some((fastest, slowest)) = &self.extremes else {
            return;
        };
        // What it would take there, and whether that is within the limit there.
        let within = |other: &Host| {
            let ratio = other.calibration_ms / own.host.calibration_ms;
            timing.time_ms * ratio <= other.time_limit_us as f64 / 1e3
        };
        match timing.verdict {
            Verdict::Tle if own.host.is_slower_than(fastest) && within(fastest) => {
                self.tle.add(timing.id);
            }
            Verdict::Ac if slowest.is_slower_than(&own.host) && !within(slowest) => {
                self.ac.add(timing.id);
            }
            _ => {}
        }
    }

    /// How many times as long the work takes on this host as on the fastest.
    pub(crate) fn ratio(&self, host: &Host) -> f64 {
        let fastest = self.extremes.as_ref().map(|(fastest, _)| fastest);
        fastest.map_or(1.0, |fastest| host.calibration_ms / fastest.calibration_ms)
    }

    /// Whether some are slower than others, beyond what measurements differ by.
    pub(crate) fn differ(&self) -> bool {
        let extremes = self.extremes.as_ref();
        extremes.is_some_and(|(fastest, slowest)| slowest.is_slower_than(fastest))
    }
}

impl Host {
    /// Beyond what two measurements of one machine differ by.
    fn is_slower_than(&self, other: &Self) -> bool {
        self.calibration_ms > other.calibration_ms * NOISE
    }
}

impl DoubtfulVerdicts {
    fn add(&mut self, id: CaseId) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::provenance;

    fn host(name: &str, calibration_ms: f64, time_limit_ms: u64) -> Host {
        Host {
            time_limit_us: time_limit_ms * 1000,
            ..provenance::tests::host(name, calibration_ms)
        }
    }

    fn timing(id: u64, host: usize, verdict: Verdict, time_ms: f64) -> Timing {
        Timing {
            id: CaseId(id),
            host,
            verdict,
            time_ms,
        }
    }

    fn doubtful(hosts: &[Host], timings: &[Timing]) -> (Vec<u64>, Vec<u64>) {
        let mut all = HostComparison::new(hosts.to_vec());
        timings.iter().for_each(|timing| all.add(timing));
        let ids = |found: &DoubtfulVerdicts| found.first.iter().map(|id| id.0).collect();
        (ids(&all.tle), ids(&all.ac))
    }

    #[test]
    fn what_another_host_might_have_said_otherwise_is_doubtful() {
        let hosts = [host("fast", 10.0, 2000), host("slow", 15.0, 2000)];
        let all = [
            // 2001 ms where it is slow are 1334 where it is fast, and 3001 are 2001.
            timing(1, 1, Verdict::Tle, 2001.0),
            timing(2, 1, Verdict::Tle, 3001.0),
            timing(3, 0, Verdict::Tle, 2001.0),
            // 1300 ms where it is fast are 1950 where it is slow, and 1400 are 2100.
            timing(4, 0, Verdict::Ac, 1300.0),
            timing(5, 0, Verdict::Ac, 1400.0),
            timing(6, 1, Verdict::Ac, 1999.0),
            timing(7, 0, Verdict::Wa, 1999.0),
            timing(8, 7, Verdict::Tle, 2001.0), // an unknown host
        ];
        assert_eq!(doubtful(&hosts, &all), (vec![1], vec![5]));
    }

    #[test]
    fn nothing_is_doubtful_where_limits_are_scaled_or_hosts_alike() {
        // Each host gives as much time as it is slower.
        let scaled = [host("fast", 10.0, 2000), host("slow", 15.0, 3000)];
        let all = [
            timing(1, 1, Verdict::Tle, 3001.0),
            timing(2, 0, Verdict::Tle, 2001.0),
            timing(3, 0, Verdict::Ac, 1999.0),
            timing(4, 1, Verdict::Ac, 2999.0),
        ];
        assert_eq!(doubtful(&scaled, &all), (vec![], vec![]));
        let alike = [host("a", 10.0, 2000), host("b", 10.9, 2000)];
        let all = [
            timing(1, 1, Verdict::Tle, 2001.0),
            timing(2, 0, Verdict::Ac, 1999.0),
        ];
        assert_eq!(doubtful(&alike, &all), (vec![], vec![]));
        assert!(!HostComparison::new(alike.to_vec()).differ());
        assert_eq!(doubtful(&[], &all), (vec![], vec![]));
    }
}
