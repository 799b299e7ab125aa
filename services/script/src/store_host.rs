//! Host of runs on a store: properties, caches, locks, who runs them.

mod temporary_keys;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use wireform_store::{Clock, Deployment, DeploymentOrder, Millis, ScriptScope, Store, Trigger, User};

use crate::apis::{self, ApiClient, Authority, UserClient};
use crate::boxed_future::BoxedFuture;
use crate::error::to_script_error;
use crate::host::{Host, RunMemory, Scope, Severity, TriggerInfo};
use crate::logs::LogWriter;
use crate::schedule::Schedule;
use crate::{entry_points, manifest, triggers};

pub(crate) use self::temporary_keys::TemporaryUserKeys;

/// Maximum number of bytes of the properties of a script, or of a user of it.
const MAX_PROPERTIES_BYTES: usize = 500 << 10;
/// Maximum time that a value is cached.
const MAX_CACHE_TIME: Duration = Duration::from_secs(6 * 60 * 60);
/// Delay of the first retry of a lock.
const MIN_RETRY_DELAY: Duration = Duration::from_millis(50);
/// Maximum delay between retries of a lock, up to which it grows, so that many long waits do not keep the store busy.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Maximum number of deployments that are searched for a web app.
const MAX_DEPLOYMENTS: u32 = 200;

/// Scopes required to create triggers.
const TRIGGER_SCOPES: [&str; 2] = ["calendar", "https://mail.google.com/"];

/// Host of one run, on a store.
pub(crate) struct StoreHost<S> {
    pub(crate) store: S,
    pub(crate) clock: Clock,
    pub(crate) script: String,
    /// Base URL of this program.
    pub(crate) base: String,
    /// Deployment that runs, or empty.
    pub(crate) deployment: String,
    pub(crate) scope: ScriptScope,
    pub(crate) user: User,
    pub(crate) active: String,
    /// Temporary key of the caller, also if the script must not know who that is.
    pub(crate) temporary_key: String,
    pub(crate) authority: Authority,
    /// Owner of the run's locks.
    pub(crate) holder: i64,
    /// Expiry of the locks, by the machine's clock.
    pub(crate) lock_expiry: Millis,
    /// IANA name of the script's time zone.
    pub(crate) time_zone: String,
    /// Calendar and mail APIs, if available.
    pub(crate) apis: Option<Arc<dyn ApiClient>>,
    /// Threads of the mailbox that the run has already read.
    pub(crate) threads: Arc<apis::Threads>,
    /// Log of the run.
    pub(crate) log: LogWriter<S>,
    pub(crate) memory: RunMemory,
}

impl<S> StoreHost<S> {
    /// Returns the scope in the store: that of the script, or of its user.
    fn scope_of(&self, scope: Scope) -> ScriptScope {
        let user = (scope == Scope::User).then_some(self.user.mailbox);
        ScriptScope { user, ..self.scope }
    }

    /// Returns the client of the APIs for the user of the run.
    fn client(&self) -> Result<UserClient<'_>, String> {
        let apis =
            self.apis.as_deref().ok_or_else(|| "calendars and mail are not available in this program".to_owned())?;
        let mut client = UserClient::new(apis, &self.user, &self.authority);
        (client.now, client.threads) = (self.clock.now(), Arc::clone(&self.threads));
        client.memory = self.memory.clone();
        Ok(client)
    }
}

impl<S: Store> StoreHost<S> {
    /// Finishes the log and releases all locks of the run.
    pub(crate) async fn end(&self) {
        self.log.finish().await;
        for scope in [Scope::Script, Scope::User] {
            if let Err(error) = self.store.unlock_script(self.scope_of(scope), self.holder).await {
                tracing::warn!(cause = %error, "a lock of a script was not released; it will expire");
            }
        }
    }
}

fn to_host_trigger(trigger: Trigger) -> TriggerInfo {
    TriggerInfo { id: trigger.id, function: trigger.settings.function }
}

impl<S: Store> Host for StoreHost<S> {
    fn effective_user(&self) -> String {
        self.user.address.clone()
    }

    fn active_user(&self) -> String {
        self.active.clone()
    }

    fn temporary_key(&self) -> String {
        self.temporary_key.clone()
    }

    fn memory(&self) -> RunMemory {
        self.memory.clone()
    }

    fn web_app_url(&self) -> BoxedFuture<'_, Result<Option<String>, String>> {
        Box::pin(async move {
            let is_app = |one: &Deployment| manifest::parse_stored(&one.manifest).web_app.is_some();
            let own = to_script_error(self.store.find_deployment(&self.deployment, self.user.mailbox).await)?;
            if let Some((_, own)) = own.filter(|(_, own)| is_app(own)) {
                return Ok(Some(entry_points::web_app_url(&self.base, &own.id)));
            }
            // What follows the current files is for users who can read them.
            let is_public = |one: &Deployment| one.settings.version.is_some() && is_app(one);
            let order = DeploymentOrder::ByTime(None);
            let all = to_script_error(self.store.deployments(self.scope.project, order, None, MAX_DEPLOYMENTS).await)?;
            Ok(all.items.into_iter().find(is_public).map(|one| entry_points::web_app_url(&self.base, &one.id)))
        })
    }

    fn log(&self, severity: Severity, text: String) {
        self.log.write(self.clock.now(), severity, text);
    }

    fn properties(&self, scope: Scope) -> BoxedFuture<'_, Result<BTreeMap<String, String>, String>> {
        Box::pin(async move { to_script_error(self.store.properties(self.scope_of(scope)).await) })
    }

    fn set_properties(
        &self,
        scope: Scope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
    ) -> BoxedFuture<'_, Result<(), String>> {
        Box::pin(async move {
            to_script_error(
                self.store.set_properties(self.scope_of(scope), values, replace, MAX_PROPERTIES_BYTES).await,
            )
        })
    }

    fn cached(&self, scope: Scope, names: Vec<String>) -> BoxedFuture<'_, Result<Vec<Option<String>>, String>> {
        Box::pin(async move { to_script_error(self.store.cached(self.scope_of(scope), names, self.clock.now()).await) })
    }

    fn put_cached(
        &self,
        scope: Scope,
        values: Vec<(String, Option<String>)>,
        time: Duration,
    ) -> BoxedFuture<'_, Result<(), String>> {
        let now = self.clock.now();
        let expires = now.saturating_add(time.min(MAX_CACHE_TIME));
        Box::pin(
            async move { to_script_error(self.store.put_cached(self.scope_of(scope), values, now, expires).await) },
        )
    }

    fn lock(&self, scope: Scope, wait: Duration) -> BoxedFuture<'_, Result<bool, String>> {
        Box::pin(async move {
            let deadline = tokio::time::Instant::now() + wait;
            let mut delay = MIN_RETRY_DELAY;
            loop {
                let machine = Clock::system().now();
                if to_script_error(
                    self.store.lock_script(self.scope_of(scope), self.holder, machine, self.lock_expiry).await,
                )? {
                    return Ok(true);
                }
                let left = deadline.saturating_duration_since(tokio::time::Instant::now());
                if left.is_zero() {
                    return Ok(false);
                }
                // Jitter keeps waiting runs from retrying together.
                tokio::time::sleep(delay.mul_f64(rand::random_range(0.75..1.25)).min(left)).await;
                delay = (delay * 2).min(MAX_RETRY_DELAY);
            }
        })
    }

    fn triggers(&self) -> BoxedFuture<'_, Result<Vec<TriggerInfo>, String>> {
        Box::pin(async move {
            let all = to_script_error(self.store.triggers(self.scope.project).await)?;
            Ok(all.into_iter().filter(|one| one.settings.user == self.user.mailbox).map(to_host_trigger).collect())
        })
    }

    fn add_trigger(&self, function: String, schedule: Schedule) -> BoxedFuture<'_, Result<TriggerInfo, String>> {
        Box::pin(async move {
            // The trigger runs with the full authority of the user, which a token with fewer scopes must not obtain.
            if !TRIGGER_SCOPES.iter().all(|scope| self.authority.allows(&[scope])) {
                return Err(crate::authority::missing_scope("triggers, which require those of mail and calendars"));
            }
            if self.authority.is_service_account() {
                return Err("a service account cannot create triggers, because they run as its user".to_owned());
            }
            let (project, user) = (self.scope.project, self.user.mailbox);
            // A web app also runs for users that its project is not shared with; their triggers would not run.
            if !matches!(to_script_error(self.store.find_project_by_number(project, user).await)?, Some((_, Some(_)))) {
                return Err("only users with access to the script can have triggers".to_owned());
            }
            let (of, schedule) = ((project, &self.user), (schedule, self.time_zone.as_str()));
            to_script_error(triggers::add_trigger(&self.store, self.clock.now(), of, function, schedule).await?)
                .map(to_host_trigger)
        })
    }

    fn remove_trigger(&self, id: String) -> BoxedFuture<'_, Result<(), String>> {
        Box::pin(async move {
            let removed = to_script_error(self.store.remove_trigger(self.scope.project, self.user.mailbox, &id).await)?;
            if removed { Ok(()) } else { Err(format!("trigger `{id}` not found")) }
        })
    }

    fn calendar(&self, method: String, arguments: Value) -> BoxedFuture<'_, Result<Value, String>> {
        Box::pin(async move { apis::calendar::call(&self.store, &self.client()?, &method, arguments).await })
    }

    fn mail(&self, method: String, arguments: Value) -> BoxedFuture<'_, Result<Value, String>> {
        Box::pin(async move { apis::mail::call(&self.store, &self.client()?, &method, arguments).await })
    }

    fn unlock(&self, scope: Scope) -> BoxedFuture<'_, Result<(), String>> {
        Box::pin(async move { to_script_error(self.store.unlock_script(self.scope_of(scope), self.holder).await) })
    }
}
