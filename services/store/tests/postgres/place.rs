//! Schema for each test, in the database that `WIREFORM_TEST_POSTGRES` names.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio_postgres::NoTls;
use wireform_store::{Postgres, PostgresOptions};

/// Schema with the tables of a test.
pub struct TestSchema {
    base: String,
    schema: String,
    /// Connection of another user of the database.
    pub client: tokio_postgres::Client,
}

impl TestSchema {
    /// Creates a schema. Returns `None`, and prints a note, if there is no server to test with.
    pub async fn new() -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let Ok(base) = std::env::var("WIREFORM_TEST_POSTGRES") else {
            println!("passed over: WIREFORM_TEST_POSTGRES names no server");
            return None;
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("alone_{}_{number}", std::process::id());
        let client = connect(&with_schema(&base, &schema)).await;
        client.batch_execute(&format!("CREATE SCHEMA {schema}")).await.unwrap();
        Some(Self { base, schema, client })
    }

    /// Returns the URL of the schema, with a name that the server shows for its connections.
    pub fn address(&self) -> String {
        format!("{}&application_name={}", with_schema(&self.base, &self.schema), self.schema)
    }

    /// Returns the URL with a setting of the connections: `name%3Dvalue`.
    pub fn address_with(&self, setting: &str) -> String {
        self.address().replace("options=", &format!("options=-c%20{setting}%20"))
    }

    /// Returns the name of the schema.
    pub fn schema(&self) -> &str {
        &self.schema
    }

    pub async fn open(&self) -> Postgres {
        self.open_with(PostgresOptions::default()).await
    }

    pub async fn open_with(&self, options: PostgresOptions) -> Postgres {
        Postgres::open(&self.address(), options).await.unwrap()
    }

    /// Opens another connection of another user.
    pub async fn open_another(&self) -> tokio_postgres::Client {
        connect(&with_schema(&self.base, &self.schema)).await
    }

    /// Ends the connections of the store, as a server restart does; returns their number.
    pub async fn kill(&self) -> i64 {
        let kill = "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE application_name = $1";
        self.client.query_one(kill, &[&self.schema]).await.unwrap().get(0)
    }

    /// Returns a number, read on the connection of the other user.
    pub async fn number(&self, sql: &str) -> i64 {
        self.client.query_one(sql, &[]).await.unwrap().get(0)
    }

    /// Waits until a connection of the store waits for a lock.
    pub async fn wait_until_blocked(&self) {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'";
        while self.client.query_one(waiting, &[&self.schema]).await.unwrap().get::<_, i64>(0) == 0 {
            tokio::task::yield_now().await;
        }
    }
}

impl Drop for TestSchema {
    fn drop(&mut self) {
        // On a separate connection: that of the other user may be in the middle of a transaction.
        let (address, drop) = (self.base.clone(), format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema));
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { connect(&address).await.batch_execute(&drop).await })
        });
        // A failed test may have left a lock; its own failure is what counts.
        let _ = dropped.join();
    }
}

fn with_schema(base: &str, schema: &str) -> String {
    let separator = if base.contains('?') { '&' } else { '?' };
    format!("{base}{separator}options=-c%20search_path%3D{schema}")
}

async fn connect(address: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}
