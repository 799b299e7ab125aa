//! Parameters with a style other than the default of their location: lists and objects in paths, and objects in the
//! query and in headers (RFC 6570, section 3.2).

use serde::Serialize;

use super::{RequestEncoder, RequestErrorKind};
use crate::form;
use crate::operation::{Expansion, Parameter, ParameterLocation};
use crate::request::path;
use crate::request::{ParameterValues, ToParameter};

impl RequestEncoder {
    /// Writes the values of a variable of the path.
    pub(super) fn expand_values<T: ToParameter + ?Sized>(
        &mut self,
        parameter: &'static Parameter,
        expansion: Expansion,
        value: &T,
    ) {
        let mut texts: Vec<String> = Vec::new();
        value.to_parameter(&mut ParameterValues { take: &mut |text| texts.push(encode(text)) });
        if texts.is_empty() {
            return;
        }
        let name = encode(parameter.name.name_in(self.names));
        let text = match expansion {
            // A dot is not encoded, so the values of such a list would be ambiguous.
            Expansion::Label { explode: true } if texts.len() > 1 && texts.iter().any(|text| text.contains('.')) => {
                return self.set_error(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
            }
            Expansion::Label { explode: each } => format!(".{}", texts.join(if each { "." } else { "," })),
            Expansion::Matrix { explode: true } => texts.iter().map(|text| format!(";{name}={text}")).collect(),
            Expansion::Matrix { explode: false } => format!(";{name}={}", texts.join(",")),
            Expansion::Pairs | Expansion::Assignments | Expansion::Members(_) => texts.join(","),
        };
        self.encoded_path.push((parameter.name.name, text));
    }

    /// Writes the next parameter, which holds members with their names, unless it is absent.
    pub fn object_parameter<T: Serialize + ?Sized>(&mut self, value: Option<&T>) {
        let any_json_fields = std::mem::take(&mut self.any_json_fields);
        let (Some(parameter), Some(value)) = (self.next(), value) else { return };
        let Some(expansion) = parameter.expansion else { return };
        let fields = match form::fields_with(value, any_json_fields) {
            Ok(fields) if fields.is_empty() => return,
            Ok(fields) => fields,
            Err(error) => return self.set_error(parameter.name.name, RequestErrorKind::Body(error)),
        };
        if parameter.location == ParameterLocation::Header {
            return self.object_header(parameter, expansion, &fields);
        }
        let fields: Vec<_> = fields.iter().map(|(name, text)| (encode(name), encode(text))).collect();
        let name = encode(parameter.name.name_in(self.names));
        let has_dot = fields.iter().any(|(name, text)| name.contains('.') || text.contains('.'));
        let text = match expansion {
            Expansion::Members(_) => {
                for (name, text) in &fields {
                    self.query.push(if self.query.is_empty() { '?' } else { '&' });
                    self.query.extend([name, "=", text]);
                }
                return;
            }
            Expansion::Label { explode: true } if has_dot => {
                return self.set_error(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
            }
            Expansion::Pairs => join_pairs(&fields),
            Expansion::Assignments => join_assigned(&fields, ","),
            Expansion::Label { explode: true } => format!(".{}", join_assigned(&fields, ".")),
            Expansion::Label { explode: false } => format!(".{}", join_pairs(&fields)),
            Expansion::Matrix { explode: true } => format!(";{}", join_assigned(&fields, ";")),
            Expansion::Matrix { explode: false } => format!(";{name}={}", join_pairs(&fields)),
        };
        if parameter.location == ParameterLocation::Path {
            return self.encoded_path.push((parameter.name.name, text));
        }
        self.query.push(if self.query.is_empty() { '?' } else { '&' });
        self.query.extend([name.as_str(), "=", &text]);
    }

    /// Writes a parameter with fields to a header. Header values are not encoded, so they must not contain the
    /// separators.
    fn object_header(&mut self, parameter: &Parameter, expansion: Expansion, fields: &[(String, String)]) {
        let is_invalid = |text: &String| text.is_empty() || text.contains([',', '=']) || text.trim_ascii() != text;
        if fields.iter().any(|(name, text)| is_invalid(name) || is_invalid(text)) {
            return self.set_error(parameter.name.name, RequestErrorKind::ForbiddenCharacter);
        }
        let text = if expansion == Expansion::Assignments { join_assigned(fields, ",") } else { join_pairs(fields) };
        self.push_text(parameter, &text);
    }
}

/// Percent-encodes a text for a path or a query.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    path::encode(text, &mut out);
    out
}

/// Joins fields as `size,3,open,true`.
fn join_pairs(fields: &[(String, String)]) -> String {
    fields.iter().map(|(name, text)| format!("{name},{text}")).collect::<Vec<_>>().join(",")
}

/// Joins fields as `size=3,open=true`.
fn join_assigned(fields: &[(String, String)], between: &str) -> String {
    fields.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(between)
}
