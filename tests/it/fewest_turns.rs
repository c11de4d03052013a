//! What the solver plays where it knows better than mutual information: exact search, the book, and codes
//! that fit where there are too many to list; against slow and obvious twins.

use std::collections::BTreeMap;

use crate::solver::limits::{BOOK_LEAF, MAX_DIGITS};
use crate::solver::pegs::{CodeId, Codes, Feedback, Game, Replies, split};
use crate::solver::search::{Book, Exact};
use crate::solver::unlisted::Fitting;
use proptest::prelude::*;

const NAMED: [bool; MAX_DIGITS] = [true; MAX_DIGITS];

fn game(name: &str, places: usize, digits: usize) -> Game {
    Game::new(name, places, digits).unwrap()
}

/// The least cost, by trying everything.
fn slow(codes: &Codes, set: &[CodeId], known: &mut BTreeMap<Vec<CodeId>, u32>) -> u32 {
    if set.len() < 2 {
        return set.len() as u32;
    }
    if let Some(&cost) = known.get(set) {
        return cost;
    }
    let mut best = u32::MAX;
    for guess in 0..codes.len() as CodeId {
        let replies = Replies::new(codes, guess);
        let mut cells = BTreeMap::<Feedback, Vec<CodeId>>::new();
        for &secret in set.iter().filter(|&&secret| secret != guess) {
            cells
                .entry(replies.feedback(secret))
                .or_default()
                .push(secret);
        }
        if cells.values().all(|cell| cell.len() < set.len()) {
            let costs = cells.values().map(|cell| slow(codes, cell, known));
            best = best.min(set.len() as u32 + costs.sum::<u32>());
        }
    }
    known.insert(set.to_vec(), best);
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn exact_search_finds_the_least_cost(
        which in 0..4_usize,
        picks in proptest::collection::btree_set(0..1000_u32, 1..11),
    ) {
        let codes = Codes::new([
            game("hitblow", 2, 5),
            game("hitblow", 3, 4),
            game("mastermind", 2, 4),
            game("mastermind", 3, 3),
        ][which]);
        let mut set: Vec<CodeId> = picks.iter().map(|pick| pick % codes.len() as CodeId).collect();
        set.sort_unstable();
        set.dedup();
        let expected = slow(&codes, &set, &mut BTreeMap::new());
        let (cost, guess) = Exact::new(&codes, u64::MAX).least(&set, &NAMED, u32::MAX).unwrap();
        prop_assert_eq!(cost, expected);
        let cells = split(&codes, &set, guess).into_iter();
        let costs = cells.map(|(_, cell)| slow(&codes, &cell, &mut BTreeMap::new()));
        prop_assert_eq!(set.len() as u32 + costs.sum::<u32>(), expected);
        // With a budget that is too small it says so.
        let (bound, _) = Exact::new(&codes, u64::MAX).least(&set, &NAMED, expected).unwrap();
        prop_assert!(bound == expected);
    }

    #[test]
    fn codes_that_fit_are_all_codes_that_fit(
        distinct in any::<bool>(),
        picks in proptest::collection::vec(0..1000_u32, 1..5),
    ) {
        let rules = match distinct {
            true => game("hitblow", 4, 7),
            false => game("mastermind", 4, 5),
        };
        let codes = Codes::new(rules);
        let code = |pick: u32| codes.digits(pick % codes.len() as CodeId);
        let secret = code(picks[0]);
        let mut fitting = Fitting::new(rules);
        let mut fits: Vec<&[u8]> = (0..codes.len() as CodeId).map(|id| codes.digits(id)).collect();
        for &pick in &picks {
            let (guess, reply) = (code(pick + 77), Feedback::from_codes(code(pick + 77), secret));
            fitting.learn(guess, reply);
            fits.retain(|code| Feedback::from_codes(guess, code) == reply);
            let (sample, complete) = fitting.sample(&mut 10_000_000, 10_000_000);
            prop_assert!(sample.iter().all(|code| fits.contains(&code.as_slice())));
            prop_assert!(sample.is_sorted() && sample.windows(2).all(|pair| pair[0] != pair[1]));
            if complete {
                prop_assert_eq!(&sample, &fits);
            }
            prop_assert!(complete || sample.len() >= 50, "{} of {}", sample.len(), fits.len());
        }
    }
}

#[test]
fn the_rule_for_codes_that_are_not_listed_is_the_same() {
    for rules in [game("hitblow", 3, 6), game("mastermind", 3, 4)] {
        let codes = Codes::new(rules);
        for guess in 0..codes.len() as CodeId {
            let replies = Replies::new(&codes, guess);
            for secret in 0..codes.len() as CodeId {
                let expected = replies.feedback(secret);
                assert_eq!(
                    Feedback::from_codes(codes.digits(guess), codes.digits(secret)),
                    expected
                );
            }
        }
    }
}

#[test]
fn nothing_that_fits_is_said_and_not_invented() {
    let mut fitting = Fitting::new(game("hitblow", 10, 64));
    let code: Vec<u8> = (0..10).collect();
    let reply = Feedback { hits: 9, blows: 1 };
    fitting.learn(&code, reply);
    assert_eq!(fitting.sample(&mut 10_000_000, 10_000_000), (vec![], true));
}

/// Of a few candidates, a set takes more time for its memory than for what is looked up in it.
#[test]
fn a_search_pays_for_each_set() {
    let codes = Codes::new(game("hitblow", 3, 30));
    // Each of these leaves the other four together, so other codes must be looked at.
    let set = [0, 1, 2, 3, 4];
    let digits: Vec<&[u8]> = set.iter().map(|&id| codes.digits(id)).collect();
    assert_eq!(digits[0], [0, 1, 2]);
    assert_eq!(digits[4], [0, 1, 6]);
    let mut named = [false; MAX_DIGITS];
    named[..2].fill(true);
    // Five candidates are scored with 83 lookups each; the memory of a set costs as much as 1,200.
    assert_eq!(
        Exact::new(&codes, 1_500).least(&set, &named, u32::MAX),
        None
    );
    let enough = Exact::new(&codes, 1_000_000).least(&set, &named, u32::MAX);
    let (cost, _) = enough.unwrap();
    assert_eq!(cost, slow(&codes, &set, &mut BTreeMap::new()));
}

#[test]
fn codes_with_another_head_are_found_as_by_looking_at_each() {
    for (name, places, digits) in [("hitblow", 3, 7), ("mastermind", 3, 5), ("hitblow", 1, 4)] {
        let codes = Codes::new(game(name, places, digits));
        for id in 0..codes.len() as CodeId {
            for place in 0..places {
                let head = |id: CodeId| &codes.digits(id)[..=place];
                let other = (id..codes.len() as CodeId).find(|&other| head(other) != head(id));
                let expected = other.unwrap_or(codes.len() as CodeId);
                assert_eq!(codes.next_head(id, place), expected);
            }
        }
    }
}

/// The cost of a set when the book is followed, and few candidates are searched.
fn by_the_book(codes: &Codes, set: &[CodeId], book: Book) -> u32 {
    if set.len() <= BOOK_LEAF {
        return Exact::new(codes, u64::MAX)
            .least(set, &NAMED, u32::MAX)
            .unwrap()
            .0;
    }
    let guess = book.entry(codes).expect("the book goes on");
    let costs = split(codes, set, guess).into_iter().map(|(reply, cell)| {
        let book = book
            .follow(codes, set, guess, reply)
            .expect("the book goes on");
        by_the_book(codes, &cell, book)
    });
    set.len() as u32 + costs.sum::<u32>()
}

fn check_books(games: &[(&str, usize, usize, u32)]) {
    for &(name, places, digits, least) in games {
        let rules = game(name, places, digits);
        let codes = Codes::new(rules);
        let all: Vec<CodeId> = (0..codes.len() as CodeId).collect();
        let book = Book::new(&rules.title()).expect("there is a book for it");
        let cost = by_the_book(&codes, &all, book);
        assert_eq!(cost, least, "{name} {places} {digits}");
    }
}

#[test]
fn books_take_the_fewest_turns() {
    check_books(&[
        ("hitblow", 2, 10, 451),
        ("hitblow", 3, 8, 1449),
        ("hitblow", 3, 10, 3575),
        ("mastermind", 4, 4, 905),
    ]);
}

#[test]
#[ignore = "half a minute, and only when optimised"]
fn books_of_larger_games_take_the_fewest_turns() {
    check_books(&[
        ("hitblow", 3, 6, 436),
        ("hitblow", 3, 7, 836),
        ("hitblow", 3, 9, 2337),
        ("hitblow", 4, 6, 1446),
        ("hitblow", 4, 7, 3639),
        ("hitblow", 4, 8, 7817),
        ("hitblow", 4, 9, 14914),
        ("hitblow", 4, 10, 26274),
        ("hitblow", 5, 5, 535),
        ("hitblow", 5, 6, 3434),
        ("hitblow", 5, 7, 12305),
        ("hitblow", 5, 8, 34444),
        ("mastermind", 3, 8, 2359),
        ("mastermind", 3, 9, 3596),
        ("mastermind", 3, 10, 5242),
        ("mastermind", 4, 5, 2463),
        ("mastermind", 4, 6, 5625),
        ("mastermind", 4, 7, 11228),
        ("mastermind", 4, 8, 20471),
        ("mastermind", 5, 4, 3954),
        ("mastermind", 5, 5, 13496),
        ("mastermind", 5, 6, 36721),
        ("mastermind", 6, 3, 2649),
    ]);
}
