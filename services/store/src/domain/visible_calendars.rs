//! Calendars that a user can see.

use crate::domain::calendar::{calendar_from_row, role_from_number};
use crate::domain::sql;
use crate::operation::{Access, Operation};
use crate::session::Session;
use crate::{Calendar, Mailbox, Result, Role};

/// Lists the calendars of a user, then those shared with them.
pub(super) struct ListVisibleCalendars(pub(super) Mailbox);

impl Operation for ListVisibleCalendars {
    type Output = Vec<(Calendar, Role)>;
    const ACCESS: Access = Access::Scan;

    async fn run<S: Session>(self, session: &mut S) -> Result<Self::Output> {
        let mut visible = Vec::new();
        for row in &mut session.rows(sql::CALENDARS_OF, &[self.0.0.into()]).await? {
            visible.push((calendar_from_row(row)?, Role::Owner));
        }
        for row in &mut session.rows(sql::CALENDARS_SHARED, &[self.0.0.into()]).await? {
            let role = role_from_number(row.int(11)?)?;
            visible.push((calendar_from_row(row)?, role));
        }
        Ok(visible)
    }
}
