//! Tests of stores that are restored from copies, in every usual way.

use std::path::{Path, PathBuf};

use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use tempfile::TempDir;
use wireform_store::{Accounts as _, AnyStore, Maintenance as _, restore};

use super::open;
use crate::epochs::{Held, epoch};
use crate::support::mailbox;

/// Way in which a copy is made and restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Restoration {
    /// Backup and restore by the program.
    Restore,
    /// A backup by the program is written into the file of the store.
    BackupWrittenOver,
    /// A copy of the file of the store is written into that file.
    WrittenOver,
    /// A copy of the file of the store replaces that file.
    MovedOver,
    /// A copy of the whole folder replaces the folder.
    FolderMoved,
    /// Each file of a copy of the whole folder is written into the existing file.
    FolderWrittenOver,
}

const WAYS: [Restoration; 6] = [
    Restoration::Restore,
    Restoration::BackupWrittenOver,
    Restoration::WrittenOver,
    Restoration::MovedOver,
    Restoration::FolderMoved,
    Restoration::FolderWrittenOver,
];

/// Folder with a store, and space for copies.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder is made"))
    }

    fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn copy(&self) -> PathBuf {
        self.0.path().join("copy")
    }

    /// Makes a copy; returns the store, which stays in use.
    async fn keep(&self, store: AnyStore, way: Restoration) -> AnyStore {
        match way {
            Restoration::Restore | Restoration::BackupWrittenOver => {
                let _ = std::fs::remove_file(self.copy());
                store.backup(&self.copy()).await.expect("a copy is made");
                store
            }
            _ => {
                store.close().await;
                let _ = std::fs::remove_dir_all(self.copy());
                copy_folder(&self.data(), &self.copy());
                open(&self.data())
            }
        }
    }

    /// Restores the copy.
    fn bring_back(&self, way: Restoration) {
        let (data, copy) = (self.data(), self.copy());
        let (file, copied) = (data.join("store.sqlite3"), copy.join("store.sqlite3"));
        match way {
            Restoration::Restore => restore(&copy, &data, true).expect("it replaces the store"),
            Restoration::BackupWrittenOver => write_over(&copy, &file),
            Restoration::WrittenOver => write_over(&copied, &file),
            Restoration::MovedOver => std::fs::rename(&copied, &file).expect("it is moved"),
            Restoration::FolderMoved => {
                std::fs::remove_dir_all(&data).expect("it is removed");
                std::fs::rename(&copy, &data).expect("it is moved");
            }
            Restoration::FolderWrittenOver => {
                for name in ["store.sqlite3", "store.sqlite3-mark"] {
                    write_over(&copy.join(name), &data.join(name));
                }
            }
        }
        if copy.is_dir() {
            std::fs::remove_dir_all(&copy).expect("it is removed");
        } else {
            let _ = std::fs::remove_file(&copy);
        }
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).expect("a folder is made");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("a file");
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("it is copied");
    }
}

/// Writes into an existing file, as `cp` does.
fn write_over(from: &Path, into: &Path) {
    std::fs::write(into, std::fs::read(from).expect("it is read")).expect("it is written");
}

fn forget_oldest<T>(held: &mut Vec<T>, kept: usize) {
    held.drain(..held.len().saturating_sub(kept));
}

/// Uses a store, restores a copy, which loses the changes since, and continues, repeatedly. Asserts that the store
/// never accepts state from a lost timeline.
async fn lives(restores: usize, seed: u64) {
    let mut dice = StdRng::seed_from_u64(seed);
    let home = Home::new();
    let mut store = open(&home.data());
    let ada = mailbox(&store, "ada@example.org").await;
    let mut lost = Held::default();
    for _ in 0..restores {
        let way = WAYS[dice.random_range(0..WAYS.len())];
        let mut held = Held::default();
        held.live(&store, ada, dice.random_range(0..3)).await;
        store = home.keep(store, way).await;
        held.is_accepted(&store, ada).await;
        held.live(&store, ada, dice.random_range(1..4)).await;
        let before = epoch(&store).await;
        store.close().await;
        home.bring_back(way);
        store = open(&home.data());
        assert_ne!(epoch(&store).await, before, "{way:?} was not noticed (seed {seed})");
        held.is_refused(&store, ada).await;
        lost.starts.append(&mut held.starts);
        lost.pages.append(&mut held.pages);
        lost.lists.append(&mut held.lists);
        // A further round after the new timeline has issued numbers, with state of all timelines.
        Held::default().live(&store, ada, 2).await;
        forget_oldest(&mut lost.starts, 12);
        forget_oldest(&mut lost.pages, 4);
        forget_oldest(&mut lost.lists, 4);
        lost.is_refused(&store, ada).await;
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_is_noticed_however_it_comes_back() {
    for way in WAYS {
        let home = Home::new();
        let mut store = open(&home.data());
        let ada = mailbox(&store, "ada@example.org").await;
        let mut held = Held::default();
        held.live(&store, ada, 3).await;
        store = home.keep(store, way).await;
        held.live(&store, ada, 3).await;
        store.close().await;
        home.bring_back(way);
        let store = open(&home.data());
        assert_eq!(store.users().await.expect("users").len(), 1);
        held.is_refused(&store, ada).await;
        let begun = epoch(&store).await;
        store.close().await;
        let again = open(&home.data());
        assert_eq!(epoch(&again).await, begun, "one new epoch is enough: {way:?}");
        again.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_of_a_thousand_lost_timelines_is_accepted() {
    let seed = rand::random();
    let stores = (0..8).map(|number: u64| tokio::spawn(lives(125, number.wrapping_add(seed))));
    for store in stores.collect::<Vec<_>>() {
        store.await.expect("no lost data is returned");
    }
}

#[tokio::test]
async fn one_copy_that_comes_back_twice_begins_two_epochs() {
    let home = Home::new();
    let store = open(&home.data());
    mailbox(&store, "ada@example.org").await;
    store.backup(&home.copy()).await.expect("a copy is made");
    let mut epochs = vec![epoch(&store).await];
    store.close().await;
    for other in ["one", "two"] {
        let folder = home.0.path().join(other);
        restore(&home.copy(), &folder, false).expect("a store is made");
        let store = open(&folder);
        assert!(!epochs.contains(&epoch(&store).await));
        epochs.push(epoch(&store).await);
        store.close().await;
    }
}

/// A replaced file is detected even if its change counters are equal, as after a crash within a second.
#[tokio::test]
async fn another_file_is_noticed_whatever_it_has_counted() {
    let home = Home::new();
    let store = open(&home.data());
    let before = epoch(&store).await;
    store.close().await;
    copy_folder(&home.data(), &home.copy());
    home.bring_back(Restoration::MovedOver);
    let store = open(&home.data());
    assert_ne!(epoch(&store).await, before);
    store.close().await;
}

#[tokio::test]
async fn who_removes_the_mark_asks_for_a_new_epoch() {
    let home = Home::new();
    let store = open(&home.data());
    let before = epoch(&store).await;
    store.close().await;
    std::fs::remove_file(home.data().join("store.sqlite3-mark")).expect("it is there");
    let store = open(&home.data());
    assert_ne!(epoch(&store).await, before);
    store.close().await;
}

/// The folder is moved together with its files.
#[tokio::test]
async fn a_folder_that_is_moved_is_the_same_store() {
    let home = Home::new();
    let store = open(&home.data());
    let before = epoch(&store).await;
    store.close().await;
    let elsewhere = home.0.path().join("elsewhere");
    std::fs::rename(home.data(), &elsewhere).expect("it is moved");
    let store = open(&elsewhere);
    assert_eq!(epoch(&store).await, before);
    store.close().await;
}
