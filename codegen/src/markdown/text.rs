//! Escaping of text for Markdown and rustdoc.

/// Returns whether a byte is a character without a special meaning in Markdown anywhere.
pub fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'`' | b'\\' | b'[' | b']' | b'<' | b'>' | b'*' | b'~' | b'|' | b'&')
}

/// Returns a visible character: control and bidirectional formatting characters are replaced.
pub fn replace_invisible(c: char) -> char {
    let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{061c}');
    if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}') { '\u{fffd}' } else { c }
}

/// Returns a text as a code span, whatever it contains.
pub fn code_span(text: &str) -> String {
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = shown.chars().map(replace_invisible).collect();
    let marks = "`".repeat(1 + longest_run(&shown));
    let pad = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    if shown.is_empty() { String::new() } else { format!("{marks}{pad}{shown}{pad}{marks}") }
}

/// Returns the length of the longest run of backticks.
pub fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or_default()
}

/// Appends a word; a bare URL becomes a link if allowed.
pub fn push_word(word: &str, can_link: bool, out: &mut String) {
    let Some((before, address, after)) = split_url(word) else {
        return escape(word, out);
    };
    let link = super::urls::resolve_link(address, "").filter(|_| can_link && super::urls::is_link(address));
    if let Some(link) = link {
        escape(before, out);
        out.extend(["<", &link, ">"]);
        escape(after, out);
    } else if can_link {
        out.push_str(&code_span(word));
    } else {
        escape(word, out);
    }
}

/// Splits a URL from the surrounding punctuation.
fn split_url(word: &str) -> Option<(&str, &str, &str)> {
    if !word.contains("://") {
        return None;
    }
    let start = ["http://", "https://"].iter().filter_map(|scheme| word.find(scheme)).min().unwrap_or_default();
    let (before, rest) = word.split_at(start);
    // A closing bracket belongs to the URL if it was opened there.
    let ends = |c: char| match c {
        ')' => !rest.contains('('),
        ']' => !rest.contains('['),
        c => ".,;:!?'\"}>*_".contains(c),
    };
    let address = rest.trim_end_matches(ends);
    Some((before, address, rest.get(address.len()..)?))
}

/// Appends escaped characters.
fn escape(word: &str, out: &mut String) {
    let mut before = out.chars().next_back();
    let mut rest = word.chars().peekable();
    while let Some(c) = rest.next() {
        let is_within = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let special = matches!(c, '\\' | '[' | ']' | '<' | '>' | '*' | '~' | '|' | '&' | '`')
            || c == '_' && !(is_within(before) && is_within(rest.peek().copied()));
        if special {
            out.push('\\');
        }
        out.push(replace_invisible(c));
        before = Some(c);
    }
}

/// Escapes a line that would start a heading, a list or a rule.
pub fn escape_line_start(line: &str) -> String {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (head, rest) = line.split_at(digits);
    let mut following = rest.chars();
    let (mark, next) = (following.next(), following.next());
    let ends = matches!(next, None | Some(' '));
    let marks = match mark {
        Some('.' | ')') => (1..=9).contains(&digits) && ends,
        Some('#') => digits == 0 && rest.trim_start_matches('#').chars().next().is_none_or(|c| c == ' '),
        Some('-' | '+' | '=') => digits == 0 && (ends || next == mark),
        _ => false,
    };
    if marks { format!("{head}\\{rest}") } else { line.to_owned() }
}

/// Returns whether a line of a paragraph can start with a word without starting another block.
pub fn can_start_line(word: &str) -> bool {
    match word.chars().next() {
        Some('<') => word.starts_with("<http"),
        Some('`') => !word.starts_with("```"),
        Some('*') => word.contains(|c: char| c != '*'),
        Some(c) if c.is_ascii_digit() => escape_line_start(word) == word,
        Some(c) => c.is_alphabetic() || "(\"'[\\{$/@%".contains(c),
        None => false,
    }
}
