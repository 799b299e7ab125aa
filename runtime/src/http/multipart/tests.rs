use super::*;

#[test]
fn boundaries() {
    for (media_type, found) in [
        ("multipart/form-data; boundary=a", Some("a")),
        ("multipart/form-data;charset=utf-8 ; Boundary=\"a b\" ;", Some("a b")),
        ("multipart/form-data; x=\"; boundary=b\"; boundary=c", Some("c")),
        ("multipart/form-data; boundary=\"a\\b\"", None),
        ("multipart/form-data; boundary=\"a", None),
        ("multipart/form-data; boundary=\"\"", None),
        ("multipart/form-data; boundary=a; boundary=b", None),
        ("multipart/form-data; boundary", None),
        ("multipart/form-data", None),
    ] {
        assert_eq!(boundary(media_type).as_deref(), found, "{media_type}");
    }
    for (length, is_valid) in [(70, true), (71, false)] {
        let media_type = format!("multipart/mixed; boundary={}", "a".repeat(length));
        assert_eq!(boundary(&media_type).is_some(), is_valid);
    }
}

#[test]
fn strict_lines_keep_every_byte() {
    let body = b"before\r\n--b \r\n1\n--b\n2\r--b\r\n\r\n--b--x\r\n--bb\r\n--b\r\n--b--\r\nafter";
    let found = parts(body, "b", Breaks::Strict, 9).unwrap();
    assert_eq!(found, [&b"1\n--b\n2\r--b\r\n\r\n--b--x\r\n--bb"[..], b""]);
    assert_eq!(parts(body, "b", Breaks::Strict, 1), Err(ReadError::TooManyParts));
    assert_eq!(parts(b"--b\n\n--b--", "b", Breaks::Strict, 1), Err(ReadError::Truncated));
    assert_eq!(parts(b"--b\n\n--b--", "b", Breaks::Lenient, 1), Ok(vec![&b""[..]]));
    assert_eq!(parts(b"--b--", "b", Breaks::Strict, 1), Ok(Vec::new()));
}

#[test]
fn names_of_fields_and_files() {
    for (value, name, file_name) in [
        ("form-data; name=a", "a", None),
        ("Form-Data;NAME=\"a;b\" ; filename=\"c d\"", "a;b", Some("c d")),
        ("form-data; name=\"a%22b\"; filename=\"%0D%0a%2\"", "a\"b", Some("\r\n%2")),
        (r#"form-data; name="a"; filename="x\"y\\z\w""#, "a", Some(r#"x"y\z\w"#)),
        (r#"form-data; name="a"; filename="C:\dir\file.png""#, "a", Some(r"C:\dir\file.png")),
        ("form-data; name=a; filename=é b.png", "a", Some("é b.png")),
        ("form-data; name=a; filename*=utf-8'en'%C3%a9%20b", "a", Some("é b")),
        ("form-data; name=a; filename*=UTF-8''x; filename=y", "a", Some("y")),
        ("form-data; name=\"\"; other=1;", "", None),
    ] {
        let found = disposition(value).unwrap();
        assert_eq!((found.name.as_str(), found.file_name.as_deref()), (name, file_name), "{value}");
    }
    for wrong in [
        "form-data",
        "attachment; name=a",
        "form-data; filename=a",
        "form-data; name",
        "form-data; name=a; name=b",
        "form-data; name=a; filename=\"b",
        "form-data; name=\"a\" b",
        r#"form-data; name="a\"#,
        "form-data; name=a; filename*=latin1''x",
        "form-data; name=a; filename*=UTF-8''%ff",
        "form-data; name=a; filename*=UTF-8''%+1",
        "form-data; name=a; filename*=UTF-8''%2",
        "form-data; name=a; filename*=x",
    ] {
        assert_eq!(disposition(wrong), None, "{wrong}");
    }
    let many: String = (0..17).map(|at| format!("; p{at}=x")).collect();
    assert_eq!(disposition(&format!("form-data{many}")), None);
}

#[test]
fn duplicate_headers_are_ignored() {
    let (found, rest) = headers(b"A: 1\r\nB: 2\na: 3\r\n\r\nx", Folding::Refuse).unwrap();
    assert_eq!((only(&found, "a"), only(&found, "b"), only(&found, "c"), rest), (None, Some("2"), None, &b"x"[..]));
}

#[test]
fn folded_headers_are_unfolded() {
    let text = b"Content-Disposition: form-data;\r\n name=\"a\";\r\n\tfilename=\"b\"\r\nX: 1\r\n\r\nx";
    let (found, rest) = headers(text, Folding::Unfold).unwrap();
    let disposition_of_part = only(&found, "content-disposition").and_then(disposition).unwrap();
    assert_eq!(
        (disposition_of_part.name.as_str(), disposition_of_part.file_name.as_deref(), rest),
        ("a", Some("b"), &b"x"[..])
    );
    assert_eq!(headers(text, Folding::Refuse), Err(ReadError::InvalidHeaders));
    for wrong in [&b" a: b"[..], b"a: b\r\n ", b"a: b\r\n\t\r\nc: d", b"a: b\r\n c\0", b"a: b\rc"] {
        assert_eq!(headers(wrong, Folding::Unfold), Err(ReadError::InvalidHeaders), "{wrong:?}");
    }
}
