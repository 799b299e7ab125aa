//! Tests with databases that go back to an earlier state. A test cannot make a server do that, so it makes the store
//! believe that the server was ahead before.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::observer::Observation;
use super::{Postgres, PostgresOptions};
use crate::{Epoch, Maintenance as _};

/// Schema of a test.
struct Schema {
    external_client: tokio_postgres::Client,
    name: String,
    url: String,
}

impl Schema {
    /// Creates a schema; returns `None` without a server.
    async fn new() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(base) = std::env::var("WIREFORM_TEST_POSTGRES") else {
            println!("passed over: WIREFORM_TEST_POSTGRES names no server");
            return None;
        };
        let name = format!("setbacks_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let separator = if base.contains('?') { '&' } else { '?' };
        let address = format!("{base}{separator}options=-c%20search_path%3D{name}&application_name={name}");
        let (external_client, connection) = tokio_postgres::connect(&base, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        external_client.batch_execute(&format!("CREATE SCHEMA {name}")).await.unwrap();
        Some(Self { external_client, name, url: address })
    }

    /// Opens a store with a single connection in the schema.
    async fn open(&self) -> Postgres {
        let options = PostgresOptions { connections: 1, ..PostgresOptions::default() };
        Postgres::open(&self.url, options).await.unwrap()
    }

    /// Closes the connections of the stores, like a server restart.
    async fn end_connections(&self) {
        let end = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name = $1";
        self.external_client.query_one(end, &[&self.name]).await.unwrap();
    }

    async fn drop(self) {
        self.end_connections().await;
        self.external_client.batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name)).await.unwrap();
    }
}

/// Returns the latest observation of a store.
fn last(store: &Postgres) -> Observation {
    store.0.observer.last().expect("the store was checked when it was opened")
}

/// Makes the store believe that it saw more of the log than exists.
fn advance(store: &Postgres) {
    store.0.observer.record(Observation { position: Some(i64::MAX), ..last(store) });
}

async fn epoch(store: &Postgres) -> Epoch {
    store.epoch().await.unwrap()
}

#[tokio::test]
async fn a_shorter_server_log_begins_a_new_epoch() {
    let Some(schema) = Schema::new().await else { return };
    let store = schema.open().await;
    let before = epoch(&store).await;
    schema.end_connections().await;
    assert_eq!(epoch(&store).await, before, "a restart is no restore");
    advance(&store);
    schema.end_connections().await;
    let begun = epoch(&store).await;
    assert_ne!(begun, before);
    schema.end_connections().await;
    assert_eq!(epoch(&store).await, begun, "one new epoch is enough");
    schema.drop().await;
}

#[tokio::test]
async fn one_of_several_processes_begins_the_epoch() {
    let Some(schema) = Schema::new().await else { return };
    let stores = [schema.open().await, schema.open().await];
    let before = epoch(&stores[0]).await;
    stores.iter().for_each(advance);
    schema.end_connections().await;
    let begun = epoch(&stores[0]).await;
    assert_ne!(begun, before);
    assert_eq!(epoch(&stores[1]).await, begun);
    schema.drop().await;
}

/// Simulates a database that has lost an epoch which the store has seen.
#[tokio::test]
async fn a_lost_epoch_is_detected_regardless_of_the_log() {
    let Some(schema) = Schema::new().await else { return };
    let store = schema.open().await;
    let before = epoch(&store).await;
    let lost = before.stored() + (1 << 40);
    store.0.observer.record(Observation { epoch: Some(lost), ..last(&store) });
    schema.end_connections().await;
    assert!(epoch(&store).await.stored() > lost);
    schema.drop().await;
}

/// Runs on one thread, so that the clock can be moved.
#[tokio::test]
async fn the_log_is_observed_periodically() {
    let Some(schema) = Schema::new().await else { return };
    let store = schema.open().await;
    let opened = last(&store).position;
    // Test servers may run without synchronous commits.
    schema.external_client.batch_execute("SET synchronous_commit = on").await.unwrap();
    let write = format!("CREATE TABLE {}.more AS SELECT generate_series(1, 1000)", schema.name);
    schema.external_client.batch_execute(&write).await.unwrap();
    epoch(&store).await;
    assert_eq!(last(&store).position, opened);
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(10)).await;
    tokio::time::resume();
    epoch(&store).await;
    assert!(last(&store).position > opened);
    schema.drop().await;
}
