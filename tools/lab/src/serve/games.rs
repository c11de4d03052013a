//! A board: a game that is played here, or elsewhere, and where it stands.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tools::draw::Seed;
use tools::problem::{DEFAULT_PROBLEM, PROBLEMS, Refusal, Spec};

use super::{Failure, Shared, away, page, pages};
use crate::analysis;
use crate::history::{self, Row};
use crate::solver::{CodeId, Posterior};

/// The search for exact values may take so many table lookups, about 1 ns each.
const WORK: u64 = 300_000_000;
/// Longer games are not studied, nor played by persons; and no more guesses than these are told of at once.
const MOST_TURNS: usize = 200;
const MOST_NAMED: usize = 20;

/// A game, and what was said in it.
#[derive(Deserialize)]
pub(super) struct Asked {
    problem: Option<String>,
    /// `012:0,1;134:0,2`
    rows: Option<String>,
    /// Guesses that are to be told of, separated by semicolons.
    named: Option<String>,
    /// The secret is that of this seed.
    seed: Option<String>,
    /// Lines as a contestant would write them, separated by semicolons.
    lines: Option<String>,
}

impl Asked {
    fn problem(&self) -> &str {
        self.problem.as_deref().unwrap_or(DEFAULT_PROBLEM)
    }
}

fn parts(text: &Option<String>) -> impl Iterator<Item = &str> {
    let text = text.as_deref().unwrap_or_default();
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

pub(super) async fn board(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<Asked>,
) -> Response {
    let made = away(move || {
        let spec = Spec::parse(asked.problem()).map_err(Failure::wrong)?;
        spec.generate(Seed(0)).map_err(Failure::wrong)?;
        let data = json!({
            "problem": asked.problem(),
            "about": spec.problem.about(),
            "studied": shared.codes(asked.problem()).is_ok(),
            "usages": PROBLEMS.iter().map(|problem| problem.usage()).collect::<Vec<_>>(),
        });
        Ok(pages::made(&pages::BOARD, &data))
    });
    page(made.await)
}

/// The articles' examples, to be changed.
pub(super) async fn articles() -> Response {
    let boxes = crate::articles::boxes();
    page(Ok(pages::made(
        &pages::ARTICLES,
        &json!({ "boxes": boxes }),
    )))
}

/// Where a game of hits and blows stands.
pub(super) async fn standing(
    State(shared): State<Arc<Shared>>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Failure> {
    away(move || stands(&shared, &asked)).await.map(Json)
}

fn stands(shared: &Shared, asked: &Asked) -> Result<Value, Failure> {
    let codes = shared.codes(asked.problem())?;
    for (what, given, most) in [
        ("rows", &asked.rows, MOST_TURNS),
        ("guesses", &asked.named, MOST_NAMED),
    ] {
        let count = parts(given).count();
        if count > most {
            let why = format!("expected at most {most} {what}, found {count}");
            return Err(Failure::wrong(why));
        }
    }
    let row = |text| {
        history::parse_row(&codes, text).map_err(|e| Failure::wrong(format!("row {text:?}: {e}")))
    };
    let rows: Vec<Row> = parts(&asked.rows).map(row).collect::<Result<_, _>>()?;
    let code = |text| history::parse_guess(&codes, text).map_err(Failure::wrong);
    let named: Vec<CodeId> = parts(&asked.named).map(code).collect::<Result<_, _>>()?;
    let prior = Posterior::uniform(codes.len());
    if let Some(found) = history::contradiction(&codes, &prior, &rows) {
        return Ok(json!({ "contradiction": {
            "impossibleAt": found.impossible_at,
            "fewestWrong": found.fewest_wrong,
            "ways": found.ways,
            "possible": found.possible,
        }}));
    }
    Ok(json!(analysis::standing(
        &codes, &prior, &rows, &named, WORK
    )))
}

/// What the judge answers to these lines; nothing is remembered, the game is played anew each time.
pub(super) async fn replies(Query(asked): Query<Asked>) -> Result<Json<Value>, Failure> {
    away(move || {
        let spec = Spec::parse(asked.problem()).map_err(Failure::wrong)?;
        let seed = asked.seed.as_deref().unwrap_or("0");
        let number = seed.parse().map_err(|_| {
            let most = u64::MAX;
            Failure::wrong(format!(
                "expected an integer from 0 to {most} as the seed, found {seed:?}"
            ))
        })?;
        let instance = spec.generate(Seed(number)).map_err(Failure::wrong)?;
        let mut session = instance.start();
        let mut turns = Vec::new();
        let mut done = false;
        for typed in parts(&asked.lines).take(MOST_TURNS) {
            let line = instance.typed(typed);
            match session.turn(line.as_bytes()) {
                Ok(reply) => {
                    done = reply.done;
                    turns.push(json!({ "guess": line, "reply": reply.text }));
                }
                Err(Refusal::Malformed(why)) => return Err(Failure::wrong(why)),
                Err(Refusal::Wrong(why)) => {
                    return Ok(json!({ "turns": turns, "over": why, "answer": instance.answer() }));
                }
            }
            if done {
                break;
            }
        }
        let answer = done.then(|| instance.answer());
        Ok(json!({ "turns": turns, "done": done, "score": session.score(), "answer": answer }))
    })
    .await
    .map(Json)
}
