//! Baseline server for content: one route that decodes, hashes, writes the same rows and sends the same response, and
//! does nothing else. It validates nothing, knows no users, and finds functions by the beginnings of lines. Like the
//! service, it is a separate process.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::put;
use rusqlite::{Connection, params};
use serde_derive::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use wireform_store::{Accounts as _, Clock, Maintenance as _, NewProject, Scripts as _, Sqlite, SqliteOptions};

use crate::paths;

/// Number of saves after which the log is checkpointed, concurrently with other writes.
const SAVES_PER_CHECKPOINT: u64 = 3;
/// Time of all files in responses.
const TIME: &str = "2026-03-04T12:00:00.000Z";

/// Process of the baseline server.
pub struct BaselineServer {
    /// URL of the route.
    pub base: String,
    _child: Child,
}

impl BaselineServer {
    /// Starts the process on a store with the same tables, created by the store itself.
    pub async fn start() -> anyhow::Result<Self> {
        let folder = paths::scratch("scripts-content-by-hand")?;
        let store = Sqlite::open(&folder, SqliteOptions::default())?;
        let clock = Clock::system();
        let owner = store.add_user("me@example.org", "Me", clock.now()).await?.mailbox;
        let project = NewProject { owner, title: "Stress".to_owned(), parent: None, files: Vec::new() };
        store.add_project(project, clock.now()).await?;
        store.close().await;
        let mut child = Command::new(std::env::current_exe()?)
            .args(["scripts", "content-by-hand"])
            .arg(&folder)
            .stdout(std::process::Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let output = child.stdout.take().context("no output")?;
        let base = BufReader::new(output).lines().next_line().await?.context("the route has not started")?;
        Ok(Self { base, _child: child })
    }
}

/// Settings of the process.
#[derive(Debug, clap::Args)]
pub struct Settings {
    folder: PathBuf,
}

/// Serves the route until the process is killed.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let store = Arc::new(Store::open(&settings.folder)?);
    let route = Router::new().route("/v1/projects/{id}/content", put(receive));
    let route = route.layer(DefaultBodyLimit::disable()).with_state(store);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let base = format!("http://{}", listener.local_addr()?);
    writeln!(std::io::stdout(), "{base}")?;
    Ok(axum::serve(listener, route).await?)
}

/// Body of a request.
#[derive(Deserialize)]
struct Content {
    files: Vec<File>,
}

/// File in a request.
#[derive(Deserialize)]
struct File {
    name: String,
    r#type: String,
    source: String,
}

/// Body of a response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Saved<'f> {
    script_id: &'f str,
    files: Vec<SavedFile<'f>>,
}

/// File in a response.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SavedFile<'f> {
    name: &'f str,
    r#type: &'f str,
    source: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_set: Option<FunctionSet<'f>>,
    create_time: &'f str,
    update_time: &'f str,
    last_modify_user: User,
}

/// Functions of a file in a response.
#[derive(Serialize)]
struct FunctionSet<'f> {
    values: Vec<Function<'f>>,
}

#[derive(Serialize)]
struct Function<'f> {
    name: &'f str,
    parameters: Vec<&'f str>,
}

#[derive(Serialize)]
struct User {
    email: &'static str,
    domain: &'static str,
    name: &'static str,
}

/// Returns the functions of a file in the format of [`source`](super::source).
fn functions(source: &str) -> Vec<Function<'_>> {
    source.lines().filter_map(function).collect()
}

/// Parses the function that a line begins, such as `function f(a, b) {`; returns `None` for other lines.
fn function(line: &str) -> Option<Function<'_>> {
    let (name, rest) = line.strip_prefix("function ")?.split_once('(')?;
    let (parameters, _) = rest.split_once(')')?;
    Some(Function { name, parameters: parameters.split(", ").collect() })
}

/// Handles `PUT` of the content: saves it and returns the saved files.
async fn receive(State(store): State<Arc<Store>>, body: Bytes) -> axum::response::Response {
    match tokio::task::block_in_place(|| store.save(&body)) {
        Ok(response) => {
            tokio::task::spawn_blocking(move || store.checkpoint());
            ([(CONTENT_TYPE, "application/json")], response).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}")).into_response(),
    }
}

/// Database of the baseline. `mover` is a connection for checkpoints, with the number of saves so far.
struct Store {
    writer: Mutex<Connection>,
    mover: Mutex<(Connection, u64)>,
}

impl Store {
    /// Opens both connections, with the settings of the store's own.
    fn open(folder: &Path) -> anyhow::Result<Self> {
        let open = || -> anyhow::Result<Connection> {
            let connection = Connection::open(folder.join("store.sqlite3"))?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update_and_check(None, "wal_autocheckpoint", 0, |_| Ok(()))?;
            connection.pragma_update(None, "cache_size", -8 * 1024)?;
            Ok(connection)
        };
        Ok(Self { writer: Mutex::new(open()?), mover: Mutex::new((open()?, 0)) })
    }

    /// Parses the body of a request, writes its rows, and returns the body of the response.
    fn save(&self, body: &[u8]) -> anyhow::Result<Vec<u8>> {
        let content: Content = serde_json::from_slice(body)?;
        let functions: Vec<_> = content.files.iter().map(|file| functions(&file.source)).collect();
        self.write(&content, &functions)?;
        let files = content.files.iter().zip(functions).map(|(file, functions)| SavedFile {
            name: &file.name,
            r#type: &file.r#type,
            source: &file.source,
            function_set: (!functions.is_empty()).then_some(FunctionSet { values: functions }),
            create_time: TIME,
            update_time: TIME,
            last_modify_user: User { email: "me@example.org", domain: "example.org", name: "Me" },
        });
        Ok(serde_json::to_vec(&Saved { script_id: "by-hand", files: files.collect() })?)
    }

    /// Replaces all files.
    fn write(&self, content: &Content, functions: &[Vec<Function<'_>>]) -> anyhow::Result<()> {
        let mut database = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let transaction = database.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        transaction.prepare_cached("DELETE FROM script_files WHERE project = 1")?.execute([])?;
        let mut numbers = Vec::new();
        for (file, functions) in content.files.iter().zip(functions) {
            let values: Vec<_> = functions.iter().map(|one| (one.name, &one.parameters)).collect();
            let values = serde_json::to_string(&values)?;
            let hash = Sha256::digest(file.source.as_bytes());
            let mut added = transaction.prepare_cached(
                "INSERT INTO script_files (project, since, name, kind, hash, source, functions, created, updated, modifier)
                 VALUES (1, 1, ?1, ?2, ?3, ?4, ?5, 0, 0, 1)",
            )?;
            let kind = i64::from(file.r#type == "JSON") * 2;
            added.execute(params![file.name, kind, hash.as_slice(), file.source.as_bytes(), values])?;
            numbers.push(transaction.last_insert_rowid());
        }
        let numbers = serde_json::to_string(&numbers)?;
        transaction
            .prepare_cached("UPDATE script_projects SET content = ?1, saved = saved + 1, changes = changes + 1")?
            .execute([numbers])?;
        Ok(transaction.commit()?)
    }

    /// Counts a save, and moves the log to the database after every [`SAVES_PER_CHECKPOINT`].
    fn checkpoint(&self) {
        let mut mover = self.mover.lock().unwrap_or_else(PoisonError::into_inner);
        mover.1 += 1;
        if mover.1.is_multiple_of(SAVES_PER_CHECKPOINT) {
            drop(mover.0.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())));
        }
    }
}
