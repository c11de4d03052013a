//! The best guesses, as far as a search remembers them.

use super::bounds::{ANY, Cap};
use super::candidates::best_candidate;
use super::cells::{Few, Many};
use super::memo::Known;
use super::space::Id;
use super::state::Search;

impl Search<'_> {
    /// A guess that is remembered as the best, or else one that usually is good. `all` are all codes.
    pub(super) fn best_so_far(&self, set: &[Id], all: &[Id]) -> Id {
        if let Some(guess) = self.remembered(set, ANY) {
            return guess;
        }
        let first = self.first.lock().expect("no thread panics in here");
        if let Some(guess) = first.filter(|_| set.len() == all.len()) {
            return guess;
        }
        drop(first);
        let form = self.form(set);
        let guesses = self.guesses(&form);
        let node = self.node(&form, &guesses, ANY);
        let guess = match self.fits_into_words(set) {
            true => node.usually_best(&Few::new(&node)),
            false => node.usually_best(&Many::new(&node)),
        };
        form.named_back(self.space, guess)
    }

    /// A guess with which a set costs least within the cap, as far as it is remembered.
    pub(super) fn remembered(&self, set: &[Id], cap: Cap) -> Option<Id> {
        match set.len() {
            0 => return None,
            1 | 2 => return Some(set[0]),
            _ => {}
        }
        if self.may_be_split(set.len()) {
            match best_candidate(self.space, set) {
                (0, guess) => return Some(guess),
                (1, guess) if cap >= 3 => return Some(guess),
                _ => {}
            }
        }
        let form = self.form(set);
        [ANY, cap].into_iter().find_map(|cap_then| {
            match self.memo.get(form.hash, &form.set, cap_then)? {
                Known::Exact(cost, guess) if cost.worst <= cap => {
                    Some(form.named_back(self.space, guess))
                }
                _ => None,
            }
        })
    }
}
