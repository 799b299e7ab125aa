//! Tokens of requests.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wireform_runtime::operation::ReasonCase;
use wireform_runtime::{Naming, Paginated, Request, Syncable};

use super::binding::{Binding, TokenKind};
use super::seal::OpenError;
use super::token_parameters::pair_name;
use super::token_parameters::{self, Mismatch, TokenParameters};
use super::{TokenSealer, now};
use crate::context::Context;
use crate::error::{Error, ErrorLocation};
use crate::full_sync::{excerpt, full_sync_required};

impl TokenSealer {
    /// Seals the token of the page after the one that `request` asks for. It is valid for this principal, this
    /// operation and these parameters, except the free ones; `payload` identifies the start of the page.
    ///
    /// # Errors
    /// Returns a 500 if the payload cannot be encoded or exceeds [`MAX_PAYLOAD`](super::MAX_PAYLOAD) bytes of JSON.
    pub fn seal_page<R: Paginated, T: Serialize + ?Sized>(
        &self,
        context: &Context,
        request: &R,
        payload: &T,
    ) -> Result<String, Error> {
        let binding = self.bind_page(context, request)?;
        self.seal(&binding, payload, now()).map_err(Error::internal)
    }

    /// Opens the page token of a request; `None` for the first page.
    ///
    /// # Errors
    /// Returns a 400 at the parameter if its token is invalid here, and the operation's error of an expired sync token
    /// if that of the request cannot be parsed.
    pub fn open_page<R: Paginated, T: DeserializeOwned>(
        &self,
        context: &Context,
        request: &R,
    ) -> Result<Option<T>, Error> {
        context.check_sync_token()?;
        let Some(token) = request.page_token() else { return Ok(None) };
        let binding = self.bind_page(context, request)?;
        self.open(&binding, &token, now()).map(Some).map_err(|_| invalid_page_token::<R>(context.naming(), request))
    }

    /// Returns the binding of a page token: to the request without the token.
    fn bind_page<R: Paginated>(&self, context: &Context, request: &R) -> Result<Binding, Error> {
        let mut bare = request.clone();
        bare.set_page_token(None);
        self.bind(TokenKind::Page, context, &bare)
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
    pub fn seal_sync<R: Syncable, T: Serialize + ?Sized>(
        &self,
        context: &Context,
        request: &R,
        payload: &T,
    ) -> Result<Option<String>, Error> {
        let Some(mut bare) = request.without_sync_token() else { return Ok(None) };
        bare.set_page_token(None);
        let filter = token_parameters::from_request(&bare, self.free_parameters).map_err(Error::internal)?;
        let binding = self.bind_sync(context, &bare)?;
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
    pub fn open_sync<R: Syncable, T: DeserializeOwned>(
        &self,
        context: &Context,
        mut request: R,
    ) -> Result<(R, Option<T>), Error> {
        context.check_sync_token()?;
        let Some(token) = request.sync_token() else { return Ok((request, None)) };
        let Some(mut bare) = request.without_sync_token() else {
            return Err(invalid_sync_token(&request, OpenError::Invalid));
        };
        bare.set_page_token(None);
        let binding = self.bind_sync(context, &bare)?;
        let (payload, filter) = self
            .open::<(T, TokenParameters)>(&binding, token, now())
            .map_err(|fault| invalid_sync_token(&request, fault))?;
        token_parameters::merge_parameters(&mut request, &filter, self.free_parameters).map_err(|mismatch| {
            match mismatch {
                Mismatch::Changed(name) => changed_parameter::<R>(context.naming(), name),
                Mismatch::Foreign => invalid_sync_token(&request, OpenError::Invalid),
            }
        })?;
        Ok((request, Some(payload)))
    }

    /// Returns the binding of a request without its tokens. Carried parameters are compared one by one.
    pub(super) fn bind_sync<R: Syncable>(&self, context: &Context, bare: &R) -> Result<Binding, Error> {
        let is_free = |name: &str| {
            R::TOKEN_PARAMETERS.iter().any(|carried| carried.name == name)
                || token_parameters::is_free(R::OPERATION, name, self.free_parameters)
        };
        Binding::with_free(TokenKind::Sync, context.principal().subject(), bare, &is_free).map_err(Error::internal)
    }

    /// Binds a token to the principal and to a request without tokens.
    fn bind<R: Request>(&self, kind: TokenKind, context: &Context, bare: &R) -> Result<Binding, Error> {
        Binding::new(kind, context.principal().subject(), bare, self.free_parameters).map_err(Error::internal)
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
pub fn expired_page<R: Paginated>(context: &Context, request: &R) -> Error {
    let error = Error::gone("the page token precedes a restore of the data: start again from the first page");
    with_page_location(error.with_case(ReasonCase::PageTokenExpired), context.naming(), request)
}

/// Returns the operation's error of an expired sync token, so that the client does a full sync.
///
/// A handler returns it for a sync token, or a page token of a sync, that is valid but precedes a restore of the data
/// from a backup or their replacement.
#[cold]
#[must_use]
pub fn expired_sync<R: Syncable>() -> Error {
    full_sync_required(&R::EXPIRED_TOKEN, "the sync token precedes a restore of the data; do a full sync")
}

/// Creates the error of a page token that does not open: a 400 at its parameter.
#[cold]
fn invalid_page_token<R: Paginated>(names: Naming, request: &R) -> Error {
    let error = Error::bad_request("invalid page token for this request").with_case(ReasonCase::Invalid);
    with_page_location(error, names, request)
}

/// Adds the page token parameter as the location of an error.
fn with_page_location<R: Paginated>(error: Error, names: Naming, request: &R) -> Error {
    match page_parameter(names, request) {
        Some(name) => error.with_location(ErrorLocation::Parameter(name.into())),
        None => error,
    }
}

/// Returns the name of the page token parameter: the one that a request has with a token and not without.
fn page_parameter<R: Paginated>(names: Naming, request: &R) -> Option<&'static str> {
    let mut bare = request.clone();
    bare.set_page_token(None);
    let without = bare.to_wire(Naming::Specification).ok()?;
    bare.set_page_token(Some("token".to_owned()));
    let with = bare.to_wire(Naming::Specification).ok()?;
    let query = |target: &str| target.split_once('?').map(|(_, query)| query.to_owned()).unwrap_or_default();
    let (without, with) = (query(&without.target), query(&with.target));
    let name = pair_name(with.split('&').find(|pair| !without.split('&').any(|other| other == *pair))?);
    let parameter = R::OPERATION.parameters.iter().find(|parameter| parameter.name.name == name)?;
    Some(parameter.name.name_in(names))
}

/// Creates the error of a parameter that contradicts the sync token: a 400 at the parameter.
#[cold]
fn changed_parameter<R: Syncable>(names: Naming, name: &'static str) -> Error {
    let error = Error::bad_request("the parameter differs from that of the request that returned the token");
    let parameter = R::OPERATION.parameters.iter().find(|parameter| parameter.name.name == name);
    let name = parameter.map_or(name, |parameter| parameter.name.name_in(names));
    error.with_case(ReasonCase::Invalid).with_location(ErrorLocation::Parameter(name.into()))
}

/// Creates the error of a sync token that does not open or is too old: it requests a full sync.
#[cold]
fn invalid_sync_token<R: Syncable>(request: &R, fault: OpenError) -> Error {
    let message = match fault {
        OpenError::Invalid => {
            let token = excerpt(request.sync_token().unwrap_or_default());
            Cow::Owned(format!("`{token}` is not a valid sync token; do a full sync"))
        }
        OpenError::TooOld => Cow::Borrowed("the sync token has expired; do a full sync"),
    };
    full_sync_required(&R::EXPIRED_TOKEN, message)
}
