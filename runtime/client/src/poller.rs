//! Work that goes on after the answer: it is asked for until it has ended (AIP-151).

#[cfg(all(feature = "blocking", not(target_arch = "wasm32")))]
mod blocking;
mod error;
mod policy;

use std::fmt;
use std::time::Duration;

use wireform_runtime::{LongRunning, Request, Stage, StageOf};

pub use error::PollError;
pub use policy::PollPolicy;

use crate::call::Call;
use crate::error::{Error, ErrorKind, StatusError, one_line};
use crate::send::retry_after;
use crate::time::Instant;

/// The most bytes of a message that an error shows.
const MESSAGE: usize = 500;

type Polled<R, T> = Result<T, PollError<<R as LongRunning>::Failure, <R as Request>::ErrorBody>>;

/// Starts work, and asks how it goes until it has ended.
///
/// [`wait`](Self::wait) does all of it; [`advance`](Self::advance) is one step of it, for who shows how far the work
/// is. Dropping a poller ends the waiting, and not the work: whoever has kept its name can
/// [go on](Self::resume) later, also in another program.
#[must_use = "nothing is sent before this is asked"]
pub struct Poller<R: LongRunning> {
    next: Next<R>,
    policy: PollPolicy,
    waits: policy::Waits,
    since: Option<Instant>,
    /// How long the last answer asks to wait.
    asked: Duration,
    last: Option<R::Response>,
}

/// What is sent next.
enum Next<R: LongRunning> {
    Start(Call<R>),
    Poll(Call<R::Poll>),
    /// The start is on its way, or was given up on it.
    Starting,
    /// Nothing could ask: the work has no name.
    Nothing,
}

impl<R: LongRunning> Poller<R> {
    /// A poller of the work that a call starts, which is sent when the poller is asked for the first time. What asks
    /// how the work goes is sent with the time-out, the repetitions and the parameters of every
    /// operation that the call has.
    pub fn new(start: Call<R>) -> Self {
        Self::at(Next::Start(start))
    }

    /// A poller of work that was started before: by the call that asks how it goes.
    pub fn resume(poll: Call<R::Poll>) -> Self {
        Self::at(Next::Poll(poll))
    }

    fn at(next: Next<R>) -> Self {
        let policy = PollPolicy::default();
        Self { next, waits: policy.waits(), policy, since: None, asked: Duration::ZERO, last: None }
    }

    /// How long it is waited between two questions, and in all.
    pub fn policy(mut self, policy: PollPolicy) -> Self {
        self.waits = policy.waits();
        self.policy = policy;
        self
    }

    /// What the server calls the work, as soon as it has answered: what [`resume`](Self::resume) is asked by.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        R::work_name(self.last.as_ref()?)
    }

    /// The last answer as it came. Of a response that says by `@type` what it is, that is here too.
    #[must_use]
    pub fn answer(&self) -> Option<&R::Response> {
        self.last.as_ref()
    }

    /// Asks once, at once. Once the work has ended, nothing is asked any more.
    ///
    /// # Errors
    /// Those of the call; when the request that starts the work was given up before; when the work goes on and has no name; when what came of it is not what the schema says.
    pub async fn poll(&mut self) -> Polled<R, StageOf<R>> {
        if let Some(last) = &self.last {
            let known = R::stage(last).map_err(PollError::Outcome)?;
            if known.is_done() {
                return Ok(known);
            }
        }
        self.since.get_or_insert_with(Instant::now);
        let answer = match &self.next {
            Next::Start(start) => {
                let start = start.clone();
                self.start(start).await?
            }
            Next::Poll(poll) => {
                let (answer, asked) = answered(poll).await.map_err(PollError::Call)?;
                self.asked = asked;
                answer
            }
            Next::Starting => return Err(PollError::Abandoned),
            Next::Nothing => return Err(PollError::Nameless),
        };
        let stage = R::stage(&answer);
        self.last = Some(answer);
        match stage.map_err(PollError::Outcome)? {
            Stage::Running(_) if matches!(self.next, Next::Nothing) => Err(PollError::Nameless),
            stage => Ok(stage),
        }
    }

    /// Sends what starts the work. Who drops this on its way does not know whether the work has begun, so that it is not
    /// begun again without a word.
    async fn start(&mut self, start: Call<R>) -> Polled<R, R::Response> {
        self.next = Next::Starting;
        match answered(&start).await {
            Ok((answer, asked)) => {
                self.next = asking(&start, &answer);
                self.asked = asked;
                Ok(answer)
            }
            Err(error) => {
                self.next = Next::Start(start);
                Err(PollError::Call(error))
            }
        }
    }

    /// Waits for as long as the [policy](Self::policy) says, and asks; the first time it asks at once.
    ///
    /// # Errors
    /// Those of [`poll`](Self::poll), and when the time of the policy is over.
    pub async fn advance(&mut self) -> Polled<R, StageOf<R>> {
        if let Some(since) = self.since {
            let wait = self.waits.next().max(self.asked);
            if !self.policy.allows(since.elapsed().saturating_add(wait)) {
                return Err(PollError::TimedOut { waited: since.elapsed() });
            }
            self.pause(wait).await?;
        }
        self.poll().await
    }

    /// Waits for what comes of the work. Dropping the future ends the waiting, and not the work; it can be waited for
    /// again.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance), and [`PollError::Failed`] when the work has failed.
    pub async fn wait(&mut self) -> Polled<R, R::Outcome> {
        self.wait_with(|_| ()).await
    }

    /// The same, and tells how far the work is whenever an answer says so.
    ///
    /// # Errors
    /// Those of [`wait`](Self::wait).
    pub async fn wait_with(&mut self, mut tell: impl FnMut(&R::Metadata)) -> Polled<R, R::Outcome> {
        loop {
            match self.advance().await? {
                Stage::Running(metadata) => {
                    if let Some(metadata) = &metadata {
                        tell(metadata);
                    }
                }
                Stage::Succeeded(outcome) => return Ok(outcome),
                Stage::Failed(failure) => {
                    let message = R::failure_message(&failure).map(|text| one_line(text, MESSAGE));
                    return Err(PollError::Failed { failure, message });
                }
            }
        }
    }

    async fn pause(&self, time: Duration) -> Polled<R, ()> {
        let refused = |error| PollError::Call(Error::new(R::Poll::OPERATION, ErrorKind::Connection(error)));
        crate::background::sleep(time).await.map_err(refused)
    }
}

/// The answer to a call, and how long it asks to wait.
async fn answered<R: Request>(call: &Call<R>) -> Result<(R::Response, Duration), Error<R::ErrorBody>> {
    let reply = call.perform().await?;
    let asked = retry_after(&reply.headers).unwrap_or_default();
    let unchanged = || Error::new(R::OPERATION, ErrorKind::Status(StatusError::bare(reply.status)));
    Ok((reply.value.ok_or_else(unchanged)?, asked))
}

/// Asks by the name that the answer gives, and otherwise as the call that started the work.
fn asking<R: LongRunning>(start: &Call<R>, answer: &R::Response) -> Next<R> {
    let Some(request) = start.request().poll(answer) else { return Next::Nothing };
    let mut poll = start.client().call(request);
    let options = poll.options_mut();
    options.retry.clone_from(&start.options().retry);
    options.timeout = start.options().timeout;
    options.standard.clone_from(&start.options().standard);
    Next::Poll(poll)
}

impl<R: LongRunning> Clone for Next<R> {
    fn clone(&self) -> Self {
        match self {
            Self::Start(call) => Self::Start(call.clone()),
            Self::Poll(call) => Self::Poll(call.clone()),
            Self::Starting => Self::Starting,
            Self::Nothing => Self::Nothing,
        }
    }
}

impl<R: LongRunning> Clone for Poller<R> {
    fn clone(&self) -> Self {
        let Self { next, policy, waits, since, asked, last } = self;
        let (policy, waits) = (policy.clone(), waits.clone());
        Self { next: next.clone(), policy, waits, since: *since, asked: *asked, last: last.clone() }
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

/// Gives a builder `poller()`: `long_running!(Create, requests::ServicesCreate)`.
#[macro_export]
macro_rules! long_running {
    ($name:ident, $request:ty) => {
        impl $name {
            /// Starts the work, and asks how it goes until it has ended: `poller().wait()`.
            pub fn poller(self) -> $crate::Poller<$request> {
                $crate::Poller::new(self.call)
            }
        }
    };
}
