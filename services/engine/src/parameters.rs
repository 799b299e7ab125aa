//! Parameter names in the source of a function that parses.

/// Returns whether a file begins with the directive of strict code.
pub(crate) fn is_strict(source: &str) -> bool {
    let mut rest = source.trim_start_matches('\u{feff}').trim_start();
    while let Some(length) = comment_length(rest) {
        rest = rest.get(length..).unwrap_or_default().trim_start();
    }
    ["'use strict'", "\"use strict\""].iter().any(|directive| rest.starts_with(directive))
}

/// Returns the names of the parameters in the source of a function; a destructured one is its pattern.
pub(crate) fn parameter_names(function: &str) -> Vec<String> {
    if let Some(names) = simple_names(function) {
        return names;
    }
    let mut scanner = Scanner { rest: function, depth: 0, last: '(', nested: 0 };
    // Only a name, which has no parentheses, and comments precede the list.
    while let Some(token) = scanner.next() {
        if token == "(" {
            return scanner.parse_list();
        }
    }
    Vec::new()
}

/// Returns the names if the list contains nothing but names, as in most functions.
fn simple_names(function: &str) -> Option<Vec<String>> {
    let open = function.bytes().position(|byte| byte == b'(')?;
    // The parenthesis may be in a comment.
    if function.as_bytes().get(..open)?.contains(&b'/') {
        return None;
    }
    let (mut names, mut start) = (Vec::new(), open + 1);
    for (at, byte) in function.bytes().enumerate().skip(start) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b' ' => {}
            b',' | b')' => {
                let name = function.get(start..at)?.trim_ascii();
                if !name.is_empty() {
                    names.push(name.to_owned());
                }
                if byte == b')' {
                    return Some(names);
                }
                start = at + 1;
            }
            _ => return None,
        }
    }
    None
}

/// Returns the length of the comment at the start of a text.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(text.len()));
    }
    text.strip_prefix("/*").map(|rest| rest.find("*/").map_or(text.len(), |end| end + 4))
}

/// Returns the length of a literal between delimiters: a string, or a regular expression with its classes.
fn literal_length(text: &str, end: char) -> usize {
    let (mut escaped, mut class) = (false, false);
    for (index, one) in text.char_indices().skip(1) {
        match one {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' if end == '/' => class = true,
            ']' => class = false,
            _ if one == end && !class => return index + one.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Maximum depth of nested templates. Misread text may seem to nest any number of them, each of which takes stack.
const MAX_NESTED: usize = 100;

/// Returns the length of a template including its expressions, or of the whole text if it is nested too deeply.
fn template_length(text: &str, nested: usize) -> usize {
    if nested == MAX_NESTED {
        return text.len();
    }
    let mut index = 1;
    while let Some(rest) = text.get(index..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with('`') {
            return index + 1;
        }
        if let Some(inner) = rest.strip_prefix("${") {
            let mut scanner = Scanner { rest: inner, depth: 0, last: '(', nested: nested + 1 };
            while let Some(token) = scanner.next() {
                if token == "}" && scanner.depth < 0 {
                    break;
                }
            }
            index = text.len() - scanner.rest.len();
            continue;
        }
        let skipped = if rest.starts_with('\\') { 2 } else { 1 };
        index += rest.chars().take(skipped).map(char::len_utf8).sum::<usize>();
    }
    text.len()
}

/// Scanner of an expression: literals as a whole, other tokens character by character, without comments.
struct Scanner<'s> {
    rest: &'s str,
    depth: i32,
    /// Last character that is not a space.
    last: char,
    /// Number of templates around the expression.
    nested: usize,
}

impl<'s> Scanner<'s> {
    /// Returns the parameters up to the end of the list.
    fn parse_list(&mut self) -> Vec<String> {
        let (mut names, mut name, mut in_default) = (Vec::new(), String::new(), false);
        self.depth = 0;
        while let Some(token) = self.next() {
            let ends = self.depth < 0;
            if ends || (token == "," && self.depth == 0) {
                let whole = name.trim().trim_start_matches("...").trim_start();
                if !whole.is_empty() {
                    names.push(whole.to_owned());
                }
                (name, in_default) = (String::new(), false);
            } else {
                in_default |= token == "=" && self.depth == 0;
                if !in_default {
                    name.push_str(if token.trim().is_empty() { " " } else { token });
                }
            }
            if ends {
                break;
            }
        }
        names
    }
}

impl<'s> Iterator for Scanner<'s> {
    type Item = &'s str;

    fn next(&mut self) -> Option<&'s str> {
        while let Some(length) = comment_length(self.rest) {
            self.rest = self.rest.get(length..).unwrap_or_default();
        }
        let first = self.rest.chars().next()?;
        let length = match first {
            '"' | '\'' => literal_length(self.rest, first),
            '`' => template_length(self.rest, self.nested),
            // After a value a slash divides.
            '/' if !(self.last.is_alphanumeric() || "_$)]}'\"`/".contains(self.last)) => literal_length(self.rest, '/'),
            _ => first.len_utf8(),
        };
        self.depth += match first {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        if !first.is_whitespace() {
            self.last = first;
        }
        let (token, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_named() {
        for (source, expected) in [
            ("function f() {}", &[][..]),
            ("function f(a, b) {}", &["a", "b"]),
            ("async function* f /* (x) */ (a /* , */, // y, z\n b,) {}", &["a", "b"]),
            ("function f(a = g(1, ')'), b = [1, 2], c = `${`,)${{}}`},`, d) {}", &["a", "b", "c", "d"]),
            ("function f(a = /[,/)]\\/,/g, b = 4 / 2, c = (1) / 3, d) {}", &["a", "b", "c", "d"]),
            ("function f({ a, b: [c] } = {}, [d, e = 1], ...rest) {}", &["{ a, b: [c] }", "[d, e = 1]", "rest"]),
            ("function f(a = (x, y) => x, $é) {}", &["a", "$é"]),
            ("function f(a = '\\'),', b) {}", &["a", "b"]),
            ("function $f_1(a1,_b , $C,) { (d) }", &["a1", "_b", "$C"]),
            ("function f /* (x) */(a) {}", &["a"]),
            ("function f(a /* b) */, c) {}", &["a", "c"]),
            ("function f(a /*/ , b */, c) {}", &["a", "c"]),
            ("function f(\n  a,\n  b\n) {}", &["a", "b"]),
        ] {
            assert_eq!(parameter_names(source), expected, "{source}");
        }
        // Text that does not parse never comes here, but must not break anything.
        for source in ["", "f(", "f(`${", "f('", "f(/", "f(/*", "f(`\\", "((((", "))))"] {
            let _ = parameter_names(source);
        }
    }

    #[test]
    fn directives_are_found() {
        assert!(is_strict("'use strict'; f()") && is_strict("// a\n/* b */ \"use strict\""));
        assert!(!is_strict("f(); 'use strict'") && !is_strict("/* 'use strict'"));
        assert!(!is_strict("/*/'use strict'*/ f()"));
    }
}
