//! Tests of backup and restore.

use std::os::unix::fs::PermissionsExt as _;

use wireform_store::{Accounts as _, Error, Mailboxes as _, Maintenance as _, NewMessage, restore};

use super::open;
use crate::support::{INBOX, NOW, insert, mail, mailbox};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_the_store_at_one_moment_while_others_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let key = store.sealing_key().await.expect("a key");
    let batch: Vec<NewMessage> = (0..300).map(|number| mail(&number.to_string(), &[INBOX], NOW)).collect();
    store.insert_messages(ada, batch, NOW).await.expect("stored");
    let (other, writes) = (store.clone(), 40);
    let writer = tokio::spawn(async move {
        for number in 0..writes {
            insert(&other, ada, &number.to_string(), &[INBOX]).await;
        }
    });
    let copy = folder.path().join("copy.sqlite3");
    store.backup(&copy).await.expect("a copy is made");
    writer.await.expect("writing continues");
    let mode = std::fs::metadata(&copy).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    let again = store.backup(&copy).await;
    assert!(matches!(again, Err(Error::AlreadyExists { what: "file", .. })), "{again:?}");

    let other = tempfile::tempdir().expect("a folder");
    restore(&copy, other.path(), false).expect("a store is made");
    let restored = open(other.path());
    let profile = restored.profile(ada).await.expect("a profile");
    assert!((300..=300 + writes).contains(&profile.messages), "{profile:?}");
    let records =
        rusqlite::Connection::open(&copy)
            .expect("a file")
            .query_row("SELECT count(*) FROM records", [], |row| row.get::<_, i64>(0));
    assert_eq!(records.ok(), Some(profile.messages.cast_signed()), "messages and their history are of the same moment");
    assert_eq!(restored.sealing_key().await.expect("a key"), key);
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().into_string().expect("a name"))
        .filter(|name| name.contains("part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn an_existing_store_is_replaced_only_on_request() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let store = open(folder.path());
    mailbox(&store, "ada@example.org").await;
    let copy = folder.path().join("copy.sqlite3");
    store.backup(&copy).await.expect("a copy is made");
    let present = open(other.path());
    mailbox(&present, "grace@example.org").await;

    let refused = restore(&copy, other.path(), false);
    assert!(matches!(refused, Err(Error::AlreadyExists { what: "store", .. })), "{refused:?}");
    let refused = restore(&copy, other.path(), true);
    assert!(matches!(&refused, Err(Error::Refused(why)) if why.contains("open")), "{refused:?}");
    present.user("grace@example.org").await.expect("nothing has changed");
    present.close().await;
    restore(&copy, other.path(), true).expect("it replaces the store");
    let after = open(other.path());
    after.user("ada@example.org").await.expect("the user is in the copy");
    assert!(after.user("grace@example.org").await.is_err());
}

#[tokio::test]
async fn a_leftover_log_is_not_applied_to_the_restored_store() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let store = open(folder.path());
    mailbox(&store, "ada@example.org").await;
    let copy = folder.path().join("copy.sqlite3");
    store.backup(&copy).await.expect("a copy is made");
    // The database was removed manually, but not its log.
    for name in ["store.sqlite3-wal", "store.sqlite3-shm"] {
        std::fs::copy(folder.path().join(name), other.path().join(name)).expect("copied");
    }
    restore(&copy, other.path(), false).expect("a store is made");
    let names: Vec<_> =
        std::fs::read_dir(other.path()).expect("a folder").map(|one| one.expect("a file").file_name()).collect();
    assert_eq!(names, ["store.sqlite3"]);
    open(other.path()).user("ada@example.org").await.expect("she is there");
}

#[tokio::test]
async fn incomplete_copies_are_refused() {
    let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let absent = restore(&folder.path().join("nothing"), other.path(), false);
    assert!(matches!(absent, Err(Error::NotFound { what: "file", .. })), "{absent:?}");

    let empty = folder.path().join("empty");
    std::fs::write(&empty, "").expect("written");
    let store = open(&folder.path().join("store"));
    let ada = mailbox(&store, "ada@example.org").await;
    let batch: Vec<NewMessage> = (0..300).map(|number| mail(&number.to_string(), &[INBOX], NOW)).collect();
    store.insert_messages(ada, batch, NOW).await.expect("stored");
    let copy = folder.path().join("copy.sqlite3");
    store.backup(&copy).await.expect("a copy is made");
    let bytes = std::fs::read(&copy).expect("a copy");
    let mut damaged = bytes.clone();
    damaged[40_960..81_920].fill(0xa5);
    let (cut, changed) = (folder.path().join("cut"), folder.path().join("changed"));
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    std::fs::write(&changed, damaged).expect("written");
    for file in [empty, cut, changed] {
        let refused = restore(&file, other.path(), false);
        assert!(matches!(&refused, Err(Error::Refused(why)) if why.contains("is not a store")), "{refused:?}");
    }
    assert_eq!(std::fs::read_dir(other.path()).expect("a folder").count(), 0, "no files remain");
}
