//! Script projects and the processes that run them.

use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use http::{Request, header};
use serde_json::Value;
use tokio::task::JoinHandle;
use wireform_engine::{Pool, Settings as PoolSettings};
use wireform_script::apis::{ApiClient, Authority, Response};
use wireform_script::engine::BoxedFuture;
use wireform_script::pool::PoolEngine;
use wireform_script::{ScriptService, Settings};
use wireform_server::MemoryBudget;
use wireform_server::axum::Router;
use wireform_server::axum::body::Body;
use wireform_server::tokens::TokenSealer;
use wireform_store::{Accounts as _, AnyStore, Clock, User};

use super::browse;
use crate::settings::script::SCRIPT_PROCESS;

/// Service of script projects with its pool of processes.
#[derive(Debug, Clone)]
pub struct Scripts {
    pub service: ScriptService<AnyStore>,
    /// Calendar and mail APIs for scripts.
    pub apis: ScriptApis,
    pool: Pool,
}

impl Scripts {
    /// Creates the service for the commands of the command line.
    pub async fn for_command(store: &AnyStore, clock: &Clock) -> anyhow::Result<Self> {
        Self::new(store, clock, None, Settings::default(), 1).await
    }

    /// Creates the service with a pool that starts this very program and keeps `ready` processes waiting.
    pub async fn new(
        store: &AnyStore,
        clock: &Clock,
        base: Option<&str>,
        settings: Settings,
        ready: usize,
    ) -> anyhow::Result<Self> {
        let key = store.sealing_key().await.context("the key for page tokens cannot be read")?;
        let command =
            PoolSettings::current_program(SCRIPT_PROCESS).context("the path of this program cannot be determined")?;
        let pool = Pool::new(PoolSettings { concurrent: settings.concurrency, idle: ready, ..command });
        let apis = ScriptApis::default();
        let service = ScriptService::new(store.clone(), TokenSealer::new(key), clock.clone())
            .with_settings(settings)
            .with_apis(apis.clone())
            .with_engine(PoolEngine(pool.clone()));
        let service = match base {
            Some(base) => service.with_public_url(base),
            None => service,
        };
        Ok(Self { service, apis, pool })
    }

    /// Sets the memory budget of runs.
    pub fn with_budget(mut self, budget: MemoryBudget) -> Self {
        self.service = self.service.with_budget(budget);
        self
    }

    /// Starts the background tasks: running triggers, and ending executions of servers that are gone.
    pub fn start_tasks(&self) -> ScriptTasks {
        let (executions, triggers) = (self.service.clone(), self.service.clone());
        ScriptTasks {
            tasks: [
                tokio::spawn(async move { executions.keep_maintaining_executions().await }),
                tokio::spawn(async move { triggers.keep_running_triggers().await }),
            ],
            scripts: self.clone(),
        }
    }

    /// Ends all processes and waits until their executions are recorded.
    pub async fn end(&self) {
        self.pool.close().await;
        self.service.finish_executions().await;
    }
}

/// Background tasks of scripts while the program serves.
pub struct ScriptTasks {
    tasks: [JoinHandle<()>; 2],
    scripts: Scripts,
}

impl ScriptTasks {
    /// Ends the tasks and all executions.
    pub async fn end(self) {
        for task in &self.tasks {
            task.abort();
        }
        self.scripts.end().await;
    }
}

/// Calendar and mail APIs for scripts, connected when the server starts. Commands have none.
#[derive(Debug, Clone, Default)]
pub struct ScriptApis(Arc<OnceLock<Router>>);

impl ScriptApis {
    /// Sets the routes, which accept requests with an [`InternalCaller`](browse::InternalCaller).
    pub fn connect(&self, apis: Router) {
        // The routes of a server are set once.
        let _ = self.0.set(apis);
    }

    /// Sends a request to the APIs inside the process; returns `None` if they are not connected.
    async fn request(
        &self,
        caller: browse::InternalCaller,
        method: &str,
        target: String,
        body: Option<Value>,
    ) -> anyhow::Result<Option<Response>> {
        let Some(apis) = self.0.get() else { return Ok(None) };
        let request = Request::builder().method(method).uri(target);
        let request = match body {
            Some(body) => {
                request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string()))?
            }
            None => request.body(Body::empty())?,
        };
        let (head, body) = browse::send(apis, caller, request).await?;
        let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body)? };
        Ok(Some((head.status.as_u16(), body)))
    }
}

impl ApiClient for ScriptApis {
    fn send<'a>(
        &'a self,
        user: &'a User,
        authority: &'a Authority,
        method: &'static str,
        target: String,
        body: Option<Value>,
    ) -> BoxedFuture<'a, Result<Response, String>> {
        Box::pin(async move {
            match self.request(browse::InternalCaller(user.clone(), authority.clone()), method, target, body).await {
                Ok(Some(response)) => Ok(response),
                Ok(None) => {
                    Err("calendars and mail are not available to commands; help: run the script on a server".to_owned())
                }
                Err(error) => {
                    tracing::warn!(cause = format!("{error:#}"), "a request of a script failed");
                    Err("the service is not available at the moment".to_owned())
                }
            }
        })
    }
}
