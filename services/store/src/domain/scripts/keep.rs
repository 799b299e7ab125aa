//! What scripts keep: properties, caches, locks.

use std::collections::BTreeMap;

use super::{projects, sql};
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Error, Millis, Result, ScriptScope};

/// So many values that have expired are removed at once.
const PIECE: i64 = 1_000;

fn key(scope: ScriptScope) -> [Value; 2] {
    // No user has the number 0.
    [scope.project.0.into(), scope.user.map_or(0, |user| user.0).into()]
}

fn named(scope: ScriptScope, name: &str) -> Vec<Value> {
    key(scope).into_iter().chain([texts::clean(name.to_owned()).into()]).collect()
}

async fn properties<S: Session>(session: &mut S, scope: ScriptScope) -> Result<BTreeMap<String, String>> {
    let rows = session.rows(sql::PROPERTIES, &key(scope)).await?;
    rows.into_iter().map(|mut row| Ok((row.text(0)?, row.text(1)?))).collect()
}

pub(super) struct ReadProperties(pub(super) ScriptScope);

impl Operation for ReadProperties {
    type Output = BTreeMap<String, String>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<BTreeMap<String, String>> {
        properties(session, self.0).await
    }
}

pub(super) struct SetProperties {
    pub(super) scope: ScriptScope,
    pub(super) values: BTreeMap<String, Option<String>>,
    pub(super) replace: bool,
    pub(super) limit: usize,
}

impl Operation for SetProperties {
    type Output = ();
    const ACCESS: Access = Access::Write;

    /// The project is locked, so that the limit holds.
    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let Self { scope, values, replace, limit } = self;
        projects::lock(session, scope.project).await?;
        let old = properties(session, scope).await?;
        let mut new = if replace { BTreeMap::new() } else { old.clone() };
        for (name, value) in values {
            match (texts::clean(name), value.map(texts::clean)) {
                (name, Some(value)) => drop(new.insert(name, value)),
                (name, None) => drop(new.remove(&name)),
            }
        }
        if new.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() > limit {
            return Err(Error::Refused(format!("the properties have at most {limit} bytes together")));
        }
        let gone: Vec<_> = old.keys().filter(|name| !new.contains_key(*name)).map(|name| named(scope, name)).collect();
        session.run_each(sql::PROPERTY_DROP, &gone).await?;
        let changed = new.into_iter().filter(|(name, value)| old.get(name) != Some(value));
        let set: Vec<_> = changed
            .map(|(name, value)| named(scope, &name).into_iter().chain([Value::from(value)]).collect())
            .collect();
        session.run_each(sql::PROPERTY_SET, &set).await?;
        Ok(())
    }
}

pub(super) struct ReadCached(pub(super) ScriptScope, pub(super) Vec<String>, pub(super) Millis);

impl Operation for ReadCached {
    type Output = Vec<Option<String>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Option<String>>> {
        let Self(scope, names, now) = self;
        let keys: Vec<Vec<Value>> =
            names.iter().map(|name| named(scope, name).into_iter().chain([now.0.into()]).collect()).collect();
        let found = session.rows_of_each(sql::CACHED, &keys).await?;
        found.into_iter().map(|mut rows| rows.first_mut().map(|row| row.text(0)).transpose()).collect()
    }
}

pub(super) struct PutCached {
    pub(super) scope: ScriptScope,
    pub(super) values: Vec<(String, Option<String>)>,
    pub(super) expires: Millis,
}

impl Operation for PutCached {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        projects::at(session, self.scope.project).await?;
        for (name, value) in self.values {
            let mut values = named(self.scope, &name);
            match value {
                None => session.run(sql::CACHED_DROP, &values).await?,
                Some(value) => {
                    values.extend([texts::clean(value).into(), self.expires.0.into()]);
                    session.run(sql::CACHED_SET, &values).await?
                }
            };
        }
        Ok(())
    }
}

/// Some values of caches that have expired.
pub(in crate::domain) struct ForgetCached(pub(in crate::domain) Millis);

impl Operation for ForgetCached {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let old = session.rows(sql::CACHED_OLD, &[self.0.0.into(), PIECE.into()]).await?;
        let keys: Vec<_> = old.into_iter().map(|row| row.0).collect();
        session.run_each(sql::CACHED_DROP, &keys).await?;
        Ok(())
    }
}

pub(super) struct TakeLock {
    pub(super) scope: ScriptScope,
    pub(super) holder: i64,
    pub(super) machine: Millis,
    pub(super) until: Millis,
}

impl Operation for TakeLock {
    type Output = bool;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<bool> {
        let [project, user] = key(self.scope);
        let values = [project, user, self.holder.into(), self.machine.0.into(), self.until.0.into()];
        Ok(session.run(sql::LOCK_TAKE, &values).await? > 0)
    }
}

pub(super) struct GiveLock(pub(super) ScriptScope, pub(super) i64);

impl Operation for GiveLock {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let [project, user] = key(self.0);
        session.run(sql::LOCK_GIVE, &[project, user, self.1.into()]).await?;
        Ok(())
    }
}
