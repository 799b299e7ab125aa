//! Texts of others as HTML: URLs become links, and HTML is reduced to a few elements without attributes.

mod sanitize;

use self::sanitize::{Tag, sanitize};
use crate::html::Escaped;

/// Elements after which a line ends.
const BLOCKS: [&str; 6] = ["blockquote", "br", "div", "li", "ol", "p"];
/// Beginnings of URLs that become links.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Returns a text, in which there may be HTML, as an element.
pub(crate) fn rich_text(text: &str) -> String {
    let mut tags = text.match_indices('<').filter_map(|(at, _)| Tag::parse(text.get(at..)?)?.kept());
    let Some(first) = tags.next() else {
        return format!("<div class=\"text\" dir=\"auto\">{}</div>", with_links(text));
    };
    let has_lines = BLOCKS.contains(&first) || tags.any(|name| BLOCKS.contains(&name));
    let class = if has_lines { "rich" } else { "rich text" };
    format!("<div class=\"{class}\" dir=\"auto\">{}</div>", sanitize(text))
}

/// Returns a text with links for its URLs.
pub(crate) fn with_links(text: &str) -> String {
    let mut html = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    while let Some((before, url, after)) = split_url(rest) {
        html.push_str(&Escaped(before).to_string());
        html.push_str(&linked(url));
        rest = after;
    }
    html.push_str(&Escaped(rest).to_string());
    html
}

/// Returns a link to a URL with one of the permitted schemes, or else its text.
pub(crate) fn link(url: &str) -> String {
    format!("<bdi>{}</bdi>", linked(url))
}

/// Returns the text of a URL within a link, if it may be followed.
fn linked(url: &str) -> String {
    match link_start(url) {
        Some(start) => format!("{start}{}</a>", Escaped(url)),
        None => Escaped(url).to_string(),
    }
}

/// Returns the tag of a link to a URL with one of the permitted schemes, which is followed without a referrer.
pub(crate) fn link_start(url: &str) -> Option<String> {
    let is_url = SCHEMES.iter().any(|scheme| starts_with(url, scheme)) && url.chars().all(belongs_to_url);
    is_url.then(|| format!("<a href=\"{}\" rel=\"noopener noreferrer\">", Escaped(url)))
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

fn belongs_to_url(character: char) -> bool {
    let changes_direction =
        matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !character.is_whitespace() && !character.is_control() && !"<>\"\\^`{|}".contains(character) && !changes_direction
}

/// Splits a text at its first URL.
fn split_url(text: &str) -> Option<(&str, &str, &str)> {
    let begins = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|before| !before.is_alphanumeric())
    };
    let at = text.match_indices(':').find_map(|(colon, _)| {
        SCHEMES.iter().find_map(|scheme| {
            let at = colon.checked_sub(scheme.find(':')?)?;
            let url = text.get(at..)?;
            (starts_with(url, scheme) && begins(at) && !url_of(url, scheme).is_empty()).then_some((at, *scheme))
        })
    });
    let (at, scheme) = at?;
    let (before, rest) = text.split_at(at);
    let (url, after) = rest.split_at(url_of(rest, scheme).len());
    Some((before, url, after))
}

/// Returns the URL with which a text begins, without punctuation of the sentence; empty if it has only a scheme.
fn url_of<'t>(text: &'t str, scheme: &str) -> &'t str {
    let end = text.find(|c| !belongs_to_url(c)).unwrap_or(text.len());
    let mut url = text.get(..end).unwrap_or_default();
    while let Some(last) = url.chars().next_back() {
        let closes = last == ')' && url.matches(')').count() > url.matches('(').count();
        if !closes && !".,;:!?'*_".contains(last) {
            break;
        }
        url = url.get(..url.len() - last.len_utf8()).unwrap_or_default();
    }
    if url.len() > scheme.len() { url } else { "" }
}

#[cfg(test)]
mod tests;
