//! One child process and everything that it starts: started, watched, ended, reaped. It knows no game.
//!
//! May import: nothing of this crate. Start reading at `child`; `tree` follows what the program
//! starts, [`sandbox`] and [`landlock`] limit what it may do. What a program is before it is started, as files and words,
//! is in [`program`], which imports nothing of the other files.

mod bubblewrap;
mod call_filter;
mod cgroup;
mod child;
mod clear;
mod clone;
mod containment;
mod continued;
mod ending;
mod environment;
mod exec;
mod fifo;
mod heard;
mod kernel;
pub mod landlock;
pub mod machine;
mod meter;
mod meter_message;
mod mounts;
mod namespace;
mod nearness;
mod orphans;
pub(crate) mod procfs;
pub mod program;
mod program_pipes;
mod reap;
mod relay;
pub mod sandbox;
mod shell_line;
mod shm;
mod spawn;
pub mod stage;
mod start;
mod tree;
mod wait;

pub(crate) use child::Usage;
pub use child::{Confinement, Contestant};
pub use clear::{clear_orphans, kill_all_below};
pub use containment::Containment;
pub(crate) use continued::{Moment, was_continued_since};
pub use ending::Ending;
pub use exec::BlockedSignals;
pub use fifo::{FifoError, Fifos};
pub(crate) use heard::{Heard, Metered};
pub use meter::Meter;
#[cfg(test)]
pub(crate) use nearness::stay_on;
pub(crate) use program::shell_line;
pub use program::{
    Command, LineError, SourceRecipe, StartError, cargo_build, is_terminal_control, shell_word,
};
pub(crate) use program_pipes::ProgramPipe;
pub use relay::relay_command;
pub use shell_line::{LineEnd, is_ignored, run_line};
pub use spawn::raise_descriptor_limit;
pub use tree::adopt_orphans;
