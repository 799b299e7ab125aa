//! Form bodies. They are converted to the equivalent JSON, so that the further processing, such as rules and their
//! paths, is the same for both.

use std::borrow::Cow;
use std::collections::HashMap;

use axum::body::Bytes;
use http::header::CONTENT_TYPE;
use wireform_runtime::form::{Form, FormField, FormFieldKind};
use wireform_runtime::operation::Delimiter;

use super::Incoming;
use super::brackets::{self, Tree};
use super::json::{to_json, to_json_string};
use crate::error::{Error, ErrorLocation};
use crate::query;
use wireform_runtime::http::media_type::essence;
use wireform_runtime::http::percent::decode_form;

/// Media type of URL-encoded forms.
const URL_ENCODED: &str = "application/x-www-form-urlencoded";

/// Maximum number of fields of a form: each takes memory, however short it is.
const MAX_FIELDS: usize = 10_000;

impl Incoming {
    /// Converts the body to JSON if it is a form.
    ///
    /// # Errors
    /// Returns a 400 if the form is malformed.
    pub fn form(mut self, form: &'static Form) -> Result<Self, Error> {
        if !self.body.is_empty() && self.essence().eq_ignore_ascii_case(URL_ENCODED) {
            let text = std::str::from_utf8(&self.body).map_err(|_| malformed_form("the body must be UTF-8"))?;
            self.body = Bytes::from(form_to_json(form, text)?);
        }
        Ok(self)
    }

    /// Returns the index of the alternative that matches the media type of the body; 0 without a media type or a body.
    #[must_use]
    pub fn alternative(&self, alternatives: &[&[&str]]) -> usize {
        let content_type = self.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        // Other types were refused before, unless there is no body.
        content_type
            .and_then(|content_type| wireform_runtime::media::alternative_index(content_type, alternatives))
            .unwrap_or(0)
    }

    /// Returns the media type of the body, without its parameters; the default is the first one that the operation
    /// accepts.
    pub(super) fn essence(&self) -> &str {
        essence(self.content_type().unwrap_or_default())
    }

    /// Returns the content type of the body.
    pub(super) fn content_type(&self) -> Option<&str> {
        let content_type = self.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        content_type.or_else(|| self.contract.content_types.first().copied())
    }
}

/// Converts the fields of a form to a JSON object.
fn form_to_json(form: &'static Form, text: &str) -> Result<Vec<u8>, Error> {
    let (mut object, mut count) = (ObjectBuilder::new(form), 0);
    for (name, value) in query::pairs(Some(text)) {
        let name = decode_form(name).map_err(malformed_form)?;
        let delimiter = form.field(&name).and_then(|field| field.delimiter);
        // Commas are split before decoding, since an encoded one is part of a value; the other delimiters are encoded.
        let is_comma = delimiter == Some(Delimiter::Comma);
        for piece in value.split(|character| is_comma && character == ',') {
            let value = decode_form(piece).map_err(|message| {
                malformed_form(message).with_location(ErrorLocation::Field(name.to_string().into()))
            })?;
            let separator = delimiter.filter(|_| !is_comma).map(Delimiter::character);
            for element in value.split(|character| Some(character) == separator) {
                count += 1;
                if count > MAX_FIELDS {
                    return Err(malformed_form(format!("the form has more than {MAX_FIELDS} fields")));
                }
                object.push(&name, element);
            }
        }
    }
    object.finish().map_err(malformed_form)
}

/// Creates the error of a malformed form: a 400.
#[cold]
fn malformed_form(message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message)
}

/// Builder of a JSON object. A repeated field is a list if the schema has one, otherwise a duplicate, which the decoder
/// rejects.
pub(super) struct ObjectBuilder {
    form: &'static Form,
    /// Names in their order, each with its values as JSON.
    members: Vec<(String, bool, Vec<String>)>,
    indices: HashMap<String, usize>,
    /// Tree that is used instead if names have brackets.
    tree: Option<Result<Tree, &'static str>>,
}

impl ObjectBuilder {
    pub(super) fn new(form: &'static Form) -> Self {
        let tree = form.has_brackets().then(|| Ok(Tree::default()));
        Self { form, members: Vec::new(), indices: HashMap::new(), tree }
    }

    /// Adds the value of a field.
    pub(super) fn push(&mut self, name: &str, value: &str) {
        if let Some(tree) = &mut self.tree {
            return brackets::add(tree, name, brackets::Leaf::Text(value.to_owned()));
        }
        let field = self.form.field(name);
        let (kind, kinds) = field.map_or((FormFieldKind::Text, 0), |field| (field.kind, field.kinds));
        let json = to_json(kind, kinds, value);
        self.push_json(name, field, json);
    }

    /// Adds the value of a field that is JSON already.
    pub(super) fn push_json(&mut self, name: &str, field: Option<&'static FormField>, json: String) {
        if let Some(tree) = &mut self.tree {
            return brackets::add(tree, name, brackets::Leaf::Json(json));
        }
        let list = field.is_some_and(|field| field.list);
        let next = self.members.len();
        let place = *self.indices.entry(name.to_owned()).or_insert(next);
        match self.members.get_mut(place) {
            Some((_, _, values)) => values.push(json),
            None => self.members.push((name.to_owned(), list, vec![json])),
        }
    }

    /// Returns the object as JSON.
    ///
    /// # Errors
    /// Returns an error if the names of fields contradict each other.
    pub(super) fn finish(self) -> Result<Vec<u8>, &'static str> {
        if let Some(tree) = self.tree {
            return tree?.object(self.form).map(String::into_bytes);
        }
        let mut text = String::from("{");
        for (name, list, values) in self.members {
            let name = to_json_string(&name);
            if list {
                push_separator(&mut text);
                text.push_str(&format!("{name}:[{}]", values.join(",")));
                continue;
            }
            for value in values {
                push_separator(&mut text);
                text.push_str(&format!("{name}:{value}"));
            }
        }
        text.push('}');
        Ok(text.into_bytes())
    }
}

/// Appends a comma to the JSON text of an object, unless it has no fields yet.
fn push_separator(text: &mut String) {
    if !text.ends_with('{') {
        text.push(',');
    }
}

#[cfg(test)]
mod tests {
    use wireform_runtime::__private::unions;

    use super::*;

    static FORM: Form = Form::new(&[
        FormField::text("name").aliases(&["title"]),
        FormField::text("tags").list(),
        FormField::number("size"),
        FormField::bool("open"),
        FormField::json("owner"),
        FormField::json("some").kinds(unions::OBJECT | unions::BOOL | unions::TEXT),
        FormField::json("count").kinds(unions::INTEGER | unions::TEXT),
    ]);

    fn read(text: &str) -> Result<String, String> {
        let json = form_to_json(&FORM, text).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(json).unwrap())
    }

    #[test]
    fn fields_become_members() {
        let form = "name=a+b%22&tags=x&size=12&tags=y%2Cz&open=true&owner=%7B%22id%22%3A1%7D";
        let json = r#"{"name":"a b\"","tags":["x","y,z"],"size":12,"open":true,"owner":{"id":1}}"#;
        assert_eq!(read(form), Ok(json.to_owned()));
        assert_eq!(read("tags=x").as_deref(), Ok(r#"{"tags":["x"]}"#), "one element makes a list too");
        assert_eq!(
            read("name=12&size=012&open=1&owner=%7B").as_deref(),
            Ok(r#"{"name":"12","size":"012","open":"1","owner":"{"}"#),
            "what is not of its kind stays a text"
        );
        assert_eq!(read("&&a&=").as_deref(), Ok(r#"{"a":"","":""}"#));
    }

    #[test]
    fn unions_keep_texts_that_match_no_other_kind() {
        for (form, json) in [
            ("some=12", r#"{"some":"12"}"#),
            ("some=null", r#"{"some":"null"}"#),
            ("some=%22a%22", r#"{"some":"\"a\""}"#),
            ("some=%5B1%5D", r#"{"some":"[1]"}"#),
            ("some=true", r#"{"some":true}"#),
            ("some=%20%7B%7D", r#"{"some": {}}"#),
            ("some=truth", r#"{"some":"truth"}"#),
            ("count=12", r#"{"count":12}"#),
            ("count=%7B%7D", r#"{"count":"{}"}"#),
            ("owner=%2212%22", r#"{"owner":"12"}"#),
        ] {
            assert_eq!(read(form).as_deref(), Ok(json), "{form}");
        }
    }

    #[test]
    fn duplicate_members_are_kept() {
        assert_eq!(read("size=1&size=2").as_deref(), Ok(r#"{"size":1,"size":2}"#));
        assert_eq!(read("else=1&name=2&else=3").as_deref(), Ok(r#"{"else":"1","else":"3","name":"2"}"#));
    }

    #[test]
    fn malformed_forms_are_rejected() {
        for form in ["name=%", "%zz=1", "name=%ff"] {
            assert!(read(form).is_err(), "{form}");
        }
        let many = "a=1&".repeat(MAX_FIELDS + 1);
        assert!(read(&many).is_err_and(|error| error.contains("more than 10000 fields")));
        assert!(read(&many[..4 * MAX_FIELDS]).is_ok());
    }
}
