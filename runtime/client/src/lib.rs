//! What the clients that Wireform generates call.
//!
//! A generated client states which operations there are; this library sends them. A newcomer finds one topic in
//! each module, in the order in which a request goes:
//!
//! | topic | what to read |
//! |---|---|
//! | a client is set up | [`Builder`], [`Client`], [`BuildError`] |
//! | who asks | [`Credentials`], [`TokenProvider`], [`scopes`] |
//! | a call is made | [`Call`], [`CallOptions`], [`call!`], [`PlainCall`], [`StandardCall`] |
//! | it is checked before it is sent | `Tier`, `ObserveViolations` (feature `validation`) |
//! | it reaches a server | [`transport`] |
//! | it is sent again | [`RetryPolicy`] |
//! | what comes back | [`Reply`], [`Error`], [`ErrorKind`], [`StatusError`], [`ErrorDetail`] |
//! | pages, changes, conditions, updates | [`Pages`], [`Changes`], [`Conditional`], [`ReadModifyWrite`] |
//! | media go up and come down | [`Media`], [`UploadCall`], [`DownloadCall`] |
//! | several calls in one request | [`Batch`], [`Ticket`], [`Answers`] |
//! | work that goes on after the answer | [`Poller`], [`PollPolicy`], [`PollError`] |
//! | who watches | [`Metrics`], and the span `call` of the crate `tracing` |
//!
//! # Rules of the way
//!
//! * What changes something, and would change it twice when sent twice, is sent once. The exception is an answer
//!   of 401: then nothing was done, and it is sent once more with a new token.
//! * Redirects are followed within the origin of the API, for operations that change nothing. So a token goes to
//!   the base URL and nowhere else; without encryption it goes to this machine only. In a browser `fetch` follows
//!   redirects by its own rules.
//! * Answers are hostile: their bodies are bounded, after decompression, and so is the time they may take. See
//!   [Limits](#limits).
//! * No token and no key, and of an address no query, is shown by `Debug`, by `Display` or in a span.
//! * Dropping a future gives its request up.
//!
//! # Limits
//!
//! | limit | default | set by |
//! |---|---|---|
//! | time of an attempt | 60 s | [`Builder::timeout`], [`CallOptions::timeout`] |
//! | attempts of a call | 4, begun within 180 s | [`Builder::retry`], [`CallOptions::retry`] |
//! | body of a response, decompressed | 64 MiB | [`Builder::max_body_bytes`] |
//! | responses of a batch, together | 64 MiB | [`Builder::max_batch_bytes`] |
//! | time between two pieces of a download | 60 s | [`Builder::timeout`], [`CallOptions::timeout`] |
//! | body of a download as a whole | none | [`DownloadCall::body_timeout`] |
//! | redirects | 5 | |
//! | pages of a listing | 100,000 | [`Pages::max_pages`] |
//! | long-running operation | 24 h | [`PollPolicy::within`] |
//! | interim responses (1xx) before a response | 100 | |
//! | head of a response | 64 KiB, 100 header fields | |
//!
//! The page `docs/client.md` of the repository has all of them, with what happens beyond each.
//!
//! # Runtimes
//!
//! Timers and sockets are those of tokio. Within one of its runtimes, with timers enabled, calls use that one;
//! under any other executor they use one of this crate's own, which is started when it is first needed.

// The order of the modules is the way of a request: made, sent, answered, repeated.
mod macros;

mod address;
mod background;
mod batch;
mod builder;
mod call;
mod client;
mod conditional;
mod credentials;
mod error;
mod media;
mod observe;
mod options;
mod pages;
mod poller;
mod retry;
mod send;
mod standard;
mod sync;
mod time;
mod update;

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub mod blocking;
#[cfg(feature = "fake")]
pub mod fake;
pub mod notifications;
pub mod scopes;
pub mod transport;
#[cfg(feature = "validation")]
mod validation;

pub use wireform_runtime as wire;
pub use wireform_runtime::error_body::ErrorDetail;

pub use batch::{Answers, Batch, Ticket};
pub use builder::Builder;
pub use call::{Call, FormatCall, Performing, Reply, Sending, SendingFormat, send_with_headers};
pub use client::Client;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub use conditional::send_versioned_blocking;
pub use conditional::{Conditional, IfChanged, SendingIfChanged, Versioned, send_versioned};
pub use credentials::*;
pub use error::{BuildError, Error, ErrorKind, OptionError, OptionErrorKind, StatusError};
pub use media::{
    Download, DownloadCall, Media, MediaError, MediaErrorKind, Progress, Protocol, SendingDownload, UploadCall,
};
pub use observe::{CallRecord, ErrorClass, Metrics};
pub use options::CallOptions;
pub use pages::{Items, Pages};
pub use poller::{PollError, PollPolicy, Poller};
pub use retry::RetryPolicy;
pub use standard::{PlainCall, StandardCall};
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub use sync::ChangesIter;
pub use sync::{Changes, Run, Store, SyncError, SyncEvent, SyncReport, SyncRunError, synchronize};
pub use transport::{Transport, TransportError, TransportErrorKind, TypedRequest};
pub use update::{Consent, PatchWith, ReadModifyWrite, UpdateError, UpdateWith};
#[cfg(feature = "validation")]
pub use validation::{ObserveViolations, Tier};
pub use wire::AnswerHeaders;
pub use wire::etag::{ETag, ETagCondition};
pub use wire::fields::{Field, Nested, Selectable, Selection, Shape};
pub use wire::names::Names;
pub use wire::{
    Answer, LongRunning, Paged, PatchesRead, Request, RequestError, Stage, StageOf, Synced, UpdatesRead, Upload,
};
