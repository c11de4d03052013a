//! The tests of the lab that run its binary or compare it with published figures, one module for each subject.

#[allow(dead_code)] // this package uses a part
#[path = "../../../tests/it/common/browser.rs"]
mod browser;
#[path = "../../../tests/it/common/many.rs"]
mod many;
#[path = "../../../tests/it/common/words.rs"]
mod words;

mod adviser_page;
mod board_page;
mod checkpoints;
mod cli;
mod cli_articles;
mod cli_messages;
mod cli_noisy;
mod cli_optimal;
mod cli_parts;
mod cli_race;
mod doc_pictures;
mod drawn_page;
mod oil;
mod oil_page;
mod optimal;
mod policies;
mod race;
mod serve;
mod serve_articles;
mod serve_games;
mod serve_limits;
mod serve_page;
mod serve_runs;
mod serving;
mod solver;
mod theory;
