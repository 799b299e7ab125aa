//! What settings come to together.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use wireform_store::{Millis, Retention};

use super::ServeFlags;
use super::value::Names;

/// The port that is taken where none is said.
const PORT: u16 = 8117;

/// The quota where none is said.
const QUOTA: u32 = 10_000;
/// The processes that wait for functions of scripts.
const READY_RUNS: usize = 4;

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
    /// Whether notifications of calendars are sent to this machine as well.
    pub loopback_callbacks: bool,
    /// The units of quota that a user spends on calendars in a while; 0 for no limit.
    pub quota: u32,
    /// How long a function of a script may run, if somebody said.
    pub run_limit: Option<Duration>,
    /// How many of them run at once, if somebody said.
    pub runs: Option<usize>,
    /// How many processes wait for the next functions.
    pub ready_runs: usize,
    /// How many versions a script project has, if somebody said.
    pub script_versions: Option<usize>,
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
            loopback_callbacks: flags.allow_loopback_callbacks.unwrap_or(false),
            quota: flags.quota.unwrap_or(QUOTA),
            run_limit: flags.run_limit,
            runs: flags.runs,
            ready_runs: flags.ready_runs.unwrap_or(READY_RUNS),
            script_versions: flags.script_versions,
            token: !flags.no_token.unwrap_or(outside.is_some()),
            ready_file: flags.ready_file,
            listen,
        })
    }

    /// Returns what was said of scripts.
    pub fn script_settings(&self) -> wireform_script::Settings {
        let usual = wireform_script::Settings::default();
        wireform_script::Settings {
            run_time: self.run_limit.unwrap_or(usual.run_time),
            concurrency: self.runs.unwrap_or(usual.concurrency),
            versions: self.script_versions.map_or(usual.versions, |most| i64::try_from(most).unwrap_or(i64::MAX)),
            ..usual
        }
    }
}
