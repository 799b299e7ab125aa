//! Whether a pattern can become a table that generated code carries.

use crate::diagnostics::{Code, Sink};
use crate::patterns;
use crate::schema::Text;

/// Checks a pattern and reports what is wrong with it.
pub fn check(pattern: &Text, sink: &mut Sink) -> bool {
    match patterns::anchored(&pattern.text) {
        Ok(_) => true,
        Err(reason) => {
            sink.report(Code::BadPattern, pattern.span, reason.to_string()).help(reason.help());
            false
        }
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
