//! Reduction of HTML to a few elements.

use std::borrow::Cow;

use super::{link_start, with_links};
use crate::html::Escaped;

/// Elements that are kept, with the names under which they are written; headings would disturb those of the page.
pub(super) const KEPT: [(&str, &str); 29] = [
    ("a", "a"),
    ("b", "b"),
    ("blockquote", "blockquote"),
    ("br", "br"),
    ("code", "code"),
    ("div", "div"),
    ("em", "em"),
    ("h1", "div"),
    ("h2", "div"),
    ("h3", "div"),
    ("h4", "div"),
    ("h5", "div"),
    ("h6", "div"),
    ("i", "i"),
    ("li", "li"),
    ("ol", "ol"),
    ("p", "p"),
    ("pre", "div"),
    ("s", "s"),
    ("span", "span"),
    ("strong", "strong"),
    ("sub", "sub"),
    ("sup", "sup"),
    ("table", "div"),
    ("td", "span"),
    ("th", "span"),
    ("tr", "div"),
    ("u", "u"),
    ("ul", "ul"),
];
/// Elements whose content is not text.
const DROPPED: [&str; 14] = [
    "head",
    "iframe",
    "math",
    "noembed",
    "noframes",
    "noscript",
    "object",
    "plaintext",
    "script",
    "style",
    "svg",
    "template",
    "textarea",
    "title",
];
/// Maximum depth of nested elements.
const MAX_DEPTH: usize = 40;
/// Tag at the beginning of a text.
pub(super) struct Tag<'t> {
    /// Name in lower case.
    name: String,
    closes: bool,
    attributes: &'t str,
    length: usize,
}

impl<'t> Tag<'t> {
    /// Parses a tag; `None` if the text does not begin with one. A tag without an end extends to the end of the text.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let rest = text.strip_prefix('<')?;
        let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        if !rest.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(rest.len());
        let (name, attributes) = rest.split_at(end);
        let mut quote = None;
        let end = attributes.char_indices().find(|(_, c)| match (quote, c) {
            (None, '>') => true,
            (None, '"' | '\'') => {
                quote = Some(*c);
                false
            }
            (Some(open), c) if open == *c => {
                quote = None;
                false
            }
            _ => false,
        });
        let end = end.map_or(attributes.len(), |(at, _)| at);
        let attributes = attributes.get(..end).unwrap_or_default();
        let length = text.len() - rest.len() + name.len() + attributes.len();
        let length = (length + 1).min(text.len());
        Some(Self { name: name.to_ascii_lowercase(), closes, attributes, length })
    }

    /// Returns the name under which the element is written, if it is kept.
    pub(super) fn kept(&self) -> Option<&'static str> {
        KEPT.iter().find(|(name, _)| *name == self.name).map(|(_, written)| *written)
    }

    /// Returns the URL of a link.
    fn href(&self) -> Option<String> {
        let lower = self.attributes.to_ascii_lowercase();
        let after = lower.match_indices("href").find_map(|(at, name)| {
            let before = lower.get(..at)?.chars().next_back()?;
            let value = self.attributes.get(at + name.len()..)?.trim_start().strip_prefix('=')?;
            (before.is_ascii_whitespace() || matches!(before, '"' | '\'' | '/')).then_some(value.trim_start())
        })?;
        let value = match after.chars().next()? {
            quote @ ('"' | '\'') => after.get(1..)?.split(quote).next()?,
            _ => after.split(|c: char| c.is_ascii_whitespace()).next()?,
        };
        Some(decode(value.trim()).into_owned())
    }
}

/// HTML that is being written, with its open elements.
#[derive(Default)]
struct Writer {
    html: String,
    open: Vec<&'static str>,
}

impl Writer {
    fn text(&mut self, text: &str) {
        let text = decode(text);
        if text.trim().is_empty() && self.in_list() {
            return;
        }
        self.open_item();
        match self.open.contains(&"a") {
            true => self.html.push_str(&Escaped(text).to_string()),
            false => self.html.push_str(&with_links(&text)),
        }
    }

    /// Returns whether the innermost element is a list, which contains nothing but items.
    fn in_list(&self) -> bool {
        matches!(self.open.last(), Some(&"ul" | &"ol"))
    }

    /// Opens an item in a list that has none.
    fn open_item(&mut self) {
        if self.in_list() {
            self.push("<li>", "li");
        }
    }

    fn push(&mut self, tag: &str, name: &'static str) {
        self.html.push_str(tag);
        self.open.push(name);
    }

    fn start(&mut self, tag: &Tag<'_>, name: &'static str) {
        if name == "br" {
            self.open_item();
            return self.html.push_str("<br>");
        }
        if self.open.len() >= MAX_DEPTH {
            return;
        }
        let name = match name {
            "li" => {
                let list = self.open.iter().rposition(|open| matches!(*open, "ul" | "ol"));
                let item = self.open.iter().rposition(|open| *open == "li");
                if item > list {
                    self.end("li");
                }
                if list.is_some() { "li" } else { "div" }
            }
            name => name,
        };
        if name == "li" {
            // Whatever is open within the list ends before its next item.
            while !self.in_list() {
                self.pop();
            }
            return self.push("<li>", "li");
        }
        self.open_item();
        match name {
            "a" if self.open.contains(&"a") => {}
            "a" => {
                if let Some(start) = tag.href().and_then(|url| link_start(&url)) {
                    self.push(&start, "a");
                }
            }
            name => self.push(&format!("<{name}>"), name),
        }
    }

    /// Ends the innermost element with a name and those within it.
    fn end(&mut self, name: &str) {
        if let Some(place) = self.open.iter().rposition(|open| *open == name) {
            while self.open.len() > place {
                self.pop();
            }
        }
    }

    fn pop(&mut self) {
        if let Some(name) = self.open.pop() {
            self.html.push_str(&format!("</{name}>"));
        }
    }
}

/// Returns HTML with the kept elements only, all of which are closed. Of attributes only the URLs of links remain.
pub(super) fn sanitize(html: &str) -> String {
    let mut writer = Writer::default();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (text, tagged) = rest.split_at(at);
        writer.text(text);
        rest = if tagged.starts_with("<!--") {
            tagged.split_once("-->").map_or("", |(_, after)| after)
        } else if tagged.starts_with("<!") || tagged.starts_with("<?") {
            tagged.split_once('>').map_or("", |(_, after)| after)
        } else {
            write_tag(&mut writer, tagged)
        };
    }
    writer.text(rest);
    while !writer.open.is_empty() {
        writer.pop();
    }
    writer.html
}

/// Writes the tag with which a text begins, if it is kept, and returns what follows.
fn write_tag<'t>(writer: &mut Writer, text: &'t str) -> &'t str {
    let Some(tag) = Tag::parse(text) else {
        writer.text("<");
        return text.get(1..).unwrap_or_default();
    };
    let after = text.get(tag.length..).unwrap_or_default();
    if let Some(name) = tag.kept() {
        if tag.closes { writer.end(name) } else { writer.start(&tag, name) }
    } else if DROPPED.contains(&tag.name.as_str()) && !tag.closes {
        let lower = after.to_ascii_lowercase();
        let end = lower.find(&format!("</{}", tag.name)).unwrap_or(after.len());
        return after.get(end..).unwrap_or_default();
    }
    after
}

/// Decodes the character references that descriptions usually contain; others are kept.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        result.push_str(before);
        let decoded = reference
            .find(';')
            .filter(|end| *end < 12)
            .and_then(|end| Some((character(reference.get(1..end)?)?, reference.get(end + 1..)?)));
        let (character, after) = decoded.unwrap_or(('&', reference.get(1..).unwrap_or_default()));
        result.push(character);
        rest = after;
    }
    result.push_str(rest);
    result.into()
}

/// Returns the character of a reference.
fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code);
    }
    let named = [
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("quot", '"'),
        ("apos", '\''),
        ("nbsp", '\u{a0}'),
        ("ndash", '–'),
        ("mdash", '—'),
        ("hellip", '…'),
        ("bull", '•'),
    ];
    named.iter().find(|(known, _)| *known == name).map(|(_, character)| *character)
}
