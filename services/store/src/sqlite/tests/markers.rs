//! Tests of marks that reveal a replaced database of a running store.

use std::fs;

use rusqlite::Connection;

use crate::sqlite::files::Files;
use crate::sqlite::{epoch_marker, open_writer};

/// Creates a store with a mark that was written after some changes.
fn store() -> (tempfile::TempDir, Files, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::create(folder.path()).unwrap();
    let connection = open_writer(&files).unwrap();
    change(&connection, "marks = 5");
    epoch_marker::renew(&connection, &files).unwrap();
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
fn assert_detected(what: &str, tamper: impl FnOnce(&Files, &Connection)) {
    let (_folder, files, connection) = store();
    tamper(&files, &connection);
    assert!(epoch_marker::renew(&connection, &files).is_err(), "{what}");
    for _ in 0..9 {
        change(&connection, "marks = marks + 1");
        epoch_marker::renew(&connection, &files).expect(what);
    }
    let before = epoch(&connection);
    drop(connection);
    assert_ne!(epoch(&open_writer(&files).unwrap()), before, "{what}");
}

#[test]
fn a_replaced_database_stays_detected() {
    assert_detected("an older database of the same epoch", |_, connection| change(connection, "marks = 4"));
    assert_detected("a database of an earlier epoch", |_, connection| {
        change(connection, "number = number - 1, marks = 9")
    });
    assert_detected("the folder was written over, and with it the mark", |files, connection| {
        let before = fs::read_to_string(files.marker()).unwrap();
        change(connection, "marks = 6");
        epoch_marker::renew(connection, files).unwrap();
        fs::write(files.marker(), before).unwrap();
    });
    assert_detected("the mark was removed", |files, _| fs::remove_file(files.marker()).unwrap());
    assert_detected("the mark is damaged", |files, _| fs::write(files.marker(), "{").unwrap());
}

/// The command `new-epoch`, while a server has the store open.
#[test]
fn a_new_epoch_makes_the_marker_valid_again() {
    let (_folder, files, connection) = store();
    change(&connection, "marks = 4");
    epoch_marker::renew(&connection, &files).unwrap_err();
    change(&connection, "number = number + 1, marks = 1");
    epoch_marker::renew(&connection, &files).unwrap();
    let before = epoch(&connection);
    assert_eq!(epoch(&open_writer(&files).unwrap()), before);
}

/// A mark that cannot be read at the moment proves nothing.
#[test]
fn an_unreadable_marker_is_kept() {
    let (folder, files, connection) = store();
    let hidden = folder.path().join("hidden");
    fs::rename(files.marker(), &hidden).unwrap();
    fs::create_dir(files.marker()).unwrap();
    epoch_marker::renew(&connection, &files).unwrap_err();
    fs::remove_dir(files.marker()).unwrap();
    fs::rename(&hidden, files.marker()).unwrap();
    epoch_marker::renew(&connection, &files).unwrap();
    let before = epoch(&connection);
    assert_eq!(epoch(&open_writer(&files).unwrap()), before);
}

#[test]
fn the_marker_follows_the_changes_of_its_database() {
    let (_folder, files, connection) = store();
    for what in ["marks = marks", "marks = marks + 1", "number = number + 1, marks = 0"] {
        change(&connection, what);
        epoch_marker::renew(&connection, &files).unwrap();
        let before = epoch(&connection);
        assert_eq!(epoch(&open_writer(&files).unwrap()), before, "{what}");
    }
}
