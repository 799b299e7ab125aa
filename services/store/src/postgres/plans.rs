//! Query plans of the statements of the domain.

use tokio_postgres::SimpleQueryMessage;

use super::translate::Translations;
use super::{Postgres, PostgresOptions, identity};
use crate::domain::{scripts, sql};

/// Plan nodes that read more rows than needed, or read all rows before returning the first one.
const UNWANTED: [&str; 6] = ["Seq Scan", "Sort", "Bitmap", "Hash", "Merge", "Materialize"];

/// Uses empty tables without statistics, as in a new store.
#[tokio::test]
async fn every_statement_walks_an_index() {
    let Ok(base) = std::env::var("WIREFORM_TEST_POSTGRES") else {
        println!("passed over: WIREFORM_TEST_POSTGRES names no server");
        return;
    };
    let schema = format!("plans_{}", std::process::id());
    let separator = if base.contains('?') { '&' } else { '?' };
    let address = format!("{base}{separator}options=-c%20search_path%3D{schema}");
    let (external_client, connection) = tokio_postgres::connect(&base, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    external_client.batch_execute(&format!("CREATE SCHEMA {schema}")).await.unwrap();
    let store = Postgres::open(&address, PostgresOptions::default()).await.unwrap();

    let client = store.0.pool.get().await.unwrap();
    let tables = client
        .query(
            "SELECT relname::text FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace \
        WHERE n.nspname = current_schema() AND relkind = 'r' ORDER BY relname COLLATE \"C\"",
            &[],
        )
        .await
        .unwrap();
    let tables: Vec<String> = tables.iter().map(|row| row.get(0)).collect();
    assert_eq!(tables, identity::TABLES, "a new table belongs there");
    let mut wrong = Vec::new();
    for (name, statement) in sql::ALL.iter().chain(sql::entries::ALL).chain(scripts::sql::ALL) {
        let plan = plan(&client, name, statement).await;
        if UNWANTED.iter().any(|what| plan.contains(what)) {
            wrong.push(format!("{name}: {statement}\n{plan}"));
        }
    }
    external_client.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).await.unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the generic plan, for all values.
async fn plan(client: &deadpool_postgres::Client, name: &str, statement: &str) -> String {
    let translated = Translations::default().get(statement);
    let values = client.prepare(&translated).await.unwrap_or_else(|error| panic!("{name}: {error:?}")).params().len();
    let values = vec!["NULL"; values].join(", ");
    let execute = if values.is_empty() { format!("the_{name}") } else { format!("the_{name} ({values})") };
    client.batch_execute(&format!("PREPARE the_{name} AS {translated}")).await.unwrap();
    let lines = client.simple_query(&format!("EXPLAIN (COSTS OFF) EXECUTE {execute}")).await.unwrap();
    let line = |message: SimpleQueryMessage| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(|line| format!("  {line}\n")),
        _ => None,
    };
    lines.into_iter().filter_map(line).collect()
}
