//! Row of a user.

use crate::account::User;
use crate::domain::sql;
use crate::session::{Row, Session};
use crate::{Error, Mailbox, Millis, Result};

/// Reads a user from the first four columns of a row.
pub(super) fn user_from_row(row: &mut Row) -> Result<User> {
    Ok(User { mailbox: Mailbox(row.int(0)?), address: row.text(1)?, name: row.text(2)?, created: Millis(row.int(3)?) })
}

/// Returns a user, or an error if the user does not exist or is being removed.
pub(super) async fn require<S: Session>(session: &mut S, of: Mailbox) -> Result<User> {
    let mut rows = session.rows(sql::USER_BY_NUMBER, &[of.0.into()]).await?;
    user_from_row(rows.first_mut().ok_or_else(|| Error::not_found("user", of.0))?)
}
