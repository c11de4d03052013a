//! Whether an unfinished run can go on: with the program and the cases with which it began.

use std::collections::BTreeMap;

use anyhow::{Result, bail};

use crate::case::{CaseId, Digest};
use crate::process::fingerprint::fingerprint;
use crate::stats::paired::CaseScore;
use crate::store::Run;

/// Checks that program and cases are those with which the run began.
pub(super) fn same_program_and_cases(run: &Run, planned: usize, done: &[CaseScore]) -> Result<()> {
    let (about, spec, source) = (&run.about, &run.about.spec, &run.about.spec.source);
    if fingerprint(&spec.command) != about.provenance.fingerprint {
        bail!("{} has changed since the run began", spec.command);
    }
    if let Some(external) = spec.external.as_ref().filter(|e| !e.is_unchanged()) {
        bail!(
            "a file in {:?} has changed since the run began",
            external.line
        );
    }
    if planned != about.planned {
        bail!(
            "expected {} cases in {source}, found {planned}",
            about.planned
        );
    }
    if !source.is_files() {
        return Ok(()); // a seed's case never changes
    }
    let mut missing: BTreeMap<CaseId, Digest> = done.iter().map(|s| (s.id, s.digest)).collect();
    for case in source.tickets()? {
        if let Some(known) = missing.remove(&case.id)
            && case.open()?.key.digest != known
        {
            bail!("case {} has changed since it was judged", case.id);
        }
    }
    match missing.keys().next() {
        None => Ok(()),
        Some(id) => bail!("case {id} was judged, but is no longer in {source}"),
    }
}
