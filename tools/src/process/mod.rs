//! One child process and everything that it starts: started, watched, ended, reaped. It knows no game.
//!
//! May import: nothing of this crate. Start reading at `child`; `tree` follows what the program
//! starts, [`sandbox`] and [`landlock`] limit what it may do.

mod bubblewrap;
mod child;
mod command;
pub mod fingerprint;
pub mod landlock;
mod mounts;
mod orphans;
pub mod os_text;
pub(crate) mod procfs;
pub mod sandbox;
mod spawn;
pub mod stage;
mod tree;

pub use child::{Contestant, Ending};
pub use command::{Command, LineError, StartError, shell_word};
pub use spawn::raise_descriptor_limit;
pub use tree::adopt_orphans;
pub(crate) use tree::clear_orphans;
