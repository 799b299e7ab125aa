//! Service and its operations.

use std::sync::Arc;
use std::time::Duration;

use script_server::runtime::axum::Router;
use script_server::runtime::tokens::TokenSealer;
use script_server::runtime::{Limits, ListResult, MemoryBudget, Server};
use script_server::{Context, Handlers, Result, requests, service, types};
use wireform_store::{AnyStore, Clock, Store};

use crate::apis::ApiClient;
use crate::engine::Engine;
use crate::run::Executions;

/// Maximum number of bytes of a body. It is more than twice the maximum size of the files of a project, because JSON
/// escapes some of their characters.
const BODY_BYTES: usize = 24 << 20;

/// Settings of an administrator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Maximum number of versions of a project.
    pub versions: i64,
    /// Maximum run time of a function.
    pub run_time: Duration,
    /// Bytes of memory of a run.
    pub memory: usize,
    /// Bytes of the result and the log of a run.
    pub output: usize,
    /// Maximum number of functions that run at once; others wait.
    pub concurrency: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            versions: 2_000,
            run_time: Duration::from_secs(6 * 60),
            memory: 64 << 20,
            output: 10 << 20,
            concurrency: 30,
        }
    }
}

/// Service of script projects on a store.
#[derive(Debug, Clone)]
pub struct ScriptService<S> {
    pub(crate) store: S,
    pub(crate) sealer: TokenSealer,
    pub(crate) clock: Clock,
    pub(crate) base: String,
    pub(crate) settings: Settings,
    pub(crate) engine: Option<Arc<dyn Engine>>,
    pub(crate) runs: Arc<Executions>,
    pub(crate) apis: Option<Arc<dyn ApiClient>>,
    pub(crate) budget: Option<MemoryBudget>,
}

impl<S: Store> ScriptService<S> {
    /// Creates the service on a store. `sealer` seals page tokens.
    #[must_use]
    pub fn new(store: S, sealer: TokenSealer, clock: Clock) -> Self {
        // A client may change the page size between pages.
        let sealer = sealer.with_free_parameters(&["pageSize"]);
        let settings = Settings::default();
        let runs = Arc::new(Executions::new(settings.concurrency));
        let (base, engine, apis, budget) = ("http://localhost".to_owned(), None, None, None);
        Self { store, sealer, clock, base, settings, engine, runs, apis, budget }
    }

    /// Sets the base URL of web apps, without a trailing slash.
    #[must_use]
    pub fn with_public_url(mut self, base: impl Into<String>) -> Self {
        self.base = base.into();
        self
    }

    /// Replaces the settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.runs = Arc::new(Executions::new(settings.concurrency));
        self.settings = settings;
        self
    }

    /// Sets the memory budget of runs, which the server must share (`Server::memory_budget`). Without one, the code, the
    /// messages and the results of runs are not limited together.
    #[must_use]
    pub fn with_budget(mut self, budget: MemoryBudget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Sets the engine. Without one `scripts.run` returns 501, and files have no sets of functions.
    #[must_use]
    pub fn with_engine(mut self, engine: impl Engine + 'static) -> Self {
        self.engine = Some(Arc::new(engine));
        self
    }

    /// Sets the calendar and mail APIs that scripts use. Without them `CalendarApp` and `GmailApp` throw exceptions.
    #[must_use]
    pub fn with_apis(mut self, apis: impl ApiClient + 'static) -> Self {
        self.apis = Some(Arc::new(apis));
        self
    }
}

/// Creates the router of a server on a store that is selected at run time. The service is compiled here for such stores,
/// and not again by each program that uses it.
pub fn router(server: Server<Handlers<ScriptService<AnyStore>>>) -> Router {
    server.router()
}

/// Returns the limits of requests. The response to a run is sent when the function has ended, whose time `settings`
/// limits; a run may wait for the same time before it starts.
#[must_use]
pub fn limits(settings: &Settings) -> Limits {
    let request_time = settings.run_time.saturating_mul(2) + Duration::from_secs(60);
    Limits { body_bytes: BODY_BYTES, request_time, ..Limits::DEFAULT }
}

impl<S: Store> service::Projects for ScriptService<S> {
    async fn create(&self, request: requests::ProjectsCreate, context: &Context) -> Result<types::Project> {
        self.create_project(request, context).await
    }

    async fn get(&self, request: requests::ProjectsGet, context: &Context) -> Result<types::Project> {
        self.get_project(request, context).await
    }

    async fn get_content(&self, request: requests::ProjectsGetContent, context: &Context) -> Result<types::Content> {
        self.read_content(request, context).await
    }

    async fn update_content(
        &self,
        request: requests::ProjectsUpdateContent,
        context: &Context,
    ) -> Result<types::Content> {
        self.replace_content(request, context).await
    }

    async fn get_metrics(&self, request: requests::ProjectsGetMetrics, context: &Context) -> Result<types::Metrics> {
        self.read_metrics(request, context).await
    }
}

impl<S: Store> service::ProjectsVersions for ScriptService<S> {
    async fn create(&self, request: requests::ProjectsVersionsCreate, context: &Context) -> Result<types::Version> {
        self.create_version(request, context).await
    }

    async fn get(&self, request: requests::ProjectsVersionsGet, context: &Context) -> Result<types::Version> {
        self.get_version(request, context).await
    }

    async fn list(
        &self,
        request: requests::ProjectsVersionsList,
        context: &Context,
    ) -> ListResult<requests::ProjectsVersionsList> {
        self.list_versions(request, context).await
    }
}

impl<S: Store> service::ProjectsDeployments for ScriptService<S> {
    async fn create(
        &self,
        request: requests::ProjectsDeploymentsCreate,
        context: &Context,
    ) -> Result<types::Deployment> {
        self.create_deployment(request, context).await
    }

    async fn get(&self, request: requests::ProjectsDeploymentsGet, context: &Context) -> Result<types::Deployment> {
        self.get_deployment(request, context).await
    }

    async fn list(
        &self,
        request: requests::ProjectsDeploymentsList,
        context: &Context,
    ) -> ListResult<requests::ProjectsDeploymentsList> {
        self.list_deployments(request, context).await
    }

    async fn update(
        &self,
        request: requests::ProjectsDeploymentsUpdate,
        context: &Context,
    ) -> Result<types::Deployment> {
        self.update_deployment(request, context).await
    }

    async fn delete(&self, request: requests::ProjectsDeploymentsDelete, context: &Context) -> Result<types::Empty> {
        self.delete_deployment(request, context).await
    }
}

impl<S: Store> service::Processes for ScriptService<S> {
    async fn list(&self, request: requests::ProcessesList, context: &Context) -> ListResult<requests::ProcessesList> {
        self.list_processes(request, context).await
    }

    async fn list_script_processes(
        &self,
        request: requests::ProcessesListScriptProcesses,
        context: &Context,
    ) -> ListResult<requests::ProcessesListScriptProcesses> {
        self.list_processes_of_script(request, context).await
    }
}

impl<S: Store> service::Scripts for ScriptService<S> {
    async fn run(&self, request: requests::ScriptsRun, context: &Context) -> Result<types::Operation> {
        self.run_function(request, context).await
    }
}
