//! Settings. Each has a flag, a variable of the environment and a key in the file of settings, which are read by the
//! same function; a flag counts before the environment, and that before the file.

pub mod calendar;
mod file;
mod place;
mod resolve;
pub mod script;
#[cfg(test)]
mod tests;
pub mod value;

use clap::Args;
use serde_derive::Deserialize;
use serde_saphyr::Spanned;
use wireform_store::{Millis, Retention};

pub use self::file::{read, yaml};
pub use self::place::{Layer, Level, Place};
pub use self::resolve::{Serving, Tls};
use self::value::{Addresses, Names, Url};

/// Writes the flags of each group and the file that holds them all, so that the three never differ.
macro_rules! settings {
    ($($(#[$meta:meta])* $group:ident global $global:literal {
        $($(#[doc = $doc:literal])* $name:ident: $type:ty = $parse:path, $env:literal, $value:literal $([$($own:tt)*])?;)*
    })*) => {
        $(
            $(#[$meta])*
            #[derive(Args, Clone, Default)]
            pub struct $group {
                $(
                    $(#[doc = $doc])*
                    #[arg(long, env = $env, hide_env_values = true, value_name = $value, value_parser = $parse,
                        global = $global $(, $($own)*)?)]
                    pub $name: Option<$type>,
                )*
            }

            // The groups are made alike; not everything is asked of each.
            #[allow(dead_code)]
            impl $group {
                /// The names of the flags.
                pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

                /// These, and what they do not say as `other` says it.
                #[must_use]
                pub fn or(self, other: Self) -> Self {
                    Self { $($name: self.$name.or(other.$name),)* }
                }

                /// Those of a file.
                fn of_file(file: &FileSettings, path: &std::path::Path) -> anyhow::Result<Self> {
                    Ok(Self { $($name: file::value(path, stringify!($name), file.$name.as_ref(), $parse)?,)* })
                }
            }
        )*

        /// The file of settings as it is written. What the texts mean is found out afterwards, as that of flags.
        #[derive(Deserialize, Default)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        struct FileSettings {
            $($($name: Option<Spanned<String>>,)*)*
        }
    };
}

settings! {
    /// Which store, for all commands.
    StoreFlags global true {
        /// The folder that holds the store; it is made if it is not there (default: `wireform` where the system keeps
        /// data of programs, such as ~/.local/share/wireform). Not together with --store; as a flag it counts before
        /// WIREFORM_STORE.
        data: std::path::PathBuf = value::path, "WIREFORM_DATA", "DIR";
        /// A database of PostgreSQL instead of a folder: postgres://user:password@host/database. Everybody on the
        /// machine sees the flags of a program: an address with a password belongs into the environment or the file.
        store: Url = value::url, "WIREFORM_STORE", "URL";
        /// What is logged, to the standard error: error, warn, info, debug, trace, or filters as of tracing
        /// (default: RUST_LOG, else info for
        /// serving and warn for commands).
        log: String = value::text, "WIREFORM_LOG", "FILTER";
    }

    /// How requests are served.
    ServeFlags global false {
        /// The addresses to listen at, separated by commas (default: 127.0.0.1).
        listen: Addresses = value::addresses, "WIREFORM_LISTEN", "IP,…";
        /// The port; 0 takes one that is free (default: 8117).
        port: u16 = value::port, "WIREFORM_PORT", "PORT";
        /// Which vocabulary is written: that of the specification or that of the public services; both are read
        /// (default: spec).
        names: Names = value::names, "WIREFORM_NAMES", "spec|public";
        /// Starts the clock of the services at that time and lets POST /-/clock move it, for tests.
        clock: Millis = value::instant, "WIREFORM_CLOCK", "TIME";
        /// Fills an empty store with what the file describes.
        seed: std::path::PathBuf = value::path, "WIREFORM_SEED", "FILE";
        /// Whose the ready token is (default: the first user; me@localhost, who is made, in an empty store).
        user: String = value::text, "WIREFORM_USER", "ADDRESS";
        /// The certificate chain for TLS, in PEM; needs --tls-key.
        tls_cert: std::path::PathBuf = value::path, "WIREFORM_TLS_CERT", "FILE";
        /// The private key for TLS, in PEM; needs --tls-cert.
        tls_key: std::path::PathBuf = value::path, "WIREFORM_TLS_KEY", "FILE";
        /// Allows to listen without TLS at addresses that other machines reach: tokens and mail can be read on the
        /// way (default: false).
        insecure_listen: bool = value::switch, "WIREFORM_INSECURE_LISTEN", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// The most connections at once, of each address (default: 4096).
        connections: usize = value::count, "WIREFORM_CONNECTIONS", "NUMBER";
        /// The most bytes of a body, such as 10MiB (default: what the messages of mail need, 24MiB for script projects, 1MiB for calendars).
        body_bytes: usize = value::bytes, "WIREFORM_BODY_BYTES", "SIZE";
        /// Sets how long history is kept, at the start: a time such as 30d, or forever (default: as it was set;
        /// 8 days in a new store).
        retention: Retention = value::retention, "WIREFORM_RETENTION", "TIME";
        /// Serves no pages for people: no overview, no references (default: false).
        no_page: bool = value::switch, "WIREFORM_NO_PAGE", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Shows the overview to whoever reaches the server, and not to this machine alone (default: false).
        overview_anywhere: bool = value::switch, "WIREFORM_OVERVIEW_ANYWHERE", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Lets channels of calendars have addresses of this machine, also without TLS, and not of the public network alone:
        /// for tests, and for receivers beside this program (default: false).
        allow_loopback_callbacks: bool = value::switch, "WIREFORM_ALLOW_LOOPBACK_CALLBACKS", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// The most units of quota that a user spends on calendars in 100 seconds: each request takes one, a patch three. 0
        /// is no limit (default: 10000).
        quota: u32 = value::units, "WIREFORM_QUOTA", "UNITS";
        /// How long a function of a script may run (default: 6m).
        run_limit: std::time::Duration = value::duration, "WIREFORM_RUN_LIMIT", "TIME";
        /// How many functions of scripts run at once; others wait (default: 30).
        runs: usize = value::count, "WIREFORM_RUNS", "NUMBER";
        /// How many processes wait for the next functions of scripts, of about 3 MiB each (default: 4).
        ready_runs: usize = value::count, "WIREFORM_READY_RUNS", "NUMBER";
        /// How many versions a script project has at the most (default: 2000).
        script_versions: usize = value::count, "WIREFORM_SCRIPT_VERSIONS", "NUMBER";
        /// Makes no ready token. Where other machines reach the server none is made unless this is false
        /// (default: false on loopback, true elsewhere).
        no_token: bool = value::switch, "WIREFORM_NO_TOKEN", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Writes address, token and process number as JSON to a file once requests are answered; it is removed at
        /// the end.
        ready_file: std::path::PathBuf = value::path, "WIREFORM_READY_FILE", "FILE";
    }
}
