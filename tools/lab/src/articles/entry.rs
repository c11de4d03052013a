//! Something that an article says or asks, beside what is computed now.

use serde::Serialize;

/// Something that an article says or asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The article's number.
    pub article: &'static str,
    /// What it is.
    pub kind: Kind,
    /// What is counted, computed or asked.
    pub what: String,
    /// As the article has it.
    pub published: String,
    /// As computed here.
    pub measured: String,
    /// Whether the two agree, or why not.
    pub agreement: Agreement,
    /// What computes it, to be typed.
    pub command: &'static str,
}

/// The kinds of things that an article says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A number, a list or a game that it prints.
    Figure,
    /// What it says in words.
    Claim,
    /// What it asks, or does not explain.
    Question,
    /// What it would like to have or to try.
    Wish,
}

/// Whether what is computed is what was published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "is", content = "because")]
pub enum Agreement {
    /// They agree.
    Agrees,
    /// They differ, for this known reason.
    Explained(&'static str),
    /// The article leaves it open; this is the answer.
    Answered,
    /// They differ, and should agree.
    Differs,
}

/// Entries of one article that one command computes.
pub(super) struct Group {
    article: &'static str,
    command: &'static str,
    pub(super) entries: Vec<Entry>,
}

impl Group {
    pub(super) fn new(article: &'static str, command: &'static str) -> Self {
        Self {
            article,
            command,
            entries: vec![],
        }
    }

    /// What must be equal to the published one, to the last letter.
    pub(super) fn exact(
        &mut self,
        kind: Kind,
        what: impl Into<String>,
        published: &str,
        measured: impl Into<String>,
    ) {
        self.compared(
            kind,
            what,
            published,
            (published, measured.into()),
            Agreement::Agrees,
        );
    }

    /// The same for a figure.
    pub(super) fn figure(
        &mut self,
        what: impl Into<String>,
        published: &str,
        measured: impl Into<String>,
    ) {
        self.exact(Kind::Figure, what, published, measured);
    }

    /// What differs from what was published, and is known to be `known`.
    pub(super) fn explained(
        &mut self,
        kind: Kind,
        what: impl Into<String>,
        published: &str,
        (known, measured): (&str, String),
        why: &'static str,
    ) {
        self.compared(
            kind,
            what,
            published,
            (known, measured),
            Agreement::Explained(why),
        );
    }

    /// What is left open, and is known to be `known`.
    pub(super) fn answered(
        &mut self,
        kind: Kind,
        what: impl Into<String>,
        said: &str,
        (known, measured): (&str, String),
    ) {
        self.compared(kind, what, said, (known, measured), Agreement::Answered);
    }

    fn compared(
        &mut self,
        kind: Kind,
        what: impl Into<String>,
        published: &str,
        (known, measured): (&str, String),
        agreement: Agreement,
    ) {
        let agreement = if known == measured {
            agreement
        } else {
            Agreement::Differs
        };
        self.entries.push(Entry {
            article: self.article,
            kind,
            what: what.into(),
            published: published.to_owned(),
            measured,
            agreement,
            command: self.command,
        });
    }
}
