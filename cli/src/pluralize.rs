//! Counts in messages.

/// Formats a count with its noun, such as `1 file` or `2 files`; the noun is given in the plural.
pub fn pluralize(count: usize, plural: &str) -> String {
    if count != 1 {
        return format!("{count} {plural}");
    }
    let one = match plural.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if plural.ends_with("sses") => plural.strip_suffix("es").unwrap_or(plural).to_owned(),
        None => plural.strip_suffix('s').unwrap_or(plural).to_owned(),
    };
    format!("1 {one}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_singular_for_one() {
        let words = ["files", "losses", "dependencies", "bytes", "enum values"];
        assert_eq!(
            words.map(|word| pluralize(1, word)),
            ["1 file", "1 loss", "1 dependency", "1 byte", "1 enum value"]
        );
        assert_eq!(words.map(|word| pluralize(0, word)), words.map(|word| format!("0 {word}")));
        assert_eq!(pluralize(2, "losses"), "2 losses");
    }
}
