//! Races played move by move with the judge's own replies: a check of what is computed.

use tester::case::Seed;
use tester::problem::{Instance, ParamError, Session, Spec};

use crate::strategy::{Node, Strategy};

/// What came of the games, the first strategy moving first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Tally {
    /// How many games were played.
    pub games: u64,
    /// The first strategy found its secret in a round in which the second would not have.
    pub fewer: u64,
    /// Both found theirs in the same round.
    pub same: u64,
}

/// Plays races. Game g has the secrets of the seeds 2·g and 2·g + 1, counted from `seed`: the same seed, the same games.
/// After the first player has found, the second still makes its move of that round, to tell a draw.
///
/// Cost: some microseconds a game.
///
/// # Errors
/// If the strategies' game is unknown.
///
/// # Panics
/// If a strategy breaks the rules; [`verify`](crate::strategy::verify) would have said so.
pub fn simulate(strategies: [&Strategy; 2], games: u64, seed: u64) -> Result<Tally, ParamError> {
    let spec = Spec::parse(&strategies[0].game)?;
    let mut tally = Tally {
        games,
        ..Tally::default()
    };
    for game in 0..games {
        let secret = |player: u64| spec.generate(Seed(seed.wrapping_add(2 * game + player)));
        let (one, two) = (secret(0)?, secret(1)?);
        let mut first = Player::new(strategies[0], one.as_ref());
        let mut second = Player::new(strategies[1], two.as_ref());
        loop {
            match (first.is_done_after_move(), second.is_done_after_move()) {
                (true, true) => tally.same += 1,
                (true, false) => tally.fewer += 1,
                (false, true) => {}
                (false, false) => continue,
            }
            break;
        }
    }
    Ok(tally)
}

/// A strategy in a game.
struct Player<'a> {
    session: Box<dyn Session>,
    node: &'a Node,
}

impl<'a> Player<'a> {
    fn new(strategy: &'a Strategy, secret: &dyn Instance) -> Self {
        Self {
            session: secret.start(),
            node: &strategy.root,
        }
    }

    fn is_done_after_move(&mut self) -> bool {
        let reply = self.session.turn(self.node.guess.as_bytes());
        let reply = reply.expect("a verified strategy keeps the rules");
        if !reply.done {
            let branch = self
                .node
                .then
                .iter()
                .find(|(text, _)| *text == reply.text());
            self.node = &branch.expect("a verified strategy knows every reply").1;
        }
        reply.done
    }
}
