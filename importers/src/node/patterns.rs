//! Compiled patterns of a document.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use wireform_codegen::patterns::{self, Matcher, PatternError};

use crate::nesting_limits::{MAX_PATTERN_WORK, TOO_MANY_PATTERNS};

/// Result of the compilation of a pattern.
type Compiled = Result<Rc<Matcher>, String>;

/// Compiled patterns of a document: compiling is slow, and few are different.
#[derive(Default)]
pub struct Patterns {
    known: RefCell<HashMap<String, Compiled>>,
    /// Work so far.
    work: Cell<usize>,
}

impl Patterns {
    /// Returns a compiled pattern, or the reason why it cannot be used.
    pub fn compile(&self, pattern: &str) -> Compiled {
        if let Some(known) = self.known.borrow().get(pattern) {
            return known.clone();
        }
        if self.work.get() >= MAX_PATTERN_WORK {
            return Err(TOO_MANY_PATTERNS.to_owned());
        }
        let compiled = patterns::compile_anchored(pattern);
        let work = match &compiled {
            Ok(matcher) => matcher.size(),
            Err(PatternError::TooLarge) => patterns::MAX_SIZE,
            Err(_) => 0,
        };
        // Look-around compiles an automaton of its own, which is not a part of the result.
        let looks = patterns::count_look_around(pattern);
        let work = work.saturating_add(looks.saturating_mul(patterns::MAX_SIZE / 4));
        self.work.set(self.work.get().saturating_add(work).saturating_add(pattern.len()));
        let compiled = compiled.map(Rc::new).map_err(|why| why.to_string());
        self.known.borrow_mut().insert(pattern.to_owned(), compiled.clone());
        compiled
    }
}
