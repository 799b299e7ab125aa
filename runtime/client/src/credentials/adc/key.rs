//! Private key of a service account.
//!
//! The text is untrusted. Its wrapping is parsed here, without recursion and without a general ASN.1 parser, which
//! would follow any nesting down the stack.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::Value;

use crate::credentials::{CredentialsError, CredentialsErrorKind};
use crate::text::one_line;

/// `1.2.840.113549.1.1.1`, RSA, as a DER element.
const RSA_OID: [u8; 11] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];

/// DER tag of an integer.
const TAG_INTEGER: u8 = 0x02;
/// DER tag of a string of bytes.
const TAG_OCTET_STRING: u8 = 0x04;
/// DER tag of a sequence.
const TAG_SEQUENCE: u8 = 0x30;

/// RSA signing key.
pub(super) struct RsaKey(EncodingKey);

impl RsaKey {
    /// Parses a PEM text: PKCS #8 or PKCS #1.
    pub(super) fn from_pem(pem: &str) -> Result<Self, CredentialsError> {
        let der = decode_pem(pem)?;
        let rsa = unwrap_pkcs8(&der).ok_or_else(|| invalid_key("is not an RSA private key"))?;
        let key = Self(EncodingKey::from_rsa_der(rsa));
        // Detects a key with invalid numbers now and not when a call needs it.
        key.sign(b"")?;
        Ok(key)
    }

    /// Returns the header and the claims as a JSON Web Token, signed with RS256 (RFC 7515, section 3.1).
    pub(super) fn sign_jwt(&self, header: &Value, claims: &Value) -> Result<String, CredentialsError> {
        let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let signature = URL_SAFE_NO_PAD.encode(self.sign(signed.as_bytes())?);
        Ok(format!("{signed}.{signature}"))
    }

    /// Signs a message. `jsonwebtoken::encode` would use the crypto provider of the process, which panics if another
    /// crate enabled a second one.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, CredentialsError> {
        let signer = (DEFAULT_PROVIDER.signer_factory)(&Algorithm::RS256, &self.0);
        let signature = signer.ok().and_then(|signer| signer.try_sign(message).ok());
        signature.ok_or_else(|| invalid_key("is corrupt: it cannot sign"))
    }
}

/// Returns the bytes between the first line and the last.
fn decode_pem(pem: &str) -> Result<Vec<u8>, CredentialsError> {
    let no_pem = || invalid_key("is not PEM: expected the line `-----BEGIN PRIVATE KEY-----`");
    let (label, rest) =
        pem.split_once("-----BEGIN ").and_then(|(_, rest)| rest.split_once("-----")).ok_or_else(no_pem)?;
    if !matches!(label, "PRIVATE KEY" | "RSA PRIVATE KEY") {
        let label = one_line(label, 32);
        return Err(invalid_key(&format!("has the PEM label `{label}`, expected `PRIVATE KEY`")));
    }
    let (body, _) = rest
        .split_once(&format!("-----END {label}-----"))
        .ok_or_else(|| invalid_key(&format!("has no line `-----END {label}-----`")))?;
    let body: String = body.split_ascii_whitespace().collect();
    STANDARD.decode(body).map_err(|_| invalid_key("has invalid base64 between its first and its last line"))
}

/// Returns the PKCS #1 key, without the PKCS #8 around it.
fn unwrap_pkcs8(der: &[u8]) -> Option<&[u8]> {
    let (body, _) = read_der_element(der, TAG_SEQUENCE)?;
    let (_version, rest) = read_der_element(body, TAG_INTEGER)?;
    if rest.first() == Some(&TAG_INTEGER) {
        return Some(der);
    }
    let (algorithm, rest) = read_der_element(rest, TAG_SEQUENCE)?;
    algorithm.starts_with(&RSA_OID).then(|| read_der_element(rest, TAG_OCTET_STRING)).flatten().map(|(key, _)| key)
}

/// Returns the content of the DER element with a tag, and the rest.
fn read_der_element(input: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, first], rest) = input.split_first_chunk::<2>()?;
    if found != tag {
        return None;
    }
    if first < 0x80 {
        return rest.split_at_checked(usize::from(first));
    }
    // The low bits hold the number of length bytes; no key needs more than four.
    let digits = usize::from(first & 0x7f);
    if !(1..=4).contains(&digits) {
        return None;
    }
    let (length, rest) = rest.split_at_checked(digits)?;
    rest.split_at_checked(length.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)))
}

/// Creates an error about the field `private_key`; `why` is the predicate of its message.
fn invalid_key(why: &str) -> CredentialsError {
    CredentialsError::new(CredentialsErrorKind::Invalid, format!("the field `private_key` {why}"))
}
