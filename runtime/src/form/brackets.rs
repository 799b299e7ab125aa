//! Forms and parameters with a form field for each scalar, whose name contains the path of field names and list indices
//! in brackets: `address[city]=Kiel&items[0][price]=5`.

use serde::Serialize;
use serde_json::Value;

use super::{OrderedFields, text};
use crate::file;
use crate::json::{self, EncodeError};
use crate::unions::Content;

/// Maximum number of bracket pairs in the name of a form field: `a[b][c]` has two.
pub const MAX_BRACKET_DEPTH: usize = 32;

/// Error of converting a value to fields.
#[derive(Debug)]
pub(crate) enum FieldsError {
    /// The value cannot be encoded.
    Encoding(EncodeError),
    /// The name of a field is empty, or contains a bracket.
    Name,
    /// The value has more levels than [`MAX_BRACKET_DEPTH`].
    Depth,
}

/// Returns the fields of a value, with names that start with `name`.
pub(crate) fn fields<T: Serialize + ?Sized>(name: &str, value: &T) -> Result<Vec<(String, String)>, FieldsError> {
    // Converted through text, which preserves the digits of an `f32`.
    let encoded = json::to_vec(value).map_err(FieldsError::Encoding)?;
    let value: Content<'_> =
        json::from_slice(&encoded).map_err(|error| FieldsError::Encoding(EncodeError::new(&error.message)))?;
    let value = value.into_texts(usize::MAX);
    let mut fields = Vec::new();
    flatten(name.to_owned(), value, 0, &mut |name, value| fields.push((name, text(&value, false))))?;
    Ok(fields)
}

/// Returns the form fields of a value, in the order of its fields.
pub(crate) fn form_fields<T: Serialize + ?Sized>(value: &T) -> Result<Vec<(String, String)>, FieldsError> {
    let encoded = json::to_vec(value).map_err(FieldsError::Encoding)?;
    let fields = leaves(super::parse_fields(&encoded, |_| usize::MAX).map_err(FieldsError::Encoding)?)?;
    Ok(fields.into_iter().map(|(name, value)| (name, text(&value, false))).collect())
}

/// Returns the scalars and the files within these fields, each with its name.
pub(crate) fn leaves(members: OrderedFields) -> Result<Vec<(String, Value)>, FieldsError> {
    let mut leaves = Vec::new();
    for (name, value) in members.0 {
        if !is_name(&name) {
            return Err(FieldsError::Name);
        }
        flatten(name, value, 0, &mut |name, value| leaves.push((name, value)))?;
    }
    Ok(leaves)
}

/// Returns whether a field can have this name: a bracket ends a name, and an empty name stands for the next element of
/// a list.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['[', ']'])
}

/// Passes each value within an object or a list to `push`, with a name in brackets.
fn flatten(name: String, value: Value, depth: usize, push: &mut dyn FnMut(String, Value)) -> Result<(), FieldsError> {
    if depth > MAX_BRACKET_DEPTH {
        return Err(FieldsError::Depth);
    }
    if file::placeholder_index(&value).is_some() {
        push(name, value);
        return Ok(());
    }
    match value {
        // Absent, as in other forms.
        Value::Null if depth < 1 => {}
        Value::Object(members) => {
            for (member, value) in members.into_iter().filter(|(_, value)| !value.is_null()) {
                if !is_name(&member) {
                    return Err(FieldsError::Name);
                }
                flatten(format!("{name}[{member}]"), value, depth + 1, push)?;
            }
        }
        Value::Array(list) => {
            for (index, value) in list.into_iter().enumerate() {
                flatten(format!("{name}[{index}]"), value, depth + 1, push)?;
            }
        }
        scalar => push(name, scalar),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(value: &Value) -> Result<String, FieldsError> {
        let fields = form_fields(value)?;
        Ok(fields.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&"))
    }

    #[test]
    fn names_contain_the_path() {
        let value = json!({
            "a": "x y", "b": { "c": [1, true], "d": { "e": "" }, "n": null }, "f": [{ "g": 1 }, [2], null], "n": null,
            "empty": [], "none": {},
        });
        let fields = "a=x y&b[c][0]=1&b[c][1]=true&b[d][e]=&f[0][g]=1&f[1][0]=2&f[2]=null";
        assert_eq!(written(&value).unwrap(), fields);
        let below = fields_text("filter", &json!({ "size": 3 }));
        assert_eq!(below, "filter[size]=3");
        assert_eq!(fields_text("ids", &json!(["a", "b"])), "ids[0]=a&ids[1]=b");
        assert_eq!(fields_text("at", &json!(5)), "at=5");
    }

    fn fields_text(name: &str, value: &Value) -> String {
        let fields = fields(name, value).unwrap();
        fields.iter().map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join("&")
    }

    #[test]
    fn ambiguous_names_are_rejected() {
        for value in [json!({ "a[b]": 1 }), json!({ "a": { "b]": 1 } }), json!({ "a": { "": 1 } }), json!({ "": 1 })] {
            assert!(matches!(written(&value), Err(FieldsError::Name)), "{value}");
        }
        let deep = |levels: usize| (0..levels).fold(json!(1), |value, _| json!({ "a": value }));
        assert!(written(&deep(MAX_BRACKET_DEPTH + 1)).is_ok());
        assert!(matches!(written(&deep(MAX_BRACKET_DEPTH + 2)), Err(FieldsError::Depth)));
        assert!(matches!(written(&json!([1])), Err(FieldsError::Encoding(_))));
    }
}
