//! Functions are run.

mod code;
mod places;
mod runs;
mod target;

use script_server::types::{self, ProcessType};
use script_server::{Context, Error, Reply, Result, requests};
use serde_json::Value;
use wireform_store::{Mailbox, Project, ScriptRole, Store, User};

pub(crate) use self::runs::{NotRun, Runs};
use crate::ScriptService;
use crate::apis::Authority;
use crate::engine::{Exception, Outcome};
use crate::{caller, fault};

const RESPONSE_TYPE: &str = "type.googleapis.com/google.apps.script.v1.ExecutionResponse";
const ERROR_TYPE: &str = "type.googleapis.com/google.apps.script.v1.ExecutionError";
/// Classes of errors: an exception in the script, and one that took too long.
const CANCELLED: i32 = 1;
const INVALID: i32 = 3;
const TIMED_OUT: i32 = 10;

/// An execution that is to begin.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) project: Project,
    pub(crate) role: Option<ScriptRole>,
    pub(crate) user: User,
    /// The address of the user who asks; empty where nobody knows who it is.
    pub(crate) active: String,
    /// The user who asks, also where the script must not know who that is.
    pub(crate) visitor: Option<Mailbox>,
    /// What the run may do with the mail and the calendars of the user.
    pub(crate) authority: Authority,
    /// The version that is run; `None`: the present files.
    pub(crate) version: Option<i64>,
    /// The deployment that is run; empty: none.
    pub(crate) deployment: String,
    pub(crate) kind: ProcessType,
    pub(crate) function: String,
    pub(crate) parameters: Vec<Value>,
}

impl<S: Store> ScriptService<S> {
    /// Runs a function, and answers when it has ended. A client that goes away does not stop it.
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
        let start = Start {
            project: target.project,
            role: target.role,
            active: user.address.clone(),
            visitor: Some(user.mailbox),
            authority: Authority::of(context.principal(), &user),
            user,
            version: target.version,
            deployment: target.deployment,
            kind: ProcessType::ExecutionApi,
            function: body.function.unwrap_or_default(),
            parameters: body.parameters,
        };
        let outcome = self.execute(start).await.map_err(not_run)?;
        Ok(Reply::new(operation(outcome)))
    }
}

impl<S: Store> ScriptService<S> {
    /// Runs a function of what was saved last as a user who can read the project, for programs: as an event or an editor
    /// would. Returns what came of it as `scripts.run` answers it.
    ///
    /// # Errors
    /// 404 where there is no such project for the user, and what the store could not do.
    pub async fn run_as(
        &self,
        user: &User,
        id: &str,
        kind: ProcessType,
        (function, parameters): (String, Vec<Value>),
    ) -> std::result::Result<types::Operation, Error> {
        let found = self.store.find_project(id, user.mailbox).await.map_err(fault::answer)?;
        let Some((project, Some(role))) = found else { return Err(fault::no_project(id)) };
        let (role, user, deployment) = (Some(role), user.clone(), String::new());
        let (active, visitor, authority) = (user.address.clone(), Some(user.mailbox), Authority::Full);
        let version = None;
        let start =
            Start { project, role, user, active, visitor, authority, version, deployment, kind, function, parameters };
        Ok(operation(self.alive(self.execute(start)).await.map_err(not_run)?))
    }
}

fn not_run(reason: NotRun) -> Error {
    match reason {
        NotRun::Busy => fault::busy(),
        NotRun::Store(error) => fault::answer(error),
    }
}

/// Returns what came of a run as the API tells it.
fn operation(outcome: Outcome) -> types::Operation {
    let (code, exception) = match outcome {
        Outcome::Returned(result) => {
            let mut response = types::ExecutionResponse::default().with_type(RESPONSE_TYPE);
            response.result = result;
            return types::Operation::Succeeded(response);
        }
        Outcome::Threw(exception) => (INVALID, exception),
        Outcome::TimedOut => (TIMED_OUT, Exception::of_platform("Exceeded maximum execution time")),
        Outcome::Canceled => (CANCELLED, Exception::of_platform("The execution was canceled")),
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
    let message = if code == INVALID { "ScriptError" } else { exception.message.as_str() };
    types::Operation::Failed(types::Status::default().with_code(code).with_message(message).with_details([error]))
}
