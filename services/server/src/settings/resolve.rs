//! What settings come to together.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use wireform_store::{AnyStore, Millis, Postgres, PostgresOptions, Retention, Sqlite, SqliteOptions};

use super::value::{Names, Url};
use super::{ServeFlags, StoreFlags};

/// The port that is taken where none is said.
const PORT: u16 = 8117;

/// Where the store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a folder.
    Folder(PathBuf),
    /// In a database of PostgreSQL.
    Database(Url),
}

impl Place {
    /// Where flags, environment and file say; the file counts where the others say nothing.
    pub fn of(said: &StoreFlags, file: &StoreFlags) -> anyhow::Result<Self> {
        for layer in [said, file] {
            match (&layer.data, &layer.store) {
                (Some(_), Some(_)) => bail!(
                    "both `data`, a folder, and `store`, a database, are set: say one of them (look at the flags, at \
                     WIREFORM_DATA and WIREFORM_STORE, and at the file of settings)"
                ),
                // Messages tell the whole path: the folder that it counts from is not to be seen in them.
                (Some(folder), None) => {
                    return Ok(Self::Folder(std::path::absolute(folder).unwrap_or_else(|_| folder.clone())));
                }
                (None, Some(url)) => return database(url),
                (None, None) => {}
            }
        }
        let home = std::env::var_os("XDG_DATA_HOME").filter(|home| Path::new(home).is_absolute()).map(PathBuf::from);
        let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".local/share")));
        let home = home.context("there is no home folder to keep data in: say where with --data DIR")?;
        Ok(Self::Folder(home.join("wireform")))
    }

    /// Opens the store.
    pub async fn open(&self) -> anyhow::Result<AnyStore> {
        let opened = match self {
            Self::Folder(folder) => Sqlite::open(folder, SqliteOptions::default()).map(AnyStore::Sqlite),
            Self::Database(url) => Postgres::open(&url.0, PostgresOptions::default()).await.map(AnyStore::Postgres),
        };
        opened.with_context(|| format!("the store in {self} cannot be opened"))
    }
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

/// The files of TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// The chain of certificates.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// How requests are served, with everything decided.
#[derive(Debug, Clone)]
pub struct Serving {
    /// The addresses.
    pub listen: Vec<IpAddr>,
    /// The port; 0: any.
    pub port: u16,
    /// Whether nobody said which port.
    pub default_port: bool,
    /// The vocabulary.
    pub names: Names,
    /// Where the clock starts, if it can be moved.
    pub clock: Option<Millis>,
    /// What fills an empty store.
    pub seed: Option<PathBuf>,
    /// Whose the ready token is, if somebody said.
    pub user: Option<String>,
    /// TLS, if it is used.
    pub tls: Option<Tls>,
    /// The most connections of each address, if somebody said.
    pub connections: Option<usize>,
    /// The most bytes of a body, if somebody said.
    pub body_bytes: Option<usize>,
    /// How long history is kept, if somebody said.
    pub retention: Option<Retention>,
    /// Whether there are pages for people.
    pub page: bool,
    /// Whether everybody may see the overview.
    pub overview_anywhere: bool,
    /// Whether a ready token is made.
    pub token: bool,
    /// The file that says that the server is ready.
    pub ready_file: Option<PathBuf>,
}

impl Serving {
    /// What the settings come to.
    ///
    /// # Errors
    /// Settings that contradict one another, and what would be dangerous without being asked for.
    pub fn of(flags: ServeFlags) -> anyhow::Result<Self> {
        let listen = flags.listen.map_or_else(|| vec![Ipv4Addr::LOCALHOST.into()], |listen| listen.0);
        let tls = match (flags.tls_cert, flags.tls_key) {
            (Some(certificate), Some(key)) => Some(Tls { certificate, key }),
            (None, None) => None,
            (Some(_), None) => bail!("`tls-cert` is set and `tls-key` is not: TLS needs both"),
            (None, Some(_)) => bail!("`tls-key` is set and `tls-cert` is not: TLS needs both"),
        };
        let outside = listen.iter().find(|address| !address.to_canonical().is_loopback());
        if let Some(address) = outside
            && tls.is_none()
            && !flags.insecure_listen.unwrap_or(false)
        {
            bail!(
                "other machines reach {address}, and without TLS tokens and mail can be read on the way: set \
                 `tls-cert` and `tls-key`, or say --insecure-listen if something else protects the way"
            );
        }
        Ok(Self {
            port: flags.port.unwrap_or(PORT),
            default_port: flags.port.is_none(),
            names: flags.names.unwrap_or_default(),
            clock: flags.clock,
            seed: flags.seed,
            user: flags.user,
            tls,
            connections: flags.connections,
            body_bytes: flags.body_bytes,
            retention: flags.retention,
            page: !flags.no_page.unwrap_or(false),
            overview_anywhere: flags.overview_anywhere.unwrap_or(false),
            token: !flags.no_token.unwrap_or(outside.is_some()),
            ready_file: flags.ready_file,
            listen,
        })
    }
}
