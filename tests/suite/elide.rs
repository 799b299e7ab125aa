//! Snapshots of what a case is about. Lines that the crates of the baseline have too are counted and not shown; the
//! baseline itself is shown whole. A case that is about a few files says so in a comment of its schema, and the others
//! are left out:
//!
//! ```yaml
//! # snapshot: server/src, types/src/requests
//! ```

use std::fmt::Write as _;

use similar::{DiffOp, TextDiff};
use wireform_codegen::FileTree;

/// How many lines that a file shares with the baseline stand on either side of those that it has alone.
const CONTEXT: usize = 2;

/// The mark of the comment.
const ABOUT: &str = "# snapshot:";

/// What the schema of a case says that its snapshot is about: the beginnings of paths, after the name of the case.
pub fn about(schema: &str) -> Vec<&str> {
    let said = schema.lines().filter_map(|line| line.strip_prefix(ABOUT));
    said.flat_map(|line| line.split(',')).map(str::trim).filter(|path| !path.is_empty()).collect()
}

/// The files of a case that it is about, which are all if it says nothing, without what the baseline has.
pub fn elided(name: &str, about: &[&str], files: &FileTree, baseline: &FileTree) -> String {
    let is_shown = |path: &str| {
        let path = path.strip_prefix(name).map_or(path, |path| path.trim_start_matches('-'));
        about.is_empty() || about.iter().any(|about| path.starts_with(about))
    };
    let mut shown = String::new();
    for (path, text) in files.iter().filter(|(path, _)| is_shown(path)) {
        match baseline.get(path) {
            Some(base) if base == text => _ = writeln!(shown, "──── {path} as in the baseline\n"),
            base => {
                _ = writeln!(shown, "──── {path}");
                shown.push_str(&own_lines(base.map_or("", |base| base), text));
                shown.push('\n');
            }
        }
    }
    shown
}

/// The lines of a text that another one does not have, with those around them.
fn own_lines(base: &str, text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let before: Vec<&str> = base.lines().collect();
    let diff = TextDiff::from_slices(&before, &lines);
    let mut shown = String::new();
    for operation in diff.ops() {
        let range = operation.new_range();
        let run = &lines[range.clone()];
        let DiffOp::Equal { .. } = operation else {
            run.iter().for_each(|line| _ = writeln!(shown, "{line}"));
            continue;
        };
        // Nothing stands before the first line or after the last one that the context would explain.
        let head = if range.start == 0 { 0 } else { CONTEXT };
        let tail = if range.end == lines.len() { 0 } else { CONTEXT };
        // A mark takes a line itself.
        if run.len() <= head + tail + 1 {
            run.iter().for_each(|line| _ = writeln!(shown, "{line}"));
            continue;
        }
        run[..head].iter().for_each(|line| _ = writeln!(shown, "{line}"));
        _ = writeln!(shown, "⋯ {} lines as in the baseline", run.len() - head - tail);
        run[run.len() - tail..].iter().for_each(|line| _ = writeln!(shown, "{line}"));
    }
    shown
}

#[test]
fn shared_lines_are_counted_and_own_ones_are_shown() {
    let tree = |text: &str| FileTree::from([("a.rs".to_owned(), text.to_owned())]);
    let base = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    assert_eq!(elided("", &[], &tree(base), &tree(base)), "──── a.rs as in the baseline\n\n");
    assert_eq!(
        elided("", &[], &tree("1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n"), &tree(base)),
        "──── a.rs\n⋯ 3 lines as in the baseline\n4\n5\nnew\n6\n7\n⋯ 2 lines as in the baseline\n\n"
    );
    // What the case lacks parts the lines that are counted.
    assert_eq!(
        elided("", &[], &tree("1\n2\n3\n4\n6\n7\n8\n9\n"), &tree(base)),
        "──── a.rs\n⋯ 2 lines as in the baseline\n3\n4\n6\n7\n⋯ 2 lines as in the baseline\n\n"
    );
    assert_eq!(elided("", &[], &tree("x\n"), &FileTree::new()), "──── a.rs\nx\n\n");
}

#[test]
fn a_case_shows_the_files_that_it_is_about() {
    let paths = ["pets-server/src/lib.rs", "pets-types/src/pet.rs", "pets-types/src/requests.rs"];
    let files: FileTree = paths.into_iter().map(|path| (path.to_owned(), String::new())).collect();
    let about = about("# A case.\n# snapshot: types/src/requests, server\napi: pets\n");
    let shown = elided("pets", &about, &files, &FileTree::new());
    assert_eq!(shown, "──── pets-server/src/lib.rs\n\n──── pets-types/src/requests.rs\n\n");
}
