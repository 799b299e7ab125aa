//! Damaged and oversized conditions.

use super::schema;
use crate::Source;

/// Tokens with a meaning in one of the stages.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ",",
    "?",
    ":",
    "!",
    "-",
    "&&",
    "||",
    "==",
    "<",
    "in",
    "has(",
    "this.",
    "this",
    "old.",
    "params.",
    "body",
    "'",
    "\"",
    "'''",
    "\\",
    "r'",
    "b'",
    "0x",
    "1e999",
    "9223372036854775808",
    "18446744073709551616u",
    "-9223372036854775808",
    ".all(x, ",
    ".map(x, ",
    ".unique()",
    "size(",
    "timestamp('",
    "null",
    "true",
    "`",
    "//",
    "\n",
    "\t",
    "\u{0}",
    "\u{202e}",
    "💥",
    "ä",
    "State.",
    "x",
    "_",
    "__",
    "for",
    "type",
    "dyn(",
    "[?",
    ".?",
    "%",
    "/ 0",
    "* 9223372036854775807",
];

const SEEDS: [&str; 5] = [
    "has(this.note) && this.note.startsWith('a') || !has(this.count) || this.count > size(this.note)",
    "this.parts.map(p, has(p.name) && has(p.weight), [p.name, p.weight]).unique() ? this.done : this.state in ['open']",
    "!has(this.start) || this.start - duration('1h') < timestamp('2020-01-01T00:00:00Z') && -1 + 2 * 3 / 4 % 5 == 0",
    "this.tags.all(t, t in this.parts.map(p, has(p.name), p.name)) == this.tags.exists_one(t, t.matches('^a+$'))",
    "has(this.part.inner.name) ? this.labels[this.part.inner.name] == '' : this.anything.all(a, a != null)",
];

/// Returns conditions that are damaged at random, the same in each run.
pub fn damaged(rounds: usize) -> impl Iterator<Item = String> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut below = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % u64::try_from(limit.max(1)).unwrap_or(1)).unwrap_or(0)
    };
    (0..rounds).map(move |round| {
        let mut chars: Vec<char> = SEEDS[round % SEEDS.len()].chars().collect();
        for _ in 0..=below(3) {
            let at = below(chars.len());
            let end = (at + 1 + below(9)).min(chars.len());
            match below(5) {
                0 => drop(chars.drain(at.min(end)..end)),
                1 => {
                    let copy: Vec<char> = chars[at.min(end)..end].to_vec();
                    let to = below(chars.len());
                    chars.splice(to..to, copy);
                }
                _ => drop(chars.splice(at..at, PIECES[below(PIECES.len())].chars())),
            }
        }
        chars.into_iter().filter(|c| !c.is_control() || *c == '\t').collect()
    })
}

/// Damaged conditions must end in errors with spans, and valid ones in Rust.
#[test]
fn damaged_conditions_end_in_errors_or_in_rust() {
    let mut right = 0;
    for condition in damaged(600) {
        let text = schema("CONDITION", &condition, "[]");
        let output = crate::generate(&[Source::new("api.yaml", text.as_str())], &crate::Options::default());
        for one in &output.diagnostics {
            let span = one.span;
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{condition}: {one:?}");
            assert!(text.is_char_boundary(span.start as usize), "{condition}: {one:?}");
        }
        let errors = output.diagnostics.iter().any(|one| one.code.severity() == crate::Severity::Error);
        assert_eq!(output.files.is_some(), !errors, "{condition}");
        for (path, rust) in output.files.iter().flatten().filter(|(path, _)| path.ends_with(".rs")) {
            right += usize::from(path.ends_with("validation/src/lib.rs"));
            assert!(syn::parse_file(rust).is_ok(), "{path} of {condition} is not Rust");
        }
    }
    assert!(right >= 5, "only {right} conditions are valid: the changes are too large");
}

/// Deeply nested and long conditions must be rejected without recursion.
#[test]
fn large_conditions() {
    for condition in [
        format!("{}true", "!".repeat(3000)),
        format!("{}1 > 0", "-".repeat(3000)),
        format!("this.id{} == ''", ".id".repeat(1000)),
        format!("true{}", " || true".repeat(500)),
        format!("1{} > 0", " + 1".repeat(500)),
        format!("true{}", " == true".repeat(400)),
        format!("{}true{}", "[".repeat(23), "]".repeat(23)),
        format!("this.tags{}", ".map(x, x)".repeat(60)),
        format!("this.tags{} == []", ".filter(x, true)".repeat(30)),
        format!("{}true{}", "this.tags.all(x, ".repeat(24), ")".repeat(24)),
        format!("{}true", "true ? true : ".repeat(24)),
        "x".repeat(5000),
    ] {
        let text = schema("CONDITION", &condition, "[]");
        drop(crate::generate(&[Source::new("api.yaml", text)], &crate::Options::default()));
    }
}
