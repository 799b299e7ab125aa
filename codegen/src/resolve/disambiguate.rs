//! Ambiguity of path templates, independent of the names of their variables.

use std::collections::HashMap;

/// Values by path key: a method and a path with `{}` for each variable and `{+}` for one that spans segments, such as
/// `GET/files/{}.json:verb`.
#[derive(Debug)]
pub struct PathMap<T> {
    same: HashMap<String, T>,
    /// Paths with the same precedence, which servers try in no particular order.
    by_shape: HashMap<String, Vec<(String, T)>>,
}

/// Conflict of a path with another one, with the value of the latter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathConflict<T> {
    /// Both paths are the same.
    Same(T),
    /// Some requests match both paths, and neither takes precedence.
    Ambiguous(T),
}

impl<T> Default for PathMap<T> {
    fn default() -> Self {
        Self { same: HashMap::new(), by_shape: HashMap::new() }
    }
}

impl<T: Copy> PathMap<T> {
    /// Adds a path, and returns a conflict with an earlier one if there is any.
    pub fn add(&mut self, address: &str, of: T) -> Option<PathConflict<T>> {
        if let Some(first) = self.same.insert(address.to_owned(), of) {
            return Some(PathConflict::Same(first));
        }
        let others = self.by_shape.entry(fixed(address)?).or_default();
        let found =
            others.iter().find(|(other, _)| overlap(address, other)).map(|(_, other)| PathConflict::Ambiguous(*other));
        others.push((address.to_owned(), of));
        found
    }
}

/// Splits a path key into its segments and its verb.
fn split_key(address: &str) -> (impl Iterator<Item = &str> + Clone, Option<&str>) {
    let verb = address.rsplit_once(':').filter(|(_, verb)| !verb.contains(['}', '/']));
    let (path, verb) = verb.map_or((address, None), |(path, verb)| (path, Some(verb)));
    (path.split('/'), verb)
}

/// Returns whether a segment mixes text and variables.
fn is_mixed(segment: &str) -> bool {
    segment.contains("{}") && segment != "{}"
}

/// Returns the precedence of a path whose segments mix text and variables: the amount of text. Returns `None` for
/// other paths.
fn fixed(address: &str) -> Option<String> {
    let (segments, verb) = split_key(address);
    let segments = segments.clone().any(is_mixed).then_some(segments)?;
    let shown = |segment: &str| match is_mixed(segment) {
        true => segment.replace("{}", "").len().to_string() + "{}",
        false => segment.to_owned(),
    };
    let shown: Vec<String> = segments.map(shown).collect();
    Some(format!("{}:{}", shown.join("/"), verb.unwrap_or_default()))
}

/// Returns whether a request can match two paths of the same precedence.
fn overlap(a: &str, b: &str) -> bool {
    let together = |a: &str, b: &str| {
        let ((a_start, a_end), (b_start, b_end)) = (prefix_and_suffix(a), prefix_and_suffix(b));
        // A variable can match whatever the other segment has between the ends.
        (a_start.starts_with(b_start) || b_start.starts_with(a_start))
            && (a_end.ends_with(b_end) || b_end.ends_with(a_end))
    };
    split_key(a).0.zip(split_key(b).0).all(|(a, b)| a == b || together(a, b))
}

/// Returns the text before the first variable and after the last one.
fn prefix_and_suffix(segment: &str) -> (&str, &str) {
    let start = segment.split_once("{}").map_or(segment, |(start, _)| start);
    (start, segment.rsplit_once("{}").map_or(segment, |(_, end)| end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(first: &str, second: &str) -> Option<PathConflict<u8>> {
        let mut addresses = PathMap::default();
        assert_eq!(addresses.add(first, 1), None);
        addresses.add(second, 2)
    }

    #[test]
    fn paths_differ_by_the_amount_or_the_content_of_their_text() {
        let (same, ambiguous) = (Some(PathConflict::Same(1)), Some(PathConflict::Ambiguous(1)));
        for (a, b, expected) in [
            ("GET/a/{}", "GET/a/{}", same),
            ("GET/{}.json", "GET/{}.json", same),
            ("GET/{}.json", "GET/{}.html", None),
            ("GET/{}.json", "PUT/{}.json", None),
            ("GET/{}.json", "GET/{}", None),
            ("GET/{}.json", "GET/a{}", None),
            ("GET/a{}", "GET/{}a", ambiguous),
            ("GET/a{}", "GET/b{}", None),
            ("GET/a/v{}", "GET/b/{}v", None),
            ("GET/{}/v{}", "GET/{}/{}v", ambiguous),
            ("GET/{}/v{}", "GET/b/{}v", None),
            ("GET/v{}/x", "GET/{}v", None),
            ("GET/{}-{}", "GET/{}_{}", ambiguous),
            ("GET/{}-{}", "GET/{}.{}-", None),
            ("GET/a{}", "GET/{}:a", None),
            ("GET/a{}:run", "GET/{}a", None),
            ("GET/a{}:run", "GET/{}a:run", ambiguous),
        ] {
            assert_eq!(second(a, b), expected, "{a} {b}");
            assert_eq!(second(b, a), expected, "{b} {a}");
        }
    }
}
