//! Conditional requests (RFC 9110, section 13).

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use wireform_runtime::etag::ETag;
use wireform_runtime::{Request, fields};

use crate::call::{Call, ReplyFuture};
use crate::error::Error;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
use crate::error::ErrorKind;
use crate::pages::{protocol_error, require_value};
use crate::reply::Reply;

/// Value with the entity tag of its version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned<T> {
    value: T,
    etag: ETag,
}

impl<T> Versioned<T> {
    /// Creates a value of a version.
    #[must_use]
    pub const fn new(value: T, etag: ETag) -> Self {
        Self { value, etag }
    }

    /// Returns the value.
    #[must_use]
    pub const fn value(&self) -> &T {
        &self.value
    }

    /// Returns a mutable reference to the value. The entity tag stays that of the version that was read, which a write
    /// is compared with.
    #[must_use]
    pub const fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Returns the entity tag.
    #[must_use]
    pub const fn etag(&self) -> &ETag {
        &self.etag
    }

    /// Returns the value without the entity tag.
    #[must_use]
    pub fn into_value(self) -> T {
        self.value
    }

    /// Returns the value and the entity tag.
    #[must_use]
    pub fn into_parts(self) -> (T, ETag) {
        (self.value, self.etag)
    }
}

/// Result of a conditional read: the current version, unless it is the known one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conditional<T> {
    /// The version of the condition is still the current one.
    NotModified,
    /// Current version.
    Modified(Versioned<T>),
}

impl<T> Conditional<T> {
    /// Returns the current version if it differs from that of the condition.
    #[must_use]
    pub fn modified(self) -> Option<Versioned<T>> {
        match self {
            Self::NotModified => None,
            Self::Modified(versioned) => Some(versioned),
        }
    }

    /// Returns true if the version of the condition is still the current one.
    #[must_use]
    pub const fn is_not_modified(&self) -> bool {
        matches!(self, Self::NotModified)
    }
}

/// Read that returns a value only if its version differs from a known one.
#[derive(Debug)]
#[must_use = "nothing happens until it is sent"]
pub struct IfChanged<R: Request> {
    call: Call<R>,
}

impl<R: Request> IfChanged<R> {
    /// Creates a read under the condition that the version is not this one.
    pub fn new(mut call: Call<R>, etag: &ETag) -> Self {
        call.options_mut().if_none_match = Some(etag.to_string());
        select_etag(&mut call);
        Self { call }
    }

    /// Sends the request. Fails as the call does, and with a protocol error if a changed value has no entity tag.
    pub fn send(self) -> IfChangedFuture<R> {
        IfChangedFuture(self.call.perform())
    }

    /// Sends the request and blocks until the response has arrived.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking(self) -> Result<Conditional<R::Response>, Error<R::ErrorBody>> {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
    }
}

/// Awaiting a read sends it: `.await` is short for `.send().await`.
impl<R: Request> IntoFuture for IfChanged<R> {
    type Output = Result<Conditional<R::Response>, Error<R::ErrorBody>>;
    type IntoFuture = IfChangedFuture<R>;

    fn into_future(self) -> IfChangedFuture<R> {
        self.send()
    }
}

/// Future of a conditional read. The request is sent when it is first polled, and aborted when it is dropped.
#[derive(Debug)]
#[must_use = "nothing is sent before this is awaited"]
pub struct IfChangedFuture<R: Request>(ReplyFuture<R>);

impl<R: Request> Future for IfChangedFuture<R> {
    type Output = Result<Conditional<R::Response>, Error<R::ErrorBody>>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = ready!(Pin::new(&mut self.0).poll(context))?;
        Poll::Ready(match reply.value {
            None => Ok(Conditional::NotModified),
            Some(_) => into_versioned::<R>(reply).map(Conditional::Modified),
        })
    }
}

/// Sends a read and returns the value with its entity tag. The call can be sent again.
///
/// # Errors
/// Returns the error of the call, or a protocol error if the response has no entity tag.
pub async fn send_versioned<R: Request>(call: &Call<R>) -> Result<Versioned<R::Response>, Error<R::ErrorBody>> {
    if call.options().fields.is_none() {
        return into_versioned::<R>(call.perform().await?);
    }
    let mut call = call.clone();
    select_etag(&mut call);
    into_versioned::<R>(call.perform().await?)
}

/// Sends a read and blocks until the value with its entity tag has arrived.
///
/// # Errors
/// Returns the same errors as [`send_versioned`].
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
pub fn send_versioned_blocking<R: Request>(call: Call<R>) -> Result<Versioned<R::Response>, Error<R::ErrorBody>> {
    crate::blocking::block_on(async move { send_versioned(&call).await })
        .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error))))
}

/// Adds the field of the entity tag to a selection of fields: not every server repeats the tag in a header.
fn select_etag<R: Request>(call: &mut Call<R>) {
    if let (Some(selection), Some(etag)) = (&mut call.options_mut().fields, R::ETAG_FIELD) {
        *selection = fields::include_field(selection, etag);
    }
}

/// Takes the value and the entity tag of a reply; a protocol error if either is missing.
fn into_versioned<R: Request>(mut reply: Reply<R::Response>) -> Result<Versioned<R::Response>, Error<R::ErrorBody>> {
    let etag = reply.etag.take();
    let value = require_value::<R>(reply)?;
    match etag {
        Some(etag) => Ok(Versioned { value, etag }),
        None => Err(protocol_error::<R>("the response has no ETag, so its version is unknown")),
    }
}

/// Adds `send_versioned()` and `if_none_match(&etag)` to the builder of a read: `conditional_read!(Get,
/// requests::EventsGet)`.
#[doc(hidden)]
#[macro_export]
macro_rules! conditional_read {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Sends the request and returns the value with its entity tag.
            ///
            /// # Errors
            /// Returns the error of the call, or a protocol error if the response has no entity tag.
            pub async fn send_versioned(
                self,
            ) -> ::core::result::Result<
                $crate::Versioned<<$request as $crate::Request>::Response>,
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            > {
                $crate::__private::send_versioned(&self.call).await
            }

            /// Sends the request and blocks until the value with its entity tag has arrived.
            ///
            /// # Errors
            /// Returns the same errors as `send_versioned`.
            #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
            pub fn send_versioned_blocking(
                self,
            ) -> ::core::result::Result<
                $crate::Versioned<<$request as $crate::Request>::Response>,
                $crate::Error<<$request as $crate::Request>::ErrorBody>,
            > {
                $crate::__private::send_versioned_blocking(self.call)
            }

            /// Requests the value only if its version differs from this one. Set other options before.
            pub fn if_none_match(self, etag: &$crate::ETag) -> $crate::IfChanged<$request> {
                $crate::IfChanged::new(self.call, etag)
            }
        }
    };
}

/// Adds `if_match(&etag)` and `if_unchanged(&read)` to the builder of a write: `conditional_write!(Update,
/// requests::EventsUpdate)`.
#[doc(hidden)]
#[macro_export]
macro_rules! conditional_write {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Writes only if the server still has this version; otherwise the call fails with the status 412.
            #[must_use]
            pub fn if_match(mut self, etag: &$crate::ETag) -> Self {
                self.call.options_mut().if_match =
                    ::core::option::Option::Some(::std::string::ToString::to_string(etag));
                self
            }

            /// Writes only if the server still has the version that was read; otherwise the call fails with the status
            /// 412.
            #[must_use]
            pub fn if_unchanged<T>(self, read: &$crate::Versioned<T>) -> Self {
                self.if_match(read.etag())
            }
        }
    };
}
