//! Reading a message in the requested format.

use std::sync::Arc;

use mailbox_server::runtime::axum::body;
use mailbox_server::runtime::wireform_runtime::Bytes;
use mailbox_server::runtime::{ErrorLocation, MemoryShare, Reply};
use mailbox_server::types::{self, MessageFormat};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{Mailbox, Message, Store};

use super::reader::{MessageReader, STREAM_MEMORY};
use super::{parse_message_id, to_api};
use crate::mail::PartData;
use crate::{MailboxService, caller, error, mail};

/// Size in bytes up to which a mail needs no memory permit: the limit of requests bounds those.
const MAX_SIZE_WITHOUT_PERMIT: u64 = 16 << 10;

/// Number of copies of a mail in memory for a response that is not streamed: stored, decoded, text and compressed.
const COPIES_PER_RESPONSE: u64 = 8;

/// Size in bytes from which a mail is parsed on a blocking thread.
const MIN_BLOCKING: usize = 64 << 10;

/// Size in bytes above which a mail is streamed in chunks.
const MIN_STREAMED: u64 = 256 << 10;

/// Number of copies of a mail's text in memory for a response: value, JSON and compressed.
const TEXT_COPIES_PER_RESPONSE: u64 = 3;

/// Size of text, such as headers, that every response may include.
const MAX_TEXT_WITHOUT_PERMIT: u64 = 256 << 10;

impl<S: Store> MailboxService<S> {
    /// Reads a message. With a metadata token, `full` and `raw` are refused, and the snippet is omitted.
    pub(super) async fn get_message(
        &self,
        request: requests::UsersMessagesGet,
        context: &Context,
    ) -> Result<types::Message> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = parse_message_id(&request.id)?;
        let format = request.format.clone().unwrap_or(MessageFormat::Full);
        let metadata_only = caller::sees_metadata_only(context);
        if metadata_only && !matches!(format, MessageFormat::Minimal | MessageFormat::Metadata) {
            let message = format!("the metadata scope does not allow the format `{format}`");
            return Err(Error::forbidden(message).with_location(ErrorLocation::Parameter("format".into())));
        }
        let message = self.store.message(mailbox, id).await.map_err(error::from_store)?;
        let needs_text = !matches!(format, MessageFormat::Minimal) && includes_text(context);
        let mut reply = if !needs_text {
            Reply::new(to_api(message))
        } else if message.size > MIN_STREAMED {
            self.get_streamed(mailbox, message, format, request.metadata_headers, context).await?
        } else {
            self.get_buffered(mailbox, message, format, request.metadata_headers, context).await?
        };
        if metadata_only {
            reply.value_mut().snippet = None;
        }
        Ok(reply)
    }

    /// Returns a message that is not streamed. Its size is known before it is read: the request waits until the memory
    /// is available.
    async fn get_buffered(
        &self,
        of: Mailbox,
        Message { id, size, .. }: Message,
        format: MessageFormat,
        headers: Vec<String>,
        context: &Context,
    ) -> Result<types::Message> {
        let share = context.share(&self.budget);
        if size > MAX_SIZE_WITHOUT_PERMIT {
            share.reserve(size * COPIES_PER_RESPONSE).await?;
        }
        let (message, raw) = self.store.whole_message(of, id).await.map_err(error::from_store)?;
        let reply = Reply::new(format_message(to_api(message), raw, format, headers).await?);
        Ok(if size > MAX_SIZE_WITHOUT_PERMIT { reply.with_share(share) } else { reply })
    }

    /// Returns a message that is streamed. Its structure is determined first, for which the whole message is read once
    /// and dropped.
    async fn get_streamed(
        &self,
        of: Mailbox,
        message: Message,
        format: MessageFormat,
        headers: Vec<String>,
        context: &Context,
    ) -> Result<types::Message> {
        let share = Arc::new(context.share(&self.budget));
        let (reader, size) = (MessageReader::new(&self.store, of, message.id), message.size);
        let message = to_api(message);
        let message = match format {
            MessageFormat::Raw => {
                share.reserve(STREAM_MEMORY).await?;
                let all = PartData { range: 0..size, decoder: mail::Decoder::None, length: size };
                message.with_raw(reader.stream(context.streams(), all))
            }
            MessageFormat::Metadata => {
                share.reserve(STREAM_MEMORY).await?;
                match headers_in_beginning(reader.read(0, size).await?, headers).await? {
                    Ok(payload) => message.with_payload(payload),
                    Err(headers) => {
                        // Drops the chunk first, so that the share does not wait for more memory while it holds some.
                        let reader = reader.reset();
                        share.shrink(0);
                        let payload = move |raw: &[u8]| mail::headers_of(raw, &headers);
                        message.with_payload(with_whole_message(&reader, size, &share, payload).await?)
                    }
                }
            }
            _ => {
                let (parts, streams) = (reader.clone(), context.streams().clone());
                let payload = move |raw: &[u8]| mail::payload_with(raw, |part| parts.stream(&streams, part));
                message.with_payload(with_whole_message(&reader, size, &share, payload).await?)
            }
        };
        Ok(Reply::new(message).with_share(share))
    }
}

/// Parses the headers of a large message that end within its beginning; otherwise returns the requested names.
async fn headers_in_beginning(
    beginning: body::Bytes,
    headers: Vec<String>,
) -> std::result::Result<std::result::Result<types::MessagePart, Vec<String>>, Error> {
    let work = tokio::task::spawn_blocking(move || {
        if mail::headers_end_within(&beginning) { Ok(mail::headers_of(&beginning, &headers)) } else { Err(headers) }
    });
    work.await.map_err(Error::internal)
}

/// Returns whether the response includes fields made from the text.
fn includes_text(context: &Context) -> bool {
    context.selects("payload") || context.selects("raw")
}

/// Reads a whole message, and drops it after `make` has been applied. Continues if the request is cancelled, so that
/// the memory share is released together with the memory.
async fn with_whole_message<S: Store, T: Send + 'static>(
    reader: &MessageReader<S>,
    size: u64,
    share: &Arc<MemoryShare>,
    make: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> std::result::Result<T, Error> {
    // The size of the text is known only once the message is read. Other growing shares leave room for it.
    share.claim(STREAM_MEMORY + size + size * TEXT_COPIES_PER_RESPONSE);
    share.reserve(STREAM_MEMORY + size).await?;
    let (reader, share) = (reader.clone(), Arc::clone(share));
    let work = tokio::spawn(async move {
        let raw = Arc::new(reader.whole(size).await?);
        let read = Arc::clone(&raw);
        let text = tokio::task::spawn_blocking(move || mail::text_length(&read)).await.map_err(Error::internal)?;
        let text = if text > MAX_TEXT_WITHOUT_PERMIT { text * TEXT_COPIES_PER_RESPONSE } else { 0 };
        share.reserve(STREAM_MEMORY + size + text).await?;
        let made = tokio::task::spawn_blocking(move || make(&raw)).await.map_err(Error::internal)?;
        share.shrink(STREAM_MEMORY + text);
        Ok(made)
    });
    work.await.map_err(Error::internal)?
}

/// Returns a message in the requested format; a large one is parsed on a blocking thread.
async fn format_message(
    message: types::Message,
    raw: Vec<u8>,
    format: MessageFormat,
    headers: Vec<String>,
) -> std::result::Result<types::Message, Error> {
    if raw.len() < MIN_BLOCKING {
        return Ok(to_format(message, raw, &format, &headers));
    }
    let work = tokio::task::spawn_blocking(move || to_format(message, raw, &format, &headers));
    work.await.map_err(Error::internal)
}

fn to_format(message: types::Message, raw: Vec<u8>, format: &MessageFormat, headers: &[String]) -> types::Message {
    match format {
        MessageFormat::Raw => message.with_raw(Bytes::from(raw)),
        MessageFormat::Metadata => message.with_payload(mail::headers_of(&raw, headers)),
        MessageFormat::Minimal => message,
        _ => message.with_payload(mail::payload(&raw)),
    }
}
