//! Tests of importing folders and files of mail.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fs_err as fs;
use serde_json::json;
use wireform_mailbox::import::{ImportError, ImportReport, Importer, MailSource, Progress};
use wireform_store::{Error, Unavailable};

use crate::desk::{TestService, data, plain};

#[derive(Default)]
struct Count {
    total: AtomicU64,
    bytes: AtomicU64,
    mails: AtomicU64,
}

impl Progress for Count {
    fn set_total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::SeqCst);
    }

    fn advance(&self, bytes: u64, mails: u64) {
        self.bytes.fetch_add(bytes, Ordering::SeqCst);
        self.mails.fetch_add(mails, Ordering::SeqCst);
    }
}

pub async fn run(desk: &TestService, source: MailSource) -> Result<ImportReport, ImportError> {
    let count = Arc::new(Count::default());
    let importer = Importer::new(desk.store.clone(), desk.ana.mailbox, desk.clock.clone());
    let report = importer.run(source, count.clone()).await?;
    // The progress reaches its total.
    assert_eq!(count.bytes.load(Ordering::SeqCst), count.total.load(Ordering::SeqCst));
    assert_eq!(count.mails.load(Ordering::SeqCst), report.stored + report.known + report.too_long);
    Ok(report)
}

/// Returns the counts that most tests compare.
fn counts(report: ImportReport) -> (u64, u64) {
    (report.stored, report.known)
}

/// Returns the names of the labels of the message with a subject.
pub async fn names(desk: &TestService, subject: &str) -> Vec<String> {
    let found = desk.find(&format!("in:anywhere subject:\"{subject}\"")).await;
    assert_eq!(found.len(), 1, "{subject}");
    let mut names = Vec::new();
    for label in desk.labels_of(&found[0]).await {
        names.push(desk.get(&format!("/users/me/labels/{label}")).await.ok()["name"].as_str().unwrap().to_owned());
    }
    names.sort();
    names
}

async fn raw(desk: &TestService, subject: &str) -> String {
    let found = desk.find(&format!("in:anywhere subject:\"{subject}\"")).await;
    let response = desk.get(&format!("/users/me/messages/{}?format=raw", found[0])).await;
    String::from_utf8(data(&response.ok()["raw"])).unwrap()
}

pub fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

#[tokio::test]
async fn a_maildir_comes_with_its_flags_and_folders() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "new/1.a", &plain("fresh"));
    write(root, "cur/2.a:2,S", &plain("seen"));
    write(root, "cur/3.a:2,FS", &plain("starred"));
    write(root, "cur/4.a:2,T", &plain("thrown"));
    write(root, "cur/5.a:2,DS", &plain("draft"));
    write(root, "tmp/6.a", &plain("unfinished"));
    write(root, ".Sent/cur/7.a:2,S", &plain("sent"));
    write(root, ".Work.Reports/cur/8.a:2,S", &plain("report"));
    write(root, ".Entw&APw-rfe/new/9.a", &plain("umlaut"));
    write(root, ".Nothing/other/10.a", &plain("elsewhere"));
    let report = run(&desk, MailSource::Maildir(root.to_owned())).await.unwrap();
    assert_eq!((counts(report), report.labels), ((8, 0), 2));
    for (subject, expected) in [
        ("fresh", vec!["INBOX", "UNREAD"]),
        ("seen", vec!["INBOX"]),
        ("starred", vec!["INBOX", "STARRED"]),
        ("thrown", vec!["TRASH", "UNREAD"]),
        ("draft", vec!["DRAFT"]),
        ("sent", vec!["SENT"]),
        ("report", vec!["Work/Reports"]),
        ("umlaut", vec!["Entwürfe", "UNREAD"]),
    ] {
        assert_eq!(names(&desk, subject).await, expected, "{subject}");
    }
    assert_eq!(raw(&desk, "seen").await, plain("seen"));
    // A second import with one new mail.
    write(root, "new/11.a", &plain("later"));
    assert_eq!(counts(run(&desk, MailSource::Maildir(root.to_owned())).await.unwrap()), (1, 8));
}

const MBOX: &str = "From cy@example.org Sun Mar  1 12:00:00 2026\n\
Message-ID: <1@x>\nSubject: one\nStatus: RO\nX-Status: F\n\nFirst\n>From the start\n>>From twice\n> From no\n\n\
From cy@example.org Sun Mar  1 12:00:01 2026\n\
Message-ID: <2@x>\nSubject: two\nIn-Reply-To: <1@x>\n\nFrom here on it is text.\n\nFrom here on as well.\n\n\
From 123@xxx Sun Mar 01 12:00:02 +0000 2026\n\
Message-ID: <3@x>\nX-Gmail-Labels: =?UTF-8?Q?Inbox,Opened,Caf=C3=A9,\"a,_b\",Category_updates?=\nSubject: three\n\nx\n\n\
From a@b Sun Mar  1 12:00:03 2026\n\
Message-ID: <1@x>\nSubject: twice\n\nx\n\
From the middle Sun Mar  1 12:00:03 2026\n";

#[tokio::test]
async fn an_mbox_is_split_into_mails() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "mbox", MBOX);
    let path = folder.path().join("mbox");
    let report = run(&desk, MailSource::Mbox(path.clone())).await.unwrap();
    assert_eq!((counts(report), report.labels), ((3, 1), 2));
    assert_eq!(names(&desk, "one").await, ["INBOX", "STARRED"]);
    assert_eq!(names(&desk, "two").await, ["INBOX", "UNREAD"]);
    assert_eq!(names(&desk, "three").await, ["CATEGORY_UPDATES", "Café", "INBOX", "a, b"]);
    assert!(raw(&desk, "one").await.ends_with("First\nFrom the start\n>From twice\n> From no\n"));
    assert!(raw(&desk, "two").await.ends_with("\nFrom here on it is text.\n\nFrom here on as well.\n"));
    assert_eq!(desk.get("/users/me/profile").await.ok()["threadsTotal"], 2);
    assert_eq!(counts(run(&desk, MailSource::Mbox(path)).await.unwrap()), (0, 4));
}

#[tokio::test]
async fn an_import_that_is_interrupted_goes_on() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let mails: String = (0..1_203)
        .map(|at| format!("From a@b Sun Mar  1 12:00:00 2026\r\nSubject: {at}\r\n\r\nText {at}\r\n\r\n"))
        .collect();
    write(folder.path(), "mbox", &mails);
    let source = MailSource::Mbox(folder.path().join("mbox"));
    desk.fail_after(1, Error::Unavailable(Unavailable::Busy));
    let error = run(&desk, source.clone()).await.unwrap_err();
    assert!(matches!(error, ImportError::Store(Error::Unavailable(_))), "{error}");
    let stored = desk.get("/users/me/profile").await.ok()["messagesTotal"].as_u64().unwrap();
    assert!((1..1_203).contains(&stored), "{stored}");
    assert_eq!(counts(run(&desk, source).await.unwrap()), (1_203 - stored, stored));
}

#[tokio::test]
async fn broken_mails_are_kept_and_counted() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "new/1", "no header at all");
    write(folder.path(), "new/2", "Subject: fine\r\n\r\n");
    fs::write(folder.path().join("new/3"), [0xff, 0, 0x80]).unwrap();
    write(folder.path(), "new/4", "");
    let report = run(&desk, MailSource::Maildir(folder.path().to_owned())).await.unwrap();
    assert_eq!((report.stored, report.unreadable), (3, 2));
}

#[tokio::test]
async fn a_mail_that_is_too_long_is_left_out() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(wireform_mailbox::mail::MAX_MESSAGE_BYTES);
    write(
        folder.path(),
        "mbox",
        &format!("\n\nFrom a@b 12:00\nSubject: long\n\n{long}\n\nFrom a@b 12:00\nSubject: short\n\n"),
    );
    let report = run(&desk, MailSource::Mbox(folder.path().join("mbox"))).await.unwrap();
    assert_eq!((report.stored, report.too_long), (1, 1));
    write(folder.path(), "dir/cur/1", &long);
    write(folder.path(), "dir/cur/2", &format!("{long}x"));
    let report = run(&desk, MailSource::Maildir(folder.path().join("dir"))).await.unwrap();
    assert_eq!((report.stored, report.too_long), (1, 1));
}

#[tokio::test]
async fn a_label_that_is_deleted_meanwhile_is_made_once_more() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), ".Own/cur/1:2,S", &plain("one"));
    desk.fail_after(0, Error::not_found("label", "Label_1"));
    let importer = Importer::new(desk.store.clone(), desk.ana.mailbox, desk.clock.clone()).with_label("Every");
    let report = importer.run(MailSource::Maildir(folder.path().to_owned()), Arc::new(())).await.unwrap();
    assert_eq!(report.stored, 1);
    assert_eq!(names(&desk, "one").await, ["Every", "Own"]);
}

#[tokio::test]
async fn invalid_sources_are_reported_with_their_path() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "text", "Hello\n");
    let path = folder.path().join("text");
    for (source, names) in [
        (MailSource::Mbox(path.clone()), "is not a valid mbox"),
        (MailSource::Maildir(folder.path().to_owned()), "is not a valid Maildir"),
        (MailSource::Mbox(folder.path().join("nowhere")), "cannot read"),
        (MailSource::Maildir(folder.path().join("nowhere")), "cannot read"),
        (MailSource::Maildir(path), "cannot read"),
    ] {
        let error = run(&desk, source).await.unwrap_err().to_string();
        assert!(error.contains(names) && error.contains(folder.path().to_str().unwrap()), "{error}");
    }
    write(folder.path(), "empty", "");
    assert_eq!(run(&desk, MailSource::Mbox(folder.path().join("empty"))).await.unwrap(), ImportReport::default());
}

#[tokio::test]
async fn what_is_imported_is_history() {
    let desk = TestService::open().await;
    let start = desk.history_id().await;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "new/1", &plain("one"));
    write(folder.path(), "new/2", &plain("two"));
    run(&desk, MailSource::Maildir(folder.path().to_owned())).await.unwrap();
    let history = desk.get(&format!("/users/me/history?startHistoryId={start}")).await;
    assert_eq!(history.ok()["history"].as_array().unwrap().len(), 2);
    assert_ne!(history.ok()["history"][0]["messagesAdded"], json!(null));
}
