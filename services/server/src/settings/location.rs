//! Location of the store: a folder or a database, as the level of the highest precedence sets it.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use wireform_store::{AnyStore, Sqlite, SqliteOptions};

use super::StoreFlags;
use super::value::Url;

/// Location of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreLocation {
    /// Folder.
    Folder(PathBuf),
    /// PostgreSQL database.
    Database(Url),
}

/// Origin of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Level {
    /// Command line.
    Flags,
    /// Environment variables.
    Environment,
    /// Settings file.
    File(PathBuf),
}

impl Level {
    /// Formats the name of a setting as it is written at this level.
    fn setting_name(&self, name: &str) -> String {
        match self {
            Self::Flags => format!("`--{name}`"),
            Self::Environment => format!("`WIREFORM_{}`", name.to_uppercase()),
            Self::File(path) => format!("`{name}` of {}", path.display()),
        }
    }
}

/// Location of the store as one level sets it; `data` and `store` are alternatives.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Origin of the settings.
    pub level: Level,
    /// Folder.
    pub data: Option<PathBuf>,
    /// URL of a database.
    pub store: Option<Url>,
}

impl Layer {
    /// Returns the location set in a settings file.
    pub fn from_file(path: &Path, flags: &StoreFlags) -> Self {
        Self { level: Level::File(path.to_owned()), data: flags.data.clone(), store: flags.store.clone() }
    }

    /// Returns the location, if this level sets one.
    fn location(&self) -> anyhow::Result<Option<StoreLocation>> {
        match (&self.data, &self.store) {
            (Some(_), Some(_)) => bail!(
                "both {}, a folder, and {}, a database, are set; help: remove one of them",
                self.level.setting_name("data"),
                self.level.setting_name("store")
            ),
            // The path is made absolute because messages with it do not show the current folder.
            (Some(folder), None) => {
                Ok(Some(StoreLocation::Folder(std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))))
            }
            (None, Some(url)) => database(url).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Returns the name of the alternative to the setting `name`, if this level sets it.
    fn alternative_to(&self, name: &str) -> Option<String> {
        let other = if name == "data" { ("store", self.store.is_some()) } else { ("data", self.data.is_some()) };
        other.1.then(|| self.level.setting_name(other.0))
    }
}

impl StoreLocation {
    /// Returns the location set by the level of the highest precedence, with a warning for each alternative setting of
    /// a lower level, which has no effect.
    ///
    /// # Errors
    /// Returns an error if the deciding level sets both alternatives, or if its value cannot be used.
    pub fn from_layers(layers: &[Layer]) -> anyhow::Result<(Self, Vec<String>)> {
        for (number, layer) in layers.iter().enumerate() {
            let Some(location) = layer.location()? else { continue };
            let name = if layer.data.is_some() { "data" } else { "store" };
            let by = layer.level.setting_name(name);
            let unused = layers.iter().skip(number + 1).filter_map(|lower| lower.alternative_to(name));
            return Ok((
                location,
                unused.map(|other| format!("{other} has no effect: {by} takes precedence")).collect(),
            ));
        }
        Ok((Self::Folder(home()?), Vec::new()))
    }

    /// Opens the store.
    pub async fn open(&self) -> anyhow::Result<AnyStore> {
        let opened = match self {
            Self::Folder(folder) => Sqlite::open(folder, SqliteOptions::default()).map(AnyStore::Sqlite),
            #[cfg(feature = "postgres")]
            Self::Database(url) => {
                use wireform_store::{Postgres, PostgresOptions};
                Postgres::open(&url.0, PostgresOptions::default()).await.map(AnyStore::Postgres)
            }
            #[cfg(not(feature = "postgres"))]
            Self::Database(_) => {
                anyhow::bail!("this program was built without PostgreSQL; help: build it with the feature `postgres`")
            }
        };
        opened.with_context(|| format!("the store in {self} cannot be opened"))
    }
}

/// Returns the default folder.
fn home() -> anyhow::Result<PathBuf> {
    let home = std::env::var_os("XDG_DATA_HOME").filter(|home| Path::new(home).is_absolute()).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    Ok(home.context("no home folder found for the store; help: set the folder with --data DIR")?.join("wireform"))
}

/// Returns the location of a database, whose URL must be one of PostgreSQL.
fn database(url: &Url) -> anyhow::Result<StoreLocation> {
    // The URL is not repeated in the message: it may hold a password.
    let known = url.0.starts_with("postgres://") || url.0.starts_with("postgresql://");
    ensure!(known, "`store` must be the URL of a database, postgres://user:password@host/database");
    Ok(StoreLocation::Database(url.clone()))
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Database(url) => url.fmt(f),
        }
    }
}
