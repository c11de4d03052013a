//! Priors for secrets that people choose: a file with a code and its weight in each line.
//!
//! ```text
//! # what my friends choose
//! 123 5
//! 720 1.5
//! ```
//!
//! Weights are proportional to probabilities; codes that are not named are impossible.

use tester::util::quote::quote;

use super::notation::Notation;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::CodeId;

/// Why a prior is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriorError {
    /// A line is not a code and a weight.
    #[error(
        "line {line}: expected a code of the game and a weight of at least 0, such as {example:?}, found {found}"
    )]
    Line {
        /// Counted from 1.
        line: usize,
        /// What a line looks like.
        example: String,
        /// What stood there.
        found: String,
    },
    /// A code stands there twice.
    #[error("line {line}: expected each code once, found {code} again (first in line {first})")]
    Twice {
        /// Counted from 1.
        line: usize,
        /// The code.
        code: String,
        /// Its first line.
        first: usize,
    },
    /// Nothing is possible, or the weights are too large to be added.
    #[error(
        "expected weights with a sum greater than 0 and finite, found a sum of {sum} over {lines} codes"
    )]
    Sum {
        /// The sum, as text.
        sum: String,
        /// How many codes were named.
        lines: usize,
    },
}

/// Reads a prior, its codes written as `notation` has them.
///
/// # Errors
/// With the line, what was expected and what was found.
pub fn parse(notation: &Notation<'_>, text: &str) -> Result<Posterior, PriorError> {
    let codes = notation.codes();
    let mut weights = vec![0.0; codes.len()];
    let mut seen = std::collections::BTreeMap::<CodeId, usize>::new();
    // As some editors begin a file.
    let text = text.trim_start_matches('\u{feff}');
    for (number, line) in (1..).zip(text.lines()) {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let parsed = content
            .rsplit_once([' ', '\t', ','])
            .and_then(|(code, weight)| {
                let code = notation.read(code.trim_end_matches([' ', '\t', ',']))?;
                let weight = weight.parse::<f64>().ok()?;
                (weight >= 0.0 && weight.is_finite()).then_some((code, weight))
            });
        let Some((code, weight)) = parsed else {
            return Err(PriorError::Line {
                line: number,
                example: format!("{} 1.5", notation.write(codes.len() as CodeId / 2)),
                found: quote(line.as_bytes()),
            });
        };
        if let Some(first) = seen.insert(code, number) {
            return Err(PriorError::Twice {
                line: number,
                code: notation.write(code),
                first,
            });
        }
        weights[code as usize] = weight;
    }
    let sum: f64 = weights.iter().sum();
    if !(sum > 0.0 && sum.is_finite()) {
        return Err(PriorError::Sum {
            sum: sum.to_string(),
            lines: seen.len(),
        });
    }
    Ok(Posterior::from_prior(&weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;

    #[test]
    fn weights_become_probabilities() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let prior = parse(
            &Notation::new(&codes, None).unwrap(),
            "# mine\n\n123 3\n7 2 0,1\n456\t0\n",
        )
        .unwrap();
        let probability = |text| prior.probability(game::find(&codes, text).unwrap());
        assert_eq!(
            (probability("123"), probability("720"), probability("456")),
            (0.75, 0.25, 0.0)
        );
        assert_eq!(prior.support().len(), 2);
        let tiny = parse(&Notation::new(&codes, None).unwrap(), "123 1e-320").unwrap();
        assert_eq!((tiny.total(), tiny.entropy_bits()), (1.0, 0.0));
    }

    #[test]
    fn the_solver_reads_the_same_priors() {
        for game in ["hitblow 3 10", "mastermind 2 12", "hitblow 1 64"] {
            let codes = game::codes(game).unwrap();
            let notation = Notation::new(&codes, None).unwrap();
            for text in [
                "# mine\n\n123 3\n7 2 0,1\n456\t0\n",
                "0,11 2\n11, 0 1.5\n",
                "63 1\n0 0.25\n",
                "",
                "123 1\n123 2\n",
                "123 -1",
                "123 inf",
                "112 1",
                "123",
                "12 3 4 5",
            ] {
                let (here, there) = (
                    parse(&notation, text).ok(),
                    crate::solver::prior::parse(&codes, text).ok(),
                );
                assert_eq!(here.is_some(), there.is_some(), "{game}: {text:?}");
                for code in 0..codes.len() as CodeId {
                    let both =
                        [&here, &there].map(|prior| prior.as_ref().map(|p| p.probability(code)));
                    assert_eq!(both[0], both[1], "{game}: {text:?}");
                }
            }
        }
    }

    #[test]
    fn malformed_priors_are_refused() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let notation = Notation::new(&codes, None).unwrap();
        let refused = |text| parse(&notation, text).err().unwrap().to_string();
        insta::assert_snapshot!(refused(""), @"expected weights with a sum greater than 0 and finite, found a sum of 0 over 0 codes");
        insta::assert_snapshot!(refused("123 0\n456 0\n"), @"expected weights with a sum greater than 0 and finite, found a sum of 0 over 2 codes");
        insta::assert_snapshot!(refused("123 1\n# again\n123 2\n"), @"line 3: expected each code once, found 123 again (first in line 1)");
        insta::assert_snapshot!(refused("123 -1\n"), @r#"line 1: expected a code of the game and a weight of at least 0, such as "501 1.5", found "123 -1""#);
        insta::assert_snapshot!(refused("112 1\n"), @r#"line 1: expected a code of the game and a weight of at least 0, such as "501 1.5", found "112 1""#);
        insta::assert_snapshot!(refused("123 inf\n"), @r#"line 1: expected a code of the game and a weight of at least 0, such as "501 1.5", found "123 inf""#);
        insta::assert_snapshot!(refused("123\n"), @r#"line 1: expected a code of the game and a weight of at least 0, such as "501 1.5", found "123""#);
        insta::assert_snapshot!(refused("123 1e308\n456 1e308\n"), @"expected weights with a sum greater than 0 and finite, found a sum of inf over 2 codes");
    }
}
