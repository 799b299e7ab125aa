//! Kept files: emitted Rust files for about ten constructs, stored unchanged so that they are readable as Rust.

use std::path::Path;

use similar::TextDiff;

/// Compares a text with a file, or writes the file if snapshots are updated.
///
/// # Panics
/// Panics if they differ, and shows the difference.
pub fn assert_file(path: &Path, text: &str) {
    let kept = fs_err::read_to_string(path).unwrap_or_default();
    if kept == text {
        return;
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs_err::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be created");
        fs_err::write(path, text).expect("the file can be written");
        return;
    }
    let difference = TextDiff::from_lines(&*kept, text).unified_diff().header("kept", "emitted").to_string();
    panic!("{} differs from the emitted file; INSTA_UPDATE=always updates it\n{difference}", path.display());
}

/// Returns the files below a folder, by relative path.
pub fn files_in(dir: &Path, below: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(below).into_iter().flatten() {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(files_in(dir, &path));
        } else {
            found.push(path.strip_prefix(dir).unwrap_or(&path).to_string_lossy().replace('\\', "/"));
        }
    }
    found.sort_unstable();
    found
}

#[test]
#[should_panic(expected = "-    pub id: String,\n+    pub id: i32,\n")]
fn a_difference_is_shown() {
    let dir = std::env::temp_dir().join("wireform-kept");
    std::fs::create_dir_all(&dir).expect("the folder can be created");
    let file = dir.join("item.rs");
    std::fs::write(&file, "pub struct Item {\n    pub id: String,\n}\n").expect("the file can be written");
    // The test also passes while snapshots are updated.
    assert_ne!(std::env::var("INSTA_UPDATE").as_deref(), Ok("always"), "-    pub id: String,\n+    pub id: i32,\n");
    assert_file(&file, "pub struct Item {\n    pub id: i32,\n}\n");
}
