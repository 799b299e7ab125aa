//! Executions, from their start to their recorded end.

use std::sync::{Arc, Mutex, PoisonError};

use script_server::types::{ProcessStatus, ProcessType};
use tokio::sync::OnceCell;
use wireform_store::{Clock, ExecutionChange, ExecutionNumber, NewExecution, Result, ScriptScope, ServerNumber, Store};

use super::ExecutionStart;
use super::code::CodeError;
use super::permits::Permits;
use super::slots::{Slot, Slots};
use super::unfinished::UnfinishedExecutions;
use crate::engine::{Code, Exception, FunctionCall, Outcome, RunLimits};
use crate::host::{Host as _, Severity};
use crate::logs::LogWriter;
use crate::run_memory::RunMemory;
use crate::store_host::{StoreHost, TemporaryUserKeys};
use crate::{ScriptService, states};

/// Key of the note in the store that disables executions.
const SWITCH_NOTE: &str = "script-executions";
/// Value of the note that disables executions.
const DISABLED: &str = "off";

/// Reason why a function was not run.
#[derive(Debug)]
pub(crate) enum RunError {
    /// No slot is free.
    Busy,
    /// Error of the store.
    Store(wireform_store::Error),
}

/// Execution that has ended, with the memory of its result.
pub(crate) struct Ended {
    /// Number; `None` if executions are disabled.
    pub(crate) number: Option<ExecutionNumber>,
    pub(crate) outcome: Outcome,
    pub(crate) memory: RunMemory,
}

/// Executions of this server.
#[derive(Debug)]
pub(crate) struct Executions {
    pub(super) server: ServerNumber,
    pub(super) permits: Permits,
    pub(super) unfinished: Arc<UnfinishedExecutions>,
    /// Slots for running and waiting executions.
    pub(crate) slots: Slots,
    registered: OnceCell<()>,
    /// Generator of temporary keys, once a script has needed one.
    keys: OnceCell<TemporaryUserKeys>,
    /// Final statuses that could not be recorded yet.
    pending_ends: Mutex<Vec<(ExecutionNumber, ProcessStatus)>>,
}

impl Executions {
    pub(crate) fn new(concurrency: usize) -> Self {
        Self {
            server: ServerNumber(rand::random_range(1..i64::MAX)),
            permits: Permits::new(concurrency),
            unfinished: Arc::default(),
            slots: Slots::new(concurrency),
            registered: OnceCell::new(),
            keys: OnceCell::new(),
            pending_ends: Mutex::default(),
        }
    }

    /// Returns the final statuses that could not be recorded yet.
    pub(super) fn pending_ends(&self) -> std::sync::MutexGuard<'_, Vec<(ExecutionNumber, ProcessStatus)>> {
        self.pending_ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: Store> ScriptService<S> {
    /// Enables or disables executions. While they are disabled, new executions end as `EXECUTION_DISABLED`.
    ///
    /// # Errors
    /// Returns an error of the store.
    pub async fn enable_executions(&self, enabled: bool) -> Result<()> {
        let value = if enabled { "on" } else { DISABLED };
        loop {
            let believed = self.store.note(SWITCH_NOTE).await?;
            if self.store.set_note(SWITCH_NOTE, believed.as_deref(), value).await? {
                return Ok(());
            }
        }
    }

    /// Runs a function to its end in its own task, so that the caller may disconnect.
    pub(crate) async fn execute(&self, start: ExecutionStart) -> std::result::Result<Ended, RunError> {
        let web_app = (start.kind == ProcessType::WebApp).then_some(start.deployment.as_str());
        let slot = self.runs.slots.acquire(start.user.mailbox, web_app).ok_or(RunError::Busy)?;
        let (service, memory) = (self.clone(), RunMemory::new(self.budget.as_ref(), &start.user));
        let task = tokio::spawn(async move {
            let (number, outcome) = service.execute_here(start, &memory, slot).await?;
            if !matches!(outcome, Outcome::Returned(_)) {
                memory.release_message();
            }
            Ok(Ended { number, outcome, memory })
        });
        let broken = |error| wireform_store::Error::Internal(format!("an execution was aborted: {error}"));
        task.await.map_err(broken).and_then(|done| done).map_err(RunError::Store)
    }

    /// Runs a function on this server, once a permit is free, and records its start and its end.
    async fn execute_here(
        &self,
        start: ExecutionStart,
        memory: &RunMemory,
        _slot: Slot,
    ) -> Result<(Option<ExecutionNumber>, Outcome)> {
        let registered = self.runs.registered.get_or_try_init(|| self.send_heartbeat());
        registered.await?;
        let user = start.user.mailbox;
        let begun = match self.runs.permits.try_acquire(user) {
            Some(turn) => {
                let code = self.read_program(&start.project, start.version, memory);
                let (number, code) = tokio::join!(self.begin_unless_disabled(&start, &ProcessStatus::Running), code);
                number?.map(|number| (number, turn, code))
            }
            None => match self.begin_unless_disabled(&start, &ProcessStatus::Delayed).await? {
                Some(number) => {
                    let Some(turn) = self.wait_for_permit(number, user).await? else {
                        return Ok((Some(number), Outcome::Canceled));
                    };
                    Some((number, turn, self.read_program(&start.project, start.version, memory).await))
                }
                None => None,
            },
        };
        let Some((number, _turn, code)) = begun else {
            let message = "script executions are disabled by an administrator";
            return Ok((None, Outcome::Threw(Exception::platform(message))));
        };
        let (service, memory) = (self.clone(), memory.clone());
        // A panic of the engine ends the execution as well.
        let outcome = match tokio::spawn(async move { service.outcome(number, start, (code, memory)).await }).await {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::error!(cause = %error, "the task of an execution panicked");
                Outcome::Threw(Exception::platform("the execution was aborted"))
            }
        };
        Ok((Some(number), self.record_outcome(number, outcome).await))
    }

    /// Records the start of an execution; returns `None` if executions are disabled, which is recorded as well.
    async fn begin_unless_disabled(
        &self,
        start: &ExecutionStart,
        status: &ProcessStatus,
    ) -> Result<Option<ExecutionNumber>> {
        if self.store.note(SWITCH_NOTE).await?.as_deref() == Some(DISABLED) {
            self.record_start(start, &ProcessStatus::ExecutionDisabled).await?;
            return Ok(None);
        }
        self.record_start(start, status).await.map(Some)
    }

    /// Runs the function in the engine. Errors before that are exceptions of the run.
    async fn outcome(
        &self,
        number: ExecutionNumber,
        start: ExecutionStart,
        (code, memory): (std::result::Result<Code, CodeError>, RunMemory),
    ) -> Outcome {
        let Some(engine) = &self.engine else {
            return Outcome::Threw(Exception::platform("this server does not run scripts"));
        };
        let prepared = async { Ok::<_, Exception>((code.map_err(to_exception)?, self.temporary_key(&start).await?)) };
        let (code, temporary_key) = match prepared.await {
            Ok(prepared) => prepared,
            Err(exception) => return Outcome::Threw(exception),
        };
        let hides_exceptions = code.hides_exceptions;
        let (host, call) = self.prepare_call(number, start, (code, memory), temporary_key);
        // The engine ends the process of a run whose future is dropped.
        let outcome = tokio::select! {
            outcome = engine.run(call, host.clone()) => outcome,
            () = self.canceled(number) => Outcome::Canceled,
        };
        if let Some(text) = failure_message(&outcome).filter(|_| !hides_exceptions) {
            host.log(Severity::Error, text);
        }
        host.end().await;
        outcome
    }

    /// Returns the host of an execution, and the function call that the engine runs.
    fn prepare_call(
        &self,
        number: ExecutionNumber,
        start: ExecutionStart,
        (code, memory): (Code, RunMemory),
        temporary_key: String,
    ) -> (Arc<StoreHost<S>>, FunctionCall) {
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
            lock_expiry: Clock::system().now().saturating_add(limits.time),
            time_zone: code.time_zone.clone(),
            apis: self.apis.clone(),
            threads: Arc::default(),
            log: LogWriter::new(self.store.clone(), number),
            memory,
        });
        let call = FunctionCall {
            script: host.script.clone(),
            code,
            function: start.function,
            parameters: start.parameters,
            clock_offset_ms: self.clock.offset_millis(),
            limits,
        };
        (host, call)
    }

    /// Returns the temporary key of the caller, or an empty string if the caller is unknown.
    async fn temporary_key(&self, start: &ExecutionStart) -> std::result::Result<String, Exception> {
        let Some(visitor) = start.visitor else { return Ok(String::new()) };
        let read = async || self.store.sealing_key().await.map(TemporaryUserKeys::from_store_secret);
        let keys = self.runs.keys.get_or_try_init(read).await.map_err(|error| {
            tracing::warn!(cause = %error, "the secret of the store could not be read");
            Exception::platform("the script cannot be run at the moment")
        })?;
        Ok(keys.key_for(&start.project.id, visitor, self.clock.now()))
    }

    /// Records the start of an execution with a status.
    async fn record_start(&self, start: &ExecutionStart, status: &ProcessStatus) -> Result<ExecutionNumber> {
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

    /// Records a status; if that fails, it is recorded later. Returns false, and changes nothing, if the transition is not
    /// allowed.
    pub(super) async fn record_or_defer(&self, number: ExecutionNumber, status: &ProcessStatus) -> bool {
        self.record_status(number, status).await.unwrap_or_else(|error| {
            tracing::warn!(cause = %error, "the end of an execution could not be recorded; retrying");
            self.runs.pending_ends().push((number, status.clone()));
            true
        })
    }

    /// Records a status. Returns false, and changes nothing, if the transition is not allowed.
    async fn record_status(&self, number: ExecutionNumber, status: &ProcessStatus) -> Result<bool> {
        let from = states::source_statuses(status).iter().filter_map(states::status_number).collect();
        let failed = matches!(status, ProcessStatus::Failed | ProcessStatus::TimedOut);
        let finish = ExecutionChange { number, from, to: states::state(status), failed };
        Ok(self.store.change_execution(finish, self.clock.now()).await?.is_some())
    }
}

/// Converts the error of code that cannot be run.
fn to_exception(error: CodeError) -> Exception {
    match error {
        CodeError::Script(exception) => exception,
        CodeError::Store(error) => {
            tracing::warn!(cause = %error, "the code of a script could not be read");
            Exception::platform("the code of the script cannot be read at the moment")
        }
    }
}

/// Returns the log message of a failed execution.
fn failure_message(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Threw(exception) => Some(exception.describe()),
        Outcome::TimedOut => Some("Exceeded maximum execution time".to_owned()),
        Outcome::Returned(_) | Outcome::Canceled => None,
    }
}

pub(super) fn final_status(outcome: &Outcome) -> ProcessStatus {
    match outcome {
        Outcome::Returned(_) => ProcessStatus::Completed,
        Outcome::Threw(_) => ProcessStatus::Failed,
        Outcome::TimedOut => ProcessStatus::TimedOut,
        Outcome::Canceled => ProcessStatus::Canceled,
    }
}
