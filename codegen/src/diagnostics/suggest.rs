//! Suggestions of similar names.

/// Returns the candidate nearest to `written`, if it is near enough.
///
/// Near enough is an edit distance of a third of the longer word's length, ignoring case. Ties are resolved
/// alphabetically, so that the result does not depend on the order of definition.
pub fn nearest<'a>(written: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = written.to_lowercase();
    let length = written.chars().count();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.chars().count();
            let limit = (length.max(other) / 3).max(1);
            if length.abs_diff(other) > limit {
                return None;
            }
            let distance = strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
            (distance <= limit).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_a_slip_and_leaves_unknown_words_alone() {
        assert_eq!(nearest("Evnt", ["Person", "Event"]), Some("Event"));
        assert_eq!(nearest("descripton", ["doc", "description"]), Some("description"));
        assert_eq!(nearest("colour", ["doc", "type"]), None);
        assert_eq!(nearest("EVENT", ["Event"]), Some("Event"));
    }
}
