//! YAML writer for nodes, in the style that people write. A value is on one line if it fits, prose is folded, and only
//! scalars that need quotes have them.
//!
//! The output is deterministic, and parsing it returns the same value.

use std::fmt::Write as _;

use super::yaml::{Entry, Node, Style, Value};

/// Maximum length of a line in characters, if the value can be folded or broken into lines.
const MAX_WIDTH: usize = 120;

/// Maximum length in bytes of a key before a colon; YAML has a limit of 1024 characters (version 1.2, section 7.4).
const MAX_SIMPLE_KEY: usize = 500;

/// Keys of the sections with definitions. Each definition has lines of its own.
const SECTIONS: [&str; 8] =
    ["enums", "error_sets", "operations", "parameter_sets", "path_parameters", "resources", "rule_sets", "unions"];

/// Other keys of a file whose entries have lines of their own.
const EXPANDED_LISTS: [&str; 2] = ["endpoints", "scopes"];

/// Keys of a definition whose entries have lines of their own, so that an added entry is one line of a diff.
const EXPANDED_PARTS: [&str; 8] = ["cookies", "fields", "headers", "path", "query", "responses", "values", "variants"];

/// Formats a file.
#[must_use]
pub fn format_file(file: &Node) -> String {
    let mut text = String::new();
    let Value::Map(entries) = &file.value else { return text };
    for Entry { key, value, .. } in entries {
        let is_section = SECTIONS.contains(&key.as_str());
        let opens = is_section || EXPANDED_LISTS.contains(&key.as_str());
        write_entry(&mut text, key, value, EntryLayout { indent: 0, is_section, opens });
    }
    if text.is_empty() { "{}\n".to_owned() } else { text }
}

/// Formats a definition, indented as in its section.
#[must_use]
pub fn format_definition(name: &str, body: &Node) -> String {
    let mut text = String::new();
    write_entry(&mut text, name, body, EntryLayout { indent: 2, is_section: true, opens: true });
    text
}

/// Layout of an entry.
#[derive(Clone, Copy)]
struct EntryLayout {
    indent: usize,
    /// Whether the entry is in a section with definitions.
    is_section: bool,
    /// Whether its entries have lines of their own even if they fit on one line.
    opens: bool,
}

impl EntryLayout {
    /// Returns the layout of an entry under this one.
    fn nested(self, key: &str) -> Self {
        let indent = self.indent + 2;
        let opens = self.is_section && (indent == 2 || indent == 4 && EXPANDED_PARTS.contains(&key));
        Self { indent, opens, ..self }
    }
}

fn write_entry(text: &mut String, key: &str, value: &Node, at: EntryLayout) {
    let name = format_flow_string(key);
    let pad = " ".repeat(at.indent);
    if name.len() > MAX_SIMPLE_KEY {
        let _ = writeln!(text, "{pad}? {name}\n{pad}: {}", format_flow(value));
        return;
    }
    let head = format!("{pad}{name}:");
    let room = MAX_WIDTH.saturating_sub(head.chars().count() + 1);
    let opens = at.opens || contains_block(value);
    let line = || Some(format_flow(value)).filter(|line| !opens && line.chars().count() <= room);
    match &value.value {
        Value::Map(inner) if !inner.is_empty() => match line() {
            Some(line) => write_line(text, &head, &line),
            None => {
                let _ = writeln!(text, "{head}");
                inner.iter().for_each(|one| write_entry(text, &one.key, &one.value, at.nested(&one.key)));
            }
        },
        Value::List(items) if !items.is_empty() => match line() {
            Some(line) => write_line(text, &head, &line),
            None => {
                let _ = writeln!(text, "{head}");
                items.iter().for_each(|item| write_line(text, &format!("{pad}  -"), &format_flow(item)));
            }
        },
        Value::Scalar(prose, Style::Text) => write_string(text, &head, prose, at.indent, room),
        _ => write_line(text, &head, &format_flow(value)),
    }
}

fn write_line(text: &mut String, head: &str, rest: &str) {
    let _ = writeln!(text, "{head} {rest}");
}

/// Returns whether the value is or contains a string that is written as a block scalar.
fn contains_block(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(text, Style::Text) => is_block_scalar(text),
        Value::Map(inner) => inner.iter().any(|entry| contains_block(&entry.value)),
        _ => false,
    }
}

/// Returns whether a string is written as a literal block scalar (YAML 1.2, section 8.1.2).
fn is_block_scalar(text: &str) -> bool {
    text.contains('\n')
        && !text.starts_with([' ', '\n'])
        && !text.ends_with('\n')
        && text.split('\n').all(|line| line.chars().all(is_printable) && !line.ends_with(' '))
}

/// Writes a string after its key: plain if possible, folded if it is long, as a block scalar if it has several lines.
fn write_string(text: &mut String, head: &str, prose: &str, indent: usize, room: usize) {
    if is_block_scalar(prose) {
        let _ = writeln!(text, "{head} |-");
        let pad = " ".repeat(indent + 2);
        prose.split('\n').for_each(|line| match line {
            "" => text.push('\n'),
            line => drop(writeln!(text, "{pad}{line}")),
        });
        return;
    }
    let whole = if is_plain_scalar(prose) { prose.to_owned() } else { quote(prose) };
    let folds = prose.contains(' ')
        && !prose.contains("  ")
        && !prose.starts_with(' ')
        && !prose.ends_with(' ')
        && prose.chars().all(is_printable);
    if whole.chars().count() <= room || !folds {
        write_line(text, head, &whole);
        return;
    }
    let pad = " ".repeat(indent + 2);
    let _ = write!(text, "{head} >-");
    let mut used = MAX_WIDTH;
    for word in prose.split(' ') {
        let length = word.chars().count();
        if used + 1 + length > MAX_WIDTH {
            let _ = write!(text, "\n{pad}{word}");
            used = pad.len() + length;
        } else {
            let _ = write!(text, " {word}");
            used += 1 + length;
        }
    }
    text.push('\n');
}

/// Formats a value on one line.
#[must_use]
pub fn format_flow(node: &Node) -> String {
    match &node.value {
        Value::Scalar(plain, Style::Plain) => plain.clone(),
        Value::Scalar(text, Style::Text) => format_flow_string(text),
        Value::List(items) => {
            format!("[{}]", items.iter().map(format_flow).collect::<Vec<_>>().join(", "))
        }
        Value::Map(inner) if inner.is_empty() => "{}".to_owned(),
        Value::Map(inner) => {
            let pair = |Entry { key, value, .. }: &Entry| {
                let name = format_flow_string(key);
                let mark = if name.len() > MAX_SIMPLE_KEY { "? " } else { "" };
                let colon = if name.len() > MAX_SIMPLE_KEY { " :" } else { ":" };
                format!("{mark}{name}{colon} {}", format_flow(value))
            };
            format!("{{ {} }}", inner.iter().map(pair).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Formats a string within a flow collection, where commas and brackets are syntax.
fn format_flow_string(text: &str) -> String {
    if is_plain_scalar(text) && !text.contains(['[', ']', '{', '}', ',']) { text.to_owned() } else { quote(text) }
}

/// Returns whether a character is printable and does not break a line.
fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Returns whether a string needs no quotes outside of flow collections.
fn is_plain_scalar(text: &str) -> bool {
    let first = |c: char| c.is_alphanumeric() || "/$_(.+".contains(c);
    text.starts_with(first)
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && text.chars().all(is_printable)
        && !is_ambiguous(text)
}

/// Returns whether some version of YAML could parse a string as another type.
fn is_ambiguous(text: &str) -> bool {
    const WORDS: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "+.".contains(c))
        && text.bytes().all(|byte| byte.is_ascii_hexdigit() || b"+-._:xXoOinfINFaA".contains(&byte));
    is_number || WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Quotes a string: with double quotes, or with single ones if it contains double quotes or backslashes.
fn quote(text: &str) -> String {
    if text.contains(['"', '\\']) && text.chars().all(is_printable) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if is_printable(c) => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c) & 0xffff);
            }
        }
    }
    quoted.push('"');
    quoted
}
