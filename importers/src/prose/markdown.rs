//! Markdown with HTML in it → sentences: what a reader sees of it, and where its links lead.

/// Tags that stand within a sentence.
const INLINE: [&str; 14] =
    ["b", "cite", "em", "font", "i", "kbd", "s", "small", "span", "strong", "sub", "sup", "u", "var"];

/// Tags between which a sentence ends, or a line.
const BLOCK: [&str; 31] = [
    "blockquote",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "li",
    "nobr",
    "ol",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
];

/// Characters that HTML spells.
const ENTITIES: [(&str, &str); 8] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&apos;", "'"),
    ("&#34;", "\""),
    ("&nbsp;", " "),
    ("&amp;", "&"),
];

/// The text that a reader sees, with the addresses of links behind their words. Code stays as it is.
pub fn text(written: &str) -> String {
    let mut out = Out::default();
    let mut rest = written;
    let mut starts_line = true;
    while let Some(first) = rest.chars().next() {
        let near = near(rest);
        let taken = match first {
            '`' => code(near, &mut out),
            '<' => tag(near, &mut out),
            '[' => link(near, &mut out),
            '&' => entity(near, &mut out),
            '*' => strong(near, &mut out),
            '#' if starts_line => heading(near),
            _ => 0,
        };
        let taken = if taken == 0 {
            out.text.push(first);
            first.len_utf8()
        } else {
            taken
        };
        starts_line = first == '\n' || starts_line && (first == ' ' || first == '#');
        rest = rest.get(taken..).unwrap_or_default();
    }
    out.text
}

/// The most bytes that belong together, so that no text is looked through again and again.
const MOST: usize = 2000;

/// The beginning of a text.
fn near(rest: &str) -> &str {
    let end = (0..=MOST.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end));
    rest.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// `**words**`
fn strong(rest: &str, out: &mut Out) -> usize {
    let Some(inner) = rest.strip_prefix("**") else { return 0 };
    let Some((words, _)) = inner.split_once("**") else { return 0 };
    if words.trim() != words || words.is_empty() || words.contains("\n\n") {
        return 0;
    }
    out.text.push_str(&text(words));
    words.len() + 4
}

#[derive(Default)]
struct Out {
    text: String,
    /// The address of the link that is open, and where its words begin.
    link: Option<(String, usize)>,
}

impl Out {
    /// Puts an address behind the words of a link, unless they say it.
    fn address(&mut self, address: &str, from: usize) {
        let words = self.text.get(from..).unwrap_or_default().trim().to_owned();
        if address.contains("://") && !words.contains(address) {
            self.text.truncate(self.text.trim_end().len());
            self.text.push_str(&if words.is_empty() { address.to_owned() } else { format!(" ({address})") });
        }
    }
}

/// Code in backticks, or between lines of them. Gives how many bytes were taken, as the others do; none where it is not
/// what it looks like.
fn code(rest: &str, out: &mut Out) -> usize {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    let (marks, inner) = rest.split_at(ticks);
    let Some(end) = inner.find(marks) else { return 0 };
    let Some(held) = inner.get(..end) else { return 0 };
    let block = ticks >= 3;
    // The first line of a block names its language.
    let held = if block { held.split_once('\n').map_or(held, |(_, code)| code) } else { held };
    out.text.push_str(&if held.contains('`') || held.trim().is_empty() {
        held.to_owned()
    } else {
        format!("`{}`", held.trim())
    });
    if block {
        out.text.push('\n');
    }
    ticks + end + ticks
}

fn tag(rest: &str, out: &mut Out) -> usize {
    let Some(end) = rest.find('>') else { return 0 };
    let Some(inner) = rest.get(1..end) else { return 0 };
    if inner.contains("://") && !inner.contains(' ') {
        out.text.push_str(inner);
        return end + 1;
    }
    let closes = inner.starts_with('/');
    let inner = inner.trim_matches('/').trim();
    let name = inner.split([' ', '\n', '\t', '/']).next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "a" if closes => {
            if let Some((address, from)) = out.link.take() {
                out.address(&address, from);
            }
        }
        "a" => out.link = attribute(inner, "href").map(|address| (address, out.text.len())),
        "code" | "tt" if !closes => return code_of_tag(rest, end + 1, &name, out),
        name if INLINE.contains(&name) => {}
        name if BLOCK.contains(&name) => out.text.push(' '),
        // A placeholder, such as `<id>`.
        _ => return 0,
    }
    end + 1
}

/// Code between two tags.
fn code_of_tag(rest: &str, start: usize, name: &str, out: &mut Out) -> usize {
    let closing = format!("</{name}>");
    let inner = rest.get(start..).unwrap_or_default();
    let Some(held) = inner.split_once(&closing).map(|(held, _)| held) else { return start };
    let code = ENTITIES.iter().fold(held.to_owned(), |text, (entity, of)| text.replace(entity, of));
    out.text.push_str(&if code.contains('`') || code.trim().is_empty() { code } else { format!("`{}`", code.trim()) });
    start + held.len() + closing.len()
}

/// The value of an attribute, in quotes of either kind or in none.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = tag.split_once(&format!("{name}="))?;
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
    let value = match quote {
        Some(quote) => value.get(1..)?.split(quote).next()?,
        None => value.split_whitespace().next()?,
    };
    Some(value.to_owned())
}

/// `[words](address)`
fn link(rest: &str, out: &mut Out) -> usize {
    let Some((words, after)) = rest.get(1..).and_then(|inner| inner.split_once("](")) else { return 0 };
    let Some((address, _)) = after.split_once(')') else { return 0 };
    if words.contains(['[', ']', '\n']) || address.contains(['(', '\n']) {
        return 0;
    }
    let from = out.text.len();
    out.text.push_str(words);
    // A title can stand behind the address.
    out.address(address.split_whitespace().next().unwrap_or_default(), from);
    1 + words.len() + 2 + address.len() + 1
}

fn entity(rest: &str, out: &mut Out) -> usize {
    let found = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity));
    found.map_or(0, |(entity, text)| {
        out.text.push_str(text);
        entity.len()
    })
}

/// The marks of a heading.
fn heading(rest: &str) -> usize {
    let marks = rest.len() - rest.trim_start_matches('#').len();
    if marks <= 6 && rest.get(marks..).is_some_and(|rest| rest.starts_with(' ')) { marks } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::prose::{of_markdown, paragraph};

    #[test]
    fn what_a_reader_sees_is_left() {
        let table = [
            ("See <a href='https://a.example/b'>the page</a>.", "See the page (https://a.example/b)."),
            (
                "See [the page](https://a.example/b \"Page\"), or [above](#x).",
                "See the page (https://a.example/b), or above.",
            ),
            ("<a href=\"https://a.example\">https://a.example</a>", "https://a.example"),
            ("One<br/>two<p>three</p>", "One two three"),
            ("Set <code>a[b](c)</code> to `<br>` or &lt;id&gt;", "Set `a[b](c)` to `<br>` or <id>"),
            (
                "**Bold**, **/*.rs and **<b>too</b>**, <id> not, 2 < 3 & 4 > 3",
                "Bold, **/*.rs and too, <id> not, 2 < 3 & 4 > 3",
            ),
            ("# Head\nText with #1.\n```json\n{\"a\": 1}\n```\nMore", "Head Text with #1. `{\"a\": 1}` More"),
            ("An open ` tick, an <a tag, a [bracket](", "An open ` tick, an <a tag, a [bracket]("),
            ("ü<ü>[ü](ü)`ü`", "ü<ü>ü`ü`"),
        ];
        for (written, expected) in table {
            assert_eq!(of_markdown(written).as_deref(), Some(expected), "{written}");
        }
        assert_eq!(of_markdown("<p></p>"), None);
        assert_eq!(paragraph("<p>").as_deref(), Some("<p>"));
    }
}
