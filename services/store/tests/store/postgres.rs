//! Tests of PostgreSQL databases that are restored from dumps.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use wireform_store::{
    Accounts as _, AnyStore, Epoch, Error, HistoryQuery, HistoryStart, ListQuery, Mailbox, Mailboxes as _,
    Maintenance as _, Postgres, PostgresOptions, Unavailable,
};

use crate::epochs::{Held, epoch};
use crate::place::{address, run};
use crate::support::{mailbox, query};

/// Database of a test, and a file for its dump.
struct Database {
    server: String,
    name: String,
    folder: TempDir,
}

impl Database {
    /// Creates a database; returns `None` if there is no server, or no program to dump its databases.
    async fn new() -> Option<Self> {
        let Ok(server) = std::env::var("WIREFORM_TEST_POSTGRES") else {
            eprintln!("skipped: WIREFORM_TEST_POSTGRES does not name a server");
            return None;
        };
        let name = format!("wireform_copies_{:016x}", rand::random::<u64>());
        let database = Self { server, name, folder: tempfile::tempdir().expect("a folder is made") };
        database.create().await;
        if let Err(why) = database.try_dump() {
            eprintln!("skipped: {why}");
            database.drop().await;
            return None;
        }
        Some(database)
    }

    async fn create(&self) {
        run(&self.server, &format!("CREATE DATABASE {} TEMPLATE template0", self.name)).await;
    }

    /// Ends all connections to the database, and removes it.
    async fn drop(&self) {
        run(&self.server, &format!("DROP DATABASE {} WITH (FORCE)", self.name)).await;
    }

    fn address(&self) -> String {
        address(&self.server, &self.name)
    }

    async fn open(&self) -> AnyStore {
        let mut options = PostgresOptions::default();
        options.connections = 4;
        AnyStore::Postgres(Postgres::open(&self.address(), options).await.expect("the store opens"))
    }

    async fn run(&self, sql: &str) {
        run(&self.address(), sql).await;
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("copy.dump")
    }

    fn try_dump(&self) -> Result<(), String> {
        program("pg_dump", &["--format=custom", "--dbname", &self.address(), "--file"], &self.file())
    }

    fn dump(&self) {
        self.try_dump().expect("a copy is made");
    }

    fn restore(&self, how: &[&str]) {
        let address = self.address();
        let arguments = [&["--no-owner", "--dbname", &address], how].concat();
        program("pg_restore", &arguments, &self.file()).expect("the copy is restored");
    }
}

fn program(name: &str, arguments: &[&str], file: &Path) -> Result<(), String> {
    let output = Command::new(name).args(arguments).arg(file).output().map_err(|error| format!("{name}: {error}"))?;
    let error = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{name}: {error}")) }
}

/// Creates a store with a mailbox, and a dump from the middle of the returned client state.
async fn lived(database: &Database) -> (AnyStore, Mailbox, Held, Epoch) {
    let store = database.open().await;
    let ada = mailbox(&store, "ada@example.org").await;
    let mut held = Held::default();
    held.live(&store, ada, 4).await;
    database.dump();
    held.live(&store, ada, 4).await;
    held.is_accepted(&store, ada).await;
    let begun = epoch(&store).await;
    (store, ada, held, begun)
}

/// Sends client state of the lost timeline until the database accepts requests again, and asserts that none of it is
/// ever accepted.
async fn never_accepts(store: &AnyStore, ada: Mailbox, held: &Held) {
    loop {
        let start = held.starts.first().expect("the client has state");
        let end = held.starts.last().expect("the client has state");
        let page = held.pages.first().expect("the client has state");
        let list = ListQuery { from: held.lists.first().copied(), limit: 5, ..ListQuery::default() };
        let mut back = 0;
        for start in [HistoryStart::After(*start), HistoryStart::After(*end), HistoryStart::Cursor(*page)] {
            match store.history(ada, HistoryQuery { start, ..query(*end) }).await {
                Ok(page) => panic!("{start:?} is accepted: {page:?}"),
                Err(Error::Expired(_) | Error::EpochEnded) => back += 1,
                // During the restore, tables or rows are missing.
                Err(Error::Unavailable(_) | Error::Internal(_) | Error::NotFound { .. }) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        match store.messages(ada, list).await {
            Ok(page) => panic!("a list continues: {page:?}"),
            Err(Error::EpochEnded) => back += 1,
            Err(_) => {}
        }
        if back == 4 {
            return held.is_refused(store, ada).await;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_dump_that_is_brought_back_begins_a_new_epoch() {
    let Some(database) = Database::new().await else { return };
    let (store, ada, held, begun) = lived(&database).await;
    store.close().await;
    let mut before = vec![begun];
    for _ in 0..2 {
        database.drop().await;
        database.create().await;
        database.restore(&[]);
        let store = database.open().await;
        held.is_refused(&store, ada).await;
        Held::default().live(&store, ada, 3).await;
        held.is_refused(&store, ada).await;
        let now = epoch(&store).await;
        assert!(!before.contains(&now), "it is restored each time");
        before.push(now);
        store.close().await;
        let again = database.open().await;
        assert_eq!(epoch(&again).await, now, "one new epoch is enough");
        again.close().await;
    }
    database.drop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_server_never_accepts_lost_state() {
    let Some(database) = Database::new().await else { return };
    // In one transaction; statement by statement, into the existing tables; and into a new database.
    let ways: [&[&str]; 3] = [&["--clean", "--single-transaction"], &["--clean"], &[]];
    for way in ways {
        let (store, ada, held, begun) = lived(&database).await;
        if way.is_empty() {
            database.drop().await;
            database.create().await;
        }
        // No request is sent before the old tables are gone, because state that they contain is accepted until then.
        let (other, state) = (store.clone(), held.clone());
        let gone = way.is_empty();
        let probing = gone.then(|| tokio::spawn(async move { never_accepts(&other, ada, &state).await }));
        tokio::task::block_in_place(|| database.restore(way));
        never_accepts(&store, ada, &held).await;
        if let Some(probing) = probing {
            probing.await.expect("no intermediate response is sent");
        }
        assert_ne!(epoch(&store).await, begun);
        Held::default().live(&store, ada, 3).await;
        held.is_refused(&store, ada).await;
        store.close().await;
        database.drop().await;
        database.create().await;
    }
    database.drop().await;
}

#[tokio::test]
async fn rows_alone_that_are_brought_back_begin_a_new_epoch() {
    let Some(database) = Database::new().await else { return };
    let (store, ada, held, _) = lived(&database).await;
    store.close().await;
    let all = "DO $$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' \
        LOOP EXECUTE 'TRUNCATE ' || name || ' CASCADE'; END LOOP; END $$";
    database.run(all).await;
    database.restore(&["--data-only", "--disable-triggers"]);
    let store = database.open().await;
    held.is_refused(&store, ada).await;
    store.close().await;
    database.drop().await;
}

#[tokio::test]
async fn a_database_that_was_copied_by_the_server_begins_a_new_epoch() {
    let Some(mut database) = Database::new().await else { return };
    let (store, ada, held, _) = lived(&database).await;
    store.close().await;
    let original = database.name.clone();
    database.name = format!("{original}_copy");
    run(&database.server, &format!("CREATE DATABASE {} TEMPLATE {original}", database.name)).await;
    let store = database.open().await;
    held.is_refused(&store, ada).await;
    store.close().await;
    database.drop().await;
    database.name = original;
    database.drop().await;
}

/// The server was recovered to a point in time, or a standby has taken over: its log is on another timeline.
#[tokio::test]
async fn a_server_on_another_timeline_begins_a_new_epoch() {
    let Some(database) = Database::new().await else { return };
    let (store, ada, held, _) = lived(&database).await;
    store.close().await;
    // As it would read there: the stored identity and that of the server differ. In one transaction with a new row,
    // which is the current one.
    database
        .run(
            "BEGIN; CREATE TEMPORARY TABLE held AS SELECT one, number, place FROM epoch; DELETE FROM epoch; \
             INSERT INTO epoch (one, number, place) \
             SELECT one, number, regexp_replace(place, '/[0-9A-F]{8}/', '/7FFFFFFF/') FROM held; COMMIT",
        )
        .await;
    let store = database.open().await;
    held.is_refused(&store, ada).await;
    store.close().await;
    database.drop().await;
}

/// Tables without primary keys are those of a database that is being restored: rows are missing.
#[tokio::test]
async fn no_epoch_begins_before_all_rows_are_there() {
    let Some(database) = Database::new().await else { return };
    let (store, ada, held, _) = lived(&database).await;
    database.run("UPDATE epoch SET number = number; ALTER TABLE marks DROP CONSTRAINT marks_pkey").await;
    let page = store.history(ada, query(held.starts[0])).await;
    assert!(matches!(page, Err(Error::Unavailable(Unavailable::Restored))), "{page:?}");
    let page = store.history(ada, query(held.starts[0])).await;
    assert!(matches!(page, Err(Error::Unavailable(Unavailable::Restored))), "{page:?}");
    let refused = Postgres::open(&database.address(), PostgresOptions::default()).await;
    assert!(matches!(refused, Err(Error::Unavailable(Unavailable::Restored))), "{refused:?}");
    database.run("ALTER TABLE marks ADD PRIMARY KEY (mailbox, label, kind, record)").await;
    held.is_refused(&store, ada).await;
    store.close().await;
    database.drop().await;
}

/// Applies the migrations before the last ones, as in databases of earlier releases.
#[tokio::test]
async fn a_database_of_each_earlier_version_is_brought_up_to_date() {
    const STEPS: [(&str, &str); 3] = [
        ("accounts", include_str!("../../migrations/postgres/0001_accounts.sql")),
        ("mailboxes", include_str!("../../migrations/postgres/0002_mailboxes.sql")),
        ("calendars", include_str!("../../migrations/postgres/0003_calendars.sql")),
    ];
    for version in 1..=STEPS.len() {
        let Some(database) = Database::new().await else { return };
        database.run("CREATE TABLE migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL)").await;
        for (number, (name, step)) in (1..).zip(&STEPS[..version]) {
            database.run(step).await;
            database.run(&format!("INSERT INTO migrations VALUES ({number}, '{name}')")).await;
        }
        database
            .run("INSERT INTO users (address, address_key, name, since) VALUES ('Ada@x.org', 'ada@x.org', '', 5)")
            .await;
        if version >= 2 {
            database
                .run(
                    "INSERT INTO mailboxes VALUES (1, 500, 500, 5, 1);
                     INSERT INTO messages VALUES (1, 18, 18, 5, 500, 1300000, NULL, '[1]', 'large');
                     INSERT INTO texts VALUES (1, 18, '', '', '', '', 0, decode(repeat('00', 1299999) || '78', 'hex'))",
                )
                .await;
        }
        let store = database.open().await;
        let ada = store.user("ada@x.org").await.expect("she is there").mailbox;
        if version >= 2 {
            Held::default().live(&store, ada, 2).await;
            let large = "0000000000000012".parse().expect("a name");
            let (_, raw) = store.whole_message(ada, large).await.expect("it is there");
            assert!(raw.len() == 1_300_000 && raw[1_299_998..] == [0, b'x'], "{} bytes", raw.len());
        }
        mailbox(&store, "grace@example.org").await;
        store.close().await;
        database.drop().await;
    }
}
