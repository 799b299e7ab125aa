//! Tests of lost connections, and of locks and connections held by others.

use std::time::Duration;

use tokio::sync::oneshot;
use wireform_store::{Error, PostgresOptions, Unavailable};

use crate::place::TestSchema;
use crate::steps::{Step, numbers, read, write};

fn one() -> Vec<Step> {
    vec![Step::Rows("SELECT 1", vec![])]
}

#[tokio::test(flavor = "multi_thread")]
async fn dead_idle_connections_are_replaced_silently() {
    let Some(place) = TestSchema::new().await else { return };
    let store = place.open().await;
    for _ in 0..2 {
        let (mut words, mut readers) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            let ((here, there), (word, go_on)) = (oneshot::channel(), oneshot::channel());
            let (store, steps) = (store.clone(), vec![Step::Signal(here), Step::Await(go_on)]);
            readers.push(tokio::spawn(async move { read(&store, steps).await }));
            there.await.unwrap();
            words.push(word);
        }
        words.into_iter().for_each(|word| word.send(()).unwrap());
        for reader in readers {
            reader.await.unwrap().unwrap();
        }
        assert_eq!(place.kill().await, 8);
        assert_eq!(numbers(&read(&store, one()).await.unwrap()), [1]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_dies_in_use_is_reported_and_replaced() {
    let Some(place) = TestSchema::new().await else { return };
    let store = place.open().await;
    let ((here, there), (word, go_on)) = (oneshot::channel(), oneshot::channel());
    let steps =
        vec![Step::Rows("SELECT 1", vec![]), Step::Signal(here), Step::Await(go_on), Step::Run("SELECT 2", vec![])];
    let writer = tokio::spawn({
        let store = store.clone();
        async move { write(&store, steps).await }
    });
    there.await.unwrap();
    assert_eq!(place.kill().await, 1);
    word.send(()).unwrap();
    let error = writer.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::Unreachable(_))), "{error:?}");
    assert_eq!(numbers(&write(&store, one()).await.unwrap()), [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_outcome_of_a_commit_is_unknown_if_its_connection_dies() {
    let Some(place) = TestSchema::new().await else { return };
    let store = place.open().await;
    // A commit that waits for the other user.
    let slow = "CREATE TABLE slow (number BIGINT);
        CREATE FUNCTION wait() RETURNS TRIGGER LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock_shared(hashtext(current_schema())::bigint); RETURN NEW; END $$;
        CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION wait();
        SELECT pg_advisory_lock(hashtext(current_schema())::bigint)";
    place.client.batch_execute(slow).await.unwrap();
    let writer = tokio::spawn({
        let store = store.clone();
        async move { write(&store, vec![Step::Run("INSERT INTO slow VALUES (1)", vec![])]).await }
    });
    place.wait_until_blocked().await;
    place.kill().await;
    let error = writer.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::UnknownOutcome)), "{error:?}");
    assert_eq!(numbers(&write(&store, one()).await.unwrap()), [1]);
}

#[tokio::test]
async fn waits_for_locks_of_others_are_bounded() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.lock_time = Duration::from_millis(50);
    let store = place.open_with(options).await;
    let mut external_client = place.open_another().await;
    let held = external_client.transaction().await.unwrap();
    held.batch_execute("LOCK TABLE users").await.unwrap();
    let steps = || vec![Step::Rows("SELECT id FROM users", vec![])];
    // The lock of the other user outlasts this: either the operation returns, or the test never ends.
    let error = read(&store, steps()).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::Busy)), "{error:?}");
    held.rollback().await.unwrap();
    assert_eq!(read(&store, steps()).await.unwrap(), []);
}

#[tokio::test]
async fn a_slow_statement_times_out() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.statement_time = Duration::from_millis(50);
    let store = place.open_with(options).await;
    let error = read(&store, vec![Step::Rows("SELECT pg_sleep(3600)", vec![])]).await.unwrap_err();
    assert!(matches!(error, Error::Unavailable(Unavailable::Busy)), "{error:?}");
    assert_eq!(numbers(&read(&store, one()).await.unwrap()), [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn operations_without_a_connection_fail_as_busy() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.connections = 1;
    options.wait_time = Duration::from_millis(50);
    let store = place.open_with(options).await;
    let ((here, there), (word, go_on)) = (oneshot::channel(), oneshot::channel());
    let steps = vec![Step::Signal(here), Step::Await(go_on)];
    let reader = tokio::spawn({
        let store = store.clone();
        async move { read(&store, steps).await }
    });
    there.await.unwrap();
    for busy in [read(&store, one()).await, write(&store, one()).await] {
        assert!(matches!(busy, Err(Error::Unavailable(Unavailable::Busy))), "{busy:?}");
    }
    word.send(()).unwrap();
    reader.await.unwrap().unwrap();
    assert_eq!(numbers(&read(&store, one()).await.unwrap()), [1]);
}

#[tokio::test]
async fn debug_output_omits_the_url() {
    let Some(place) = TestSchema::new().await else { return };
    let address = place.address();
    let host = address.split_once('@').unwrap().1.split(['/', ':']).next().unwrap();
    let shown = format!("{:?}", place.open().await);
    assert!(!shown.contains(host), "{shown}");
}
