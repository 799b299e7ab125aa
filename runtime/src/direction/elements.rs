//! Matching of the elements of a list with the stored elements.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Direction;

/// Pairs each element with the stored element that has the same identifier. Of several identifiers, the first that both
/// have is used; of several stored elements with the same identifier, the first one.
pub(super) fn pairs<'l, T: Direction>(list: &'l mut [T], stored: &'l [T]) -> Vec<(&'l mut T, &'l T)> {
    if T::IDENTIFIERS == 0 || list.is_empty() || stored.is_empty() {
        return Vec::new();
    }
    let mut known: HashMap<(usize, Cow<'_, str>), &'l T> = HashMap::with_capacity(stored.len());
    for element in stored {
        for number in 0..T::IDENTIFIERS {
            if let Some(identifier) = element.identifier(number) {
                known.entry((number, identifier)).or_insert(element);
            }
        }
    }
    let find = |element: &T| {
        (0..T::IDENTIFIERS).find_map(|number| {
            let identifier = element.identifier(number)?;
            known.get(&(number, Cow::Borrowed(&*identifier))).copied()
        })
    };
    list.iter_mut()
        .filter_map(|element| {
            let stored = find(element)?;
            Some((element, stored))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Guest {
        id: Option<&'static str>,
        email: Option<&'static str>,
    }

    impl Direction for Guest {
        const IDENTIFIERS: usize = 2;

        fn identifier(&self, number: usize) -> Option<Cow<'_, str>> {
            match number {
                0 => self.id.map(Cow::Borrowed),
                _ => self.email.map(|email| email.to_ascii_lowercase().into()),
            }
        }
    }

    const fn guest(id: Option<&'static str>, email: Option<&'static str>) -> Guest {
        Guest { id, email }
    }

    #[test]
    fn elements_are_found_by_the_first_identifier_that_both_have() {
        let stored = [
            guest(Some("1"), Some("ana@x")),
            guest(None, Some("bo@x")),
            guest(None, Some("bo@x")),
            guest(Some("bo@x"), None),
        ];
        let cases = [
            (guest(Some("1"), Some("bo@x")), Some(0)),
            (guest(Some("9"), Some("BO@x")), Some(1)),
            (guest(None, Some("bo@x")), Some(1)),
            (guest(Some("bo@x"), None), Some(3)),
            (guest(Some("2"), Some("new@x")), None),
            (guest(None, None), None),
        ];
        for (number, (element, expected)) in cases.into_iter().enumerate() {
            let mut list = [element];
            let found = pairs(&mut list, &stored).first().map(|(_, found)| *found);
            let found = found.and_then(|found| stored.iter().position(|element| std::ptr::eq(element, found)));
            assert_eq!(found, expected, "{number}");
        }
        assert!(pairs(&mut [], &stored).is_empty());
        assert!(pairs(&mut [guest(Some("1"), None)], &[]).is_empty());
    }
}
