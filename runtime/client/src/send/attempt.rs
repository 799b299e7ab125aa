//! Single attempt: sends a request and reads the response.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use wireform_runtime::operation::Operation;

use super::message::Message;
use super::redirect::Redirect;
use super::response::{self, Expected, SuccessResponse};
use super::{Failed, Outgoing};
use crate::client::Inner;
use crate::credentials::Token;
use crate::error::ErrorKind;
use crate::observe::Watch;
use crate::time::timeout;
use crate::transport::ResponseBody;

/// Status by which a server reports that an upload is incomplete.
pub(super) const INCOMPLETE: StatusCode = StatusCode::PERMANENT_REDIRECT;

/// Maximum number of redirects.
const MAX_REDIRECTS: u32 = 5;

/// Outcome of sending a chunk of media.
pub(super) enum ChunkOutcome {
    /// The upload is complete.
    Complete(Box<SuccessResponse>),
    /// More chunks are expected.
    Incomplete(HeaderMap),
}

/// State that the attempts of a call share.
pub(super) struct Attempt<'a> {
    client: &'a Inner,
    message: &'a Message,
    operation: &'static Operation,
    expected: Expected,
    timeout: Duration,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(client: &'a Inner, outgoing: &'a Outgoing, message: &'a Message) -> Self {
        Self {
            client,
            message,
            operation: outgoing.operation,
            expected: Expected {
                errors: &outgoing.api.errors,
                not_modified: outgoing.options.if_none_match.is_some(),
                ignores_body: outgoing.ignores_body,
                limit: client.max_body_bytes,
                cuts: false,
                streams: outgoing.extras.streams,
            },
            timeout: outgoing.options.timeout.unwrap_or(client.timeout),
        }
    }

    /// Sets whether the body of a success is ignored.
    pub(super) fn without_body(mut self, without: bool) -> Self {
        self.expected.ignores_body = without;
        self
    }

    /// Sends a chunk of media once, and reads the response.
    pub(super) async fn send_chunk(&self, token: Option<&Token>, watch: &mut Watch) -> Result<ChunkOutcome, Failed> {
        watch.attempt();
        let after = self.timeout;
        let exchange = async {
            let response = self.send(self.message.request(token)).await?;
            if response.status() == INCOMPLETE {
                watch.status(response.status());
                return Ok(ChunkOutcome::Incomplete(response.into_parts().0.headers));
            }
            let secrets = self.message.secrets(token);
            response::read(response, &self.expected, secrets, watch).await.map(Box::new).map(ChunkOutcome::Complete)
        };
        timeout(after, exchange).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    /// Returns a token, if the client uses tokens.
    pub(super) async fn token(&self) -> Result<Option<Token>, Failed> {
        let Some(provider) = self.message.tokens() else { return Ok(None) };
        let scopes: Vec<&str> = self.client.scopes.iter().map(String::as_str).collect();
        Ok(Some(provider.token(&scopes).await.map_err(ErrorKind::Credentials)?))
    }

    /// Returns a new token in place of the rejected one, if the provider has one.
    pub(super) async fn renewed(&self, refused: Option<&Token>) -> Result<Option<Token>, Failed> {
        let (Some(provider), Some(refused)) = (self.message.tokens(), refused) else { return Ok(None) };
        provider.invalidate(refused);
        let token = self.token().await?;
        Ok(token.filter(|token| token.secret() != refused.secret()))
    }

    /// Sends the request once, and reads the response.
    pub(super) async fn make(&self, token: Option<&Token>, watch: &mut Watch) -> Result<SuccessResponse, Failed> {
        watch.attempt();
        let after = self.timeout;
        timeout(after, self.exchange(token, watch)).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, Failed> {
        let transport = &self.client.transport;
        let Some(media) = self.message.media() else {
            return Ok(transport.send(request).await.map_err(ErrorKind::Connection)?);
        };
        let body = media.body().map_err(ErrorKind::Media)?;
        let answered = transport.send_body(request.map(|_| body)).await;
        match media.failed() {
            Some(failed) => Err(ErrorKind::Media(failed).into()),
            None => Ok(answered.map_err(ErrorKind::Connection)?),
        }
    }

    async fn exchange(&self, token: Option<&Token>, watch: &mut Watch) -> Result<SuccessResponse, Failed> {
        let mut request = self.message.request(token);
        let mut followed = 0;
        let (response, redirect) = loop {
            let from = request.uri().clone();
            let response = self.send(request).await?;
            let redirect = Redirect::of(&response, &from);
            match redirect.as_ref().and_then(|redirect| redirect.same_origin.as_ref()) {
                Some(uri) if self.operation.safe && followed < MAX_REDIRECTS => {
                    followed += 1;
                    request = self.message.redirected(token, uri, response.status());
                }
                _ => break (response, redirect),
            }
        };
        let secrets = self.message.secrets(token);
        let read = response::read(response, &self.expected, secrets, watch).await;
        read.map_err(|mut failed| {
            if let ErrorKind::Status(answer) = &mut *failed {
                answer.redirect = redirect.map(|redirect| redirect.origin);
            }
            failed
        })
    }
}

/// Returns whether a failure is a 401.
pub(super) fn is_unauthorized(failed: &Failed) -> bool {
    matches!(&**failed, ErrorKind::Status(answer) if answer.status == 401)
}
