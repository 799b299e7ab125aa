//! Texts of a script.

use rquickjs::{Ctx, Error, Value as Js};

/// Maximum length of the name of a function, of a file, or of the location of a value, in bytes.
pub(super) const MAX_NAME: usize = 1 << 10;

/// Shortens a text that a script makes as long as it likes.
pub(super) fn truncate_to(mut text: String, max: usize) -> String {
    if text.len() > max {
        let end = (0..=max).rev().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
    text
}

/// Returns a text; half of a surrogate pair becomes the replacement character.
pub(super) fn to_text<'js>(ctx: &Ctx<'js>, value: &Js<'js>) -> Result<String, Error> {
    let Some(string) = value.as_string() else { return Ok(String::new()) };
    match string.to_string() {
        Err(Error::Utf8(_)) => {}
        text => return text,
    }
    // JSON escapes halves, and nothing else from this range.
    let json = ctx.json_stringify(value.clone())?.map(|json| json.to_string()).transpose()?.unwrap_or_default();
    let mut parts = json.split("\\ud");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let backslashes = whole.bytes().rev().take_while(|byte| *byte == b'\\').count();
        if backslashes % 2 == 1 {
            whole.push_str("\\ud");
            whole.push_str(part);
        } else {
            whole.push_str("\\ufffd");
            whole.push_str(part.get(3..).unwrap_or_default());
        }
    }
    Ok(serde_json::from_str(&whole).unwrap_or_default())
}
