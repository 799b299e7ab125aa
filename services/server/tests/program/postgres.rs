//! Tests of the program on a PostgreSQL database, on the server that `WIREFORM_TEST_POSTGRES` names.

use reqwest::StatusCode;

use crate::mail::{history, insert, profile};
use crate::program::{Home, program};

pub async fn execute(server: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(server, tokio_postgres::NoTls).await.expect("a response");
    let connection = tokio::spawn(connection);
    client.batch_execute(sql).await.expect("the statement runs");
    drop(client);
    drop(connection.await);
}

/// Returns the URL of another database on the same server.
pub fn address(server: &str, database: &str) -> String {
    let (before, parameters) = server.split_once('?').unwrap_or((server, ""));
    let start = before.find("://").map_or(0, |at| at + 3);
    let end = before[start..].find('/').map_or(before.len(), |at| start + at);
    format!("{}/{database}?{parameters}", &before[..end])
}

#[tokio::test]
async fn everything_is_kept_in_the_database() {
    let Ok(lent) = std::env::var("WIREFORM_TEST_POSTGRES") else {
        eprintln!("skipped: WIREFORM_TEST_POSTGRES does not name a server");
        return;
    };
    let database = format!("wireform_program_{}", std::process::id());
    execute(&lent, &format!("CREATE DATABASE {database}")).await;
    let url = address(&lent, &database);

    let home = Home::new();
    let server = home.serve_with(&[], &[("WIREFORM_STORE", &url)]);
    assert!(!home.data().exists(), "the folder is not used");
    let start = profile(&server).await["historyId"].clone();
    insert(&server, "kept").await;
    let listed = program().args(["users", "list"]).env("WIREFORM_STORE", &url).output().expect("it runs");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("me@localhost"));
    let copied = program().args(["backup", "copy"]).env("WIREFORM_STORE", &url).output().expect("it runs");
    assert!(String::from_utf8_lossy(&copied.stderr).contains("pg_dump"));
    server.stop();
    let server = home.serve_with(&[], &[("WIREFORM_STORE", &url)]);
    let (status, changes) = history(&server, &start).await;
    assert_eq!((status, changes["history"].as_array().map(Vec::len)), (StatusCode::OK, Some(1)));
    server.stop();
    execute(&lent, &format!("DROP DATABASE {database} WITH (FORCE)")).await;
}
