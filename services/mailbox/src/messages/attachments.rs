//! Reading an attachment.

use std::sync::Arc;

use mailbox_server::runtime::{ErrorLocation, Reply};
use mailbox_server::types::MessagePartBody;
use mailbox_server::{Context, Error, Result, requests, service};
use wireform_store::Store;

use super::get::{COPIES_PER_RESPONSE, MIN_STREAMED, TEXT_COPIES_PER_RESPONSE, with_whole_message};
use super::parse_message_id;
use super::reader::{MessageReader, STREAM_MEMORY};
use crate::number::count;
use crate::{MailboxService, caller, error, mail};

impl<S: Store> service::UsersMessagesAttachments for MailboxService<S> {
    /// Returns the data of a part with a file name, which is read from the store while a large one is sent.
    async fn get(&self, request: requests::UsersMessagesAttachmentsGet, context: &Context) -> Result<MessagePartBody> {
        let mailbox = caller::mailbox(&self.store, context, &request.user_id).await?;
        let at = |error: Error| error.with_location(ErrorLocation::Parameter("messageId".into()));
        let id = parse_message_id(&request.message_id).map_err(at)?;
        let message = self.store.message(mailbox, id).await.map_err(error::from_store)?;
        let (share, size) = (Arc::new(context.share(&self.budget)), message.size);
        let not_found = || attachment_not_found(&request.id);
        if size <= MIN_STREAMED {
            share.reserve(size * COPIES_PER_RESPONSE).await?;
            let (_, raw) = self.store.whole_message(mailbox, id).await.map_err(error::from_store)?;
            let name = request.id.clone();
            let read = move || mail::attachment(&raw, &name).map(|part| part.decode(&raw));
            let data = tokio::task::spawn_blocking(read).await.map_err(Error::internal)?.ok_or_else(not_found)?;
            let body = MessagePartBody::default().with_size(count(data.len() as u64));
            // An empty attachment has empty data, because its data is requested.
            return Ok(Reply::new(body.with_data(data)).with_share(share));
        }
        share.claim(STREAM_MEMORY + size + size * TEXT_COPIES_PER_RESPONSE);
        let (reader, name) = (MessageReader::new(&self.store, mailbox, id), request.id.clone());
        let read = move |raw: &[u8]| mail::attachment(raw, &name);
        let (part, _) = with_whole_message(&reader, size, (&share, 0), read).await?;
        let part = part.ok_or_else(not_found)?;
        let body = MessagePartBody::default().with_size(count(part.length));
        Ok(Reply::new(body.with_data(reader.stream(context.streams(), part))).with_share(share))
    }
}

/// Creates the error of an attachment that the message does not have.
fn attachment_not_found(id: &str) -> Error {
    Error::not_found(format!("attachment `{id}` not found"))
        .with_reason("notFound")
        .with_location(ErrorLocation::Parameter("id".into()))
}
