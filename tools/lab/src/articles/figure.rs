//! A published figure beside the one that is computed now.

/// One published figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The article's number.
    pub article: &'static str,
    /// What is said to be so.
    pub what: String,
    /// As printed there; `formula` where only a formula is.
    pub published: String,
    /// As computed here.
    pub measured: String,
    /// Whether the two agree, or why not.
    pub agreement: Agreement,
}

/// Whether a figure is what was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It is.
    Agrees,
    /// It is not, or not quite, and this is known to be why.
    Explained(&'static str),
    /// It is not, and should be.
    Differs,
}

/// A figure that should be what was published, to the last letter.
pub(super) fn exact(
    article: &'static str,
    what: impl Into<String>,
    published: &str,
    measured: String,
) -> Figure {
    let agreement = if published == measured {
        Agreement::Agrees
    } else {
        Agreement::Differs
    };
    Figure {
        article,
        what: what.into(),
        published: published.to_owned(),
        measured,
        agreement,
    }
}

/// A figure that is known not to be what was published. It should be `known`, all the same.
pub(super) fn explained(
    article: &'static str,
    what: &str,
    published: &str,
    (known, measured): (&str, String),
    why: &'static str,
) -> Figure {
    let agreement = if known == measured {
        Agreement::Explained(why)
    } else {
        Agreement::Differs
    };
    Figure {
        article,
        what: what.to_owned(),
        published: published.to_owned(),
        measured,
        agreement,
    }
}
