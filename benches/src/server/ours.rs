//! The generated server: a token is looked up, limits are on, requests are validated, answers have their entity tag.

use std::net::SocketAddr;

use axum::Router;
use calendar_server::runtime::{AuthError, AuthRequest, Credential, serve};
use calendar_server::{Authenticator, Context, Principal, Result, requests, service, types};
use tokio::net::TcpListener;

use super::Started;

/// The token that is known.
pub const TOKEN: &str = "token";

/// A calendar with one event, which takes every other.
struct Calendar {
    event: types::Event,
}

impl service::Events for Calendar {
    async fn get(&self, _request: requests::EventsGet, _context: &Context) -> Result<types::Event> {
        Ok(self.event.clone().into())
    }

    async fn insert(&self, request: requests::EventsInsert, _context: &Context) -> Result<types::Event> {
        Ok(request.body.into())
    }
}

struct Tokens;

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _request: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        match credential {
            Credential::Bearer(TOKEN) => {
                Ok(Principal::new("somebody").with_scopes(["https://www.googleapis.com/auth/calendar.events"]))
            }
            _ => Err(AuthError::Invalid),
        }
    }
}

/// The router.
pub fn router(event: &str) -> anyhow::Result<Router> {
    let event = types::runtime::json::from_str(event)?;
    Ok(calendar_server::server(Calendar { event }).authenticator(Tokens).router())
}

/// Starts it.
pub fn start(event: &str) -> anyhow::Result<SocketAddr> {
    let router = router(event)?;
    Started::start("generated", async move |listener: TcpListener| serve(listener, router).await)
}
