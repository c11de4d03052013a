//! Words of a line that tests type. Several packages use it.

/// The words of a line as it is typed; what stands between quotes, all of one kind, is one word.
pub fn words(line: &str) -> Vec<&str> {
    let parts = line.split(['\'', '"']).enumerate();
    let words = parts.flat_map(|(number, part)| match number % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.collect()
}
