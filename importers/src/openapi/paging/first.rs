//! First number of a page or an item, which the description, the default, the response or the minimum of a parameter
//! states. Where they do not, or contradict each other, a client would skip or repeat a page.

use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::Value;

use super::Input;

/// Words before the first number, such as `starts at 0`.
const STARTS: [&str; 13] = [
    "start",
    "starts",
    "starting",
    "started",
    "begin",
    "begins",
    "beginning",
    "indexed",
    "indexing",
    "counted",
    "counting",
    "numbered",
    "numbering",
];

/// Words between these and the number.
const LINKS: [&str; 10] = ["at", "from", "with", "by", "is", "has", "number", "page", "index", "the"];

/// Words after the number of a numbering, such as `0-based`.
const BASES: [&str; 4] = ["based", "indexed", "index", "origin"];

/// Words for items, in the description of an offset.
const ITEMS: [&str; 16] = [
    "item",
    "items",
    "record",
    "records",
    "result",
    "results",
    "row",
    "rows",
    "element",
    "elements",
    "entry",
    "entries",
    "object",
    "objects",
    "resource",
    "resources",
];

/// Returns the first number of a parameter, and where it is stated; `None` if nothing states it, or if two sources
/// contradict each other. `shape` is the number that the response or the name implies.
pub fn first(input: &Input<'_>, shape: Option<(i32, &'static str)>) -> Option<(i32, &'static str)> {
    let text = described(input.doc)?;
    let default = input.default.and_then(zero_or_one);
    let min = input.min.and_then(zero_or_one);
    let stated = text.or(default);
    // A minimum of zero can be that of any count; one excludes zero.
    let contradicts =
        text.is_some_and(|text| default.is_some_and(|default| default != text)) || stated == Some(0) && min == Some(1);
    if contradicts {
        return None;
    }
    let sources = [
        (text, "according to its description"),
        (default, "according to its default"),
        (min.filter(|min| *min == 1), "according to its minimum"),
        (shape.map(|(first, _)| first), shape.map_or("", |(_, source)| source)),
        (min, "according to its minimum"),
    ];
    let (first, source) = sources.into_iter().find_map(|(first, source)| Some((first?, source)))?;
    (min != Some(1) || first == 1).then_some((first, source))
}

/// Returns whether a description of an offset counts pages instead of items.
pub fn counts_pages(doc: &str) -> bool {
    let words = words(doc);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    has(&["page", "pages"]) && !has(&ITEMS)
}

/// Returns the words of a text in lower case, with `zero` and `one` as digits.
pub fn words(doc: &str) -> Vec<String> {
    let words = doc.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .map(|word| match word.to_lowercase().as_str() {
            "zero" => "0".to_owned(),
            "one" => "1".to_owned(),
            other => other.to_owned(),
        })
        .collect()
}

/// Returns the number that a description states, if any; `None` if it states both.
fn described(doc: &str) -> Option<Option<i32>> {
    let words = words(doc);
    let states = |number: &str| (0..words.len()).any(|at| is_stated(&words, at, number));
    match (states("0"), states("1")) {
        (true, true) => None,
        (true, false) => Some(Some(0)),
        (false, true) => Some(Some(1)),
        (false, false) => Some(None),
    }
}

/// Returns whether the word at an index is this number, as the first one: `0-based`, `(0..N)`, `starts at 0`, `the first
/// page is 0`, `0 is the first page`.
fn is_stated(words: &[String], at: usize, number: &str) -> bool {
    if words.get(at).is_none_or(|word| word != number) {
        return false;
    }
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    let follows_range = word(at + 1) == "n";
    let is_first = matches!(word(at + 1), "is" | "being" | "for" | "as" | "means")
        && word(at + 2) == "the"
        && word(at + 3) == "first";
    let mut before = words.iter().take(at).rev().map(String::as_str).skip_while(|word| LINKS.contains(word));
    let start = before.next().unwrap_or_default();
    let is_started = STARTS.contains(&start) || start == "first" && at > 0 && word(at - 1) != "the";
    BASES.contains(&word(at + 1)) || follows_range || is_first || is_started
}

/// Returns a number that is zero or one.
fn zero_or_one(raw: &Raw) -> Option<i32> {
    match &raw.0.value {
        Value::Scalar(text, _) if text == "0" => Some(0),
        Value::Scalar(text, _) if text == "1" => Some(1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::described;

    #[test]
    fn descriptions_state_the_first_number() {
        let table = [
            ("Zero-based page index (0..N)", Some(Some(0))),
            ("Page number (0-indexed).", Some(Some(0))),
            ("The page, starting at 0.", Some(Some(0))),
            ("Page number, starts from one", Some(Some(1))),
            ("The first page is 1.", Some(Some(1))),
            ("The 1-based index of the first result.", Some(Some(1))),
            ("Which page; 0 is the first page.", Some(Some(0))),
            ("Number of the page (first page = 0)", Some(Some(0))),
            ("1-based, not 0-based.", None),
            ("The page. At least 1 result is returned per page.", Some(None)),
            ("Returns one page of the first results.", Some(None)),
            ("Page number.", Some(None)),
            ("", Some(None)),
        ];
        for (doc, expected) in table {
            assert_eq!(described(doc), expected, "{doc}");
        }
    }
}
