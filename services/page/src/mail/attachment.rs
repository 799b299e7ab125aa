//! Downloads of attachments and of whole messages. Attachments of a few harmless types can also be opened.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, HeaderValue, header};
use mailbox_types::{Message, MessagePart, MessagePartBody};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::content::{check_size, read, read_raw};
use super::operation;
use super::parts::{self, Parts};
use super::summary::subject_or_placeholder;
use crate::browse::{BrowsePages, Failure};
use crate::html::Section;
use crate::services::Services;

/// Media types that a browser shows without running anything.
const IMAGES: [&str; 4] = ["image/gif", "image/jpeg", "image/png", "image/webp"];
/// Policy of an opened attachment: nothing runs, nothing is loaded, an origin of its own. Browsers show images with
/// a style of their own.
const CONTENT_SECURITY_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/// Characters of the parameter `filename*` that are not encoded (RFC 8187, section 3.2.1).
const ATTR_CHAR: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `GET /mail/attachment`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match attachment(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Mail, "Attachment"),
    }
}

/// `GET /mail/message/eml`.
pub(super) async fn message<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match whole_message(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Mail, "Message"),
    }
}

/// Returns the attachment that a request names, as a download or to be opened.
async fn attachment<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let id = parameters.get("id").unwrap_or_default();
    let (message, _): (Message, _) = read(pages, user, id).await?;
    let wanted = parameters.get("part").unwrap_or_default();
    let parts = Parts::classify(&message);
    let found = parts.attached.iter().find(|part| part.part_id.as_deref().unwrap_or_default() == wanted);
    let part = found.ok_or_else(|| Failure::NotFound("Attachment not found.".to_owned()))?;
    let body = part.body.clone().unwrap_or_default();
    check_size(body.size, "attachment")?;
    let data = match &body.attachment_id {
        Some(attachment) => {
            let link = operation("messages").segment(id).plain_segment("attachments").segment(attachment);
            pages.get::<MessagePartBody>(user, &link).await?.data
        }
        None => body.data,
    };
    let opened = parameters.get("open").and_then(|_| opened_type(part));
    let name = part.filename.as_deref().filter(|name| !name.is_empty()).unwrap_or("attachment");
    Ok(file(data.map(|data| data.to_vec()).unwrap_or_default(), name, opened))
}

/// Returns the message that a request names, as it is stored.
async fn whole_message<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let id = parameters.get("id").ok_or_else(|| Failure::BadRequest("The URL contains no message.".to_owned()))?;
    let (message, _) = read(pages, user, id).await?;
    let raw = read_raw(pages, user, &message).await?;
    Ok(file(raw, &format!("{}.eml", subject_or_placeholder(&message)), None))
}

/// Returns the media type with which an attachment is opened; `None` if a browser could do more than show it. Texts of
/// every kind are plain texts.
pub(super) fn opened_type(part: &MessagePart) -> Option<String> {
    let kind = part.mime_type.as_deref().unwrap_or_default();
    if let Some(image) = IMAGES.into_iter().find(|image| kind.eq_ignore_ascii_case(image)) {
        return Some(image.to_owned());
    }
    let is_text = kind.starts_with("text/") || ["application/json", "message/rfc822"].contains(&kind);
    is_text.then(|| format!("text/plain; charset={}", charset(part)))
}

/// Returns the charset that the part declares, or UTF-8.
fn charset(part: &MessagePart) -> &str {
    let declared = parts::header(part, "Content-Type").unwrap_or_default().split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
    });
    let is_name = |name: &&str| {
        (1..=40).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
    };
    declared.filter(is_name).unwrap_or("utf-8")
}

/// Returns a file: opened with a media type, or else as a download.
fn file(data: Vec<u8>, name: &str, opened: Option<String>) -> Response {
    let (kind, way) = match opened {
        Some(kind) => (kind, "inline"),
        None => ("application/octet-stream".to_owned(), "attachment"),
    };
    let value =
        |text: &str, other: &'static str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(other));
    let headers: [(HeaderName, HeaderValue); 7] = [
        (header::CONTENT_TYPE, value(&kind, "application/octet-stream")),
        (header::CONTENT_DISPOSITION, value(&format!("{way}; {}", file_name(name)), "attachment")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_SECURITY_POLICY)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    ];
    (headers, data).into_response()
}

/// Returns the parameters of a file name, without what a file system or a person could take for something else.
fn file_name(name: &str) -> String {
    let is_kept = |c: char| {
        !c.is_control()
            && !matches!(c, '/' | '\\' | '"' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let clean: String = name.chars().map(|c| if is_kept(c) { c } else { '_' }).take(150).collect();
    let clean = clean.trim_matches(['.', ' ']);
    let clean = if clean.is_empty() { "file" } else { clean };
    let ascii: String = clean.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    format!("filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(clean, ATTR_CHAR))
}

#[cfg(test)]
mod tests {
    use mailbox_types::{MessagePart, MessagePartHeader};

    use super::{file_name, opened_type};

    #[test]
    fn names_of_files_are_harmless() {
        for (name, expected) in [
            ("plan.pdf", "filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf"),
            ("räder 1.csv", "filename=\"r_der 1.csv\"; filename*=UTF-8''r%C3%A4der%201.csv"),
            ("../../etc/passwd", "filename=\"_.._etc_passwd\"; filename*=UTF-8''_.._etc_passwd"),
            (
                "a\"; x=\"\r\nb\u{202e}fdp.exe",
                "filename=\"a_; x=___b_fdp.exe\"; filename*=UTF-8''a_%3B%20x%3D___b_fdp.exe",
            ),
            ("..", "filename=\"file\"; filename*=UTF-8''file"),
        ] {
            assert_eq!(file_name(name), expected, "{name:?}");
        }
        assert!(file_name(&"é".repeat(900)).len() < 1_200);
    }

    #[test]
    fn only_types_that_do_nothing_are_opened() {
        let part = |kind: &str, declared: &str| {
            let header = MessagePartHeader::default().with_name("Content-Type").with_value(declared);
            MessagePart::default().with_mime_type(kind).with_headers([header])
        };
        for (kind, declared, expected) in [
            ("image/png", "image/png", Some("image/png")),
            ("image/svg+xml", "", None),
            ("application/pdf", "", None),
            ("application/xhtml+xml", "", None),
            ("text/html", "text/html; charset=\"iso-8859-1\"", Some("text/plain; charset=iso-8859-1")),
            ("text/csv", "text/csv; Charset=a b\r\nx: y", Some("text/plain; charset=utf-8")),
            ("", "", None),
        ] {
            assert_eq!(opened_type(&part(kind, declared)).as_deref(), expected, "{kind} {declared}");
        }
    }
}
