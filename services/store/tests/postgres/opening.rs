//! Tests of opening databases.

use futures_util::future::join_all;
use wireform_store::{Error, Postgres, PostgresOptions, Unavailable};

use crate::place::TestSchema;

const VERSIONS: &str = "SELECT count(*) FROM migrations";

#[tokio::test]
async fn several_processes_can_migrate_at_once() {
    let Some(place) = TestSchema::new().await else { return };
    let address = place.address();
    let opened = join_all((0..6).map(|_| Postgres::open(&address, PostgresOptions::default()))).await;
    for store in opened {
        store.unwrap();
    }
    let steps = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres")).unwrap().count();
    assert_eq!(usize::try_from(place.number(VERSIONS).await), Ok(steps));
}

#[tokio::test]
async fn an_up_to_date_store_needs_no_privilege_to_create_tables() {
    let Some(place) = TestSchema::new().await else { return };
    drop(place.open().await);
    let read_only = place.address_with("default_transaction_read_only%3Don");
    Postgres::open(&read_only, PostgresOptions::default()).await.unwrap();
}

#[tokio::test]
async fn a_missing_privilege_is_reported() {
    let Some(place) = TestSchema::new().await else { return };
    let role = format!("{}_reader", place.schema());
    let make = format!("CREATE ROLE {role}; GRANT USAGE ON SCHEMA {} TO {role}", place.schema());
    place.client.batch_execute(&make).await.unwrap();
    let error = Postgres::open(&place.address_with(&format!("role%3D{role}")), PostgresOptions::default()).await;
    place.client.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();
    let error = error.map(drop).unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("grant CREATE")), "{error:?}");
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_refused() {
    let Some(place) = TestSchema::new().await else { return };
    drop(place.open().await);
    place.client.batch_execute("INSERT INTO migrations (version, name) VALUES (99, 'later')").await.unwrap();
    let error = Postgres::open(&place.address(), PostgresOptions::default()).await.unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("version 99")), "{error:?}");
}

#[tokio::test]
async fn authentication_errors_omit_the_password() {
    let Some(place) = TestSchema::new().await else { return };
    let address = place.address();
    let (_, rest) = address.split_once('@').unwrap();
    let wrong = format!("postgres://nobody_of_that_name:s3cret@{rest}");
    let error = Postgres::open(&wrong, PostgresOptions::default()).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::Unreachable(_))), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("s3cret"), "{error:?}");
    assert!(error.to_string().contains("nobody_of_that_name"), "{error}");
}

#[tokio::test]
async fn an_absent_server_is_unreachable() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let address = format!("postgres://me:s3cret@{free}/mail");
    let error = Postgres::open(&address, PostgresOptions::default()).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::Unreachable(_))), "{error:?}");
    assert!(!format!("{error:?} {error}").contains("s3cret"), "{error:?}");
}
