//! Features of the services that the arguments of `serve` require.

use std::ffi::OsString;

/// Features of the services, with the flags and the variables that require each.
const FEATURES: &[(&str, &[&str], &[&str])] = &[
    ("postgres", &["--store"], &["WIREFORM_STORE"]),
    ("tls", &["--tls-cert", "--tls-key"], &["WIREFORM_TLS_CERT", "WIREFORM_TLS_KEY"]),
];

/// Returns the arguments of cargo that disable features nobody uses: PostgreSQL and TLS take half of the build time.
/// The contents of a settings file are not known here, so a server with one gets all features.
pub fn features(arguments: &[OsString], is_set: impl Fn(&str) -> bool) -> Vec<String> {
    let is_given = |flag: &str| {
        let mut given = arguments.iter().map(|argument| argument.to_string_lossy());
        given.any(|argument| argument.split('=').next() == Some(flag))
    };
    if is_given("--config") || is_set("WIREFORM_CONFIG") {
        return Vec::new();
    }
    let mut cargo = vec!["--no-default-features".to_owned()];
    for (feature, flags, variables) in FEATURES {
        if flags.iter().any(|flag| is_given(flag)) || variables.iter().any(|name| is_set(name)) {
            cargo.extend(["--features".to_owned(), (*feature).to_owned()]);
        }
    }
    cargo
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn server_is_built_with_required_features() {
        let of = |arguments: &[&str], set: &str| {
            let arguments: Vec<_> = arguments.iter().map(Into::into).collect();
            features(&arguments, |name| name == set).join(" ")
        };
        assert_eq!(of(&["--port", "0"], ""), "--no-default-features");
        assert_eq!(of(&["--tls-cert=c", "--tls-key", "k"], ""), "--no-default-features --features tls");
        assert_eq!(of(&["users", "list"], "WIREFORM_STORE"), "--no-default-features --features postgres");
        assert_eq!(of(&["--config", "settings.yaml"], ""), "");
    }
}
