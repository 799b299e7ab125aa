//! Runtime of the API clients that Wireform generates.
//!
//! A generated client defines the operations; this library sends them. The topics, in the order of a request's life:
//!
//! | topic | see |
//! |---|---|
//! | configuring a client | [`Builder`], [`Client`], [`BuildError`] |
//! | authentication | [`Credentials`], [`TokenProvider`], [`scopes`] |
//! | calls | [`Call`], [`CallOptions`], [`PlainCall`], [`StandardCall`] |
//! | validation before sending | `Tier`, `ObserveViolations` (feature `validation`) |
//! | transports | [`transport`] |
//! | retries | [`RetryPolicy`] |
//! | responses and errors | [`Reply`], [`Error`], [`ErrorKind`], [`StatusError`], [`ErrorDetail`] |
//! | pages, changes, conditions, updates | [`Pages`], [`Changes`], [`Conditional`], [`ReadModifyWrite`] |
//! | uploads and downloads | [`Media`], [`UploadCall`], [`DownloadCall`] |
//! | batches | [`Batch`], [`Ticket`], [`BatchResponses`] |
//! | long-running operations | [`Poller`], [`PollPolicy`], [`PollError`] |
//! | metrics and tracing | [`Metrics`], and the span `call` of the crate `tracing` |
//!
//! # Guarantees
//!
//! * A request that is neither safe nor idempotent is sent once. There are two exceptions: after a response of 401,
//!   with which the server has not executed the request, it is sent once more with a new token; and a request that
//!   starts a resumable upload is retried, because an unused session has no effect.
//! * Redirects are followed within the origin of the API, for safe operations only. So a token is sent to the origin of
//!   the base URL and nowhere else; without encryption, to this machine only. In a browser, `fetch` follows redirects
//!   by its own rules.
//! * Responses are untrusted: the size of their bodies is limited, after decompression, and so is their time, except
//!   for downloads as a whole. See [Limits](#limits).
//! * `Debug`, `Display` and spans show no credentials, and no queries of URLs except those of page tokens that are
//!   URLs.
//! * Dropping a future aborts its request.
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
//! | long-running operation | 24 h | [`PollPolicy::with_max_elapsed`] |
//! | interim responses (1xx) before a response, HTTP/1 | 100 | |
//! | head of a response, HTTP/1 | 64 KiB, 100 header fields | |
//! | head of a response, HTTP/2 | 16 KiB | |
//!
//! The page `docs/client.md` of the repository lists all limits, and the behavior beyond each.
//!
//! # Runtimes
//!
//! Timers and sockets are those of tokio. Inside a tokio runtime with timers enabled, calls use that runtime; under any
//! other executor they use a background runtime of this crate, which is started on first use.

// The modules are in the order of a request's life: build, send, decode, retry.
mod macros;

#[doc(hidden)]
pub mod __private;
mod background;
mod base_url;
mod batch;
mod builder;
mod call;
mod client;
mod conditional;
mod credentials;
mod error;
mod host;
mod media;
mod observe;
mod options;
mod pages;
mod poller;
mod reply;
mod retry;
mod send;
mod standard;
mod sync;
mod text;
mod time;
mod transfer;
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

pub use batch::{Batch, BatchResponses, Ticket};
pub use builder::Builder;
pub use call::{Call, FormatCall, FormatFuture, ReplyFuture, SendFuture};
pub use client::Client;
pub use conditional::{Conditional, IfChanged, IfChangedFuture, Versioned};
pub use credentials::*;
pub use error::{BuildError, Error, ErrorKind, OptionError, OptionErrorKind, StatusError};
pub use media::{Media, MediaError, MediaErrorKind, Progress, Protocol};
pub use observe::{CallRecord, ErrorClass, Metrics};
pub use options::CallOptions;
pub use pages::{Items, Pages};
pub use poller::{PollError, PollPolicy, Poller};
pub use reply::{RawReply, Reply};
pub use retry::RetryPolicy;
pub use standard::{PlainCall, StandardCall};
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub use sync::ChangesIter;
pub use sync::{Changes, SyncError, SyncEvent, SyncMode, SyncReport, SyncRunError, SyncStore, synchronize};
pub use transfer::{Download, DownloadCall, DownloadFuture, UploadCall};
pub use transport::{Transport, TransportError, TransportErrorKind, TypedRequest};
pub use update::{IntoUpdateResult, PatchWith, ReadModifyWrite, UpdateError, UpdateWith};
#[cfg(feature = "validation")]
pub use validation::{ObserveViolations, Tier};
pub use wire::ResponseHeaders;
pub use wire::etag::{ETag, ETagCondition};
pub use wire::fields::{Field, NestedField, Selectable, Selection, Shape};
pub use wire::naming::Naming;
pub use wire::{
    LongRunning, OperationState, OperationStateOf, Paginated, ReadForPatch, ReadForUpdate, Request, RequestError,
    Syncable, Upload, WireBody,
};
