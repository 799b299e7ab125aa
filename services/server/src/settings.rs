//! Settings. Each has a flag, an environment variable and a key in the settings file, which are parsed by the same
//! function. Flags take precedence over the environment, and the environment over the file.

pub mod calendar;
mod file;
mod location;
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
pub use self::location::{Layer, Level, StoreLocation};
pub use self::resolve::{ServeSettings, Tls};
use self::value::{Addresses, Names, Url};

/// Generates the flags of each group and the file with all settings, so that they never differ.
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

            // The groups share their methods; not every method is used by each.
            #[allow(dead_code)]
            impl $group {
                /// Names of the flags.
                pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

                /// Returns these settings, with `other` filling in those that are not set.
                #[must_use]
                pub fn or(self, other: Self) -> Self {
                    Self { $($name: self.$name.or(other.$name),)* }
                }

                /// Returns the settings of a file.
                fn of_file(file: &FileSettings, path: &std::path::Path) -> anyhow::Result<Self> {
                    Ok(Self { $($name: file::value(path, stringify!($name), file.$name.as_ref(), $parse)?.map(Into::into),)* })
                }
            }
        )*

        /// Contents of a settings file. The values are parsed afterwards, by the functions of the flags.
        #[derive(Deserialize, Default)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        struct FileSettings {
            $($($name: Option<Spanned<String>>,)*)*
        }
    };
}

settings! {
    /// Location of the store, log and clock, for all commands.
    StoreFlags global true {
        /// Folder of the store, created if it does not exist (default: `wireform` in the system's folder for program
        /// data, such as ~/.local/share/wireform). Excludes --store; the flag takes precedence over WIREFORM_STORE.
        data: std::path::PathBuf = value::path, "WIREFORM_DATA", "DIR";
        /// URL of a PostgreSQL database to use instead of a folder: postgres://user:password@host/database. Flags are
        /// visible to all users of the machine, so set a URL with a password by the environment or the file.
        store: Url = value::url, "WIREFORM_STORE", "URL";
        /// Log filter, for the standard error: error, warn, info, debug, trace, or filters by target (default:
        /// RUST_LOG, or else info when serving and warn for commands).
        log: String = value::text, "WIREFORM_LOG", "FILTER";
        /// Start the clock at this time: that of the services, which POST /-/clock can then move, or that of a command,
        /// for tests.
        clock: Millis = value::instant, "WIREFORM_CLOCK", "TIME";
    }

    /// Settings of serving.
    ServeFlags global false {
        /// IP addresses to listen on, separated by commas (default: 127.0.0.1).
        listen: Addresses = value::addresses, "WIREFORM_LISTEN", "IP,…";
        /// Port to listen on; 0 picks a free one (default: 8117).
        port: u16 = value::port, "WIREFORM_PORT", "PORT";
        /// Naming that responses use: that of the specification or that of the public services. Requests may use both
        /// (default: spec).
        names: Names = value::names, "WIREFORM_NAMES", "spec|public";
        /// Fill an empty store from this seed file.
        seed: std::path::PathBuf = value::path, "WIREFORM_SEED", "FILE";
        /// User of the ready token (default: the first user; in an empty store me@localhost, who is created).
        user: String = value::text, "WIREFORM_USER", "ADDRESS";
        /// Certificate chain for TLS, in PEM; requires --tls-key.
        tls_cert: std::path::PathBuf = value::path, "WIREFORM_TLS_CERT", "FILE";
        /// Private key for TLS, in PEM; requires --tls-cert.
        tls_key: std::path::PathBuf = value::path, "WIREFORM_TLS_KEY", "FILE";
        /// Allow listening without TLS on addresses that other machines can reach, where tokens and mail can be read in
        /// transit (default: false).
        insecure_listen: bool = value::switch, "WIREFORM_INSECURE_LISTEN", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Maximum number of concurrent connections at each address (default: 4096).
        connections: usize = value::count, "WIREFORM_CONNECTIONS", "NUMBER";
        /// Maximum size of a request body, such as 10MiB (default: as large as messages require for mail, 24MiB for
        /// script projects, 1MiB for calendars).
        body_bytes: usize = value::bytes, "WIREFORM_BODY_BYTES", "SIZE";
        /// Set how long history is kept: a duration such as 30d, or forever (default: unchanged; 8 days in a new
        /// store).
        retention: Retention = value::retention, "WIREFORM_RETENTION", "TIME";
        /// Disable the pages for people: the overview and the API references (default: false).
        no_page: bool = value::switch, "WIREFORM_NO_PAGE", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Show the overview to other machines as well (default: false).
        overview_anywhere: bool = value::switch, "WIREFORM_OVERVIEW_ANYWHERE", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Allow channels of calendars to call back to this machine, also without TLS, and not only to the public
        /// network: for tests, and for receivers on the same machine (default: false).
        allow_loopback_callbacks: bool = value::switch, "WIREFORM_ALLOW_LOOPBACK_CALLBACKS", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Let pages of these origins use the APIs (CORS), such as http://localhost:3000; `*` for all. Separated by commas,
        /// and the flag can be repeated (default: none).
        allow_origin: Vec<value::Origins> = value::origins, "WIREFORM_ALLOW_ORIGIN", "ORIGIN,…";
        /// Issue tokens for any user to programs on this machine, by OAuth 2.0 without passwords, for tests (default:
        /// false).
        oauth: bool = value::switch, "WIREFORM_OAUTH", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Allow programs on this machine to keep snapshots of the store and to restore them, with POST /-/snapshot and
        /// POST /-/reset, for tests (default: false).
        allow_reset: bool = value::switch, "WIREFORM_ALLOW_RESET", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Maximum number of quota units that a user can spend on calendars in 100 seconds: a request takes one, a
        /// patch three. 0 disables the limit (default: 10000).
        quota: u32 = value::units, "WIREFORM_QUOTA", "UNITS";
        /// Maximum run time of a script function (default: 6m).
        run_limit: std::time::Duration = value::duration, "WIREFORM_RUN_LIMIT", "TIME";
        /// Maximum number of script functions that run at once; others wait (default: 30).
        runs: usize = value::count, "WIREFORM_RUNS", "NUMBER";
        /// Number of idle processes kept ready for script functions, of about 3 MiB each (default: 4).
        ready_runs: usize = value::count, "WIREFORM_READY_RUNS", "NUMBER";
        /// Maximum number of versions of a script project (default: 2000).
        script_versions: usize = value::count, "WIREFORM_SCRIPT_VERSIONS", "NUMBER";
        /// Create no ready token. If other machines can reach the server, none is created unless this is false
        /// (default: false on loopback, true elsewhere).
        no_token: bool = value::switch, "WIREFORM_NO_TOKEN", "BOOL"
            [num_args = 0..=1, require_equals = true, default_missing_value = "true"];
        /// Write the base URL, token and process ID as JSON to this file once requests are served; it is removed at the
        /// end.
        ready_file: std::path::PathBuf = value::path, "WIREFORM_READY_FILE", "FILE";
    }
}
