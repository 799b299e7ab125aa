//! Authorization codes, which are exchanged once for a token.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::Uri;
use sha2::{Digest as _, Sha256};
use wireform_store::Secret;

use super::grants::{Grant, GrantError, Parameters, encode};

/// Maximum number of codes that were not exchanged yet.
const MAX_CODES: usize = 1_000;
/// Validity of a code.
const VALIDITY: Duration = Duration::from_secs(10 * 60);

/// Issued code.
struct Issued {
    grant: Grant,
    until: Instant,
    redirect_uri: String,
    /// Code challenge (RFC 7636) and its method.
    challenge: Option<(String, String)>,
}

/// Codes that were not exchanged yet.
#[derive(Clone, Default)]
pub(super) struct Codes(Arc<Mutex<HashMap<String, Issued>>>);

impl Codes {
    /// Issues a code for an authorization request.
    pub(super) fn issue(&self, grant: Grant, request: &Parameters) -> Result<String, GrantError> {
        let code = Secret::random().reveal().replacen("wf_", "4/", 1);
        let method = request.get("code_challenge_method").unwrap_or("plain");
        let challenge = request.get("code_challenge").map(|challenge| (challenge.to_owned(), method.to_owned()));
        let redirect_uri = request.get("redirect_uri").unwrap_or_default().to_owned();
        let now = Instant::now();
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|_, issued| issued.until > now);
        if codes.len() >= MAX_CODES {
            return Err(GrantError::TooManyCodes);
        }
        codes.insert(code.clone(), Issued { grant, until: now + VALIDITY, redirect_uri, challenge });
        Ok(code)
    }

    /// Returns the grant of a code, which is not valid any more.
    pub(super) fn redeem(&self, request: &Parameters) -> Result<Grant, GrantError> {
        let code = request.require("code")?;
        let issued = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(code);
        let issued = issued.filter(|issued| issued.until > Instant::now()).ok_or(GrantError::UnknownCode)?;
        if request.get("redirect_uri") != Some(&issued.redirect_uri) {
            return Err(GrantError::Mismatch("redirect_uri"));
        }
        if let Some((challenge, method)) = issued.challenge {
            let verifier = request.require("code_verifier")?;
            let expected = if method == "S256" { encode(&Sha256::digest(verifier)) } else { verifier.to_owned() };
            if expected != challenge {
                return Err(GrantError::Mismatch("code_verifier"));
            }
        }
        Ok(issued.grant)
    }
}

/// Returns whether a URL leads to a program on this machine.
pub(super) fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let is_address = host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback());
    matches!(uri.scheme_str(), Some("http" | "https")) && (host.eq_ignore_ascii_case("localhost") || is_address)
}
