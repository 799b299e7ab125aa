//! Contents of a message: its parts and texts, or its bytes.

use mailbox_types::Message;

use super::{operation, parts};
use crate::browse::{BrowsePages, Failure, decode};
use crate::services::Services;

/// Maximum number of bytes of the texts of a message that are shown, which are in memory several times.
pub(super) const MAX_TEXT_BYTES: i64 = 2 << 20;
/// Maximum size of an attachment or a message, whose response is in base64 and in memory as a whole.
pub(super) const MAX_FILE_BYTES: i32 = 11 << 20;
/// Fields of a message whose texts are not read: its parts, as deep as those of nearly all messages.
const FIELDS_WITHOUT_TEXT: &str = "id,threadId,labelIds,snippet,internalDate,sizeEstimate,payload(partId,mimeType,filename,\
    headers,body(attachmentId,size),parts(partId,mimeType,filename,headers,body(attachmentId,size),\
    parts(partId,mimeType,filename,headers,body(attachmentId,size))))";

/// Reads a message, with the JSON of the API. Its texts are omitted if they are large.
pub(super) async fn read<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    id: &str,
) -> Result<(Message, Vec<u8>), Failure> {
    let link = operation("messages").segment(id);
    let link = link.with("format", "full").with("prettyPrint", true);
    let body = pages.get_text(user, &link.clone().with("fields", FIELDS_WITHOUT_TEXT)).await?;
    let outline: Message = decode(&body)?;
    if parts::inline_bytes(&outline) > MAX_TEXT_BYTES {
        return Ok((outline, body));
    }
    let body = pages.get_text(user, &link).await?;
    Ok((decode(&body)?, body))
}

/// Reads the bytes of a message.
pub(super) async fn read_raw<O: Services>(
    pages: &BrowsePages<O>,
    user: &str,
    message: &Message,
) -> Result<Vec<u8>, Failure> {
    check_size(message.size_estimate, "message")?;
    let link = operation("messages").segment(message.id.as_deref().unwrap_or_default()).with("format", "raw");
    let raw: Message = pages.get(user, &link).await?;
    Ok(raw.raw.map(|raw| raw.to_vec()).unwrap_or_default())
}

/// Checks that an attachment or a message can be downloaded here.
pub(super) fn check_size(size: Option<i32>, what: &str) -> Result<(), Failure> {
    if size.unwrap_or_default() <= MAX_FILE_BYTES {
        return Ok(());
    }
    Err(Failure::TooLarge(format!("This {what} is too large to be downloaded here: request it from the API.")))
}
