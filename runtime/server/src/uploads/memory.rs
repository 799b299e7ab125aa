//! In-memory store of resumable uploads.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream;
use http::StatusCode;
use tokio::time::Instant;

use super::{MediaStream, Session, StoredResponse, UploadFuture, UploadSessions};
use crate::error::Error;
use crate::observe::RequestId;

/// Time after its last chunk for which an upload is kept.
const MAX_IDLE: Duration = Duration::from_secs(60 * 60);

/// Maximum number of concurrent uploads.
const MAX_SESSIONS: usize = 1024;

/// Store of resumable uploads in memory, for services of one process, and for tests. Uploads without progress for an
/// hour are dropped.
#[derive(Debug)]
pub struct MemorySessions {
    max_bytes: u64,
    uploads: Mutex<HashMap<String, StoredUpload>>,
}

/// Upload session with the chunks that have arrived.
#[derive(Debug)]
struct StoredUpload {
    session: Session,
    pieces: Vec<Bytes>,
    is_leased: bool,
    last_used: Instant,
}

impl MemorySessions {
    /// Creates a store with a maximum total size of all uploads in bytes.
    #[must_use]
    pub fn new(max_bytes: u64) -> Self {
        Self { max_bytes, uploads: Mutex::default() }
    }

    /// Locks the uploads and removes those that have been idle for too long.
    fn lock_uploads(&self) -> MutexGuard<'_, HashMap<String, StoredUpload>> {
        let mut kept = self.uploads.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.last_used.elapsed() < MAX_IDLE);
        kept
    }

    /// Appends a chunk that starts at the end of the stored bytes; returns their number.
    fn append_at(&self, name: &str, at: u64, piece: &Bytes) -> Result<u64, Error> {
        let mut all = self.lock_uploads();
        let held: u64 = all.values().map(StoredUpload::held_bytes).sum();
        let kept = all.get_mut(name).ok_or_else(unknown_upload)?;
        kept.last_used = Instant::now();
        if kept.session.arrived == at && !kept.is_leased && kept.session.response.is_none() {
            if held + piece.len() as u64 > self.max_bytes {
                return Err(too_many_uploads());
            }
            kept.session.arrived += piece.len() as u64;
            // A chunk that is kept as received would keep its whole buffer.
            kept.pieces.push(Bytes::copy_from_slice(piece));
        }
        Ok(kept.session.arrived)
    }

    /// Changes an upload, and postpones its removal.
    fn with_upload<T>(&self, name: &str, change: impl FnOnce(&mut StoredUpload) -> T) -> Result<T, Error> {
        let mut all = self.lock_uploads();
        let kept = all.get_mut(name).ok_or_else(unknown_upload)?;
        kept.last_used = Instant::now();
        Ok(change(kept))
    }
}

/// Generates a unique name with two unpredictable numbers.
fn generate_name() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{}{:016x}{:016x}", RequestId::generate(), random(), random())
}

impl StoredUpload {
    /// Returns the number of bytes of the upload in memory: 0 once a response is stored, which drops them.
    fn held_bytes(&self) -> u64 {
        if self.session.response.is_some() { 0 } else { self.session.arrived }
    }
}

/// Drops the least recently used response, if there is one.
fn drop_oldest_response(kept: &mut HashMap<String, StoredUpload>) {
    let finished = kept.iter().filter(|(_, kept)| kept.session.response.is_some());
    let oldest = finished.min_by_key(|(_, kept)| kept.last_used).map(|(name, _)| name.clone());
    if let Some(name) = oldest {
        kept.remove(&name);
    }
}

/// Creates the error of an upload session that does not exist or has expired: a 404.
#[cold]
fn unknown_upload() -> Error {
    Error::not_found("unknown upload")
}

/// Creates the error of too many concurrent upload sessions: a 503 with `Retry-After`.
#[cold]
fn too_many_uploads() -> Error {
    Error::new(StatusCode::SERVICE_UNAVAILABLE, "too many uploads are in progress").with_retry_after(60)
}

impl UploadSessions for MemorySessions {
    fn begin(&self, session: Session) -> UploadFuture<'_, String> {
        let mut kept = self.lock_uploads();
        let name = generate_name();
        if kept.len() >= MAX_SESSIONS {
            drop_oldest_response(&mut kept);
        }
        let begun = if kept.len() < MAX_SESSIONS {
            kept.insert(
                name.clone(),
                StoredUpload { session, pieces: Vec::new(), is_leased: false, last_used: Instant::now() },
            );
            Ok(name)
        } else {
            Err(too_many_uploads())
        };
        Box::pin(std::future::ready(begun))
    }

    fn find<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<Session>> {
        let found = self.lock_uploads().get(name).map(|kept| kept.session.clone());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn append<'a>(&'a self, name: &'a str, at: u64, piece: Bytes) -> UploadFuture<'a, u64> {
        Box::pin(std::future::ready(self.append_at(name, at, &piece)))
    }

    fn set_length<'a>(&'a self, name: &'a str, length: u64) -> UploadFuture<'a, ()> {
        Box::pin(std::future::ready(self.with_upload(name, |kept| {
            kept.session.length.get_or_insert(length);
        })))
    }

    fn take<'a>(&'a self, name: &'a str) -> UploadFuture<'a, Option<MediaStream>> {
        let taken = self.with_upload(name, |kept| {
            if kept.is_leased || kept.session.response.is_some() {
                return None;
            }
            kept.is_leased = true;
            let pieces = stream::iter(kept.pieces.clone().into_iter().map(Ok));
            Some(MediaStream::new(&kept.session.content_type, Some(kept.session.arrived), Box::pin(pieces)))
        });
        Box::pin(std::future::ready(taken))
    }

    fn release<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()> {
        Box::pin(std::future::ready(self.with_upload(name, |kept| kept.is_leased = false)))
    }

    fn finish<'a>(&'a self, name: &'a str, response: StoredResponse) -> UploadFuture<'a, ()> {
        let finished = self.with_upload(name, |kept| {
            kept.session.response = Some(response);
            kept.pieces = Vec::new();
        });
        Box::pin(std::future::ready(finished))
    }

    fn cancel<'a>(&'a self, name: &'a str) -> UploadFuture<'a, ()> {
        self.lock_uploads().remove(name);
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn session() -> Session {
        Session {
            operation: "files.insert",
            subject: "ana".to_owned(),
            target: "/upload?key=very-secret".to_owned(),
            headers: HeaderMap::from_iter([(http::header::ETAG, http::HeaderValue::from_static("very-secret"))]),
            body: Bytes::from_static(b"very-secret"),
            content_type: "text/plain".to_owned(),
            length: None,
            arrived: 0,
            response: None,
        }
    }

    fn response() -> StoredResponse {
        StoredResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: Bytes::from_static(b"very-secret") }
    }

    #[tokio::test]
    async fn finished_uploads_hold_no_bytes() {
        let sessions = MemorySessions::new(10);
        for _ in 0..3 {
            let name = sessions.begin(session()).await.expect("room");
            assert_eq!(sessions.append(&name, 0, Bytes::from_static(b"12345678")).await.expect("room"), 8);
            sessions.append(&name, 8, Bytes::from_static(b"123")).await.expect_err("too many bytes");
            sessions.finish(&name, response()).await.expect("an upload");
        }
    }

    #[tokio::test]
    async fn finished_uploads_make_room_for_others() {
        let sessions = MemorySessions::new(10);
        let first = sessions.begin(session()).await.expect("room");
        for _ in 1..MAX_SESSIONS {
            sessions.begin(session()).await.expect("room");
        }
        sessions.begin(session()).await.expect_err("all are under way");
        sessions.finish(&first, response()).await.expect("an upload");
        sessions.begin(session()).await.expect("room");
        assert!(sessions.find(&first).await.expect("a look").is_none());
    }

    #[tokio::test]
    async fn debug_output_omits_content() {
        let sessions = MemorySessions::new(10);
        let name = sessions.begin(session()).await.expect("room");
        sessions.finish(&name, response()).await.expect("an upload");
        let debug = format!("{sessions:?}");
        assert!(debug.contains("files.insert") && !debug.contains("very-secret"), "{debug}");
    }
}
