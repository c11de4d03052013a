//! First guesses of games of numbers, as the solver carries them: its `Numbers` reads them.

use std::collections::BTreeMap;

use crate::solver::elsewhere::Numbers;
use crate::solver::limits::MAX_LISTED_PLACES;
use crate::solver::pegs::Feedback;

/// Sets of more numbers than this have a guess in the table, by places from 5.
const LEAVES: [usize; 6] = [150, 500, 1_500, 2_500, 4_000, 4_000];
/// Table lookups for one guess of it.
const WORK: u64 = 200_000_000;

/// The first guesses at numbers of 5 to 10 places: for each large set of numbers that fit, how many replies led there,
/// the last of them, and the guess.
///
/// Cost: half a minute for ten places.
///
/// # Errors
/// If there are no such numbers, or they are all listed.
pub fn openings(places: usize) -> Result<String, String> {
    let leaf = places.checked_sub(MAX_LISTED_PLACES + 1);
    let leaf = leaf.and_then(|at| LEAVES.get(at)).copied();
    let leaf = leaf.ok_or_else(|| format!("expected 5 to 10 places, found {places}"))?;
    let mut text = String::new();
    let game = Numbers::new(places)?.with_work(WORK);
    add(&game, 0, (0, 0), leaf, &mut text)?;
    Ok(text)
}

fn add(
    game: &Numbers,
    depth: u8,
    last: (u8, u8),
    leaf: usize,
    text: &mut String,
) -> Result<(), String> {
    let mut game = game.clone();
    let guess = game.guess()?;
    let mut push = |number: u8| text.push(char::from(b'0' + number));
    [depth, last.0, last.1].into_iter().for_each(&mut push);
    guess.iter().copied().for_each(push);
    let mut cells = BTreeMap::new();
    for number in game.fitting().into_iter().flatten() {
        let reply = Feedback::from_codes(&guess, &number[..guess.len()]);
        *cells.entry(reply).or_insert(0) += 1;
    }
    for (reply, _) in cells.into_iter().filter(|&(_, count)| count > leaf) {
        let mut after = game.clone();
        after.learn(&guess, reply);
        add(&after, depth + 1, (reply.hits, reply.blows), leaf, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::book::OPENINGS;

    #[test]
    fn the_solver_carries_what_is_made_here() {
        // The shortest; scripts/book --openings makes all of them.
        let (places, text) = OPENINGS[0];
        assert_eq!(openings(places).unwrap(), text);
        assert!(openings(4).is_err() && openings(11).is_err());
    }
}
