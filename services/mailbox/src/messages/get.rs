//! A message in the form that is asked for.

use mailbox_server::runtime::At;
use mailbox_server::runtime::wireform_runtime::Bytes;
use mailbox_server::types::{self, MessageFormat};
use mailbox_server::{Context, Error, Result, requests};
use wireform_store::Store;

use super::{message_id, told};
use crate::{MailboxService, caller, fault, mail};

/// How often a mail is in memory while it is answered: as it is stored, taken apart, as base64, compressed.
const COPIES: u64 = 5;

/// A mail of more bytes is taken apart beside the threads that serve others.
const LARGE: usize = 64 << 10;

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
        let (mut answer, _room) = if needs_text {
            // The size is known before the mail is read: there is room for it, or the request waits.
            let room = self.budget.reserve(message.size.saturating_mul(COPIES), context).await?;
            let (message, raw) = self.store.whole_message(mailbox, id).await.map_err(fault::answer)?;
            (formatted(told(message), raw, format, request.metadata_headers).await?, room)
        } else {
            (told(message), None)
        };
        if metadata_only {
            answer.snippet = None;
        }
        Ok(answer.into())
    }
}

/// Whether the answer is to have anything that is made of the text.
fn wants_text(context: &Context) -> bool {
    context.selects("payload") || context.selects("raw")
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
