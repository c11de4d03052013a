//! Combines shards: checks that all of them belong to one run, and reports what is wrong if they do not.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::io::BufRead;

use super::coverage::Coverage;
use super::line::End;
use super::manifest::{Header, Manifest};
use super::read::{Event, ReadError, Reader};
use crate::case::CaseId;
use crate::judge::record::JudgedCase;
use crate::process::Command;
use crate::process::program::fingerprint::fingerprint;
use crate::run::provenance::Host;

/// How many problems are reported.
const TOLD: usize = 20;

/// Where the records of a merge go. A merge has no other effect.
pub trait RecordSink {
    /// Why it cannot.
    type Error;

    /// The run is known; this comes before its first record.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn begin(&mut self, about: &Manifest) -> Result<(), Self::Error>;

    /// Keeps a record that was judged by the host of this number, or returns the one of that case that is kept already.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn keep(&mut self, host: usize, judged: &JudgedCase)
    -> Result<Option<JudgedCase>, Self::Error>;
}

/// Why shards are not one run. The caller must store none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError {
    problems: Vec<String>,
    more: usize,
    hints: BTreeSet<String>,
}

impl MergeError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let hints: Vec<&str> = self.hints.iter().map(String::as_str).collect();
        (!hints.is_empty()).then(|| hints.join("; "))
    }
}

impl std::error::Error for MergeError {}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to merge; nothing was written:")?;
        for problem in &self.problems {
            write!(f, "\n- {problem}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

/// Shards that are being put together.
///
/// Memory: a few words for each shard, and the gaps in the numbers of one shard's cases; records are handed on.
pub struct Merge {
    /// The program that it should be of, and the SHA-256 of what is in it.
    program: Option<(Command, String)>,
    run: Option<Known>,
    cover: Coverage,
    hosts: Vec<Measured>,
    sandboxes: BTreeSet<String>,
    kept: usize,
    open: Option<Open>,
    problems: Vec<String>,
    more: usize,
    hints: BTreeSet<String>,
    notes: Vec<String>,
}

/// The run, as the first shard says it.
struct Known {
    about: Manifest,
    key: String,
    name: String,
}

/// A host, and how fast it was found to be at each of its shards.
struct Measured {
    host: Host,
    found: Vec<(f64, u64)>,
}

/// The shard that is being read.
struct Open {
    header: Header,
    host: usize,
    /// Whether it is of another run, so that its records are passed over.
    other: bool,
    /// How many of its cases were there already.
    again: usize,
}

/// What came together.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The run.
    pub about: Manifest,
    /// Its hosts, by the numbers that their records were kept with; the calibration is the median of their shards'.
    pub hosts: Vec<Host>,
    /// Their sandboxes.
    pub sandbox: Option<String>,
    /// When the first shard was begun, in milliseconds since 1970, by its host's clock.
    pub begun_ms: i64,
    /// For how long any shard was being judged, in milliseconds, by their hosts' clocks.
    pub took_ms: i64,
    /// How many cases were kept.
    pub kept: usize,
    /// What is missing, in words; nothing if the run is whole.
    pub missing: Option<String>,
    /// How many cases were judged without a gap, from the first case on.
    pub prefix: usize,
    /// Notes for the user.
    pub notes: Vec<String>,
}

impl Merge {
    /// No shard yet; all must be of this program with these arguments, if one is given.
    ///
    /// Cost: reads the program.
    pub fn new(program: Option<&Command>) -> Self {
        Self {
            program: program.map(|program| (program.clone(), fingerprint(program))),
            run: None,
            cover: Coverage::default(),
            hosts: Vec::new(),
            sandboxes: BTreeSet::new(),
            kept: 0,
            open: None,
            problems: Vec::new(),
            more: 0,
            hints: BTreeSet::new(),
            notes: Vec::new(),
        }
    }

    /// Reads the shards of one source, which messages call `name`. Problems are reported at the end.
    ///
    /// Cost: 3 µs a record, and what `keeper` takes.
    ///
    /// # Errors
    /// If `keeper` fails.
    pub fn read<K: RecordSink>(
        &mut self,
        name: &str,
        source: impl BufRead,
        keeper: &mut K,
    ) -> Result<(), K::Error> {
        let mut reader = Reader::new(source, name);
        loop {
            match reader.next_event() {
                Ok(Some(Event::Begin(header))) => self.begin(*header, name, keeper)?,
                Ok(Some(Event::Record(judged))) => self.record(&judged, name, keeper)?,
                Ok(Some(Event::End(end))) => self.end(&end, name),
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.open = None;
                    self.cannot_be_read(&error);
                    return Ok(());
                }
            }
        }
    }

    /// A source that could not even be opened.
    pub fn cannot_be_read(&mut self, error: &ReadError) {
        self.hints.extend(error.hint());
        self.problem(crate::util::quote::causes(error));
    }

    fn begin<K: RecordSink>(
        &mut self,
        header: Header,
        name: &str,
        keeper: &mut K,
    ) -> Result<(), K::Error> {
        let other = match &self.run {
            None => {
                self.check_program(&header.about, name);
                keeper.begin(&header.about)?;
                self.run = Some(Known {
                    key: header.about.key(),
                    about: header.about.clone(),
                    name: name.to_owned(),
                });
                false
            }
            Some(known) if known.key == header.about.key() => false,
            Some(known) => {
                let differences = known.about.differences(&header.about).join("; ");
                let (first, part) = (&known.name, header.part);
                let problem = format!(
                    "shard {part} in {name} is of another run than what is in {first}: {differences}"
                );
                self.problem(problem);
                true
            }
        };
        let host = self.host_number(&header.host);
        self.open = Some(Open {
            header,
            host,
            other,
            again: 0,
        });
        Ok(())
    }

    fn check_program(&mut self, about: &Manifest, name: &str) {
        let Some((program, expected)) = &self.program else {
            return;
        };
        let found = about.command();
        let problem = if expected != about.fingerprint() {
            let found = about.fingerprint();
            format!("expected {program}, SHA-256 {expected}, found SHA-256 {found} in {name}")
        } else if program.args != found.args {
            format!("expected the arguments of {program}, found those of {found} in {name}")
        } else {
            return;
        };
        self.problem(problem);
    }

    fn host_number(&mut self, host: &Host) -> usize {
        let same = |known: &Measured| {
            (&known.host.name, &known.host.machine, known.host.cpus)
                == (&host.name, &host.machine, host.cpus)
        };
        self.hosts.iter().position(same).unwrap_or_else(|| {
            self.hosts.push(Measured {
                host: host.clone(),
                found: Vec::new(),
            });
            self.hosts.len() - 1
        })
    }

    fn record<K: RecordSink>(
        &mut self,
        judged: &JudgedCase,
        name: &str,
        keeper: &mut K,
    ) -> Result<(), K::Error> {
        let Some(open) = self.open.as_mut().filter(|open| !open.other) else {
            return Ok(());
        };
        match keeper.keep(open.host, judged)? {
            None => self.kept += 1,
            Some(known) => {
                open.again += 1;
                if outcome(&known) != outcome(judged) {
                    let (part, id) = (open.header.part, judged.case.id);
                    let problem = format!(
                        "case {id} was judged twice and disagrees: {} before, {} in {name} (shard {part})",
                        told(&known),
                        told(judged)
                    );
                    self.problem(problem);
                }
            }
        }
        Ok(())
    }

    fn end(&mut self, end: &End, name: &str) {
        let Some(open) = self.open.take().filter(|open| !open.other) else {
            return;
        };
        let Header {
            part,
            about,
            host,
            begun_ms,
        } = open.header;
        if open.again > 0 {
            let (again, judged) = (open.again, end.judged);
            self.notes.push(format!(
                "shard {part} in {name}: {again} of its {judged} cases were there already; counted once"
            ));
        }
        let found = &mut self.hosts[open.host].found;
        found.push((host.calibration_ms, host.time_limit_us));
        self.sandboxes.extend(about.spec.sandbox.clone());
        self.cover.add(part, &about, begun_ms, end);
    }

    /// Ends the merge after the last source. Missing cases are an error unless `partial` is set.
    ///
    /// # Errors
    /// If the shards are not one run.
    pub fn finish(mut self, partial: bool) -> Result<Merged, MergeError> {
        if self.run.is_none() {
            self.problem("expected shards, found none that could be read".to_owned());
        }
        let about = self.run.as_ref().map(|run| &run.about);
        let gaps = about.map_or(Vec::new(), |about| self.cover.gaps(about.planned()));
        let missing = about.and_then(|about| self.cover.missing(about, &gaps));
        if let (Some(missing), false) = (&missing, partial) {
            let hint = "--partial keeps what is there as an unfinished run";
            self.hints.insert(hint.to_owned());
            self.problem(missing.clone());
        }
        let Some(run) = self.run.filter(|_| self.problems.is_empty()) else {
            return Err(MergeError {
                problems: self.problems,
                more: self.more,
                hints: self.hints,
            });
        };
        let sandboxes: Vec<String> = self.sandboxes.into_iter().collect();
        let hosts = self.hosts.into_iter().map(Measured::median);
        Ok(Merged {
            hosts: hosts.collect(),
            sandbox: (!sandboxes.is_empty()).then(|| sandboxes.join(", ")),
            begun_ms: self.cover.begun_ms(),
            took_ms: self.cover.took_ms(),
            kept: self.kept,
            missing,
            prefix: gaps.first().map_or(run.about.planned(), |gap| gap.start),
            notes: self.notes,
            about: run.about,
        })
    }

    fn problem(&mut self, problem: String) {
        match self.problems.len() {
            TOLD.. => self.more += 1,
            _ => self.problems.push(problem),
        }
    }
}

/// What two records of a case must agree on: all but times, memory, and what depends on them.
fn outcome(judged: &JudgedCase) -> impl PartialEq {
    let record = &judged.record;
    (judged.case, record.verdict, record.score, record.turns)
}

fn told(judged: &JudgedCase) -> String {
    let (digest, turns) = (judged.case.digest.0, judged.record.turns);
    let headline = judged.record.headline();
    format!("{headline} ({turns} turns, content {digest:016x})")
}

impl Measured {
    /// The host as it was at that of its shards which stands in the middle, by its calibration.
    fn median(mut self) -> Host {
        self.found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let middle = self.found.get(self.found.len() / 2);
        let (calibration_ms, time_limit_us) = middle.map_or(
            (self.host.calibration_ms, self.host.time_limit_us),
            |&found| found,
        );
        Host {
            calibration_ms,
            time_limit_us,
            ..self.host
        }
    }
}

/// Records in memory, in ascending order: for a look at shards that keeps nothing.
#[derive(Debug, Default)]
pub struct InMemory(pub BTreeMap<CaseId, (usize, JudgedCase)>);

impl RecordSink for InMemory {
    type Error = Infallible;

    fn begin(&mut self, _: &Manifest) -> Result<(), Infallible> {
        Ok(())
    }

    fn keep(&mut self, host: usize, judged: &JudgedCase) -> Result<Option<JudgedCase>, Infallible> {
        let mut known = None;
        self.0
            .entry(judged.case.id)
            .and_modify(|(_, record)| known = Some(record.clone()))
            .or_insert_with(|| (host, judged.clone()));
        Ok(known)
    }
}
