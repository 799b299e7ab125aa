//! Bodies that are forms of several parts (RFC 7578): parts become the members of the JSON that the same resource would
//! be sent as, and files stand aside.

use axum::body::Bytes;
use futures_util::stream;
use multer::{Constraints, Multipart, SizeLimit};
use wireform_runtime::FilePart;
use wireform_runtime::file::mark;
use wireform_runtime::form::{Form, FormKind};

use super::Incoming;
use super::form::Members;
use crate::error::{At, Error};

/// The media type of these forms.
const MULTIPART: &str = "multipart/form-data";

/// The most parts: each has headers, however short it is.
const MOST_PARTS: usize = 1_000;

/// The most bytes of the name of a part, or of a file.
const LONGEST_NAME: usize = 1_024;

impl Incoming {
    /// The request with its body as JSON, where it came as a form of several parts. Its files stand aside.
    ///
    /// # Errors
    /// 400 when the form cannot be taken apart.
    pub async fn multipart(mut self, form: &'static Form) -> Result<Self, Error> {
        if !self.body.is_empty() && self.essence().eq_ignore_ascii_case(MULTIPART) {
            let said = self.content_type().unwrap_or_default();
            let boundary = multer::parse_boundary(said).map_err(|_| broken("the form names no boundary"))?;
            let (json, files) = parts(form, self.body.clone(), &boundary).await?;
            self.body = Bytes::from(json);
            self.files = files;
        }
        Ok(self)
    }
}

async fn parts(form: &'static Form, body: Bytes, boundary: &str) -> Result<(Vec<u8>, Vec<FilePart>), Error> {
    // The body is there as a whole, and no longer than the limit for bodies.
    let length = body.len() as u64;
    let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(length).per_field(length));
    let body = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let mut parts = Multipart::with_constraints(body, boundary, constraints);
    let (mut object, mut files) = (Members::new(form), Vec::new());
    let mut count = 0;
    while let Some(part) = parts.next_field().await.map_err(malformed)? {
        count += 1;
        if count > MOST_PARTS {
            return Err(broken("the form has too many parts"));
        }
        let Some(name) = part.name().map(str::to_owned) else { return Err(broken("a part of the form has no name")) };
        let long = |text: &str| text.len() > LONGEST_NAME;
        if long(&name) || part.file_name().is_some_and(long) {
            return Err(broken("a part of the form has a name that is too long"));
        }
        let field = form.field(&name);
        if field.is_some_and(|field| field.kind == FormKind::File) {
            let file_name = part.file_name().map(str::to_owned);
            let content_type = part.content_type().map(ToString::to_string);
            let data = part.bytes().await.map_err(malformed)?;
            object.push_json(&name, field, mark(files.len()));
            files.push(file(data, file_name, content_type));
        } else {
            let data = part.bytes().await.map_err(malformed)?;
            let text =
                std::str::from_utf8(&data).map_err(|_| broken("must be UTF-8").at(At::Member(name.clone().into())))?;
            object.push(&name, text);
        }
    }
    Ok((object.finish(), files))
}

fn file(data: Bytes, name: Option<String>, content_type: Option<String>) -> FilePart {
    let mut file = FilePart::new(data);
    if let Some(name) = name {
        file = file.with_name(name);
    }
    match content_type {
        Some(content_type) => file.with_content_type(content_type),
        None => file,
    }
}

#[cold]
fn broken(message: &'static str) -> Error {
    Error::bad_request(message).with_reason("badRequest")
}

/// What is wrong goes to the log: the parser may repeat what it was given.
#[cold]
fn malformed(error: multer::Error) -> Error {
    broken("the parts of the form cannot be told apart").with_cause(error)
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

    async fn read(body: &[u8]) -> Result<(String, Vec<FilePart>), String> {
        let read = parts(&FORM, Bytes::copy_from_slice(body), "B").await;
        read.map(|(json, files)| (String::from_utf8(json).unwrap(), files)).map_err(|error| error.to_string())
    }

    fn part(head: &str, body: &str) -> String {
        format!("--B\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
    }

    #[tokio::test]
    async fn parts_become_members() {
        let text = [
            part("name=\"title\"", "é"),
            part("name=\"size\"", "3"),
            part("name=\"owner\"; filename=\"o.json\"", "{\"id\":1}"),
            part("name=\"image\"; filename=\"../a.png\"\r\nContent-Type: image/png", "--C\r\n"),
            part("name=\"more\"", ""),
            part("name=\"more\"; filename=b", "x"),
            part("name=\"other\"", "y"),
        ];
        let (json, files) = read(format!("{}--B--\r\n", text.concat()).as_bytes()).await.unwrap();
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
        assert_eq!(read(b"--B--\r\n").await, Ok(("{}".to_owned(), Vec::new())));
    }

    #[tokio::test]
    async fn hostile_forms() {
        let title = part("name=\"title\"", "x");
        for body in [
            "x".to_owned(),
            title.clone(),
            "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nx".to_owned(),
            "--B\r\n\r\nx\r\n--B--".to_owned(),
            "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--".to_owned(),
            format!("{}--B--\r\n", part(&format!("name=\"{}\"", "n".repeat(LONGEST_NAME + 1)), "")),
            format!("{}--B--\r\n", part(&format!("name=\"image\"; filename=\"{}\"", "n".repeat(9_000)), "")),
            format!("--B\r\n{}\r\n\r\nx\r\n--B--", "X-Y: z\r\n".repeat(10_000)),
            format!("--B\r\nContent-Disposition: form-data; name=\"title\"\r\nX: {}", "y".repeat(1 << 20)),
            format!("{}--B--\r\n", title.repeat(MOST_PARTS + 1)),
            "--B\r\n".repeat(10_000),
        ] {
            assert!(read(body.as_bytes()).await.is_err(), "{:.80}", body);
        }
        assert!(read(b"--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n\xff\r\n--B--\r\n").await.is_err());
    }
}
