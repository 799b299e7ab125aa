//! Values that begin with `!`: a condition such as `!has(this.id)` is a tag to YAML unless it stands in quotes.

/// What to do about a value that begins with `!`.
pub fn help(value: &str) -> String {
    let quoted = if value.contains('\'') && !value.contains(['"', '\\']) {
        format!("\"{value}\"")
    } else {
        format!("'{}'", value.replace('\'', "''"))
    };
    format!("a text that begins with `!` stands in quotes: `{quoted}`")
}

/// What to do about a backslash between double quotes that YAML has no escape for, such as that of a pattern.
pub fn escape_help(text: &str, offset: usize) -> Option<String> {
    // The reader stops at the quote that opens the text, or at the escape.
    let opened = text.get(..=offset)?.rfind('"');
    let rest = opened
        .and_then(|at| text.get(at + 1..))
        .and_then(|rest| rest.split(['"', '\n']).next().map(|value| (rest, value)));
    let value = rest
        .filter(|(rest, value)| rest.get(value.len()..).is_some_and(|end| end.starts_with('"')))
        .map(|(_, value)| value);
    let advice = "between single quotes a backslash stands for itself";
    Some(match value.filter(|value| !value.contains('\'')) {
        Some(value) => format!("{advice}: `'{value}'`"),
        None => advice.to_owned(),
    })
}

/// What to do about a list type as other languages write it, between braces: `type: string[]`.
pub fn list_help(text: &str, offset: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(offset)?;
    let end = before.len()
        - before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
    let name = before.get(end..).filter(|name| !name.is_empty())?;
    after.starts_with("[]").then(|| format!("write a list: `[{name}]`"))
}

/// Returns the value that begins with `!` on the line of an offset, up to its end.
pub fn value_of_line(text: &str, offset: usize) -> Option<String> {
    let (before, after) = text.split_at_checked(offset)?;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(text.len(), |at| offset + at);
    value(text.get(start..end)?)
}

/// Returns the first value of a line that begins with `!`.
fn value(line: &str) -> Option<String> {
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
    let value = if in_flow { &whole[..flow_end(whole)] } else { whole };
    // YAML's own tags, and a tag alone, are no text of which the quotes were forgotten.
    let is_text = !value.starts_with("!!") && !value.starts_with("!<") && value.trim_end().len() > 1;
    is_text.then(|| value.trim_end().to_owned())
}

/// Finds the end of a value between braces or brackets: a comma, or a bracket that was not opened in the value.
fn flow_end(value: &str) -> usize {
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
    fn a_value_that_begins_with_a_mark_is_found() {
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
            assert_eq!(value(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn quotes_fit_what_is_within_and_offsets_outside_are_nothing() {
        assert!(help("!(a == 'b')").ends_with("stands in quotes: `\"!(a == 'b')\"`"));
        assert!(help(r#"!(a == 'b' || c == "d")"#).ends_with(r#"`'!(a == ''b'' || c == "d")'`"#));
        assert_eq!(value_of_line("a: 1\ncel: !x || y\n", 9).as_deref(), Some("!x || y"));
        assert_eq!(value_of_line("a", 7), None);
    }
}
