//! A file of mails one after the other.

use std::io::{BufRead, BufReader, Error, ErrorKind};
use std::path::Path;

use wireform_store::{Millis, SystemLabel};

use super::collector::{Collector, Stopped};
use super::labels::LabelName;
use super::separator::{is_separator, time};
use super::{ImportError, Progress, folder};
use crate::mail::{self, Dated, MAX_MESSAGE_BYTES};

/// A line is read in pieces of this size: nobody promises that there are line ends.
const PIECE: usize = 64 << 10;

/// Reads a file, without ever having more of it in memory than one mail.
pub(super) fn read(path: &Path, collector: &mut Collector<'_>, progress: &dyn Progress) -> Result<(), Stopped> {
    let failed = |error| Stopped::Failed(ImportError::Read { path: path.to_owned(), error });
    let file = fs_err::File::open(path).map_err(failed)?;
    progress.total(file.metadata().map_err(failed)?.len());
    let mut mails = Mails::new(BufReader::with_capacity(4 * PIECE, file));
    loop {
        match mails.next() {
            Ok(None) => return Ok(()),
            Ok(Some(Entry { bytes, raw: None, .. })) => collector.pass_over(bytes),
            Ok(Some(Entry { bytes, raw: Some(raw), came })) => {
                let dated = came.map_or(Dated::ByHeader, Dated::ByHeaderOr);
                collector.take(raw, bytes, dated, labels)?;
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                let why = "its first line does not begin with `From `";
                return Err(ImportError::NotA { path: path.to_owned(), kind: "mbox", why }.into());
            }
            Err(error) => return Err(failed(error)),
        }
    }
}

/// A mail of a file.
struct Entry {
    /// How many bytes of the file it was.
    bytes: u64,
    /// The mail, if it is not too long.
    raw: Option<Vec<u8>>,
    /// When it came, as the line in front of it tells.
    came: Option<Millis>,
}

/// The mails of a file.
struct Mails<R> {
    reader: R,
    piece: Vec<u8>,
    begun: bool,
    /// The bytes of the line that separates the next mail from the one before, with what is in front of the first.
    separator: u64,
    /// The time on that line.
    came: Option<Millis>,
}

impl<R: BufRead> Mails<R> {
    fn new(reader: R) -> Self {
        Self { reader, piece: Vec::with_capacity(PIECE), begun: false, separator: 0, came: None }
    }

    /// The next mail. It ends before an empty line that a separator follows.
    fn next(&mut self) -> Result<Option<Entry>, Error> {
        if !self.begin()? {
            return Ok(None);
        }
        let bytes = std::mem::take(&mut self.separator);
        let mut mail = Entry { bytes, raw: Some(Vec::new()), came: self.came.take() };
        // A mail can follow its separator at once, and then be empty.
        let (mut line_begins, mut after_empty) = (true, true);
        loop {
            if !self.fill()? {
                self.begun = false;
                self.separator = 0;
                break;
            }
            if line_begins && after_empty && is_separator(&self.piece) {
                self.separator = self.piece.len() as u64;
                self.came = time(&self.piece);
                self.rest_of_line()?;
                break;
            }
            let ends = self.piece.ends_with(b"\n");
            after_empty = line_begins && self.piece.trim_ascii().is_empty() && ends;
            mail.append(&self.piece, line_begins);
            line_begins = ends;
        }
        mail.finish();
        Ok(Some(mail))
    }

    /// Goes behind the separator in front of the first mail. Empty lines before it are passed over.
    fn begin(&mut self) -> Result<bool, Error> {
        if self.begun {
            return Ok(true);
        }
        while self.fill()? {
            if self.piece.starts_with(b"From ") {
                self.begun = true;
                self.separator += self.piece.len() as u64;
                self.came = time(&self.piece);
                self.rest_of_line()?;
                return Ok(true);
            }
            if !self.piece.trim_ascii().is_empty() {
                return Err(Error::from(ErrorKind::InvalidData));
            }
            self.separator += self.piece.len() as u64;
        }
        Ok(false)
    }

    /// The next line, or a piece of it; false at the end of the file.
    fn fill(&mut self) -> Result<bool, Error> {
        self.piece.clear();
        while self.piece.len() < PIECE {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let most = available.len().min(PIECE - self.piece.len());
            let available = available.get(..most).unwrap_or_default();
            let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
            let taken = end.unwrap_or(available.len());
            self.piece.extend_from_slice(available.get(..taken).unwrap_or_default());
            self.reader.consume(taken);
            if end.is_some() || taken == 0 {
                break;
            }
        }
        Ok(!self.piece.is_empty())
    }

    fn rest_of_line(&mut self) -> Result<(), Error> {
        while !self.piece.ends_with(b"\n") && self.fill()? {
            self.separator += self.piece.len() as u64;
        }
        Ok(())
    }
}

impl Entry {
    fn append(&mut self, piece: &[u8], line_begins: bool) {
        self.bytes += piece.len() as u64;
        let Some(raw) = &mut self.raw else { return };
        // One sign is taken from in front of `From`, `>From`, `>>From`, …: it was put there when the file was written.
        let quoted = line_begins && piece.starts_with(b">") && unquoted(piece).starts_with(b"From ");
        raw.extend_from_slice(if quoted { piece.get(1..).unwrap_or_default() } else { piece });
        if raw.len() > MAX_MESSAGE_BYTES {
            self.raw = None;
        }
    }

    /// The empty line at the end belongs to the separator behind it.
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

fn unquoted(line: &[u8]) -> &[u8] {
    let signs = line.iter().take_while(|byte| **byte == b'>').count();
    line.get(signs..).unwrap_or_default()
}

/// What the headers say that programs have put into the mail when they wrote the file.
fn labels(raw: &[u8]) -> Vec<LabelName> {
    let [exported, status, more] = mail::texts(raw, ["x-gmail-labels", "status", "x-status"]);
    if let Some(exported) = exported {
        return words(&exported).iter().filter_map(|word| folder::exported(word)).collect();
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

/// The letters that programs write into `Status` and `X-Status`. Others use headers of these names for words, which say
/// nothing about where a mail lies.
fn flags(value: Option<String>) -> String {
    value.filter(|value| value.trim().chars().all(|one| "RODNUAFT".contains(one))).unwrap_or_default()
}

/// Words between commas; a word with a comma stands in quotation marks.
fn words(text: &str) -> Vec<String> {
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
