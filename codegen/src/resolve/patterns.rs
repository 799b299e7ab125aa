//! Whether a pattern is a regular expression that can be matched in linear time and small memory.

use regex_syntax::hir::{Hir, HirKind};

use crate::diagnostics::{Code, Sink};
use crate::schema::Text;

/// The most states that a pattern may unfold to.
const MAX_STATES: u64 = 20_000;

/// Checks a pattern and reports what is wrong with it.
pub fn check(pattern: &Text, sink: &mut Sink) -> bool {
    let mut parser = regex_syntax::ParserBuilder::new().nest_limit(50).build();
    match parser.parse(&pattern.text) {
        Ok(hir) if states(&hir) <= MAX_STATES => true,
        Ok(_) => {
            sink.report(Code::BadPattern, pattern.span, "the pattern unfolds to too many states")
                .help("make its repetitions smaller, or use `length`");
            false
        }
        Err(error) => {
            let reason = match &error {
                regex_syntax::Error::Parse(error) => error.kind().to_string(),
                regex_syntax::Error::Translate(error) => error.kind().to_string(),
                _ => "it is not a regular expression".to_owned(),
            };
            sink.report(Code::BadPattern, pattern.span, format!("the pattern cannot be read: {reason}"))
                .help("look-around and back-references are left out, so that matching takes linear time");
            false
        }
    }
}

/// How many states the pattern has when its counted repetitions are written out. The recursion is
/// as deep as the pattern is nested, which the parser limits.
fn states(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(class) => match class {
            regex_syntax::hir::Class::Unicode(class) => 1 + class.ranges().len() as u64,
            regex_syntax::hir::Class::Bytes(_) => 1,
        },
        HirKind::Repetition(repetition) => {
            let times = u64::from(repetition.max.unwrap_or(repetition.min).max(1));
            states(&repetition.sub).saturating_mul(times)
        }
        HirKind::Capture(capture) => states(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(states).fold(1, u64::saturating_add),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Span;

    #[test]
    fn linear_patterns_pass_and_others_do_not() {
        let passes = |text: &str| check(&Text { text: text.into(), span: Span::default() }, &mut Sink::new());
        assert!(passes("[a-v0-9]+") && passes("people/.+") && passes("(a+)+"));
        for wrong in ["(", r"(a)\1", "(?=a)b", "((a{1000}){1000}){1000}", r"\p{Nonsense}"] {
            assert!(!passes(wrong), "{wrong}");
        }
    }
}
