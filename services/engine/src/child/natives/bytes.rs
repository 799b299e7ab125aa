//! Byte arrays of scripts: arrays of numbers from -128 to 127.

use std::io::{Read, Write};

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use hmac::{Hmac, KeyInit, Mac};
use md5::{Digest, Md5};
use rquickjs::{Ctx, Function, Object, Result};
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// Base64 settings: padding is written, and optional when decoding.
const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
/// Base64 with `+` and `/`.
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
/// Base64 with `-` and `_`, for URLs.
const WEB_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

fn base64_engine(web_safe: bool) -> GeneralPurpose {
    if web_safe { WEB_SAFE } else { STANDARD }
}

/// Converts numbers to bytes; those out of range wrap around.
fn to_bytes(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().map(|number| number.to_le_bytes()[0]).collect()
}

fn from_bytes(bytes: impl AsRef<[u8]>) -> Vec<i8> {
    bytes.as_ref().iter().map(|byte| byte.cast_signed()).collect()
}

/// Returns the digest; `algorithm` is a name of the script API, such as `SHA_256`. `None` for an unknown name.
fn digest(algorithm: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    Some(match algorithm {
        "MD5" => Md5::digest(bytes).to_vec(),
        "SHA_1" => Sha1::digest(bytes).to_vec(),
        "SHA_224" => Sha224::digest(bytes).to_vec(),
        "SHA_256" => Sha256::digest(bytes).to_vec(),
        "SHA_384" => Sha384::digest(bytes).to_vec(),
        "SHA_512" => Sha512::digest(bytes).to_vec(),
        _ => return None,
    })
}

/// Computes the message authentication code; returns `None` if the algorithm refuses the key.
fn compute_mac<M: Mac + KeyInit>(key: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    // Keys of every length are valid.
    let mut code = <M as KeyInit>::new_from_slice(key).ok()?;
    code.update(bytes);
    Some(code.finalize().into_bytes().to_vec())
}

/// Returns the HMAC; `algorithm` is a name of the script API, such as `HMAC_SHA_256`. `None` for an unknown name.
fn hmac(algorithm: &str, key: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    match algorithm {
        "HMAC_MD5" => compute_mac::<Hmac<Md5>>(key, bytes),
        "HMAC_SHA_1" => compute_mac::<Hmac<Sha1>>(key, bytes),
        "HMAC_SHA_256" => compute_mac::<Hmac<Sha256>>(key, bytes),
        "HMAC_SHA_384" => compute_mac::<Hmac<Sha384>>(key, bytes),
        "HMAC_SHA_512" => compute_mac::<Hmac<Sha512>>(key, bytes),
        _ => None,
    }
}

/// Maximum number of bytes of decompressed data: a script could not hold more.
const MAX_EXPANDED: u64 = 16 << 20;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

/// Decompresses all gzip members; returns `None` for invalid data, or more than [`MAX_EXPANDED`] bytes.
fn ungzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut expanded = Vec::new();
    MultiGzDecoder::new(bytes).take(MAX_EXPANDED + 1).read_to_end(&mut expanded).ok()?;
    Some(expanded).filter(|expanded| expanded.len() as u64 <= MAX_EXPANDED)
}

/// Installs the functions on bytes; those that can fail return nothing on failure.
pub(super) fn install<'js>(ctx: &Ctx<'js>, native: &Object<'js>) -> Result<()> {
    native.set("toBytes", Function::new(ctx.clone(), |text: String| from_bytes(text))?)?;
    native.set(
        "toText",
        Function::new(ctx.clone(), |bytes: Vec<i32>| String::from_utf8_lossy(&to_bytes(&bytes)).into_owned())?,
    )?;
    native.set(
        "base64Encode",
        Function::new(ctx.clone(), |bytes: Vec<i32>, web_safe: bool| base64_engine(web_safe).encode(to_bytes(&bytes)))?,
    )?;
    native.set(
        "base64Decode",
        Function::new(ctx.clone(), |text: String, web_safe: bool| {
            base64_engine(web_safe).decode(text.trim()).ok().map(from_bytes)
        })?,
    )?;
    native.set("gzip", Function::new(ctx.clone(), |bytes: Vec<i32>| from_bytes(gzip(&to_bytes(&bytes))))?)?;
    native.set("ungzip", Function::new(ctx.clone(), |bytes: Vec<i32>| ungzip(&to_bytes(&bytes)).map(from_bytes))?)?;
    native.set(
        "digest",
        Function::new(ctx.clone(), |algorithm: String, bytes: Vec<i32>| {
            digest(&algorithm, &to_bytes(&bytes)).map(from_bytes)
        })?,
    )?;
    native.set(
        "hmac",
        Function::new(ctx.clone(), |algorithm: String, key: Vec<i32>, bytes: Vec<i32>| {
            hmac(&algorithm, &to_bytes(&key), &to_bytes(&bytes)).map(from_bytes)
        })?,
    )
}
