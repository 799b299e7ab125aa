//! Engine on a pool of processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use wireform_engine::{
    BoxFuture, Cancellation, FileKind, HostCall, HostError, HostService, Invocation, Library, Limits, LogLevel,
    LogLine, LongMessage, Pool, Program, SourceFile,
};

use crate::arguments::Arguments;
use crate::engine::{Analysis, BoxedFuture, Code, Engine, Exception, Function, FunctionCall, Outcome, SyntaxError};
use crate::host::{Host, Severity, TriggerInfo};
use crate::schedule::Schedule;

/// Engine on a pool of processes.
#[derive(Debug, Clone)]
pub struct PoolEngine(pub Pool);

impl Engine for PoolEngine {
    fn analyze(&self, files: Vec<(String, String)>) -> BoxedFuture<'_, Result<Vec<Analysis>, String>> {
        let file = |(name, source)| SourceFile { name, kind: FileKind::Server, source };
        let files: Vec<SourceFile> = files.into_iter().map(file).collect();
        Box::pin(async move {
            let analyses = self.0.analyze(files).await;
            let analyses = analyses.ok_or_else(|| "parsing the files exceeds the time or memory limit".to_owned())?;
            Ok(analyses.into_iter().map(to_analysis).collect())
        })
    }

    fn run(&self, run: FunctionCall, host: Arc<dyn Host>) -> BoxedFuture<'_, Outcome> {
        let limits =
            Limits { wall: run.limits.time, memory: run.limits.memory, output: run.limits.output, ..Limits::default() };
        let program = Program { script_id: run.script, ahead: run.clock_offset_ms, ..to_program(run.code) };
        let function = run.function.clone();
        let invocation = Invocation {
            program: Arc::new(program),
            function: run.function,
            parameters: run.parameters,
            limits,
            cancellation: Cancellation::default(),
        };
        Box::pin(async move {
            let execution = self.0.run(invocation, Arc::new(HostAdapter(host))).await;
            outcome(execution.outcome, &function)
        })
    }
}

/// Converts the functions that the engine has found in a file, or its syntax error.
fn to_analysis(analysis: wireform_engine::Analysis) -> Analysis {
    let function = |one: wireform_engine::Function| Function { name: one.name, parameters: one.parameters };
    match analysis {
        Ok(functions) => Ok(functions.into_iter().map(function).collect()),
        Err(error) => Err(SyntaxError { message: error.message, line: error.line, column: error.column }),
    }
}

/// Converts the code of a script, and that of its libraries, for the engine.
fn to_program(code: Code) -> Program {
    let file = |kind| move |(name, source)| SourceFile { name, kind, source };
    let scripts = code.scripts.into_iter().map(file(FileKind::Server));
    let files = scripts.chain(code.pages.into_iter().map(file(FileKind::Html))).collect();
    let library = |(symbol, code)| Library { symbol, program: to_program(code) };
    let libraries = code.libraries.into_iter().map(library).collect();
    Program { files, libraries, time_zone: code.time_zone, ..Program::default() }
}

/// Converts the outcome of a run, with the messages of the platform for anything that the script did not throw itself.
fn outcome(outcome: wireform_engine::Outcome, function: &str) -> Outcome {
    use wireform_engine::Outcome as Ended;
    let platform = |message: String| Outcome::Threw(Exception::platform(message));
    match outcome {
        Ended::Returned(result) => Outcome::Returned(result),
        Ended::Threw(error) => {
            let stack = error.stack.into_iter().map(|frame| (frame.function, frame.line)).collect();
            let class = Some(error.kind).filter(|kind| !kind.is_empty());
            Outcome::Threw(Exception { message: error.message, class, stack })
        }
        Ended::UnknownFunction => platform(format!("Script function not found: {function}")),
        Ended::Syntax { file, line, column, message } => {
            platform(format!("Syntax error: {message} line: {line} column: {column} file: {file}"))
        }
        Ended::NotSerializable(what) => platform(format!(
            "The script returned a value that JSON cannot represent: \
         {what}"
        )),
        Ended::TimedOut => Outcome::TimedOut,
        Ended::OutOfMemory => platform("The script exceeded its memory limit".to_owned()),
        Ended::OutputTooLong => platform("The result of the script exceeds its maximum length".to_owned()),
        Ended::NoMemory => {
            platform("there is no memory for the result of the script; return less, or run it again later".to_owned())
        }
        Ended::Crashed => platform("The script process ended without a result".to_owned()),
        Ended::Canceled => Outcome::Canceled,
    }
}

/// Adapter from calls of the engine to a host.
struct HostAdapter(Arc<dyn Host>);

impl wireform_engine::Host for HostAdapter {
    fn call(&self, call: HostCall) -> BoxFuture<'_, Result<Value, HostError>> {
        let memory = self.0.memory();
        memory.release_text();
        Box::pin(async move { self.respond(call).await.map_err(HostError::new) })
    }

    fn sent(&self) {
        let memory = self.0.memory();
        memory.release_code();
        memory.release_message();
    }

    fn reserve<'a>(&'a self, message: LongMessage<'a>) -> BoxFuture<'a, bool> {
        let memory = self.0.memory();
        Box::pin(async move {
            match message {
                LongMessage::Length(length) => memory.reserve_text(length).await,
                LongMessage::Text(text) => memory.reserve_values(text).await,
            }
        })
    }

    fn log(&self, line: LogLine) {
        let severity = match line.level {
            LogLevel::Debug => Severity::Debug,
            LogLevel::Info => Severity::Info,
            LogLevel::Warning => Severity::Warning,
            LogLevel::Error => Severity::Error,
        };
        self.0.log(severity, line.message);
    }
}

impl HostAdapter {
    /// Calls a method of the host. An error is the message of an exception in the script.
    async fn respond(&self, call: HostCall) -> Result<Value, String> {
        match call.service {
            HostService::Calendar => return self.0.calendar(call.method, call.arguments).await,
            HostService::Mail => return self.0.mail(call.method, call.arguments).await,
            _ => {}
        }
        let arguments = Arguments(call.arguments);
        let method = call.method.as_str();
        match call.service {
            HostService::Properties => self.properties(method, &arguments).await,
            HostService::Cache => self.cache(method, &arguments).await,
            HostService::Locks => self.locks(method, &arguments).await,
            HostService::Session if method == "web_app_url" => self.0.web_app_url().await.map(Value::from),
            HostService::Session => Ok(self.session()),
            HostService::Triggers => self.triggers(method, &arguments).await,
            HostService::Calendar | HostService::Mail => Err(unknown_method(method)),
        }
    }

    /// Calls a method on the properties of the script or of its user.
    async fn properties(&self, method: &str, arguments: &Arguments) -> Result<Value, String> {
        let scope = arguments.scope()?;
        let set = |values, replace| self.0.set_properties(scope, values, replace);
        match method {
            "get" => {
                Ok(self.0.properties(scope).await?.remove(arguments.text("key")?).map_or(Value::Null, Value::from))
            }
            "get_all" => Ok(json!(self.0.properties(scope).await?)),
            "set_all" => {
                let values = arguments.texts("properties")?.into_iter().map(|(name, value)| (name, Some(value)));
                let replace = arguments.0.get("delete_others").and_then(Value::as_bool).unwrap_or(false);
                set(values.collect(), replace).await.map(|()| Value::Null)
            }
            "delete" => {
                let gone = BTreeMap::from([(arguments.text("key")?.to_owned(), None)]);
                set(gone, false).await.map(|()| Value::Null)
            }
            "delete_all" => set(BTreeMap::new(), true).await.map(|()| Value::Null),
            other => Err(unknown_method(other)),
        }
    }

    /// Calls a method on the cache of the script or of its user.
    async fn cache(&self, method: &str, arguments: &Arguments) -> Result<Value, String> {
        let scope = arguments.scope()?;
        match method {
            "get_all" => {
                let keys = arguments.list("keys")?;
                let found = self.0.cached(scope, keys.clone()).await?;
                let found = keys.into_iter().zip(found).filter_map(|(key, value)| Some((key, Value::from(value?))));
                Ok(Value::Object(found.collect()))
            }
            "put_all" => {
                let values = arguments.texts("values")?.into_iter().map(|(name, value)| (name, Some(value)));
                let seconds = arguments.0.get("seconds").and_then(Value::as_u64).unwrap_or(600);
                let put = self.0.put_cached(scope, values.collect(), Duration::from_secs(seconds));
                put.await.map(|()| Value::Null)
            }
            "remove_all" => {
                let gone = arguments.list("keys")?.into_iter().map(|key| (key, None)).collect();
                self.0.put_cached(scope, gone, Duration::ZERO).await.map(|()| Value::Null)
            }
            other => Err(unknown_method(other)),
        }
    }

    /// Acquires or releases the lock of the script or of its user.
    async fn locks(&self, method: &str, arguments: &Arguments) -> Result<Value, String> {
        let scope = arguments.scope()?;
        match method {
            "acquire" => {
                let wait = arguments.0.get("milliseconds").and_then(Value::as_u64).unwrap_or(0);
                Ok(Value::Bool(self.0.lock(scope, Duration::from_millis(wait)).await?))
            }
            "release" => self.0.unlock(scope).await.map(|()| Value::Null),
            other => Err(unknown_method(other)),
        }
    }

    /// Returns the users of the run, the locale, and the temporary key of the caller.
    fn session(&self) -> Value {
        let (active, user) = (self.0.active_user(), self.0.effective_user());
        json!({ "active_user": active, "effective_user": user, "locale": "en", "temporary_key": self.0.temporary_key() })
    }

    /// Calls a method on the triggers of the script.
    async fn triggers(&self, method: &str, arguments: &Arguments) -> Result<Value, String> {
        let shown = |one: TriggerInfo| json!({ "id": one.id, "function": one.function, "kind": "clock" });
        match method {
            "list" => Ok(self.0.triggers().await?.into_iter().map(shown).collect()),
            "create" => {
                let schedule = arguments.0.get("schedule").cloned().unwrap_or_default();
                let schedule: Schedule =
                    serde_json::from_value(schedule).map_err(|error| format!("invalid schedule: {error}"))?;
                self.0.add_trigger(arguments.text("function")?.to_owned(), schedule).await.map(shown)
            }
            "delete" => self.0.remove_trigger(arguments.text("id")?.to_owned()).await.map(|()| Value::Null),
            other => Err(unknown_method(other)),
        }
    }
}

/// Returns the message of an exception for a method that the host does not have.
pub(crate) fn unknown_method(method: &str) -> String {
    format!("`{method}` is not available here")
}
