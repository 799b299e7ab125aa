//! Basic authentication (RFC 7617).

use std::fmt;

use http::HeaderValue;

use super::{CredentialsError, CredentialsErrorKind};

/// User name and password for basic authentication (RFC 7617).
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    name: String,
    password: String,
}

impl Basic {
    /// Creates credentials. A name with a colon, and line breaks in either, are an error when a call uses them.
    #[must_use]
    pub fn new(name: impl Into<String>, password: impl Into<String>) -> Self {
        Self { name: name.into(), password: password.into() }
    }

    /// Returns the value of the header `Authorization`, marked as sensitive.
    ///
    /// # Errors
    /// Returns an error if the name holds a colon, or if either holds a control character.
    pub fn authorization(&self) -> Result<HeaderValue, CredentialsError> {
        let refused = |message: &str| CredentialsError::new(CredentialsErrorKind::Invalid, message);
        if self.name.contains(':') {
            return Err(refused("the user name must not contain `:`"));
        }
        if self.name.chars().chain(self.password.chars()).any(char::is_control) {
            return Err(refused(
                "the user name and the password must not contain line breaks or other control characters",
            ));
        }
        let mut value = HeaderValue::try_from(format!("Basic {}", self.to_base64()))
            .map_err(|_| refused("the user name and the password are too long for a header"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Encodes both for the header.
    fn to_base64(&self) -> String {
        wireform_runtime::Bytes::standard(format!("{}:{}", self.name, self.password)).to_string()
    }

    /// Returns the secrets that messages must not show.
    pub(crate) fn secrets(&self) -> [String; 2] {
        [self.to_base64(), self.password.clone()]
    }
}

/// Omits even the name, which may be that of an account.
impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Basic(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_passwords() {
        let value = Basic::new("Aladdin", "open sesame").authorization().unwrap();
        assert_eq!(value.to_str().unwrap(), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert!(value.is_sensitive());
        assert!(Basic::new("", "é:€").authorization().is_ok());
        for (name, password) in [("a:b", ""), ("a\r\nX: y", ""), ("a", "b\0")] {
            assert!(Basic::new(name, password).authorization().is_err(), "{name:?}");
        }
        assert_eq!(format!("{:?}", Basic::new("name", "secret")), "Basic(…)");
    }
}
