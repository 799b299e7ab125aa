//! Resolution of settings to their defaults and combinations.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use wireform_store::{Millis, Retention};

use super::ServeFlags;
use super::value::{Names, Origins};

/// Default port.
const PORT: u16 = 8117;

/// Default quota.
const QUOTA: u32 = 10_000;
/// Default number of idle processes for script functions.
const READY_RUNS: usize = 4;

/// TLS files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// Certificate chain.
    pub certificate: PathBuf,
    /// Private key.
    pub key: PathBuf,
}

/// Resolved settings of serving.
#[derive(Debug, Clone)]
pub struct ServeSettings {
    /// IP addresses to listen on.
    pub listen: Vec<IpAddr>,
    /// Port; 0 for any free one.
    pub port: u16,
    /// True if the port is the default.
    pub default_port: bool,
    /// Naming that responses use.
    pub names: Names,
    /// Start of the clock, if it can be moved.
    pub clock: Option<Millis>,
    /// Seed file of an empty store.
    pub seed: Option<PathBuf>,
    /// User of the ready token, if set.
    pub user: Option<String>,
    /// TLS files, if TLS is used.
    pub tls: Option<Tls>,
    /// Maximum number of connections at each address, if set.
    pub connections: Option<usize>,
    /// Maximum number of bytes of a body, if set.
    pub body_bytes: Option<usize>,
    /// Retention of history, if set.
    pub retention: Option<Retention>,
    /// True if the pages for people are served.
    pub page: bool,
    /// True if other machines may see the overview.
    pub overview_anywhere: bool,
    /// True if notifications of calendars may be sent to this machine.
    pub loopback_callbacks: bool,
    /// Origins whose pages may use the APIs.
    pub allow_origin: Vec<Origins>,
    /// True if tokens are issued by OAuth without passwords.
    pub oauth: bool,
    /// True if programs on this machine may take and restore snapshots.
    pub allow_reset: bool,
    /// Quota units of a user for calendars; 0 for no limit.
    pub quota: u32,
    /// Maximum run time of a script function, if set.
    pub run_limit: Option<Duration>,
    /// Maximum number of script functions that run at once, if set.
    pub runs: Option<usize>,
    /// Number of idle processes for script functions.
    pub ready_runs: usize,
    /// Maximum number of versions of a script project, if set.
    pub script_versions: Option<usize>,
    /// True if a ready token is created.
    pub token: bool,
    /// File that signals that the server is ready.
    pub ready_file: Option<PathBuf>,
}

impl ServeSettings {
    /// Resolves the settings.
    ///
    /// # Errors
    /// Returns an error if settings contradict each other, or if an unsafe configuration is not explicitly allowed.
    pub fn resolve(flags: ServeFlags, clock: Option<Millis>) -> anyhow::Result<Self> {
        let listen = flags.listen.map_or_else(|| vec![Ipv4Addr::LOCALHOST.into()], |listen| listen.0);
        let tls = match (flags.tls_cert, flags.tls_key) {
            (Some(certificate), Some(key)) => Some(Tls { certificate, key }),
            (None, None) => None,
            (Some(_), None) => bail!("`tls-cert` is set but `tls-key` is not: TLS requires both"),
            (None, Some(_)) => bail!("`tls-key` is set but `tls-cert` is not: TLS requires both"),
        };
        let reachable = listen.iter().find(|address| !address.to_canonical().is_loopback());
        if let Some(address) = reachable
            && tls.is_none()
            && !flags.insecure_listen.unwrap_or(false)
        {
            bail!(
                "other machines can reach {address}, and without TLS tokens and mail can be read in transit; help: \
                 set `tls-cert` and `tls-key`, or --insecure-listen if something else protects the traffic"
            );
        }
        Ok(Self {
            port: flags.port.unwrap_or(PORT),
            default_port: flags.port.is_none(),
            names: flags.names.unwrap_or_default(),
            clock,
            seed: flags.seed,
            user: flags.user,
            tls,
            connections: flags.connections,
            body_bytes: flags.body_bytes,
            retention: flags.retention,
            page: !flags.no_page.unwrap_or(false),
            overview_anywhere: flags.overview_anywhere.unwrap_or(false),
            loopback_callbacks: flags.allow_loopback_callbacks.unwrap_or(false),
            allow_origin: flags.allow_origin.unwrap_or_default(),
            oauth: flags.oauth.unwrap_or(false),
            allow_reset: flags.allow_reset.unwrap_or(false),
            quota: flags.quota.unwrap_or(QUOTA),
            run_limit: flags.run_limit,
            runs: flags.runs,
            ready_runs: flags.ready_runs.unwrap_or(READY_RUNS),
            script_versions: flags.script_versions,
            token: !flags.no_token.unwrap_or(reachable.is_some()),
            ready_file: flags.ready_file,
            listen,
        })
    }

    /// Returns the settings of script projects.
    pub fn script_settings(&self) -> wireform_script::Settings {
        let defaults = wireform_script::Settings::default();
        wireform_script::Settings {
            run_time: self.run_limit.unwrap_or(defaults.run_time),
            concurrency: self.runs.unwrap_or(defaults.concurrency),
            versions: self.script_versions.map_or(defaults.versions, |max| i64::try_from(max).unwrap_or(i64::MAX)),
            ..defaults
        }
    }
}
