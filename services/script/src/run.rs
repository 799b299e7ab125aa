//! Running of functions.

mod cancel;
mod code;
mod heartbeat;
mod pause;
mod permits;
mod runs;
mod slots;
mod target;
mod unfinished;

use script_server::runtime::axum::http::{HeaderName, HeaderValue};
use script_server::types::{self, ProcessType};
use script_server::{Context, Error, Reply, Result, requests};
use serde_json::Value;
use wireform_store::{Mailbox, Project, ScriptRole, Store, User};

pub use self::cancel::cancel_execution;
pub use self::pause::ExecutionPause;
pub(crate) use self::runs::{Ended, Executions, RunError};
use crate::ScriptService;
use crate::apis::Authority;
use crate::engine::{Exception, Outcome};
use crate::{caller, error};

/// Header of responses of `scripts.run` with the number of the execution.
pub const EXECUTION_HEADER: HeaderName = HeaderName::from_static("x-wireform-execution");
/// Type URL of the response of an operation.
const RESPONSE_TYPE: &str = "type.googleapis.com/google.apps.script.v1.ExecutionResponse";
/// Type URL of the details of an error.
const ERROR_TYPE: &str = "type.googleapis.com/google.apps.script.v1.ExecutionError";
/// Code of the error for a cancelled run.
const CODE_CANCELLED: i32 = 1;
/// Code of the error for an exception in the script.
const CODE_INVALID: i32 = 3;
/// Code of the error for a run that took too long.
const CODE_TIMED_OUT: i32 = 10;

/// Execution to start.
#[derive(Debug, Clone)]
pub(crate) struct ExecutionStart {
    pub(crate) project: Project,
    pub(crate) role: Option<ScriptRole>,
    pub(crate) user: User,
    /// Address of the caller, or empty if the caller is unknown.
    pub(crate) active: String,
    /// Mailbox of the caller, also if the script must not know who that is.
    pub(crate) visitor: Option<Mailbox>,
    /// Authority over the mail and the calendars of the user.
    pub(crate) authority: Authority,
    /// Version to run, or `None` for the current files.
    pub(crate) version: Option<i64>,
    /// Deployment to run, or empty.
    pub(crate) deployment: String,
    pub(crate) kind: ProcessType,
    pub(crate) function: String,
    pub(crate) parameters: Vec<Value>,
}

impl<S: Store> ScriptService<S> {
    /// Runs a function and responds when it has ended. A client that disconnects does not stop it.
    pub(crate) async fn run_function(
        &self,
        request: requests::ScriptsRun,
        context: &Context,
    ) -> Result<types::Operation> {
        if self.engine.is_none() {
            return Err(Error::not_implemented("scripts.run"));
        }
        let user = caller::user(&self.store, context).await?;
        let body = request.body;
        let target = self.target(&request.script_id, &user, body.dev_mode.unwrap_or(false)).await?;
        let start = ExecutionStart {
            project: target.project,
            role: target.role,
            active: user.address.clone(),
            visitor: Some(user.mailbox),
            authority: Authority::from_principal(context.principal(), &user),
            user,
            version: target.version,
            deployment: target.deployment,
            kind: ProcessType::ExecutionApi,
            function: body.function.unwrap_or_default(),
            parameters: body.parameters,
        };
        let Ended { number, outcome, memory } = self.execute(start).await.map_err(run_error)?;
        let mut reply = Reply::new(operation(outcome));
        if let Some(number) = number {
            reply = reply.with_header(EXECUTION_HEADER, HeaderValue::from(number.0));
        }
        Ok(match memory.into_share() {
            Some(share) => reply.with_value_share(share),
            None => reply,
        })
    }
}

impl<S: Store> ScriptService<S> {
    /// Runs a function of the last saved content as a user who can read the project, as an event or an editor would.
    /// Returns the operation as `scripts.run` does. For programs.
    ///
    /// # Errors
    /// Returns a 404 if the user has no such project, an error if too many functions wait, or an error of the store.
    pub async fn run_as(
        &self,
        user: &User,
        id: &str,
        kind: ProcessType,
        (function, parameters): (String, Vec<Value>),
    ) -> std::result::Result<types::Operation, Error> {
        let found = self.store.find_project(id, user.mailbox).await.map_err(error::from_store)?;
        let Some((project, Some(role))) = found else { return Err(error::project_not_found(id)) };
        let (role, user, deployment) = (Some(role), user.clone(), String::new());
        let (active, visitor, authority) = (user.address.clone(), Some(user.mailbox), Authority::Full);
        let version = None;
        let start = ExecutionStart {
            project,
            role,
            user,
            active,
            visitor,
            authority,
            version,
            deployment,
            kind,
            function,
            parameters,
        };
        let ended = self.with_heartbeat(self.execute(start)).await.map_err(run_error)?;
        Ok(operation(ended.outcome))
    }
}

fn run_error(reason: RunError) -> Error {
    match reason {
        RunError::Busy => error::busy(),
        RunError::Store(error) => error::from_store(error),
    }
}

/// Returns the operation for the outcome of a run.
fn operation(outcome: Outcome) -> types::Operation {
    let (code, exception) = match outcome {
        Outcome::Returned(result) => {
            let mut response = types::ExecutionResponse::default().with_type(RESPONSE_TYPE);
            response.result = result;
            return types::Operation::Succeeded(response);
        }
        Outcome::Threw(exception) => (CODE_INVALID, exception),
        Outcome::TimedOut => (CODE_TIMED_OUT, Exception::platform("Exceeded maximum execution time")),
        Outcome::Canceled => (CODE_CANCELLED, Exception::platform("The execution was cancelled")),
    };
    let mut error =
        types::ExecutionError::default().with_type(ERROR_TYPE).with_error_message(exception.message.as_str());
    error.error_type = exception.class;
    let element = |(function, line): (String, u32)| {
        types::ScriptStackTraceElement::default()
            .with_function(function)
            .with_line_number(i32::try_from(line).unwrap_or(i32::MAX))
    };
    let error = error.with_script_stack_trace_elements(exception.stack.into_iter().map(element));
    let message = if code == CODE_INVALID { "ScriptError" } else { exception.message.as_str() };
    types::Operation::Failed(types::Status::default().with_code(code).with_message(message).with_details([error]))
}
