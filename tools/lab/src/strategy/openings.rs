//! First guesses of games of numbers, as the solver carries them: its `Numbers` reads them.

use std::collections::BTreeMap;

use crate::solver::elsewhere::Numbers;
use crate::solver::pegs::Feedback;

/// The first guesses at numbers of this many places: for each set of more than `leaf` numbers that fit, how many
/// replies led there, the last of them, and the guess, which is chosen with `work` table lookups.
///
/// Cost: minutes for ten places.
///
/// # Errors
/// If there are no such numbers.
pub fn openings(places: usize, leaf: usize, work: u64) -> Result<String, String> {
    let mut text = String::new();
    let game = Numbers::new(places)?.with_work(work);
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
