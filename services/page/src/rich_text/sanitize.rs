//! Reduction of HTML to a few elements.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};

use super::{may_be_followed, with_links};
use crate::html::Escaped;

/// Elements that are kept.
pub(super) const KEPT: &str = "a b blockquote br code div em h1 h2 h3 h4 h5 h6 i li ol p pre s span strong sub sup table tbody \
                               td th thead tr u ul";
/// Elements whose content is not text.
const DROPPED: &str = "iframe math noembed noframes noscript object plaintext script style svg template textarea title";
/// Maximum number of tags: nested elements are parsed in quadratic time.
const MAX_TAGS: usize = 2_000;

static SANITIZER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(KEPT.split(' ').collect())
        .clean_content_tags(DROPPED.split(' ').collect())
        .tag_attributes(HashMap::from([("a", HashSet::from(["href"]))]))
        .generic_attributes(HashSet::new())
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .url_relative(UrlRelative::Deny)
        .link_rel(Some("noopener noreferrer"))
        .attribute_filter(|_, name, value| {
            let value = value.trim();
            (name != "href" || may_be_followed(value)).then(|| value.into())
        });
    builder
});

/// Returns HTML with the kept elements only, all of which are closed, and with links for URLs. Of attributes only the
/// URLs of links remain. HTML with more tags than are parsed becomes a text without elements.
pub(super) fn sanitize(html: &str) -> String {
    if html.matches('<').count() > MAX_TAGS {
        return String::new();
    }
    let html = SANITIZER.clean(html).to_string();
    let mut writer = Writer::default();
    let mut pieces = html.split('<');
    writer.text(pieces.next().unwrap_or_default());
    for piece in pieces {
        // No attribute that is kept contains a `>`.
        let (tag, text) = piece.split_once('>').unwrap_or((piece, ""));
        if tag.starts_with('/') {
            writer.end()
        } else {
            writer.start(tag)
        }
        writer.text(text);
    }
    writer.html
}

/// Element that is open.
#[derive(Clone, Copy)]
struct Element<'t> {
    /// Name; empty for a link that may not be followed, of which only the content is written.
    name: &'t str,
    /// True for an item around content of a list that is in none.
    is_implied: bool,
}

/// Writer of sanitized HTML in which lists contain only items, items are in lists, and no heading disturbs those of the
/// page.
#[derive(Default)]
struct Writer<'t> {
    html: String,
    open: Vec<Element<'t>>,
}

impl<'t> Writer<'t> {
    fn text(&mut self, text: &str) {
        if text.is_empty() || self.in_list() && text.trim_ascii().is_empty() {
            return;
        }
        self.open_item();
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}").replace("&amp;", "&");
        match self.open.iter().any(|element| element.name == "a") {
            true => self.html.push_str(&Escaped(text).to_string()),
            false => self.html.push_str(&with_links(&text)),
        }
    }

    fn start(&mut self, tag: &'t str) {
        let name = match tag.split(' ').next().unwrap_or_default() {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "div",
            // A header that is empty, or of nothing, is worse than none.
            "th" => "td",
            name => name,
        };
        if name == "li" && self.open.last().is_some_and(|element| element.is_implied) {
            self.end_one();
        }
        let name = match name {
            "li" if self.in_list() => return self.push("li", "li", false),
            "li" => "div",
            name => name,
        };
        self.open_item();
        match name {
            "br" => self.html.push_str("<br>"),
            "a" if tag.starts_with("a href=") => self.push("a", tag, false),
            "a" => self.open.push(Element { name: "", is_implied: false }),
            name => self.push(name, name, false),
        }
    }

    /// Returns whether the innermost element is a list, which contains nothing but items.
    fn in_list(&self) -> bool {
        self.open.last().is_some_and(|element| matches!(element.name, "ol" | "ul"))
    }

    /// Opens an item in a list that has none.
    fn open_item(&mut self) {
        if self.in_list() {
            self.push("li", "li", true);
        }
    }

    fn push(&mut self, name: &'t str, tag: &str, is_implied: bool) {
        self.html.push_str(&format!("<{tag}>"));
        self.open.push(Element { name, is_implied });
    }

    /// Ends the innermost element that is in the sanitized HTML.
    fn end(&mut self) {
        while self.end_one().is_some_and(|element| element.is_implied) {}
    }

    fn end_one(&mut self) -> Option<Element<'t>> {
        let element = self.open.pop()?;
        if !element.name.is_empty() {
            self.html.push_str(&format!("</{}>", element.name));
        }
        Some(element)
    }
}
