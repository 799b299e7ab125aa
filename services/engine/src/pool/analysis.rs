//! Functions of files.
//!
//! The engine parses the files in a separate process; long inputs are split into two concurrent parts.

use std::time::Duration;

use super::conversation::Conversation;
use super::{Pool, child_limits};
use crate::wire::ToChild;
use crate::{Analysis, Cancellation, Limits, Program, SourceFile};

/// Total number of bytes from which files are parsed by two processes.
const SPLIT_BYTES: usize = 256 << 10;

impl Pool {
    /// Returns the functions that each file declares, in the order of the files; HTML files have none.
    ///
    /// Returns `None` if parsing took too much time or memory, if its process ended or could not be started, or if
    /// the pool is closed.
    pub async fn analyze(&self, mut files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let Some(middle) = split_index(&files) else { return self.parse_in_one(files).await };
        let rest = files.split_off(middle);
        let (first, rest) = tokio::join!(self.parse_in_one(files), self.parse_in_one(rest));
        let mut all = first?;
        all.extend(rest?);
        Some(all)
    }

    async fn parse_in_one(&self, files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let limits = Limits { wall: Duration::from_secs(10), output: 32 << 20, ..Limits::default() };
        let count = files.len();
        let message = ToChild::<Program>::Analyze { files, limits: child_limits(&limits) };
        let work = async |conversation: &mut Conversation| conversation.analyze(&message).await;
        let (result, _) = self.exchange(&self.0.analyses, &limits, &Cancellation::default(), || (), work).await.ok()?;
        result.filter(|result| result.len() == count)
    }
}

/// Returns the index at which files are split in two if they have enough bytes.
fn split_index(files: &[SourceFile]) -> Option<usize> {
    let bytes = |files: &[SourceFile]| files.iter().map(|file| file.source.len()).sum::<usize>();
    let all = bytes(files);
    if all < SPLIT_BYTES || files.len() < 2 {
        return None;
    }
    let mut before = 0;
    let middle = files.iter().position(|file| {
        before += file.source.len();
        before >= all / 2
    });
    middle.map(|last| (last + 1).min(files.len() - 1))
}
