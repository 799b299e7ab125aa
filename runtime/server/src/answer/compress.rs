//! Whether and how an answer is compressed.

use std::io::Write as _;

use axum::body::Body;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, header};

use super::accept::{Preference, preferences};

/// What `Accept-Encoding` says of the two codings there are: weights in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codings {
    gzip: u16,
    /// None when it is not named: then it is taken when nothing better is.
    identity: Option<u16>,
}

impl Codings {
    /// Reads the headers. Without any nothing is compressed.
    pub fn accepted(headers: &HeaderMap) -> Self {
        let (mut gzip, mut identity, mut others) = (None, None, None);
        for Preference { name, weight } in preferences(headers, header::ACCEPT_ENCODING) {
            let slot = match name {
                "*" => &mut others,
                name if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => &mut gzip,
                name if name.eq_ignore_ascii_case("identity") => &mut identity,
                _ => continue,
            };
            *slot = Some(weight);
        }
        // `*;q=0` refuses the identity as well; a `*` with a weight does not name it.
        Self { gzip: gzip.or(others).unwrap_or(0), identity: identity.or(others.filter(|weight| *weight == 0)) }
    }

    /// Whether an answer of that many bytes is compressed, where `fewest` are worth it.
    pub fn is_gzip_wanted(self, length: usize, fewest: usize) -> bool {
        let preferred = self.gzip > 0 && self.identity.is_none_or(|identity| self.gzip >= identity);
        preferred && (length >= fewest || self.identity == Some(0))
    }
}

/// The body of an answer, compressed. The lowest level makes JSON five times smaller and takes a third of the time of
/// the usual one.
pub fn gzip(text: Vec<u8>) -> Body {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 4 + 64), Compression::fast());
    // Writing into memory does not fail.
    let _ = encoder.write_all(&text);
    Body::from(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn wanted(accept: &[&str], length: usize) -> bool {
        let mut headers = HeaderMap::new();
        for value in accept {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
        }
        Codings::accepted(&headers).is_gzip_wanted(length, 1000)
    }

    #[test]
    fn who_takes_gzip() {
        let takes: [&[&str]; 9] = [
            &["gzip"],
            &["GZIP"],
            &["x-gzip"],
            &["br, gzip;q=0.2"],
            &["br", "gzip"],
            &["*"],
            &["*;q=0.1, identity;q=0"],
            &["gzip;q=0.5, identity;q=0.5"],
            &["gzip, *;q=0"],
        ];
        for accept in takes {
            assert!(wanted(accept, 1000), "{accept:?}");
        }
        let refuses: [&[&str]; 10] = [
            &[],
            &[""],
            &["identity"],
            &["br, deflate"],
            &["gzip;q=0"],
            &["gzip;q=0.000, *"],
            &["*;q=0"],
            &["gzip;q=x"],
            &["identity, gzip;q=0.9"],
            &["gzipped"],
        ];
        for accept in refuses {
            assert!(!wanted(accept, 1000), "{accept:?}");
        }
    }

    #[test]
    fn small_answers_are_compressed_only_if_nothing_else_is_taken() {
        assert!(!wanted(&["gzip"], 999));
        assert!(wanted(&["gzip, identity;q=0"], 999));
        assert!(wanted(&["gzip, *;q=0"], 999));
        assert!(!wanted(&["gzip;q=0, identity;q=0"], 999));
    }
}
