#![allow(clippy::expect_used)] // a test that fails says so by panicking

use std::os::unix::fs::{MetadataExt as _, symlink};

use super::super::{Files, OnDisk, Tree, Unfinished};
use super::*;

/// Folder with so many files that a few changed crates are swapped individually.
struct Place {
    dir: tempfile::TempDir,
}

/// Returns fifty crates with fifty files each.
fn many() -> Files {
    let path = |at: usize| format!("c{}/src/f{}.rs", at / 50, at % 50);
    (0..2500).map(|at| (path(at), format!("file {at}"))).collect()
}

/// Returns the same with a changed file in two crates, an added crate and a removed one.
fn changed() -> Files {
    let mut files = many();
    files.insert("c10/src/f1.rs".into(), "changed".into());
    files.insert("c20/src/f1.rs".into(), "changed".into());
    files.insert("c20/src/f99.rs".into(), "added".into());
    files.insert("new/src/lib.rs".into(), "a crate".into());
    files.retain(|path, _| !path.starts_with("c30/"));
    files
}

impl Place {
    fn new() -> Self {
        Self::of(&many())
    }

    fn of(files: &Files) -> Self {
        let place = Self { dir: tempfile::tempdir().expect("a temporary folder") };
        place.write(files);
        place
    }

    /// Creates the folder that a killed run leaves next to the tree, with a journal.
    fn write_journal(&self, journal: &str) -> PathBuf {
        let sibling = self.dir.path().join(".out.wireform-killed");
        [NEW, REPLACED].iter().for_each(|dir| fs::create_dir_all(sibling.join(dir)).expect("a folder"));
        fs::write(sibling.join(JOURNAL), journal).expect("a file");
        sibling
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    fn open(&self) -> Tree {
        Tree::open(self.root(), true).expect("the folder can be opened")
    }

    /// Stages the expected files, and returns the changes.
    fn stage(&self, tree: &Tree, files: &Files) -> (Changes, Staging) {
        let new = tree.stage().expect("a new tree");
        let changes = tree.write_batch(files, Some(&new), None).expect("files");
        let changes = tree.complete(changes, Some(&new), None).expect("changes");
        (changes, new)
    }

    fn write(&self, files: &Files) {
        let tree = self.open();
        let (changes, new) = self.stage(&tree, files);
        tree.replace(&changes, new).expect("it is replaced");
    }

    fn put(&self, path: &str, text: &str) {
        let file = self.root().join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    /// Returns the identity of an entry, which changes if the entry is replaced.
    fn inode(&self, path: &str) -> u64 {
        fs::symlink_metadata(self.root().join(path)).expect("it is there").ino()
    }

    fn there(&self) -> OnDisk {
        Tree::open(self.root(), false).and_then(|tree| tree.read()).expect("the folder can be read")
    }

    /// Returns whether the folder has these files and there are no leftovers.
    fn is_whole(&self, files: &Files) -> bool {
        let sibling = fs::read_dir(self.dir.path()).expect("the folder").count();
        let mut there = self.there();
        there.remove(super::super::MARKER).expect("the marker");
        sibling == 1 && there == files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect()
    }
}

#[test]
fn only_changed_crates_are_swapped() {
    let place = Place::new();
    place.put("c10/target/x", "built");
    place.put("c11/src/left_over.rs", "an orphan");
    place.put("left_over.txt", "another");
    symlink("c12", place.root().join("link")).expect("a link");
    let paths = ["c9", "c10", "c11", "c10/src/f2.rs", ".wireform"];
    let before = paths.map(|path| place.inode(path));
    place.write(&changed());
    let after = paths.map(|path| place.inode(path));
    let same: Vec<bool> = before.iter().zip(after).map(|(before, after)| *before == after).collect();
    assert_eq!(same, [true, false, false, true, true]);
    assert_eq!(fs::read_to_string(place.root().join("c10/target/x")).expect("the build stays"), "built");
    assert!(place.is_whole(&changed()), "{:?}", place.there().keys().take(5));
    // And back again, with a link in place of a crate.
    fs::rename(place.root().join("c5"), place.dir.path().join("c5")).expect("it is moved");
    symlink(place.dir.path().join("c5"), place.root().join("c5")).expect("a link");
    place.write(&many());
    assert!(!place.root().join("c5").is_symlink());
    fs::remove_dir_all(place.dir.path().join("c5")).expect("it is there");
    assert!(place.is_whole(&many()));
}

#[test]
fn killed_run_leaves_whole_crates_and_next_run_completes_it() {
    for done in 0..=5 {
        let place = Place::new();
        place.put("c10/Cargo.lock", "locked");
        let tree = place.open();
        let (changes, new) = place.stage(&tree, &changed());
        let names = names(tree.root(), &changes).expect("they can be exchanged");
        let pieces = CrateSwap::stage(tree.root(), &changes, &names, &new).expect("it is staged");
        assert_eq!(pieces.pieces.len(), 4);
        pieces.pieces.iter().take(done).for_each(|piece| pieces.swap_entry(piece).expect("it is put"));
        if done == 5 {
            // If the system cannot swap folders, a run can be killed between two renames.
            fs::rename(place.root().join("c10"), new.dir().join("new/old")).expect("it is moved");
            fs::rename(new.dir().join("new/c10"), new.dir().join("gone/c10")).expect("it is moved");
            fs::rename(new.dir().join("new/old"), new.dir().join("new/c10")).expect("it is moved");
        }
        new.keep_leftovers();
        drop(tree);
        let is_old = |name: &str, files: &Files| {
            let of = |files: &Files| {
                let own = files.iter().filter(|(path, _)| top(path) == name);
                own.map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect::<OnDisk>()
            };
            let there: OnDisk = place.there().into_iter().filter(|(path, _)| top(path) == name).collect();
            there == of(files)
        };
        for name in ["c20", "c30", "new", "c9"] {
            assert!(is_old(name, &many()) || is_old(name, &changed()), "{done}: {name}");
        }
        let looks = Tree::open(place.root(), false).expect("it can be looked at");
        assert!(looks.unfinished().expect("it is known") == Some(Unfinished::Interrupted), "{done}");
        drop(place.open());
        assert!(place.is_whole(&changed()), "{done}");
        assert!(place.root().join("c10/Cargo.lock").exists(), "{done}: builds are carried over");
        assert_eq!(looks.unfinished().expect("it is known"), None, "{done}");
    }
}

#[test]
fn failed_run_rolls_back() {
    let place = Place::new();
    let before = place.there();
    let tree = place.open();
    let (changes, new) = place.stage(&tree, &changed());
    let names = names(tree.root(), &changes).expect("they can be exchanged");
    let pieces = CrateSwap::stage(tree.root(), &changes, &names, &new).expect("it is staged");
    // The removed crate cannot be moved.
    fs::remove_dir(new.dir().join(REPLACED)).expect("it is empty");
    pieces.swap_all().expect_err("it fails");
    assert_ne!(place.there(), before, "two crates were swapped");
    pieces.roll_back().expect("it is taken back");
    assert_eq!(place.there(), before);
    pieces.remove_journal().expect("it was written down");
    drop((new, tree));
    assert!(place.is_whole(&many()));
}

#[test]
fn truncated_journal_is_ignored() {
    let place = Place::new();
    let sibling = place.dir.path().join(".out.wireform-killed");
    fs::create_dir_all(sibling.join(NEW).join("c10/src")).expect("a folder");
    fs::write(sibling.join(NEW).join("c10/src/f1.rs"), "changed").expect("a file");
    fs::write(sibling.join(JOURNAL), "[[\"c10\",").expect("a file");
    assert_eq!(place.open().unfinished().expect("it is known"), None);
    assert!(place.is_whole(&many()));
}

#[test]
fn journal_with_outside_paths_is_ignored() {
    let place = Place::new();
    let precious = place.dir.path().join("precious");
    fs::create_dir_all(precious.join("c10/target")).expect("a folder");
    let absolute = precious.to_string_lossy().into_owned();
    for name in ["../precious", "c10/../../precious", &absolute, "..", ".", "", "c10/src", "c10/"] {
        place.write_journal(&format!("[[\"c11\",null],[\"{name}\",null]]"));
        drop(place.open());
        assert!(precious.join("c10/target").exists(), "{name}");
        assert!(place.root().join("c10/src").exists() && place.root().join("c11").exists(), "{name}");
    }
    // A folder that is a link leads outside too.
    for dir in [NEW, REPLACED] {
        let sibling = place.write_journal("[[\"c10\",1]]");
        fs::remove_dir(sibling.join(dir)).expect("it is empty");
        symlink(&precious, sibling.join(dir)).expect("a link");
        drop(place.open());
        assert!(precious.join("c10/target").exists(), "{dir}");
    }
    fs::rename(place.write_journal("[[\"c11\",null]]"), precious.join("own")).expect("it is moved");
    symlink(precious.join("own"), place.dir.path().join(".out.wireform-link")).expect("a link");
    drop(place.open());
    assert!(place.root().join("c11").exists() && precious.join("own/journal").exists());
}

#[test]
fn journal_of_another_user_is_ignored() {
    let place = Place::new();
    let sibling = place.write_journal("[[\"c10\",null]]");
    // Only root can change the owner of a folder.
    if std::os::unix::fs::chown(&sibling, Some(65_534), None).is_err() {
        return;
    }
    assert_eq!(place.open().unfinished().expect("it is known"), None);
    assert!(place.root().join("c10").exists() && sibling.exists());
}

#[test]
fn build_artifact_in_linked_folder_stays() {
    let few: Files = many().into_iter().filter(|(path, _)| matches!(top(path), "c5" | "c10")).collect();
    for files in [many(), few] {
        let place = Place::of(&files);
        let elsewhere = tempfile::tempdir().expect("a temporary folder");
        let own = elsewhere.path().join("c5");
        fs::rename(place.root().join("c5"), &own).expect("it is moved");
        fs::create_dir(own.join("target")).expect("a folder");
        symlink(&own, place.root().join("c5")).expect("a link");
        // A build artifact that is a link itself is moved, even if it is dangling.
        symlink("nowhere", place.root().join("c10/target")).expect("a link");
        let mut new = files.clone();
        new.insert("c10/src/f1.rs".into(), "changed".into());
        place.write(&new);
        assert!(own.join("target").exists(), "{}", files.len());
        assert!(!place.root().join("c5").is_symlink() && !place.root().join("c5/target").exists());
        assert!(place.root().join("c10/target").is_symlink(), "{}", files.len());
    }
}

#[test]
fn immovable_build_artifact_is_kept_without_failure() {
    let place = Place::new();
    place.put("c10/target/x", "built");
    let tree = place.open();
    let (changes, new) = place.stage(&tree, &changed());
    let names = names(tree.root(), &changes).expect("they can be exchanged");
    CrateSwap::stage(tree.root(), &changes, &names, &new).and_then(|pieces| pieces.swap_all()).expect("it is put");
    new.keep_leftovers();
    drop(tree);
    // The crate was removed in the meantime.
    fs::remove_dir_all(place.root().join("c10")).expect("it is there");
    (0..2).for_each(|_| drop(place.open()));
    let sibling = fs::read_dir(place.dir.path()).expect("the folder").map(|entry| entry.expect("an entry").path());
    let kept: Vec<PathBuf> = sibling.filter(|path| *path != place.root()).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(fs::read_to_string(kept[0].join("new/c10/target/x")).expect("it is kept"), "built");
    place.write(&changed());
    fs::remove_dir_all(&kept[0]).expect("no run uses it");
    assert!(place.is_whole(&changed()));
}

#[test]
fn incomplete_run_reports_folder_to_remove() {
    let place = Place::new();
    let sibling = place.write_journal("[[\"c10\",null]]");
    fs::remove_dir(sibling.join(REPLACED)).expect("it is empty");
    let error = Tree::open(place.root(), true).err().expect("there is no place for the crate");
    assert!(error.to_string().contains(&format!("remove `{}`", sibling.display())), "{error:#}");
    fs::remove_dir_all(sibling).expect("it is there");
    drop(place.open());
    assert!(place.is_whole(&many()));
}
