//! Tests of stores in files.

mod copies;
mod disk_errors;
mod epochs;
mod files;
mod labels;
mod processes;
mod scheduling;

use std::path::Path;

use wireform_store::{AnyStore, Sqlite, SqliteOptions};

fn open(folder: &Path) -> AnyStore {
    AnyStore::Sqlite(Sqlite::open(folder, SqliteOptions::default()).expect("the store opens"))
}
