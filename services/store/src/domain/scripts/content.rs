//! Reading the content of projects.

use super::files::{file_from_row, parse_file_numbers};
use super::{project, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{ProjectNumber, Result, ScriptContent};

/// Reads the files of a version, or of the current content, or only their size if they have more than some bytes; returns
/// `None` if the version does not exist.
pub(super) struct ReadContent(pub(super) (ProjectNumber, Option<i64>), pub(super) u64);

impl Operation for ReadContent {
    type Output = Option<ScriptContent>;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> Result<Option<ScriptContent>> {
        let Self((project, version), max_bytes) = self;
        let stored = project::load(session, project).await?;
        let content = match version {
            None => stored.content,
            Some(version) => {
                let mut rows = session.rows(sql::VERSION, &[project.0.into(), version.into()]).await?;
                let Some(row) = rows.first_mut() else { return Ok(None) };
                row.text(4)?
            }
        };
        let keys: Vec<Vec<Value>> =
            parse_file_numbers(&content)?.into_iter().map(|number| vec![number.into()]).collect();
        if max_bytes < u64::MAX {
            let sizes = session.rows_of_each(sql::FILE_SIZE, &keys).await?;
            let sizes = sizes.iter().flatten().map(|row| row.int(0).map(i64::cast_unsigned));
            let bytes = sizes.sum::<Result<u64>>()?;
            if bytes > max_bytes {
                return Ok(Some(ScriptContent::Size(bytes)));
            }
        }
        let rows = session.rows_of_each(sql::FILE, &keys).await?;
        let files = rows.into_iter().flatten().map(|mut row| file_from_row(&mut row)).collect::<Result<_>>()?;
        Ok(Some(ScriptContent::Files(files)))
    }
}
