//! Decoding of request members from the JSON of a task.

use std::borrow::Cow;

use serde_json::Value;
use wireform_runtime::{__private::{FromParameters, ParameterTexts}, FromWire, ParameterError, json};

/// Parameters and body of a request. The first decoding error is recorded, and the example value is used instead.
#[derive(Debug)]
pub struct Arguments<'t> {
    parameters: &'t [Value],
    body: &'t Value,
    error: Option<String>,
}

impl<'t> Arguments<'t> {
    /// Creates the arguments from the parameters, in order, and the body.
    pub fn new(parameters: &'t [Value], body: &'t Value) -> Self {
        Self { parameters, body, error: None }
    }

    /// Returns the first decoding error.
    pub fn error(self) -> Option<String> {
        self.error
    }

    /// Decodes a parameter. Non-finite numbers are strings in JSON, but valid parameters.
    pub fn take<T: for<'de> FromWire<'de> + FromParameters>(&mut self, index: usize, example: &str) -> T {
        match self.parameters.get(index).unwrap_or(&Value::Null) {
            Value::String(text) if ["NaN", "Infinity", "-Infinity"].contains(&text.as_str()) => {
                T::from_parameters(&mut Text(Some(text)))
            }
            value => self.read(&value.to_string(), example),
        }
    }

    /// Decodes the body.
    pub fn body<T: for<'de> FromWire<'de>>(&mut self) -> T {
        self.read(&self.body.to_string(), "{}")
    }

    /// Decodes a value, or the example if the value is invalid or absent.
    fn read<T: for<'de> FromWire<'de>>(&mut self, text: &str, example: &str) -> T {
        let error = match json::from_str(text) {
            Ok(value) => return value,
            Err(error) => error,
        };
        if text != "null" {
            self.error.get_or_insert(format!("{error}: {text}"));
        }
        json::from_str(example).unwrap_or_else(|error| panic!("invalid example {example}: {error}"))
    }
}

/// A single parameter text.
struct Text<'t>(Option<&'t str>);

impl<'t> ParameterTexts<'t> for Text<'t> {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        self.0.take().map(Cow::Borrowed)
    }

    fn reject(&mut self, error: ParameterError) {
        panic!("{error}");
    }

    fn report_missing(&mut self) {
        panic!("the text is missing");
    }
}
