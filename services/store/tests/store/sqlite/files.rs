//! Tests of the files of a store, and of its migrations.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use wireform_store::{
    Accounts as _, AnyStore, Calendars as _, Edit, EntryState, Error, Events as _, Mailboxes as _, Maintenance as _,
    Retention, SeriesSummary, Span, Sqlite, SqliteOptions, WindowQuery,
};

use super::open;
use crate::support::{INBOX, NOW, STARRED, insert, labels, mail, mailbox, minute, named};

/// Returns all migrations in order, read from their folder so that none is missed.
fn steps() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations/sqlite");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).expect("the step is read")).collect()
}

/// Creates a store of an earlier version.
fn of_version(folder: &Path, version: usize) -> Connection {
    let connection = Connection::open(folder.join("store.sqlite3")).expect("a file is made");
    for step in &steps()[..version] {
        connection.execute_batch(step).expect("the step applies");
    }
    connection.pragma_update(None, "application_id", 0x5766_7374).expect("the file is marked");
    connection.pragma_update(None, "user_version", version.cast_signed()).expect("the version is set");
    connection
}

fn refusal(folder: &Path) -> String {
    match Sqlite::open(folder, SqliteOptions::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("the store should not open"),
    }
}

/// Fills a database of a version with a user, and what else the version can store.
fn fill(old: &Connection, version: usize) {
    if version >= 1 {
        let sql = "INSERT INTO users (address, address_key, name, since) VALUES ('Ada@x.org', 'ada@x.org', 'Ada', 5)";
        old.execute_batch(sql).expect("a user of the old version");
    }
    if version >= 2 {
        let sql = "INSERT INTO mailboxes VALUES (1, 500, 500, 5, 1);
            INSERT INTO messages VALUES (1, 17, 17, 5, 500, 3, NULL, '[1]', 'old');
            INSERT INTO texts VALUES (1, 17, '', '', '', 'old', 0, x'6f6c64');
            INSERT INTO messages VALUES (1, 18, 18, 5, 500, 1300000, NULL, '[1]', 'large');
            INSERT INTO texts VALUES (1, 18, '', '', '', '', 0, CAST(zeroblob(1299999) || 'x' AS BLOB));";
        old.execute_batch(sql).expect("a message of the old version");
    }
    if version >= 3 {
        let sql = match version {
            3..6 => "INSERT INTO calendars VALUES ('Ada@x.org', 1, 'Ada', 'Europe/London')",
            _ => "INSERT INTO calendars VALUES (1, 'Ada@x.org', 1, 'Ada', 'Europe/London', '{}', 7, 7, 0, 0)",
        };
        old.execute_batch(sql).expect("a calendar of the old version");
    }
    if version >= 6 {
        let slot =
            if version < 9 { "(1, 53, 120, 60, 'weekly')" } else { "(1, 53, 120, 60, 'weekly', 1, 60, 'a rule')" };
        let sql = "INSERT INTO events VALUES (1, '{}');
            INSERT INTO entries VALUES (1, 'weekly', 1, 7, 5, 1, NULL, 'u', NULL, NULL, 60, 120, 9, 'a rule', 60, '{}');
            INSERT INTO series_slots VALUES ";
        old.execute_batch(&format!("{sql}{slot}")).expect("a series of the old version");
    }
}

/// Checks that the contents are as they were filled in.
async fn check_contents(store: &AnyStore, version: usize) {
    let users = store.users().await.expect("users are listed");
    assert_eq!(users.len(), usize::from(version >= 1), "of version {version}");
    if version >= 2 {
        let id = "0000000000000011".parse().expect("a name");
        let (message, raw) = store.whole_message(users[0].mailbox, id).await.expect("it is there");
        assert_eq!((message.labels.as_slice(), raw.as_slice()), (&[INBOX][..], &b"old"[..]));
        let large = "0000000000000012".parse().expect("a name");
        let (_, raw) = store.whole_message(users[0].mailbox, large).await.expect("it is there");
        assert!(raw.len() == 1_300_000 && raw[1_299_998..] == [0, b'x'], "{} bytes", raw.len());
    }
    if version >= 3 {
        let calendars = store.calendars(Some(users[0].mailbox)).await.expect("calendars are listed");
        let calendar = calendars.first().expect("it is there");
        assert_eq!((calendar.id.as_str(), calendar.time_zone.as_str()), ("Ada@x.org", "Europe/London"));
        assert!(calendar.history >= calendar.oldest_change && calendar.history.0 > 0);
        let query = WindowQuery { from: 0, to: 90, overlapping: true, epoch: None, search_mailbox: None, limit: 9 };
        let window = store.read_window(calendar.number, query).await.expect("a window");
        let rule = "a rule".to_owned();
        let (id, span) = ("weekly".to_owned(), Span { first: 60, last: 120 });
        let series = SeriesSummary { id, state: EntryState::Cancelled, span, rule: Some(rule) };
        assert_eq!(window.series, if version >= 6 { vec![series] } else { vec![] }, "of version {version}");
    }
}

#[tokio::test]
async fn a_store_of_each_earlier_version_is_brought_up_to_date() {
    for version in 0..=steps().len() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = of_version(folder.path(), version);
        fill(&old, version);
        drop(old);
        let store = open(folder.path());
        check_contents(&store, version).await;
        mailbox(&store, "grace@example.org").await;
        store.close().await;
        let after = Connection::open(folder.path().join("store.sqlite3")).expect("the file is there");
        let now: i64 = after.pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version");
        assert_eq!(usize::try_from(now), Ok(steps().len()), "all steps were applied");
    }
}

#[tokio::test]
async fn a_store_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let newer = of_version(folder.path(), steps().len());
    newer.pragma_update(None, "user_version", 99).expect("the version is set");
    drop(newer);
    let refusal = refusal(folder.path());
    assert!(refusal.contains("newer release") && refusal.contains("99"), "{refusal}");
}

#[tokio::test]
async fn a_file_of_another_program_is_refused_and_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("store.sqlite3");
    let other = Connection::open(&file).expect("a file is made");
    other.execute_batch("CREATE TABLE users (anything)").expect("a table is made");
    drop(other);
    let before = std::fs::read(&file).expect("the file is there");
    let refusal_text = refusal(folder.path());
    assert!(refusal_text.contains("is not a store"), "{refusal_text}");
    assert!(std::fs::read(&file).expect("the file is there") == before, "not a byte was changed");

    std::fs::write(&file, "not a database at all, and longer than a header of SQLite would be: ".repeat(20))
        .expect("written");
    let refusal_text = refusal(folder.path());
    assert!(refusal_text.contains("not a database"), "{refusal_text}");
}

#[tokio::test]
async fn nobody_but_the_owner_may_look_into_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("new/store");
    let store = open(&inner);
    mailbox(&store, "ada@example.org").await;
    let mode = |path: &Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    let files: Vec<_> =
        std::fs::read_dir(&inner).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    assert!(files.len() >= 2, "the database and its log: {files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
    store.close().await;
}

#[tokio::test]
async fn a_closed_store_is_one_file_and_its_mark() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    insert(&store, ada, "hello", &[INBOX]).await;
    store.close().await;
    let names: std::collections::BTreeSet<_> =
        std::fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), ["store.sqlite3", "store.sqlite3-mark"]);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("written");
    let refusal_text = refusal(&file.join("store"));
    assert!(refusal_text.contains("file/store"), "{refusal_text}");
}

#[tokio::test]
async fn two_handles_on_one_folder_are_one_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, other) = (open(folder.path()), open(folder.path()));
    let ada = mailbox(&one, "ada@example.org").await;
    let again = other.add_user("Ada@example.org", "", NOW).await;
    assert!(matches!(again, Err(Error::AlreadyExists { .. })), "{again:?}");
    let message = insert(&other, ada, "hello", &[INBOX]).await;
    assert_eq!(one.message(ada, message.id).await.expect("it is there"), message);
    one.close().await;
    insert(&other, ada, "still open", &[INBOX]).await;
    other.close().await;
}

#[test]
fn many_may_open_a_new_folder_at_once() {
    for _ in 0..5 {
        let folder = tempfile::tempdir().expect("a folder");
        let together = std::sync::Barrier::new(6);
        std::thread::scope(|scope| {
            for number in 0..6 {
                let (folder, together) = (folder.path(), &together);
                scope.spawn(move || {
                    together.wait();
                    let store = open(folder);
                    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
                    runtime.block_on(async {
                        mailbox(&store, &format!("{number}@example.org")).await;
                        store.close().await;
                    });
                });
            }
        });
    }
}

/// Returns the number of rows of each table that is not empty.
fn rows(folder: &Path) -> Vec<(String, i64)> {
    let file = Connection::open(folder.join("store.sqlite3")).expect("the file is there");
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut tables = file.prepare(sql).expect("the tables are requested");
    let names = tables.query_map([], |row| row.get(0)).expect("tables are listed");
    let count = |name: rusqlite::Result<String>| {
        let name = name.expect("a name");
        let sql = format!("SELECT count(*) FROM {name}");
        let rows = file.query_row(&sql, [], |row| row.get(0)).expect("rows are counted");
        (name, rows)
    };
    names.map(count).filter(|(_, rows)| *rows > 0).collect()
}

#[tokio::test]
async fn what_is_forgotten_or_removed_leaves_no_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let work = store.add_label(ada, named("Work")).await.expect("the label is new").label;
    let batch = (0..30).map(|number| mail(&number.to_string(), &[INBOX, work], NOW)).collect();
    let messages = store.insert_messages(ada, batch, NOW).await.expect("stored");
    store.edit_message(ada, messages[0].id, labels(&[STARRED], &[INBOX]), NOW).await.expect("edited");
    store.edit_message(ada, messages[1].id, Edit::Delete, NOW).await.expect("deleted");
    store.set_retention(Retention::For(Duration::ZERO)).await.expect("it is set");
    store.clean_up(minute(1)).await.expect("a round");
    let left: Vec<String> = rows(folder.path()).into_iter().map(|(table, _)| table).collect();
    assert!(!left.contains(&"records".to_owned()) && !left.contains(&"marks".to_owned()), "{left:?}");
    store.remove_label(ada, work, minute(1)).await.expect("removed");
    let left = rows(folder.path());
    assert!(!left.iter().any(|(table, _)| table == "labels"), "{left:?}");
    store.remove_user(ada).await.expect("removed");
    assert_eq!(
        rows(folder.path()),
        [("epoch".to_owned(), 1), ("settings".to_owned(), 1)],
        "the epoch and the retention alone"
    );
}
