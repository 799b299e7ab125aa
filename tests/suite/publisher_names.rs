//! Names of one publisher, which the runtimes do not contain.

use wireform_tests::root;

use crate::boundaries::{code, is_for_tests, rust_files};

/// Names and keywords of one publisher, which a schema assigns by roles (`role:`) and a profile (`profile:`).
const OF_ONE_PUBLISHER: &[&str] = &[
    "access_token",
    "alt",
    "authError",
    "backendError",
    "bearer_token",
    "callback",
    "conditionNotMet",
    "global",
    "httpMethodNotAllowed",
    "insufficientPermissions",
    "key",
    "oauth_token",
    "parseError",
    "prettyPrint",
    "quotaExceeded",
    "quotaUser",
    "rateLimitExceeded",
    "uploadTooLarge",
    "uploadType",
    "upload_protocol",
    "usageLimits",
    "userIp",
    "userRateLimitExceeded",
];

/// Files in which such a word has another meaning: that of the response of a token endpoint (RFC 6749, section 5.1).
const OTHER_MEANING: &[(&str, &str)] = &[("client/src/credentials/adc/exchange.rs", "access_token")];

/// Returns the words of a publisher in code: whole string literals, and anywhere those that are not ordinary words.
fn words_of_publisher(code: &str) -> Vec<&'static str> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let stands_alone = |word: &str| {
        code.match_indices(word).any(|(at, _)| {
            let (before, after) = (code[..at].chars().next_back(), code[at + word.len()..].chars().next());
            !before.is_some_and(is_inner) && !after.is_some_and(is_inner)
        })
    };
    let is_there = |word: &&&str| {
        let is_distinct = word.contains(|c: char| c.is_ascii_uppercase());
        code.contains(&format!("\"{word}\""))
            || (is_distinct && stands_alone(word))
            || stands_alone(&format!("{word}=media"))
    };
    let words = OF_ONE_PUBLISHER.iter().filter(is_there).copied();
    let lower = code.to_ascii_lowercase();
    words.chain(["x-goog", "x-guploader"].into_iter().filter(|prefix| lower.contains(prefix))).collect()
}

/// The runtimes use roles and the words of profiles, so that an API of any publisher can have its own names.
/// Credentials of a named provider and the headers of the resumable upload protocol (`X-Upload-…`) are exceptions.
#[test]
fn runtimes_know_no_names_of_one_publisher() {
    for dir in ["runtime/src", "runtime/client/src", "runtime/server/src", "runtime/validation/src"] {
        for file in rust_files(&root().join(dir)) {
            if file.components().any(|part| part.as_os_str() == "tests") || is_for_tests(&file) {
                continue;
            }
            let has_other_meaning =
                |word: &&str| OTHER_MEANING.iter().any(|(place, other)| file.ends_with(place) && word == other);
            let mut words = words_of_publisher(&code(&file));
            words.retain(|word| !has_other_meaning(word));
            assert!(words.is_empty(), "{} has {words:?}: give it a role, or a word of the profile", file.display());
        }
    }
}

#[test]
fn words_of_a_publisher_are_found() {
    for code in [
        r#"let name = "key";"#,
        r#"format!("?{prefix}uploadType=resumable&upload_id={id}")"#,
        r#"query.push(("alt", "media"))"#,
        r#"Error::bad_request("nothing goes with the media: use alt=media")"#,
        r#"&["x-request-id", "X-Goog-Request-Id"]"#,
    ] {
        assert_eq!(words_of_publisher(code).len(), 1, "{code}");
    }
    assert!(words_of_publisher(r#"let message = "the key is global"; f("fields.key", api_key)"#).is_empty());
}
