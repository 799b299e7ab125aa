//! What scripts can ask of the service while they run: properties, caches, locks, who runs them.

use std::collections::BTreeMap;

use std::time::Duration;

use wireform_store::{Clock, Millis, ScriptScope, Store, User};

use crate::engine::Boxed;

/// The properties of a script or of a user of it have at most so many bytes together.
const PROPERTIES: usize = 500 << 10;
/// The longest that something is cached.
const CACHED: Duration = Duration::from_secs(6 * 60 * 60);
/// How long a script waits between two looks at a lock.
const LOOK: Duration = Duration::from_millis(50);

/// Whose properties, cache or lock is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those of all users of the script.
    Script,
    /// Those of the user who runs it.
    User,
}

/// What a run is answered. An error is an exception in the script, and its text what that says.
pub trait Host: Send + Sync {
    /// The address of the user as whom the script runs.
    fn effective_user(&self) -> String;
    /// The identifier of the script.
    fn script_id(&self) -> String;

    /// All properties.
    fn properties(&self, scope: Scope) -> Boxed<'_, Result<BTreeMap<String, String>, String>>;
    /// Sets properties, and removes those without a value; all and no others with `replace`.
    fn set_properties(
        &self,
        scope: Scope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
    ) -> Boxed<'_, Result<(), String>>;
    /// What is cached under names.
    fn cached(&self, scope: Scope, names: Vec<String>) -> Boxed<'_, Result<Vec<Option<String>>, String>>;
    /// Caches values for so long, or removes them.
    fn put_cached(
        &self,
        scope: Scope,
        values: Vec<(String, Option<String>)>,
        time: Duration,
    ) -> Boxed<'_, Result<(), String>>;
    /// Waits for a lock; returns whether it was free in time.
    fn lock(&self, scope: Scope, wait: Duration) -> Boxed<'_, Result<bool, String>>;
    /// Gives a lock back.
    fn unlock(&self, scope: Scope) -> Boxed<'_, Result<(), String>>;
}

/// The host of one run, on a store.
pub(crate) struct StoreHost<S> {
    pub(crate) store: S,
    pub(crate) clock: Clock,
    pub(crate) script: String,
    pub(crate) scope: ScriptScope,
    pub(crate) user: User,
    /// By this the run has locks.
    pub(crate) holder: i64,
    /// Until when it has them at most, by the machine's clock.
    pub(crate) until: Millis,
}

impl<S> StoreHost<S> {
    fn of(&self, scope: Scope) -> ScriptScope {
        let user = (scope == Scope::User).then_some(self.user.mailbox);
        ScriptScope { user, ..self.scope }
    }
}

impl<S: Store> StoreHost<S> {
    /// Gives all locks back that the run has.
    pub(crate) async fn end(&self) {
        for scope in [Scope::Script, Scope::User] {
            if let Err(error) = self.store.unlock_script(self.of(scope), self.holder).await {
                tracing::warn!(cause = %error, "a lock of a script was not given back; it ends by itself");
            }
        }
    }
}

fn told<T>(result: wireform_store::Result<T>) -> Result<T, String> {
    result.map_err(|error| match error {
        wireform_store::Error::Refused(message) => message,
        other => {
            tracing::warn!(cause = %other, "what a script asked for failed");
            "the service is not available at the moment".to_owned()
        }
    })
}

impl<S: Store> Host for StoreHost<S> {
    fn effective_user(&self) -> String {
        self.user.address.clone()
    }

    fn script_id(&self) -> String {
        self.script.clone()
    }

    fn properties(&self, scope: Scope) -> Boxed<'_, Result<BTreeMap<String, String>, String>> {
        Box::pin(async move { told(self.store.properties(self.of(scope)).await) })
    }

    fn set_properties(
        &self,
        scope: Scope,
        values: BTreeMap<String, Option<String>>,
        replace: bool,
    ) -> Boxed<'_, Result<(), String>> {
        Box::pin(async move { told(self.store.set_properties(self.of(scope), values, replace, PROPERTIES).await) })
    }

    fn cached(&self, scope: Scope, names: Vec<String>) -> Boxed<'_, Result<Vec<Option<String>>, String>> {
        Box::pin(async move { told(self.store.cached(self.of(scope), names, self.clock.now()).await) })
    }

    fn put_cached(
        &self,
        scope: Scope,
        values: Vec<(String, Option<String>)>,
        time: Duration,
    ) -> Boxed<'_, Result<(), String>> {
        let expires = self.clock.now().after(time.min(CACHED));
        Box::pin(async move { told(self.store.put_cached(self.of(scope), values, expires).await) })
    }

    fn lock(&self, scope: Scope, wait: Duration) -> Boxed<'_, Result<bool, String>> {
        Box::pin(async move {
            let deadline = tokio::time::Instant::now() + wait;
            loop {
                let machine = Clock::system().now();
                if told(self.store.lock_script(self.of(scope), self.holder, machine, self.until).await)? {
                    return Ok(true);
                }
                if tokio::time::Instant::now() + LOOK > deadline {
                    return Ok(false);
                }
                tokio::time::sleep(LOOK).await;
            }
        })
    }

    fn unlock(&self, scope: Scope) -> Boxed<'_, Result<(), String>> {
        Box::pin(async move { told(self.store.unlock_script(self.of(scope), self.holder).await) })
    }
}
