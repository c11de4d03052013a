//! What the pages of the articles' examples ask `lab serve`: positions, strategies, and games for one secret.

use crate::serve::read;
use crate::serving::Serving;
use serde_json::{Value, json};
use tempfile::TempDir;

#[test]
fn the_analysis_of_a_position_is_that_of_the_articles() {
    let dir = TempDir::new().unwrap();
    let server = Serving::start(dir.path());
    let position = |told: Value| read(&server.post("/api/analysis", &told.to_string()));
    // Article 000's example: 19 candidates; 451 tells more than 243.
    let now = position(json!({
        "problem": "hitblow 3 10", "rows": ["012:0,1", "134:0,2"], "named": ["243", "451"],
    }));
    assert_eq!(now["candidates"], 19);
    let information = |i: usize| now["named"][i]["information"].as_f64().unwrap();
    assert!(
        (information(0) - 1.7832).abs() < 1e-4 && (information(1) - 2.2943).abs() < 1e-4,
        "{now}"
    );
    // Turns are searched for when asked, and said to be there to be asked for.
    let told = |search: bool| {
        let rows = ["012:0,1", "134:0,2"];
        position(
            json!({ "problem": "hitblow 3 10", "rows": rows, "named": ["012"], "search": search }),
        )
    };
    assert_eq!(
        (
            &told(false)["searchable"],
            &told(false)["named"][0]["turns"]
        ),
        (&json!(true), &Value::Null)
    );
    assert_eq!(told(true)["searchable"], false);
    assert!(told(true)["best"][0]["turns"].as_f64().unwrap() >= 1.0);
    // 000's third reply cannot be, after the others.
    let rows = ["012:0,0", "345:0,0", "678:0,0"];
    let found = position(json!({ "problem": "hitblow 3 10", "rows": rows }));
    assert_eq!(found["contradiction"]["impossibleAt"], 2);
    // Letters for digits, and what friends choose.
    let now = position(json!({
        "problem": "hitblow 3 9", "rows": ["abc:0,1"], "digits": "abcdefghi", "prior": "bde 3\necf 1\nghi 7",
    }));
    assert_eq!(
        now["listed"],
        json!([{ "name": "bde", "probability": 0.75 }, { "name": "ecf", "probability": 0.25 }])
    );
    let outside =
        position(json!({ "problem": "hitblow 3 10", "rows": ["012:0,0"], "prior": "012 1" }));
    assert_eq!(outside["outsidePrior"], 7 * 6 * 5);
    // Weighings and noisy differences.
    let now = position(json!({ "problem": "balance 12 odd", "rows": ["? 4 1 2 3 4 5 6 7 8:<"] }));
    assert_eq!(
        (&now["candidates"], &now["best"][0]["turns"]),
        (&json!(8), &json!(2.0))
    );
    let now = position(json!({ "problem": "distance 3 10 10", "rows": ["495:0,-35"] }));
    assert_eq!(now["uniform"], false);
}
