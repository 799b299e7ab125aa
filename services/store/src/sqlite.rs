//! The embedded database: one writer, a pool of readers, files in a folder.

use std::path::Path;

use crate::operation::{Backend, Operation};
use crate::{Error, Result};

/// How SQLite is used.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SqliteOptions {
    /// How many connections read at once.
    pub readers: usize,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { readers: 4 }
    }
}

/// A store in files of a folder.
#[derive(Debug, Clone)]
pub struct Sqlite {}

impl Sqlite {
    /// Opens the store in a folder, which is made if it is not there, and brings it up to date.
    ///
    /// # Errors
    /// What is wrong with the folder or the files in it.
    pub fn open(_folder: &Path, _options: SqliteOptions) -> Result<Self> {
        Ok(Self {})
    }
}

impl Backend for Sqlite {
    async fn perform<O: Operation>(&self, _operation: O) -> Result<O::Output> {
        Err(Error::Fault("nothing is stored yet".to_owned()))
    }
}

/// Makes a store in `folder` out of a copy that [`backup`](crate::Upkeep::backup) has written.
///
/// # Errors
/// That the file is not such a copy, or that there is a store already and `overwrite` is not said.
pub fn restore(_backup: &Path, _folder: &Path, _overwrite: bool) -> Result<()> {
    Err(Error::Fault("nothing is stored yet".to_owned()))
}
