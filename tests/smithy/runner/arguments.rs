//! The members of a request from JSON.

use std::borrow::Cow;

use serde_json::Value;
use wireform_runtime::{__private::{FromParameters, ParameterTexts}, FromWire, ParameterError, json};

/// What a request is built from. What cannot be read is remembered, and stands for its default until then.
#[derive(Debug)]
pub struct Arguments<'t> {
    parameters: &'t [Value],
    body: &'t Value,
    error: Option<String>,
}

impl<'t> Arguments<'t> {
    /// From the parameters in their order, and the body.
    pub fn new(parameters: &'t [Value], body: &'t Value) -> Self {
        Self { parameters, body, error: None }
    }

    /// What could not be read.
    pub fn error(self) -> Option<String> {
        self.error
    }

    /// A parameter. Numbers that are not finite are texts in JSON, and can be parameters.
    pub fn take<T: for<'de> FromWire<'de> + FromParameters>(&mut self, index: usize, example: &str) -> T {
        match self.parameters.get(index).unwrap_or(&Value::Null) {
            Value::String(text) if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) => {
                T::from_parameters(&mut Text(Some(text)))
            }
            value => self.read(&value.to_string(), example),
        }
    }

    /// The body.
    pub fn body<T: for<'de> FromWire<'de>>(&mut self) -> T {
        self.read(&self.body.to_string(), "{}")
    }

    /// Reads a value; where there is none and there must be one, the example.
    fn read<T: for<'de> FromWire<'de>>(&mut self, text: &str, example: &str) -> T {
        let error = match json::from_str(text) {
            Ok(value) => return value,
            Err(error) => error,
        };
        if text != "null" {
            self.error.get_or_insert(format!("{error}: {text}"));
        }
        json::from_str(example).unwrap_or_else(|error| panic!("the example {example} cannot be read: {error}"))
    }
}

/// A text that can be read.
struct Text<'t>(Option<&'t str>);

impl<'t> ParameterTexts<'t> for Text<'t> {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        self.0.take().map(Cow::Borrowed)
    }

    fn reject(&mut self, error: ParameterError) {
        panic!("{error}");
    }

    fn report_missing(&mut self) {
        panic!("there is a text");
    }
}
