//! What a person typed with an input method for Japanese.

/// The same in ASCII: full-width letters, digits and signs, and the signs of a Japanese keyboard that stand for a
/// blank, a comma and a minus.
pub fn plain(typed: &str) -> String {
    typed.chars().map(narrow).collect()
}

fn narrow(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        '、' => ',',
        // The key of the minus gives the sign of a long vowel while kana are typed.
        'ー' | '−' => '-',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn signs_of_a_japanese_keyboard_are_plain() {
        assert_eq!(plain("？\u{3000}１　２"), "? 1 2");
        assert_eq!(plain("１、２，３"), "1,2,3");
        assert_eq!(plain("！ ３ ー"), "! 3 -");
        assert_eq!(plain("−２２ ＜＝＞ ｈｉｎｔ"), "-22 <=> hint");
        assert_eq!(plain("第 1 版\t"), "第 1 版\t");
    }
}
