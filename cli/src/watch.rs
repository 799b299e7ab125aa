//! `gen --watch`: generates again whenever a schema is saved.
//!
//! Files are compared by length and time of modification. Unlike notifications of the operating system, this needs no
//! crate for each system and also works for folders on a network or shared with a container.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use fs_err as fs;

use crate::generate;
use crate::home::CommandContext;
use crate::options::GenOptions;

/// Minimum pause between two scans of the schemas.
const MIN_PAUSE: Duration = Duration::from_millis(50);

/// Maximum pause between two scans.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// Ratio of a pause to the duration of the scan before it, which keeps scans of large folders from taking a processor.
const PAUSE_RATIO: u32 = 50;

/// Files below a folder, with their length and time of modification where they can be read.
type Snapshot = BTreeMap<PathBuf, Option<(u64, SystemTime)>>;

/// Runs until interrupted. Errors in a schema are printed, and the watch continues.
pub fn run(home: &CommandContext, options: &GenOptions) -> anyhow::Result<bool> {
    let dir = crate::settings::resolve(home, options)?.schemas;
    crate::schemas::ensure_exists(&dir)?;
    loop {
        // Taken before the run, because a file that is saved during it may already have been read.
        let generated = snapshot(&dir);
        if let Err(error) = generate::run(home, options) {
            eprintln!("error: {error:#}");
        }
        println!("watching {}", dir.display());
        wait_for_change(&dir, &generated);
    }
}

/// Returns when the files differ from `generated` and two scans agree: editors save in several steps.
fn wait_for_change(dir: &Path, generated: &Snapshot) {
    let (mut last, mut pause) = (None, MIN_PAUSE);
    loop {
        std::thread::sleep(pause);
        let start = Instant::now();
        let current = snapshot(dir);
        if current == *generated {
            pause = start.elapsed().saturating_mul(PAUSE_RATIO).clamp(MIN_PAUSE, MAX_PAUSE);
            last = None;
        } else if last.as_ref() == Some(&current) {
            return;
        } else {
            pause = MIN_PAUSE;
            last = Some(current);
        }
    }
}

/// Scans the files below a folder. A folder that cannot be read has none: it may be about to be replaced.
fn snapshot(dir: &Path) -> Snapshot {
    let (mut files, mut folders) = (Snapshot::new(), vec![dir.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            // The folder of an API may be a link. Within it, a link could lead back to one of its parents.
            let is_folder = if path.parent() == Some(dir) {
                path.is_dir()
            } else {
                entry.file_type().is_ok_and(|kind| kind.is_dir())
            };
            if is_folder {
                folders.push(path);
            } else {
                let metadata = fs::metadata(&path).and_then(|file| Ok((file.len(), file.modified()?)));
                files.insert(path, metadata.ok());
            }
        }
    }
    files
}
