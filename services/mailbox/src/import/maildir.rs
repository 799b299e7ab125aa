//! Maildir folders: one file per mail.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use wireform_store::{Millis, SystemLabel};

use super::collector::{Collector, StopReason};
use super::labels::LabelName;
use super::{ImportError, Progress, folder};
use crate::mail::{DateSource, MAX_MESSAGE_BYTES};

/// File that may be a mail.
struct File {
    path: PathBuf,
    bytes: u64,
    modified: Option<Millis>,
    /// True if it is in `cur`, where names have flags.
    seen: bool,
}

/// Reads a maildir and its subfolders.
pub(super) fn read(root: &Path, collector: &mut Collector<'_>, progress: &dyn Progress) -> Result<(), StopReason> {
    let mut folders = vec![(root.to_owned(), LabelName::System(SystemLabel::Inbox))];
    folders.extend(folders_in(root)?);
    let mut all = Vec::new();
    for (path, label) in folders {
        for (name, seen) in [("new", false), ("cur", true)] {
            all.extend(files(&path.join(name), seen)?.into_iter().map(|file| (file, label.clone())));
        }
    }
    if all.is_empty() && !is_maildir(root) {
        let why = "it has neither a folder `cur` nor a folder `new`";
        return Err(ImportError::WrongKind { path: root.to_owned(), kind: "Maildir", why }.into());
    }
    progress.set_total(all.iter().map(|(file, _)| file.bytes).sum());
    for (file, label) in all {
        read_file(file, label, collector)?;
    }
    Ok(())
}

/// Passes the mail of a file to the collector; one that is too long, or has been moved meanwhile, is only counted.
fn read_file(file: File, folder: LabelName, collector: &mut Collector<'_>) -> Result<(), StopReason> {
    if file.bytes > MAX_MESSAGE_BYTES as u64 {
        collector.skip_too_long(file.bytes);
        return Ok(());
    }
    let raw = match fs_err::read(&file.path) {
        Ok(raw) => raw,
        // Other programs may move mails meanwhile.
        Err(error) if error.kind() == ErrorKind::NotFound => {
            collector.count(file.bytes);
            return Ok(());
        }
        Err(error) => return Err(read_error(&file.path)(error).into()),
    };
    let dated = file.modified.map_or(DateSource::ByHeader, DateSource::ByHeaderOr);
    let labels = labels(&file, folder);
    collector.push(raw, file.bytes, dated, |_| labels)?;
    Ok(())
}

/// Returns the labels of a mail: its folder, or the flag for trash or drafts in its file name, determines its location,
/// and the other flags its state.
fn labels(file: &File, folder: LabelName) -> Vec<LabelName> {
    let name = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // Where names cannot contain a colon, other characters replace it.
    let flags = [":2,", ";2,", "!2,"].iter().find_map(|mark| Some(name.rsplit_once(mark)?.1)).unwrap_or_default();
    let has = |flag: char| file.seen && flags.contains(flag);
    let place = if has('T') {
        LabelName::System(SystemLabel::Trash)
    } else if has('D') {
        LabelName::System(SystemLabel::Draft)
    } else {
        folder
    };
    let mut labels = vec![place];
    if !has('S') {
        labels.push(LabelName::System(SystemLabel::Unread));
    }
    if has('F') {
        labels.push(LabelName::System(SystemLabel::Starred));
    }
    labels
}

fn is_maildir(path: &Path) -> bool {
    path.join("cur").is_dir() || path.join("new").is_dir()
}

/// Returns the subfolders, whose names begin with a dot, ordered by name.
fn folders_in(root: &Path) -> Result<Vec<(PathBuf, LabelName)>, ImportError> {
    let mut folders = Vec::new();
    for entry in fs_err::read_dir(root).map_err(read_error(root))? {
        let path = entry.map_err(read_error(root))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(name) = name.strip_prefix('.').filter(|name| !name.is_empty())
            && is_maildir(&path)
        {
            folders.push((folder::label_from_folder(name), path));
        }
    }
    folders.sort_by(|one, other| one.1.cmp(&other.1));
    Ok(folders.into_iter().map(|(label, path)| (path, label)).collect())
}

/// Returns the files in a folder, ordered by name, which begins with the time of arrival.
fn files(folder: &Path, seen: bool) -> Result<Vec<File>, ImportError> {
    let entries = match fs_err::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(read_error(folder)(error)),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(read_error(folder))?.path();
        let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        let Ok(metadata) = fs_err::metadata(&path) else { continue };
        if metadata.is_file() && !hidden {
            let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let modified = since.and_then(|since| i64::try_from(since.as_millis()).ok()).map(Millis);
            files.push(File { path, bytes: metadata.len(), modified, seen });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn read_error(path: &Path) -> impl FnOnce(std::io::Error) -> ImportError {
    let path = path.to_owned();
    move |error| ImportError::Read { path, error }
}
