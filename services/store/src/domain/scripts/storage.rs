//! Data of scripts: properties, caches and locks.

use std::collections::BTreeMap;

use super::{project, sql};
use crate::domain::{texts, user};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Error, Millis, Result, ScriptScope};

/// Maximum number of expired values removed per step.
const MAX_REMOVED: i64 = 1_000;
/// Maximum length of the name of a cached value, in bytes.
const MAX_NAME_LENGTH: usize = 250;
/// Maximum length of a cached value, in bytes.
const MAX_VALUE_LENGTH: usize = 100 << 10;
/// Maximum number of names per call.
const MAX_NAMES: usize = 100;
/// Maximum number of cached values for a script, or for a user of it.
const MAX_VALUES: i64 = 1_000;

fn scope_key(scope: ScriptScope) -> [Value; 2] {
    // No user has the number 0.
    [scope.project.0.into(), scope.user.map_or(0, |user| user.0).into()]
}

fn named_key(scope: ScriptScope, name: &str) -> Vec<Value> {
    scope_key(scope).into_iter().chain([texts::replace_nul(name.to_owned()).into()]).collect()
}

/// Checks that the user of a scope, if any, has not been removed: a run can outlive its user.
async fn require_user<S: Session>(session: &mut S, scope: ScriptScope) -> Result<()> {
    match scope.user {
        Some(user) => user::require(session, user).await.map(drop),
        None => Ok(()),
    }
}

/// Checks the number and the lengths of names of cached values.
fn check_names<'n>(mut names: impl ExactSizeIterator<Item = &'n String>) -> Result<()> {
    if names.len() > MAX_NAMES {
        return Err(Error::Refused(format!("a request to the cache can have at most {MAX_NAMES} keys")));
    }
    if names.any(|name| name.len() > MAX_NAME_LENGTH) {
        return Err(Error::Refused(format!("a cache key can have at most {MAX_NAME_LENGTH} bytes")));
    }
    Ok(())
}

async fn read_properties<S: Session>(session: &mut S, scope: ScriptScope) -> Result<BTreeMap<String, String>> {
    let rows = session.rows(sql::PROPERTIES, &scope_key(scope)).await?;
    rows.into_iter().map(|mut row| Ok((row.text(0)?, row.text(1)?))).collect()
}

/// Reads the properties of a script, or of a user of it.
pub(super) struct ReadProperties(pub(super) ScriptScope);

impl Operation for ReadProperties {
    type Output = BTreeMap<String, String>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<BTreeMap<String, String>> {
        read_properties(session, self.0).await
    }
}

/// Sets properties, and removes those without a value; with `replace`, also all others.
pub(super) struct SetProperties {
    pub(super) scope: ScriptScope,
    pub(super) values: BTreeMap<String, Option<String>>,
    pub(super) replace: bool,
    pub(super) limit: usize,
}

impl Operation for SetProperties {
    type Output = ();
    const ACCESS: Access = Access::Write;

    /// Locks the project, so that the limit holds.
    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self { scope, values, replace, limit } = self;
        project::lock(session, scope.project).await?;
        require_user(session, scope).await?;
        let old = read_properties(session, scope).await?;
        let mut new = if replace { BTreeMap::new() } else { old.clone() };
        for (name, value) in values {
            match (texts::replace_nul(name), value.map(texts::replace_nul)) {
                (name, Some(value)) => drop(new.insert(name, value)),
                (name, None) => drop(new.remove(&name)),
            }
        }
        if new.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() > limit {
            return Err(Error::Refused(format!("properties can have at most {limit} bytes in total")));
        }
        let removed: Vec<_> =
            old.keys().filter(|name| !new.contains_key(*name)).map(|name| named_key(scope, name)).collect();
        session.run_each(sql::PROPERTY_DROP, &removed).await?;
        let changed = new.into_iter().filter(|(name, value)| old.get(name) != Some(value));
        let set: Vec<_> = changed
            .map(|(name, value)| named_key(scope, &name).into_iter().chain([Value::from(value)]).collect())
            .collect();
        session.run_each(sql::PROPERTY_SET, &set).await?;
        Ok(())
    }
}

/// Reads cached values by name; `None` for each that is missing or has expired.
pub(super) struct ReadCached(pub(super) ScriptScope, pub(super) Vec<String>, pub(super) Millis);

impl Operation for ReadCached {
    type Output = Vec<Option<String>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Option<String>>> {
        let Self(scope, names, now) = self;
        check_names(names.iter())?;
        let keys: Vec<Vec<Value>> =
            names.iter().map(|name| named_key(scope, name).into_iter().chain([now.0.into()]).collect()).collect();
        let found = session.rows_of_each(sql::CACHED, &keys).await?;
        found.into_iter().map(|mut rows| rows.first_mut().map(|row| row.text(0)).transpose()).collect()
    }
}

/// Caches values until they expire, and removes those given as `None`.
pub(super) struct PutCached {
    pub(super) scope: ScriptScope,
    pub(super) values: Vec<(String, Option<String>)>,
    pub(super) now: Millis,
    pub(super) expires: Millis,
}

impl Operation for PutCached {
    type Output = ();
    const ACCESS: Access = Access::Write;

    /// Locks the project, so that the limit holds.
    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self { scope, values, now, expires } = self;
        check_names(values.iter().map(|(name, _)| name))?;
        if values.iter().any(|(_, value)| value.as_ref().is_some_and(|value| value.len() > MAX_VALUE_LENGTH)) {
            return Err(Error::Refused(format!("a cached value can have at most {MAX_VALUE_LENGTH} bytes")));
        }
        project::lock(session, scope.project).await?;
        require_user(session, scope).await?;
        for (name, value) in values {
            let mut values = named_key(scope, &name);
            match value {
                None => session.run(sql::CACHED_DROP, &values).await?,
                Some(value) => {
                    values.extend([texts::replace_nul(value).into(), expires.0.into()]);
                    session.run(sql::CACHED_SET, &values).await?
                }
            };
        }
        let [project, user] = scope_key(scope);
        let rows = session.rows(sql::CACHED_COUNT, &[project, user, now.0.into()]).await?;
        if rows.first().map(|row| row.int(0)).transpose()?.unwrap_or_default() > MAX_VALUES {
            return Err(Error::Refused(format!("a cache can have at most {MAX_VALUES} values: remove one first")));
        }
        Ok(())
    }
}

/// Removes some expired values of caches.
pub(in crate::domain) struct DeleteExpiredCached(pub(in crate::domain) Millis);

impl Operation for DeleteExpiredCached {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let old = session.rows(sql::CACHED_OLD, &[self.0.0.into(), MAX_REMOVED.into()]).await?;
        let keys: Vec<_> = old.into_iter().map(|row| row.0).collect();
        session.run_each(sql::CACHED_DROP, &keys).await?;
        Ok(())
    }
}

/// Takes or renews the lock of a scope until a time; returns false if another holder has it.
pub(super) struct AcquireLock {
    pub(super) scope: ScriptScope,
    pub(super) holder: i64,
    pub(super) system_time: Millis,
    pub(super) until: Millis,
}

impl Operation for AcquireLock {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        project::load(session, self.scope.project).await?;
        require_user(session, self.scope).await?;
        let [project, user] = scope_key(self.scope);
        let values = [project, user, self.holder.into(), self.system_time.0.into(), self.until.0.into()];
        Ok(session.run(sql::LOCK_TAKE, &values).await? > 0)
    }
}

/// Releases the lock of a scope, if this holder has it.
pub(super) struct ReleaseLock(pub(super) ScriptScope, pub(super) i64);

impl Operation for ReleaseLock {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let [project, user] = scope_key(self.0);
        session.run(sql::LOCK_GIVE, &[project, user, self.1.into()]).await?;
        Ok(())
    }
}
