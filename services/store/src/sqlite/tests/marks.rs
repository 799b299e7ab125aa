//! Tests of marks that reveal a replaced database of a running store.

use std::fs;

use rusqlite::Connection;

use crate::sqlite::files::Files;
use crate::sqlite::{mark, open_writer};

/// Creates a store with a mark that was written after some changes.
fn store() -> (tempfile::TempDir, Files, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::create(folder.path()).unwrap();
    let connection = open_writer(&files).unwrap();
    change(&connection, "marks = 5");
    mark::renew(&connection, &files).unwrap();
    (folder, files, connection)
}

fn change(connection: &Connection, what: &str) {
    connection.execute_batch(&format!("UPDATE epoch SET {what} WHERE one = 1")).unwrap();
}

fn epoch(connection: &Connection) -> i64 {
    connection.query_row("SELECT number FROM epoch", [], |row| row.get(0)).unwrap()
}

/// Renews the mark of a store after `tamper`. Asserts that this is reported once, and that the store begins
/// a new epoch when it is opened next, however much it was used meanwhile.
fn is_evidence(what: &str, tamper: impl FnOnce(&Files, &Connection)) {
    let (_folder, files, connection) = store();
    tamper(&files, &connection);
    assert!(mark::renew(&connection, &files).is_err(), "{what}");
    for _ in 0..9 {
        change(&connection, "marks = marks + 1");
        mark::renew(&connection, &files).expect(what);
    }
    let before = epoch(&connection);
    drop(connection);
    assert_ne!(epoch(&open_writer(&files).unwrap()), before, "{what}");
}

#[test]
fn another_database_is_not_forgotten() {
    is_evidence("an older database of the same epoch", |_, connection| change(connection, "marks = 4"));
    is_evidence("a database of an earlier epoch", |_, connection| change(connection, "number = number - 1, marks = 9"));
    is_evidence("the folder was written over, and with it the mark", |files, connection| {
        let before = fs::read_to_string(files.mark()).unwrap();
        change(connection, "marks = 6");
        mark::renew(connection, files).unwrap();
        fs::write(files.mark(), before).unwrap();
    });
    is_evidence("the mark was removed", |files, _| fs::remove_file(files.mark()).unwrap());
    is_evidence("the mark is damaged", |files, _| fs::write(files.mark(), "{").unwrap());
}

/// The command `new-epoch`, while a server has the store open.
#[test]
fn a_new_epoch_ends_the_doubt() {
    let (_folder, files, connection) = store();
    change(&connection, "marks = 4");
    mark::renew(&connection, &files).unwrap_err();
    change(&connection, "number = number + 1, marks = 1");
    mark::renew(&connection, &files).unwrap();
    let before = epoch(&connection);
    assert_eq!(epoch(&open_writer(&files).unwrap()), before);
}

/// A mark that cannot be read at the moment proves nothing.
#[test]
fn a_mark_that_cannot_be_read_stays() {
    let (folder, files, connection) = store();
    let aside = folder.path().join("aside");
    fs::rename(files.mark(), &aside).unwrap();
    fs::create_dir(files.mark()).unwrap();
    mark::renew(&connection, &files).unwrap_err();
    fs::remove_dir(files.mark()).unwrap();
    fs::rename(&aside, files.mark()).unwrap();
    mark::renew(&connection, &files).unwrap();
    let before = epoch(&connection);
    assert_eq!(epoch(&open_writer(&files).unwrap()), before);
}

#[test]
fn a_mark_follows_the_changes_of_its_database() {
    let (_folder, files, connection) = store();
    for what in ["marks = marks", "marks = marks + 1", "number = number + 1, marks = 0"] {
        change(&connection, what);
        mark::renew(&connection, &files).unwrap();
        let before = epoch(&connection);
        assert_eq!(epoch(&open_writer(&files).unwrap()), before, "{what}");
    }
}
