//! What the servers that Wireform generates call.
//!
//! Generated code states facts and hands over functions; this library does what the wire demands before and after
//! them. A newcomer finds one topic in each module, in the order in which a request travels:
//!
//! | topic | what to read |
//! |---|---|
//! | sockets, slow peers, shutdown | `serve` |
//! | a service becomes a router | [`Server`], [`Limits`], [`UnknownParameters`] |
//! | the way of one request | `pipeline` |
//! | which operation a request is for | `routes` |
//! | who asks, and what they may do | [`Authenticator`], [`Credential`], [`Principal`] |
//! | parameters and body become a request | [`Incoming`], [`Parameters`] |
//! | media come with a request | [`Media`], [`UploadSessions`], [`MemorySessions`] |
//! | what a handler is told | [`Context`] |
//! | what a handler says | [`Reply`], [`Error`] |
//! | conditions, selections, compression | `answer` |
//! | tokens for pages and synchronisation | `tokens` |
//! | what programs that watch others are told | [`ObserveRequests`] |

mod admission;
mod answer;
mod auth;
mod context;
mod contract;
mod error;
mod handlers;
mod held;
mod limits;
mod lists;
mod memory;
pub mod notifications;
mod observe;
mod percent;
mod pipeline;
mod query;
mod quota;
mod receive;
mod reply;
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
mod turn;
mod uploads;

pub use axum;
pub use wireform_runtime;
pub use wireform_validation;

pub use admission::{Admission, Admitted, WriteResult};
pub use auth::{
    AuthError, AuthRequest, Authenticator, ClientCertificate, Credential, NoAuthenticator, Principal, Scopes,
};
pub use context::Context;
pub use contract::{BodyNeed, Contract, Outcome};
pub use error::{At, Error};
pub use handlers::{Answering, Handlers, Route};
pub use limits::Limits;
pub use lists::{ListResult, ListTag, Listed};
pub use memory::{MemoryBudget, MemoryShare};
pub use observe::{ObserveRequests, RequestId, RequestRecord};
pub use quota::Quota;
pub use receive::{Incoming, Parameters};
pub use reply::{MediaBody, Reply};
#[cfg(feature = "serve")]
pub use serve::{Handshake, Plain, Serve, ServeLimits, serve};
pub use server::Server;
pub use settings::UnknownParameters;
pub use stream::ResponseStreams;
pub use uploads::{KeptAnswer, Media, MemorySessions, Session, SessionFuture, UploadSessions};

/// What a handler answers.
pub type Result<T, E = Error> = std::result::Result<Reply<T>, E>;
