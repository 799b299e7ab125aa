//! Path parameters.

use super::*;

#[test]
fn a_value_fills_one_segment() {
    for (value, segment) in [
        ("primary", "primary"),
        ("a@example.com", "a%40example.com"),
        ("a/b", "a%2Fb"),
        ("../../admin", "..%2F..%2Fadmin"),
        ("a?b=c#d", "a%3Fb%3Dc%23d"),
        ("50%", "50%25"),
        ("%2e%2e", "%252e%252e"),
        ("%2F", "%252F"),
        ("..;", "..%3B"),
        ("x:cancel", "x%3Acancel"),
        ("...", "..."),
        (".x", ".x"),
        (" ", "%20"),
        ("a b+c", "a%20b%2Bc"),
        ("\0\t\r\n\u{7f}", "%00%09%0D%0A%7F"),
        ("[::1]\\", "%5B%3A%3A1%5D%5C"),
        ("-._~", "-._~"),
        ("é", "%C3%A9"),
        ("\u{1f600}", "%F0%9F%98%80"),
        ("e\u{301}", "e%CC%81"),
        ("!$&'()*,=\"<>^`{|}", "%21%24%26%27%28%29%2A%2C%3D%22%3C%3E%5E%60%7B%7C%7D"),
    ] {
        assert_eq!(target(&get(value, "e")), format!("/calendars/v3/calendars/{segment}/events/e"), "{value:?}");
        assert_eq!(target(&call(value)), format!("/calendars/v3/{segment}:call"), "{value:?}");
    }
}

#[test]
fn invalid_segments_are_rejected() {
    for lost in ["", ".", ".."] {
        assert_eq!(kind(wire(&get("c", lost))), ("eventId", RequestErrorKind::InvalidSegment), "{lost:?}");
        assert_eq!(kind(wire(&get(lost, "e"))), ("calendarId", RequestErrorKind::InvalidSegment), "{lost:?}");
        assert_eq!(kind(wire(&call(lost))), ("name", RequestErrorKind::InvalidSegment), "{lost:?}");
    }
    for lost in ["", ".", "..", "/", "/a", "a/", "a//b", "a/./b", "a/../b", "../a", "a/.."] {
        assert_eq!(kind(wire(&cancel(lost))), ("name", RequestErrorKind::InvalidSegment), "{lost:?}");
    }
    assert_eq!(kind(wire(&Call { name: None })), ("name", RequestErrorKind::Missing));
    assert_eq!(wire(&Call { name: None }).unwrap_err().to_string(), "missing parameter `name`");
    assert_eq!(
        wire(&call("..")).unwrap_err().to_string(),
        "the parameter `name` must not be empty, `.` or `..`, because it is a segment of the path"
    );
    // The first error is reported.
    assert_eq!(kind(wire(&get("", "."))), ("calendarId", RequestErrorKind::InvalidSegment));
}

#[test]
fn catch_all_parameters_keep_only_slashes() {
    for (value, rest) in [
        ("operations", "operations"),
        ("operations/1/a", "operations/1/a"),
        ("a/b c/é", "a/b%20c/%C3%A9"),
        ("a/..;/b", "a/..%3B/b"),
        ("a?b/c#d", "a%3Fb/c%23d"),
        ("a:cancel", "a%3Acancel"),
        ("a%2Fb/c", "a%252Fb/c"),
        ("a\\..\\b", "a%5C..%5Cb"),
        ("x/[y]/@z", "x/%5By%5D/%40z"),
        (".../.x/x.", ".../.x/x."),
    ] {
        assert_eq!(target(&cancel(value)), format!("/calendars/v3/v1/{rest}:cancel"), "{value:?}");
    }
}

#[test]
fn resource_names_match_their_pattern() {
    let place = |name: &str, book: &str| Place { name: name.to_owned(), book: book.to_owned() };
    for (name, book, path) in [
        ("projects/a/places/b", "books/c", "projects/a/places/b/books/c"),
        ("projects/a b/places/b:move", "books/c/d+e", "projects/a%20b/places/b%3Amove/books/c/d%2Be"),
        ("projects/a%2Fb/places/é", "books/50%", "projects/a%252Fb/places/%C3%A9/books/50%25"),
    ] {
        assert_eq!(target(&place(name, book)), format!("/calendars/v3/v1/{path}:move"), "{name}");
    }
    for name in
        ["projects/a", "a", "projects/a/places/b/c", "projects/a/rooms/b", "Projects/a/places/b", "projects/places/b"]
    {
        let (parameter, found) = kind(wire(&place(name, "books/c")));
        assert!(parameter == "name" && matches!(found, RequestErrorKind::PatternMismatch(_)), "{name}: {found:?}");
    }
    for name in ["", "projects//places/b", "projects/../places/b", "projects/a/places/", "/projects/a/places/b"] {
        assert_eq!(kind(wire(&place(name, "books/c"))), ("name", RequestErrorKind::InvalidSegment), "{name}");
    }
    assert_eq!(kind(wire(&place("projects/a/places/b", "books"))).0, "book");
    assert_eq!(
        wire(&place("x", "books/c")).unwrap_err().to_string(),
        "the parameter `name` must have the form `projects/*/places/*`"
    );
    assert_eq!(
        wire(&place("projects/a/places/b", "shelves/c")).unwrap_err().to_string(),
        "the parameter `book` must have the form `books/**`"
    );
}
