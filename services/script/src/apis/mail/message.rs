//! Messages in the format of scripts.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::general_purpose::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Value, json};

use super::message_target;
use crate::apis::{UserClient, encode, text_field};

/// Base64 engine for data of the API, with or without padding.
const DATA_ENGINE: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Field with the identifier by which the data of an attachment is read.
const ATTACHMENT_ID: &str = "attachment_id";

/// Decodes data of the API.
pub(super) fn decode_data(data: &str) -> Vec<u8> {
    DATA_ENGINE.decode(data).unwrap_or_default()
}

/// Encodes data for the API.
pub(super) fn encode_data(data: &[u8]) -> String {
    DATA_ENGINE.encode(data)
}

/// Reads a message with the data of its attachments.
pub(super) async fn get(client: &UserClient<'_>, id: &str) -> Result<Value, String> {
    let mut message = read(client, id).await?;
    for attachment in message.get_mut("attachments").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(members) = attachment.as_object_mut() else { continue };
        let name = members.remove(ATTACHMENT_ID).unwrap_or_default();
        let target = format!("{}/attachments/{}", message_target(id), encode(name.as_str().unwrap_or_default()));
        let body = client.get(target).await?;
        let data = STANDARD.encode(decode_data(text_field(&body, "data").unwrap_or_default()));
        members.insert("data_base64".to_owned(), data.into());
    }
    Ok(message)
}

/// Reads a message without the data of its attachments.
pub(super) async fn get_without_data(client: &UserClient<'_>, id: &str) -> Result<Value, String> {
    let mut message = read(client, id).await?;
    for attachment in message.get_mut("attachments").and_then(Value::as_array_mut).into_iter().flatten() {
        attachment.as_object_mut().map(|members| members.remove(ATTACHMENT_ID));
    }
    Ok(message)
}

/// Reads a message with the identifiers of its attachments.
async fn read(client: &UserClient<'_>, id: &str) -> Result<Value, String> {
    let message = client.get(format!("{}?format=full", message_target(id))).await?;
    Ok(convert(&message))
}

/// Converts a message of the API for scripts, with its texts and attachments.
fn convert(message: &Value) -> Value {
    let payload = message.get("payload").cloned().unwrap_or_default();
    let mut content = Content::default();
    content.collect(&payload);
    let header = |name| header(&payload, name);
    let date = text_field(message, "internalDate").and_then(|date| date.parse::<i64>().ok()).unwrap_or_default();
    json!({
        "id": text_field(message, "id"), "thread_id": text_field(message, "threadId"), "labels": message.get("labelIds"),
        "from": header("From"), "to": header("To"), "cc": header("Cc"), "bcc": header("Bcc"),
        "reply_to": header("Reply-To"), "subject": header("Subject"), "message_id": header("Message-ID"),
        "headers": payload.get("headers"), "date": date, "body_plain": content.plain, "body_html": content.html, "attachments": content.attachments,
    })
}

/// Returns the value of a header.
fn header<'p>(payload: &'p Value, name: &str) -> Option<&'p str> {
    let headers = payload.get("headers")?.as_array()?;
    let found =
        headers.iter().find(|header| text_field(header, "name").is_some_and(|own| own.eq_ignore_ascii_case(name)));
    found.and_then(|header| text_field(header, "value"))
}

/// Returns the content ID by which HTML refers to a part that is displayed inline.
fn content_id(part: &Value) -> Option<&str> {
    let is_inline = header(part, "Content-Disposition").is_some_and(|value| {
        let kind = value.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case("inline")
    });
    let id = header(part, "Content-ID").map(|id| id.trim().trim_start_matches('<').trim_end_matches('>'));
    id.filter(|id| is_inline && !id.is_empty())
}

/// Texts and attachments of a message.
#[derive(Default)]
struct Content {
    plain: Option<String>,
    html: Option<String>,
    attachments: Vec<Value>,
}

impl Content {
    /// Collects a part and its subparts. The mail service bounds their nesting.
    fn collect(&mut self, part: &Value) {
        let media_type = text_field(part, "mimeType").unwrap_or("text/plain");
        let name = text_field(part, "filename").unwrap_or_default();
        let data = part.pointer("/body/data").and_then(Value::as_str).unwrap_or_default();
        let string = || Some(String::from_utf8_lossy(&decode_data(data)).into_owned());
        match (name, media_type) {
            ("", "text/plain") if self.plain.is_none() => self.plain = string(),
            ("", "text/html") if self.html.is_none() => self.html = string(),
            ("", _) => {}
            (name, media_type) => {
                let id = part.pointer("/body/attachmentId");
                let mut attachment = json!({ "name": name, "content_type": media_type, ATTACHMENT_ID: id });
                if let (Some(id), Some(members)) = (content_id(part), attachment.as_object_mut()) {
                    members.insert("content_id".to_owned(), id.into());
                }
                self.attachments.push(attachment);
            }
        }
        for part in part.get("parts").and_then(Value::as_array).into_iter().flatten() {
            self.collect(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_attachments_of_a_message_are_found() {
        let leaf = |kind: &str, name: &str| {
            let body = if name.is_empty() { json!({ "data": "eA" }) } else { json!({ "attachmentId": name }) };
            json!({ "mimeType": kind, "filename": name, "body": body })
        };
        let mut parts =
            [leaf("text/plain", ""), leaf("text/html", ""), leaf("image/png", "a.png"), leaf("image/png", "b.png")];
        let headers = |kind: &str| json!([{ "name": "Content-Id", "value": "<logo>" }, { "name": "content-disposition", "value": kind }]);
        parts[2]["headers"] = headers("attachment; filename=a.png");
        parts[3]["headers"] = headers("Inline; filename=b.png");
        let headers = json!([{ "name": "subject", "value": "S" }]);
        let payload = json!({ "mimeType": "multipart/mixed", "filename": "", "headers": headers, "parts": parts });
        let shown = convert(&json!({ "id": "m", "threadId": "t", "internalDate": "5", "payload": payload }));
        assert_eq!((&shown["subject"], &shown["date"]), (&json!("S"), &json!(5)));
        assert_eq!((&shown["body_plain"], &shown["body_html"]), (&json!("x"), &json!("x")));
        assert_eq!(
            shown["attachments"][0],
            json!({ "name": "a.png", "content_type": "image/png", "attachment_id": "a.png" })
        );
        assert_eq!(shown["attachments"][1]["content_id"], "logo");
    }
}
