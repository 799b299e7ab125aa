//! Structured parameters: a resource whose fields are separate parameters, or JSON.

use std::borrow::Cow;

use wireform_runtime::form::Form;
use wireform_runtime::operation::{Expansion, Parameter, ParameterLocation};
use wireform_runtime::{FromWire, json};
use wireform_validation::__private::Location;

use super::brackets::{Leaf, Tree};
use super::form::ObjectBuilder;
use super::parameters::{DUPLICATE_PARAMETER, RequestParameters};
use super::query::{ParameterRef, QueryPair};
use super::{Parameters, expansion};
use wireform_runtime::http::percent::{DecodedText, decode, decode_form};

impl<'r> Parameters<'r, '_> {
    /// Parses the next parameter, which holds JSON or, with a form, whose fields are separate parameters. Records a
    /// violation if it is invalid.
    pub fn structured<T: for<'de> FromWire<'de>>(&mut self, form: Option<&'static Form>) -> Option<T> {
        let index = self.next_index();
        self.structured_at(index, form)
    }

    /// Parses the structured parameter with this index in the operation; `None` if it is absent or invalid.
    fn structured_at<T: for<'de> FromWire<'de>>(&mut self, index: usize, form: Option<&'static Form>) -> Option<T> {
        let parameter = self.wire.operation.parameters.get(index)?;
        if let (Some(expansion), Some(form)) = (parameter.expansion, form)
            && !(matches!(expansion, Expansion::Members(_)))
        {
            let raw = self.raw_text(index, parameter)?;
            let decode = if parameter.location == ParameterLocation::Query {
                decode_form
            } else {
                decoder_for(parameter.location)
            };
            let text = expansion::split_members(expansion, parameter, raw, decode).and_then(|members| {
                let mut object = ObjectBuilder::new(form);
                members.iter().for_each(|(name, text)| object.push(name, text));
                object.finish()
            });
            return self.decode_structured(parameter, text);
        }
        let pairs: Vec<QueryPair<'_>> =
            self.wire.query.iter().filter(|pair| pair.slot == ParameterRef::Operation(index)).copied().collect();
        let first = pairs.first()?;
        let text = match form {
            Some(form) if form.has_brackets() => value_in_brackets(form, &pairs),
            Some(form) if parameter.deep_object => members_in_brackets(form, &pairs),
            Some(form) => members_from_parameters(form, &pairs),
            None if pairs.len() > 1 => {
                self.unread.reject_parameter(
                    Location::parameter(parameter.name.name),
                    DUPLICATE_PARAMETER,
                    "must not be repeated",
                );
                return None;
            }
            None => decode_form(first.value).map(|text| text.into_owned().into_bytes()),
        };
        self.decode_structured(parameter, text)
    }

    /// Decodes the JSON of a structured parameter. Returns `None` and records a violation if it is invalid.
    fn decode_structured<T: for<'de> FromWire<'de>>(
        &mut self,
        parameter: &'static Parameter,
        text: Result<Vec<u8>, &'static str>,
    ) -> Option<T> {
        let at = match parameter.location {
            ParameterLocation::Path | ParameterLocation::Query => Location::parameter(parameter.name.name),
            ParameterLocation::Header | ParameterLocation::Cookie => Location::header(parameter.name.name),
        };
        let read = text
            .map_err(str::to_owned)
            .and_then(|text| json::from_slice(&text).map_err(|error| describe_error(&error)));
        read.map_err(|message| self.unread.reject_parameter(at, "type", message)).ok()
    }

    /// Returns the single text of a parameter, still encoded.
    fn raw_text(&mut self, index: usize, parameter: &'static Parameter) -> Option<&'r str> {
        let RequestParameters { operation, captures, parts, query } = self.wire;
        let mut texts: Vec<&'r str> = match parameter.location {
            ParameterLocation::Path => {
                captures.variable_text(operation, parts.uri.path(), parameter.name.name).into_iter().collect()
            }
            ParameterLocation::Query => {
                query.iter().filter(|pair| pair.slot == ParameterRef::Operation(index)).map(|pair| pair.value).collect()
            }
            ParameterLocation::Header | ParameterLocation::Cookie => {
                let names = std::iter::once(&parameter.name.name).chain(parameter.name.aliases);
                let lines = names.flat_map(|name| parts.headers.get_all(*name));
                lines.filter_map(|line| line.to_str().ok()).collect()
            }
        };
        let first = texts.pop();
        if !texts.is_empty() {
            self.unread.reject_parameter(
                Location::parameter(parameter.name.name),
                DUPLICATE_PARAMETER,
                "must not be repeated",
            );
            return None;
        }
        first
    }

    /// Parses a required parameter; records a violation and returns the default if it is missing.
    pub fn required_structured<T: Default + for<'de> FromWire<'de>>(&mut self, form: Option<&'static Form>) -> T {
        self.required_structured_or(form, T::default)
    }

    /// Like `required_structured`, with an explicit default.
    pub fn required_structured_or<T: for<'de> FromWire<'de>>(
        &mut self,
        form: Option<&'static Form>,
        instead: impl FnOnce() -> T,
    ) -> T {
        let index = self.next_index();
        let parameter = self.wire.operation.parameters.get(index);
        let is_there = match parameter.map(|parameter| parameter.location) {
            // A path always has it, and a missing header was reported when it was read.
            Some(ParameterLocation::Path) => true,
            Some(ParameterLocation::Header) => {
                parameter.is_some_and(|it| self.wire.parts.headers.contains_key(it.name.name))
            }
            _ => self.wire.query.iter().any(|pair| pair.slot == ParameterRef::Operation(index)),
        };
        if let (false, Some(parameter)) = (is_there, parameter) {
            self.unread.missing_parameter(Location::parameter(parameter.name.name));
        }
        self.structured_at(index, form).unwrap_or_else(instead)
    }
}

/// Returns the decoder of a text by its location.
fn decoder_for(location: ParameterLocation) -> fn(&str) -> DecodedText<'_> {
    if location == ParameterLocation::Path { decode } else { |text| Ok(Cow::Borrowed(text.trim_ascii())) }
}

/// Converts fields that are separate parameters to JSON.
fn members_from_parameters(form: &'static Form, pairs: &[QueryPair<'_>]) -> Result<Vec<u8>, &'static str> {
    let mut object = ObjectBuilder::new(form);
    for pair in pairs {
        object.push(&decode_form(pair.raw)?, &decode_form(pair.value)?);
    }
    object.finish()
}

/// Converts fields in brackets to JSON.
fn members_in_brackets(form: &'static Form, pairs: &[QueryPair<'_>]) -> Result<Vec<u8>, &'static str> {
    let mut object = ObjectBuilder::new(form);
    for pair in pairs {
        let name = decode_form(pair.raw)?;
        let member = name.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        match member.filter(|member| form.field(member).is_some()) {
            Some(member) => object.push(member, &decode_form(pair.value)?),
            None => return Err("must have the name of a field in brackets"),
        }
    }
    object.finish()
}

/// Converts a value whose scalars are separate parameters to JSON. It is the only field of the form.
fn value_in_brackets(form: &'static Form, pairs: &[QueryPair<'_>]) -> Result<Vec<u8>, &'static str> {
    let mut tree = Tree::default();
    for pair in pairs {
        let name = decode_form(pair.raw)?;
        let within = name.split_once('[').map_or("", |(outer, _)| name.get(outer.len()..).unwrap_or_default());
        tree.add_by_brackets(within, Leaf::Text(decode_form(pair.value)?.into_owned()))?;
    }
    tree.single_value(form).map(String::into_bytes)
}

/// Formats an error without the value.
fn describe_error(error: &json::DecodeError) -> String {
    if error.path.is_empty() {
        "must be JSON of the declared type".to_owned()
    } else {
        format!("`{}` has the wrong type", error.path)
    }
}
