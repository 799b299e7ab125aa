//! Reader thread.

use tokio::sync::mpsc;

use super::collector::{Batch, Collector, StopReason};
use super::{ImportError, MailSource, Progress, maildir, mbox};

/// Reads a source to its end, or until the receiver has stopped.
pub(super) fn read(
    source: MailSource,
    sender: &mpsc::Sender<Batch>,
    progress: &dyn Progress,
) -> Result<(), ImportError> {
    let mut collector = Collector::new(sender);
    let read = match source {
        MailSource::Maildir(path) => maildir::read(&path, &mut collector, progress),
        MailSource::Mbox(path) => mbox::read(&path, &mut collector, progress),
    };
    match read {
        Ok(()) => {
            // The last batch may have no mail but reports its bytes.
            let _disconnected = collector.send();
            Ok(())
        }
        Err(StopReason::Disconnected) => Ok(()),
        Err(StopReason::Failed(error)) => {
            // Mails read before the error are stored.
            let _disconnected = collector.send();
            Err(error)
        }
    }
}
