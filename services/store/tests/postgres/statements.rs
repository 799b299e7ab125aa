//! Tests of statements and values.

use wireform_store::session::Value;
use wireform_store::{Error, Postgres, Unavailable};

use crate::place::TestSchema;
use crate::steps::{Step, numbers, read, write};

async fn store(place: &TestSchema) -> Postgres {
    let store = place.open().await;
    let tables = "CREATE TABLE notes (number BIGINT GENERATED ALWAYS AS IDENTITY, small INT, truth BOOLEAN, text TEXT, \
        bytes BYTEA)";
    place.client.batch_execute(tables).await.unwrap();
    store
}

const INSERT: &str = "INSERT INTO notes (small, truth, text, bytes) VALUES (?1, ?2, ?3, ?4)";

#[tokio::test]
async fn values_round_trip() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    let texts = ["", "Grüße ✉ ?1 'so'", "back\\slash"];
    for text in texts {
        let values = vec![Value::Int(-7), Value::Int(1), text.into(), Value::Blob(vec![0, 255])];
        write(&store, vec![Step::Run(INSERT, values.clone())]).await.unwrap();
        let select = "SELECT small, truth, text, bytes FROM notes WHERE text = ?1";
        let rows = read(&store, vec![Step::Rows(select, vec![text.into()])]).await.unwrap();
        assert_eq!(rows[0].0, values);
    }
    write(&store, vec![Step::Run(INSERT, vec![Value::Null; 4])]).await.unwrap();
    let select = "SELECT small, truth, text, bytes FROM notes WHERE small IS NULL";
    assert_eq!(read(&store, vec![Step::Rows(select, vec![])]).await.unwrap()[0].0, vec![Value::Null; 4]);
}

#[tokio::test]
async fn a_text_with_a_nul_is_stored_without_it() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    let values = vec![Value::Null, Value::Null, "a\0b\0".into(), Value::Blob(vec![0])];
    write(&store, vec![Step::Run(INSERT, values)]).await.unwrap();
    let found = read(&store, vec![Step::Rows("SELECT text FROM notes WHERE text = ?1", vec!["a\0b\0".into()])]).await;
    assert_eq!(found.unwrap()[0].0, [Value::from("a\u{fffd}b\u{fffd}")]);
}

#[tokio::test]
async fn lists_run_in_their_order() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    let lists = |from: i64| (from..from + 1000).map(|number| vec![Value::Int(number)]).collect::<Vec<_>>();
    write(&store, vec![Step::RunEach("INSERT INTO notes (small) VALUES (?1)", lists(1))]).await.unwrap();
    let returning = "INSERT INTO notes (small) VALUES (?1) RETURNING number";
    let rows = write(&store, vec![Step::RowsOfEach(returning, lists(1001))]).await.unwrap();
    assert_eq!(numbers(&rows), (1001..=2000).collect::<Vec<_>>());
    assert_eq!(place.number("SELECT count(*) FROM notes WHERE number <> small").await, 0);
    let none = write(&store, vec![Step::RowsOfEach(returning, vec![])]).await.unwrap();
    assert_eq!(none, []);
}

#[tokio::test]
async fn a_list_that_fails_in_the_middle_changes_nothing() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    place.client.batch_execute("CREATE UNIQUE INDEX one ON notes (text)").await.unwrap();
    let lists = (0..500).map(|number| vec![format!("secret {}", number % 300).into()]).collect();
    let error = write(&store, vec![Step::RunEach("INSERT INTO notes (text) VALUES (?1)", lists)]).await.unwrap_err();
    assert!(matches!(&error, Error::Internal(what) if what.contains("constraint one")), "{error:?}");
    assert!(!error.to_string().contains("secret"), "errors contain no values: {error}");
    assert_eq!(place.number("SELECT count(*) FROM notes").await, 0);
    write(&store, vec![Step::Run("INSERT INTO notes (text) VALUES (?1)", vec!["a".into()])]).await.unwrap();
}

#[tokio::test]
async fn statements_that_are_wrong_are_faults_and_the_connection_lives() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    let wrong = [
        ("SELECT number FROM nothing_of_that_name", vec![]),
        ("SELECT number FROM notes WHERE text = ?1", vec![Value::Int(1)]),
        ("SELECT number FROM notes WHERE number = ?1", vec!["secret".into()]),
        ("SELECT number FROM notes WHERE small = ?1", vec![Value::Int(i64::MAX)]),
        ("SELECT number FROM notes WHERE number = ?1", vec![]),
        ("SELECT 1.5", vec![]),
    ];
    let pid = || read(&store, vec![Step::Rows("SELECT pg_backend_pid()", vec![])]);
    let before = pid().await.unwrap();
    for (sql, values) in wrong {
        let error = read(&store, vec![Step::Rows(sql, values)]).await.unwrap_err();
        assert!(matches!(&error, Error::Internal(what) if !what.contains("secret")), "{sql}: {error:?}");
    }
    assert_eq!(pid().await.unwrap(), before);
}

#[tokio::test]
async fn the_number_of_prepared_statements_is_bounded() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    for number in 0..300 {
        let sql: &'static str = format!("SELECT {number}").leak();
        read(&store, vec![Step::Rows(sql, vec![])]).await.unwrap();
    }
    let prepared = read(&store, vec![Step::Rows("SELECT count(*) FROM pg_prepared_statements", vec![])]).await;
    assert!(numbers(&prepared.unwrap())[0] <= 256);
}

#[tokio::test]
async fn batched_rows_equal_the_given_rows() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    place
        .client
        .batch_execute("CREATE TABLE gathered (number BIGINT PRIMARY KEY, text TEXT, bytes BYTEA)")
        .await
        .unwrap();
    let row = |number: i64| {
        let text = if number % 3 == 0 { Value::Null } else { format!("a\0, {{\"'{number}").into() };
        vec![Value::Int(number), text, Value::Blob(vec![0; usize::try_from(number % 5_000).unwrap()])]
    };
    let rows: Vec<_> = (0..3_000).map(row).collect();
    let insert = "INSERT INTO gathered (number, text, bytes) VALUES (?1, ?2, ?3)";
    write(&store, vec![Step::RunEach(insert, rows.clone())]).await.unwrap();
    let select = "SELECT number, text, bytes FROM gathered ORDER BY number";
    let found = read(&store, vec![Step::Rows(select, vec![])]).await.unwrap();
    assert_eq!(found.len(), rows.len());
    for (mut row, found) in rows.into_iter().zip(found) {
        if let Value::Text(text) = &mut row[1] {
            *text = text.replace('\0', "\u{fffd}");
        }
        assert_eq!(found.0, row);
    }
    // A row that exists already: nothing of the list is stored.
    let again = (2_990..3_010).map(row).collect();
    let error = write(&store, vec![Step::RunEach(insert, again)]).await.unwrap_err();
    assert!(matches!(&error, Error::Internal(what) if what.contains("constraint gathered_pkey")), "{error:?}");
    assert_eq!(place.number("SELECT count(*) FROM gathered").await, 3_000);
}

#[tokio::test]
async fn server_errors_are_converted() {
    let Some(place) = TestSchema::new().await else { return };
    let store = store(&place).await;
    let fail = "CREATE FUNCTION fail(code TEXT) RETURNS BIGINT LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'as the test wants it' USING ERRCODE = code, DETAIL = 'secret'; END $$";
    place.client.batch_execute(fail).await.unwrap();
    let cause = || "as the test wants it".to_owned();
    let cases = [
        ("53100", Unavailable::DiskFull),
        ("25006", Unavailable::ReadOnly),
        ("40001", Unavailable::Busy),
        ("40P01", Unavailable::Busy),
        ("55P03", Unavailable::Busy),
        ("57014", Unavailable::Busy),
        ("53200", Unavailable::Busy),
        ("53300", Unavailable::Busy),
        ("58030", Unavailable::Io(cause())),
        ("57P03", Unavailable::Unreachable(cause())),
        ("08006", Unavailable::Unreachable(cause())),
    ];
    for (code, expected) in cases {
        let error = write(&store, vec![Step::Rows("SELECT fail(?1)", vec![code.into()])]).await.unwrap_err();
        assert!(matches!(&error, Error::Unavailable(reason) if *reason == expected), "{code}: {error:?}");
    }
    let error = write(&store, vec![Step::Rows("SELECT fail('23505')", vec![])]).await.unwrap_err();
    assert!(matches!(&error, Error::Internal(what) if what.contains("23505") && !what.contains("secret")), "{error:?}");
}
