//! A published figure beside the one that is computed now.

/// One published figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The article's number.
    pub article: &'static str,
    /// What is counted or computed.
    pub what: String,
    /// As printed in the article.
    pub published: String,
    /// As computed here.
    pub measured: String,
    /// Whether the two agree, or why not.
    pub agreement: Agreement,
}

/// Whether a figure is what was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The figures agree.
    Agrees,
    /// They differ, for this known reason.
    Explained(&'static str),
    /// They differ, and should agree.
    Differs,
}

/// A figure that must be equal to the published one, to the last letter.
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

/// Figures that must be equal to the published ones: what is counted, the published figure, the figure here.
pub(super) fn all_exact<'a>(
    article: &'static str,
    figures: impl IntoIterator<Item = (impl Into<String>, &'a str, String)>,
) -> Vec<Figure> {
    let figures = figures.into_iter();
    figures
        .map(|(what, published, measured)| exact(article, what, published, measured))
        .collect()
}

/// A figure that is known to differ from the published one. It must be `known`.
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
