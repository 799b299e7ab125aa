//! Tests of importing mail while a server runs.

use reqwest::StatusCode;

use crate::mail::profile;
use crate::program::Home;

const MBOX: &str = "From a@b Mon Jan  5 09:00:00 2026\nFrom: a@b\nSubject: one\nMessage-ID: <1@x>\n\nText.\n\n\
                    From a@b Mon Jan  5 09:01:00 2026\nFrom: a@b\nSubject: two\nMessage-ID: <2@x>\n\nText.\n";

#[tokio::test]
async fn an_mbox_comes_in_once() {
    let home = Home::new();
    let server = home.serve(&[]);
    let file = home.file("mail.mbox", MBOX);
    let arguments = ["import", "mbox", file.to_str().expect("UTF-8"), "--user", "me@localhost", "--label", "Archive"];
    let output = home.output(&arguments);
    let (stdout, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(
        output.status.success() && stdout.contains("2 mails stored") && stdout.contains("1 label created"),
        "{stdout}{log}"
    );
    assert!(log.contains("100 %"), "without a terminal the output consists of lines: {log}");
    assert_eq!(profile(&server).await["messagesTotal"], 2);
    let (status, found) = server.get("/mail/v1/users/me/messages?q=label:archive%20subject:two").await;
    assert_eq!((status, found["messages"].as_array().map(Vec::len)), (StatusCode::OK, Some(1)));
    assert!(home.run(&arguments).contains("0 mails stored, 2 already present"));
    assert_eq!(profile(&server).await["messagesTotal"], 2);
}

#[tokio::test]
async fn a_maildir_comes_in_with_its_marks() {
    let home = Home::new();
    let server = home.serve(&[]);
    for folder in ["cur", "new", "tmp"] {
        fs_err::create_dir_all(home.path("Maildir").join(folder)).expect("a folder");
    }
    let mail = |number: u8| format!("From: a@b\nSubject: mail {number}\nMessage-ID: <m{number}@x>\n\nText.\n");
    home.file("Maildir/cur/1.a.host:2,S", &mail(1));
    home.file("Maildir/new/2.b.host", &mail(2));
    let path = home.path("Maildir");
    let output = home.run(&["import", "maildir", path.to_str().expect("UTF-8"), "--user", "me@localhost"]);
    assert!(output.contains("2 mails stored"), "{output}");
    let (_, unread) = server.get("/mail/v1/users/me/messages?q=is:unread").await;
    assert_eq!(unread["messages"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_no_mail_is_refused() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    for kind in ["mbox", "maildir"] {
        let error = home.refused(&["import", kind, "/nowhere/at/all", "--user", "ada@example.com"]);
        assert!(error.contains("/nowhere/at/all"), "{error}");
    }
    // Nothing was started that could be continued.
    let folder = home.data();
    let text = home.file("letter.txt", "Dear Ada,\n");
    let (folder, text) = (folder.to_str().expect("UTF-8"), text.to_str().expect("UTF-8"));
    for (kind, path, expected) in [
        ("mbox", "/nowhere/at/all", "nothing to import"),
        ("mbox", folder, "is a folder; help: use `import maildir`"),
        ("mbox", text, "is not a valid mbox"),
        ("maildir", text, "is not a folder; help: use `import mbox`"),
        ("maildir", folder, "is not a valid Maildir"),
    ] {
        let error = home.refused(&["import", kind, path, "--user", "ada@example.com"]);
        assert!(error.contains(expected) && !error.contains("to continue"), "{kind} {path}: {error}");
    }
    let file = home.file("mail.mbox", MBOX);
    let error = home.refused(&["import", "mbox", file.to_str().expect("UTF-8"), "--user", "bob@example.com"]);
    assert!(error.contains("no user `bob@example.com`"), "{error}");
}

const ICS: &str = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:one\nDTSTART:20260302T090000Z\nSUMMARY:Tea\n\
                   CATEGORIES:X\nEND:VEVENT\nEND:VCALENDAR\n";

#[tokio::test]
async fn events_come_in_once_and_go_out() {
    let home = Home::new();
    let server = home.serve(&[]);
    fs_err::create_dir_all(home.path("files/inner")).expect("a folder");
    home.file("files/one.ics", ICS);
    home.file("files/inner/two.ICS", &ICS.replace("UID:one", "UID:two"));
    home.file("files/other.txt", "no calendar");
    let folder = home.path("files");
    let arguments = ["import", "ics", folder.to_str().expect("UTF-8"), "--user", "me@localhost"];
    let output = home.output(&arguments);
    let (stdout, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout.contains("2 events stored"), "{stdout}{log}");
    assert!(log.contains("one.ics:7: `CATEGORIES`: the property is not kept") && log.contains("100 %"), "{log}");
    let (_, found) = server.get("/calendar/v3/calendars/primary/events").await;
    assert_eq!(found["items"].as_array().map(Vec::len), Some(2));
    assert!(home.run(&arguments).contains("0 events stored, 0 replaced, 2 already present"));
    let file = home.path("out.ics");
    let export = ["export", "ics", file.to_str().expect("UTF-8"), "--user", "me@localhost"];
    assert!(home.run(&export).contains("2 events written"));
    assert!(home.refused(&export).contains("not overwritten"));
    let text = fs_err::read_to_string(&file).expect("the file");
    assert!(text.contains("SUMMARY:Tea\r\n") && text.contains("UID:two\r\n"), "{text}");
    assert!(home.run(&["export", "ics", "-", "--user", "me@localhost"]).starts_with("BEGIN:VCALENDAR"));
}

#[test]
fn what_is_no_calendar_is_refused() {
    let home = Home::new();
    home.run(&["users", "add", "ada@example.com"]);
    let text = home.file("letter.txt", "Dear Ada,\n");
    let text = text.to_str().expect("UTF-8");
    assert!(home.run(&["import", "ics", text, "--user", "ada@example.com"]).contains("0 events stored"));
    for (path, calendar, expected) in [
        ("/nowhere/at/all", "ada@example.com", "nothing to import"),
        (home.data().to_str().expect("UTF-8"), "ada@example.com", "has no files"),
        (text, "other", "calendar `other` not found"),
    ] {
        let error = home.refused(&["import", "ics", path, "--user", "ada@example.com", "--calendar", calendar]);
        assert!(error.contains(expected), "{path}: {error}");
    }
}
