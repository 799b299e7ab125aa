//! Tests of mbox files: time of arrival, flags, and conversations.

use std::sync::Arc;

use wireform_mailbox::import::{Importer, MailSource};
use wireform_store::{Error, Millis, Unavailable};

use crate::desk::{NOW, TestService};
use crate::imports::{names, run, write};

/// Returns the time of the message with a subject.
async fn time(desk: &TestService, subject: &str) -> i64 {
    let found = desk.find(&format!("in:anywhere subject:{subject}")).await;
    let response = desk.get(&format!("/users/me/messages/{}?format=minimal", found[0])).await;
    response.ok()["internalDate"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_mail_of_an_mbox_has_its_own_time_or_that_of_the_line_in_front_of_it() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let noon = 1_772_366_400_000;
    let cases = [
        ("plain", "a@b Sun Mar  1 12:00:00 2026", noon),
        ("short", "a@b Sun Mar 1 12:00 2026", noon),
        ("before", "123@xxx Sun Mar 01 14:00:00 +0200 2026", noon),
        ("behind", "a@b Sun Mar  1 07:30:00 2026 -0430", noon),
        ("letters", "a@b Sun Mar  1 07:00:00 EST 2026", noon),
        ("header", "a@b Sun, 01 Mar 2026 12:00:00 +0000", noon),
        ("sender", "Mar 7:30 Sun Mar  1 12:00:00 2026\r", noon),
        ("remote", "a@b Sun Mar  1 12:00:00 2026 remote from c", noon),
    ];
    let mut mails = String::new();
    for (subject, line, _) in cases {
        mails += &format!("From {line}\nSubject: {subject}\n\nx\n\n");
    }
    mails += "From a@b Mon Mar  2 12:00:00 2026\nSubject: dated\nDate: Sun, 1 Mar 2026 12:00:00 +0000\n\nx\n\n";
    mails += "From a@b Sun Mar  1 12:00:00 2026\nSubject: nonsense\nDate: nonsense\n\nx\n\n";
    mails += "From a@b 12:00\nSubject: unknown\n\nx\n\nFrom a@b Sun Mar 32 12:00:00 2026\nSubject: never\n\nx\n";
    write(folder.path(), "mbox", &mails);
    desk.clock.set(Millis(NOW + 1_000_000_000));
    let report = run(&desk, MailSource::Mbox(folder.path().join("mbox"))).await.unwrap();
    assert_eq!(report.stored, 12);
    for (subject, _, expected) in cases {
        assert_eq!(time(&desk, subject).await, expected, "{subject}");
    }
    for subject in ["dated", "nonsense"] {
        assert_eq!(time(&desk, subject).await, noon, "{subject}");
    }
    for subject in ["unknown", "never"] {
        assert!(time(&desk, subject).await > NOW, "{subject}");
    }
}

#[tokio::test]
async fn words_in_the_headers_of_an_mbox_are_no_marks() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let mails = "From a@b 12:00\nSubject: one\nStatus: Done\nX-Status: To Do, Fixed\n\nx\n\n\
        From a@b 12:00\nSubject: two\nStatus: ROD\nX-Status: AF\n\nx\n\n\
        From a@b 12:00\nSubject: three\nStatus: O\nX-Status: D\n\nx\n";
    write(folder.path(), "mbox", mails);
    run(&desk, MailSource::Mbox(folder.path().join("mbox"))).await.unwrap();
    assert_eq!(names(&desk, "one").await, ["INBOX", "UNREAD"]);
    assert_eq!(names(&desk, "two").await, ["INBOX", "STARRED"]);
    assert_eq!(names(&desk, "three").await, ["TRASH", "UNREAD"]);
}

#[tokio::test]
async fn names_that_no_label_can_have_are_made_into_some() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let labels = format!("a\u{7}b, \u{17f}pam , a\u{0}b,Plain,\u{85}x,{}", "l".repeat(300));
    write(folder.path(), "mbox", &format!("From a@b 12:00\nSubject: one\nX-Gmail-Labels: {labels}\n\nx\n"));
    let report = run(&desk, MailSource::Mbox(folder.path().join("mbox"))).await.unwrap();
    assert_eq!((report.stored, report.labels, report.renamed_labels), (1, 4, 2));
    assert_eq!(names(&desk, "one").await, ["Plain", "SPAM", "ab", &"l".repeat(225), "x"]);
}

#[tokio::test]
async fn a_mail_with_too_many_labels_gets_the_first() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let labels: Vec<String> = (0..150).map(|at| format!("l{at:03}")).collect();
    let mail = format!("From a@b 12:00\nSubject: one\nX-Gmail-Labels: {}\n\nx\n", labels.join(","));
    write(folder.path(), "mbox", &mail);
    let importer = Importer::new(desk.store.clone(), desk.ana.mailbox, desk.clock.clone()).with_label("Every");
    let report = importer.run(MailSource::Mbox(folder.path().join("mbox")), Arc::new(())).await.unwrap();
    assert_eq!((report.stored, report.labels), (1, 100));
    let names = names(&desk, "one").await;
    assert_eq!((names.len(), &*names[0], &*names[99]), (100, "Every", "l098"));
}

/// Returns a mail of an mbox with an identifier and references to others.
fn reply_mail(id: &str, references: &str) -> String {
    format!("From a@b 12:00\nMessage-ID: <{id}@x>\nSubject: {id}\nReferences: {references}\n\nx\n\n")
}

/// Returns the conversation of the message with a subject.
async fn thread(desk: &TestService, subject: &str) -> String {
    let path = format!("/users/me/messages?q=subject:{subject}");
    desk.get(&path).await.ok()["messages"][0]["threadId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn replies_before_their_originals_are_in_one_conversation() {
    let desk = TestService::open().await;
    let folder = tempfile::tempdir().unwrap();
    let others = |from: usize| (from..from + 600).map(|at| reply_mail(&format!("other{at}"), "")).collect::<String>();
    // There are more mails between them than in a batch.
    let mails = reply_mail("three", "<one@x> <two@x>")
        + &reply_mail("beside", "<one@x>")
        + &others(0)
        + &reply_mail("two", "<one@x>")
        + &others(600)
        + &reply_mail("one", "")
        + &reply_mail("itself", "<itself@x>");
    write(folder.path(), "mbox", &mails);
    let source = MailSource::Mbox(folder.path().join("mbox"));
    // An interrupted import is continued from the stored mails.
    desk.fail_after(1, Error::Unavailable(Unavailable::Busy));
    run(&desk, source.clone()).await.unwrap_err();
    run(&desk, source).await.unwrap();
    let conversation = thread(&desk, "three").await;
    for subject in ["beside", "two", "one"] {
        assert_eq!(thread(&desk, subject).await, conversation, "{subject}");
    }
    assert_ne!(thread(&desk, "itself").await, conversation);
    let profile = desk.get("/users/me/profile").await;
    assert_eq!((&profile.ok()["messagesTotal"], &profile.ok()["threadsTotal"]), (&1_205.into(), &1_202.into()));
}
