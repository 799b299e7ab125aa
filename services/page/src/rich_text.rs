//! Texts of others as HTML: URLs become links, and HTML is reduced to a few elements without attributes.

mod sanitize;

use linkify::{LinkFinder, LinkKind};

use self::sanitize::sanitize;
use crate::html::Escaped;

/// Beginnings of elements with lines of their own.
const BLOCKS: [&str; 8] = ["<blockquote>", "<br>", "<div>", "<ol>", "<p>", "<pre>", "<table>", "<ul>"];
/// Beginnings of URLs that become links.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Returns a text, in which there may be HTML, as an element.
pub(crate) fn rich_text(text: &str) -> String {
    let html = sanitize(text);
    if !html.contains('<') {
        return format!("<div class=\"text\" dir=\"auto\">{}</div>", with_links(text));
    }
    let class = if BLOCKS.iter().any(|block| html.contains(block)) { "rich" } else { "rich text" };
    format!("<div class=\"{class}\" dir=\"auto\">{html}</div>")
}

/// Returns a text with links for its URLs and addresses.
pub(crate) fn with_links(text: &str) -> String {
    let mut finder = LinkFinder::new();
    finder.email_domain_must_have_dot(false);
    let mut html = String::with_capacity(text.len() + text.len() / 4);
    for span in finder.spans(text) {
        // A character that changes the direction of text ends a URL.
        let end = span.as_str().find(changes_direction).filter(|_| span.kind().is_some());
        let (found, rest) = span.as_str().split_at(end.unwrap_or(span.as_str().len()));
        let url = if span.kind() == Some(&LinkKind::Email) { &format!("mailto:{found}") } else { found };
        match link_start(url).filter(|_| span.kind().is_some()) {
            Some(start) => html.push_str(&format!("{start}{}</a>{}", Escaped(found), Escaped(rest))),
            None => html.push_str(&Escaped(span.as_str()).to_string()),
        }
    }
    html
}

/// Returns a link to a URL with one of the permitted schemes, or else its text.
pub(crate) fn link(url: &str) -> String {
    match link_start(url) {
        Some(start) => format!("<bdi>{start}{}</a></bdi>", Escaped(url)),
        None => format!("<bdi>{}</bdi>", Escaped(url)),
    }
}

/// Returns the tag of a link to a URL with one of the permitted schemes, which is followed without a referrer.
pub(crate) fn link_start(url: &str) -> Option<String> {
    may_be_followed(url).then(|| format!("<a href=\"{}\" rel=\"noopener noreferrer\">", Escaped(url)))
}

/// Returns whether a URL has one of the permitted schemes and no characters that belong to no URL.
fn may_be_followed(url: &str) -> bool {
    let starts_with = |scheme: &&str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().any(starts_with) && url.chars().all(belongs_to_url)
}

fn belongs_to_url(character: char) -> bool {
    !character.is_whitespace()
        && !character.is_control()
        && !"<>\"\\^`{|}".contains(character)
        && !changes_direction(character)
}

fn changes_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
