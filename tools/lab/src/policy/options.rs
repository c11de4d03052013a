//! Options of policies: what was typed, and what it means.

/// What was typed for a policy; `None` where nothing was.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypedOptions {
    /// `--pool`
    pub pool: Option<Pool>,
    /// `--tie`
    pub tie: Option<Tie>,
    /// `--hit-bonus`
    pub hit_bonus: Option<f64>,
    /// `--hit-gain`
    pub hit_gain: Option<f64>,
    /// `--seed`
    pub seed: Option<u64>,
    /// Whether `--prior`
    pub prior: bool,
}

/// An option of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyOption {
    /// `--pool`
    Pool,
    /// `--tie`
    Tie,
    /// `--hit-bonus`
    HitBonus,
    /// `--hit-gain`
    HitGain,
    /// `--seed`
    Seed,
    /// `--prior`
    Prior,
}

/// Which guesses are considered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Pool {
    /// Codes that are still possible
    Candidates,
    /// Every code
    #[default]
    All,
}

/// Which of equally good guesses is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Tie {
    /// The smallest
    First,
    /// The most probable one, then the smallest
    #[default]
    Candidate,
}

/// What may be chosen about a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which guesses are considered.
    pub pool: Pool,
    /// Which of equally good ones is taken.
    pub tie: Tie,
    /// Bits that a hit counts, times its probability (article 003).
    pub hit_bonus: Option<f64>,
    /// C in log2(1/p + C), what a hit of probability p counts (article 004).
    pub hit_gain: Option<f64>,
    /// For random choices.
    pub seed: u64,
}

impl PolicyOption {
    /// As it is typed.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Pool => "--pool",
            Self::Tie => "--tie",
            Self::HitBonus => "--hit-bonus",
            Self::HitGain => "--hit-gain",
            Self::Seed => "--seed",
            Self::Prior => "--prior",
        }
    }
}

/// Why a policy cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PolicyError {
    /// There is none of that name.
    #[error("expected a policy ({known}), found {found:?}")]
    Unknown {
        /// What there is.
        known: String,
        /// What was typed.
        found: String,
    },
    /// It has no such option.
    #[error("expected options that go with {policy} ({takes}), found {found}")]
    Option {
        /// The policy.
        policy: &'static str,
        /// What it takes.
        takes: String,
        /// What was typed.
        found: &'static str,
    },
    /// Two values for a hit.
    #[error("expected --hit-bonus or --hit-gain, found both")]
    TwoHits,
    /// A number out of range.
    #[error("expected a finite number of at least 0 for {option}, found {found}")]
    Number {
        /// The option.
        option: &'static str,
        /// What was typed.
        found: f64,
    },
}

/// The options that were typed for a policy that takes these.
///
/// # Errors
/// If it takes less, or a number is out of range.
pub fn check(
    policy: &'static str,
    takes: &'static [PolicyOption],
    given: &TypedOptions,
) -> Result<Options, PolicyError> {
    let typed = [
        (PolicyOption::Pool, given.pool.is_some()),
        (PolicyOption::Tie, given.tie.is_some()),
        (PolicyOption::HitBonus, given.hit_bonus.is_some()),
        (PolicyOption::HitGain, given.hit_gain.is_some()),
        (PolicyOption::Seed, given.seed.is_some()),
        (PolicyOption::Prior, given.prior),
    ];
    if let Some((extra, _)) = typed.iter().find(|(o, typed)| *typed && !takes.contains(o)) {
        let takes: Vec<&str> = takes.iter().map(|option| option.flag()).collect();
        return Err(PolicyError::Option {
            policy,
            takes: if takes.is_empty() {
                "none".to_owned()
            } else {
                takes.join(", ")
            },
            found: extra.flag(),
        });
    }
    for (option, value) in [
        ("--hit-bonus", given.hit_bonus),
        ("--hit-gain", given.hit_gain),
    ] {
        if let Some(found) = value.filter(|value| !value.is_finite() || *value < 0.0) {
            return Err(PolicyError::Number { option, found });
        }
    }
    if given.hit_bonus.is_some() && given.hit_gain.is_some() {
        return Err(PolicyError::TwoHits);
    }
    Ok(Options {
        pool: given.pool.unwrap_or_default(),
        tie: given.tie.unwrap_or_default(),
        hit_bonus: given.hit_bonus,
        hit_gain: given.hit_gain,
        seed: given.seed.unwrap_or_default(),
    })
}
