//! Reading, changing and writing back without losing what others write meanwhile.

mod consent;

pub use consent::{Consent, UpdateError};

use std::fmt;
use std::pin::Pin;

use wireform_runtime::{PatchesRead, Request, UpdatesRead};

use crate::call::Call;
use crate::conditional::{Versioned, send_versioned};
use crate::error::Error;
#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
use crate::error::ErrorKind;
use crate::pages::protocol;

/// How often a change is written at the most, if nothing else is said.
const MAX_ATTEMPTS: u32 = 5;

/// A change that is written back as a whole.
pub type UpdateWith<R, F> = ReadModifyWrite<R, <R as UpdatesRead>::Update, F>;

/// A change of which only the difference is written.
pub type PatchWith<R, F> = ReadModifyWrite<R, <R as PatchesRead>::Patched, F>;

/// Reads by `R`, lets `F` change the value, and writes it by `W` under the condition that it is still what was read.
/// When it is not, all is done again with the new value, up to a bound.
///
/// A value that the change leaves as it is, is not written. Since the change may be made several times, and once more
/// on a value that has it already when the answer of a write was lost, let it set rather than add.
///
/// Timeouts, retries and the other options of the reading call hold for the writing one, but no selection of members:
/// writing back a part of what there is would erase the rest, so such a call fails before anything is sent. The same
/// goes for parameters of the read that shorten the lists of a value; those the caller must leave out.
///
/// Where the client checks requests, the write is checked against what was read, and so by the rules about changes too.
#[must_use = "nothing happens until it is sent"]
pub struct ReadModifyWrite<R: Request, W: Request, F> {
    read: Call<R>,
    write: fn(&R, &R::Response, R::Response) -> W,
    change: F,
    most: u32,
    adjust: Option<Adjust<W>>,
}

type Adjust<W> = Box<dyn FnMut(&mut W) + Send>;

impl<R: UpdatesRead, F> UpdateWith<R, F> {
    /// Writes the value as a whole.
    pub fn update(read: Call<R>, change: F) -> Self {
        Self::new(read, |request, _, new| request.update(new), change)
    }
}

impl<R: PatchesRead, F> PatchWith<R, F> {
    /// Writes the difference as a merge patch.
    pub fn patch(read: Call<R>, change: F) -> Self {
        Self::new(read, |request, old, new| request.patch(old, &new), change)
    }
}

impl<R: Request, W: Request, F> ReadModifyWrite<R, W, F> {
    fn new(read: Call<R>, write: fn(&R, &R::Response, R::Response) -> W, change: F) -> Self {
        Self { read, write, change, most: MAX_ATTEMPTS, adjust: None }
    }

    /// How often a write is tried at the most while others write meanwhile; 5, and never less than 1. The repetitions
    /// that the [retry policy](crate::RetryPolicy) makes of each call are not counted.
    pub fn max_attempts(mut self, most: u32) -> Self {
        self.most = most;
        self
    }

    /// Sets parameters of the request that writes, such as who is to be told.
    pub fn request(mut self, adjust: impl FnMut(&mut W) + Send + 'static) -> Self {
        self.adjust = Some(Box::new(adjust));
        self
    }
}

impl<R, W, F> ReadModifyWrite<R, W, F>
where
    R: Request<Response: PartialEq>,
    W: Request<Response = R::Response, ErrorBody = R::ErrorBody>,
{
    /// Reads, changes and writes; gives the value that was written, as the service answers it, or the one that was
    /// read if there was nothing to change.
    ///
    /// A change that gives back a `Result` may refuse: then nothing is written, and the error is
    /// [`UpdateError::Refused`].
    ///
    /// # Errors
    /// Those of both calls; the last 412 when others wrote meanwhile each time; a protocol error when the read is
    /// answered without an entity tag, as then nothing could be told of others.
    pub async fn send<C>(mut self) -> Result<R::Response, C::Error>
    where
        F: FnMut(&mut R::Response) -> C,
        C: Consent<R::ErrorBody>,
    {
        self.prepare()?;
        let mut attempt = 1;
        loop {
            let read = send_versioned(&self.read).await?;
            if read.etag().is_weak() {
                // RFC 9110, section 13.1.1: `If-Match` compares strongly, so no write would ever pass.
                return Err(protocol::<R>("the entity tag is weak, so a write cannot be made to depend on it").into());
            }
            let mut new = read.value().clone();
            (self.change)(&mut new).consent()?;
            if new == *read.value() {
                return Ok(new);
            }
            match self.writing(&read, new).send_over(read.value()).await {
                Err(error) if error.is_precondition_failed() && attempt < self.most => attempt += 1,
                done => return Ok(done?),
            }
        }
    }

    /// [`send`](Self::send), for programs without an async runtime.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    #[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
    pub fn send_blocking<C>(self) -> Result<R::Response, C::Error>
    where
        F: FnMut(&mut R::Response) -> C + Send + 'static,
        C: Consent<R::ErrorBody, Error: Send> + 'static,
    {
        crate::blocking::block_on(self.send())
            .unwrap_or_else(|error| Err(Error::new(R::OPERATION, ErrorKind::Connection(error)).into()))
    }

    /// Makes sure that the read gives all there is, whether it has changed or not.
    fn prepare(&mut self) -> Result<(), Error<R::ErrorBody>> {
        let options = self.read.options_mut();
        options.if_none_match = None;
        options.if_match = None;
        if options.fields.is_some() {
            return Err(protocol::<R>("members are selected, and writing back a part would erase the rest"));
        }
        Ok(())
    }

    fn writing(&mut self, read: &Versioned<R::Response>, new: R::Response) -> Call<W> {
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

/// A change that is awaited is sent: `.await` does what `.send().await` does. Its future is boxed, because it goes on
/// through several calls and what it is has no name.
impl<R, W, F, C> IntoFuture for ReadModifyWrite<R, W, F>
where
    R: Request<Response: PartialEq>,
    W: Request<Response = R::Response, ErrorBody = R::ErrorBody>,
    F: FnMut(&mut R::Response) -> C + Send + 'static,
    C: Consent<R::ErrorBody, Error: Send> + 'static,
{
    type Output = Result<R::Response, C::Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.send())
    }
}

impl<R: Request, W: Request, F> fmt::Debug for ReadModifyWrite<R, W, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadModifyWrite")
            .field("read", &self.read)
            .field("write", &W::OPERATION.name)
            .field("max_attempts", &self.most)
            .finish_non_exhaustive()
    }
}

/// Gives the builder of a read `update_with(change)`: `updates!(Get, requests::EventsGet)`.
#[macro_export]
macro_rules! updates {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Reads the value, changes it and writes it back as a whole, again and again as long as others write
            /// meanwhile. The change may give back a `Result` to refuse.
            ///
            /// The read must give all there is: a parameter that shortens a list, such as a bound on attendees, would
            /// have the shortened list written back.
            pub fn update_with<F, C>(self, change: F) -> $crate::UpdateWith<$request, F>
            where
                F: ::core::ops::FnMut(&mut <$request as $crate::Request>::Response) -> C,
                C: $crate::Consent<<$request as $crate::Request>::ErrorBody>,
            {
                $crate::UpdateWith::update(self.call, change)
            }
        }
    };
}

/// Gives the builder of a read `patch_with(change)`: `patches!(Get, requests::EventsGet)`.
#[macro_export]
macro_rules! patches {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Reads the value, changes it and writes the difference as a merge patch, again and again as long as
            /// others write meanwhile. The change may give back a `Result` to refuse.
            ///
            /// The read must give all there is: a parameter that shortens a list, such as a bound on attendees, would
            /// have the shortened list written back.
            pub fn patch_with<F, C>(self, change: F) -> $crate::PatchWith<$request, F>
            where
                F: ::core::ops::FnMut(&mut <$request as $crate::Request>::Response) -> C,
                C: $crate::Consent<<$request as $crate::Request>::ErrorBody>,
            {
                $crate::PatchWith::patch(self.call, change)
            }
        }
    };
}
