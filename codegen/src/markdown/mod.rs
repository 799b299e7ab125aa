//! Descriptions: CommonMark with tables → the same in one form, which rustdoc shows as it is meant: nothing in it is
//! taken for HTML, for a link within the documentation, or for code to run.
//!
//! Markdown in that form stays as it is when it is read again.

mod address;
mod builder;
mod html;
mod languages;
mod reader;
mod text;
mod writer;

#[cfg(test)]
mod tests;

use builder::Block;
pub(crate) use text::visible;

/// Returns a description in its form. HTML in it is text.
#[must_use]
pub fn normalize(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { or_marks(writer::document(&reader::read(text, None)), text) }
}

/// Returns a description in one paragraph: what its blocks say, one after another.
#[must_use]
pub fn paragraph(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { or_marks(writer::paragraph(&reader::read(text, None)), text) }
}

/// Returns a description, or a text of nothing but the marks of a list, a heading or a quote as code: it would be empty.
fn or_marks(description: String, text: &str) -> String {
    if description.is_empty() { text::code(text) } else { description }
}

/// Returns a description of a document of others in its form: HTML becomes Markdown, and a link is relative to the
/// address of the document. A link that leads nowhere is its words.
#[must_use]
pub fn import(text: &str, base: Option<&str>) -> String {
    if is_plain(text) { text.to_owned() } else { writer::document(&reader::read(text, Some(base.unwrap_or_default()))) }
}

/// Returns whether a description is in its form as it is: words with one space between them, the first of which begins neither a
/// heading nor a list, and no address.
fn is_plain(text: &str) -> bool {
    let pairs = text.bytes().zip(text.bytes().skip(1));
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.bytes().all(text::is_plain)
        && !pairs.into_iter().any(|pair| matches!(pair, (b' ', b' ') | (b'/', b'/')))
}
