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
pub(super) const COPIES_PER_RESPONSE: u64 = 8;

/// Size in bytes from which a mail is parsed on a blocking thread.
const MIN_BLOCKING: usize = 64 << 10;

/// Size in bytes above which a mail is streamed in chunks.
pub(super) const MIN_STREAMED: u64 = 256 << 10;

/// Number of copies of a mail's text in memory for a response: value, JSON and compressed.
pub(crate) const TEXT_COPIES_PER_RESPONSE: u64 = 3;

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
        check_format(&format, context)?;
        let message = self.store.message(mailbox, id).await.map_err(error::from_store)?;
        let needs_text = context.selects("payload") || context.selects("raw");
        let (mut message, share) = if needs_text {
            self.format(mailbox, message, format, request.metadata_headers, context).await?
        } else {
            (to_api(message), None)
        };
        if caller::sees_metadata_only(context) {
            message.snippet = None;
        }
        Ok(with_share(message, share))
    }

    /// Returns a stored message in a format, with the memory that it holds.
    pub(crate) async fn format(
        &self,
        of: Mailbox,
        message: Message,
        format: MessageFormat,
        headers: Vec<String>,
        context: &Context,
    ) -> std::result::Result<FormattedMessage, Error> {
        if format == MessageFormat::Minimal {
            Ok((to_api(message), None))
        } else if message.size > MIN_STREAMED {
            self.get_streamed(of, message, format, headers, context).await
        } else {
            self.get_buffered(of, message, format, headers, context).await
        }
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
    ) -> std::result::Result<FormattedMessage, Error> {
        let share = context.share(&self.budget);
        if size > MAX_SIZE_WITHOUT_PERMIT {
            share.reserve(size * COPIES_PER_RESPONSE).await?;
        }
        let (message, raw) = self.store.whole_message(of, id).await.map_err(error::from_store)?;
        let message = format_message(to_api(message), raw, format, headers).await?;
        Ok((message, (size > MAX_SIZE_WITHOUT_PERMIT).then(|| Arc::new(share))))
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
    ) -> std::result::Result<FormattedMessage, Error> {
        let share = Arc::new(context.share(&self.budget));
        let (reader, size) = (MessageReader::new(&self.store, of, message.id), message.size);
        let message = to_api(message);
        // The size of the text is known only once the message is read. Other growing shares leave room for it.
        if format != MessageFormat::Raw {
            share.claim(STREAM_MEMORY + size + size * TEXT_COPIES_PER_RESPONSE);
        }
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
                        message.with_payload(with_whole_message(&reader, size, (&share, 0), payload).await?.0)
                    }
                }
            }
            _ => {
                let payload = streamed_payload(&reader, context);
                message.with_payload(with_whole_message(&reader, size, (&share, 0), payload).await?.0)
            }
        };
        Ok((message, Some(share)))
    }
}

/// Message in a format, with the memory that it holds.
pub(crate) type FormattedMessage = (types::Message, Option<Arc<MemoryShare>>);

/// Returns the response with a resource that holds memory.
pub(crate) fn with_share<T>(value: T, share: Option<Arc<MemoryShare>>) -> Reply<T> {
    let reply = Reply::new(value);
    match share {
        Some(share) => reply.with_share(share),
        None => reply,
    }
}

/// Checks that the scopes of the caller permit a format.
pub(crate) fn check_format(format: &MessageFormat, context: &Context) -> std::result::Result<(), Error> {
    if matches!(format, MessageFormat::Minimal | MessageFormat::Metadata) || !caller::sees_metadata_only(context) {
        return Ok(());
    }
    let message = format!("the metadata scope does not allow the format `{format}`");
    Err(Error::forbidden(message).with_location(ErrorLocation::Parameter("format".into())))
}

/// Returns a function that converts a message into its parts, whose data are streamed.
pub(crate) fn streamed_payload<S: Store>(
    reader: &MessageReader<S>,
    context: &Context,
) -> impl FnOnce(&[u8]) -> types::MessagePart + Send + 'static {
    let (parts, streams) = (reader.clone(), context.streams().clone());
    move |raw: &[u8]| mail::payload_with(raw, |part| parts.stream(&streams, part))
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

/// Reads a whole message, and drops it after `make` has been applied. Continues if the request is cancelled, so that
/// the memory share is released together with the memory. The response holds text of `before` bytes already; returns the
/// size of the text of this message as well.
pub(crate) async fn with_whole_message<S: Store, T: Send + 'static>(
    reader: &MessageReader<S>,
    size: u64,
    (share, before): (&Arc<MemoryShare>, u64),
    make: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> std::result::Result<(T, u64), Error> {
    share.reserve(STREAM_MEMORY + size + text_memory(before)).await?;
    let (reader, share) = (reader.clone(), Arc::clone(share));
    let work = tokio::spawn(async move {
        let raw = Arc::new(reader.whole(size).await?);
        let read = Arc::clone(&raw);
        let text = tokio::task::spawn_blocking(move || mail::text_length(&read)).await.map_err(Error::internal)?;
        share.reserve(STREAM_MEMORY + size + text_memory(before + text)).await?;
        let made = tokio::task::spawn_blocking(move || make(&raw)).await.map_err(Error::internal)?;
        share.shrink(STREAM_MEMORY + text_memory(before + text));
        Ok((made, text))
    });
    work.await.map_err(Error::internal)?
}

/// Returns the memory of a response with text of a size, in addition to that of streams.
fn text_memory(text: u64) -> u64 {
    if text > MAX_TEXT_WITHOUT_PERMIT { text * TEXT_COPIES_PER_RESPONSE } else { 0 }
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
