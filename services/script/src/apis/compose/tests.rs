//! Composed messages, as parsers read them.

use mail_parser::MimeHeaders as _;
use serde_json::json;

use super::*;

/// Returns the names and addresses of `From`, as the server's own parser reads them.
fn senders(name: &str) -> Vec<(String, String)> {
    let arguments = Arguments(json!({ "to": "b@c.d", "from_name": name }));
    let mail = Mail { arguments: &arguments, from: "ana@example.com", parent: None, id: 1, now: Millis(0) };
    let raw = mail.compose(false).unwrap();
    let message = mail_parser::MessageParser::default().parse(&raw).unwrap();
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    message.from().unwrap().iter().map(|one| (text(one.name()), text(one.address()))).collect()
}

#[test]
fn names_add_no_sender() {
    for name in [
        "Boss <boss@example.com>,",
        "boss@example.com (",
        "a\" <boss@example.com>, \"b",
        "a\\",
        "\\\" <b@c>,",
        "=?UTF-8?Q?Boss_=3Cboss=40example.com=3E=2C?=",
        "Bö <boss@example.com>,",
        &"a,".repeat(500),
    ] {
        assert_eq!(senders(name), [(name.to_owned(), "ana@example.com".to_owned())]);
    }
}

#[test]
fn hidden_recipients_are_removed() {
    let raw = b"To: a@b.c\r\nBCC: x@y.z,\r\n w@y.z\r\nSubject: s\r\n\r\nBcc: text\r\n more\r\n";
    let kept = String::from_utf8(remove_hidden_recipients(raw)).unwrap();
    assert_eq!(kept, "To: a@b.c\r\nSubject: s\r\n\r\nBcc: text\r\n more\r\n");
}

#[test]
fn values_stay_in_their_headers() {
    let arguments = Arguments(json!({
        "to": "Ben <ben@example.com>,\r\nX-Evil: 1@x", "subject": "a\r\nBcc: x@y.z", "body": "ä",
        "bcc": "cy@example.com", "from_name": "Änne",
        "attachments": [{ "name": "a\"b", "content_type": "text/plain", "data_base64": "eA==" }],
    }));
    let mail = Mail { arguments: &arguments, from: "ana@example.com", parent: None, id: 1, now: Millis(0) };
    let text = String::from_utf8(mail.compose(false).unwrap()).unwrap();
    let own =
        "\r\nDate: Thu, 1 Jan 1970 00:00:00 +0000\r\nMessage-ID: <00000000000000000000000000000001@example.com>\r\n";
    assert!(text.contains(own), "{text}");
    assert!(text.contains("\r\nSubject: aBcc: x@y.z\r\n") && !text.contains("\r\nBcc"), "{text}");
    assert!(!text.contains("\r\nX-Evil") && text.contains("To: ben@example.com"), "{text}");
    assert!(text.contains("From: =?UTF-8?B?w4RubmU=?= <ana@example.com>"), "{text}");
    assert!(text.contains("filename=\"a_b\"") && text.contains("\r\nw6Q=\r\n"), "{text}");
    assert!(String::from_utf8(mail.compose(true).unwrap()).unwrap().contains("Bcc: cy@example.com"));
    let wrong = Arguments(json!({ "to": "b@c.d", "attachments": [{ "content_type": "a\r\nb/c" }] }));
    assert!(Mail { arguments: &wrong, ..mail }.compose(true).is_err());
}

#[test]
fn images_are_related_parts_of_the_html() {
    let image =
        |id: &str| json!({ "content_id": id, "name": "ä.png", "content_type": "image/png", "data_base64": "AQID" });
    let compose = |message: Value| {
        let arguments = Arguments(message);
        Mail { arguments: &arguments, from: "ana@example.com", parent: None, id: 1, now: Millis(0) }.compose(false)
    };
    let raw = compose(json!({ "html_body": "<img>", "inline_images": [image("logo"), image("b@c")] })).unwrap();
    let message = mail_parser::MessageParser::default().parse(&raw).unwrap();
    let parts: Vec<_> = message.parts.iter().map(|part| (part.content_id(), part.contents())).collect();
    // The whole message, its text, the related part, and the HTML with its images.
    let images = [(Some("logo"), &[1, 2, 3][..]), (Some("b@c"), &[1, 2, 3])];
    assert_eq!((parts.len(), &parts[4..]), (6, &images[..]));
    let text = String::from_utf8(raw.clone()).unwrap();
    assert!(text.contains("multipart/related; boundary=\"=_related\"; type=\"text/html\""), "{text}");
    for id in ["", "a b", "a>", "a\r\nBcc: x@y.z", "ä", &"a".repeat(201)] {
        let refused = compose(json!({ "html_body": "x", "inline_images": [image(id)] })).unwrap_err();
        assert!(refused.contains("is not a valid key of an inline image"), "{refused}");
    }
    assert!(compose(json!({ "inline_images": [image("logo")] })).unwrap_err().contains("require an HTML body"));
    let twice = compose(json!({ "html_body": "x", "inline_images": [image("a"), image("a")] }));
    assert!(twice.unwrap_err().contains("duplicate inline image"));
}
