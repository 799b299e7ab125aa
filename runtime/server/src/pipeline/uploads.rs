//! Processing of uploads.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use futures_util::FutureExt as _;
use http::request::Parts;
use http::{Response, header};
use http_body_util::BodyExt as _;

use super::Pipeline;
use crate::auth::{Principal, redact};
use crate::contract::{BodyRequirement, Contract, Outcome};
use crate::error::Error;
use crate::limits::{Caller, read_body};
use crate::observe::RequestObservation;
use crate::receive::{self, Incoming};
use crate::routes::Captures;
use crate::uploads::{
    self, ChunkOutcome, MediaStream, Session, StartRequest, StoredResponse, UploadProtocol, UploadRoute, UploadSessions,
};

/// Body of a request whose operation requires one that the upload does not have.
const EMPTY_OBJECT: Bytes = Bytes::from_static(b"{}");

/// Request to the upload path of an operation.
struct Upload {
    upload_route: UploadRoute,
    captures: Captures,
    contract: &'static Contract,
    principal: Principal,
    parts: Parts,
}

impl Pipeline {
    /// Processes a request to an upload path.
    pub(super) async fn process_upload(
        &self,
        (upload_route, captures): (UploadRoute, Captures),
        parts: Parts,
        body: Body,
        watch: &mut RequestObservation,
    ) -> Outcome {
        let Some(contract) = self.contracts.get(upload_route.contract).copied() else {
            return Err(Error::not_found("unknown path"));
        };
        watch.record_operation(contract.operation.name);
        let principal = self.auth_gate.admit(contract.operation, &parts).await?;
        // The handler reads media while they arrive, at the pace of the peer.
        let caller = Caller::of(&principal, &parts);
        let _receiving = self.receivers.acquire(&caller)?;
        let mut upload = Upload { upload_route, captures, contract, principal, parts };
        if let Some((_, name)) = uploads::chunk_session(&upload.parts) {
            return self.process_chunk(&name, upload, body, watch).await;
        }
        self.settings.spend(&caller, contract)?;
        match UploadProtocol::from_request(&upload.parts, self.auth_gate.api)? {
            UploadProtocol::Media => {
                let length = http_body::Body::size_hint(&body).exact();
                let content_type = uploads::content_type(&upload.parts);
                let media = MediaStream::from_body(content_type, length, body, &self.settings.limits);
                self.call_with_media(upload, Bytes::new(), media, watch).await
            }
            UploadProtocol::Multipart => {
                if !upload_route.multipart {
                    return Err(Error::bad_request("this operation accepts only media, without metadata"));
                }
                let limits = &self.settings.limits;
                let length =
                    http_body::Body::size_hint(&body).exact().map(|length| length.min(limits.body_bytes as u64));
                let intake = self.settings.reserve_text(&caller, &mut upload.parts, length);
                let content_type = uploads::content_type(&upload.parts);
                let (json_type, json, media) = uploads::related(content_type, body, limits, intake).await?;
                let mut headers = http::HeaderMap::new();
                headers.extend(json_type.parse().ok().map(|json_type| (header::CONTENT_TYPE, json_type)));
                receive::check_content(&headers, upload.contract.content_types)?;
                self.call_with_media(upload, json, media, watch).await
            }
            UploadProtocol::Resumable => self.start_upload(upload, body, &caller).await,
        }
    }

    /// Calls the handler with media.
    async fn call_with_media(
        &self,
        upload: Upload,
        body: Bytes,
        media: MediaStream,
        watch: &mut RequestObservation,
    ) -> Outcome {
        let Upload { upload_route, captures, contract, principal, parts } = upload;
        let media = media.limited(upload_route.media, &self.settings.limits)?;
        watch.record_received(body.len() as u64 + media.length().unwrap_or_default());
        let body = match contract.body {
            // The metadata of the media is optional.
            BodyRequirement::None => Bytes::new(),
            BodyRequirement::Required if body.is_empty() => EMPTY_OBJECT,
            BodyRequirement::Required | BodyRequirement::Optional => body,
        };
        let (id, settings) = (watch.id().clone(), Arc::clone(&self.settings));
        let caller = Caller::of(&principal, &parts);
        let (operation, media, files) = (upload_route.operation, Some(media), Vec::new());
        let incoming = Incoming { contract, operation, captures, principal, id, parts, body, files, media, settings };
        self.call(upload_route.contract, incoming, &caller).await
    }

    /// Returns the store of resumable uploads, or a 501 if the server has none.
    fn sessions(&self, allows_simple: bool) -> Result<&Arc<dyn UploadSessions>, Error> {
        let missing = || {
            let message = if allows_simple {
                "this server does not support resumable uploads: send the media in one request"
            } else {
                "this server does not support resumable uploads"
            };
            Error::new(http::StatusCode::NOT_IMPLEMENTED, message)
        };
        self.settings.sessions.as_ref().ok_or_else(missing)
    }

    /// Starts a resumable upload: stores its request, and responds with the URL of the upload session.
    async fn start_upload(&self, upload: Upload, body: Body, caller: &Caller) -> Outcome {
        let sessions = self.sessions(upload.upload_route.media.simple.is_some())?;
        let Upload { upload_route, contract, principal, mut parts, .. } = upload;
        receive::check_content(&parts.headers, contract.content_types)?;
        let body = self.settings.limit_text_body(body, caller, &mut parts);
        let body = read_body(body, &self.settings.limits).await?;
        let target = self.auth_gate.redacted_target(contract.operation, &parts);
        let kept = (target, redact::redacted_headers(contract.operation, &parts, &self.secret_headers));
        let api = self.auth_gate.api;
        let (operation, public) = (contract.operation.name, self.settings.public_url.as_deref());
        let begin = StartRequest {
            upload_route,
            api,
            operation,
            parts: &parts,
            redacted: kept,
            body,
            principal: &principal,
            public,
        };
        uploads::start(&**sessions, begin, &self.settings.limits).await
    }

    /// Stores a chunk of media; the last one calls the handler.
    async fn process_chunk(&self, name: &str, upload: Upload, body: Body, watch: &mut RequestObservation) -> Outcome {
        let sessions = Arc::clone(self.sessions(upload.upload_route.media.simple.is_some())?);
        let place = (upload.upload_route, upload.contract.operation.name);
        let limits = &self.settings.limits;
        let taken =
            uploads::store_chunk(&sessions, name, place, (&upload.parts, body), &upload.principal, limits).await?;
        let (session, media) = match taken {
            ChunkOutcome::Response(response) => return Ok(response),
            ChunkOutcome::Complete(session, media) => (session, media),
        };
        let hold = LeaseGuard { sessions: Some(sessions), name: name.to_owned() };
        let response = self.complete_upload(upload, *session, media, watch).await?;
        hold.store_response(response).await
    }

    /// Calls the handler with the request that started the upload, whatever path the last chunk was sent to.
    async fn complete_upload(
        &self,
        mut upload: Upload,
        session: Session,
        media: MediaStream,
        watch: &mut RequestObservation,
    ) -> Outcome {
        upload.parts = session.restore_request(upload.parts, upload.upload_route.operation.method)?;
        let Some((_, captures)) = self.uploads.find(&upload.parts) else {
            return Err(Error::not_found(
                "the path at which the upload was started is no longer an upload path; start it again",
            ));
        };
        upload.captures = captures;
        let caller = Caller::of(&upload.principal, &upload.parts);
        let length = Some(session.body.len() as u64);
        if let Some(mut intake) = self.settings.reserve_text(&caller, &mut upload.parts, length) {
            intake.admit(&session.body).await?;
        }
        self.call_with_media(upload, session.body, media, watch).await
    }
}

/// Lease on the bytes of a complete upload. They are released if the request ends without a stored response, also if it
/// times out, panics or is cancelled.
struct LeaseGuard {
    sessions: Option<Arc<dyn UploadSessions>>,
    name: String,
}

impl LeaseGuard {
    /// Stores the response for a client that does not receive it.
    async fn store_response(mut self, response: Response<Body>) -> Outcome {
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(Error::internal)?.to_bytes();
        let kept = StoredResponse { status: head.status, headers: head.headers.clone(), body: body.clone() };
        if let Some(sessions) = &self.sessions {
            sessions.finish(&self.name, kept).await?;
        }
        self.sessions = None;
        Ok(Response::from_parts(head, Body::from(body)))
    }
}

impl Drop for LeaseGuard {
    fn drop(&mut self) {
        let Some(sessions) = self.sessions.take() else { return };
        let name = std::mem::take(&mut self.name);
        let mut release = Box::pin(async move { sessions.release(&name).await });
        // Memory is released at once; other storage is released in the background.
        if release.as_mut().now_or_never().is_none()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(release);
        }
    }
}
