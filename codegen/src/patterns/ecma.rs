//! Conversion of patterns to the dialect of JSON Schema: ECMA-262 with the flag `u`.

use std::fmt::Write as _;

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use super::lookaround::Condition;

/// Returns an equivalent expression that matches a whole text: `^…$`.
pub fn anchored(condition: &Condition) -> String {
    let whole = |one: &Condition| anchored(one).strip_prefix('^').unwrap_or_default().to_owned();
    match condition {
        Condition::Match(hir) => anchored_expression(hir),
        Condition::Not(one) => format!(r"^(?!{})[\s\S]*$", whole(one)),
        Condition::Any(all) => format!("^(?:{})$", all.iter().map(whole).collect::<Vec<_>>().join("|")),
        Condition::All(all) => {
            let conditions = all.iter().map(|one| match one {
                Condition::Not(one) => format!("(?!{})", whole(one)),
                one => format!("(?={})", whole(one)),
            });
            format!(r"^{}[\s\S]*$", conditions.collect::<String>())
        }
    }
}

fn anchored_expression(hir: &Hir) -> String {
    let mut out = String::from("^");
    let alternatives = matches!(hir.kind(), HirKind::Alternation(_));
    if alternatives {
        write_group(hir, &mut out)
    } else {
        write(hir, &mut out)
    }
    out.push('$');
    out
}

/// Appends a pattern in ECMA-262 syntax.
fn write(hir: &Hir, out: &mut String) {
    match hir.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => {
            String::from_utf8_lossy(&literal.0).chars().for_each(|c| write_character(c, "^$\\.*+?()[]{}|/", out));
        }
        HirKind::Class(of) => write_class(of, out),
        HirKind::Look(look) => out.push_str(assertion(*look)),
        HirKind::Repetition(repetition) => write_repetition(repetition, out),
        HirKind::Capture(capture) => write_atom(&capture.sub, out),
        HirKind::Concat(parts) => {
            for part in parts {
                let alternatives = matches!(part.kind(), HirKind::Alternation(_));
                if alternatives { write_group(part, out) } else { write(part, out) }
            }
        }
        HirKind::Alternation(parts) => {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    out.push('|');
                }
                write(part, out);
            }
        }
    }
}

fn write_group(hir: &Hir, out: &mut String) {
    out.push_str("(?:");
    write(hir, out);
    out.push(')');
}

/// Writes an operand that a quantifier can follow.
fn write_atom(hir: &Hir, out: &mut String) {
    let single = match hir.kind() {
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().count() == 1,
        HirKind::Class(_) => true,
        HirKind::Capture(capture) => return write_atom(&capture.sub, out),
        _ => false,
    };
    if single { write(hir, out) } else { write_group(hir, out) }
}

fn write_repetition(repetition: &Repetition, out: &mut String) {
    write_atom(&repetition.sub, out);
    match (repetition.min, repetition.max) {
        (0, None) => out.push('*'),
        (1, None) => out.push('+'),
        (0, Some(1)) => out.push('?'),
        (least, None) => _ = write!(out, "{{{least},}}"),
        (least, Some(most)) if least == most => _ = write!(out, "{{{least}}}"),
        (least, Some(most)) => _ = write!(out, "{{{least},{most}}}"),
    }
}

/// Writes a class, negated if that is shorter.
fn write_class(of: &Class, out: &mut String) {
    let mut ranges: Vec<(char, char)> = match of {
        Class::Unicode(class) => class.iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => class.iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect(),
    };
    let open = ranges.last().is_some_and(|(_, end)| *end == char::MAX);
    if ranges.is_empty() {
        out.push_str(r"[^\s\S]");
        return;
    }
    if let (true, Class::Unicode(class)) = (open, of) {
        let mut rest = class.clone();
        rest.negate();
        ranges = rest.iter().map(|range| (range.start(), range.end())).collect();
    }
    if ranges.is_empty() {
        out.push_str(r"[\s\S]");
        return;
    }
    out.push_str(if open { "[^" } else { "[" });
    for (start, end) in ranges {
        write_character(start, "\\]^[-", out);
        if end > start {
            if u32::from(end) > u32::from(start) + 1 {
                out.push('-');
            }
            write_character(end, "\\]^[-", out);
        }
    }
    out.push(']');
}

/// Writes a character, escaped if it is special or not printable.
fn write_character(c: char, special: &str, out: &mut String) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if special.contains(c) => out.extend(['\\', c]),
        c if c.is_ascii_graphic() || c == ' ' || c.is_alphanumeric() || u32::from(c) > 0xffff => out.push(c),
        c => _ = write!(out, "\\u{:04x}", u32::from(c)),
    }
}

/// Returns an assertion in ECMA-262 syntax; those for lines and word starts become lookarounds.
const fn assertion(look: Look) -> &'static str {
    match look {
        Look::Start => "^",
        Look::End => "$",
        Look::StartLF => r"(?:^|(?<=\n))",
        Look::EndLF => r"(?:$|(?=\n))",
        Look::StartCRLF => r"(?:^|(?<=\n)|(?<=\r)(?!\n))",
        Look::EndCRLF => r"(?:$|(?=\r)|(?<!\r)(?=\n))",
        Look::WordAscii | Look::WordUnicode => r"\b",
        Look::WordAsciiNegate | Look::WordUnicodeNegate => r"\B",
        Look::WordStartAscii | Look::WordStartUnicode => r"\b(?=\w)",
        Look::WordEndAscii | Look::WordEndUnicode => r"\b(?<=\w)",
        Look::WordStartHalfAscii | Look::WordStartHalfUnicode => r"(?<!\w)",
        Look::WordEndHalfAscii | Look::WordEndHalfUnicode => r"(?!\w)",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn patterns_in_the_dialect_of_json_schema() {
        let table = [
            ("[a-v0-9]+", "^[0-9a-v]+$"),
            ("people/.+", "^people\\/[^\\n]+$"),
            ("[^=]+=.*", "^[^=]+=[^\\n]*$"),
            ("a|bc", "^(?:a|bc)$"),
            ("(?i)tel:", "^[Tt][Ee][Ll]:$"),
            (r"\d{2,}x?", "^[0-9]{2,}x?$"),
            (r"(?=.*\d)(?!a).b", r"^(?=[^\n]b$)(?!a[\s\S]*$)(?=[^\n]*[0-9][\s\S]*$)[\s\S]*$"),
            (r"(?P<n>ab)*\.[\]\-]", "^(?:ab)*\\.[\\-\\]]$"),
            (r"a(?:b|cd)e", "^a(?:b|cd)e$"),
            ("(?s).", "^[\\s\\S]$"),
            ("\u{2003}{3}é", "^\\u2003{3}é$"),
        ];
        for (pattern, expected) in table {
            assert_eq!(super::super::to_ecma(pattern).as_deref(), Some(expected), "{pattern}");
        }
    }
}
