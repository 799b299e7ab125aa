//! Fixed words about fields in the tables of the specifications: `RO`, `Immutable`, `Deprecated`, lengths.

use std::collections::BTreeMap;

use super::list::List;

/// Fields for which a table has more or other words than the schema: API, field, word, reason.
const READ_OTHERWISE: &[(&str, &str, &str, &str)] = &[];

/// Fields whose schemas have more words than the tables, with the reason.
const INFERRED: &[(&str, &str, &str)] = &[("calendar", "Event.id", "the path of an update names the event")];

/// Returns the differences between the statements about fields and the lines of a list.
pub fn differences(statements: &BTreeMap<String, String>, api: &str, list: &List) -> Vec<String> {
    let mut found = Vec::new();
    for (place, text) in statements {
        for (kind, word) in wanted(text) {
            let line = list.get(&format!("{kind} {place}")).unwrap_or_default();
            let is_there = line.split(' ').any(|part| part == word || part.starts_with(&format!("{word}:")))
                || (word == "deprecated" && !line.is_empty());
            let excepted = READ_OTHERWISE.iter().any(|(of, at, what, _)| (*of, *at, *what) == (api, place, &*word));
            if is_there == excepted {
                found.push(format!("{place}: the specification says `{word}` ({text}), and the list `{kind} {line}`"));
            }
        }
        let line = list.get(&format!("behavior {place}")).unwrap_or_default();
        for (word, spelled) in [("output_only", ["RO", "nly"]), ("immutable", ["mmutable", "cannot be modified"])] {
            let is = line.split(' ').any(|part| part == word);
            let says = spelled.iter().any(|spelled| text.contains(spelled));
            let is_inferred = INFERRED.iter().any(|(of, at, _)| (*of, *at) == (api, place));
            if is && !says && !is_inferred && text.split([';', '.', ' ']).any(|part| part == "W") {
                found.push(format!("{place}: the specification says `{text}`, and the list `{line}`"));
            }
        }
    }
    found
}

/// Returns the expected words of a field in a list, with the kinds of their lines.
fn wanted(text: &str) -> Vec<(&'static str, String)> {
    let mut wanted = Vec::new();
    let has_word = |word: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == word);
    if has_word("RO") {
        wanted.push(("behavior", "output_only".to_owned()));
    }
    if has_word("Immutable") || has_word("immutable") || text.contains("cannot be modified afterwards") {
        wanted.push(("behavior", "immutable".to_owned()));
    }
    if has_word("Deprecated") || has_word("deprecated") && text.to_lowercase().starts_with("deprecated") {
        wanted.push(("deprecated", "deprecated".to_owned()));
    }
    wanted.extend(number(text, "Max ", " characters").map(|most| ("text", format!("length=..{most}"))));
    wanted.extend(number(text, "max ", " characters").map(|most| ("text", format!("length=..{most}"))));
    wanted.extend(number(text, "At most ", " per").map(|most| ("text", format!("items=..{most}"))));
    wanted.extend(number(text, "Max ", " entries").map(|most| ("text", format!("items=..{most}"))));
    if let Some((_, rest)) = text.split_once("length ")
        && let Some((min, rest)) = rest.split_once(" to ")
    {
        let most: String = rest.chars().take_while(char::is_ascii_digit).collect();
        wanted.push(("text", format!("length={min}..{most}")));
    }
    wanted
}

/// Returns the number between two words.
fn number(text: &str, before: &str, after: &str) -> Option<u64> {
    let (_, rest) = text.split_once(before)?;
    let (number, _) = rest.split_once(after)?;
    number.parse().ok()
}

#[test]
fn words_are_found() {
    let wanted = |text| wanted(text).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
    assert_eq!(wanted("RO. Default false."), ["output_only"]);
    assert_eq!(wanted("Optional; immutable; length 5 to 1024;"), ["immutable", "length=5..1024"]);
    assert_eq!(wanted("Deprecated; optional"), ["deprecated"]);
    assert_eq!(wanted("Max 1300 characters. a"), ["length=..1300"]);
    assert_eq!(wanted("At most 25 per event."), ["items=..25"]);
    assert_eq!(wanted("A ROW of words that mentions RO2."), Vec::<String>::new());
}
