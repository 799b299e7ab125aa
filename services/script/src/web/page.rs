//! Output of web apps.

use serde_json::Value;

use crate::apis::text_field;

/// Pages that may embed a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FramePolicy {
    /// Those of the same origin.
    SameOrigin,
    /// All.
    Any,
}

/// Output of a web app.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Content.
    pub content: String,
    /// Media type, without a character set.
    pub media_type: String,
    /// File name that a browser saves the page as.
    pub file_name: Option<String>,
    /// Pages that may embed the page.
    pub frames: FramePolicy,
}

/// Reads the record of `HtmlService` or `ContentService`.
pub(super) fn read(result: Option<Value>) -> Result<Page, String> {
    let none = "The script completed but did not return anything.";
    let result = result.filter(|result| !result.is_null()).ok_or_else(|| none.to_owned())?;
    let invalid = "The script completed but the returned value is not a supported return type.";
    let output = result.get("$output").ok_or_else(|| invalid.to_owned())?;
    let content = text_field(output, "content").unwrap_or_default();
    let content = if text_field(output, "kind") == Some("html") { head(output) + content } else { content.to_owned() };
    let media_type = text_field(output, "mime_type").unwrap_or_default();
    // A script can return a record of its own making.
    let token = |c: u8| c.is_ascii_alphanumeric() || b"/+-.".contains(&c);
    if media_type.is_empty() || !media_type.bytes().all(token) {
        return Err(invalid.to_owned());
    }
    let frames =
        if text_field(output, "x_frame") == Some("ALLOWALL") { FramePolicy::Any } else { FramePolicy::SameOrigin };
    let file_name = text_field(output, "file_name").map(str::to_owned);
    Ok(Page { content, media_type: media_type.to_owned(), file_name, frames })
}

/// Returns the head: the title and the meta tags that the script has set.
fn head(output: &Value) -> String {
    let mut head = String::new();
    if let Some(title) = text_field(output, "title") {
        head.push_str(&format!("<title>{}</title>", escape(title)));
    }
    for meta in output.get("meta").and_then(Value::as_array).into_iter().flatten() {
        let value = |member| escape(text_field(meta, member).unwrap_or_default());
        head.push_str(&format!("<meta name=\"{}\" content=\"{}\">", value("name"), value("content")));
    }
    if head.is_empty() { head } else { format!("<!DOCTYPE html>{head}") }
}

/// Escapes a text for an element, or for an attribute in double quotes.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn titles_are_escaped_and_types_are_checked() {
        let html = json!({ "kind": "html", "content": "<p>", "mime_type": "text/html", "title": "<a>", "x_frame": "ALLOWALL" });
        let page = read(Some(json!({ "$output": html }))).unwrap();
        assert_eq!(
            (page.content.as_str(), page.frames),
            ("<!DOCTYPE html><title>&lt;a&gt;</title><p>", FramePolicy::Any)
        );
        for invalid in [None, Some(json!(1)), Some(json!({ "$output": { "mime_type": "text/html\r\nX: y" } }))] {
            assert!(read(invalid).is_err());
        }
    }
}
