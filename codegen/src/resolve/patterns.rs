//! Patterns, compiled to tables that generated code carries.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::diagnostics::{Code, Sink};
use crate::patterns::{self, Matcher};
use crate::schema::Text;

/// Compiles a pattern unless it is known, or reports why it cannot be compiled.
pub fn check(pattern: &Text, known: &RefCell<BTreeMap<String, Matcher>>, sink: &mut Sink) -> bool {
    if known.borrow().contains_key(&pattern.text) {
        return true;
    }
    match patterns::compile_anchored(&pattern.text) {
        Ok(matcher) => {
            known.borrow_mut().insert(pattern.text.clone(), matcher);
            true
        }
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
        let passes = |text: &str| {
            let text = Text { text: text.into(), span: Span::default() };
            check(&text, &RefCell::default(), &mut Sink::new())
        };
        assert!(passes("[a-v0-9]+") && passes("people/.+") && passes("(a+)+"));
        for wrong in ["(", r"(a)\1", "b*(?=a)a", "((a{1000}){1000}){1000}", r"\p{Nonsense}"] {
            assert!(!passes(wrong), "{wrong}");
        }
    }
}
