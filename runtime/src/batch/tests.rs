use super::*;

#[test]
fn boundaries_of_media_types() {
    for (media_type, found) in [
        ("multipart/mixed; boundary=batch_foobarbaz", "batch_foobarbaz"),
        ("Multipart/Mixed;charset=utf-8; Boundary=\"===== 7 =====\"", "===== 7 ====="),
    ] {
        assert_eq!(parse_boundary(media_type).as_deref(), Ok(found));
    }
    let long = format!("multipart/mixed; boundary={}", "a".repeat(71));
    for wrong in [
        "multipart/mixed",
        "application/json; boundary=a",
        "multipart/mixed; boundary=",
        "multipart/mixed; boundary=a\"b",
        &long,
    ] {
        assert_eq!(parse_boundary(wrong), Err(BatchError::MediaType), "{wrong}");
    }
}

#[test]
fn parts_between_boundaries() {
    let body = b"before\r\n--b\r\nContent-Type: application/http\r\nContent-ID: <1>\r\n\r\nGET /a\r\n\r\n--b \nContent-Type: application/http; msgtype=request\n\nPOST /b HTTP/1.1\ncontent-length: 2\n\nhi\n\n--bb\n--b--\nafter";
    let found = parse_parts(body, "b", 2).unwrap();
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].id.as_deref(), found[0].content), (Some("<1>"), b"GET /a\r\n".as_slice()));
    let second = parse_message(found[1].content).unwrap();
    assert_eq!(
        (second.start_line, second.headers, second.body),
        ("POST /b HTTP/1.1", vec![("content-length", "2".into())], b"hi".as_slice())
    );
    assert_eq!(parse_parts(body, "b", 1), Err(BatchError::TooManyParts));
    assert_eq!(parse_parts(b"--b--", "b", 0).unwrap(), []);
}

#[test]
fn invalid_batches_are_rejected() {
    let cases: [(&[u8], BatchError); 10] = [
        (b"", BatchError::Truncated),
        (b"--b\r\nContent-Type: application/http\r\n\r\nGET /a\r\n", BatchError::Truncated),
        (b"--b\r\n\r\nGET /a\r\n--b--", BatchError::NotAnHttpMessage),
        (b"--b\r\nContent-Type: text/plain\r\n\r\nGET /a\r\n--b--", BatchError::NotAnHttpMessage),
        (b"--b\r\nContent-Type application/http\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
        (b"--b\r\nContent Type: application/http\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
        (b"--b\r\n A: b\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
        (b"--b\r\nA: b\r\n \t\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
        (b"--b\r\nA: b\rc\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
        (b"--b\r\nA: b\0\r\n\r\nGET /a\r\n--b--", BatchError::InvalidHeaders),
    ];
    for (body, error) in cases {
        assert_eq!(parse_parts(body, "b", 10), Err(error), "{}", String::from_utf8_lossy(body));
    }
    assert_eq!(parse_message(b"GET /\r\nContent-Length: 9\r\n\r\nhi"), Err(BatchError::BodyTooShort));
    assert_eq!(parse_message(b"GET /\r\nContent-Length: -1\r\n\r\nhi"), Err(BatchError::BodyTooShort));
    assert_eq!(parse_message(b"GET /\r\nContent-Length: +1\r\n\r\nhi"), Err(BatchError::BodyTooShort));
    let folded = b"GET /\r\nA: b\r\n c\r\n\r\n";
    assert_eq!(parse_message(folded), Err(BatchError::InvalidHeaders), "a message of HTTP is not folded");
    assert_eq!(parse_message(b"\xff\r\n\r\n"), Err(BatchError::NotAnHttpMessage));
    let many = "A: b\r\n".repeat(101);
    assert_eq!(parse_message(format!("GET /\r\n{many}\r\n").as_bytes()), Err(BatchError::InvalidHeaders));
}

#[test]
fn written_batches_parse() {
    let mut body = Vec::new();
    for id in [None, Some("<a>")] {
        write_part_head(&mut body, "b", id);
        body.extend_from_slice(b"GET /a HTTP/1.1\r\n\r\n--c\r\n\r\n");
    }
    write_closing_boundary(&mut body, "b");
    let found = parse_parts(&body, "b", 2).unwrap();
    assert_eq!((found[0].id.as_deref(), found[1].id.as_deref()), (None, Some("<a>")));
    assert_eq!(parse_message(found[1].content).unwrap().body, b"--c\r\n");
    assert_eq!(
        (response_content_id("<a>").as_str(), response_content_id("a").as_str()),
        ("<response-a>", "response-a")
    );
}

#[test]
fn headers_of_parts_are_unfolded() {
    for (folded, unfolded) in [
        ("Content-ID:\r\n <long+1>", "<long+1>"),
        ("Content-ID:\n <long+1>", "<long+1>"),
        ("Content-ID: <long\r\n\t +1>", "<long +1>"),
        ("Content-ID: <a>\r\n b\r\n\tc", "<a> b c"),
    ] {
        let body =
            format!("--b\r\nContent-Type: application/http;\r\n msgtype=request\r\n{folded}\r\n\r\nGET /a\r\n--b--");
        let found = parse_parts(body.as_bytes(), "b", 1).unwrap();
        assert_eq!((found[0].id.as_deref(), found[0].content), (Some(unfolded), &b"GET /a"[..]), "{folded:?}");
    }
}
