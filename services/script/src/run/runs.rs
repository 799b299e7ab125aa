//! Executions from their start to their end, and what becomes of them when a server ends before they do.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use script_server::types::{ProcessStatus, ProcessType};
use tokio::sync::{OnceCell, Semaphore};
use wireform_store::{Clock, ExecutionFinish, ExecutionNumber, NewExecution, Result, ScriptScope, ServerNumber, Store};

use super::Start;
use super::code::Missing;
use super::places::{Place, Places};
use crate::engine::{Code, Exception, Outcome, Run, RunLimits};
use crate::host::{Host as _, Severity};
use crate::logs::LogWriter;
use crate::store_host::{StoreHost, TemporaryKeys};
use crate::{ScriptService, states};

/// How often a server says that it is there, and how long that holds.
const BEAT: Duration = Duration::from_secs(3);
const BELIEVED: Duration = Duration::from_secs(12);
/// How long the program waits for executions at its end.
const FINISH: Duration = Duration::from_secs(5);
/// The note in the store that says whether scripts may run.
const SWITCH: &str = "script-executions";
const OFF: &str = "off";

/// Why a function has not run.
#[derive(Debug)]
pub(crate) enum NotRun {
    /// There is no place for one more.
    Busy,
    /// What the store could not do.
    Store(wireform_store::Error),
}

/// The executions of this server.
#[derive(Debug)]
pub(crate) struct Runs {
    server: ServerNumber,
    turns: Semaphore,
    /// Places for those that have a turn or wait for one.
    pub(crate) places: Places,
    known: OnceCell<()>,
    /// What users have temporary keys from, once a script has had any.
    keys: OnceCell<TemporaryKeys>,
    /// Ends that could not be recorded yet.
    unsettled: Mutex<Vec<(ExecutionNumber, ProcessStatus)>>,
}

impl Runs {
    pub(crate) fn new(concurrency: usize) -> Self {
        Self {
            server: ServerNumber(rand::random_range(1..i64::MAX)),
            turns: Semaphore::new(concurrency),
            places: Places::new(concurrency),
            known: OnceCell::new(),
            keys: OnceCell::new(),
            unsettled: Mutex::default(),
        }
    }

    fn unsettled(&self) -> std::sync::MutexGuard<'_, Vec<(ExecutionNumber, ProcessStatus)>> {
        self.unsettled.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Store> ScriptService<S> {
    /// Says whether scripts may run; until then what begins ends as `EXECUTION_DISABLED`.
    ///
    /// # Errors
    /// What the store could not do.
    pub async fn enable_executions(&self, enabled: bool) -> Result<()> {
        let value = if enabled { "on" } else { OFF };
        loop {
            let believed = self.store.note(SWITCH).await?;
            if self.store.set_note(SWITCH, believed.as_deref(), value).await? {
                return Ok(());
            }
        }
    }

    /// Runs a function to its end, in a task of its own: whoever waits for it may go away.
    pub(crate) async fn execute(&self, start: Start) -> std::result::Result<Outcome, NotRun> {
        let web_app = (start.kind == ProcessType::WebApp).then_some(start.deployment.as_str());
        let place = self.runs.places.take(web_app).ok_or(NotRun::Busy)?;
        let service = self.clone();
        let task = tokio::spawn(async move { service.execute_here(start, place).await });
        let broken = |error| wireform_store::Error::Fault(format!("an execution has broken off: {error}"));
        task.await.map_err(broken).and_then(|done| done).map_err(NotRun::Store)
    }

    async fn execute_here(&self, start: Start, _place: Place) -> Result<Outcome> {
        let known = self.runs.known.get_or_try_init(|| self.beat());
        known.await?;
        let begun = match self.runs.turns.try_acquire() {
            Ok(turn) => {
                let code = self.code(&start.project, start.version);
                let (number, code) = tokio::join!(self.begin_unless_disabled(&start, &ProcessStatus::Running), code);
                number?.map(|number| (number, turn, code))
            }
            Err(_) => match self.begin_unless_disabled(&start, &ProcessStatus::Delayed).await? {
                Some(number) => {
                    let turn = self.runs.turns.acquire().await;
                    let closed = |_| wireform_store::Error::Unavailable(wireform_store::Trouble::Closed);
                    let turn = turn.map_err(closed)?;
                    self.settle(number, &ProcessStatus::Running).await;
                    Some((number, turn, self.code(&start.project, start.version).await))
                }
                None => None,
            },
        };
        let Some((number, _turn, code)) = begun else {
            let message = "script executions are disabled by an administrator";
            return Ok(Outcome::Threw(Exception::of_platform(message)));
        };
        let service = self.clone();
        // A panic in what runs it is an end as well.
        let outcome = match tokio::spawn(async move { service.outcome(number, start, code).await }).await {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::error!(cause = %error, "what runs scripts has a fault");
                Outcome::Threw(Exception::of_platform("the execution has broken off"))
            }
        };
        self.settle(number, &end_of(&outcome)).await;
        Ok(outcome)
    }

    /// Records that an execution begins; `None` where scripts may not run, which is recorded as well.
    async fn begin_unless_disabled(&self, start: &Start, status: &ProcessStatus) -> Result<Option<ExecutionNumber>> {
        if self.store.note(SWITCH).await?.as_deref() == Some(OFF) {
            self.begin(start, &ProcessStatus::ExecutionDisabled).await?;
            return Ok(None);
        }
        self.begin(start, status).await.map(Some)
    }

    async fn outcome(
        &self,
        number: ExecutionNumber,
        start: Start,
        code: std::result::Result<Code, Missing>,
    ) -> Outcome {
        let Some(engine) = &self.engine else {
            return Outcome::Threw(Exception::of_platform("this server runs no scripts"));
        };
        let code = match code {
            Ok(code) => code,
            Err(Missing::Script(exception)) => return Outcome::Threw(exception),
            Err(Missing::Store(error)) => {
                tracing::warn!(cause = %error, "the code of a script could not be read");
                return Outcome::Threw(Exception::of_platform("the code of the script cannot be read at the moment"));
            }
        };
        let temporary_key = match self.temporary_key(&start).await {
            Ok(key) => key,
            Err(error) => {
                tracing::warn!(cause = %error, "the secret of the store could not be read");
                return Outcome::Threw(Exception::of_platform("the script cannot be run at the moment"));
            }
        };
        let limits =
            RunLimits { time: self.settings.run_time, memory: self.settings.memory, output: self.settings.output };
        let host = Arc::new(StoreHost {
            store: self.store.clone(),
            clock: self.clock.clone(),
            script: start.project.id,
            base: self.base.clone(),
            deployment: start.deployment,
            scope: ScriptScope { project: start.project.number, user: None },
            user: start.user,
            active: start.active,
            temporary_key,
            authority: start.authority,
            holder: rand::random_range(1..i64::MAX),
            until: Clock::system().now().after(limits.time),
            time_zone: code.time_zone.clone(),
            apis: self.apis.clone(),
            threads: Arc::default(),
            log: LogWriter::new(self.store.clone(), number),
        });
        let hides_exceptions = code.hides_exceptions;
        let run = Run {
            script: host.script.clone(),
            code,
            function: start.function,
            parameters: start.parameters,
            ahead: self.clock.ahead(),
            limits,
        };
        let outcome = engine.run(run, host.clone()).await;
        if let Some(text) = fault_of(&outcome).filter(|_| !hides_exceptions) {
            host.log(Severity::Error, text);
        }
        host.end().await;
        outcome
    }

    /// Returns the temporary key of the user who starts a script; empty where nobody knows who that is.
    async fn temporary_key(&self, start: &Start) -> Result<String> {
        let Some(visitor) = start.visitor else { return Ok(String::new()) };
        let read = async || self.store.sealing_key().await.map(TemporaryKeys::of_store);
        let keys = self.runs.keys.get_or_try_init(read).await?;
        Ok(keys.of(&start.project.id, visitor, self.clock.now()))
    }

    async fn begin(&self, start: &Start, status: &ProcessStatus) -> Result<ExecutionNumber> {
        let execution = NewExecution {
            project: start.project.number,
            user: start.user.mailbox,
            title: start.project.title.clone(),
            function: start.function.chars().take(200).collect(),
            deployment: start.deployment.clone(),
            kind: states::kind_number(&start.kind).unwrap_or_default(),
            access: states::level_number(&states::level_of(start.role)).unwrap_or_default(),
            runtime: states::V8,
            state: states::state(status),
            server: self.runs.server,
        };
        self.store.start_execution(execution, self.clock.now()).await
    }

    /// Records a status; one that cannot be recorded now is recorded later.
    async fn settle(&self, number: ExecutionNumber, status: &ProcessStatus) {
        if let Err(error) = self.record(number, status).await {
            tracing::warn!(cause = %error, "the end of an execution could not be recorded; it is tried again");
            self.runs.unsettled().push((number, status.clone()));
        }
    }

    async fn record(&self, number: ExecutionNumber, status: &ProcessStatus) -> Result<()> {
        let from = states::sources(status).iter().filter_map(states::status_number).collect();
        let failed = matches!(status, ProcessStatus::Failed | ProcessStatus::TimedOut);
        let finish = ExecutionFinish { number, from, to: states::state(status), failed };
        self.store.change_execution(finish, self.clock.now()).await.map(drop)
    }

    async fn beat(&self) -> Result<()> {
        self.store.keep_server(self.runs.server, Clock::system().now().after(BELIEVED)).await
    }

    /// Says that this program is there while something goes on, so that no server ends its executions as those of one that
    /// is gone.
    pub(crate) async fn alive<T>(&self, work: impl Future<Output = T>) -> T {
        let mut beats = tokio::time::interval(BEAT);
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                _ = beats.tick() => {
                    if let Err(error) = self.beat().await {
                        tracing::warn!(cause = %error, "the program could not say that it is there; it is tried again");
                    }
                }
            }
        }
    }

    /// Says that this server is there, records what could not be recorded, and ends executions of servers that are gone;
    /// returns how many.
    ///
    /// # Errors
    /// What the store could not do.
    pub async fn keep_executions(&self) -> Result<u64> {
        self.beat().await?;
        let unsettled = std::mem::take(&mut *self.runs.unsettled());
        for (number, status) in unsettled {
            self.settle(number, &status).await;
        }
        let to = states::state(&ProcessStatus::Failed);
        self.store.repair_executions(Clock::system().now(), self.clock.now(), to).await
    }

    /// Waits until every execution of this server has ended and is recorded, and says that the server is not there any more.
    /// What runs them must have been told to end.
    pub async fn finish_executions(&self) {
        let all = u32::try_from(self.settings.concurrency).unwrap_or(u32::MAX);
        // Those that wait for their turn do not get it any more.
        let turns = tokio::time::timeout(FINISH, self.runs.turns.acquire_many(all)).await;
        self.runs.turns.close();
        if turns.is_err() {
            tracing::warn!("executions have not ended in time; another server, or the next start, ends them");
        }
        if let Err(error) = self.store.keep_server(self.runs.server, wireform_store::Millis(0)).await {
            tracing::warn!(cause = %error, "the end of this server could not be recorded");
        }
    }

    /// Keeps executions until the program ends.
    pub async fn keep_executions_forever(&self) {
        loop {
            match self.keep_executions().await {
                Ok(0) => {}
                Ok(repaired) => tracing::warn!(repaired, "executions of servers that are gone were ended"),
                Err(error) => tracing::warn!(cause = %error, "executions could not be kept; it is tried again"),
            }
            tokio::time::sleep(BEAT).await;
        }
    }
}

/// Returns what the log says about an execution that failed.
fn fault_of(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Threw(exception) => Some(exception.describe()),
        Outcome::TimedOut => Some("Exceeded maximum execution time".to_owned()),
        Outcome::Returned(_) | Outcome::Canceled => None,
    }
}

fn end_of(outcome: &Outcome) -> ProcessStatus {
    match outcome {
        Outcome::Returned(_) => ProcessStatus::Completed,
        Outcome::Threw(_) => ProcessStatus::Failed,
        Outcome::TimedOut => ProcessStatus::TimedOut,
        Outcome::Canceled => ProcessStatus::Canceled,
    }
}
