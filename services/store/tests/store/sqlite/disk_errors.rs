//! Tests of disk errors, and of recovery from them.

use std::path::Path;

use rusqlite::Connection;
use wireform_store::session::Session;
use wireform_store::{
    Access, AnyStore, Backend as _, Error, Mailboxes as _, Maintenance, NewMessage, Operation, Result, Unavailable,
};

use super::open;
use crate::support::{INBOX, NOW, insert, mail, mailbox};

/// Runs a pragma on the write connection.
struct Pragma(&'static str);

impl Operation for Pragma {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        session.rows(self.0, &[]).await.map(drop)
    }
}

/// Returns a message of megabytes.
fn large() -> NewMessage {
    NewMessage { raw: vec![7; 3 << 20], ..mail("large", &[INBOX], NOW) }
}

async fn still_reads(store: &AnyStore, of: wireform_store::Mailbox, messages: u64) {
    assert_eq!(store.profile(of).await.expect("reading continues").messages, messages);
}

#[tokio::test]
async fn a_full_disk_is_reported_until_space_is_freed() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    insert(&store, ada, "before", &[INBOX]).await;
    store.perform(Pragma("PRAGMA max_page_count = 200")).await.expect("the disk becomes small");
    let full = store.insert_message(ada, large(), NOW).await;
    assert!(matches!(full, Err(Error::Unavailable(Unavailable::DiskFull))), "{full:?}");
    still_reads(&store, ada, 1).await;
    insert(&store, ada, "what is small fits", &[INBOX]).await;
    store.perform(Pragma("PRAGMA max_page_count = 100000")).await.expect("the disk becomes large");
    store.insert_message(ada, large(), NOW).await.expect("there is room");
    still_reads(&store, ada, 3).await;
}

#[tokio::test]
async fn a_real_full_disk_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::of(folder.path(), "4M") else { return };
    let inner = folder.path().join("store");
    let store = open(&inner);
    let ada = mailbox(&store, "ada@example.org").await;
    let mut stored = 0;
    let full = loop {
        match store.insert_message(ada, NewMessage { raw: vec![7; 300_000], ..mail("", &[INBOX], NOW) }, NOW).await {
            Ok(_) => stored += 1,
            Err(full) => break full,
        }
        assert!(stored < 100, "the disk is full");
    };
    assert!(matches!(full, Error::Unavailable(Unavailable::DiskFull)), "{full:?}");
    still_reads(&store, ada, stored).await;
    let check = store.check().await;
    assert!(matches!(check, Err(Error::Unavailable(Unavailable::DiskFull))), "{check:?}");
    disk.resize("64M");
    store.check().await.expect("there is room");
    store.insert_message(ada, large(), NOW).await.expect("there is room");
    still_reads(&store, ada, stored + 1).await;
    Maintenance::close(&store).await;
}

/// Small file system, if the test may mount one.
struct Disk<'f>(&'f Path);

impl<'f> Disk<'f> {
    fn of(folder: &'f Path, size: &str) -> Option<Self> {
        let made = mount(&format!("size={size}"), folder);
        if !made {
            eprintln!("skipped: this process may not mount a disk of its own");
        }
        made.then(|| Self(folder))
    }

    fn resize(&self, size: &str) {
        assert!(mount(&format!("remount,size={size}"), self.0), "the disk becomes larger");
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        drop(std::process::Command::new("umount").arg("--lazy").arg(self.0).status());
    }
}

fn mount(options: &str, folder: &Path) -> bool {
    let mount = std::process::Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(folder).output();
    mount.is_ok_and(|output| output.status.success())
}

#[tokio::test]
async fn a_connection_that_may_not_write_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    store.perform(Pragma("PRAGMA query_only = ON")).await.expect("it is reported");
    let refused = store.insert_message(ada, mail("", &[], NOW), NOW).await;
    assert!(matches!(refused, Err(Error::Unavailable(Unavailable::ReadOnly))), "{refused:?}");
    still_reads(&store, ada, 0).await;
    insert(&store, ada, "a new connection may", &[INBOX]).await;
}

#[tokio::test]
async fn files_that_may_only_be_read_are_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    Maintenance::close(&store).await;
    let file = folder.path().join("store.sqlite3");
    // The log and the shared memory are created with the permissions of the database.
    let mode = |mode| {
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let path = entry.expect("a file").path();
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is changed");
        }
    };
    mode(0o400);
    if std::fs::OpenOptions::new().write(true).open(&file).is_ok() {
        eprintln!("skipped: this process may write whatever the permissions say");
        return;
    }
    let store = open(folder.path());
    still_reads(&store, ada, 0).await;
    for _ in 0..2 {
        let refused = store.insert_message(ada, mail("", &[], NOW), NOW).await;
        assert!(matches!(refused, Err(Error::Unavailable(Unavailable::ReadOnly))), "{refused:?}");
        let refused = store.check().await;
        assert!(matches!(refused, Err(Error::Unavailable(Unavailable::ReadOnly))), "{refused:?}");
    }
    mode(0o600);
    store.check().await.expect("it can be written again");
    insert(&store, ada, "after", &[INBOX]).await;
    still_reads(&store, ada, 1).await;
}

#[tokio::test]
async fn locks_of_other_processes_are_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let other = Connection::open(folder.path().join("store.sqlite3")).expect("the file is there");
    other.execute_batch("BEGIN IMMEDIATE").expect("it is held");
    let insert = store.insert_message(ada, mail("", &[INBOX], NOW), NOW);
    let read = async {
        still_reads(&store, ada, 0).await;
        other.execute_batch("COMMIT").expect("it is let go");
    };
    let (inserted, ()) = tokio::join!(insert, read);
    inserted.expect("it waits");
    other.execute_batch("BEGIN IMMEDIATE").expect("it is held");
    let busy = store.insert_message(ada, mail("", &[INBOX], NOW), NOW).await;
    assert!(matches!(busy, Err(Error::Unavailable(Unavailable::Busy))), "but not forever: {busy:?}");
    other.execute_batch("COMMIT").expect("it is let go");
    crate::support::insert(&store, ada, "after", &[INBOX]).await;
    still_reads(&store, ada, 2).await;
}

/// Page size of the database.
const PAGE: usize = 4_096;

/// Returns the numbers of the first pages of the tables and indexes with a name.
fn first_pages(file: &Path, name: &str) -> Vec<usize> {
    let database = Connection::open(file).expect("the file is there");
    let mut found = database.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE ?1").expect("a statement");
    let pages = found.query_map([name], |row| row.get::<_, u32>(0)).expect("pages");
    pages.map(|page| page.expect("its number") as usize).collect()
}

#[tokio::test]
async fn a_damaged_database_is_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let batch: Vec<NewMessage> = (0..1_000).map(|number| mail(&number.to_string(), &[INBOX], NOW)).collect();
    store.insert_messages(ada, batch, NOW).await.expect("stored");
    Maintenance::close(&store).await;
    let file = folder.path().join("store.sqlite3");
    let pages = first_pages(&file, "message%");
    let mut bytes = std::fs::read(&file).expect("the file is there");
    for page in pages {
        bytes[(page - 1) * PAGE..page * PAGE].fill(0xa5);
    }
    std::fs::write(&file, bytes).expect("written");
    let store = open(folder.path());
    let page = store.messages(ada, wireform_store::ListQuery { limit: 1_000, ..Default::default() }).await;
    assert!(matches!(page, Err(Error::Internal(_))), "{page:?}");
    drop(store.insert_message(ada, mail("", &[INBOX], NOW), NOW).await);
    store.retention().await.expect("undamaged pages can be read");
}
