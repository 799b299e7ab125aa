//! Where the store is: a folder or a database, of which the nearest level decides.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use wireform_store::{AnyStore, Sqlite, SqliteOptions};

use super::StoreFlags;
use super::value::Url;

/// Where the store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a folder.
    Folder(PathBuf),
    /// In a database of PostgreSQL.
    Database(Url),
}

/// The origin of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Level {
    /// The command line.
    Flags,
    /// Variables of the environment.
    Environment,
    /// A file of settings.
    File(PathBuf),
}

impl Level {
    /// Returns a setting as it is written at this level.
    fn spell(&self, name: &str) -> String {
        match self {
            Self::Flags => format!("`--{name}`"),
            Self::Environment => format!("`WIREFORM_{}`", name.to_uppercase()),
            Self::File(path) => format!("`{name}` of {}", path.display()),
        }
    }
}

/// What one level says about where the store is. `data` and `store` are two settings of one thing.
#[derive(Debug, Clone)]
pub struct Layer {
    /// The level.
    pub level: Level,
    /// A folder.
    pub data: Option<PathBuf>,
    /// The address of a database.
    pub store: Option<Url>,
}

impl Layer {
    /// Returns what a file of settings says.
    pub fn of_file(path: &Path, flags: &StoreFlags) -> Self {
        Self { level: Level::File(path.to_owned()), data: flags.data.clone(), store: flags.store.clone() }
    }

    /// Returns the place, if this level says one.
    fn place(&self) -> anyhow::Result<Option<Place>> {
        match (&self.data, &self.store) {
            (Some(_), Some(_)) => bail!(
                "both {}, a folder, and {}, a database, are set, and the store is in one of them: leave the other out",
                self.level.spell("data"),
                self.level.spell("store")
            ),
            // Messages tell the whole path: the folder that it counts from is not to be seen in them.
            (Some(folder), None) => {
                Ok(Some(Place::Folder(std::path::absolute(folder).unwrap_or_else(|_| folder.clone()))))
            }
            (None, Some(url)) => database(url).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Returns the setting by which this level says what the one that counts has said by `name`.
    fn other_than(&self, name: &str) -> Option<String> {
        let other = if name == "data" { ("store", self.store.is_some()) } else { ("data", self.data.is_some()) };
        other.1.then(|| self.level.spell(other.0))
    }
}

impl Place {
    /// Returns where the nearest of these levels says, with a sentence for each setting of a farther level that says
    /// the other kind of place: that it has no effect is to be seen somewhere.
    ///
    /// # Errors
    /// When that level says both kinds of place.
    pub fn of(layers: &[Layer]) -> anyhow::Result<(Self, Vec<String>)> {
        for (number, layer) in layers.iter().enumerate() {
            let Some(place) = layer.place()? else { continue };
            let name = if layer.data.is_some() { "data" } else { "store" };
            let by = layer.level.spell(name);
            let unused = layers.iter().skip(number + 1).filter_map(|farther| farther.other_than(name));
            return Ok((place, unused.map(|other| format!("{other} has no effect: {by} counts before it")).collect()));
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
                anyhow::bail!("this program was built without PostgreSQL: build it with the feature `postgres`")
            }
        };
        opened.with_context(|| format!("the store in {self} cannot be opened"))
    }
}

/// Returns the folder that is used where nobody says one.
fn home() -> anyhow::Result<PathBuf> {
    let home = std::env::var_os("XDG_DATA_HOME").filter(|home| Path::new(home).is_absolute()).map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
    Ok(home.context("there is no home folder to keep data in: say where with --data DIR")?.join("wireform"))
}

fn database(url: &Url) -> anyhow::Result<Place> {
    // The address is not repeated: it may hold a password.
    let known = url.0.starts_with("postgres://") || url.0.starts_with("postgresql://");
    ensure!(known, "`store` must be the address of a database, postgres://user:password@host/database");
    Ok(Place::Database(url.clone()))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(f, "{}", folder.display()),
            Self::Database(url) => url.fmt(f),
        }
    }
}
