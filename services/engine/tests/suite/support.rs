//! Pool whose processes are the example program, and a recording host.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;
use wireform_engine::{
    BoxFuture, FileKind, Host, HostCall, HostError, Invocation, Limits, LogLine, LongMessage, Outcome, Pool, Program,
    Settings, SourceFile,
};

type Reply = dyn Fn(&HostCall) -> Result<Value, HostError> + Send + Sync;

/// Host that responds by a function, and records calls and log lines.
pub struct Recorder {
    reply: Box<Reply>,
    pub calls: Mutex<Vec<HostCall>>,
    pub lines: Mutex<Vec<LogLine>>,
    /// Long messages, and the program that was sent.
    pub long: Mutex<Vec<String>>,
    /// Maximum length of a message that there is memory for.
    pub max_length: AtomicUsize,
}

impl Recorder {
    pub fn new(reply: impl Fn(&HostCall) -> Result<Value, HostError> + Send + Sync + 'static) -> Arc<Self> {
        let (calls, lines, long) = (Mutex::default(), Mutex::default(), Mutex::default());
        Arc::new(Self { reply: Box::new(reply), calls, lines, long, max_length: AtomicUsize::new(usize::MAX) })
    }

    /// Creates a host without services.
    pub fn silent() -> Arc<Self> {
        Self::new(|call| Err(HostError::new(format!("no {:?}", call.service))))
    }

    pub fn messages(&self) -> Vec<String> {
        self.lines.lock().unwrap().iter().map(|line| line.message.clone()).collect()
    }
}

impl Host for Recorder {
    fn call(&self, call: HostCall) -> BoxFuture<'_, Result<Value, HostError>> {
        let reply = (self.reply)(&call);
        self.calls.lock().unwrap().push(call);
        Box::pin(async move { reply })
    }

    fn log(&self, line: LogLine) {
        self.lines.lock().unwrap().push(line);
    }

    fn sent(&self) {
        self.long.lock().unwrap().push("sent".to_owned());
    }

    fn reserve<'a>(&'a self, message: LongMessage<'a>) -> BoxFuture<'a, bool> {
        let (text, length) = match message {
            LongMessage::Length(length) => (format!("length {length}"), length),
            LongMessage::Text(text) => (format!("text {}", text.len()), 0),
        };
        self.long.lock().unwrap().push(text);
        Box::pin(std::future::ready(length <= self.max_length.load(Ordering::Relaxed)))
    }
}

/// Returns the path of the example program, which cargo builds next to the tests.
pub fn child() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let child = tests.parent().unwrap().parent().unwrap().join("examples/engine-child");
    assert!(child.exists(), "{} is missing: cargo builds it with the tests of the package", child.display());
    child
}

pub fn pool() -> Pool {
    Pool::new(Settings { command: vec![child().into()], idle: 2, concurrent: 4 })
}

pub fn server(name: &str, source: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), kind: FileKind::Server, source: source.to_owned() }
}

pub fn html(name: &str, source: &str) -> SourceFile {
    SourceFile { name: name.to_owned(), kind: FileKind::Html, source: source.to_owned() }
}

/// Returns a program of one file.
pub fn program(source: &str) -> Program {
    Program { files: vec![server("Code", source)], ..Program::default() }
}

/// Returns a call of a program's function `f`.
pub fn invocation(program: Program, parameters: &[Value]) -> Invocation {
    Invocation {
        program: Arc::new(program),
        function: "f".to_owned(),
        parameters: parameters.to_vec(),
        limits: Limits::default(),
        cancellation: wireform_engine::Cancellation::default(),
    }
}

/// Runs `f` of one file.
pub async fn run(source: &str, parameters: &[Value]) -> Outcome {
    pool().run(invocation(program(source), parameters), Recorder::silent()).await.outcome
}

/// Runs `f` of one file with a host.
pub async fn run_with(source: &str, host: &Arc<Recorder>) -> Outcome {
    let host: Arc<dyn Host> = Arc::clone(host) as Arc<dyn Host>;
    pool().run(invocation(program(source), &[]), host).await.outcome
}

/// Runs `f` of one file, and returns its value.
pub async fn value(source: &str) -> Value {
    match run(source, &[]).await {
        Outcome::Returned(Some(value)) => value,
        other => panic!("{source}: {other:?}"),
    }
}
