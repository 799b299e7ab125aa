//! Special days of contacts, stored as events of the type `birthday`. Of these, clients can create birthdays only.

use calendar_server::Error;
use calendar_server::runtime::axum::http::StatusCode;
use wireform_store::{Error as StoreError, EventWrite, Role, Store, User};

use crate::CalendarService;
use crate::caller::Access;
use crate::error;
use crate::ics::{Losses, MAX_FILE_BYTES};
use crate::special_days::SpecialDay;
use crate::vcard;
use crate::view::CalendarItem;
use crate::write::{MAX_ATTEMPTS, Notify, RequestedEvent, merge_into};

/// Maximum number of events stored at once.
const BATCH: usize = 200;

/// Summary of an import of special days.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BirthdayReport {
    /// Number of stored days.
    pub stored: u64,
    /// Number of days that have changed and were replaced.
    pub replaced: u64,
    /// Number of days that were stored already, or that the user has deleted.
    pub known: u64,
    /// Number of cards without a special day.
    pub without_days: u64,
    /// Data that could not be kept.
    pub losses: Losses,
}

impl<S: Store> CalendarService<S> {
    /// Imports the special days of a vCard file into a calendar of a user. Importing the same file again changes
    /// nothing. A file that is too large is reported as a loss.
    ///
    /// # Errors
    /// Returns an error if the user has no such calendar that they may write to, the store is unavailable, or
    /// concurrent writes keep interfering. Days stored before the error stay.
    pub async fn import_vcards(
        &self,
        user: &User,
        calendar: &str,
        file: &str,
        bytes: &[u8],
    ) -> Result<BirthdayReport, Error> {
        let mut report = BirthdayReport::default();
        report.losses.begin_file(file);
        if bytes.len() > MAX_FILE_BYTES {
            let reason = format!("the file is larger than {} MiB and is skipped", MAX_FILE_BYTES >> 20);
            report.losses.add(1, "VCARD", reason);
            return Ok(report);
        }
        let cards = vcard::read(bytes, &user.address, &mut report.losses);
        report.without_days = cards.without_days;
        let mut seen = std::collections::BTreeSet::new();
        let mut days = Vec::new();
        for (line, day) in cards.days {
            match seen.insert(day.id()) {
                true => days.push(day),
                false => report.losses.add(line, "VCARD", "duplicate day; the first one is used"),
            }
        }
        self.add_days(user, calendar, days, &mut report).await?;
        Ok(report)
    }

    /// Imports special days into a calendar of a user, like [`import_vcards`](Self::import_vcards).
    ///
    /// # Errors
    /// Returns the errors of [`import_vcards`](Self::import_vcards).
    pub async fn add_days(
        &self,
        user: &User,
        calendar: &str,
        days: Vec<SpecialDay>,
        report: &mut BirthdayReport,
    ) -> Result<(), Error> {
        let access = self.access_with_role(user, calendar, Role::Writer).await?;
        for days in days.chunks(BATCH) {
            self.add_batch(&access, days, report).await?;
        }
        Ok(())
    }

    /// Stores the events of new days, and updates those of known ones that are still on the calendar. Retries after
    /// concurrent writes.
    async fn add_batch(&self, access: &Access, days: &[SpecialDay], report: &mut BirthdayReport) -> Result<(), Error> {
        for _ in 0..MAX_ATTEMPTS {
            let ids = days.iter().map(SpecialDay::id).collect();
            let known = self.store.entries(access.calendar.number, ids).await.map_err(error::from_store)?;
            let (others, new): (Vec<_>, Vec<_>) = days.iter().zip(known).partition(|(_, entry)| entry.is_some());
            // The same days may be imported concurrently: they count as known.
            if !self.add_new(access, new.iter().map(|(day, _)| *day)).await? {
                continue;
            }
            let stored = new.len() as u64;
            report.stored += stored;
            for (day, entry) in others {
                let is_gone = entry.map(CalendarItem::from_entry).transpose()?.is_none_or(|found| found.is_gone());
                let replaced = !is_gone && self.replace_day(access, day).await?;
                report.replaced += u64::from(replaced);
                report.known += u64::from(!replaced);
            }
            return Ok(());
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Stores new days; returns false if one of them was stored concurrently.
    async fn add_new(&self, access: &Access, days: impl Iterator<Item = &SpecialDay> + Send) -> Result<bool, Error> {
        let mut write = EventWrite::default();
        for day in days {
            match self.prepare_insert(access, day.event(), Notify::Nobody).await {
                Ok((_, created)) => merge_into(&mut write, created),
                Err(error) if error.status() == StatusCode::CONFLICT => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(write.entries.is_empty() || self.store(write).await?)
    }

    /// Updates the event of a day; returns whether it has changed.
    async fn replace_day(&self, access: &Access, day: &SpecialDay) -> Result<bool, Error> {
        for _ in 0..MAX_ATTEMPTS {
            let mut draft = self.draft(access, &day.id()).await?;
            let mut event = self.full_view(access).represent(&draft.found)?;
            day.apply_to(&mut event);
            if !self.compute_change(access, &mut draft, RequestedEvent { event, participant_only: false }).await? {
                return Ok(false);
            }
            let write = self.write_without_mail(draft).await?;
            if self.store(write).await? {
                return Ok(true);
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }
}
