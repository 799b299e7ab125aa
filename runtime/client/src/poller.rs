//! Polling of long-running operations (AIP-151).

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
mod blocking;
mod error;
mod policy;

use std::fmt;
use std::time::Duration;

use wireform_runtime::{LongRunning, OperationState, OperationStateOf, Request};

pub use error::PollError;
pub use policy::PollPolicy;

use crate::call::Call;
use crate::error::{Error, ErrorKind, StatusError};
use crate::send::retry_after;
use crate::text::one_line;
use crate::time::Instant;

/// Maximum number of bytes of a message in an error.
const MAX_MESSAGE_BYTES: usize = 500;

/// Result with the error of a long-running operation, or of one of the calls.
type PollResult<R, T> = Result<T, PollError<<R as LongRunning>::Failure, <R as Request>::ErrorBody>>;

/// Starts a long-running operation and polls it until it is done.
///
/// [`wait`](Self::wait) does all of it; [`advance`](Self::advance) is a single step, to display progress. Dropping a
/// poller does not cancel the operation: a caller that has kept its name can [resume](Self::resume) polling later, also
/// in another program.
#[must_use = "nothing is sent before this is polled"]
pub struct Poller<R: LongRunning> {
    next: PollerState<R>,
    policy: PollPolicy,
    delays: policy::Delays,
    started: Option<Instant>,
    /// Delay that the last response requests.
    requested_delay: Duration,
    last_response: Option<R::Response>,
}

/// State of a poller: the request that comes next, or why there is none.
enum PollerState<R: LongRunning> {
    /// The operation has not been started.
    Start(Call<R>),
    /// The operation has been started, and is polled next.
    Poll(Call<R::Poll>),
    /// The start request is pending, or was dropped while it was.
    Starting,
    /// The operation cannot be polled: it has no name.
    Unpollable,
}

impl<R: LongRunning> Poller<R> {
    /// Creates a poller of the operation that a call starts. The call is sent when the poller is first polled. Poll
    /// requests inherit the timeout, the retry policy and the standard parameters of the call.
    pub fn new(start: Call<R>) -> Self {
        Self::with_state(PollerState::Start(start))
    }

    /// Creates a poller of an operation that was started before, from the call that polls it.
    pub fn resume(poll: Call<R::Poll>) -> Self {
        Self::with_state(PollerState::Poll(poll))
    }

    /// Creates a poller with the default policy, before its first request.
    fn with_state(next: PollerState<R>) -> Self {
        let policy = PollPolicy::default();
        Self {
            next,
            delays: policy.delays(),
            policy,
            started: None,
            requested_delay: Duration::ZERO,
            last_response: None,
        }
    }

    /// Sets the polling policy.
    pub fn policy(mut self, policy: PollPolicy) -> Self {
        self.delays = policy.delays();
        self.policy = policy;
        self
    }

    /// Returns the name of the operation once the server has responded. [`resume`](Self::resume) takes a call with that
    /// name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        R::operation_name(self.last_response.as_ref()?)
    }

    /// Returns the last response as received. An outcome that names its type by `@type` is included with it.
    #[must_use]
    pub fn response(&self) -> Option<&R::Response> {
        self.last_response.as_ref()
    }

    /// Polls once, without a delay. Nothing is sent once the operation is done.
    ///
    /// # Errors
    /// Returns the error of the call; an error if the start request was dropped before it completed, if the operation
    /// is not done and has no name, or if its outcome does not match the schema.
    pub async fn poll(&mut self) -> PollResult<R, OperationStateOf<R>> {
        if let Some(last) = &self.last_response {
            let known = R::state(last).map_err(PollError::Outcome)?;
            if known.is_done() {
                return Ok(known);
            }
        }
        self.started.get_or_insert_with(Instant::now);
        let response = match &self.next {
            PollerState::Start(start) => {
                let start = start.clone();
                self.send_start(start).await?
            }
            PollerState::Poll(poll) => {
                let (response, requested_delay) = perform_call(poll).await.map_err(PollError::Call)?;
                self.requested_delay = requested_delay;
                response
            }
            PollerState::Starting => return Err(PollError::Abandoned),
            PollerState::Unpollable => return Err(PollError::Unnamed),
        };
        let stage = R::state(&response);
        self.last_response = Some(response);
        match stage.map_err(PollError::Outcome)? {
            OperationState::Running(_) if matches!(self.next, PollerState::Unpollable) => Err(PollError::Unnamed),
            stage => Ok(stage),
        }
    }

    /// Sends the start request. If the future is dropped meanwhile, it is unknown whether the operation has started, so
    /// it must not be started again silently.
    async fn send_start(&mut self, start: Call<R>) -> PollResult<R, R::Response> {
        self.next = PollerState::Starting;
        match perform_call(&start).await {
            Ok((response, requested_delay)) => {
                self.next = poll_request(&start, &response);
                self.requested_delay = requested_delay;
                Ok(response)
            }
            Err(error) => {
                self.next = PollerState::Start(start);
                Err(PollError::Call(error))
            }
        }
    }

    /// Waits for the delay of the [policy](Self::policy) and polls. The first poll has no delay.
    ///
    /// # Errors
    /// Returns the same errors as [`poll`](Self::poll), and an error if the time of the policy has elapsed.
    pub async fn advance(&mut self) -> PollResult<R, OperationStateOf<R>> {
        if let Some(since) = self.started {
            let wait = self.delays.next().max(self.requested_delay);
            if !self.policy.allows(since.elapsed().saturating_add(wait)) {
                return Err(PollError::TimedOut { waited: since.elapsed() });
            }
            self.sleep(wait).await?;
        }
        self.poll().await
    }

    /// Waits for the outcome of the operation. Dropping the future does not cancel the operation; this can be called
    /// again.
    ///
    /// # Errors
    /// Returns the same errors as [`advance`](Self::advance), and [`PollError::Failed`] if the operation failed.
    pub async fn wait(&mut self) -> PollResult<R, R::Outcome> {
        self.wait_with_progress(|_| ()).await
    }

    /// Like [`wait`](Self::wait), and calls a function with the metadata of each response that has some.
    ///
    /// # Errors
    /// Returns the same errors as [`wait`](Self::wait).
    pub async fn wait_with_progress(&mut self, mut report: impl FnMut(&R::Metadata)) -> PollResult<R, R::Outcome> {
        loop {
            match self.advance().await? {
                OperationState::Running(metadata) => {
                    if let Some(metadata) = &metadata {
                        report(metadata);
                    }
                }
                OperationState::Succeeded(outcome) => return Ok(outcome),
                OperationState::Failed(failure) => {
                    let message = R::failure_message(&failure).map(|text| one_line(text, MAX_MESSAGE_BYTES));
                    return Err(PollError::Failed { failure, message });
                }
            }
        }
    }

    /// Sleeps on the background runtime; an error if it cannot be started.
    async fn sleep(&self, time: Duration) -> PollResult<R, ()> {
        let refused = |error| PollError::Call(Error::new(R::Poll::OPERATION, ErrorKind::Connection(error)));
        crate::background::sleep(time).await.map_err(refused)
    }
}

/// Performs a call. Returns the response and the delay that it requests.
async fn perform_call<R: Request>(call: &Call<R>) -> Result<(R::Response, Duration), Error<R::ErrorBody>> {
    let reply = call.perform().await?;
    let requested_delay = retry_after(&reply.headers).unwrap_or_default();
    let unchanged = || Error::new(R::OPERATION, ErrorKind::Status(StatusError::from_status(reply.status)));
    Ok((reply.value.ok_or_else(unchanged)?, requested_delay))
}

/// Creates the poll request from the name in the response, with the options of the start request.
fn poll_request<R: LongRunning>(start: &Call<R>, response: &R::Response) -> PollerState<R> {
    let Some(request) = start.request().poll(response) else { return PollerState::Unpollable };
    let mut poll = start.client().call(request);
    let options = poll.options_mut();
    options.retry.clone_from(&start.options().retry);
    options.timeout = start.options().timeout;
    options.standard.clone_from(&start.options().standard);
    PollerState::Poll(poll)
}

impl<R: LongRunning> Clone for PollerState<R> {
    fn clone(&self) -> Self {
        match self {
            Self::Start(call) => Self::Start(call.clone()),
            Self::Poll(call) => Self::Poll(call.clone()),
            Self::Starting => Self::Starting,
            Self::Unpollable => Self::Unpollable,
        }
    }
}

impl<R: LongRunning> Clone for Poller<R> {
    fn clone(&self) -> Self {
        let Self { next, policy, delays: waits, started: since, requested_delay, last_response: last } = self;
        let (policy, waits) = (policy.clone(), waits.clone());
        Self {
            next: next.clone(),
            policy,
            delays: waits,
            started: *since,
            requested_delay: *requested_delay,
            last_response: last.clone(),
        }
    }
}

impl<R: LongRunning> fmt::Debug for Poller<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poller")
            .field("operation", &R::OPERATION.name)
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

/// Adds `poller()` to a builder: `long_running!(Create, requests::ServicesCreate)`.
#[doc(hidden)]
#[macro_export]
macro_rules! long_running {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Starts the operation and polls it until it is done: `poller().wait()`.
            pub fn poller(self) -> $crate::Poller<$request> {
                $crate::Poller::new(self.call)
            }
        }
    };
}
