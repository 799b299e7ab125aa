//! Multipart forms: `multipart/form-data` (RFC 7578).

pub use crate::http::multipart as read;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Serialize;
use serde_json::Value;

use crate::file::{self, FilePart};
use crate::form::brackets::{self, FieldsError};
use crate::form::{self, AnyJsonFields, OrderedFields};
use crate::json::{self, EncodeError};

/// Encoded form.
pub(crate) struct Multipart {
    /// Media type, with the boundary.
    pub(crate) content_type: String,
    /// Body with all parts.
    pub(crate) body: Vec<u8>,
}

/// Part of a form.
enum Part {
    Text(String),
    Json(String),
    File(FilePart),
}

/// Encodes a value as a form: each member that is not null is a part, each element of a list is a separate part, except
/// for the lists in `json_lists`, each of which is one JSON part.
pub(crate) fn write<T: Serialize + ?Sized>(
    value: &T,
    free: AnyJsonFields,
    json_lists: &[&str],
) -> Result<Multipart, EncodeError> {
    let (encoded, files) = file::collect_files(|| json::to_vec(value));
    let members: OrderedFields = form::parse_fields(&encoded?, |name| form::text_levels(json_lists.contains(&name)))?;
    let mut parts = Vec::new();
    for (name, value) in members.0 {
        let free = free.contains(&name);
        match value {
            Value::Null => {}
            Value::Array(list) if !json_lists.contains(&name.as_str()) => {
                parts.extend(list.iter().map(|value| (name.clone(), part(value, free, &files))))
            }
            value => parts.push((name, part(&value, free, &files))),
        }
    }
    Ok(Multipart::new(&parts))
}

/// Encodes a value as a form in which each scalar and each file is a part, whose name contains its path in brackets.
pub(crate) fn write_with_brackets<T: Serialize + ?Sized>(value: &T) -> Result<Multipart, FieldsError> {
    let (encoded, files) = file::collect_files(|| json::to_vec(value));
    let encoded = encoded.map_err(FieldsError::Encoding)?;
    let leaves = brackets::leaves(form::parse_fields(&encoded, |_| usize::MAX).map_err(FieldsError::Encoding)?)?;
    let parts: Vec<_> = leaves.into_iter().map(|(name, value)| (name, part(&value, false, &files))).collect();
    Ok(Multipart::new(&parts))
}

impl Multipart {
    fn new(parts: &[(String, Part)]) -> Self {
        let boundary = boundary(parts);
        let mut body = Vec::with_capacity(parts.iter().map(|(name, part)| part.bytes().len() + name.len() + 160).sum());
        for (name, part) in parts {
            body.extend_from_slice(format!("--{boundary}\r\n{}\r\n", head(name, part)).as_bytes());
            body.extend_from_slice(part.bytes());
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        Self { content_type: format!("multipart/form-data; boundary={boundary}"), body }
    }
}

/// Converts a value to a part of a form.
fn part(value: &Value, free: bool, files: &[FilePart]) -> Part {
    if let Some(file) = file::placeholder_index(value).and_then(|place| files.get(place)) {
        return Part::File(file.clone());
    }
    match value {
        Value::Object(_) | Value::Array(_) => Part::Json(value.to_string()),
        scalar => Part::Text(form::text(scalar, free)),
    }
}

impl Part {
    /// Returns the content of the part.
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) | Self::Json(text) => text.as_bytes(),
            Self::File(file) => file.as_slice(),
        }
    }
}

/// Returns the headers of a part. A part without a media type is text.
fn head(name: &str, part: &Part) -> String {
    let name = escape(name);
    match part {
        Part::Text(_) => format!("Content-Disposition: form-data; name=\"{name}\"\r\n"),
        Part::Json(_) => {
            format!("Content-Disposition: form-data; name=\"{name}\"\r\nContent-Type: application/json\r\n")
        }
        Part::File(file) => {
            // Receivers treat a part without a file name as a field, so a file always has one.
            let file_name = escape(file.name().unwrap_or("file"));
            let plain = |text: &&str| text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
            let content_type = file.content_type().filter(plain).unwrap_or("application/octet-stream");
            format!(
                "Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n\
                 Content-Type: {content_type}\r\n"
            )
        }
    }
}

/// Escapes a name for a quoted string. Quotes and line breaks are percent-encoded, as browsers do, so that no name ends
/// its header; a backslash is doubled, because most parsers treat a single one as an escape.
fn escape(name: &str) -> String {
    name.chars()
        .map(|c| match c {
            '"' => "%22".to_owned(),
            '\r' => "%0D".to_owned(),
            '\n' => "%0A".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if c.is_control() => " ".to_owned(),
            c => c.to_string(),
        })
        .collect()
}

/// Returns a boundary that no part contains. It is derived from the parts, so that the output is deterministic.
fn boundary(parts: &[(String, Part)]) -> String {
    let mut hasher = DefaultHasher::new();
    for (name, part) in parts {
        name.hash(&mut hasher);
        part.bytes().hash(&mut hasher);
    }
    let mut boundary = format!("wireform-{:016x}", hasher.finish());
    while parts.iter().any(|(_, part)| contains(part.bytes(), boundary.as_bytes())) {
        boundary.hash(&mut hasher);
        boundary = format!("wireform-{:016x}", hasher.finish());
    }
    boundary
}

/// Returns whether the text occurs anywhere in the bytes.
fn contains(bytes: &[u8], line: &[u8]) -> bool {
    bytes.windows(line.len()).any(|window| window == line)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Form(FilePart);

    impl Serialize for Form {
        fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeMap as _;

            let mut map = s.serialize_map(None)?;
            map.serialize_entry("title", "\u{e9}")?;
            map.serialize_entry("size", &3)?;
            map.serialize_entry("tags", &["x", "y"])?;
            map.serialize_entry("owner", &serde_json::json!({"id": 1}))?;
            map.serialize_entry("nothing", &())?;
            map.serialize_entry("image", &self.0)?;
            map.end()
        }
    }

    #[test]
    fn parts() {
        let image = FilePart::new(*b"\x00\r\n--\xff").with_name("a\"b\r\nX: y\\.png").with_content_type("image/png");
        let form = Form(image);
        let written = write(&form, AnyJsonFields::default(), &[]).unwrap();
        let boundary = written.content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let text = String::from_utf8_lossy(&written.body).replace(boundary, "B");
        let expected = "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\u{e9}\r\n\
            --B\r\nContent-Disposition: form-data; name=\"size\"\r\n\r\n3\r\n\
            --B\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\nx\r\n\
            --B\r\nContent-Disposition: form-data; name=\"tags\"\r\n\r\ny\r\n\
            --B\r\nContent-Disposition: form-data; name=\"owner\"\r\nContent-Type: application/json\r\n\r\n{\"id\":1}\r\n\
            --B\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a%22b%0D%0AX: y\\\\.png\"\r\n\
            Content-Type: image/png\r\n\r\n\0\r\n--\u{fffd}\r\n--B--\r\n";
        assert_eq!(text, expected);
        assert_eq!(
            written.body,
            write(&form, AnyJsonFields::default(), &[]).unwrap().body,
            "the same form is the same text"
        );
    }

    #[test]
    fn a_list_can_be_one_part_of_json() {
        let written = write(&Form(FilePart::default()), AnyJsonFields::default(), &["tags"]).unwrap();
        let text = String::from_utf8_lossy(&written.body);
        let expected = "name=\"tags\"\r\nContent-Type: application/json\r\n\r\n[\"x\",\"y\"]\r\n";
        assert!(text.contains(expected) && text.matches("name=\"tags\"").count() == 1, "{text}");
    }

    #[test]
    fn boundaries_occur_in_no_part() {
        let text = |text: &str| vec![("a".to_owned(), Part::Text(text.to_owned()))];
        let first = boundary(&text("x"));
        // The first candidate for the boundary is contained in the form.
        assert_ne!(boundary(&text(&first)), first);
        assert!(contains(b"abc", b"bc") && !contains(b"abc", b"ac") && !contains(b"", b"a"));
    }
}
