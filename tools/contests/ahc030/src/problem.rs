//! The contest as a problem of the judge: cases by seed or from files, and sessions on them.

use std::sync::Arc;
use std::time::Duration;

use tester::problem::fields::{if_given, named_values};
use tester::problem::grid::painted_cell;
use tester::problem::{
    Drawing, Instance, InstanceError, Lines, ParamError, PlayedTurn, Problem, Reply, Score,
    Session, TurnError,
};
use tester::util::template::Template;

use crate::case::{Case, Eps};
use crate::generate::{FixedParameters, generate};
use crate::rules::{Game, State};
use crate::{case_file, drawing, refusal};

/// The contest.
pub static AHC030: Ahc030 = Ahc030;

/// See [`AHC030`].
pub struct Ahc030;

impl Problem for Ahc030 {
    fn name(&self) -> &'static str {
        "ahc030"
    }

    fn usage(&self) -> &'static str {
        "ahc030 [N=…] [M=…] [eps=…] with 10 <= N <= 20, 2 <= M <= 20 and 0.01 <= eps <= 0.20; \
         the seed decides what is left out"
    }

    fn about(&self) -> &'static str {
        "An N × N grid hides M oil fields of known shapes. `q 1 i j` drills: the reply is the number of fields that \
         cover cell (i, j), for a cost of 1. `q k i1 j1 … ik jk` asks for k cells at once: the reply is noisy, the \
         cost 1/√k. `a k i1 j1 … ik jk` names all cells with oil: the reply is 1 and the end, or 0 for a cost of 1. \
         There are 2N² operations. The score is 10⁶ times the cost."
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(
            "N × N の盤に、形の分かっている M 個の油田が隠れています。`q 1 i j` は採掘です。マス (i, j) を覆う油田の数が返り、\
             コストは 1 です。`q k i1 j1 … ik jk` は k マスをまとめて占います。返答には誤差があり、コストは 1/√k です。\
             `a k i1 j1 … ik jk` は油のあるマスをすべて答えます。正解なら 1 が返って終わり、不正解なら 0 が返ってコスト 1 です。\
             操作は 2N² 回までです。スコアはコストの 10⁶ 倍です。",
        )
    }

    fn reasons(&self) -> &'static [Template] {
        refusal::TEMPLATES
    }

    fn samples(&self) -> &'static [&'static str] {
        &["", "N=10", "M=2 eps=0.2", "N=20 M=20 eps=0.01"]
    }

    fn default_params(&self) -> &'static str {
        "" // as the official generator without options
    }

    fn files_begin_with_name(&self) -> bool {
        false
    }

    fn unit(&self) -> &'static str {
        "point"
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["N", "M", "eps"]
    }

    fn time_limit(&self) -> Duration {
        Duration::from_secs(3)
    }

    fn generate(
        &self,
        params: &[&str],
        seed: tester::Seed,
    ) -> Result<Box<dyn Instance>, ParamError> {
        let fixed = fixed_parameters(params).ok_or_else(|| ParamError::new(self, params))?;
        Ok(Box::new(Mine {
            case: Arc::new(generate(seed.0, fixed)),
            spec: [&[self.name()], params].concat().join(" "),
        }))
    }

    fn parse(
        &self,
        _params: &[&str],
        lines: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(Mine {
            case: Arc::new(case_file::read(lines)?),
            spec: self.name().to_owned(),
        }))
    }
}

/// Reads words such as `N=12`, each at most once, in any order.
fn fixed_parameters(params: &[&str]) -> Option<FixedParameters> {
    let [n, m, eps] = named_values(params, ["N", "M", "eps"])?;
    let [n, m] = [n, m].map(|value| if_given(value, |word| word.parse().ok()));
    FixedParameters::new(n?, m?, if_given(eps, Eps::parse)?)
}

/// A case of the contest.
struct Mine {
    case: Arc<Case>,
    /// A file does not tell what was fixed when it was made.
    spec: String,
}

impl Instance for Mine {
    fn to_text(&self) -> String {
        case_file::write(&self.case)
    }

    fn opening(&self) -> String {
        case_file::input(&self.case).trim_end().to_owned()
    }

    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn parameters(&self) -> Vec<f64> {
        let layout = &self.case.layout;
        let m = layout.fields().len() as f64;
        vec![f64::from(layout.n()), m, self.case.eps.value()]
    }

    fn answer(&self) -> Option<String> {
        let cells: Vec<String> = self
            .case
            .layout
            .oil_cells()
            .map(|cell| format!(" {} {}", cell.row, cell.column))
            .collect();
        Some(format!("a {}{}", cells.len(), cells.concat()))
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Game::new(self.case.clone()))
    }

    fn is_noisy(&self) -> bool {
        true
    }

    fn draw(&self, turns: &[PlayedTurn<'_>], last: &[&str]) -> Option<Drawing> {
        Some(drawing::draw(&self.case, turns, last))
    }

    fn is_drawn(&self, comment: &str) -> bool {
        let n = u32::from(self.case.layout.n());
        painted_cell(comment, n, n).is_some()
    }
}

impl Session for Game {
    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        let refused = |refusal: refusal::Refusal| match refusal.is_of_form() {
            true => TurnError::Format(refusal.to_string()),
            false => TurnError::Protocol(refusal.to_string()),
        };
        let reply = self.play(question).map_err(refused)?;
        // Without a right answer within the limit the game is over all the same, and its score is a score.
        let done = self.state() != State::Playing;
        Ok(Reply::new(reply.to_string()).ending(done))
    }

    fn score(&self) -> Score {
        Game::score(self).into()
    }
}
