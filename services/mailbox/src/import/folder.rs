//! Labels for folder names and exported labels.

use mail_parser::decoders::base64::base64_decode;
use wireform_store::SystemLabel;

use super::labels::LabelName;

/// Returns the label of a maildir folder for its name without the leading dot; dots in the name separate levels.
pub(super) fn label_from_folder(name: &str) -> LabelName {
    let name = decode_name(name).replace('.', "/");
    let system = match name.to_lowercase().as_str() {
        "inbox" => SystemLabel::Inbox,
        "sent" | "sent items" | "sent messages" | "sent mail" => SystemLabel::Sent,
        "draft" | "drafts" => SystemLabel::Draft,
        "trash" | "deleted items" | "deleted messages" => SystemLabel::Trash,
        "spam" | "junk" | "junk e-mail" => SystemLabel::Spam,
        _ => return LabelName::Named(name),
    };
    LabelName::System(system)
}

/// Returns the label for a value of the header `X-Gmail-Labels`; `None` for values that stand for no label here.
pub(super) fn from_export(word: &str) -> Option<LabelName> {
    let system = match word.to_lowercase().as_str() {
        "" | "opened" | "archived" => return None,
        "inbox" => SystemLabel::Inbox,
        "unread" => SystemLabel::Unread,
        "starred" => SystemLabel::Starred,
        "important" => SystemLabel::Important,
        "sent" => SystemLabel::Sent,
        "draft" | "drafts" => SystemLabel::Draft,
        "trash" => SystemLabel::Trash,
        "spam" => SystemLabel::Spam,
        "chat" => SystemLabel::Chat,
        "category personal" => SystemLabel::Personal,
        "category social" => SystemLabel::Social,
        "category promotions" => SystemLabel::Promotions,
        "category updates" => SystemLabel::Updates,
        "category forums" => SystemLabel::Forums,
        _ => return Some(LabelName::Named(word.to_owned())),
    };
    Some(LabelName::System(system))
}

/// Decodes a folder name in modified UTF-7 (RFC 3501, section 5.1.3): `&`, base64 of UTF-16, `-`.
fn decode_name(name: &str) -> String {
    let mut text = String::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('&') {
        let Some((encoded, after_word)) = after.split_once('-') else { break };
        let word = if encoded.is_empty() { Some("&".to_owned()) } else { decode_utf16(encoded) };
        // A name that is not valid modified UTF-7 is used as it is.
        let Some(word) = word else { return name.to_owned() };
        text.push_str(before);
        text.push_str(&word);
        rest = after_word;
    }
    text + rest
}

/// Decodes UTF-16 in modified base64; `None` if it is invalid.
fn decode_utf16(encoded: &str) -> Option<String> {
    let bytes = base64_decode(encoded.replace(',', "/").as_bytes())?;
    let units: Vec<u16> =
        bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(u16::from_be_bytes).collect();
    String::from_utf16(&units).ok()
}
