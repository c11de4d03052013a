//! One child process and everything that it starts: started, watched, ended, reaped. It knows no game.
//!
//! May import: nothing of this crate. Start reading at [`child`]; [`tree`] follows what the program
//! starts, [`sandbox`] and [`landlock`] keep it from what is not its own.

mod child;
mod command;
pub mod fingerprint;
pub mod landlock;
mod orphans;
pub mod os_text;
pub mod procfs;
pub mod sandbox;
mod spawn;
mod tree;

pub use child::{Contestant, Ending, Usage};
pub use command::{Command, LineError, StartError, shell_word};
pub use spawn::raise_descriptor_limit;
pub(crate) use tree::clear_orphans;
pub use tree::{TreeUsage, adopt_orphans};
