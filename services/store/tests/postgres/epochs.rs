//! Tests of new epochs that take long to begin.

use std::time::Duration;

use tokio_postgres::Transaction;
use wireform_store::{Error, Maintenance as _, PostgresOptions, Unavailable};

use crate::place::TestSchema;

/// Makes the store look like a restored one, and makes the new epoch wait for the transaction.
async fn restore<'a>(place: &TestSchema, external_client: &'a mut tokio_postgres::Client) -> Transaction<'a> {
    place.client.batch_execute("UPDATE epoch SET place = ''").await.unwrap();
    let held = external_client.transaction().await.unwrap();
    held.batch_execute("LOCK TABLE mailboxes").await.unwrap();
    held
}

/// Runs on one thread, so that the clock can be moved.
#[tokio::test]
async fn an_epoch_may_take_longer_than_a_statement() {
    let Some(place) = TestSchema::new().await else { return };
    let store = place.open().await;
    let before = store.epoch().await.unwrap();
    let mut external_client = place.open_another().await;
    let held = restore(&place, &mut external_client).await;
    let reader = tokio::spawn({
        let store = store.clone();
        async move { store.epoch().await }
    });
    place.wait_until_blocked().await;
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(600)).await;
    tokio::time::resume();
    held.rollback().await.unwrap();
    let met = reader.await.unwrap();
    assert!(matches!(met, Err(Error::Unavailable(Unavailable::Restored))), "{met:?}");
    assert_ne!(store.epoch().await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_epoch_begins_even_if_the_request_that_noticed_it_is_cancelled() {
    let Some(place) = TestSchema::new().await else { return };
    let store = place.open().await;
    let mut external_client = place.open_another().await;
    let held = restore(&place, &mut external_client).await;
    let reader = tokio::spawn(async move { store.epoch().await });
    place.wait_until_blocked().await;
    reader.abort();
    assert!(reader.await.unwrap_err().is_cancelled());
    held.rollback().await.unwrap();
    let at_work = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{}' AND xact_start IS NOT NULL",
        place.schema()
    );
    while place.number(&at_work).await > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(place.number("SELECT count(*) FROM current_epoch").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_requests_are_refused_while_an_epoch_begins() {
    let Some(place) = TestSchema::new().await else { return };
    let mut options = PostgresOptions::default();
    options.wait_time = Duration::from_millis(50);
    let store = place.open_with(options).await;
    let mut external_client = place.open_another().await;
    let held = restore(&place, &mut external_client).await;
    let reader = tokio::spawn({
        let store = store.clone();
        async move { store.epoch().await }
    });
    place.wait_until_blocked().await;
    // More than there are connections: none of them waits for the epoch.
    for _ in 0..20 {
        let met = store.epoch().await;
        assert!(matches!(met, Err(Error::Unavailable(Unavailable::Restored))), "{met:?}");
    }
    held.rollback().await.unwrap();
    let met = reader.await.unwrap();
    assert!(matches!(met, Err(Error::Unavailable(Unavailable::Restored))), "{met:?}");
    store.epoch().await.unwrap();
}
