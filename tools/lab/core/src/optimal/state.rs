//! What a search knows, and the set at which it is.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::bound_progress::BoundProgress;
use super::bounds::{Bounds, Cap};
use super::guesses::{Guesses, Lists};
use super::in_flight::InFlight;
use super::memo::{Memo, Want};
use super::options::{Options, Without};
use super::space::{Id, Space};
use super::symmetry::{Form, Names};
use super::words;

/// Sets with more candidates are shared between threads.
pub(super) const SHARED: usize = 100;

/// The search was stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A search, with everything that it has found out.
pub(super) struct Search<'a> {
    pub(super) space: &'a Space,
    pub(super) want: Want,
    pub(super) bounds: Bounds,
    pub(super) memo: Memo,
    pub(super) in_flight: InFlight,
    pub(super) lists: Lists,
    /// By number of candidates: what they usually cost, to try good guesses first.
    pub(super) usual: Vec<f32>,
    pub(super) nodes: AtomicU64,
    pub(super) threads: usize,
    /// A narrow search tries only this many guesses of each set: what it finds is a strategy, and proves nothing.
    pub(super) width: Option<usize>,
    pub(super) without: Without,
    /// The best first guess so far.
    pub(super) first: Mutex<Option<Id>>,
    pub(super) stop: &'a AtomicBool,
}

/// A set whose guesses are tried.
pub(super) struct Node<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) set: &'a [Id],
    pub(super) names: &'a Names,
    pub(super) guesses: &'a Guesses,
    pub(super) cap: Cap,
    pub(super) progress: Option<&'a BoundProgress<'a>>,
}

impl Node<'_> {
    /// Whether several threads try the guesses of this set.
    pub(super) fn is_shared(&self) -> bool {
        self.search.threads > 1 && self.set.len() > SHARED
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(
        space: &'a Space,
        want: Want,
        options: &Options<'_>,
        stop: &'a AtomicBool,
    ) -> Self {
        // An answer gives about as much information as one of this many equally likely answers.
        let told = (space.answers() as f32 * 0.42).max(1.5).ln();
        let usual = |count: usize| match count {
            0 => 0.0,
            _ => count as f32 * (1.0 + (count as f32).ln() / told),
        };
        Self {
            space,
            want,
            bounds: Bounds::new(space.len(), space.win()),
            in_flight: InFlight::new(options.threads),
            memo: Memo::new(),
            lists: Lists::new(!options.without.classes),
            usual: (0..=space.len()).map(usual).collect(),
            nodes: AtomicU64::new(0),
            threads: options.threads,
            width: None,
            without: options.without,
            first: Mutex::new(None),
            stop,
        }
    }

    /// How many sets are remembered.
    pub(super) fn sets(&self) -> usize {
        self.memo.len()
    }

    /// For how many sets guesses were tried.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn may_be_split(&self, count: usize) -> bool {
        count <= self.space.answers() + 8
    }

    /// The set in names of its own.
    pub(super) fn form(&self, set: &[Id]) -> Form {
        let names = Names::new(self.space, set);
        match self.without.names {
            true => names.keep(set),
            false => names.apply(self.space, set),
        }
    }

    /// The guesses that are worth trying on a set.
    pub(super) fn guesses(&self, form: &Form) -> Arc<Guesses> {
        self.lists.of(self.space, &form.set, &form.names)
    }

    /// A set with its [guesses](Search::guesses).
    pub(super) fn node<'b>(&'b self, form: &'b Form, guesses: &'b Guesses, cap: Cap) -> Node<'b> {
        Node {
            search: self,
            set: &form.set,
            names: &form.names,
            guesses,
            cap,
            progress: None,
        }
    }

    pub(super) fn fits_into_words(&self, set: &[Id]) -> bool {
        set.len() <= words::MOST && !self.without.words
    }
}
