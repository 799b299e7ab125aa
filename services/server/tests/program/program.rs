//! Starts the program and its commands. Nothing here waits for a fixed time except the watchdog, which ends processes
//! that hang.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

/// Time after which a program counts as hanging.
const WATCH: Duration = Duration::from_secs(120);

/// Returns the program, without the settings in the environment of the tests.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wireform-services"));
    let own = |name: &str| name.starts_with("WIREFORM_") || name == "RUST_LOG" || name.starts_with("XDG_");
    for (name, _) in std::env::vars() {
        if own(&name) {
            command.env_remove(name);
        }
    }
    command
}

/// Folder of a test, with a store and other files.
pub struct Home(pub TempDir);

impl Home {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder is made"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn data(&self) -> PathBuf {
        self.path("data")
    }

    /// Writes a file.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        fs_err::write(self.path(name), text).expect("the file is written");
        self.path(name)
    }

    /// Returns the output of a command on the store.
    pub fn output(&self, arguments: &[&str]) -> Output {
        let mut command = program();
        command.args(arguments).env("WIREFORM_DATA", self.data());
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the program starts");
        let watch = Watch::over(child.id());
        let output = child.wait_with_output().expect("the program ends");
        drop(watch);
        output
    }

    /// Returns the standard output of a command that succeeds.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it is text").trim_end().to_owned()
    }

    /// Returns the list that a command writes as JSON.
    pub fn list(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(&[arguments, &["--json"]].concat())).expect("it is JSON")
    }

    /// Returns the standard error of a command that fails.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let error = String::from_utf8(output.stderr).expect("it is text");
        assert!(!output.status.success(), "{arguments:?} was not refused: {error}");
        assert!(!error.contains("panicked"), "{error}");
        error
    }

    /// Starts a command that runs until it is stopped.
    pub fn start(&self, arguments: &[&str]) -> Running {
        let mut command = program();
        command.args(arguments).env("WIREFORM_DATA", self.data());
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
        let mut child = child.expect("the program starts");
        let (watch, lines) = (Watch::over(child.id()), BufReader::new(child.stdout.take().expect("a pipe")));
        Running { child, lines, _watch: watch }
    }

    /// Starts a server on a free port.
    pub fn serve(&self, arguments: &[&str]) -> Server {
        self.serve_with(arguments, &[])
    }

    /// Starts a server from a shell that runs a script before.
    pub fn serve_after(&self, script: &str, arguments: &[&str]) -> Server {
        let command = self.serving(arguments, &[]);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("{script}; exec \"$0\" \"$@\"")])
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        Server::start(shell, &self.path("ready"), &self.path("log"))
    }

    /// Starts a server with environment variables.
    pub fn serve_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Server {
        Server::start(self.serving(arguments, environment), &self.path("ready"), &self.path("log"))
    }

    fn serving(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Command {
        let mut command = program();
        if !environment.iter().any(|(name, _)| *name == "WIREFORM_STORE") {
            command.env("WIREFORM_DATA", self.data());
        }
        command.args(["--port", "0", "--ready-file"]).arg(self.path("ready")).args(arguments);
        command.envs(environment.iter().copied());
        command
    }
}

/// Running command. It is killed on drop.
pub struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
    _watch: Watch,
}

impl Running {
    /// Waits for the next line that it writes.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.lines.read_line(&mut line).expect("it writes text");
        assert!(read > 0, "it has ended");
        line.trim_end().to_owned()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Server that has printed that it is ready. It is killed on drop.
pub struct Server {
    child: Child,
    watch: Option<Watch>,
    log: PathBuf,
    /// Standard output up to then.
    pub startup: String,
    /// Base URL.
    pub base: String,
    /// Ready token, or an empty text.
    pub token: String,
    client: reqwest::Client,
}

impl Server {
    fn start(mut command: Command, ready: &Path, log: &Path) -> Self {
        let errors = File::create(log).expect("the log is made");
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors).spawn();
        let mut child = child.expect("the program starts");
        let watch = Watch::over(child.id());
        let mut startup = String::new();
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        // The last line that it prints.
        while !startup.contains("\n  try ") && !startup.contains("\n  token   none") {
            let read = lines.read_line(&mut startup).expect("it writes text");
            assert!(read > 0, "it ended: {}", fs_err::read_to_string(log).unwrap_or_default());
        }
        let reported: Value = serde_json::from_slice(&fs_err::read(ready).expect("it is ready")).expect("it is JSON");
        assert_eq!(reported["pid"], child.id());
        let text = |name: &str| reported[name].as_str().unwrap_or_default().to_owned();
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let log = log.to_owned();
        Self { base: text("base"), token: text("token"), child, watch: Some(watch), log, startup, client }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request with a new client.
    pub fn with_client(mut self, client: reqwest::Client) -> Self {
        self.client = client;
        self
    }

    /// Sends a request without a token.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a GET request with a token.
    pub async fn get_by(&self, token: &str, path: &str) -> (StatusCode, Value) {
        read_json(self.request(Method::GET, path).bearer_auth(token).send().await.expect("a response")).await
    }

    /// Sends a GET request with the ready token.
    pub async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.get_by(&self.token, path).await
    }

    /// Sends a body with the ready token.
    pub async fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        let request = self.request(Method::POST, path).bearer_auth(&self.token).json(body);
        read_json(request.send().await.expect("a response")).await
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    /// Waits for the end.
    pub fn wait(&mut self) -> ExitStatus {
        let status = self.child.wait().expect("it ends");
        self.watch = None;
        status
    }

    /// Stops the server, and returns its log.
    pub fn stop(mut self) -> String {
        self.signal("TERM");
        let status = self.wait();
        let log = self.log();
        assert!(status.success(), "{status}: {log}");
        log
    }

    /// Returns the log so far.
    pub fn log(&self) -> String {
        fs_err::read_to_string(&self.log).expect("there is a log")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the status and the body, as JSON if it is any.
pub async fn read_json(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let body = response.bytes().await.expect("a body");
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

fn signal(pid: u32, name: &str) {
    let done = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status();
    assert!(done.expect("there is `kill`").success(), "no such process");
}

/// Watchdog that kills a hanging process, unless it is dropped before.
struct Watch(#[allow(dead_code, reason = "what counts is when it is dropped")] mpsc::Sender<()>);

impl Watch {
    fn over(pid: u32) -> Self {
        let (sender, over) = mpsc::channel::<()>();
        std::thread::spawn(move || {
            if over.recv_timeout(WATCH) == Err(mpsc::RecvTimeoutError::Timeout) {
                eprintln!("process {pid} hangs");
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
            }
        });
        Self(sender)
    }
}
