//! The functions of files.
//!
//! Most files have nothing unusual, and are read by threads of this process; the others are parsed by the engine, in
//! processes of their own. Either is done for two parts of long files at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;

use super::conversation::Conversation;
use super::{Pool, child_limits};
use crate::wire::ToChild;
use crate::{Analysis, Cancellation, FileKind, Limits, Program, SourceFile, quick};

/// Files of so many bytes together are parsed by two processes at once.
const DIVIDED: usize = 256 << 10;
/// Files of so many bytes together are read by two threads at once: reading takes little of the time of parsing.
const READ_DIVIDED: usize = 64 << 10;

/// A file, and its functions where they were read.
type Read = (SourceFile, Option<Analysis>);

impl Pool {
    /// Returns the functions that each file declares, in the order of the files; one that is HTML has none.
    ///
    /// `None` where the files took too much time or memory to parse.
    pub async fn analyze(&self, files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let (mut all, mut places, mut unusual) = (Vec::with_capacity(files.len()), Vec::new(), Vec::new());
        for (place, (file, found)) in self.read(files).await?.into_iter().enumerate() {
            if found.is_none() {
                places.push(place);
                unusual.push(file);
            }
            all.push(found);
        }
        if !unusual.is_empty() {
            for (place, analysis) in places.into_iter().zip(self.parse(unusual).await?) {
                if let Some(slot) = all.get_mut(place) {
                    *slot = Some(analysis);
                }
            }
        }
        all.into_iter().collect()
    }

    /// Reads files with nothing unusual; the others have no functions yet.
    async fn read(&self, mut files: Vec<SourceFile>) -> Option<Vec<Read>> {
        let readings = &self.0.readings;
        let Some(middle) = middle(&files, READ_DIVIDED) else { return read_in_one(readings, files).await };
        let rest = files.split_off(middle);
        let (first, rest) = tokio::join!(read_in_one(readings, files), read_in_one(readings, rest));
        let mut all = first?;
        all.extend(rest?);
        Some(all)
    }

    /// Has the engine parse files.
    async fn parse(&self, mut files: Vec<SourceFile>) -> Option<Vec<Analysis>> {
        let Some(middle) = middle(&files, DIVIDED) else { return self.parse_in_one(files).await };
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
        let (result, _) = self.converse(&self.0.analyses, &limits, &Cancellation::default(), || (), work).await.ok()?;
        result.filter(|result| result.len() == count)
    }
}

/// Reads files in a thread where nobody waits for anything else.
async fn read_in_one(readings: &Arc<Semaphore>, files: Vec<SourceFile>) -> Option<Vec<Read>> {
    let place = Arc::clone(readings).acquire_owned().await.ok()?;
    let reading = tokio::task::spawn_blocking(move || {
        // A reading that nobody waits for any more takes its place until its end.
        let _place = place;
        let read = |file: SourceFile| {
            let found = functions(&file);
            (file, found)
        };
        files.into_iter().map(read).collect()
    });
    reading.await.ok()
}

/// Returns the functions of a file; `None` where only the engine can say them.
fn functions(file: &SourceFile) -> Option<Analysis> {
    if file.kind != FileKind::Server {
        return Some(Ok(Vec::new()));
    }
    // Regular expressions are for the engine to check.
    let found = quick::read(&file.source).filter(|found| found.expressions.is_empty())?;
    Some(Ok(found.functions))
}

/// Returns where files that have so many bytes together are divided in two.
fn middle(files: &[SourceFile], divided: usize) -> Option<usize> {
    let bytes = |files: &[SourceFile]| files.iter().map(|file| file.source.len()).sum::<usize>();
    let all = bytes(files);
    if all < divided || files.len() < 2 {
        return None;
    }
    let mut before = 0;
    let middle = files.iter().position(|file| {
        before += file.source.len();
        before >= all / 2
    });
    middle.map(|last| (last + 1).min(files.len() - 1))
}
