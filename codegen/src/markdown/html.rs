//! HTML in descriptions: tags and the text between them.

use pulldown_cmark::{Event, Parser};

/// Token of a text with tags.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'t> {
    /// Text between tags, with character references.
    Text(&'t str),
    /// Opening tag: its name, its attributes, and its source.
    Open(&'t str, &'t str, &'t str),
    /// Closing tag with its source.
    Close(&'t str, &'t str),
    /// Comment.
    Comment,
}

/// Maximum length of a tag in bytes, so that scanning takes linear time.
const MAX_TAG: usize = 2000;

/// Splits a text at its tags. An incomplete tag is text.
pub fn tokenize(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut plain) = (text, 0);
    let mut may_hide = true;
    while let Some(start) = rest.get(plain..).and_then(|rest| rest.find('<')).map(|at| at + plain) {
        let (before, tag) = rest.split_at(start);
        let Some((token, length)) = token(tag, &mut may_hide) else {
            plain = start + 1;
            continue;
        };
        if !before.is_empty() {
            found.push(Token::Text(before));
        }
        found.push(token);
        rest = tag.get(length..).unwrap_or_default();
        plain = 0;
    }
    if !rest.is_empty() {
        found.push(Token::Text(rest));
    }
    found
}

/// Returns the tag or comment at the start of a text, with its length in bytes; `None` if the text has none there.
fn token<'t>(tag: &'t str, may_hide: &mut bool) -> Option<(Token<'t>, usize)> {
    if let Some(comment) = tag.strip_prefix("<!--") {
        let end = comment.find("-->").filter(|_| *may_hide);
        *may_hide &= end.is_some();
        return end.map(|end| (Token::Comment, 4 + end + 3));
    }
    let near = tag.char_indices().take_while(|(at, _)| *at < MAX_TAG);
    let mut quote = None;
    let end = near.into_iter().skip(1).find(|(_, c)| match (quote, *c) {
        (None, '>') => true,
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (Some(open), c) if open == c => {
            quote = None;
            false
        }
        _ => false,
    });
    let end = end?.0;
    let (whole, inner) = (tag.get(..=end)?, tag.get(1..end)?);
    if inner.starts_with(['!', '?']) {
        return Some((Token::Comment, end + 1));
    }
    let (closes, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let length = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).len();
    let (name, rest) = inner.split_at(length);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let is_tag = is_name && (rest.is_empty() || rest.starts_with([' ', '\n', '\t', '\r', '/']));
    let token = if closes { Token::Close(name, whole) } else { Token::Open(name, rest, whole) };
    is_tag.then_some((token, end + 1))
}

/// Returns the value of an attribute, with quotes of either kind or without.
pub fn attribute(attributes: &str, name: &str) -> Option<String> {
    let at = attributes.to_ascii_lowercase().find(&format!("{name}="))?;
    let value = attributes.get(at + name.len() + 1..)?;
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = match quote {
        Some(quote) => value.get(1..)?.split(quote).next()?,
        None => value.split_whitespace().next()?.trim_end_matches('/'),
    };
    Some(decode_entities(value))
}

/// Returns the text without known tags.
pub fn strip_tags(html: &str) -> String {
    let piece = |token: Token<'_>| match token {
        Token::Text(text) => decode_entities(text),
        Token::Open("br", ..) => "\n".to_owned(),
        Token::Open(name, _, whole) | Token::Close(name, whole) if !is_known(name) => whole.to_owned(),
        _ => String::new(),
    };
    tokenize(html).into_iter().map(piece).collect()
}

/// Decodes character references.
pub fn decode_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        let (before, entity) = rest.split_at(start);
        out.push_str(before);
        let end = entity.bytes().take(40).position(|byte| byte == b';').map_or(1, |end| end + 1);
        let (entity, after) = entity.split_at(end);
        let events = Parser::new(entity).filter_map(|event| match event {
            Event::Text(text) => Some(text.into_string()),
            _ => None,
        });
        out.extend(
            Some(events.collect::<String>()).filter(|text| !text.is_empty()).or_else(|| Some(entity.to_owned())),
        );
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Tags of inline elements, and those without an effect on text.
const INLINE: [&str; 27] = [
    "a", "abbr", "b", "big", "cite", "code", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "mark", "nobr", "q",
    "s", "samp", "small", "span", "strong", "sub", "sup", "tt", "u", "var",
];

/// Tags of block elements.
const BLOCK: [&str; 37] = [
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
];

/// Returns whether a tag is a block element.
pub fn is_block(name: &str) -> bool {
    BLOCK.contains(&name) || matches!(name, "thead" | "tfoot" | "colgroup" | "col" | "figcaption")
}

/// Returns whether a tag is an HTML element, and not a placeholder such as `<id>`.
pub fn is_known(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.as_str();
    INLINE.contains(&name) || is_block(name)
}

#[cfg(test)]
mod tests {
    use super::{Token, attribute, decode_entities, strip_tags, tokenize};

    #[test]
    fn tags_are_distinguished_from_signs() {
        let found = tokenize("a < b <i x='>'>c</i><!-- d -->e <f");
        let expected = [
            Token::Text("a < b "),
            Token::Open("i", " x='>'", "<i x='>'>"),
            Token::Text("c"),
            Token::Close("i", "</i>"),
            Token::Comment,
            Token::Text("e <f"),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            attribute(" href=\"https://a.example?b&amp;c\" id=x", "href").as_deref(),
            Some("https://a.example?b&c")
        );
        assert_eq!(attribute(" href=a/", "href").as_deref(), Some("a"));
    }

    #[test]
    fn characters_that_html_spells_stand_for_themselves() {
        assert_eq!(decode_entities("&lt;a&gt; &amp; &mdash; &#39;x&#x27; &nothing; & b"), "<a> & — 'x' &nothing; & b");
        assert_eq!(strip_tags("a<b>c</b> <id> &lt;"), "ac <id> <");
    }
}
