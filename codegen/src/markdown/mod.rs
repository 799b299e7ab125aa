//! Normalization of descriptions: CommonMark with tables is converted to a canonical form that rustdoc renders
//! faithfully: nothing in it is parsed as HTML, as an intra-doc link, or as code to run.
//!
//! The canonical form is stable: normalizing it again does not change it.

mod builder;
mod html;
mod languages;
mod reader;
mod text;
mod urls;
mod writer;

#[cfg(test)]
mod tests;

use builder::Block;
pub(crate) use text::replace_invisible;

/// Normalizes a description. HTML in it is text.
#[must_use]
pub fn normalize(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { or_code(writer::document(&reader::read(text, None)), text) }
}

/// Normalizes a description to one paragraph with the text of all its blocks.
#[must_use]
pub fn paragraph(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { or_code(writer::paragraph(&reader::read(text, None)), text) }
}

/// Returns a description; if it would be empty because the text has only Markdown delimiters, returns these as code.
fn or_code(description: String, text: &str) -> String {
    if description.is_empty() { text::code_span(text) } else { description }
}

/// Normalizes a description of an imported document: HTML becomes Markdown, and links are relative to the URL of the
/// document. Broken links become their text.
#[must_use]
pub fn import(text: &str, base: Option<&str>) -> String {
    if is_plain(text) { text.to_owned() } else { writer::document(&reader::read(text, Some(base.unwrap_or_default()))) }
}

/// Returns whether a description already is in canonical form: words separated by single spaces, without URLs, and
/// not starting a heading or a list.
fn is_plain(text: &str) -> bool {
    let pairs = text.bytes().zip(text.bytes().skip(1));
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.bytes().all(text::is_plain)
        && !pairs.into_iter().any(|pair| matches!(pair, (b' ', b' ') | (b'/', b'/')))
}
