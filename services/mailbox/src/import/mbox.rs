//! Mbox files.

use std::io::{BufRead, BufReader, Error, ErrorKind};
use std::path::Path;

use wireform_store::{Millis, SystemLabel};

use super::collector::{Collector, StopReason};
use super::labels::LabelName;
use super::separator::{arrival_time, is_separator};
use super::{ImportError, Progress, folder};
use crate::mail::{self, DateSource, MAX_MESSAGE_BYTES};

/// Size of the chunks in which lines are read, because a line may have any length.
const CHUNK_SIZE: usize = 64 << 10;

/// Reads a file, with at most one mail in memory.
pub(super) fn read(path: &Path, collector: &mut Collector<'_>, progress: &dyn Progress) -> Result<(), StopReason> {
    let failed = |error| StopReason::Failed(ImportError::Read { path: path.to_owned(), error });
    let file = fs_err::File::open(path).map_err(failed)?;
    progress.set_total(file.metadata().map_err(failed)?.len());
    let mut mails = MboxReader::new(BufReader::with_capacity(4 * CHUNK_SIZE, file));
    loop {
        match mails.next() {
            Ok(None) => return Ok(()),
            Ok(Some(Entry { bytes, raw: None, .. })) => collector.skip_too_long(bytes),
            Ok(Some(Entry { bytes, raw: Some(raw), received })) => {
                let dated = received.map_or(DateSource::ByHeader, DateSource::ByHeaderOr);
                collector.push(raw, bytes, dated, parse_labels)?;
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                let why = "its first line does not begin with `From `";
                return Err(ImportError::WrongKind { path: path.to_owned(), kind: "mbox", why }.into());
            }
            Err(error) => return Err(failed(error)),
        }
    }
}

/// Mail of a file.
struct Entry {
    /// Number of bytes of the file.
    bytes: u64,
    /// Content, unless it is too long.
    raw: Option<Vec<u8>>,
    /// Time of arrival according to the separator line.
    received: Option<Millis>,
}

/// Iterator over the mails of a file.
struct MboxReader<R> {
    reader: R,
    chunk: Vec<u8>,
    begun: bool,
    /// Number of bytes of the separator line before the next mail, and of anything before the first one.
    separator: u64,
    /// Time in that line.
    received: Option<Millis>,
}

impl<R: BufRead> MboxReader<R> {
    fn new(reader: R) -> Self {
        Self { reader, chunk: Vec::with_capacity(CHUNK_SIZE), begun: false, separator: 0, received: None }
    }

    /// Returns the next mail. It ends before an empty line that is followed by a separator.
    fn next(&mut self) -> Result<Option<Entry>, Error> {
        if !self.begin()? {
            return Ok(None);
        }
        let bytes = std::mem::take(&mut self.separator);
        let mut mail = Entry { bytes, raw: Some(Vec::new()), received: self.received.take() };
        // A mail can be empty, directly followed by a separator.
        let (mut line_begins, mut after_empty) = (true, true);
        loop {
            if !self.fill()? {
                self.begun = false;
                self.separator = 0;
                break;
            }
            if line_begins && after_empty && is_separator(&self.chunk) {
                self.separator = self.chunk.len() as u64;
                self.received = arrival_time(&self.chunk);
                self.skip_separator_rest()?;
                break;
            }
            let ends = self.chunk.ends_with(b"\n");
            after_empty = line_begins && self.chunk.trim_ascii().is_empty() && ends;
            mail.append(&self.chunk, line_begins);
            line_begins = ends;
        }
        mail.finish();
        Ok(Some(mail))
    }

    /// Skips empty lines and the separator before the first mail.
    fn begin(&mut self) -> Result<bool, Error> {
        if self.begun {
            return Ok(true);
        }
        while self.fill()? {
            if self.chunk.starts_with(b"From ") {
                self.begun = true;
                self.separator += self.chunk.len() as u64;
                self.received = arrival_time(&self.chunk);
                self.skip_separator_rest()?;
                return Ok(true);
            }
            if !self.chunk.trim_ascii().is_empty() {
                return Err(Error::from(ErrorKind::InvalidData));
            }
            self.separator += self.chunk.len() as u64;
        }
        Ok(false)
    }

    /// Reads the next line, or a chunk of it; returns false at the end of the file.
    fn fill(&mut self) -> Result<bool, Error> {
        self.chunk.clear();
        while self.chunk.len() < CHUNK_SIZE {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let most = available.len().min(CHUNK_SIZE - self.chunk.len());
            let available = available.get(..most).unwrap_or_default();
            let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(available.len());
            self.chunk.extend_from_slice(available.get(..taken).unwrap_or_default());
            self.reader.consume(taken);
            if end.is_some() || taken == 0 {
                break;
            }
        }
        Ok(!self.chunk.is_empty())
    }

    /// Skips the rest of a separator line, and counts its bytes.
    fn skip_separator_rest(&mut self) -> Result<(), Error> {
        while !self.chunk.ends_with(b"\n") && self.fill()? {
            self.separator += self.chunk.len() as u64;
        }
        Ok(())
    }
}

impl Entry {
    /// Appends a line, or a chunk of one, without the quoting of `From`. The content is dropped if it becomes too long.
    fn append(&mut self, chunk: &[u8], line_begins: bool) {
        self.bytes += chunk.len() as u64;
        let Some(raw) = &mut self.raw else { return };
        // Removes one quote character before `From`, `>From`, `>>From`, …, which was added when the file was written.
        let quoted = line_begins && chunk.starts_with(b">") && strip_quote(chunk).starts_with(b"From ");
        raw.extend_from_slice(if quoted { chunk.get(1..).unwrap_or_default() } else { chunk });
        if raw.len() > MAX_MESSAGE_BYTES {
            self.raw = None;
        }
    }

    /// Removes the empty line at the end, which belongs to the next separator.
    fn finish(&mut self) {
        if let Some(raw) = &mut self.raw {
            for end in [&b"\r\n\r\n"[..], b"\n\n"] {
                if raw.ends_with(end) {
                    raw.truncate(raw.len() - end.len() / 2);
                    break;
                }
            }
        }
    }
}

/// Returns a line without all quote characters at its beginning.
fn strip_quote(line: &[u8]) -> &[u8] {
    let signs = line.iter().take_while(|byte| **byte == b'>').count();
    line.get(signs..).unwrap_or_default()
}

/// Returns the labels in the headers that programs add to exported mail.
fn parse_labels(raw: &[u8]) -> Vec<LabelName> {
    let [from_export, status, more] = mail::texts(raw, ["x-gmail-labels", "status", "x-status"]);
    if let Some(from_export) = from_export {
        return split_list(&from_export).iter().filter_map(|word| folder::from_export(word)).collect();
    }
    let (status, more) = (flags(status), flags(more));
    let place = match (more.contains('D'), more.contains('T')) {
        (true, _) => SystemLabel::Trash,
        (false, true) => SystemLabel::Draft,
        (false, false) => SystemLabel::Inbox,
    };
    let unread = (!status.contains('R')).then_some(SystemLabel::Unread);
    let starred = more.contains('F').then_some(SystemLabel::Starred);
    [Some(place), unread, starred].into_iter().flatten().map(LabelName::System).collect()
}

/// Returns the flags in `Status` and `X-Status`. Values with other characters than flags have another meaning and are
/// ignored.
fn flags(value: Option<String>) -> String {
    value.filter(|value| value.trim().chars().all(|one| "RODNUAFT".contains(one))).unwrap_or_default()
}

/// Splits a comma-separated list, whose values may be in quotation marks.
fn split_list(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for one in text.chars() {
        match one {
            '"' => quoted = !quoted,
            ',' if !quoted => words.push(String::new()),
            _ => words.iter_mut().last().into_iter().for_each(|word| word.push(one)),
        }
    }
    words.into_iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}
