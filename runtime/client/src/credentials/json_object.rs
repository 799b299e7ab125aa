//! JSON object that holds secrets: messages show no values.

use serde_json::Value;

use super::{CredentialsError, CredentialsErrorKind};

/// JSON object.
pub(super) struct JsonObject(serde_json::Map<String, Value>);

impl JsonObject {
    /// Parses an object.
    pub(super) fn parse(text: &str) -> Result<Self, CredentialsError> {
        match serde_json::from_str(text) {
            Ok(Value::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(invalid("expected a JSON object")),
            // Syntax errors show a position and no content.
            Err(error) => Err(invalid(&format!("invalid JSON: {error}"))),
        }
    }

    /// Returns the object in a field.
    #[cfg(feature = "oauth")]
    pub(super) fn object(&self, name: &str) -> Option<Self> {
        self.0.get(name).and_then(Value::as_object).cloned().map(Self)
    }

    /// Returns a required string.
    pub(super) fn required_string(&self, name: &str) -> Result<String, CredentialsError> {
        self.optional_string(name)?.ok_or_else(|| invalid(&format!("missing field `{name}`")))
    }

    /// Returns an optional string.
    pub(super) fn optional_string(&self, name: &str) -> Result<Option<String>, CredentialsError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Err(invalid(&format!("the field `{name}` is empty"))),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(invalid(&format!("the field `{name}` must be a string"))),
        }
    }
}

/// Creates the error of an invalid credentials file.
fn invalid(message: &str) -> CredentialsError {
    CredentialsError::new(CredentialsErrorKind::Invalid, message)
}
