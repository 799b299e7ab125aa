//! Suggestions of similar names.

/// Maximum length, in characters, of names that are compared.
const MAX_NAME_CHARS: usize = 60;

/// Returns the candidate that is most similar to `name`: at most a third of its characters, but at least one, may be
/// deleted, inserted, substituted or transposed with a neighbor. ASCII case and underscores are ignored.
pub fn suggest_similar(name: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = normalize(name)?;
    let allowed = (name.len() / 3).max(1);
    candidates
        .filter_map(|candidate| Some((distance(&name, &normalize(candidate)?), candidate)))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns a name without underscores and in lower case; `None` if it is too long.
fn normalize(name: &str) -> Option<Vec<char>> {
    let normalize: Vec<char> =
        name.chars().filter(|c| *c != '_').take(MAX_NAME_CHARS + 1).map(|c| c.to_ascii_lowercase()).collect();
    (normalize.len() <= MAX_NAME_CHARS).then_some(normalize)
}

/// Returns the optimal string alignment distance: Levenshtein distance with transpositions of neighbors.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous: Option<char> = None;
    for (row, &left) in a.iter().enumerate() {
        let mut line = Vec::with_capacity(b.len() + 1);
        line.push(row + 1);
        for (column, &right) in b.iter().enumerate() {
            let at = |line: &[usize], place: usize| line.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut best = at(&last, column) + usize::from(left != right);
            best = best.min(at(&last, column + 1) + 1).min(at(&line, column) + 1);
            let crossed = column > 0 && b.get(column - 1) == Some(&left) && previous == Some(right);
            if crossed {
                best = best.min(at(&before, column - 1) + 1);
            }
            line.push(best);
        }
        previous = Some(left);
        before = std::mem::replace(&mut last, line);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(a: &str, b: &str) -> usize {
        distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>())
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "acb", 1),
            ("summary", "sumary", 1),
            ("ab", "ba", 1),
            ("ca", "abc", 3),
            ("kitten", "sitting", 3),
            ("é", "e", 1),
        ] {
            assert_eq!(between(a, b), expected, "{a} {b}");
            assert_eq!(between(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn suggests_only_similar_names() {
        let members = || ["summary", "start", "end", "dateTime", "id"].into_iter();
        assert_eq!(suggest_similar("sumary", members()), Some("summary"));
        assert_eq!(suggest_similar("strat", members()), Some("start"));
        assert_eq!(suggest_similar("date_time", members()), Some("dateTime"));
        assert_eq!(suggest_similar("ID", members()), Some("id"));
        assert_eq!(suggest_similar("location", members()), None);
        assert_eq!(suggest_similar(&"x".repeat(1000), members()), None);
        assert_eq!(suggest_similar("", members()), None);
    }
}
