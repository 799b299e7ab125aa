//! Writing of content lines.

/// Writer of content lines.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    pub(crate) text: String,
}

/// Maximum length of a folded line in bytes.
const MAX_WIDTH: usize = 75;

impl Writer {
    /// Writes a line whose value needs no escapes. Control characters are removed from the value: a line end in it would
    /// begin another line.
    pub(crate) fn line(&mut self, name: &str, parameters: &[(&str, &str)], value: &str) {
        let mut line = name.to_owned();
        for (name, value) in parameters {
            line.push_str(&format!(";{name}={}", quote_parameter(value)));
        }
        line.push(':');
        line.extend(value.chars().filter(|character| !character.is_control() || *character == '\t'));
        self.fold(&line);
    }

    /// Writes a line of text.
    pub(crate) fn text(&mut self, name: &str, text: &str) {
        self.line(name, &[], &escape(text));
    }

    /// Appends a line, folded so that no part of it exceeds [`MAX_WIDTH`].
    fn fold(&mut self, line: &str) {
        let mut width = 0;
        for character in line.chars() {
            if width + character.len_utf8() > MAX_WIDTH {
                self.text.push_str("\r\n ");
                width = 1;
            }
            self.text.push(character);
            width += character.len_utf8();
        }
        self.text.push_str("\r\n");
    }
}

/// Escapes the value of a parameter (RFC 6868), without control characters, and puts it in quotation marks if it needs
/// them.
fn quote_parameter(value: &str) -> String {
    let value: String = value
        .chars()
        .flat_map(|character| match character {
            '^' => vec!['^', '^'],
            '"' => vec!['^', '\''],
            '\n' => vec!['^', 'n'],
            other if other.is_control() => Vec::new(),
            other => vec![other],
        })
        .collect();
    if value.contains([':', ';', ',']) { format!("\"{value}\"") } else { value }
}

/// Escapes text.
fn escape(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for character in text.replace("\r\n", "\n").chars() {
        match character {
            '\\' | ';' | ',' => value.extend(['\\', character]),
            '\n' | '\r' => value.push_str("\\n"),
            // Other control characters are not allowed in a file.
            other if other.is_control() && other != '\t' => {}
            other => value.push(other),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::super::{parse_property, unfold_lines};
    use super::*;

    #[test]
    fn written_lines_can_be_read() {
        let text = "a\\b;c,d\n\u{1f600}".repeat(30);
        let mut writer = Writer::default();
        writer.line("X", &[("CN", "a \"b\"; ^n\n: c")], &escape(&text));
        assert!(writer.text.lines().all(|line| line.len() <= MAX_WIDTH));
        let line = unfold_lines(writer.text.as_bytes()).next().unwrap();
        let read = parse_property(&line).unwrap();
        assert_eq!((read.text(), read.parameter("CN")), (text, Some("a \"b\"; ^n\n: c")));
    }
}
