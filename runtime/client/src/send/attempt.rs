//! Single attempt: sends a request and reads the response.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use wireform_runtime::operation::Operation;

use super::message::EncodedRequest;
use super::redirect::Redirect;
use super::response::{self, ResponseExpectations, SuccessResponse};
use super::{OutgoingRequest, SendError};
use crate::client::ClientInner;
use crate::credentials::Token;
use crate::error::ErrorKind;
use crate::observe::CallObservation;
use crate::time::timeout;
use crate::transport::ResponseBody;

/// Status by which a server reports that an upload is incomplete.
pub(super) const UPLOAD_INCOMPLETE: StatusCode = StatusCode::PERMANENT_REDIRECT;

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
    client: &'a ClientInner,
    message: &'a EncodedRequest,
    operation: &'static Operation,
    /// Statuses of redirections that are not followed.
    redirects: &'static [u16],
    expected: ResponseExpectations,
    timeout: Duration,
}

impl<'a> Attempt<'a> {
    pub(super) fn new(client: &'a ClientInner, outgoing: &'a OutgoingRequest, message: &'a EncodedRequest) -> Self {
        Self {
            client,
            message,
            operation: outgoing.operation,
            redirects: outgoing.redirects,
            expected: ResponseExpectations {
                errors: &outgoing.api.errors,
                not_modified: outgoing.options.if_none_match.is_some(),
                redirects: outgoing.accepted_redirects(),
                reads_redirects: outgoing.reads_redirects,
                ignores_body: outgoing.ignores_body,
                limit: client.max_body_bytes,
                truncates: false,
                streams: outgoing.extras.streams,
            },
            timeout: outgoing.options.timeout.unwrap_or(client.timeout),
        }
    }

    /// Sets whether the body of a success is ignored.
    pub(super) fn ignore_body(mut self, without: bool) -> Self {
        self.expected.ignores_body = without;
        self
    }

    /// Sends a chunk of media once, and reads the response.
    pub(super) async fn send_chunk(
        &self,
        token: Option<&Token>,
        watch: &mut CallObservation,
    ) -> Result<ChunkOutcome, SendError> {
        watch.start_attempt();
        let after = self.timeout;
        let exchange = async {
            let response = self.send_request(self.message.to_request(token)).await?;
            if response.status() == UPLOAD_INCOMPLETE {
                watch.record_status(response.status());
                return Ok(ChunkOutcome::Incomplete(response.into_parts().0.headers));
            }
            let secrets = self.message.secrets(token);
            response::read(response, &self.expected, secrets, watch).await.map(Box::new).map(ChunkOutcome::Complete)
        };
        timeout(after, pin!(exchange)).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    /// Returns a token, if the client uses tokens.
    pub(super) async fn request_token(&self) -> Result<Option<Token>, SendError> {
        let Some(provider) = self.message.token_provider() else { return Ok(None) };
        let scopes: Vec<&str> = self.client.scopes.iter().map(String::as_str).collect();
        Ok(Some(provider.token(&scopes).await.map_err(ErrorKind::Credentials)?))
    }

    /// Returns a new token in place of the rejected one, if the provider has one.
    pub(super) async fn renew_token(&self, refused: Option<&Token>) -> Result<Option<Token>, SendError> {
        let (Some(provider), Some(refused)) = (self.message.token_provider(), refused) else { return Ok(None) };
        provider.invalidate(refused);
        let token = self.request_token().await?;
        Ok(token.filter(|token| token.secret() != refused.secret()))
    }

    /// Sends the request once, and reads the response.
    pub(super) async fn send_once(
        &self,
        token: Option<&Token>,
        watch: &mut CallObservation,
    ) -> Result<SuccessResponse, SendError> {
        watch.start_attempt();
        let after = self.timeout;
        // Pinned here: a future that is passed on is moved, and takes its size once more in each state.
        let exchange = pin!(self.exchange(token, watch));
        timeout(after, exchange).await.unwrap_or_else(|| Err(ErrorKind::Timeout { after }.into()))
    }

    /// Sends a request through the transport, with the media as its body if there are any.
    async fn send_request(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, SendError> {
        let transport = &self.client.transport;
        let Some(media) = self.message.media() else {
            return Ok(transport.send(request).await.map_err(ErrorKind::Connection)?);
        };
        let body = media.body().map_err(ErrorKind::Media)?;
        let sent = transport.send_body(request.map(|_| body)).await;
        match media.take_error() {
            Some(failed) => Err(ErrorKind::Media(failed).into()),
            None => Ok(sent.map_err(ErrorKind::Connection)?),
        }
    }

    /// Returns whether a redirection is followed: of safe operations, unless it is declared.
    fn follows(&self, status: StatusCode) -> bool {
        self.operation.safe && !self.redirects.contains(&status.as_u16())
    }

    /// Sends the request once, follows redirects to the same origin if it is safe, and reads the response.
    async fn exchange(&self, token: Option<&Token>, watch: &mut CallObservation) -> Result<SuccessResponse, SendError> {
        let mut request = self.message.to_request(token);
        let mut followed = 0;
        let (response, redirect) = loop {
            let from = request.uri().clone();
            let response = self.send_request(request).await?;
            let redirect = Redirect::from_response(&response, &from);
            match redirect.as_ref().and_then(|redirect| redirect.same_origin.as_ref()) {
                Some(uri) if self.follows(response.status()) && followed < MAX_REDIRECTS => {
                    followed += 1;
                    request = self.message.to_redirected_request(token, uri, response.status());
                }
                _ => break (response, redirect),
            }
        };
        let secrets = self.message.secrets(token);
        let read = response::read(response, &self.expected, secrets, watch).await;
        read.map_err(|mut failed| {
            if let ErrorKind::Status(response) = &mut *failed {
                response.redirect = redirect.map(|redirect| redirect.origin);
            }
            failed
        })
    }
}

/// Returns whether a failure is a 401.
pub(super) fn is_unauthorized(failed: &SendError) -> bool {
    matches!(&**failed, ErrorKind::Status(response) if response.status == 401)
}
