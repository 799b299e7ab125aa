//! Arguments of the calls of scripts.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::host::Scope;

/// Arguments of a call, which come from a script.
pub(crate) struct Arguments(pub(crate) Value);

impl Arguments {
    /// Returns an argument that must be a string.
    pub(crate) fn text(&self, name: &str) -> Result<&str, String> {
        self.0.get(name).and_then(Value::as_str).ok_or_else(|| format!("`{name}` is not a string"))
    }

    /// Returns a string argument; `None` if it is missing, empty or not a string.
    pub(crate) fn optional(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// Returns an argument of any type.
    pub(crate) fn value(&self, name: &str) -> Value {
        self.0.get(name).cloned().unwrap_or_default()
    }

    /// Returns the scope argument. Projects are not bound to documents here, so those of the document belong to the
    /// script.
    pub(crate) fn scope(&self) -> Result<Scope, String> {
        match self.text("scope")? {
            "script" | "document" => Ok(Scope::Script),
            "user" => Ok(Scope::User),
            other => Err(format!("`{other}` is neither `script` nor `user`")),
        }
    }

    /// Returns an argument that must be an object of strings.
    pub(crate) fn texts(&self, name: &str) -> Result<BTreeMap<String, String>, String> {
        let map = self.0.get(name).and_then(Value::as_object).ok_or_else(|| format!("`{name}` is not an object"))?;
        let text = |(key, value): (&String, &Value)| {
            let value = value.as_str().ok_or_else(|| format!("the value of `{key}` is not a string"))?;
            Ok((key.clone(), value.to_owned()))
        };
        map.iter().map(text).collect()
    }

    /// Returns an argument that must be a list of strings.
    pub(crate) fn list(&self, name: &str) -> Result<Vec<String>, String> {
        let list = self.0.get(name).and_then(Value::as_array).ok_or_else(|| format!("`{name}` is not a list"))?;
        let text = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or_else(|| {
                format!(
                    "`{name}` contains \
         values that are not strings"
                )
            })
        };
        list.iter().map(text).collect()
    }
}
