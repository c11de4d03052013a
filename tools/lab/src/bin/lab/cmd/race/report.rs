//! All that `lab race` has found out.

use serde::Serialize;

use super::answers::Balance;
use super::contest::Contest;

/// What `--json` prints.
#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) contest: Contest,
    pub(super) equilibria: Vec<Balance>,
}

/// More standard errors than this are no chance.
pub(super) const MOST_ERRORS: f64 = 4.0;
