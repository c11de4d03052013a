//! What the judge says, in Japanese, for pages that are read in Japanese.

use std::collections::BTreeMap;

use crate::judge::reasons::japanese;

/// Japanese texts by their English ones; a text without a translation is left out, and a page shows it in English.
pub(crate) type Translations<'a> = BTreeMap<&'a str, String>;

/// The translations of these reasons.
///
/// Cost: some 10 µs for each different one.
pub fn translations<'a>(reasons: impl Iterator<Item = &'a str>) -> Translations<'a> {
    let mut all = Translations::new();
    for reason in reasons {
        if !all.contains_key(reason) {
            all.extend(japanese(reason).map(|text| (reason, text)));
        }
    }
    all
}
