//! Runtime of the API servers that Wireform generates.
//!
//! Generated code describes the operations and registers handlers; this library implements the protocol around them.
//! The topics, in the order of a request's life:
//!
//! | topic | see |
//! |---|---|
//! | sockets, slow peers, shutdown | `serve` |
//! | creating a router | [`Server`], [`Limits`], [`UnknownParameters`] |
//! | processing of a request | `pipeline` |
//! | routing | `routes` |
//! | authentication and authorization | [`Authenticator`], [`Credential`], [`Principal`] |
//! | parsing of parameters and bodies | `receive` |
//! | uploads | [`MediaStream`], [`UploadSessions`], [`MemorySessions`] |
//! | context of a request | [`Context`] |
//! | results of handlers | [`Reply`], [`Error`] |
//! | conditions, selections, compression | `response` |
//! | page tokens and sync tokens | `tokens` |
//! | metrics | [`ObserveRequests`] |

#[doc(hidden)]
pub mod __private;
mod admission;
mod auth;
mod context;
mod contract;
mod cookies;
mod declared_headers;
mod error;
mod full_sync;
mod guarded_body;
mod handlers;
mod limits;
mod lists;
mod memory;
pub mod notifications;
mod observe;
mod pipeline;
mod query;
mod quota;
mod receive;
mod reply;
mod response;
mod routes;
#[cfg(test)]
mod sample;
#[cfg(feature = "serve")]
mod serve;
mod server;
mod settings;
mod stream;
#[cfg(feature = "tokens")]
pub mod tokens;
mod uploads;
mod work_budget;

pub use axum;
pub use wireform_runtime;
pub use wireform_validation;

pub use admission::{Admission, Admitted, WriteResult};
pub use auth::{AuthError, AuthRequest, Authenticator, ClientCertificate, Credential, Principal, Scopes};
pub use context::Context;
pub use error::{Error, ErrorLocation};
pub use limits::{Limits, json_memory};
pub use lists::{ListReply, ListResult, ListTag};
pub use memory::{MemoryBudget, MemoryShare};
pub use observe::{ObserveRequests, RequestId, RequestRecord};
pub use quota::Quota;
pub use reply::{MediaBody, Reply};
#[cfg(feature = "serve")]
pub use serve::{Handshake, Plain, Serve, ServeLimits, serve};
pub use server::Server;
pub use settings::UnknownParameters;
pub use stream::ResponseStreams;
pub use uploads::{MediaStream, MemorySessions, Session, StoredResponse, UploadFuture, UploadSessions};

/// Result of a handler.
pub type Result<T, E = Error> = std::result::Result<Reply<T>, E>;
