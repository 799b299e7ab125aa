//! Crates of google-apis-rs, whose build cost is compared.

use std::fmt;

/// Crate of script projects.
pub const SCRIPT: &str = "google-script1";
/// Crate of calendars.
pub const CALENDAR: &str = "google-calendar3";
/// Crate of mailboxes.
pub const GMAIL: &str = "google-gmail1";
/// Pinned, so that figures of different days are comparable.
const VERSION: &str = "=7.0.0";

/// Features of these crates that are built.
#[derive(Clone, Copy, Debug)]
pub enum Features {
    /// None: they compile, but without a TLS provider no call can be made.
    None,
    /// Only the TLS provider of our crates: the minimum for a call with the same TLS.
    Tls,
    /// Default: another TLS provider, and the flows of OAuth.
    Default,
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no features",
            Self::Tls => "the feature aws-lc-rs only",
            Self::Default => "default features",
        })
    }
}

/// Returns the line of a manifest that depends on one of these crates.
pub fn dependency(name: &str, features: Features) -> String {
    let features = match features {
        Features::None => "default-features = false",
        Features::Tls => "default-features = false, features = [\"aws-lc-rs\"]",
        Features::Default => "default-features = true",
    };
    format!("{name} = {{ version = {VERSION:?}, {features} }}\n")
}
