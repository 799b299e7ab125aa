//! Tests of several processes on one folder, and of killed processes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use wireform_store::{Accounts as _, Mailboxes as _, Maintenance as _, MessageId};

use super::open;
use crate::support::{INBOX, current, insert, mailbox, since};

const FOLDER: &str = "WIREFORM_TEST_FOLDER";
const MESSAGES: &str = "WIREFORM_TEST_MESSAGES";

/// Starts another process, which stores messages for Ada and prints the identifier of each.
fn another(folder: &Path, messages: usize) -> Child {
    Command::new(std::env::current_exe().expect("this program has a name"))
        .args(["--exact", "sqlite::processes::another_process", "--ignored", "--nocapture"])
        .env(FOLDER, folder)
        .env(MESSAGES, messages.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("another process begins")
}

/// Returns the identifiers that the process prints.
fn names(child: &mut Child) -> impl Iterator<Item = MessageId> + use<> {
    let lines = BufReader::new(child.stdout.take().expect("its output is read")).lines();
    lines.map_while(|line| line.ok()).filter_map(|line| line.rsplit(' ').next().and_then(|word| word.parse().ok()))
}

#[tokio::test]
#[ignore = "other tests start it as a process of its own"]
async fn another_process() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let messages: usize = std::env::var(MESSAGES).expect("a number").parse().expect("a number");
    let store = open(Path::new(&folder));
    let ada = store.user("ada@example.org").await.expect("she is there").mailbox;
    for number in 0..messages {
        let message = insert(&store, ada, &number.to_string(), &[INBOX]).await;
        let mut out = std::io::stdout().lock();
        writeln!(out, "stored {}", message.id).expect("the parent process reads");
        out.flush().expect("the parent process reads");
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_write_in_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let mut at = current(&store, ada).await;
    let mut children = [another(folder.path(), 40), another(folder.path(), 40)];
    let mut seen = Vec::new();
    loop {
        let ended = children.iter_mut().all(|child| child.try_wait().expect("its status can be read").is_some());
        insert(&store, ada, "of this one", &[INBOX]).await;
        let page = since(&store, ada, at).await;
        for record in page.records {
            assert!(record.id > at);
            at = record.id;
            seen.extend(record.changes.into_iter().map(|change| change.message));
        }
        if ended {
            break;
        }
    }
    for mut child in children {
        let reported: Vec<MessageId> = names(&mut child).collect();
        assert_eq!(reported.len(), 40);
        assert!(reported.iter().all(|id| seen.contains(id)), "a reader sees the messages of other processes");
    }
    assert_eq!(store.profile(ada).await.expect("a profile").messages, seen.len() as u64);
}

#[tokio::test]
async fn acknowledged_writes_survive_the_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let epoch = store.epoch().await.expect("an epoch");
    store.close().await;
    let mut child = another(folder.path(), 1_000_000);
    let reported: Vec<MessageId> = names(&mut child).take(25).collect();
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    assert_eq!(reported.len(), 25);
    let store = open(folder.path());
    for id in reported {
        store.message(ada, id).await.expect("its write was confirmed");
    }
    insert(&store, ada, "after", &[INBOX]).await;
    assert_eq!(store.epoch().await.expect("an epoch"), epoch, "a process that dies loses nothing");
}

/// The process is killed while it writes, without closing the store.
#[tokio::test]
async fn an_older_database_is_noticed_after_a_crash() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("store.sqlite3");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let epoch = store.epoch().await.expect("an epoch");
    store.close().await;
    let older = std::fs::read(&database).expect("it is there");
    let mark = || std::fs::read(folder.path().join("store.sqlite3-mark")).expect("it is there");
    let before = mark();
    let mut child = another(folder.path(), 1_000_000);
    let mut reported = names(&mut child);
    while mark() == before {
        reported.next().expect("it continues");
    }
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    for log in ["store.sqlite3-wal", "store.sqlite3-shm"] {
        std::fs::remove_file(folder.path().join(log)).expect("it was left over");
    }
    // Writes into the existing file.
    std::fs::write(&database, older).expect("it is written");
    let store = open(folder.path());
    assert_eq!(store.profile(ada).await.expect("a profile").messages, 0);
    assert_ne!(store.epoch().await.expect("an epoch"), epoch);
}
