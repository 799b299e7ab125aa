//! What is old is forgotten, a bounded piece at a time.

use std::collections::BTreeMap;

use crate::domain::mailbox::Head;
use crate::domain::{record, sql};
use crate::operation::{Access, Operation};
use crate::session::{Session, Value};
use crate::{Error, Mailbox, Millis, Result};

/// So many are removed at once.
pub(super) const TOKENS: i64 = 1_000;
pub(super) const RECORDS: i64 = 200;

/// Some tokens that have ended; answers how many.
pub(super) struct ForgetTokens(pub(super) Millis);

impl Operation for ForgetTokens {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let ended = session.rows(sql::TOKENS_ENDED, &[self.0.0.into(), TOKENS.into()]).await?;
        let keys: Vec<_> = ended.into_iter().map(|row| row.0).collect();
        session.run_each(sql::TOKEN_DROP, &keys).await
    }
}

/// Some of the records that were made before a time; answers how many.
pub(super) struct ForgetRecords(pub(super) Millis);

impl Operation for ForgetRecords {
    type Output = u64;
    const ACCESS: Access = Access::Write;

    /// Within a mailbox records are found in the order of their numbers, because none was made before an earlier one:
    /// what goes is always the beginning of its history.
    async fn run<S: Session>(self, session: &mut S) -> Result<u64> {
        let mut by_mailbox: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
        for row in session.rows(sql::RECORDS_OLD, &[self.0.0.into(), RECORDS.into()]).await? {
            by_mailbox.entry(row.int(0)?).or_default().push(row.int(1)?);
        }
        let mut removed = 0;
        for (of, records) in by_mailbox {
            removed += forget(session, Mailbox(of), &records).await?;
        }
        Ok(removed)
    }
}

async fn forget<S: Session>(session: &mut S, of: Mailbox, records: &[i64]) -> Result<u64> {
    match Head::lock(session, of).await {
        Ok(_) => {}
        // The user is being removed, and the history goes with them.
        Err(Error::Absent { .. }) => return Ok(0),
        Err(error) => return Err(error),
    }
    let keys: Vec<Vec<Value>> = records.iter().map(|record| vec![of.0.into(), (*record).into()]).collect();
    let mut marks: Vec<Vec<Value>> = Vec::new();
    for mut row in session.rows_of_each(sql::RECORD, &keys).await?.into_iter().flatten() {
        let id = row.int(0)?;
        let mark = |(label, kind): (i64, i64)| vec![of.0.into(), label.into(), kind.into(), id.into()];
        marks.extend(record::marks(&record::changes(&row.text(1)?)?).into_iter().map(mark));
    }
    session.run_each(sql::MARK_DROP, &marks).await?;
    let removed = session.run_each(sql::RECORD_DROP, &keys).await?;
    if let Some(last) = records.iter().max() {
        session.run(sql::MAILBOX_FORGOT, &[of.0.into(), (*last).into()]).await?;
    }
    Ok(removed)
}
