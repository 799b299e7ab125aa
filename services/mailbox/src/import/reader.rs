//! Mail is read and understood, on a thread of its own.

use tokio::sync::mpsc;

use super::collector::{Batch, Collector, Stopped};
use super::{ImportError, Progress, Source, maildir, mbox};

/// Reads a source to its end, or until nobody stores what it reads.
pub(super) fn read(source: Source, sender: &mpsc::Sender<Batch>, progress: &dyn Progress) -> Result<(), ImportError> {
    let mut collector = Collector::new(sender);
    let read = match source {
        Source::Maildir(path) => maildir::read(&path, &mut collector, progress),
        Source::Mbox(path) => mbox::read(&path, &mut collector, progress),
    };
    match read {
        Ok(()) => {
            // The last batch may be empty, and tells of bytes all the same.
            let _abandoned = collector.send();
            Ok(())
        }
        Err(Stopped::Abandoned) => Ok(()),
        Err(Stopped::Failed(error)) => {
            // What was read before is stored.
            let _abandoned = collector.send();
            Err(error)
        }
    }
}
