//! The style sheet of one page: where its things are, and in which colours.

use std::fmt::{Display, Write as _};

/// Rules that are added one by one. They hold numbers and checked colours, and no text of anybody.
#[derive(Default)]
pub(crate) struct Sheet {
    rules: String,
    count: usize,
}

impl Sheet {
    /// Adds what one thing has, and returns the identifier of its element.
    pub(crate) fn add(&mut self, properties: &[(&str, &dyn Display)]) -> String {
        let id = format!("e{}", self.count);
        self.count += 1;
        self.rule(&format!("#{id}"), properties);
        id
    }

    /// Adds what elements have that a selector finds.
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

/// Returns whether a text is a colour as `#rrggbb`, and nothing else.
pub(crate) fn is_color(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()))
}
