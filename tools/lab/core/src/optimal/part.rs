//! A part of a search, so that several machines can share it: each solves some of the sets that first guesses leave.
//!
//! All machines put the same sets into the same order, so they need not talk to each other. What they found is put
//! together by a last search, which knows it all and finds what is still missing.

use std::sync::atomic::Ordering;

use super::bounds::{ANY, IMPOSSIBLE};
use super::cells::{Cells, Count as _, Many};
use super::options::Part;
use super::plan::Plan;
use super::space::Id;
use super::state::{Node, Stopped};

impl Plan<'_> {
    /// Solves the part's sets after the first guess that usually is best, and bounds those after others.
    pub(super) fn solve_part(&self, part: Part) -> Result<(), Stopped> {
        let upper = self.so_far().total as u32;
        let mut least = upper;
        for (rank, guess) in self.first_guesses().into_iter().enumerate() {
            let cells = Cells::new(self.space, &self.all, guess);
            let mut cells: Vec<&[Id]> = cells.by_size().collect();
            if cells.len() == 1 && cells[0].len() == self.all.len() {
                continue;
            }
            cells.reverse();
            let bounds = cells.iter().map(|cell| self.least.known_bound(cell));
            let mut total = self.all.len() as u32 + bounds.sum::<u32>();
            let own = cells.iter().enumerate().skip(part.number - 1);
            // The smallest first, as the whole search has it.
            let own: Vec<_> = own.step_by(part.of).collect();
            for (number, cell) in own.into_iter().rev() {
                if rank > 0 && total > upper {
                    break; // Another first guess costs less.
                }
                let bound = self.least.known_bound(cell);
                let budget = match rank {
                    0 => IMPOSSIBLE,
                    // If each set that is left costs its share more, the guess costs too much.
                    _ => bound + (upper - total) / (number as u32 + 1) + 1,
                };
                let cost = self.least.least(cell, ANY, budget)?;
                total += cost.total - bound;
            }
            least = least.min(total);
        }
        self.lower.fetch_max(least, Ordering::Relaxed);
        Ok(())
    }

    /// First guesses that differ not only in names, those first that usually cost least.
    fn first_guesses(&self) -> Vec<Id> {
        let form = self.least.form(&self.all);
        let guesses = (self.least.lists).of(self.space, &form.set, &form.names);
        let node = Node {
            search: &self.least,
            set: &form.set,
            names: &form.names,
            guesses: &guesses,
            cap: ANY,
            progress: None,
        };
        let count = Many::new(&node);
        let ids = guesses.bags.iter().flat_map(|bag| guesses.of(bag));
        let mut ranked: Vec<(f32, Id)> = ids.map(|&id| (count.usual(id), id)).collect();
        ranked.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let named = ranked.into_iter();
        named
            .map(|(_, id)| form.named_back(self.space, id))
            .collect()
    }
}
