//! A PID namespace that stays open from case to case, so that nothing of a contestant outlives its case.
//!
//! May import: `exec`, `clone`, `kernel`, `wait`. Start reading at `handle`, the judge's side; `keeper` is the first
//! process of the namespace, which starts contestants and reaps them; `setup` is what it does before the first one;
//! both sides talk through `shared`; `leftovers` is what a contestant can leave without a process.
//!
//! Why it holds: the keeper is the namespace's init. Every process of a contestant is below it, in whatever session.
//! When the contestant's first process has ended, the keeper sends `kill(-1, SIGKILL)`: the kernel walks over all
//! processes of the namespace while none can be added, and a process with SIGKILL pending cannot fork. The case is
//! over when the keeper has no child left. Should the keeper itself be killed, the kernel kills the namespace.
//!
//! Why it is fast: the keeper shares our memory and our descriptors, so that it is made without copying page tables,
//! and starts a contestant as [`spawn`](super::spawn) does. A case costs two wake-ups more, and no listing of `/proc`.

mod dumpable;
mod handle;
mod keeper;
mod leftovers;
mod setup;
mod shared;

pub(super) use dumpable::DUMPABLE;
pub(super) use handle::{Namespace, begin_to_close_all, close_all, prepare};
pub(super) use shared::{Wanted, limits_processes};
