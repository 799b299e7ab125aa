//! Tests of transactions: isolation, rollback and shutdown.

use futures_util::future::join_all;
use tokio::sync::oneshot;
use wireform_store::{Backend as _, Error, Postgres, PostgresOptions, Unavailable};

use crate::place::TestSchema;
use crate::steps::{Step, numbers, read, scan, write};

const LOCK: &str = "SELECT number FROM counter WHERE id = 1 FOR UPDATE";
const SELECT: &str = "SELECT number FROM counter WHERE id = 1";
const ADD: &str = "UPDATE counter SET number = number + 1 WHERE id = 1";

async fn store(place: &TestSchema, options: PostgresOptions) -> Postgres {
    let store = place.open_with(options).await;
    let table = "CREATE TABLE IF NOT EXISTS counter (id BIGINT PRIMARY KEY, number BIGINT NOT NULL); \
        INSERT INTO counter VALUES (1, 0) ON CONFLICT DO NOTHING";
    place.client.batch_execute(table).await.unwrap();
    store
}

fn rows(sql: &'static str) -> Step {
    Step::Rows(sql, vec![])
}

fn run(sql: &'static str) -> Step {
    Step::Run(sql, vec![])
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_of_two_pools_to_a_row_are_serialized() {
    let Some(place) = TestSchema::new().await else { return };
    let stores = [store(&place, PostgresOptions::default()).await, place.open().await];
    place.client.batch_execute("CREATE TABLE seen (number BIGINT PRIMARY KEY)").await.unwrap();
    let each = (0..100).map(|number| {
        let store = stores[number % 2].clone();
        let note = "INSERT INTO seen SELECT number FROM counter WHERE id = 1";
        tokio::spawn(async move { write(&store, vec![rows(LOCK), run(note), run(ADD)]).await })
    });
    for done in join_all(each).await {
        done.unwrap().unwrap();
    }
    assert_eq!(place.number(SELECT).await, 100);
    assert_eq!(place.number("SELECT count(*) FROM seen").await, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_sees_one_state() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let ((here, there), (written, go_on)) = (oneshot::channel(), oneshot::channel());
    let reader = tokio::spawn({
        let store = store.clone();
        async move { read(&store, vec![rows(SELECT), Step::Signal(here), Step::Await(go_on), rows(SELECT)]).await }
    });
    there.await.unwrap();
    write(&store, vec![run(ADD)]).await.unwrap();
    written.send(()).unwrap();
    assert_eq!(numbers(&reader.await.unwrap().unwrap()), [0]);
    assert_eq!(numbers(&read(&store, vec![rows(SELECT)]).await.unwrap()), [1]);
}

#[tokio::test]
async fn writes_in_a_read_only_transaction_fail() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let read_only = |error| matches!(error, Err(Error::Unavailable(Unavailable::ReadOnly)));
    assert!(read_only(read(&store, vec![run(ADD)]).await));
    // As operators do when a disk fills up; existing connections are affected as well.
    let set = vec![run("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")];
    write(&store, set).await.unwrap();
    assert!(read_only(write(&store, vec![run(ADD)]).await));
    assert_eq!(place.number(SELECT).await, 0);
}

#[tokio::test]
async fn an_operation_that_ignores_an_error_fails() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let done = write(&store, vec![run(ADD), Step::Careless("SELECT 1 / 0")]).await;
    assert!(matches!(done, Err(Error::Internal(_))), "{done:?}");
    assert_eq!(place.number(SELECT).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_operation_is_rolled_back() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.connections = 2;
    let store = store(&place, options).await;
    for _ in 0..8 {
        let ((here, there), (_never, word)) = (oneshot::channel(), oneshot::channel());
        let steps = vec![run(ADD), Step::Signal(here), Step::Await(word)];
        let writer = tokio::spawn({
            let store = store.clone();
            async move { write(&store, steps).await }
        });
        there.await.unwrap();
        writer.abort();
        assert!(writer.await.unwrap_err().is_cancelled());
        // The row is unlocked although the connection was not closed.
        assert_eq!(numbers(&write(&store, vec![rows(LOCK)]).await.unwrap()), [0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_cancelled_during_a_statement_is_rolled_back() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let mut external_client = place.open_another().await;
    let held = external_client.transaction().await.unwrap();
    held.query_one(LOCK, &[]).await.unwrap();
    let writer = tokio::spawn({
        let store = store.clone();
        async move { write(&store, vec![run(ADD)]).await }
    });
    place.wait_until_blocked().await;
    writer.abort();
    assert!(writer.await.unwrap_err().is_cancelled());
    held.rollback().await.unwrap();
    assert_eq!(numbers(&write(&store, vec![rows(LOCK)]).await.unwrap()), [0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panicking_operation_is_rolled_back() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.connections = 1;
    let store = store(&place, options).await;
    let writer = tokio::spawn({
        let store = store.clone();
        async move { write(&store, vec![run(ADD), Step::Panic]).await }
    });
    assert!(writer.await.unwrap_err().is_panic());
    assert_eq!(numbers(&write(&store, vec![rows(LOCK)]).await.unwrap()), [0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_operations_leave_connections_for_reads() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.connections = 4;
    let store = store(&place, options).await;
    let (mut words, mut slow) = (Vec::new(), Vec::new());
    // Twice as many of each as there are connections: those without a permit wait for one.
    for number in 0..16 {
        let (word, go_on) = oneshot::channel();
        words.push(word);
        let store = store.clone();
        slow.push(tokio::spawn(async move {
            let steps = vec![rows(SELECT), Step::Await(go_on)];
            if number % 2 == 0 { scan(&store, steps).await } else { write(&store, steps).await }
        }));
    }
    for _ in 0..20 {
        read(&store, vec![rows(SELECT)]).await.unwrap();
    }
    for word in words {
        let _ = word.send(());
    }
    for done in join_all(slow).await {
        done.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_store_finishes_its_operations() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let ((here, there), (word, go_on)) = (oneshot::channel(), oneshot::channel());
    let writer = tokio::spawn({
        let store = store.clone();
        async move { write(&store, vec![Step::Signal(here), Step::Await(go_on), run(ADD)]).await }
    });
    there.await.unwrap();
    let closing = tokio::spawn({
        let store = store.clone();
        async move { store.close().await }
    });
    tokio::task::yield_now().await;
    assert!(!closing.is_finished());
    word.send(()).unwrap();
    closing.await.unwrap();
    writer.await.unwrap().unwrap();
    assert_eq!(place.number(SELECT).await, 1);
    let late = read(&store, vec![rows(SELECT)]).await;
    assert!(matches!(late, Err(Error::Unavailable(Unavailable::Closed))), "{late:?}");
}

#[tokio::test]
async fn backups_are_left_to_the_tools_of_the_database() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place, PostgresOptions::default()).await;
    let error = store.backup("copy".as_ref()).await.unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("pg_dump")), "{error:?}");
}
