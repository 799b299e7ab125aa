//! Functions of files.
//!
//! Most files use the common subset of the language and are read by threads of this process; the others are parsed by
//! the engine in separate processes. Long inputs are split into two concurrent parts.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::conversation::Conversation;
use super::{Pool, child_limits};
use crate::wire::ToChild;
use crate::{Analysis, Cancellation, FileKind, Limits, Program, SourceFile, fast_parser};

/// Total number of bytes from which files are parsed by two processes.
const SPLIT_BYTES: usize = 256 << 10;
/// Total number of bytes from which files are read by two threads; reading takes a fraction of the time of parsing.
const READ_SPLIT_BYTES: usize = 64 << 10;

/// File with its functions, if it was read.
type ReadFile = (SourceFile, Option<Analysis>);

impl Pool {
    /// Returns the functions that each file declares, in the order of the files; HTML files have none.
    ///
    /// Returns `None` if parsing took too much time or memory, if its process ended or could not be started, or if
    /// the pool is closed.
    pub async fn analyze(&self, files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let (mut all, mut indices, mut unread) = (Vec::with_capacity(files.len()), Vec::new(), Vec::new());
        for (index, (file, found)) in self.read(files).await?.into_iter().enumerate() {
            if found.is_none() {
                indices.push(index);
                unread.push(file);
            }
            all.push(found);
        }
        if !unread.is_empty() {
            for (index, analysis) in indices.into_iter().zip(self.parse(unread).await?) {
                if let Some(slot) = all.get_mut(index) {
                    *slot = Some(analysis);
                }
            }
        }
        all.into_iter().collect()
    }

    /// Reads the files in the common subset; the others have no functions yet.
    async fn read(&self, mut files: Vec<SourceFile>) -> Option<Vec<ReadFile>> {
        let readings = &self.0.readings;
        let Some(middle) = split_index(&files, READ_SPLIT_BYTES) else { return read_in_one(readings, files).await };
        let rest = files.split_off(middle);
        let (first, rest) = tokio::join!(read_in_one(readings, files), read_in_one(readings, rest));
        let mut all = first?;
        all.extend(rest?);
        Some(all)
    }

    /// Parses files with the engine.
    async fn parse(&self, mut files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let Some(middle) = split_index(&files, SPLIT_BYTES) else { return self.parse_in_one(files).await };
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

/// Reads files in a blocking thread.
async fn read_in_one(readings: &Arc<Semaphore>, files: Vec<SourceFile>) -> Option<Vec<ReadFile>> {
    let permit = Arc::clone(readings).acquire_owned().await.ok()?;
    let reading = tokio::task::spawn_blocking(move || {
        // An abandoned task keeps its permit until its end.
        let _permit = permit;
        let read = |file: SourceFile| {
            let found = functions(&file);
            (file, found)
        };
        files.into_iter().map(read).collect()
    });
    reading.await.ok()
}

/// Returns the functions of a file, or `None` if only the engine can determine them.
fn functions(file: &SourceFile) -> Option<Analysis> {
    if file.kind != FileKind::Server {
        return Some(Ok(Vec::new()));
    }
    // Regular expressions are checked by the engine.
    let found = fast_parser::parse(&file.source).filter(|found| found.expressions.is_empty())?;
    Some(Ok(found.functions))
}

/// Returns the index at which files are split in two if they have enough bytes.
fn split_index(files: &[SourceFile], min_bytes: usize) -> Option<usize> {
    let bytes = |files: &[SourceFile]| files.iter().map(|file| file.source.len()).sum::<usize>();
    let all = bytes(files);
    if all < min_bytes || files.len() < 2 {
        return None;
    }
    let mut before = 0;
    let middle = files.iter().position(|file| {
        before += file.source.len();
        before >= all / 2
    });
    middle.map(|last| (last + 1).min(files.len() - 1))
}
