//! Locations of the stores of tests.

use tempfile::TempDir;
use wireform_store::{AnyStore, Maintenance as _, Postgres, PostgresOptions, Sqlite, SqliteOptions};

/// Location of a test's store, empty at first.
pub(crate) enum Place {
    Sqlite(TempDir),
    Postgres { server: String, database: String },
}

impl Place {
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().expect("a folder is made"))
    }

    /// Creates a database; returns `None` if there is no server.
    pub(crate) async fn postgres() -> Option<Self> {
        let Ok(server) = std::env::var("WIREFORM_TEST_POSTGRES") else {
            eprintln!("skipped: WIREFORM_TEST_POSTGRES does not name a server");
            return None;
        };
        let database = format!("wireform_test_{:016x}", rand::random::<u64>());
        run(&server, &format!("CREATE DATABASE {database}")).await;
        Some(Self::Postgres { server, database })
    }

    /// Opens the store; may be called several times.
    pub(crate) async fn store(&self) -> AnyStore {
        match self {
            Self::Sqlite(folder) => {
                AnyStore::Sqlite(Sqlite::open(folder.path(), SqliteOptions::default()).expect("the store opens"))
            }
            Self::Postgres { server, database } => {
                let mut options = PostgresOptions::default();
                options.connections = 6;
                AnyStore::Postgres(Postgres::open(&address(server, database), options).await.expect("the store opens"))
            }
        }
    }

    /// Removes the store.
    pub(crate) async fn end(self, store: AnyStore) {
        store.close().await;
        if let Self::Postgres { server, database } = self {
            run(&server, &format!("DROP DATABASE IF EXISTS {database} WITH (FORCE)")).await;
        }
    }
}

/// Returns the URL of another database on the same server.
pub(crate) fn address(server: &str, database: &str) -> String {
    let (before, parameters) = server.split_once('?').map_or((server, None), |(a, b)| (a, Some(b)));
    let start = before.find("://").map_or(0, |at| at + 3);
    let base = before[start..].find('/').map_or(before, |at| &before[..start + at]);
    parameters.map_or_else(|| format!("{base}/{database}"), |text| format!("{base}/{database}?{text}"))
}

pub(crate) async fn run(server: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await.expect("a response");
    let task = tokio::spawn(connection);
    client.batch_execute(sql).await.expect("the statement runs");
    drop(client);
    drop(task.await);
}

/// Defines tests that run on each database: `async fn name(store) { … }`.
macro_rules! on_each_database {
    ($($(#[$doc:meta])* async fn $name:ident($store:ident, $place:ident) $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;

            async fn holds(
                $store: &wireform_store::AnyStore,
                #[allow(unused_variables, reason = "most tests open the store once")] $place: &crate::place::Place,
            ) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let place = crate::place::Place::sqlite();
                let store = place.store().await;
                holds(&store, &place).await;
                place.end(store).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let Some(place) = crate::place::Place::postgres().await else { return };
                let store = place.store().await;
                holds(&store, &place).await;
                place.end(store).await;
            }
        }
    )*};
}

pub(crate) use on_each_database;
