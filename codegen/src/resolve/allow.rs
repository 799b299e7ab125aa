//! Warnings that a definition allows. They are suppressed, and an allowance that suppresses nothing is a warning
//! itself.

use crate::diagnostics::{Code, Severity, Sink, Span};
use crate::schema::{File, Text};

/// Warnings that definitions allow.
pub struct AllowedWarnings {
    list: Vec<Allowance>,
}

/// Permission for a definition to cause the warnings of one code.
struct Allowance {
    code: Code,
    /// Span of the code.
    written: Span,
    /// Span of the definition, including its name.
    definition: Span,
    is_used: bool,
}

impl AllowedWarnings {
    /// Collects the allowances of all files, and reports codes that are not warnings.
    pub fn collect(files: &[File], sink: &mut Sink) -> Self {
        let mut allowed = Self { list: Vec::new() };
        for file in files {
            let operations = file.operations.0.iter().map(|(key, def)| (key, def.span, &def.allow));
            let resources = file.resources.0.iter().map(|(key, def)| (key, def.span, &def.allow));
            let unions = file.unions.0.iter().map(|(key, def)| (key, def.span, &def.allow));
            for (key, span, codes) in operations.chain(resources).chain(unions) {
                let definition = Span { start: key.span.start, ..span };
                allowed.list.extend(codes.iter().filter_map(|code| allowance(code, definition, sink)));
            }
        }
        allowed
    }

    /// Removes the warnings that are allowed.
    pub fn apply(&mut self, sink: &mut Sink) {
        if self.list.is_empty() {
            return;
        }
        sink.retain(|diagnostic| {
            let mut matching = self.list.iter_mut().filter(|one| one.covers(diagnostic.code, diagnostic.span));
            match matching.next() {
                Some(allowance) => {
                    allowance.is_used = true;
                    false
                }
                None => true,
            }
        });
    }

    /// Reports the allowances that suppressed nothing, after all other warnings.
    pub fn report_unused(self, sink: &mut Sink) {
        for unused in self.list.iter().filter(|one| !one.is_used) {
            let message = format!("unused `allow` of {}", unused.code.text());
            sink.report(Code::UnusedAllow, unused.written, message).help("remove the code");
        }
    }
}

impl Allowance {
    /// Returns whether a diagnostic has the allowed code and is inside the definition.
    fn covers(&self, code: Code, span: Span) -> bool {
        let is_inside = (self.definition.start..=self.definition.end).contains(&span.start);
        self.code == code && self.definition.file == span.file && is_inside
    }
}

/// Resolves a code under `allow:`; reports one that is unknown or the code of an error.
fn allowance(written: &Text, definition: Span, sink: &mut Sink) -> Option<Allowance> {
    let found = Code::ALL.iter().find(|code| code.text().eq_ignore_ascii_case(&written.text));
    match found.map(|code| (*code, code.severity())) {
        Some((code, Severity::Warning)) => Some(Allowance { code, written: written.span, definition, is_used: false }),
        Some((code, Severity::Error)) => {
            let message = format!("{} is an error and cannot be allowed", code.text());
            sink.report(Code::BadScalar, written.span, message).help("fix the error and remove the code");
            None
        }
        None => {
            let message = format!("unknown warning code `{}`", written.text.escape_debug());
            sink.report(Code::BadScalar, written.span, message)
                .help("write the code that is shown in brackets after `warning`: `allow: [W0309]`");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, check};

    const SCHEMA: &str = "
api: shop
resources:
  Item: { doc: A thing for sale., fields: { id: { type: string, doc: Its name. } } }
operations:
  items.get:
    doc: Reads an item.
    http: GET /items/:first
    response: Item
  items.all:
    doc: Reads an item again.
    http: GET /items/:all
    response: Item
  itmes.last:
    doc: Reads the last item.
    http: GET /items/last
    response: Item
";

    fn codes(schema: &str) -> Vec<(&'static str, usize)> {
        let output = check(&[Source::new("api.yaml", schema)]);
        output.diagnostics.iter().map(|one| (one.code.text(), one.line_column(&output.sources).0)).collect()
    }

    #[test]
    fn a_warning_is_not_given_where_it_is_allowed_and_nowhere_else() {
        assert_eq!(codes(SCHEMA), [("W0309", 8), ("W0309", 12), ("W0313", 14)]);
        let one = SCHEMA.replace(":first\n", ":first\n    allow: [W0309]\n");
        assert_eq!(codes(&one), [("W0309", 13), ("W0313", 15)]);
        let both = one.replace("last\n    response: Item\n", "last\n    response: Item\n    allow: [w0313]\n");
        assert_eq!(codes(&both), [("W0309", 13)]);
        let none = SCHEMA.replace(":first\n", "first\n    allow: [W0309]\n");
        assert_eq!(codes(&none), [("W0315", 9), ("W0309", 13), ("W0313", 15)]);
    }
}
