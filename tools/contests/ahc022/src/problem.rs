//! The contest as a problem of the judge: cases by seed or from files, and sessions on them.

use std::sync::Arc;
use std::time::Duration;

use tester::problem::fields::{if_given, named_values};
use tester::problem::{
    Instance, InstanceError, Lines, Objective, ParamError, Problem, Question, Reply, Score,
    Session, TurnError,
};
use tester::util::template::Template;

use crate::case::{Case, MEASUREMENT_LIMIT};
use crate::generate::{FixedParameters, generate};
use crate::rules::{Game, Stage};
use crate::{case_file, refusal};

/// The contest.
pub static AHC022: Ahc022 = Ahc022;

/// See [`AHC022`].
pub struct Ahc022;

impl Problem for Ahc022 {
    fn name(&self) -> &'static str {
        "ahc022"
    }

    fn usage(&self) -> &'static str {
        "ahc022 [L=…] [N=…] [S=…] with 10 <= L <= 50, 60 <= N <= 100 and 1 <= S <= 900; \
         the seed decides what is left out"
    }

    fn about(&self) -> &'static str {
        "N wormholes lead to N known cells of an L × L grid that wraps around. Find which leads where. First print \
         the temperatures of all cells: L lines of L integers from 0 to 1000. Then `i y x` measures y rows below and \
         x columns right of the exit cell of wormhole i. The reply is the temperature plus a normal error of \
         deviation S, kept from 0 to 1000. After at most 10000 measurements print `-1 -1 -1`, then N lines: the exit \
         cell of each wormhole. With W wrong lines the score is 10¹⁴ · 0.8^W / (placement cost + measurement cost + \
         10⁵). Placement costs the squared differences of all neighbours. A measurement costs 100 · (10 + |y| + |x|)."
    }

    fn about_in_japanese(&self) -> Option<&'static str> {
        Some(
            "N 個のワームホールが、端のつながった L × L の盤の、分かっている N 個のマス（出口セル）に通じています。どれがどこに\
             通じているかを当てます。まず盤の気温を L 行、各行 L 個の 0〜1000 の整数で出力します。次に `i y x` で\
             ワームホール i の出口セルから下へ y、右へ x 進んだマスを計測します。標準偏差 S の正規分布の誤差を加え、0〜1000 に\
             収めた気温が返ります。計測は 10000 回までです。その後 `-1 -1 -1` と、各ワームホールの出口セルの番号を N 行で\
             出力します。誤りが W 個のスコアは 10¹⁴ · 0.8^W / (配置コスト + 計測コスト + 10⁵) です。配置コストは隣り合うマスの\
             差の 2 乗の和、計測コストは 1 回につき 100 · (10 + |y| + |x|) です。",
        )
    }

    fn reasons(&self) -> &'static [Template] {
        refusal::TEMPLATES
    }

    fn samples(&self) -> &'static [&'static str] {
        &["L=10 N=60 S=1", "", "L=50 N=100 S=900"]
    }

    fn files_begin_with_name(&self) -> bool {
        false
    }

    fn unit(&self) -> &'static str {
        "point"
    }

    fn objective(&self) -> Objective {
        Objective::Max
    }

    fn parameters(&self) -> &'static [&'static str] {
        &["L", "N", "S"]
    }

    fn time_limit(&self) -> Duration {
        Duration::from_secs(4)
    }

    /// The grid, the measurements, their end, and the answer.
    fn turn_limit(&self) -> u64 {
        MEASUREMENT_LIMIT as u64 + 3
    }

    fn generate(
        &self,
        params: &[&str],
        seed: tester::Seed,
    ) -> Result<Box<dyn Instance>, ParamError> {
        let fixed = fixed_parameters(params).ok_or_else(|| ParamError::new(self, params))?;
        Ok(Box::new(Space {
            case: Arc::new(generate(seed.0, fixed)),
            spec: [&[self.name()], params].concat().join(" "),
        }))
    }

    fn parse(
        &self,
        _params: &[&str],
        lines: &mut Lines<'_>,
    ) -> Result<Box<dyn Instance>, InstanceError> {
        Ok(Box::new(Space {
            case: Arc::new(case_file::read(lines)?),
            spec: self.name().to_owned(),
        }))
    }
}

/// Reads words such as `L=12`, each at most once, in any order.
fn fixed_parameters(params: &[&str]) -> Option<FixedParameters> {
    let [l, n, s] = named_values(params, ["L", "N", "S"])?;
    let s = if_given(s, |word| word.parse().ok())?;
    let [l, n] = [l, n].map(|value| if_given(value, |word| word.parse().ok()));
    FixedParameters::new(l?, n?, s)
}

/// A case of the contest.
struct Space {
    case: Arc<Case>,
    /// A file does not tell what was fixed when it was made.
    spec: String,
}

impl Instance for Space {
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
        let Case { l, s, .. } = *self.case;
        vec![f64::from(l), f64::from(self.case.n()), f64::from(s)]
    }

    fn start(&self) -> Box<dyn Session> {
        Box::new(Game::new(self.case.clone()))
    }

    fn is_noisy(&self) -> bool {
        true
    }
}

impl Session for Game {
    fn is_incomplete(&self, question: &Question<'_>) -> bool {
        Game::is_incomplete(self, question.lines(), question.last())
    }

    fn turn(&mut self, question: &[u8]) -> Result<Reply, TurnError> {
        let refused = |refusal: refusal::Refusal| match refusal.is_of_form() {
            true => TurnError::Format(refusal.to_string()),
            false => TurnError::Protocol(refusal.to_string()),
        };
        let measured = self.play(question).map_err(refused)?;
        let reply = measured.map_or_else(Reply::none, |value| Reply::new(value.to_string()));
        Ok(reply.ending(matches!(self.stage(), Stage::Over { .. })))
    }

    fn score(&self) -> Score {
        Game::score(self).into()
    }
}
