//! A board: a game that is played here, or elsewhere, and where it stands.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tester::problem::rng::Seed;
use tester::problem::{Spec, TurnError, default_problem, problems, usage_form, with_defaults};
use tester::report::page::Number;

use super::answer::{Failure, away, far_away, page};
use super::shared::Shared;
use super::{messages, pages};
use crate::analysis::{self as position, Answer, ReplyForm, Turn};

/// The search for exact values may take this many table lookups, about 1 ns each.
const WORK: u64 = 300_000_000;
/// Longer games are neither analysed nor played, and a request may name at most this many guesses.
const MOST_TURNS: usize = 200;
const MOST_NAMED: usize = 20;

/// A game, and what was said in it.
#[derive(Deserialize)]
pub(super) struct GameQuery {
    problem: Option<String>,
    /// The secret is that of this seed.
    seed: Option<String>,
    /// Lines as a contestant would write them, separated by semicolons.
    lines: Option<String>,
    /// Whether the player gives up after these lines.
    #[serde(default)]
    give_up: bool,
}

/// A game that is played elsewhere, as far as it is known.
#[derive(Deserialize)]
pub(super) struct PositionQuery {
    problem: String,
    /// Each `012:0,1`: what was asked, and what was replied.
    #[serde(default)]
    rows: Vec<String>,
    /// Guesses to report on.
    #[serde(default)]
    named: Vec<String>,
    /// Whether exact values are searched for, which may take a while.
    #[serde(default)]
    search: bool,
    /// How digits are written there.
    digits: Option<String>,
    /// How likely secrets are.
    prior: Option<String>,
}

impl GameQuery {
    fn problem(&self) -> &str {
        self.problem.as_deref().unwrap_or(default_problem())
    }
}

/// What is not blank of a field that may be left empty.
pub(super) fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

fn parts(text: &Option<String>) -> impl Iterator<Item = &str> {
    let text = text.as_deref().unwrap_or_default();
    text.split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

pub(super) async fn board(
    State(shared): State<Arc<Shared>>,
    Query(query): Query<GameQuery>,
) -> Response {
    let made = away(move || {
        let spec = Spec::parse(query.problem()).map_err(Failure::wrong)?;
        spec.generate(Seed(0)).map_err(Failure::wrong)?;
        let analyst = shared.analyst(query.problem());
        let known = analyst.as_ref().ok();
        let data = json!({
            "problem": query.problem(),
            // What P and K in the text below are.
            "form": usage_form(spec.problem.usage(), query.problem()).unwrap_or(query.problem()),
            "about": { "en": spec.problem.about(), "ja": spec.problem.about_in_japanese() },
            "studied": analyst.is_ok(),
            "notStudied": analyst.as_ref().err().map(|failure| &failure.why),
            "japanese": analyst.as_ref().err().map(|failure| messages::translations(&failure.why)),
            "example": known.map(|analyst| analyst.example()),
            "replies": known.map_or(ReplyForm::HitsBlows, |analyst| analyst.replies()),
            "codes": known.is_some_and(|analyst| analyst.has_codes()),
            "usages": problems().iter().map(|problem| problem.usage()).collect::<Vec<_>>(),
            // A game of each problem.
            "games": problems().iter().map(|&problem| with_defaults(problem)).collect::<Vec<_>>(),
        });
        let (about, japanese) = (spec.problem.about(), spec.problem.about_in_japanese());
        let text = format!(
            "{about}\nThe board needs scripts.\n\n{}\n盤面の表示にはスクリプトが必要です。",
            japanese.unwrap_or_default()
        );
        Ok(pages::html(&pages::BOARD, &data, text))
    });
    page(made.await)
}

/// The articles' examples, to be changed.
pub(super) async fn articles() -> Response {
    let boxes = crate::articles::boxes();
    let titles: Vec<_> = crate::articles::titles().collect();
    page(Ok(pages::html(
        &pages::ARTICLES,
        &json!({ "boxes": boxes, "titles": titles }),
        "The examples need scripts; lab articles prints their figures.\n\
         例の表示にはスクリプトが必要です。値は lab articles で表示できます。"
            .to_owned(),
    )))
}

/// Where a game stands.
pub(super) async fn analysis(
    State(shared): State<Arc<Shared>>,
    Json(query): Json<PositionQuery>,
) -> Result<Json<Value>, Failure> {
    far_away(move || analyse(&shared, &query)).await.map(Json)
}

fn analyse(shared: &Shared, query: &PositionQuery) -> Result<Value, Failure> {
    let analyst = shared.analyst(&query.problem)?;
    for (what, given, most) in [
        ("rows", &query.rows, MOST_TURNS),
        ("guesses", &query.named, MOST_NAMED),
    ] {
        let count = given.len();
        if count > most {
            let why = format!("expected at most {most} {what}, found {count}");
            return Err(Failure::wrong(why));
        }
    }
    let read = |row| {
        turn(row).ok_or_else(|| {
            let example = analyst.example();
            Failure::wrong(format!(
                "row {row:?}: expected what was asked, a colon and the reply, such as \"{example}: …\""
            ))
        })
    };
    let turns = query
        .rows
        .iter()
        .map(|row| read(row.as_str()))
        .collect::<Result<_, _>>()?;
    let asked = position::Question {
        turns,
        named: query.named.iter().map(String::as_str).collect(),
        digits: filled(&query.digits),
        prior: filled(&query.prior),
        work: if query.search { WORK } else { 0 },
    };
    Ok(match analyst.analyse(&asked).map_err(Failure::wrong)? {
        Answer::State(state) => json!(state),
        Answer::OutsidePrior(count) => json!({ "outsidePrior": count }),
        Answer::Contradiction(found) => json!({ "contradiction": {
            "impossibleAt": found.impossible_at,
            "fewestWrong": found.fewest_wrong,
            "ways": found.ways,
            "possible": found.possible,
        }}),
    })
}

/// `012:0,1`
fn turn(row: &str) -> Option<Turn<'_>> {
    let (guess, reply) = row.rsplit_once(':')?;
    let (guess, reply) = (guess.trim(), reply.trim());
    Some(Turn { guess, reply })
}

/// What the judge answers to these lines; nothing is remembered, the game is played anew each time.
pub(super) async fn game(Query(query): Query<GameQuery>) -> Result<Json<Value>, Failure> {
    away(move || {
        let spec = Spec::parse(query.problem()).map_err(Failure::wrong)?;
        let seed = query.seed.as_deref().unwrap_or("0");
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
        for typed in parts(&query.lines).take(MOST_TURNS) {
            let line = instance.typed(typed);
            match session.turn(line.as_bytes()) {
                Ok(reply) => {
                    done = reply.done;
                    turns.push(json!({ "guess": line, "reply": reply.text }));
                }
                Err(TurnError::Protocol(why) | TurnError::Format(why)) => {
                    return Err(Failure::wrong(why));
                }
                Err(TurnError::WrongAnswer(why)) => {
                    return Ok(json!({ "turns": turns, "over": why, "answer": instance.answer() }));
                }
            }
            if done {
                break;
            }
        }
        let gave_up = query.give_up && !done;
        let answer = (done || gave_up).then(|| instance.answer()).flatten();
        Ok(json!({
            "turns": turns,
            "done": done,
            "gaveUp": gave_up,
            "score": Number::from(session.score()),
            "answer": answer,
        }))
    })
    .await
    .map(Json)
}
