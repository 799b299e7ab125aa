//! Uploads that are kept in memory.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use futures_util::stream;
use http::StatusCode;
use tokio::time::Instant;

use super::{KeptAnswer, Media, Session, SessionFuture, UploadSessions};
use crate::error::Error;
use crate::observe::RequestId;

/// How long an upload is kept since its last piece.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// The most uploads at a time.
const MOST_SESSIONS: usize = 1024;

/// Keeps uploads in memory: for services of one process, and for tests. What has not gone on for an hour is dropped.
#[derive(Debug)]
pub struct MemorySessions {
    most_bytes: u64,
    kept: Mutex<HashMap<String, Kept>>,
}

#[derive(Debug)]
struct Kept {
    session: Session,
    pieces: Vec<Bytes>,
    taken: bool,
    touched: Instant,
}

impl MemorySessions {
    /// With that many bytes at the most, of all uploads together.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self { most_bytes, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, kept| kept.touched.elapsed() < KEPT);
        kept
    }

    fn with<T>(&self, name: &str, change: impl FnOnce(&mut Kept) -> T) -> Result<T, Error> {
        let mut all = self.kept();
        let kept = all.get_mut(name).ok_or_else(|| Error::not_found("there is no such upload"))?;
        kept.touched = Instant::now();
        Ok(change(kept))
    }
}

/// Two numbers that are not known from outside, behind one that no other upload has.
fn name() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{}{:016x}{:016x}", RequestId::made_up(), random(), random())
}

#[cold]
fn full() -> Error {
    Error::new(StatusCode::SERVICE_UNAVAILABLE, "too many uploads are under way").with_retry_after(60)
}

impl UploadSessions for MemorySessions {
    fn begin(&self, session: Session) -> SessionFuture<'_, String> {
        let mut kept = self.kept();
        let name = name();
        let begun = if kept.len() < MOST_SESSIONS {
            kept.insert(name.clone(), Kept { session, pieces: Vec::new(), taken: false, touched: Instant::now() });
            Ok(name)
        } else {
            Err(full())
        };
        Box::pin(std::future::ready(begun))
    }

    fn find<'a>(&'a self, name: &'a str) -> SessionFuture<'a, Option<Session>> {
        let found = self.kept().get(name).map(|kept| kept.session.clone());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn append<'a>(&'a self, name: &'a str, at: u64, piece: Bytes) -> SessionFuture<'a, u64> {
        let bytes: u64 = self.kept().values().map(|kept| kept.session.arrived).sum();
        let room = bytes + piece.len() as u64 <= self.most_bytes;
        let appended = self.with(name, |kept| {
            if kept.session.arrived == at && !kept.taken && kept.session.answer.is_none() {
                if !room {
                    return Err(full());
                }
                kept.session.arrived += piece.len() as u64;
                // A piece that is kept as it came would keep the buffer it came in.
                kept.pieces.push(Bytes::copy_from_slice(&piece));
            }
            Ok(kept.session.arrived)
        });
        Box::pin(std::future::ready(appended.and_then(|appended| appended)))
    }

    fn take<'a>(&'a self, name: &'a str) -> SessionFuture<'a, Option<Media>> {
        let taken = self.with(name, |kept| {
            if kept.taken || kept.session.answer.is_some() {
                return None;
            }
            kept.taken = true;
            let pieces = stream::iter(kept.pieces.clone().into_iter().map(Ok));
            Some(Media::new(&kept.session.content_type, Some(kept.session.arrived), Box::pin(pieces)))
        });
        Box::pin(std::future::ready(taken))
    }

    fn release<'a>(&'a self, name: &'a str) -> SessionFuture<'a, ()> {
        Box::pin(std::future::ready(self.with(name, |kept| kept.taken = false)))
    }

    fn finish<'a>(&'a self, name: &'a str, answer: KeptAnswer) -> SessionFuture<'a, ()> {
        let finished = self.with(name, |kept| {
            kept.session.answer = Some(answer);
            kept.pieces = Vec::new();
        });
        Box::pin(std::future::ready(finished))
    }

    fn cancel<'a>(&'a self, name: &'a str) -> SessionFuture<'a, ()> {
        self.kept().remove(name);
        Box::pin(std::future::ready(Ok(())))
    }
}
