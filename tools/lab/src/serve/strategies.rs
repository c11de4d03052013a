//! A strategy over all secrets, and its game for one of them: the articles' experiments, with other numbers if you like.

use std::time::Duration;

use axum::Json;
use axum::extract::Query;
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::{Failure, far_away};
use super::games::filled;
use crate::game::{self, Notation, observations::parse_guess_in};
use crate::optimal::{self, Objective};
use crate::policy::{Options, Policy, check, select};
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes};
use crate::strategy::TreePolicy;
use crate::tree;

/// Two policies over more codes would let users wait for minutes.
const MOST_CODES: u64 = 10_000;

/// The strategy that is no policy of the list.
const OPTIMAL: &str = "optimal";
/// A search for it ends after this time, when its progress is next told.
const LONGEST: Duration = Duration::from_secs(5);

/// A strategy, and what is asked of it. Options are those of `lab policy`.
#[derive(Deserialize)]
pub(super) struct StrategyQuery {
    problem: String,
    policy: String,
    pool: Option<String>,
    tie: Option<String>,
    hit_bonus: Option<f64>,
    hit_gain: Option<f64>,
    /// The game for this secret.
    secret: Option<String>,
    /// How digits are written there, as in `lab policy --digits`.
    digits: Option<String>,
}

impl StrategyQuery {
    fn policy(&self, codes: &Codes) -> Result<Box<dyn Policy>, Failure> {
        let options = Options {
            pool: value(self.pool.as_deref())?,
            tie: value(self.tie.as_deref())?,
            hit_bonus: self.hit_bonus,
            hit_gain: self.hit_gain,
            ..Options::default()
        };
        if self.policy == OPTIMAL {
            check(OPTIMAL, &[], &options).map_err(Failure::wrong)?;
            return optimum(codes);
        }
        let factory = select(&self.policy, &options).map_err(Failure::wrong)?;
        if factory.outcome.is_some() {
            let name = factory.name;
            return Err(Failure::wrong(format!("{name} has no decision tree")));
        }
        Ok((factory.build)(&options))
    }
}

/// The strategy with the fewest turns, if it is found soon.
fn optimum(codes: &Codes) -> Result<Box<dyn Policy>, Failure> {
    let options = optimal::Options {
        limit: Some(LONGEST),
        ..optimal::Options::default()
    };
    let found = optimal::find(codes, Objective::MeanThenWorst, &options);
    let found = found.map_err(Failure::wrong)?;
    if !found.proved {
        let game = codes.game.title();
        return Err(Failure::wrong(format!(
            "expected a game that is searched in seconds, found {game}; lab optimal takes its time"
        )));
    }
    Ok(Box::new(TreePolicy::new(codes, &found.strategy)))
}

/// A value of an option, as it is typed.
fn value<T: ValueEnum>(typed: Option<&str>) -> Result<Option<T>, Failure> {
    let read = |text| T::from_str(text, false).map_err(Failure::wrong);
    typed.map(read).transpose()
}

pub(super) async fn strategy(Query(query): Query<StrategyQuery>) -> Result<Json<Value>, Failure> {
    far_away(move || answer(&query)).await.map(Json)
}

fn answer(query: &StrategyQuery) -> Result<Value, Failure> {
    let problem = &query.problem;
    let listable = game::listable(problem).map_err(Failure::wrong)?;
    let count = listable.code_count();
    if count > MOST_CODES {
        return Err(Failure::wrong(format!(
            "expected a game of at most {MOST_CODES} codes, found {count} in {problem}; lab policy takes its time"
        )));
    }
    let codes = Codes::new(listable);
    let policy = query.policy(&codes)?;
    let notation = Notation::new(&codes, filled(&query.digits)).map_err(Failure::wrong)?;
    let secret = filled(&query.secret)
        .map(|text| parse_guess_in(&notation, text).map_err(Failure::wrong))
        .transpose()?;
    let outcome = tree::outcome(&codes, &Posterior::uniform(codes.len()), &*policy);
    Ok(json!({
        "secrets": outcome.secrets(),
        "all": outcome.all_turns(),
        "determined": outcome.until_determined(),
        "turns": outcome.turns,
        "game": secret.map(|secret| game_for(&notation, &*policy, secret)),
    }))
}

/// The game for one secret, turn by turn.
fn game_for(notation: &Notation<'_>, policy: &dyn Policy, secret: CodeId) -> Vec<Value> {
    let row = |row: &tree::Row| {
        json!({
            "guess": notation.write(row.guess),
            "hits": row.reply.hits,
            "blows": row.reply.blows,
            "left": row.left,
            "right": row.right,
            "information": row.bits,
        })
    };
    let rows = tree::game(notation.codes(), policy, secret);
    rows.iter().map(row).collect()
}
