//! Tokens of requests.

use std::borrow::Cow;

use http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wireform_runtime::operation::ReasonCase;
use wireform_runtime::{Names, Paged, Request, Synced};

use super::binding::{Binding, Kind};
use super::carried::name_of;
use super::carried::{self, Filter, Mismatch};
use super::seal::Fault;
use super::{TokenSealer, now};
use crate::context::Context;
use crate::error::{At, Error};

impl TokenSealer {
    /// Seals the token of the page after the one that `request` asks for. It is valid for this principal, this
    /// operation and these parameters, except the free ones; `payload` identifies the start of the page.
    ///
    /// # Errors
    /// Returns a 500 if the payload cannot be encoded or exceeds [`MAX_PAYLOAD`](super::MAX_PAYLOAD) bytes of JSON.
    pub fn seal_page<R: Paged, T: Serialize + ?Sized>(
        &self,
        context: &Context,
        request: &R,
        payload: &T,
    ) -> Result<String, Error> {
        let binding = self.page(context, request)?;
        self.seal(&binding, payload, now()).map_err(Error::internal)
    }

    /// Opens the page token of a request; `None` for the first page.
    ///
    /// # Errors
    /// Returns a 400 at the parameter if its token is invalid here.
    pub fn open_page<R: Paged, T: DeserializeOwned>(&self, context: &Context, request: &R) -> Result<Option<T>, Error> {
        let Some(token) = request.page_token() else { return Ok(None) };
        let binding = self.page(context, request)?;
        self.open(&binding, &token, now()).map(Some).map_err(|_| bad_page::<R>(context.names(), request))
    }

    fn page<R: Paged>(&self, context: &Context, request: &R) -> Result<Binding, Error> {
        let mut bare = request.clone();
        bare.set_page_token(None);
        self.bind(Kind::Page, context, &bare)
    }

    /// Seals the token with which a client requests the changes since this response; `None` if the request has a
    /// parameter that cannot be combined with one.
    ///
    /// It is valid for this principal and this operation. It carries the parameters of the request, so that the next
    /// one need not repeat them; `payload` identifies the state that the client knows.
    ///
    /// # Errors
    /// Returns a 500 if the payload cannot be encoded, or exceeds [`MAX_PAYLOAD`](super::MAX_PAYLOAD) bytes of JSON
    /// together with the parameters.
    pub fn seal_sync<R: Synced, T: Serialize + ?Sized>(
        &self,
        context: &Context,
        request: &R,
        payload: &T,
    ) -> Result<Option<String>, Error> {
        let Some(mut bare) = request.resumable() else { return Ok(None) };
        bare.set_page_token(None);
        let filter = carried::of(&bare, self.free).map_err(Error::internal)?;
        let binding = self.sync(context, &bare)?;
        self.seal(&binding, &(payload, filter), now()).map(Some).map_err(Error::internal)
    }

    /// Returns the request with the parameters that its token carries, and the payload of the token; the request
    /// unchanged and `None` if it has no token.
    ///
    /// Open pages and seal tokens with the returned request.
    ///
    /// # Errors
    /// Returns the operation's error of an expired sync token, whatever is wrong with the token: the client then reads
    /// everything again, which is right for a forged token as well. Returns a 400 at a parameter whose value has
    /// changed.
    pub fn open_sync<R: Synced, T: DeserializeOwned>(
        &self,
        context: &Context,
        mut request: R,
    ) -> Result<(R, Option<T>), Error> {
        let Some(token) = request.resumed() else { return Ok((request, None)) };
        let Some(mut bare) = request.resumable() else { return Err(expired::<R>(Fault::Invalid)) };
        bare.set_page_token(None);
        let binding = self.sync(context, &bare)?;
        let (payload, filter) = self.open::<(T, Filter)>(&binding, token, now()).map_err(expired::<R>)?;
        carried::inherit(&mut request, &filter, self.free).map_err(|mismatch| match mismatch {
            Mismatch::Changed(name) => changed::<R>(context.names(), name),
            Mismatch::Foreign => expired::<R>(Fault::Invalid),
        })?;
        Ok((request, Some(payload)))
    }

    /// Returns the binding of a request without its tokens. Carried parameters are compared one by one.
    pub(super) fn sync<R: Synced>(&self, context: &Context, bare: &R) -> Result<Binding, Error> {
        let is_free = |name: &str| {
            R::CARRIED.iter().any(|carried| carried.name == name) || carried::is_free(R::OPERATION, name, self.free)
        };
        Binding::without(Kind::Sync, context.principal().subject(), bare, &is_free).map_err(Error::internal)
    }

    fn bind<R: Request>(&self, kind: Kind, context: &Context, bare: &R) -> Result<Binding, Error> {
        Binding::new(kind, context.principal().subject(), bare, self.free).map_err(Error::internal)
    }
}

/// Returns the error of a page token that opens, but whose position has become invalid because the data were restored
/// from a backup or replaced: a 410 at the parameter, so that the client lists everything again.
///
/// Include an identifier of the data's generation in the payload, such as a random number that changes when a backup is
/// restored, and compare it when the page is read. For an operation with sync tokens, use [`expired_sync`] for its page
/// tokens as well.
#[cold]
#[must_use]
pub fn expired_page<R: Paged>(context: &Context, request: &R) -> Error {
    let error = Error::gone("the page token is from before the data were restored: start again from the first page");
    at_page(error.with_case(ReasonCase::PageTokenExpired), context.names(), request)
}

/// Returns the error of a sync token or a page token of an operation with sync tokens, whose position has become
/// invalid because the data were restored from a backup or replaced: the operation's error of an expired sync token, so
/// that the client reads everything again.
#[cold]
#[must_use]
pub fn expired_sync<R: Synced>() -> Error {
    full_sync::<R>("the sync token is from before the data were restored: do a full sync")
}

#[cold]
fn bad_page<R: Paged>(names: Names, request: &R) -> Error {
    let error = Error::bad_request("invalid page token for this request").with_case(ReasonCase::Invalid);
    at_page(error, names, request)
}

fn at_page<R: Paged>(error: Error, names: Names, request: &R) -> Error {
    match page_parameter(names, request) {
        Some(name) => error.at(At::Parameter(name.into())),
        None => error,
    }
}

/// Returns the name of the page token parameter: the one that a request has with a token and not without.
fn page_parameter<R: Paged>(names: Names, request: &R) -> Option<&'static str> {
    let mut bare = request.clone();
    bare.set_page_token(None);
    let without = bare.to_wire(Names::Specification).ok()?;
    bare.set_page_token(Some("token".to_owned()));
    let with = bare.to_wire(Names::Specification).ok()?;
    let query = |target: &str| target.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default();
    let (without, with) = (query(&without.target), query(&with.target));
    let name = name_of(with.split('&').find(|pair| !without.split('&').any(|other| other == *pair))?);
    let parameter = R::OPERATION.parameters.iter().find(|parameter| parameter.name.name == name)?;
    Some(parameter.name.spelled(names))
}

#[cold]
fn changed<R: Synced>(names: Names, name: &'static str) -> Error {
    let error = Error::bad_request("the parameter differs from that of the request that returned the token");
    let parameter = R::OPERATION.parameters.iter().find(|parameter| parameter.name.name == name);
    let name = parameter.map_or(name, |parameter| parameter.name.spelled(names));
    error.with_case(ReasonCase::Invalid).at(At::Parameter(name.into()))
}

#[cold]
fn expired<R: Synced>(fault: Fault) -> Error {
    full_sync::<R>(match fault {
        Fault::Invalid => "invalid sync token: do a full sync",
        Fault::TooOld => "the sync token has expired: do a full sync",
    })
}

fn full_sync<R: Synced>(message: &'static str) -> Error {
    let status = StatusCode::from_u16(R::EXPIRED.status).unwrap_or(StatusCode::GONE);
    let mut error = Error::new(status, message);
    if let Some(reason) = R::EXPIRED.reason {
        error = error.with_reason(reason);
    }
    match R::EXPIRED.location {
        Some(location) => error.at(At::Parameter(Cow::Borrowed(location))),
        None => error,
    }
}
