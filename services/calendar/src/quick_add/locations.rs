//! Locations: `at Roof`, `in Room 5`, `@ the mill`.

use super::lex::{Kind, Token};
use super::{names, title};

/// Words that end a location.
const END_WORDS: [&str; 9] = ["with", "for", "on", "at", "by", "from", "about", "every", "until"];

/// Finds the location among the unused tokens, and marks its tokens.
pub(super) fn find(tokens: &[Token<'_>], used: &mut [bool]) -> Option<String> {
    let is_free = |at: usize| used.get(at) == Some(&false);
    let begin = (0..tokens.len()).find(|at| is_free(*at) && is_free(*at + 1) && begins(tokens, *at))?;
    let mut end = begin + 2;
    while is_free(end) && tokens.get(end).is_some_and(|token| !ends_location(token)) {
        end += 1;
    }
    let mut place = title::join(tokens.get(begin + 1..end)?);
    place.truncate(place.trim_end_matches(['.', '!', '?']).trim_end().len());
    if place.is_empty() {
        return None;
    }
    used.iter_mut().take(end).skip(begin).for_each(|used| *used = true);
    Some(place)
}

/// Returns whether a location follows the token at `at`.
fn begins(tokens: &[Token<'_>], at: usize) -> bool {
    let (Some(sign), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else { return false };
    let is_time = next.kind == Kind::Word && names::is_name(next.text);
    let is_name = next.kind == Kind::Quoted || (next.is_capitalized() && !is_time);
    if sign.is_symbol(&['@']) {
        return sign.spaced && next.kind != Kind::Symbol;
    }
    if !sign.spaced || !next.spaced {
        return false;
    }
    (sign.is_word(&["at"]) && (is_name || next.is_word(&["the"]))) || (sign.is_word(&["in"]) && is_name)
}

fn ends_location(token: &Token<'_>) -> bool {
    token.is_word(&END_WORDS) || token.is_symbol(&[',', ';', '(']) || (token.spaced && token.is_symbol(&['@']))
}
