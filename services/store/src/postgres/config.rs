//! Connection URL and connection settings.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, RecyclingMethod};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::PostgresOptions;
use crate::{Error, Result};

/// Accepted forms of a database URL, for messages.
const EXPECTED_URL: &str = "expected `postgres://user:password@host:port/database`, where `?host=/folder` names the \
    folder of a socket, or `host=… port=… user=… dbname=…`";

/// Creates the connection manager for a URL.
///
/// # Errors
/// Returns an error if the URL cannot be parsed, or the trusted certificates cannot be read. The error does not repeat
/// the URL, because it may contain a password.
pub(super) fn connection_manager(address: &str, options: &PostgresOptions) -> Result<Manager> {
    let mut config = parse(address)?;
    set_defaults(&mut config, options);
    let how = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    Ok(match config.get_ssl_mode() {
        SslMode::Disable => Manager::from_config(config, NoTls, how),
        _ => Manager::from_config(config, tls()?, how),
    })
}

/// Parses a database URL, and decides whether its connections are encrypted. Errors do not repeat the URL.
fn parse(address: &str) -> Result<Config> {
    // Certificates and host names are always verified over TLS, so these modes equal `require`.
    let address =
        address.replace("sslmode=verify-full", "sslmode=require").replace("sslmode=verify-ca", "sslmode=require");
    let invalid = |why: &str| Error::Refused(format!("invalid database URL: {why}; {EXPECTED_URL}"));
    // The parser's message may quote a part of an unencoded password.
    let mut config: Config = address.parse().map_err(|_| invalid("it cannot be parsed"))?;
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        return Err(invalid("the host is missing"));
    }
    if config.get_dbname().is_none() {
        return Err(invalid("the database name is missing"));
    }
    if config.get_ssl_mode() == SslMode::Prefer {
        // Network connections are encrypted unless the URL says `sslmode=disable`. Local connections cannot be
        // intercepted, and certificates for `localhost` are rare.
        config.ssl_mode(if is_local(&config) { SslMode::Disable } else { SslMode::Require });
    }
    Ok(config)
}

fn is_local(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().all(std::net::IpAddr::is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// Sets defaults for everything that the URL does not specify.
fn set_defaults(config: &mut Config, options: &PostgresOptions) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Duration::from_secs(5));
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(Duration::from_secs(30));
    }
    if config.get_keepalives_interval().is_none() {
        // The default would detect a lost peer only after two hours.
        config
            .keepalives_idle(Duration::from_secs(30))
            .keepalives_interval(Duration::from_secs(10))
            .keepalives_retries(3);
    }
    if config.get_application_name().is_none() {
        config.application_name("wireform");
    }
    let settings = settings(options, config.get_options().unwrap_or_default());
    config.options(settings);
}

/// Returns the session settings; those of the URL come last and take precedence.
fn settings(options: &PostgresOptions, own: &str) -> String {
    let milliseconds = |time: Duration| time.as_millis().to_string();
    let settings = [
        ("lock_timeout", milliseconds(options.lock_time)),
        ("statement_timeout", milliseconds(options.statement_time)),
        ("idle_in_transaction_session_timeout", milliseconds(options.statement_time)),
        // Every statement is written for an index, and reads rows in its order. With outdated or missing statistics the
        // planner would sometimes choose a sequential scan or a sort, and JIT compilation costs more than reading a few
        // rows.
        ("plan_cache_mode", "force_generic_plan".to_owned()),
        ("enable_seqscan", "off".to_owned()),
        ("enable_bitmapscan", "off".to_owned()),
        ("enable_hashjoin", "off".to_owned()),
        ("enable_mergejoin", "off".to_owned()),
        ("enable_material", "off".to_owned()),
        ("jit", "off".to_owned()),
    ];
    let mut text = settings.map(|(name, value)| format!("-c {name}={value}")).join(" ");
    if !own.is_empty() {
        text = format!("{text} {own}");
    }
    text
}

/// Creates a TLS connector with the certificates trusted by the system, or those in the file `SSL_CERT_FILE`.
fn tls() -> Result<MakeRustlsConnect> {
    let mut roots = rustls::RootCertStore::empty();
    let (known, _) = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if known == 0 {
        return Err(Error::Refused(
            "no trusted certificates found for the encrypted connection to the database; help: install \
             the package ca-certificates, set SSL_CERT_FILE to a file of certificates, or add \
             `sslmode=disable` to the URL if the network is trusted"
                .to_owned(),
        ));
    }
    let config = rustls::ClientConfig::builder_with_provider(rustls::crypto::aws_lc_rs::default_provider().into())
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::Internal(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(address: &str) -> SslMode {
        parse(address).unwrap().get_ssl_mode()
    }

    #[test]
    fn connections_over_a_network_are_encrypted() {
        for local in [
            "postgres://u@localhost/d",
            "postgres://u@127.0.0.1:5433/d",
            "postgres://u@[::1]/d",
            "postgres://u@%2Frun%2Fpostgresql/d",
            "host=/run/postgresql user=u dbname=d",
            "postgres://u@db.example.com/d?sslmode=disable",
        ] {
            assert_eq!(mode(local), SslMode::Disable, "{local}");
        }
        for remote in [
            "postgres://u@db.example.com/d",
            "postgres://u@10.0.0.7/d",
            "postgres://u@localhost,db.example.com/d",
            "postgres://u@localhost/d?sslmode=require",
            "postgres://u@localhost/d?sslmode=verify-full",
        ] {
            assert_eq!(mode(remote), SslMode::Require, "{remote}");
        }
    }

    #[test]
    fn an_invalid_url_is_not_repeated() {
        for wrong in [
            "postgres://u:s3cret@db.example.com/d?hidden=1",
            "s3cret",
            "postgres://u:s3cret@db.example.com",
            "user=u password=s3cret dbname=d",
            "postgres://u:s3cret@h/d?sslmode=sideways",
        ] {
            let text = parse(wrong).unwrap_err().to_string();
            assert!(!text.contains("s3cret") && !text.contains("hidden"), "{text}");
            assert!(text.contains("expected `postgres://"), "{text}");
        }
    }

    #[test]
    fn settings_of_the_url_take_precedence() {
        let address = "postgres://u@localhost/d?options=-c%20lock_timeout%3D7&application_name=mine&connect_timeout=9";
        let mut config = parse(address).unwrap();
        set_defaults(&mut config, &PostgresOptions::default());
        assert!(config.get_options().unwrap().ends_with(" -c lock_timeout=7"));
        assert_eq!(config.get_application_name(), Some("mine"));
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(9)));
    }
}
