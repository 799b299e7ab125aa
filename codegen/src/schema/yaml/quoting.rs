//! Help for texts that need quotes, because YAML gives them another meaning: a condition that starts with `!`, which is
//! a tag, a path with braces within a flow mapping, a sentence with `: ` or ` #`.

/// Returns the help for a value that starts with `!`.
pub fn tag_help(value: &str) -> String {
    format!("quote a string that starts with `!`: `{}`", quote(value))
}

/// Quotes a text, with double quotes if it contains single ones and needs no escapes.
fn quote(value: &str) -> String {
    if value.contains('\'') && !value.contains(['"', '\\']) {
        format!("\"{value}\"")
    } else {
        format!("'{}'", value.replace('\'', "''"))
    }
}

/// Returns the help for a text within a flow mapping with a character that is YAML syntax: a brace, a bracket, `: `.
pub fn flow_help(text: &str, offset: usize) -> Option<String> {
    let mark = text.get(offset..)?.chars().next().filter(|mark| "{[:".contains(*mark))?;
    let what = if mark == ':' { "`: `".to_owned() } else { format!("`{mark}`") };
    let advice = format!("quote a string that contains {what}");
    Some(match flow_value_at(text, offset) {
        Some(value) => format!("{advice}: `{}`", quote(value)),
        None => advice,
    })
}

/// Returns the value within a flow mapping that contains an offset, trimmed.
fn flow_value_at(text: &str, offset: usize) -> Option<&str> {
    let (before, after) = text.split_at_checked(offset)?;
    let begin = before.rfind(['\n', ',', '{', '[']).map_or(0, |at| at + 1);
    let segment = before.get(begin..)?;
    // Only an entry of a mapping has a value here: the part after its key.
    let start = begin + segment.find(": ").map(|at| at + 2)?;
    let line = after.split('\n').next().unwrap_or_default();
    let value = text.get(start..offset + find_flow_end(line))?.trim();
    (!value.is_empty() && !value.starts_with(['"', '\''])).then_some(value)
}

/// Returns the help for a bracket whose closing bracket is in a comment that was meant as text, as in
/// `{ doc: Number # 1. }`.
pub fn comment_help(text: &str, offset: usize) -> Option<String> {
    let line = text.get(offset..)?.split('\n').next()?;
    let (_, comment) = line.split_once(" #")?;
    comment.contains(['}', ']']).then(|| "` #` starts a comment: quote a string that contains it".to_owned())
}

/// Returns the help for a quoted text that continues after its second quote, as in `'this.id != 'x''`.
pub fn trailing_help(text: &str, offset: usize, quote: char) -> Option<String> {
    let before = text.get(..offset)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(line_start..)?.split('\n').next()?.trim_end();
    let (kind, other) = if quote == '"' { ("double", "single") } else { ("single", "double") };
    let advice = format!("use {other} quotes around a string that contains {kind} quotes");
    // A line with a flow mapping can contain other values.
    let is_alone = !line.contains(['{', '[']);
    let value = line
        .find(quote)
        .filter(|_| is_alone)
        .and_then(|at| line.get(at + 1..))
        .and_then(|rest| rest.strip_suffix(quote));
    let fits = |value: &&str| !value.contains(if quote == '"' { ['\'', '\n'] } else { ['"', '\\'] });
    Some(match value.filter(fits) {
        Some(value) if quote == '"' => format!("{advice}: `'{value}'`"),
        Some(value) => format!("{advice}: `\"{value}\"`"),
        None => advice,
    })
}

/// Returns the help for an unknown escape within double quotes, such as a backslash in a pattern.
pub fn escape_help(text: &str, offset: usize) -> Option<String> {
    // The parser reports the opening quote or the escape.
    let opened = text.get(..=offset)?.rfind('"');
    let rest = opened
        .and_then(|at| text.get(at + 1..))
        .and_then(|rest| rest.split(['"', '\n']).next().map(|value| (rest, value)));
    let value = rest
        .filter(|(rest, value)| rest.get(value.len()..).is_some_and(|end| end.starts_with('"')))
        .map(|(_, value)| value);
    let advice = "use single quotes, in which a backslash is literal";
    Some(match value.filter(|value| !value.contains('\'')) {
        Some(value) => format!("{advice}: `'{value}'`"),
        None => advice.to_owned(),
    })
}

/// Returns the help for a list type in the syntax of another language within a flow mapping, such as `type: string[]`.
pub fn list_type_help(text: &str, offset: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(offset)?;
    let end = before.len()
        - before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
    let name = before.get(end..).filter(|name| !name.is_empty())?;
    let rest = after.strip_prefix("[]")?;
    // Paths of error fields pass through lists without brackets.
    if rest.starts_with('.') {
        return Some(format!("write the name without brackets, even for a list: `{name}`"));
    }
    rest.trim_start().starts_with([',', '}']).then(|| format!("write a list: `[{name}]`"))
}

/// Returns the value that starts with `!` on the line that contains an offset.
pub fn exclamation_value_at(text: &str, offset: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(offset)?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |at| offset + at);
    find_exclamation_value(text.get(start..end)?)
}

/// Returns the first value on a line that starts with `!`.
fn find_exclamation_value(line: &str) -> Option<String> {
    let begins = |at: usize| {
        let before = line.get(..at).unwrap_or_default();
        let word = before.trim_end();
        before.len() > word.len() && (word.ends_with([':', '[', ',']) || word.trim_start() == "-")
            || before.ends_with(['[', ','])
    };
    let at = line.match_indices('!').map(|(at, _)| at).find(|at| begins(*at))?;
    let (before, value) = line.split_at(at);
    let whole = value.split(" #").next().unwrap_or(value);
    let in_flow = before.contains(['{', '[']);
    let value = if in_flow { &whole[..find_flow_end(whole)] } else { whole };
    // YAML's own tags and a single `!` are not texts whose quotes were forgotten.
    let is_text = !value.starts_with("!!") && !value.starts_with("!<") && value.trim_end().len() > 1;
    is_text.then(|| value.trim_end().to_owned())
}

/// Returns the end of a value within braces or brackets: a comma, or a closing bracket that has no opening one.
fn find_flow_end(value: &str) -> usize {
    let mut depth = 0_usize;
    for (at, c) in value.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ']' | '}' => return at,
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_value_starting_with_exclamation_mark() {
        for (line, expected) in [
            ("        cel: !has(x) || y", Some("!has(x) || y")),
            ("        cel: !(a in ['b']) # why", Some("!(a in ['b'])")),
            ("  - { id: a, cel: !f(a, b) || c, message: d }", Some("!f(a, b) || c")),
            ("  - [!a || b]", Some("!a || b")),
            ("  - !a || b", Some("!a || b")),
            ("  cel: a != b", None),
            ("  cel: 'x' || !y", None),
            ("  doc: Stop!", None),
            ("  doc: !!str a", None),
            ("  doc: ! ", None),
        ] {
            assert_eq!(find_exclamation_value(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn chooses_fitting_quotes_and_ignores_offsets_out_of_range() {
        assert!(tag_help("!(a == 'b')").ends_with("starts with `!`: `\"!(a == 'b')\"`"));
        assert!(tag_help(r#"!(a == 'b' || c == "d")"#).ends_with(r#"`'!(a == ''b'' || c == "d")'`"#));
        assert_eq!(exclamation_value_at("a: 1\ncel: !x || y\n", 9).as_deref(), Some("!x || y"));
        assert_eq!(exclamation_value_at("a", 7), None);
    }

    #[test]
    fn quotes_texts_with_yaml_syntax() {
        for (line, mark, expected) in [
            ("  a: { http: GET /b/{c}, doc: D. }", "{c", "quote a string that contains `{`: `'GET /b/{c}'`"),
            ("  a: { doc: See: below. }", ": below", "quote a string that contains `: `: `'See: below.'`"),
            ("  a: { doc: Bob's: it. }", ": it", "quote a string that contains `: `: `\"Bob's: it.\"`"),
            ("  a: { doc: A, b {c}. }", "{c", "quote a string that contains `{`"),
            ("a: { doc: b[0].c }", "[0", "quote a string that contains `[`: `'b[0].c'`"),
        ] {
            let offset = line.find(mark).expect("the mark");
            assert_eq!(flow_help(line, offset).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(flow_help("a: b", 9), None);
        assert!(comment_help("a: { doc: Number # 1. }\n", 3).is_some());
        assert_eq!(comment_help("a: { doc: b # c\n", 3), None);
    }

    #[test]
    fn reports_quotes_within_quotes() {
        let at = |line: &str| line.find("x").expect("what follows");
        let line = "cel: 'a != 'x''";
        assert!(trailing_help(line, at(line), '\'').is_some_and(|help| help.ends_with(": `\"a != 'x'\"`")));
        let line = "cel: \"a != \"x\"\"";
        assert!(trailing_help(line, at(line), '"').is_some_and(|help| help.ends_with(": `'a != \"x\"'`")));
    }
}
