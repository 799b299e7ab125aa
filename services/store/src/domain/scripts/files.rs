//! Content of projects.
//!
//! A file is stored once for all versions that contain it. It is part of every content from the one that added it up to
//! the one before that which removed it. So the last version contains it if the file existed then, and if the last
//! version does not, no version does: no reference count is needed to know when a file can be removed.

use std::collections::BTreeMap;

use super::{project, sql};
use crate::domain::texts;
use crate::operation::{Access, Operation};
use crate::session::{Row, Session, Value};
use crate::{
    Error, FileKey, FileKind, FileNumber, HashedFile, Mailbox, Millis, NewFile, ProjectNumber, Result, ScriptFile,
};

fn kind_from_number(number: i64) -> Result<FileKind> {
    match number {
        0 => Ok(FileKind::Script),
        1 => Ok(FileKind::Page),
        2 => Ok(FileKind::Manifest),
        other => Err(Error::Internal(format!("unknown kind {other} of a project file"))),
    }
}

fn kind_number(kind: FileKind) -> i64 {
    match kind {
        FileKind::Script => 0,
        FileKind::Page => 1,
        FileKind::Manifest => 2,
    }
}

/// Decodes the text of a file.
pub(super) fn decode_source(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::Internal("a file of a project is not valid UTF-8".to_owned()))
}

/// Parses the list of files of a project or a version.
pub(super) fn parse_file_numbers(content: &str) -> Result<Vec<i64>> {
    serde_json::from_str(content)
        .map_err(|error| Error::Internal(format!("cannot parse the content of a project: {error}")))
}

/// Returns the approximate size of files in bytes.
pub(super) fn approximate_size(files: &[NewFile]) -> usize {
    files.iter().map(|file| file.source.len() + file.functions.as_ref().map_or(0, String::len) + 200).sum()
}

pub(super) fn file_from_row(row: &mut Row) -> Result<ScriptFile> {
    Ok(ScriptFile {
        number: FileNumber(row.int(7)?),
        name: row.text(0)?,
        kind: kind_from_number(row.int(1)?)?,
        source: decode_source(row.blob(2)?)?,
        functions: row.optional_text(3)?,
        created: Millis(row.int(4)?),
        updated: Millis(row.int(5)?),
        modifier: Mailbox(row.int(6)?),
    })
}

/// Stores the functions of files where they are not known yet.
pub(super) struct SetFunctions(pub(super) Vec<(FileNumber, String)>);

impl Operation for SetFunctions {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<()> {
        let values =
            |(file, functions): (FileNumber, String)| vec![file.0.into(), texts::replace_nul(functions).into()];
        let values: Vec<Vec<Value>> = self.0.into_iter().map(values).collect();
        session.run_each(sql::FILE_FUNCTIONS, &values).await?;
        Ok(())
    }
}

/// Stored file without its text.
struct FileMetadata {
    number: i64,
    since: i64,
    hash: Vec<u8>,
    created: Millis,
    updated: Millis,
    modifier: Mailbox,
}

/// Reads the functions of files that the project contains unchanged.
pub(super) struct ReadKnownFunctions(pub(super) ProjectNumber, pub(super) Vec<FileKey>);

impl Operation for ReadKnownFunctions {
    type Output = Vec<Option<String>>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<Option<String>>> {
        let Self(project, files) = self;
        let stored = project::load(session, project).await?;
        let heads = read_metadata(session, &stored.content).await?;
        let number = |key: FileKey| {
            let head = heads.get(&(key.name, key.kind)).filter(|head| head.hash == key.hash);
            head.map(|head| head.number)
        };
        let numbers: Vec<Option<i64>> = files.into_iter().map(number).collect();
        let keys: Vec<Vec<Value>> = numbers.iter().flatten().map(|number| vec![(*number).into()]).collect();
        let mut rows = session.rows_of_each(sql::FILE_FUNCTIONS_KEPT, &keys).await?.into_iter();
        let kept = |number: Option<i64>| {
            let row = number.and_then(|_| rows.next()).and_then(|rows| rows.into_iter().next());
            row.map_or(Ok(None), |mut row| row.optional_text(0))
        };
        numbers.into_iter().map(kept).collect()
    }
}

/// Replaces the content of a project; unchanged files keep their times and last user.
pub(super) struct ReplaceContent {
    project: ProjectNumber,
    files: Vec<HashedFile>,
    user: Mailbox,
    now: Millis,
}

impl ReplaceContent {
    /// Creates the operation. Hashes the files here, outside the transaction, unless they are hashed already.
    pub(super) fn new(
        project: ProjectNumber,
        files: impl IntoIterator<Item: Into<HashedFile>>,
        user: Mailbox,
        now: Millis,
    ) -> Self {
        Self { project, files: files.into_iter().map(Into::into).collect(), user, now }
    }
}

impl Operation for ReplaceContent {
    type Output = Vec<ScriptFile>;
    const ACCESS: Access = Access::Write;

    fn weight(&self) -> usize {
        self.files.iter().map(|file| file.file().source.len() + 300).sum()
    }

    async fn run<S: Session>(self, session: &mut S) -> Result<Vec<ScriptFile>> {
        let Self { project, files, user, now } = self;
        let stored = project::lock(session, project).await?;
        let mut old = read_metadata(session, &stored.content).await?;
        let saved = stored.project.content_number.cast_signed() + 1;
        let mut numbers = Vec::with_capacity(files.len());
        let mut results = Vec::with_capacity(files.len());
        let mut added = Vec::new();
        for (mut file, hash) in files.into_iter().map(HashedFile::into_parts) {
            let before = old.remove(&(file.name.clone(), file.kind));
            let created = before.as_ref().map_or(now, |head| head.created);
            let (mut updated, mut modifier) = (now, user);
            match before {
                Some(head) if head.hash == hash => {
                    (updated, modifier) = (head.updated, head.modifier);
                    numbers.push(Some(head.number));
                }
                changed => {
                    numbers.push(None);
                    added.push(file_values(project, saved, &mut file, hash, created, now, user));
                    if let Some(head) = changed {
                        old.insert((file.name.clone(), file.kind), head);
                    }
                }
            }
            let NewFile { name, kind, source, functions } = file;
            let number = FileNumber(0);
            results.push(ScriptFile { number, name, kind, source, functions, created, updated, modifier });
        }
        remove(session, project, stored.project.versions, old.into_values()).await?;
        let rows = session.rows_of_each(sql::FILE_ADD, &added).await?;
        let changed = results.iter_mut().zip(&numbers).filter(|(_, number)| number.is_none());
        for ((result, _), values) in changed.zip(added) {
            result.source = take_source(values)?;
        }
        let numbers = fill_missing_numbers(numbers, rows)?;
        for (result, number) in results.iter_mut().zip(&numbers) {
            result.number = FileNumber(*number);
        }
        let manifest = results.iter().position(|file| file.kind == FileKind::Manifest);
        let manifest = manifest.and_then(|at| numbers.get(at).copied()).unwrap_or(0);
        let content = serde_json::to_string(&numbers).map_err(|error| Error::Internal(error.to_string()))?;
        let values = [project.0.into(), content.into(), manifest.into(), saved.into(), user.0.into(), now.0.into()];
        session.run(sql::PROJECT_SAVE, &values).await?;
        Ok(results)
    }
}

/// Reads the files of a content without their texts.
async fn read_metadata<S: Session>(
    session: &mut S,
    content: &str,
) -> Result<BTreeMap<(String, FileKind), FileMetadata>> {
    let keys: Vec<Vec<Value>> = parse_file_numbers(content)?.into_iter().map(|number| vec![number.into()]).collect();
    let mut heads = BTreeMap::new();
    for mut row in session.rows_of_each(sql::FILE_HEAD, &keys).await?.into_iter().flatten() {
        let key = (row.text(2)?, kind_from_number(row.int(3)?)?);
        let head = FileMetadata {
            number: row.int(0)?,
            since: row.int(1)?,
            hash: row.blob(4)?,
            created: Millis(row.int(5)?),
            updated: Millis(row.int(6)?),
            modifier: Mailbox(row.int(7)?),
        };
        heads.insert(key, head);
    }
    Ok(heads)
}

/// Removes the files of the previous content that no version contains.
async fn remove<S: Session>(
    session: &mut S,
    project: ProjectNumber,
    version: i64,
    files: impl Iterator<Item = FileMetadata>,
) -> Result<()> {
    let rows = session.rows(sql::VERSION, &[project.0.into(), version.into()]).await?;
    let kept = rows.first().map(|row| row.int(3)).transpose()?.unwrap_or(0);
    let loose: Vec<Vec<Value>> = files.filter(|head| head.since > kept).map(|head| vec![head.number.into()]).collect();
    session.run_each(sql::FILE_DROP, &loose).await?;
    Ok(())
}

/// Index of the text among the values of a file's row.
const SOURCE_COLUMN: usize = 5;

/// Returns the row of a file, taking its text.
fn file_values(
    project: ProjectNumber,
    saved: i64,
    file: &mut NewFile,
    hash: [u8; 32],
    created: Millis,
    now: Millis,
    user: Mailbox,
) -> Vec<Value> {
    vec![
        project.0.into(),
        saved.into(),
        file.name.as_str().into(),
        kind_number(file.kind).into(),
        hash.to_vec().into(),
        std::mem::take(&mut file.source).into_bytes().into(),
        file.functions.clone().map(texts::replace_nul).into(),
        created.0.into(),
        now.0.into(),
        user.0.into(),
    ]
}

/// Returns the text taken by the row of a file.
fn take_source(mut values: Vec<Value>) -> Result<String> {
    match values.get_mut(SOURCE_COLUMN) {
        Some(Value::Blob(bytes)) => decode_source(std::mem::take(bytes)),
        _ => Err(Error::Internal("the row of a project file has no source".to_owned())),
    }
}

/// Replaces missing numbers by those of the added files.
fn fill_missing_numbers(numbers: Vec<Option<i64>>, added: Vec<Vec<Row>>) -> Result<Vec<i64>> {
    let mut added = added.into_iter().flatten();
    let number = |number: Option<i64>| match number {
        Some(number) => Ok(number),
        None => added
            .next()
            .ok_or_else(|| Error::Internal("the database returned no number for a new file".to_owned()))?
            .int(0),
    };
    numbers.into_iter().map(number).collect()
}
