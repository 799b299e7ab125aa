//! Multipart forms (RFC 7578). They are converted to the equivalent JSON, and files are kept separately.

use std::borrow::Cow;

use axum::body::Bytes;
use wireform_runtime::__private::multipart::read::{self, Breaks, Disposition, Folding, ReadError};
use wireform_runtime::FilePart;
use wireform_runtime::file::file_placeholder;
use wireform_runtime::form::{Form, FormFieldKind};

use super::Incoming;
use super::form::ObjectBuilder;
use crate::error::{Error, ErrorLocation};

/// Media type of multipart forms.
const MULTIPART: &str = "multipart/form-data";

/// Maximum number of parts: each has headers, however short it is.
const MAX_PARTS: usize = 1_000;

/// Maximum size in bytes of the name of a part, or of a file.
const MAX_NAME_BYTES: usize = 1_024;

impl Incoming {
    /// Converts the body to JSON if it is a multipart form. Its files are kept separately.
    ///
    /// # Errors
    /// Returns a 400 if the form is malformed.
    pub fn multipart(mut self, form: &'static Form) -> Result<Self, Error> {
        if !self.body.is_empty() && self.essence().eq_ignore_ascii_case(MULTIPART) {
            let content_type = self.content_type().unwrap_or_default();
            let boundary = read::boundary(content_type)
                .ok_or_else(|| bad_request("missing parameter `boundary` of the media type"))?;
            let (json, files) = convert_parts(form, &self.body, &boundary)?;
            self.body = Bytes::from(json);
            self.files = files;
        }
        Ok(self)
    }
}

/// Converts a multipart form to a JSON object in which placeholders stand for the files, and these files.
fn convert_parts(form: &'static Form, body: &[u8], boundary: &str) -> Result<(Vec<u8>, Vec<FilePart>), Error> {
    let (mut object, mut files) = (ObjectBuilder::new(form), Vec::new());
    for part in read::parts(body, boundary, Breaks::Strict, MAX_PARTS).map_err(read_error)? {
        let (headers, content) = read::headers(part, Folding::Unfold).map_err(read_error)?;
        let disposition = read::only(&headers, "content-disposition").and_then(read::disposition);
        let Some(Disposition { name, file_name }) = disposition else {
            return Err(bad_request("a part of the form has no name"));
        };
        let long = |text: &String| text.len() > MAX_NAME_BYTES;
        if long(&name) || file_name.as_ref().is_some_and(long) {
            return Err(bad_request(format!("the name of a part of the form is longer than {MAX_NAME_BYTES} bytes")));
        }
        // A file can be an element of a list: `more[0]`.
        let outer = if form.has_brackets() { name.split('[').next().unwrap_or_default() } else { &name };
        let field = form.field(outer);
        if field.is_some_and(|field| field.kind == FormFieldKind::File) {
            object.push_json(&name, field, file_placeholder(files.len()));
            files.push(file_part(content, file_name, read::only(&headers, "content-type")));
        } else {
            let text = std::str::from_utf8(content)
                .map_err(|_| bad_request("must be UTF-8").with_location(ErrorLocation::Field(name.clone().into())))?;
            object.push(&name, text);
        }
    }
    Ok((object.finish().map_err(bad_request)?, files))
}

/// Creates a file from its content, file name and content type.
fn file_part(data: &[u8], name: Option<String>, content_type: Option<&str>) -> FilePart {
    let mut file = FilePart::new(data);
    if let Some(name) = name {
        file = file.with_name(name);
    }
    match content_type {
        Some(content_type) => file.with_content_type(content_type),
        None => file,
    }
}

/// Creates the error of an invalid form: a 400.
#[cold]
fn bad_request(message: impl Into<Cow<'static, str>>) -> Error {
    Error::bad_request(message)
}

/// Converts the error of splitting a form into parts to a 400.
#[cold]
fn read_error(error: ReadError) -> Error {
    match error {
        ReadError::Truncated => bad_request("missing last boundary of the form"),
        ReadError::TooManyParts => bad_request(format!("the form has more than {MAX_PARTS} parts")),
        ReadError::InvalidHeaders => bad_request("malformed headers of a part of the form"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wireform_runtime::form::FormField;

    static FORM: Form = Form::new(&[
        FormField::text("title"),
        FormField::number("size"),
        FormField::json("owner"),
        FormField::file("image"),
        FormField::file("more").list(),
    ]);

    fn read(body: &[u8]) -> Result<(String, Vec<FilePart>), String> {
        let read = convert_parts(&FORM, body, "B");
        read.map(|(json, files)| (String::from_utf8(json).unwrap(), files)).map_err(|error| error.to_string())
    }

    fn part(head: &str, body: &str) -> String {
        format!("--B\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
    }

    #[test]
    fn parts_become_members() {
        let text = [
            part("name=\"title\"", "é"),
            part("name=\"size\"", "3"),
            part("name=\"owner\"; filename=\"o.json\"", "{\"id\":1}"),
            part("name=\"image\"; filename=\"../a.png\"\r\nContent-Type: image/png", "--C\r\n"),
            part("name=\"more\"", ""),
            part("name=\"more\"; filename=b", "x"),
            part("name=\"other\"", "y"),
        ];
        let (json, files) = read(format!("{}--B--\r\n", text.concat()).as_bytes()).unwrap();
        let mark = |place: usize| format!("{{\"\\u0000file\":{place}}}");
        let expected = format!(
            "{{\"title\":\"é\",\"size\":3,\"owner\":{{\"id\":1}},\"image\":{},\"more\":[{},{}],\"other\":\"y\"}}",
            mark(0),
            mark(1),
            mark(2)
        );
        assert_eq!(json, expected);
        let image = FilePart::new(*b"--C\r\n").with_name("../a.png").with_content_type("image/png");
        assert_eq!(files, [image, FilePart::default(), FilePart::new(*b"x").with_name("b")]);
        assert_eq!(read(b"--B--\r\n"), Ok(("{}".to_owned(), Vec::new())));
    }

    #[test]
    fn malformed_multipart_forms_are_rejected() {
        let title = part("name=\"title\"", "x");
        for body in [
            "x".to_owned(),
            title.clone(),
            "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx".to_owned(),
            "--B\r\n\r\nx\r\n--B--".to_owned(),
            "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--".to_owned(),
            format!("{}--B--\r\n", part(&format!("name=\"{}\"", "n".repeat(MAX_NAME_BYTES + 1)), "")),
            format!("{}--B--\r\n", part(&format!("name=\"image\"; filename=\"{}\"", "n".repeat(9_000)), "")),
            format!("--B\r\n{}\r\n\r\nx\r\n--B--", "X-Y: z\r\n".repeat(10_000)),
            format!("--B\r\nContent-Disposition: form-data; name=\"title\"\r\nX: {}", "y".repeat(1 << 20)),
            format!("{}--B--\r\n", title.repeat(MAX_PARTS + 1)),
            "--B\r\n".repeat(10_000),
        ] {
            assert!(read(body.as_bytes()).is_err(), "{:.80}", body);
        }
        assert!(read(b"--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\xff\r\n--B--\r\n").is_err());
    }
}
