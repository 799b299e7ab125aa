//! Suggestions of similar names.

/// Returns the candidate nearest to `written`, if it is near enough.
///
/// Near enough is an edit distance of a third of the longer word's length, ignoring case. Ties are resolved
/// alphabetically, so that the result does not depend on the order of definition.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    ranked(written, candidates).min().map(|(_, candidate)| candidate)
}

/// Returns the key of a mapping that is nearest to an unknown one, like [`nearest`]. Of equally near keys, one that the
/// mapping does not have yet is preferred.
pub fn nearest_key<'a>(
    written: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    is_present: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let ranked = ranked(written, candidates);
    ranked.min_by_key(|(distance, key)| (*distance, is_present(key), *key)).map(|(_, key)| key)
}

/// Returns the candidates that are near enough, with their edit distances.
fn ranked<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> impl Iterator<Item = (usize, &'a str)> {
    let lower = written.to_lowercase();
    let length = written.chars().count();
    candidates.into_iter().filter_map(move |candidate| {
        let other = candidate.chars().count();
        let limit = (length.max(other) / 3).max(1);
        if length.abs_diff(other) > limit {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        (distance <= limit).then_some((distance, candidate))
    })
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_key};

    #[test]
    fn finds_a_slip_and_leaves_unknown_words_alone() {
        assert_eq!(nearest("Evnt", ["Person", "Event"]), Some("Event"));
        assert_eq!(nearest("descripton", ["doc", "description"]), Some("description"));
        assert_eq!(nearest("colour", ["doc", "type"]), None);
        assert_eq!(nearest("EVENT", ["Event"]), Some("Event"));
    }

    #[test]
    fn an_absent_key_is_preferred_to_an_equally_near_one() {
        let keys = ["max", "min"];
        assert_eq!(nearest_key("mix", keys, |_| false), Some("max"));
        assert_eq!(nearest_key("mix", keys, |key| key == "max"), Some("min"));
        assert_eq!(nearest_key("maxx", keys, |key| key == "max"), Some("max"));
    }
}
