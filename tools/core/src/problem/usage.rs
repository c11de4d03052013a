//! What a problem's usage says of its parameters.

/// The form of a usage that these words have, such as `hitblow P K` for `hitblow 3 10`: the statement of the problem calls
/// the parameters so. `None` if no form has names, or the words are of none.
pub fn usage_form<'a>(usage: &'a str, words: &str) -> Option<&'a str> {
    let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase());
    let fits = |form: &&str| {
        let (names, words) = (form.split(' '), words.split(' '));
        names.clone().any(is_name)
            && names.clone().count() == words.clone().count()
            && names
                .zip(words)
                .all(|(name, word)| name == word || is_name(name))
    };
    let forms = usage.split(", or ");
    forms
        .filter_map(|form| form.split(" with ").next())
        .find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Spec;

    #[test]
    fn names_of_parameters_stand_beside_their_values() {
        let of = |words: &str| usage_form(Spec::parse(words).unwrap().problem.usage(), words);
        assert_eq!(of("hitblow 3 10"), Some("hitblow P K"));
        assert_eq!(of("distance 3 10 2.5"), Some("distance P K SIGMA"));
        assert_eq!(of("balance 5 odd"), Some("balance N odd"));
        assert_eq!(usage_form("coin", "coin"), None);
        assert_eq!(usage_form("treasure N with 4 <= N <= 20", "5 3"), None);
    }
}
