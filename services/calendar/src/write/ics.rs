//! Import of iCalendar files into a calendar.
//!
//! New events are stored in batches, one transaction each; existing events are replaced one by one if the file has
//! newer ones.

mod group;
mod replace;

use calendar_server::Error;
use wireform_store::{Error as StoreError, EventWrite, Role, Store, User};

use self::group::Group;
pub(crate) use self::replace::merge_into;
use super::MAX_ATTEMPTS;
use crate::CalendarService;
use crate::caller::Access;
use crate::content::is_cancelled;
use crate::error;
use crate::ics::read::{ParsedEvent, parse_events};
use crate::ics::{Losses, MAX_FILE_BYTES};

/// Maximum number of events of a batch.
const BATCH: usize = 200;

/// Source of iCalendar events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// File imported by a user.
    File,
    /// Mail, whose events have the type `fromGmail` and are locked.
    Mail,
}

/// Summary of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IcsReport {
    /// Number of stored events; a series and each of its exceptions count individually.
    pub stored: u64,
    /// Number of events replaced by newer ones.
    pub replaced: u64,
    /// Number of events that were stored already.
    pub known: u64,
    /// Number of events that could not be stored.
    pub omitted: u64,
    /// Data that could not be kept.
    pub losses: Losses,
}

/// Importer of iCalendar files into a calendar, like `events.import`: events become private copies, and nobody is
/// notified.
#[derive(Debug)]
pub struct IcsImporter<S> {
    service: CalendarService<S>,
    access: Access,
    origin: Origin,
    pending: Vec<Group>,
    events: usize,
    report: IcsReport,
}

impl<S: Store> CalendarService<S> {
    /// Begins an import into a calendar that a user may write to.
    ///
    /// # Errors
    /// Returns an error if the user has no such calendar that they may write to, or the store is unavailable.
    pub async fn ics_importer(&self, user: &User, calendar: &str) -> Result<IcsImporter<S>, Error> {
        let access = self.access_with_role(user, calendar, Role::Writer).await?;
        Ok(IcsImporter::new(self.clone(), access, Origin::File))
    }

    /// Returns the access to a calendar on which a user has at least a role.
    pub(crate) async fn access_with_role(&self, user: &User, calendar: &str, least: Role) -> Result<Access, Error> {
        let found =
            self.store.find_calendars(vec![calendar.to_owned()], user.mailbox).await.map_err(error::from_store)?;
        let found = found.into_iter().next().flatten();
        let found = found.and_then(|(calendar, role)| Some((calendar, role.filter(|role| *role >= least)?)));
        let (calendar, role) = found.ok_or_else(|| error::calendar_not_found(calendar, "calendarId"))?;
        Ok(Access::internal(calendar, user.clone(), role))
    }
}

impl<S: Store> IcsImporter<S> {
    pub(super) fn new(service: CalendarService<S>, access: Access, origin: Origin) -> Self {
        let (pending, report) = (Vec::new(), IcsReport::default());
        Self { service, access, origin, pending, events: 0, report }
    }

    /// Imports a file. Events that are not stored yet are stored by [`finish`](Self::finish).
    ///
    /// # Errors
    /// Returns an error if the store is unavailable, or if concurrent writes keep interfering. Events stored before the
    /// error stay.
    pub async fn add(&mut self, file: &str, bytes: &[u8]) -> Result<(), Error> {
        self.report.losses.begin_file(file);
        if bytes.len() > MAX_FILE_BYTES {
            let reason = format!("the file is larger than {} MiB and is skipped", MAX_FILE_BYTES >> 20);
            self.report.losses.add(1, "VCALENDAR", reason);
            return Ok(());
        }
        let calendars = parse_events(bytes, &self.access.calendar.time_zone, &mut self.report.losses);
        if calendars.is_empty() {
            self.report.losses.add(1, "VCALENDAR", "the file contains no calendar");
        }
        self.add_events(file, calendars.into_iter().flatten().collect()).await
    }

    /// Imports the events of a file.
    pub(super) async fn add_events(&mut self, file: &str, events: Vec<ParsedEvent>) -> Result<(), Error> {
        for group in group::groups(file, events, &mut self.report) {
            self.events += group.len();
            // Pending events are not found on the calendar yet.
            if self.pending.iter().any(|pending| pending.uid == group.uid) {
                self.flush().await?;
            }
            self.pending.push(group);
            if self.events >= BATCH {
                self.flush().await?;
            }
        }
        Ok(())
    }

    /// Stores pending events, and returns the report.
    ///
    /// # Errors
    /// Returns the errors of [`add`](Self::add).
    pub async fn finish(mut self) -> Result<IcsReport, Error> {
        self.flush().await?;
        Ok(self.report)
    }

    /// Stores the pending events: replaces those that are on the calendar, and inserts the others.
    async fn flush(&mut self) -> Result<(), Error> {
        self.events = 0;
        let mut groups = std::mem::take(&mut self.pending);
        for _ in 0..MAX_ATTEMPTS {
            let fresh = self.update_known(groups).await?;
            // The same events may have been imported concurrently: they count as known.
            match self.store(fresh).await? {
                None => return Ok(()),
                Some(again) => groups = again,
            }
        }
        Err(error::from_store(StoreError::Outdated))
    }

    /// Replaces events that exist on the calendar; returns the others.
    async fn update_known(&mut self, mut groups: Vec<Group>) -> Result<Vec<Group>, Error> {
        groups.reverse();
        let mut fresh = Vec::new();
        while let Some(group) = groups.pop() {
            self.report.losses.begin_file(&group.file);
            let id = self.service.id_of_uid(&self.access, &group.uid).await?;
            match (id, &group.main) {
                (Some(id), _) => self.update(&id, group).await?,
                (None, Some(main)) if is_cancelled(&main.event) => {
                    self.record_omitted(&group, "the event is cancelled and not on the calendar");
                }
                (None, Some(_)) => fresh.push(group),
                // A guest who is invited to one instance only has no series.
                (None, None) => groups.extend(group.into_single_events(&mut self.report.losses)),
            }
        }
        Ok(fresh)
    }

    /// Counts the events of a group as omitted, and records a loss for each.
    fn record_omitted(&mut self, group: &Group, reason: &str) {
        for read in group.main.iter().chain(&group.exceptions) {
            self.report.losses.add(read.line, "VEVENT", reason);
            self.report.omitted += 1;
        }
    }

    /// Stores new events in one transaction. Returns them if there was a concurrent write.
    async fn store(&mut self, groups: Vec<Group>) -> Result<Option<Vec<Group>>, Error> {
        let mut write = EventWrite::default();
        let mut stored = 0;
        let mut refused = Vec::new();
        for group in &groups {
            let file = &group.file;
            match group.to_write(&self.service, &self.access, self.origin).await {
                Ok((group, dropped)) => {
                    stored += group.entries.len() as u64;
                    merge_into(&mut write, group);
                    refused.extend(dropped.into_iter().map(|(line, reason)| (file.clone(), line, reason)));
                }
                Err(error) if error.status().is_client_error() => {
                    let all = group.main.iter().chain(&group.exceptions);
                    refused.extend(all.map(|read| (group.file.clone(), read.line, error.message().to_owned())));
                }
                Err(error) => return Err(error),
            }
        }
        if !write.entries.is_empty() && !self.service.store(write).await? {
            return Ok(Some(groups));
        }
        self.report.stored += stored;
        self.report.omitted += refused.len() as u64;
        for (file, line, reason) in refused {
            self.report.losses.begin_file(&file);
            self.report.losses.add(line, "VEVENT", reason);
        }
        Ok(None)
    }

    /// Replaces an event on the calendar, and exceptions of it.
    async fn update(&mut self, id: &str, group: Group) -> Result<(), Error> {
        let Group { main, exceptions, .. } = group;
        if let Some(main) = main {
            let done = self.service.replace(&self.access, id, main.event, self.origin).await;
            self.count_replaced(main.line, done)?;
        }
        for read in exceptions {
            let done = match self.service.instance_id(&self.access, id, &read.event).await {
                Ok(id) => self.service.replace(&self.access, &id, read.event, self.origin).await,
                Err(error) => Err(error),
            };
            self.count_replaced(read.line, done)?;
        }
        Ok(())
    }

    /// Counts an event that was to be replaced: as replaced, known, or, if it was refused, omitted.
    fn count_replaced(&mut self, line: usize, done: Result<bool, Error>) -> Result<(), Error> {
        match done {
            Ok(true) => self.report.replaced += 1,
            Ok(false) => self.report.known += 1,
            Err(error) if error.status().is_client_error() => {
                self.report.losses.add(line, "VEVENT", error.message().to_owned());
                self.report.omitted += 1;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
