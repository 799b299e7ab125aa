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

/// Minimum contrast of a small text (WCAG 2.2, section 1.4.3).
const MIN_CONTRAST: f64 = 4.5;

/// Returns a text color, or the one of black and white that can be read on the background if the color cannot. Both
/// are colors of the form `#rrggbb`.
pub(crate) fn readable_color<'a>(text: &'a str, background: &str) -> &'a str {
    let back = luminance(background);
    let contrast = |color: &str| {
        let front = luminance(color);
        (front.max(back) + 0.05) / (front.min(back) + 0.05)
    };
    if contrast(text) >= MIN_CONTRAST {
        text
    } else if contrast("#000000") > contrast("#ffffff") {
        "#000000"
    } else {
        "#ffffff"
    }
}

/// Returns the relative luminance of a color (WCAG 2.2).
fn luminance(color: &str) -> f64 {
    let channel = |from: usize| {
        let value = color.get(from..from + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or_default();
        let value = f64::from(value) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

#[cfg(test)]
mod tests {
    use super::readable_color;

    #[test]
    fn a_text_can_be_read_on_its_background() {
        for (text, background, expected) in [
            ("#ffffff", "#22303c", "#ffffff"),
            ("#ffffff", "#16a765", "#000000"),
            ("#16a765", "#16a765", "#000000"),
            ("#222222", "#000000", "#ffffff"),
        ] {
            assert_eq!(readable_color(text, background), expected, "{text} on {background}");
        }
    }
}
