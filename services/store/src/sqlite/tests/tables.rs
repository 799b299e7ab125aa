//! Tables of the store.

use std::collections::BTreeSet;

use crate::domain::snapshots::{OTHER_TABLES, TABLES};
use crate::sqlite::files::Files;
use crate::sqlite::migrate::migrate;

#[test]
fn snapshots_contain_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::create(folder.path()).unwrap();
    let mut connection = files.writer().unwrap();
    migrate(&mut connection, &files.database()).unwrap();
    let all = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut statement = connection.prepare(all).unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    let names: BTreeSet<String> = names.collect::<rusqlite::Result<_>>().unwrap();
    let listed: BTreeSet<String> = TABLES.iter().chain(OTHER_TABLES).map(|name| (*name).to_owned()).collect();
    assert_eq!(names, listed);
}
