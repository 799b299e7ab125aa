//! Encoding of bodies, and of parameters with fields.

use serde::Serialize;
use serde_json::Value;

use super::{RequestEncoder, RequestErrorKind, is_header_value};
use crate::form::AnyJsonFields;
use crate::form::brackets::{self, FieldsError};
use crate::operation::Delimiter;
use crate::raw_body::{RawBody, RawContent};
use crate::request::path;
#[cfg(feature = "xml")]
use crate::xml::XmlRoot;
use crate::{form, json, multipart};

impl RequestEncoder {
    /// Sets the fields of the next form or parameter that can hold any JSON: a string in one of them that would parse
    /// as JSON is written as JSON, so that it stays a string.
    pub fn any_json_fields(&mut self, members: &'static [&'static str]) {
        self.any_json_fields = AnyJsonFields::Only(members);
    }

    /// Sets the fields of the next form or parameter that cannot hold any JSON, if additional fields can.
    pub fn any_json_fields_except(&mut self, members: &'static [&'static str]) {
        self.any_json_fields = AnyJsonFields::AllExcept(members);
    }

    /// Writes the next parameter unless it is absent: one for each member of the value, with its name in brackets, as
    /// in `filter[size]=3`.
    pub fn deep_object<T: Serialize + ?Sized>(&mut self, value: Option<&T>) {
        let any_json_fields = std::mem::take(&mut self.any_json_fields);
        let (Some(parameter), Some(value)) = (self.next(), value) else { return };
        let fields = match form::fields_with(value, any_json_fields) {
            Ok(fields) => fields,
            Err(error) => return self.set_error(parameter.name.name, RequestErrorKind::Body(error)),
        };
        for (member, text) in fields {
            self.query.push(if self.query.is_empty() { '?' } else { '&' });
            path::encode(parameter.name.name_in(self.names), &mut self.query);
            self.query.push_str("%5B");
            path::encode(&member, &mut self.query);
            self.query.push_str("%5D=");
            path::encode(&text, &mut self.query);
        }
    }

    /// Writes the next parameter unless it is absent: one for each scalar within the value, with the path of member
    /// names and list indices in brackets, as in `filter[owner][name]=a`.
    pub fn brackets<T: Serialize + ?Sized>(&mut self, value: Option<&T>) {
        let (Some(parameter), Some(value)) = (self.next(), value) else { return };
        match brackets::fields(parameter.name.name_in(self.names), value) {
            Ok(fields) => {
                for (name, text) in fields {
                    self.query.push(if self.query.is_empty() { '?' } else { '&' });
                    path::encode(&name, &mut self.query);
                    self.query.push('=');
                    path::encode(&text, &mut self.query);
                }
            }
            Err(error) => self.set_error(parameter.name.name, error.into()),
        }
    }

    /// Writes the next parameter as JSON unless it is absent.
    pub fn json<T: Serialize + ?Sized>(&mut self, value: Option<&T>) {
        let (Some(parameter), Some(value)) = (self.next(), value) else { return };
        match json::to_string(value) {
            Ok(text) => self.push_text(parameter, &text),
            Err(error) => self.set_error(parameter.name.name, RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body.
    pub fn body<T: Serialize + ?Sized>(&mut self, value: &T) {
        match json::to_vec(value) {
            Ok(body) => self.body = Some(body),
            Err(error) => self.set_error("body", RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body as XML.
    #[cfg(feature = "xml")]
    pub fn xml<T: Serialize + ?Sized>(&mut self, value: &T, root: &XmlRoot) {
        match root.encode(value) {
            Ok(body) => self.body = Some(body),
            Err(error) => self.set_error("body", RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body as a multipart form (`multipart/form-data`).
    pub fn multipart<T: Serialize + ?Sized>(&mut self, value: &T) {
        self.multipart_with_json_lists(value, &[]);
    }

    /// Writes the body as a multipart form in which each of `json_lists` is one JSON part.
    pub fn multipart_with_json_lists<T: Serialize + ?Sized>(&mut self, value: &T, json_lists: &[&str]) {
        match multipart::write(value, std::mem::take(&mut self.any_json_fields), json_lists) {
            Ok(form) => {
                self.body = Some(form.body);
                self.content_type = Some(form.content_type);
            }
            Err(error) => self.set_error("body", RequestErrorKind::Body(error)),
        }
    }

    /// Writes the body as a URL-encoded form (`application/x-www-form-urlencoded`).
    pub fn form<T: Serialize + ?Sized>(&mut self, value: &T) {
        self.form_with_lists(value, &[]);
    }

    /// Writes the body as a URL-encoded form in which each of `lists` is one field, with a delimiter or as JSON.
    pub fn form_with_lists<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        lists: &'static [(&'static str, Option<Delimiter>)],
    ) {
        let any_json_fields = std::mem::take(&mut self.any_json_fields);
        let levels = |name: &str| form::text_levels(lists.contains(&(name, None)));
        let fields = match json::to_vec(value).and_then(|encoded| form::parse_fields(&encoded, levels)) {
            Ok(fields) => fields,
            Err(error) => return self.set_error("body", RequestErrorKind::Body(error)),
        };
        let mut body = UrlEncoded::default();
        for (name, value) in fields.0 {
            let free = any_json_fields.contains(&name);
            match (value, lists.iter().find(|(list, _)| *list == name)) {
                (Value::Null, _) => {}
                (Value::Array(list), None) => list.iter().for_each(|one| body.push(&name, &form::text(one, free))),
                (Value::Array(list), Some((name, Some(delimiter)))) => {
                    let texts: Vec<String> = list.iter().map(|one| form::text(one, free)).collect();
                    if *delimiter != Delimiter::Comma && texts.iter().any(|it| it.contains(delimiter.character())) {
                        return self.set_error(name, RequestErrorKind::ForbiddenCharacter);
                    }
                    body.push_list(name, &texts, *delimiter);
                }
                (value, _) => body.push(&name, &form::text(&value, free)),
            }
        }
        self.body = Some(body.text.into_bytes());
    }

    /// Writes the body as a URL-encoded form with a field for each scalar, whose name contains its path in brackets.
    pub fn form_with_brackets<T: Serialize + ?Sized>(&mut self, value: &T) {
        match brackets::form_fields(value) {
            Ok(fields) => {
                let mut body = UrlEncoded::default();
                fields.iter().for_each(|(name, value)| body.push(name, value));
                self.body = Some(body.text.into_bytes());
            }
            Err(error) => self.set_error("body", error.into()),
        }
    }

    /// Writes the body as a multipart form with a part for each scalar.
    pub fn multipart_with_brackets<T: Serialize + ?Sized>(&mut self, value: &T) {
        match multipart::write_with_brackets(value) {
            Ok(form) => {
                self.body = Some(form.body);
                self.content_type = Some(form.content_type);
            }
            Err(error) => self.set_error("body", error.into()),
        }
    }

    /// Writes a body other than JSON.
    pub fn raw<T: RawContent>(&mut self, body: &RawBody<T>) {
        self.body = Some(body.content().as_body().to_vec());
        self.content_type = body.content_type().map(str::to_owned);
        if self.content_type.as_ref().is_some_and(|text| !is_header_value(text)) {
            self.set_error("content-type", RequestErrorKind::ForbiddenCharacter);
        }
    }
}

impl RequestEncoder {
    /// Sets the media type of the body, unless the body itself determines it.
    pub fn media_type(&mut self, media_type: &'static str) {
        self.content_type.get_or_insert_with(|| media_type.to_owned());
    }
}

/// URL-encoded form. Everything reserved is encoded, including spaces, so that a parser need not know that a plus is a space.
#[derive(Default)]
struct UrlEncoded {
    text: String,
}

impl UrlEncoded {
    /// Adds a field.
    fn push(&mut self, name: &str, value: &str) {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        path::encode(name, &mut self.text);
        self.text.push('=');
        path::encode(value, &mut self.text);
    }

    /// Adds a field with the elements of a list, unless it is empty.
    fn push_list(&mut self, name: &str, elements: &[String], delimiter: Delimiter) {
        let Some((first, others)) = elements.split_first() else { return };
        self.push(name, first);
        for element in others {
            self.text.push_str(match delimiter {
                // Commas within values are encoded, so they are distinct (RFC 6570, section 3.2.1).
                Delimiter::Comma => ",",
                Delimiter::Space => "%20",
                Delimiter::Pipe => "%7C",
            });
            path::encode(element, &mut self.text);
        }
    }
}

impl From<FieldsError> for RequestErrorKind {
    fn from(error: FieldsError) -> Self {
        match error {
            FieldsError::Encoding(error) => Self::Body(error),
            FieldsError::Name => Self::ForbiddenCharacter,
            FieldsError::Depth => Self::TooDeep,
        }
    }
}
