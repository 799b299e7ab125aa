//! Names in prose: lists of names with remarks in parentheses, enum values, defaults.

/// Name with the remark in parentheses after it.
#[derive(Debug, PartialEq, Eq)]
pub struct Item<'a> {
    pub name: &'a str,
    pub remark: &'a str,
}

/// Words that describe a field and are not values of it.
const REMARKS: [&str; 8] = ["string", "W", "RO", "Optional", "Immutable", "Deprecated", "Values", "Required"];

/// Returns whether a text can be a wire name, or a path with dots and brackets.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || "@$".contains(c))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]*@$".contains(c))
}

/// Returns the texts in backticks.
pub fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// Returns the colors in a text, such as `#16a766`.
pub fn colors(text: &str) -> impl Iterator<Item = &str> {
    let is_color = |text: &&str| text.len() == 7 && text[1..].bytes().all(|byte| byte.is_ascii_hexdigit());
    text.match_indices('#').filter_map(|(at, _)| text.get(at..at + 7)).filter(is_color)
}

pub fn without_remarks(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            depth += usize::from(*c == '(');
            let keep = depth == 0;
            depth = depth.saturating_sub(usize::from(*c == ')'));
            keep
        })
        .collect()
}

/// Splits a text at separators outside of parentheses.
fn split_outside<'a>(text: &'a str, separators: &[&str]) -> Vec<&'a str> {
    let (mut pieces, mut start, mut at, mut depth) = (Vec::new(), 0, 0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        depth += usize::from(c == '(');
        depth = depth.saturating_sub(usize::from(c == ')'));
        let found = separators.iter().find(|separator| depth == 0 && text[at..].starts_with(**separator));
        if let Some(separator) = found {
            pieces.push(text[start..at].trim());
            at += separator.len();
            start = at;
        } else {
            at += c.len_utf8();
        }
    }
    pieces.push(text[start..].trim().trim_end_matches('.'));
    pieces
}

pub fn sentences(text: &str) -> Vec<&str> {
    split_outside(text, &[". "])
}

/// Returns the names of the first sentence, without other words.
pub fn items(text: &str) -> Vec<Item<'_>> {
    pieces(text).into_iter().filter(|item| is_name(item.name) && item.name != "none").collect()
}

/// Returns the names of the first sentence, if it only lists names.
pub fn only_items(text: &str) -> Option<Vec<Item<'_>>> {
    let found = pieces(text);
    found.iter().all(|item| is_name(item.name)).then_some(found)
}

fn pieces(text: &str) -> Vec<Item<'_>> {
    let sentence = sentences(text).into_iter().next().unwrap_or_default();
    split_outside(sentence, &[", ", " and "])
        .into_iter()
        .map(|piece| {
            let (name, remark) = piece.split_once('(').unwrap_or((piece, ""));
            Item { name: name.trim(), remark: remark.trim_end_matches(')') }
        })
        .collect()
}

/// Returns the values that a text lists: sentences that consist of single words.
pub fn values(text: &str) -> Vec<String> {
    let plain = without_remarks(text);
    let mut found = Vec::new();
    for sentence in plain.split([':', '.']) {
        let words: Vec<&str> = sentence
            .split([',', ';'])
            .flat_map(|piece| piece.split(" or "))
            .map(|word| word.trim().trim_matches('`'))
            .filter(|word| !word.is_empty() && !REMARKS.contains(word))
            .collect();
        if words.iter().all(|word| is_name(word)) {
            found.extend(words.into_iter().map(String::from));
        }
    }
    if found.is_empty() {
        found.extend(quoted(&plain).into_iter().map(String::from));
    }
    found
}

/// Returns the default of a flag or a number: `default false`, `The default is 0`, `Defaults to 50`.
pub fn default_in(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.filter(|word| !["is", "to", "the", "value"].contains(word)).collect();
    let pairs = words.windows(2).filter(|pair| ["default", "defaults"].contains(&pair[0]));
    let is_value = |word: &&str| ["true", "false"].contains(word) || word.parse::<u32>().is_ok();
    pairs.map(|pair| pair[1]).find(is_value).map(ToString::to_string)
}

/// Returns the value that a text marks as the default: `confirmed (default)`.
pub fn default_value(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(" (default")?;
    before.rsplit([' ', '.']).next()
}
