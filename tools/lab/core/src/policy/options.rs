//! Options of policies.

/// Options of a policy; `None` for the default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Which guesses are considered.
    pub pool: Option<Pool>,
    /// Which of equally good guesses is taken.
    pub tie: Option<Tie>,
    /// Bits that a hit counts, times its probability (article 003).
    pub hit_bonus: Option<f64>,
    /// C in log2(1/p + C), what a hit of probability p counts (article 004).
    pub hit_gain: Option<f64>,
    /// For random choices.
    pub seed: Option<u64>,
    /// Whether secrets have a prior.
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
    /// `--seed`, but only with `--tie random`
    TieSeed,
    /// `--prior`
    Prior,
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
            Self::TieSeed => "--seed with --tie random",
            Self::Prior => "--prior",
        }
    }
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
    /// Any of them, drawn once for each node of the tree (see --seed)
    Random,
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

/// Checks the options of a policy that takes these.
///
/// # Errors
/// If it takes fewer, or a number is out of range.
pub fn check(
    policy: &'static str,
    takes: &'static [PolicyOption],
    options: &Options,
) -> Result<(), PolicyError> {
    let breaks_ties = takes.contains(&PolicyOption::TieSeed) && options.tie == Some(Tie::Random);
    let typed = [
        (PolicyOption::Pool, options.pool.is_some()),
        (PolicyOption::Tie, options.tie.is_some()),
        (PolicyOption::HitBonus, options.hit_bonus.is_some()),
        (PolicyOption::HitGain, options.hit_gain.is_some()),
        (PolicyOption::Seed, options.seed.is_some() && !breaks_ties),
        (PolicyOption::Prior, options.prior),
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
        ("--hit-bonus", options.hit_bonus),
        ("--hit-gain", options.hit_gain),
    ] {
        if let Some(found) = value.filter(|value| !value.is_finite() || *value < 0.0) {
            return Err(PolicyError::Number { option, found });
        }
    }
    if options.hit_bonus.is_some() && options.hit_gain.is_some() {
        return Err(PolicyError::TwoHits);
    }
    Ok(())
}
