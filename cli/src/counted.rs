//! Numbers of things in messages.

/// `1 file`, `2 files`; the things are given as several, in words that we choose ourselves.
pub fn counted(count: usize, several: &str) -> String {
    if count != 1 {
        return format!("{count} {several}");
    }
    let one = match several.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None if several.ends_with("sses") => several.strip_suffix("es").unwrap_or(several).to_owned(),
        None => several.strip_suffix('s').unwrap_or(several).to_owned(),
    };
    format!("1 {one}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_several() {
        let words = ["files", "losses", "dependencies", "bytes", "enum values"];
        assert_eq!(words.map(|word| counted(1, word)), ["1 file", "1 loss", "1 dependency", "1 byte", "1 enum value"]);
        assert_eq!(words.map(|word| counted(0, word)), words.map(|word| format!("0 {word}")));
        assert_eq!(counted(2, "losses"), "2 losses");
    }
}
