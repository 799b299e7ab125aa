//! Inline style sheet of a page, with the positions and colors of its elements.

use std::fmt::{Display, Write as _};

/// Style sheet. It contains numbers and validated colors, and no text from outside.
#[derive(Default)]
pub(crate) struct Sheet {
    rules: String,
    count: usize,
}

impl Sheet {
    /// Adds the properties of one element and returns its identifier.
    pub(crate) fn add(&mut self, properties: &[(&str, &dyn Display)]) -> String {
        let id = format!("e{}", self.count);
        self.count += 1;
        self.rule(&format!("#{id}"), properties);
        id
    }

    /// Adds the properties of the elements that a selector matches.
    pub(crate) fn rule(&mut self, selector: &str, properties: &[(&str, &dyn Display)]) {
        // Writing to a string does not fail.
        let _ = write!(self.rules, "{selector}{{");
        for (name, value) in properties {
            let _ = write!(self.rules, "--{name}:{value};");
        }
        self.rules.push('}');
    }

    /// Returns the style sheet.
    pub(crate) fn as_str(&self) -> &str {
        &self.rules
    }
}

/// Returns whether a text is a color of the form `#rrggbb`.
pub(crate) fn is_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
