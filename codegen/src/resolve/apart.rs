//! Which paths can be told apart: by their fixed text, whatever their variables are called.

use std::collections::HashMap;

/// Addresses by what they are of: methods and paths in which `{}` stands for each variable, and `{+}` for one of any length,
/// such as `GET/files/{}.json:verb`.
#[derive(Debug)]
pub struct Addresses<T> {
    same: HashMap<String, T>,
    /// Those that servers try in no particular order, since they fix as much as one another.
    alike: HashMap<String, Vec<(String, T)>>,
}

/// An address that cannot be told from another one, and what that is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confused<T> {
    /// Both are the same.
    Same(T),
    /// Some paths are of both, and none of them is the one that is meant.
    Alike(T),
}

impl<T> Default for Addresses<T> {
    fn default() -> Self {
        Self { same: HashMap::new(), alike: HashMap::new() }
    }
}

impl<T: Copy> Addresses<T> {
    /// Adds an address, which another one may be told from or not.
    pub fn add(&mut self, address: &str, of: T) -> Option<Confused<T>> {
        if let Some(first) = self.same.insert(address.to_owned(), of) {
            return Some(Confused::Same(first));
        }
        let others = self.alike.entry(fixed(address)?).or_default();
        let found = others.iter().find(|(other, _)| meet(address, other)).map(|(_, other)| Confused::Alike(*other));
        others.push((address.to_owned(), of));
        found
    }
}

/// The segments of an address, and its verb.
fn divided(address: &str) -> (impl Iterator<Item = &str> + Clone, Option<&str>) {
    let verb = address.rsplit_once(':').filter(|(_, verb)| !verb.contains(['}', '/']));
    let (path, verb) = verb.map_or((address, None), |(path, verb)| (path, Some(verb)));
    (path.split('/'), verb)
}

/// Whether text stands beside a variable.
fn is_beside(segment: &str) -> bool {
    segment.contains("{}") && segment != "{}"
}

/// What servers go by where segments have text beside variables: how much of it there is. None without such a segment.
fn fixed(address: &str) -> Option<String> {
    let (segments, verb) = divided(address);
    let segments = segments.clone().any(is_beside).then_some(segments)?;
    let shown = |segment: &str| match is_beside(segment) {
        true => segment.replace("{}", "").len().to_string() + "{}",
        false => segment.to_owned(),
    };
    let shown: Vec<String> = segments.map(shown).collect();
    Some(format!("{}:{}", shown.join("/"), verb.unwrap_or_default()))
}

/// Whether a path can be of two addresses that fix as much as one another.
fn meet(a: &str, b: &str) -> bool {
    let together = |a: &str, b: &str| {
        let ((a_start, a_end), (b_start, b_end)) = (ends(a), ends(b));
        // Whatever else is fixed, one variable can hold it for the other.
        (a_start.starts_with(b_start) || b_start.starts_with(a_start))
            && (a_end.ends_with(b_end) || b_end.ends_with(a_end))
    };
    divided(a).0.zip(divided(b).0).all(|(a, b)| a == b || together(a, b))
}

/// The text before the first variable, and behind the last.
fn ends(segment: &str) -> (&str, &str) {
    let start = segment.split_once("{}").map_or(segment, |(start, _)| start);
    (start, segment.rsplit_once("{}").map_or(segment, |(_, end)| end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(first: &str, second: &str) -> Option<Confused<u8>> {
        let mut addresses = Addresses::default();
        assert_eq!(addresses.add(first, 1), None);
        addresses.add(second, 2)
    }

    #[test]
    fn paths_are_told_apart_by_how_much_they_fix_or_by_what() {
        let (same, alike) = (Some(Confused::Same(1)), Some(Confused::Alike(1)));
        for (a, b, expected) in [
            ("GET/a/{}", "GET/a/{}", same),
            ("GET/{}.json", "GET/{}.json", same),
            ("GET/{}.json", "GET/{}.html", None),
            ("GET/{}.json", "PUT/{}.json", None),
            ("GET/{}.json", "GET/{}", None),
            ("GET/{}.json", "GET/a{}", None),
            ("GET/a{}", "GET/{}a", alike),
            ("GET/a{}", "GET/b{}", None),
            ("GET/a/v{}", "GET/b/{}v", None),
            ("GET/{}/v{}", "GET/{}/{}v", alike),
            ("GET/{}/v{}", "GET/b/{}v", None),
            ("GET/v{}/x", "GET/{}v", None),
            ("GET/{}-{}", "GET/{}_{}", alike),
            ("GET/{}-{}", "GET/{}.{}-", None),
            ("GET/a{}", "GET/{}:a", None),
            ("GET/a{}:run", "GET/{}a", None),
            ("GET/a{}:run", "GET/{}a:run", alike),
        ] {
            assert_eq!(second(a, b), expected, "{a} {b}");
            assert_eq!(second(b, a), expected, "{b} {a}");
        }
    }
}
