//! Read-modify-write without lost updates.

mod result;

pub use result::{IntoUpdateResult, UpdateError};

use std::fmt;

use wireform_runtime::{ReadForPatch, ReadForUpdate, Request};

use crate::call::Call;
use crate::conditional::{Versioned, send_versioned};
use crate::error::Error;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
use crate::error::ErrorKind;
use crate::pages::protocol_error;
use crate::transport::BoxFuture;

/// Default maximum number of writes.
const MAX_ATTEMPTS: u32 = 5;

/// Change that is written back as a whole.
pub type UpdateWith<R, F> = ReadModifyWrite<R, <R as ReadForUpdate>::UpdateRequest, F>;

/// Change that is written as a merge patch.
pub type PatchWith<R, F> = ReadModifyWrite<R, <R as ReadForPatch>::PatchRequest, F>;

/// Reads a value with `R`, changes it with `F`, and writes it with `W` under the condition that the version is still
/// the one that was read. If it is not, everything is repeated with the new value, up to a maximum number of attempts.
///
/// An unchanged value is not written. The change may be applied several times, and again to a value that already has it
/// if the response to a write was lost, so it should set rather than add.
///
/// Timeouts, retries and the other options of the read apply to the write, except for a selection of fields: writing
/// back a partial value would erase the rest, so such a call fails before anything is sent. The same applies to
/// parameters of the read that truncate the lists of a value; callers must not set those.
///
/// If the client validates requests, the write is validated against the value that was read, and so by the rules about
/// changes too.
#[must_use = "nothing happens until it is sent"]
pub struct ReadModifyWrite<R: Request, W: Request, F> {
    read: Call<R>,
    write: fn(&R, &R::Response, R::Response) -> W,
    change: F,
    max_attempts: u32,
    adjust: Option<AdjustRequest<W>>,
}

/// Function that adjusts the request before it is written.
type AdjustRequest<W> = Box<dyn FnMut(&mut W) + Send>;

impl<R: ReadForUpdate, F> UpdateWith<R, F> {
    /// Creates a change that writes the value as a whole.
    pub fn update(read: Call<R>, change: F) -> Self {
        Self::new(read, |request, _, new| request.update(new), change)
    }
}

impl<R: ReadForPatch, F> PatchWith<R, F> {
    /// Creates a change that writes the difference as a merge patch.
    pub fn patch(read: Call<R>, change: F) -> Self {
        Self::new(read, |request, old, new| request.patch(old, &new), change)
    }
}

impl<R: Request, W: Request, F> ReadModifyWrite<R, W, F> {
    fn new(read: Call<R>, write: fn(&R, &R::Response, R::Response) -> W, change: F) -> Self {
        Self { read, write, change, max_attempts: MAX_ATTEMPTS, adjust: None }
    }

    /// Sets the maximum number of writes while others write concurrently. The default is 5, the minimum 1. Retries of
    /// each call by its [retry policy](crate::RetryPolicy) are not counted.
    pub fn max_attempts(mut self, max: u32) -> Self {
        self.max_attempts = max;
        self
    }

    /// Sets a function that changes the write request before each attempt, for example to set who is notified.
    pub fn adjust_request(mut self, adjust: impl FnMut(&mut W) + Send + 'static) -> Self {
        self.adjust = Some(Box::new(adjust));
        self
    }
}

impl<R, W, F> ReadModifyWrite<R, W, F>
where
    R: Request<Response: PartialEq>,
    W: Request<Response = R::Response, ErrorBody = R::ErrorBody>,
{
    /// Reads, changes and writes the value. Returns the value in the response to the write, or the one that was read if
    /// nothing changed.
    ///
    /// A change may return a `Result` to abort: then nothing is written, and the error is [`UpdateError::Aborted`].
    ///
    /// # Errors
    /// Returns the errors of both calls; the last 412 if others wrote concurrently each time; a protocol error if
    /// fields are selected, or if the response to the read has no entity tag or a weak one, because concurrent writes
    /// could not be detected.
    pub async fn send<C>(mut self) -> Result<R::Response, C::Error>
    where
        F: FnMut(&mut R::Response) -> C,
        C: IntoUpdateResult<R::ErrorBody>,
    {
        self.prepare_read()?;
        let mut attempt = 1;
        loop {
            let read = send_versioned(&self.read).await?;
            if read.etag().is_weak() {
                // RFC 9110, section 13.1.1: `If-Match` compares strongly, so no write would ever succeed.
                return Err(protocol_error::<R>("the ETag is weak, which a conditional write cannot use").into());
            }
            let mut new = read.value().clone();
            (self.change)(&mut new).into_update_result()?;
            if new == *read.value() {
                return Ok(new);
            }
            match self.write_call(&read, new).send_with_stored(read.value()).await {
                Err(error) if error.is_precondition_failed() && attempt < self.max_attempts => attempt += 1,
                done => return Ok(done?),
            }
        }
    }

    /// Blocking variant of [`send`](Self::send).
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking<C>(self) -> Result<R::Response, C::Error>
    where
        F: FnMut(&mut R::Response) -> C + Send + 'static,
        C: IntoUpdateResult<R::ErrorBody, Error: Send> + 'static,
    {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error)).into()))
    }

    /// Makes the read unconditional, and refuses a selection of fields.
    fn prepare_read(&mut self) -> Result<(), Error<R::ErrorBody>> {
        let options = self.read.options_mut();
        options.if_none_match = None;
        options.if_match = None;
        if options.fields.is_some() {
            return Err(protocol_error::<R>("cannot write back a partial response: fields are selected"));
        }
        Ok(())
    }

    /// Creates the call that writes the new value, on the condition that the version that was read is still current.
    fn write_call(&mut self, read: &Versioned<R::Response>, new: R::Response) -> Call<W> {
        let mut request = (self.write)(self.read.request(), read.value(), new);
        if let Some(adjust) = &mut self.adjust {
            adjust(&mut request);
        }
        let mut call = self.read.client().call(request);
        *call.options_mut() = self.read.options().clone();
        call.options_mut().if_match = Some(read.etag().to_string());
        call
    }
}

/// Awaiting a change sends it: `.await` is short for `.send().await`. The future is boxed because its type cannot be
/// named.
impl<R, W, F, C> IntoFuture for ReadModifyWrite<R, W, F>
where
    R: Request<Response: PartialEq>,
    W: Request<Response = R::Response, ErrorBody = R::ErrorBody>,
    F: FnMut(&mut R::Response) -> C + Send + 'static,
    C: IntoUpdateResult<R::ErrorBody, Error: Send> + 'static,
{
    type Output = Result<R::Response, C::Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<R: Request, W: Request, F> fmt::Debug for ReadModifyWrite<R, W, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadModifyWrite")
            .field("read", &self.read)
            .field("write", &W::OPERATION.name)
            .field("max_attempts", &self.max_attempts)
            .finish_non_exhaustive()
    }
}

/// Adds `update_with(change)` to the builder of a read: `updates!(Get, requests::EventsGet)`.
#[doc(hidden)]
#[macro_export]
macro_rules! updates {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Reads the value, changes it and writes it back as a whole, again if others write concurrently. The
            /// change may return a `Result` to abort.
            ///
            /// The read must return the complete value: a parameter that truncates a list, such as a maximum number of
            /// attendees, would have the truncated list written back.
            pub fn update_with<F, C>(self, change: F) -> $crate::UpdateWith<$request, F>
            where
                F: ::core::ops::FnMut(&mut <$request as $crate::Request>::Response) -> C,
                C: $crate::IntoUpdateResult<<$request as $crate::Request>::ErrorBody>,
            {
                $crate::UpdateWith::update(self.call, change)
            }
        }
    };
}

/// Adds `patch_with(change)` to the builder of a read: `patches!(Get, requests::EventsGet)`.
#[doc(hidden)]
#[macro_export]
macro_rules! patches {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Reads the value, changes it and writes the difference as a merge patch, again if others write
            /// concurrently. The change may return a `Result` to abort.
            ///
            /// The read must return the complete value: a parameter that truncates a list, such as a maximum number of
            /// attendees, would have the truncated list written back.
            pub fn patch_with<F, C>(self, change: F) -> $crate::PatchWith<$request, F>
            where
                F: ::core::ops::FnMut(&mut <$request as $crate::Request>::Response) -> C,
                C: $crate::IntoUpdateResult<<$request as $crate::Request>::ErrorBody>,
            {
                $crate::PatchWith::patch(self.call, change)
            }
        }
    };
}
