//! Tests of parsing mails for the store.

use proptest::prelude::*;
use wireform_mailbox::mail::{Arrival, DateSource, PreparedMail, identifier_hash, prepare};
use wireform_store::{MessageDate, Millis};

fn read(raw: &str) -> PreparedMail {
    prepare(raw.as_bytes().to_vec(), Arrival::default())
}

#[test]
fn hashes_of_identifiers_never_change() {
    // The hashes are stored: with other values no conversation would be found any more, and everything would be
    // imported again.
    assert_eq!(identifier_hash("<one@example.com>"), PINNED);
    assert_eq!(identifier_hash(" one@example.com "), PINNED);
    assert_ne!(identifier_hash("ONE@example.com"), PINNED);
    let without = |text: &str| read(text).message.threading.message_id.unwrap();
    assert_eq!(without("Subject: a\r\n\r\nb"), PINNED_CONTENT);
    assert_ne!(without("Subject: a\r\n\r\nb"), without("Subject: a\r\n\r\nc"));
}

const PINNED: i64 = -4_663_261_658_245_381_230;
const PINNED_CONTENT: i64 = 837_633_390_690_791_343;

#[test]
fn conversations_are_found_by_the_closest_first() {
    let mail = read("Message-ID: <c@x>\r\nIn-Reply-To: <b@x>\r\nReferences: <r@x>\r\n <a@x> <b@x>\r\n\r\n");
    let hashes: Vec<i64> = ["b@x", "a@x", "r@x"].into_iter().map(identifier_hash).collect();
    assert_eq!(mail.message.threading.references, hashes);
    assert_eq!(mail.message.threading.message_id, Some(identifier_hash("c@x")));
}

#[test]
fn of_many_that_a_mail_refers_to_the_last_count() {
    let references: String = (0..5_000).map(|at| format!("<r{at}@x>\r\n ")).collect();
    let mail = read(&format!("References: {references}\r\n\r\n"));
    let hashes: Vec<i64> = (4_950..5_000).rev().map(|at| identifier_hash(&format!("r{at}@x"))).collect();
    assert_eq!(mail.message.threading.references, hashes);
    // A line that is longer than the examined length is no separator.
    let long = read(&format!("References: <{}@x>\r\nMessage-ID: {}\r\n\r\n", "a".repeat(40_000), "<".repeat(40_000)));
    assert!(long.message.threading.references.len() <= 1);
}

#[test]
fn dates_come_from_where_they_should() {
    let dated =
        |raw: &str, dated| prepare(raw.as_bytes().to_vec(), Arrival { dated, ..Arrival::default() }).message.date;
    let mail = "Date: Sun, 1 Mar 2026 13:00:00 +0100\r\n\r\n";
    let at = MessageDate::At(Millis(crate::desk::NOW));
    assert_eq!(dated(mail, DateSource::ByHeader), at);
    assert_eq!(dated(mail, DateSource::ByReceipt), MessageDate::Received);
    for bad in ["Date: soon\r\n\r\n", "Date:\r\n\r\n", "Date: 99 Foo 2026\r\n\r\n", "X: y\r\n\r\n"] {
        assert_eq!(dated(bad, DateSource::ByHeader), MessageDate::Received, "{bad}");
        assert_eq!(dated(bad, DateSource::ByHeaderOr(Millis(5))), MessageDate::At(Millis(5)), "{bad}");
    }
}

#[test]
fn searches_look_at_decoded_words_in_lower_case() {
    let mail = read(
        "From: =?utf-8?q?J=C3=BCrgen?= <J@Example.com>\r\nTo: Ana <ana@x>, B <b@x>\r\nCc: C <c@x>\r\n\
         Subject: =?iso-8859-1?Q?Gr=FC=DFe?= HIER\r\n\r\nThe Text\r\n",
    );
    let search = mail.message.search;
    assert_eq!(search.from, "jürgen j@example.com");
    assert_eq!(search.to, "ana ana@x b b@x c c@x");
    assert_eq!(search.subject, "grüße hier");
    assert!(search.text.contains("the text"));
    assert!(!search.attachment);
}

#[test]
fn searches_look_at_the_beginning_of_a_text() {
    let text = |words: usize| read(&format!("Subject: a\r\n\r\n{}last", "word ".repeat(words))).message.search.text;
    assert!(text(3_276).ends_with("word last"), "16,384 characters");
    let cut = text(3_277);
    assert!(cut.ends_with("word") && cut.chars().count() <= 16_384, "the rest is ignored");
}

#[test]
fn the_snippet_is_one_line_of_text() {
    let html = "Content-Type: text/html\r\n\r\n<html><head><style>p{}</style></head><p>One &amp; <b>two</b></p>\r\n<p>&lt;3 \"it's\"</p>";
    assert_eq!(read(html).message.snippet, "One &amp; two &lt;3 &quot;it&#39;s&quot;");
    let both = "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nPlain\r\n  text\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>no</p>\r\n--b--\r\n";
    assert_eq!(read(both).message.snippet, "Plain text");
    let long = read(&format!("Subject: x\r\n\r\n{}", "wörd ".repeat(100)));
    assert!(long.message.snippet.chars().count() <= 200);
    assert!(long.message.snippet.starts_with("wörd wörd"));
    let hidden = read("Subject: x\r\n\r\n\u{200B}\u{200C}\u{FEFF} seen");
    assert_eq!(hidden.message.snippet, "seen");
}

#[test]
fn encodings_are_undone_as_far_as_they_go() {
    let text = |encoding: &str, body: &str| {
        read(&format!("Content-Transfer-Encoding: {encoding}\r\n\r\n{body}")).message.snippet
    };
    assert_eq!(text("base64", "SGVs\r\nbG8="), "Hello");
    assert_eq!(text("BASE64", "SG*Vs!bG8"), "Hello");
    assert_eq!(text("quoted-printable", "H=65l=\r\nlo =zz ="), "Hello =zz =");
    assert_eq!(text("odd", "Hello"), "Hello");
    let latin =
        prepare(b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe".to_vec(), Arrival::default());
    assert_eq!(latin.message.snippet, "Grüße");
}

#[test]
fn attachments_are_seen() {
    let with = |header: &str| {
        read(&format!(
            "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n{header}\r\n\r\nx\r\n--b--"
        ))
        .message
        .search
        .attachment
    };
    assert!(with("Content-Disposition: attachment"));
    assert!(with("Content-Type: image/png; name=\"a.png\""));
    assert!(with("Content-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\nSubject: x"));
    assert!(!with("Content-Type: message/rfc822\r\n\r\nSubject: x"));
    assert!(!with("Content-Type: text/html"));
}

#[test]
fn what_is_no_mail_is_kept_all_the_same() {
    for raw in ["", "just text", "\r\n\r\nbody", "\0\0\0", ": no name\r\n\r\n"] {
        let prepared = read(raw);
        assert!(!prepared.readable, "{raw:?}");
        assert_eq!(prepared.message.raw, raw.as_bytes());
    }
    assert!(read("Subject: x").readable);
}

proptest! {
    #[test]
    fn no_bytes_panic(raw in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert_eq!(&prepare(raw.clone(), Arrival::default()).message.raw, &raw);
    }

    #[test]
    fn no_combination_of_mail_fragments_panics(pieces in prop::collection::vec(prop::sample::select(vec![
        "Content-Type: multipart/mixed; boundary=b\r\n", "Content-Type: message/rfc822\r\n", "Content-Type: ", "text/html", ";",
        "\r\n", "\n", "--b", "--b--", "--", "Subject: =?utf-8?b?", "?=", "From: ", "<a@b>", "\"", "(", "Date: Mon, 31 Feb ",
        "Content-Transfer-Encoding: base64\r\n", "=", "\t", "x", "é", "charset=utf-7", "<p", ">", "References: <", "filename*0*=''%zz",
        "Content-Disposition: attachment; ",
    ]), 0..40)) {
        let raw = pieces.concat();
        prop_assert_eq!(prepare(raw.clone().into_bytes(), Arrival::default()).message.raw, raw.into_bytes());
    }
}
