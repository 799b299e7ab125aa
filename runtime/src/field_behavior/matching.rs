//! Matching of the elements of a list with the stored elements.

use std::borrow::Cow;
use std::collections::HashMap;

use super::FieldBehavior;

/// Pairs each element with the stored element that has the same identifier. Of several identifiers, the first that both
/// have is used; of several stored elements with the same identifier, the first one.
pub(super) fn pair_by_identifier<'l, T: FieldBehavior>(list: &'l mut [T], stored: &'l [T]) -> Vec<(&'l mut T, &'l T)> {
    if list.is_empty() {
        return Vec::new();
    }
    // An identifier is equal only to one of the same member.
    let mut known: HashMap<(usize, Cow<'_, str>), &'l T> = HashMap::new();
    for element in stored {
        for (member, identifier) in element.identifiers().into_iter().enumerate() {
            if let Some(identifier) = identifier {
                known.entry((member, identifier)).or_insert(element);
            }
        }
    }
    if known.is_empty() {
        return Vec::new();
    }
    let find = |element: &T| {
        element
            .identifiers()
            .into_iter()
            .enumerate()
            .find_map(|(member, identifier)| known.get(&(member, Cow::Borrowed(&*identifier?))).copied())
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

    impl FieldBehavior for Guest {
        fn identifiers(&self) -> impl IntoIterator<Item = Option<Cow<'_, str>>> {
            [self.id.map(Cow::Borrowed), self.email.map(|email| email.to_ascii_lowercase().into())]
        }
    }

    const fn guest(id: Option<&'static str>, email: Option<&'static str>) -> Guest {
        Guest { id, email }
    }

    #[test]
    fn elements_match_by_the_first_common_identifier() {
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
            let found = pair_by_identifier(&mut list, &stored).first().map(|(_, found)| *found);
            let found = found.and_then(|found| stored.iter().position(|element| std::ptr::eq(element, found)));
            assert_eq!(found, expected, "{number}");
        }
        assert!(pair_by_identifier(&mut [], &stored).is_empty());
        assert!(pair_by_identifier(&mut [guest(Some("1"), None)], &[]).is_empty());
    }
}
