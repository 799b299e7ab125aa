//! Script projects, and the processes that run them.

use anyhow::Context as _;
use tokio::task::JoinHandle;
use wireform_engine::{Pool, Settings as PoolSettings};
use wireform_script::pool::PoolEngine;
use wireform_script::{ScriptService, Settings};
use wireform_server::tokens::TokenSealer;
use wireform_store::{Accounts as _, AnyStore, Clock};

/// The argument with which the program becomes a process that runs a script.
pub const SCRIPT_PROCESS: &str = "script-process";

/// The service of script projects, with its processes.
#[derive(Debug, Clone)]
pub struct Scripts {
    pub service: ScriptService<AnyStore>,
    pool: Pool,
}

impl Scripts {
    /// Makes the service, and a pool that starts this very program.
    pub async fn new(store: &AnyStore, clock: &Clock, base: Option<&str>, settings: Settings) -> anyhow::Result<Self> {
        let key = store.sealing_key().await.context("the key for page tokens cannot be read")?;
        let command = PoolSettings::current_program(SCRIPT_PROCESS).context("this program cannot be found")?;
        let pool = Pool::new(PoolSettings { concurrent: settings.concurrency, ..command });
        let service = ScriptService::new(store.clone(), TokenSealer::new(key), clock.clone())
            .with_settings(settings)
            .with_engine(PoolEngine(pool.clone()));
        let service = match base {
            Some(base) => service.with_public_url(base),
            None => service,
        };
        Ok(Self { service, pool })
    }

    /// Runs triggers, and ends executions of servers that are gone, until it is ended.
    pub fn keep(&self) -> Running {
        let (executions, triggers) = (self.service.clone(), self.service.clone());
        Running {
            tasks: [
                tokio::spawn(async move { executions.keep_executions_forever().await }),
                tokio::spawn(async move { triggers.run_triggers_forever().await }),
            ],
            scripts: self.clone(),
        }
    }

    /// Ends all processes, and waits until what has run is recorded.
    pub async fn end(&self) {
        self.pool.close().await;
        self.service.finish_executions().await;
    }
}

/// What is done for scripts while the program serves.
pub struct Running {
    tasks: [JoinHandle<()>; 2],
    scripts: Scripts,
}

impl Running {
    /// Ends it, and what runs.
    pub async fn end(self) {
        for task in &self.tasks {
            task.abort();
        }
        self.scripts.end().await;
    }
}
