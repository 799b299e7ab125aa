//! A message in the form that is asked for.

use std::sync::Arc;

use mailbox_server::runtime::axum::body;
use mailbox_server::runtime::wireform_runtime::Bytes;
use mailbox_server::runtime::{At, MemoryShare, Reply};
use mailbox_server::types::{self, MessageFormat};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::{Mailbox, Message, Store};

use super::read::{Reader, SENDING};
use super::{message_id, told};
use crate::mail::PartData;
use crate::{MailboxService, caller, fault, mail};

/// A mail of more bytes takes a share of the memory: the number of requests bounds what smaller ones take.
const FREE: u64 = 16 << 10;

/// How often a mail is in memory while it is answered at once: as it is stored, decoded, as text, compressed.
const COPIES: u64 = 8;

/// A mail of more bytes is taken apart beside the threads that serve others.
const LARGE: usize = 64 << 10;

/// A mail of more bytes is read in pieces while it is sent.
const STREAMED: u64 = 256 << 10;

/// How often text of a mail is in memory while it is answered: as a value, as JSON, compressed.
const COPIES_OF_TEXT: u64 = 3;

/// How much text of a mail, such as headers, is in the share of every response.
const FREE_TEXT: u64 = 256 << 10;

impl<S: Store> MailboxService<S> {
    /// A token for metadata alone gets no text: `full` and `raw` are refused, and the snippet is left out.
    pub(super) async fn get_message(
        &self,
        request: requests::UsersMessagesGet,
        context: &Context,
    ) -> Result<types::Message> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let id = message_id(&request.id)?;
        let format = request.format.clone().unwrap_or(MessageFormat::Full);
        let metadata_only = caller::sees_metadata_only(context);
        if metadata_only && !matches!(format, MessageFormat::Minimal | MessageFormat::Metadata) {
            let message = format!("a token for metadata alone does not show a message in the format `{format}`");
            return Err(Error::forbidden(message).at(At::Parameter("format".into())));
        }
        let message = self.store.message(mailbox, id).await.map_err(fault::answer)?;
        let needs_text = !matches!(format, MessageFormat::Minimal) && wants_text(context);
        let mut reply = if !needs_text {
            Reply::new(told(message))
        } else if message.size > STREAMED {
            self.large(mailbox, message, format, request.metadata_headers, context).await?
        } else {
            self.small(mailbox, message, format, request.metadata_headers, context).await?
        };
        if metadata_only {
            reply.value_mut().snippet = None;
        }
        Ok(reply)
    }

    /// A message that is answered at once. Its size is known before it is read: there is room for it, or the request
    /// waits.
    async fn small(
        &self,
        of: Mailbox,
        Message { id, size, .. }: Message,
        format: MessageFormat,
        headers: Vec<String>,
        context: &Context,
    ) -> Result<types::Message> {
        let share = context.share(&self.budget);
        if size > FREE {
            share.reserve(size * COPIES).await?;
        }
        let (message, raw) = self.store.whole_message(of, id).await.map_err(fault::answer)?;
        let reply = Reply::new(formatted(told(message), raw, format, headers).await?);
        Ok(if size > FREE { reply.with_share(share) } else { reply })
    }

    /// A message that is read while it is sent. What there is to say of its parts is found out before, for which all of
    /// it is read once, and dropped.
    async fn large(
        &self,
        of: Mailbox,
        message: Message,
        format: MessageFormat,
        headers: Vec<String>,
        context: &Context,
    ) -> Result<types::Message> {
        let share = Arc::new(context.share(&self.budget));
        let (reader, size) = (Reader::new(&self.store, of, message.id), message.size);
        let message = told(message);
        let message = match format {
            MessageFormat::Raw => {
                share.reserve(SENDING).await?;
                let all = PartData { range: 0..size, decoder: mail::Decoder::None, length: size };
                message.with_raw(reader.stream(context.streams(), all))
            }
            MessageFormat::Metadata => {
                share.reserve(SENDING).await?;
                match headers_within(reader.read(0, size).await?, headers).await? {
                    Ok(payload) => message.with_payload(payload),
                    Err(headers) => {
                        // The piece that was read goes first: what a share asks for at once it need not wait for while
                        // it holds some.
                        let reader = reader.reset();
                        share.shrink(0);
                        let payload = move |raw: &[u8]| mail::headers_of(raw, &headers);
                        message.with_payload(taken_apart(&reader, size, &share, payload).await?)
                    }
                }
            }
            _ => {
                let (parts, streams) = (reader.clone(), context.streams().clone());
                let payload = move |raw: &[u8]| mail::payload_with(raw, |part| parts.stream(&streams, part));
                message.with_payload(taken_apart(&reader, size, &share, payload).await?)
            }
        };
        Ok(Reply::new(message).with_share(share))
    }
}

/// Reads the headers of a message that end within its beginning, or gives back which of them are asked for. The
/// beginning is large.
async fn headers_within(
    beginning: body::Bytes,
    headers: Vec<String>,
) -> std::result::Result<std::result::Result<types::MessagePart, Vec<String>>, Error> {
    let work = tokio::task::spawn_blocking(move || {
        if mail::headers_end_within(&beginning) { Ok(mail::headers_of(&beginning, &headers)) } else { Err(headers) }
    });
    work.await.map_err(Error::internal)
}

/// Whether the answer is to have anything that is made of the text.
fn wants_text(context: &Context) -> bool {
    context.selects("payload") || context.selects("raw")
}

/// Reads all of a message, and drops it when `make` has made something of it. This goes on when the request is given up,
/// so that the share is given back with what it was taken for.
async fn taken_apart<S: Store, T: Send + 'static>(
    reader: &Reader<S>,
    size: u64,
    share: &Arc<MemoryShare>,
    make: impl FnOnce(&[u8]) -> T + Send + 'static,
) -> std::result::Result<T, Error> {
    // How much text there is shows only once the message is there. Others that grow leave room for it.
    share.claim(SENDING + size + size * COPIES_OF_TEXT);
    share.reserve(SENDING + size).await?;
    let (reader, share) = (reader.clone(), Arc::clone(share));
    let work = tokio::spawn(async move {
        let raw = Arc::new(reader.whole(size).await?);
        let read = Arc::clone(&raw);
        let text = tokio::task::spawn_blocking(move || mail::text_length(&read)).await.map_err(Error::internal)?;
        let text = if text > FREE_TEXT { text * COPIES_OF_TEXT } else { 0 };
        share.reserve(SENDING + size + text).await?;
        let made = tokio::task::spawn_blocking(move || make(&raw)).await.map_err(Error::internal)?;
        share.shrink(SENDING + text);
        Ok(made)
    });
    work.await.map_err(Error::internal)?
}

async fn formatted(
    message: types::Message,
    raw: Vec<u8>,
    format: MessageFormat,
    headers: Vec<String>,
) -> std::result::Result<types::Message, Error> {
    if raw.len() < LARGE {
        return Ok(form(message, raw, &format, &headers));
    }
    let work = tokio::task::spawn_blocking(move || form(message, raw, &format, &headers));
    work.await.map_err(Error::internal)
}

fn form(message: types::Message, raw: Vec<u8>, format: &MessageFormat, headers: &[String]) -> types::Message {
    match format {
        MessageFormat::Raw => message.with_raw(Bytes::from(raw)),
        MessageFormat::Metadata => message.with_payload(mail::headers_of(&raw, headers)),
        MessageFormat::Minimal => message,
        _ => message.with_payload(mail::payload(&raw)),
    }
}
