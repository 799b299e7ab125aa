//! Special days of contacts, which become events of the type `birthday` that no client can create.

use calendar_server::Error;
use calendar_server::runtime::axum::http::StatusCode;
use calendar_server::runtime::wireform_runtime::Date as WireDate;
use calendar_server::types::{
    BirthdayProperties, BirthdayType, Event, EventDateTime, EventType, Transparency, Visibility,
};
use sha2::{Digest as _, Sha256};
use wireform_recurrence::jiff::Span;
use wireform_recurrence::jiff::civil::Date;
use wireform_store::{Error as StoreError, EventWrite, Role, Store, User};

use crate::CalendarService;
use crate::caller::Access;
use crate::fault;
use crate::ics::{Losses, MAX_FILE_BYTES};
use crate::vcard;
use crate::view::Found;
use crate::write::{Notify, TRIES, Wanted, append};

/// The most events that are stored at once.
const BATCH: usize = 200;

/// A special day of a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialDay {
    /// What people call the contact.
    pub name: String,
    /// The day on which it was for the first time; the year 2000 where the year is not known.
    pub date: Date,
    /// What is celebrated.
    pub kind: DayKind,
    /// Resource name of the contact, `people/c12345`; the user's own birthday has none.
    pub contact: Option<String>,
}

/// What is celebrated on a special day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DayKind {
    /// The birthday of a contact.
    Birthday,
    /// The birthday of the user.
    Own,
    /// An anniversary, such as that of a wedding.
    Anniversary,
    /// A day that people have named themselves.
    Custom(String),
    /// Another day.
    Other,
}

/// What an import of special days has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BirthdayReport {
    /// Days that were stored.
    pub stored: u64,
    /// Days that have become others.
    pub replaced: u64,
    /// Days that were there already, or that the user has deleted.
    pub known: u64,
    /// Cards without a special day.
    pub plain: u64,
    /// What could not be kept.
    pub losses: Losses,
}

impl SpecialDay {
    /// Returns the resource name of a contact that is known by a text, such as its name.
    #[must_use]
    pub fn contact_of(known: &str) -> String {
        let hash = Sha256::digest(known.as_bytes());
        let digits: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        format!("people/c{digits}")
    }

    fn properties(&self) -> BirthdayProperties {
        let (kind, name) = match &self.kind {
            DayKind::Birthday => (BirthdayType::Birthday, None),
            DayKind::Own => (BirthdayType::Own, None),
            DayKind::Anniversary => (BirthdayType::Anniversary, None),
            DayKind::Custom(name) => (BirthdayType::Custom, Some(name.clone())),
            DayKind::Other => (BirthdayType::Other, None),
        };
        BirthdayProperties { r#type: Some(kind), custom_type_name: name, contact: self.contact.clone() }
    }

    fn title(&self) -> String {
        let name = &self.name;
        match &self.kind {
            DayKind::Own => "Happy birthday!".to_owned(),
            DayKind::Birthday => format!("{name}\u{2019}s birthday"),
            DayKind::Anniversary => format!("{name}\u{2019}s anniversary"),
            DayKind::Custom(label) => format!("{name}: {label}"),
            DayKind::Other => format!("{name}\u{2019}s special day"),
        }
    }

    /// Returns the identifier of the event, the same each time that the day is imported.
    fn id(&self) -> String {
        let properties = self.properties();
        let kind = properties.r#type.map(|kind| kind.to_string()).unwrap_or_default();
        let custom = properties.custom_type_name.unwrap_or_default();
        let text = [self.contact.as_deref().unwrap_or("self"), &kind, &custom].join("\n");
        Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Makes an event the day. Of 29 February it is the last day of the month.
    fn fill(&self, event: &mut Event) {
        let day = |date: Date| EventDateTime::default().with_date(WireDate::from_civil(date));
        let rule = match (self.date.month(), self.date.day()) {
            (2, 29) => "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1",
            _ => "RRULE:FREQ=YEARLY",
        };
        event.summary = Some(self.title());
        event.start = Some(day(self.date));
        event.end = Some(day(self.date.saturating_add(Span::new().days(1))));
        event.recurrence = vec![rule.to_owned()];
        event.birthday_properties = Some(self.properties());
    }

    fn event(&self) -> Event {
        let mut event = Event { event_type: Some(EventType::Birthday), id: Some(self.id()), ..Event::default() };
        self.fill(&mut event);
        event.transparency = Some(Transparency::Transparent);
        event.visibility = Some(Visibility::Private);
        event.private_copy = Some(true);
        event
    }
}

impl<S: Store> CalendarService<S> {
    /// Takes the special days of a file of vCard onto a calendar of a user. The same file again changes nothing.
    ///
    /// # Errors
    /// That there is no such calendar for the user, or that the store is not available. What was stored stays.
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
            let reason = format!("the file has more than {} MiB, and is left out", MAX_FILE_BYTES >> 20);
            report.losses.add(1, "VCARD", reason);
            return Ok(report);
        }
        let cards = vcard::read(bytes, &user.address, &mut report.losses);
        report.plain = cards.plain;
        let mut seen = std::collections::BTreeSet::new();
        let mut days = Vec::new();
        for (line, day) in cards.days {
            match seen.insert(day.id()) {
                true => days.push(day),
                false => report.losses.add(line, "VCARD", "the day is there twice, and the first one counts"),
            }
        }
        self.add_days(user, calendar, days, &mut report).await?;
        Ok(report)
    }

    /// Takes special days onto a calendar of a user, as [`import_vcards`](Self::import_vcards) does.
    ///
    /// # Errors
    /// Those of [`import_vcards`](Self::import_vcards).
    pub async fn add_days(
        &self,
        user: &User,
        calendar: &str,
        days: Vec<SpecialDay>,
        report: &mut BirthdayReport,
    ) -> Result<(), Error> {
        let access = self.access_of(user, calendar, Role::Writer).await?;
        for days in days.chunks(BATCH) {
            self.add_batch(&access, days, report).await?;
        }
        Ok(())
    }

    async fn add_batch(&self, access: &Access, days: &[SpecialDay], report: &mut BirthdayReport) -> Result<(), Error> {
        for _ in 0..TRIES {
            let ids = days.iter().map(SpecialDay::id).collect();
            let known = self.store.entries(access.calendar.number, ids).await.map_err(fault::answer)?;
            let (others, new): (Vec<_>, Vec<_>) = days.iter().zip(known).partition(|(_, entry)| entry.is_some());
            // Somebody may import the same days at the same time: then they are known.
            if !self.add_new(access, new.iter().map(|(day, _)| *day)).await? {
                continue;
            }
            let stored = new.len() as u64;
            report.stored += stored;
            for (day, entry) in others {
                let is_gone = entry.map(Found::of).transpose()?.is_none_or(|found| found.is_gone());
                let replaced = !is_gone && self.replace_day(access, day).await?;
                report.replaced += u64::from(replaced);
                report.known += u64::from(!replaced);
            }
            return Ok(());
        }
        Err(fault::answer(StoreError::Outdated))
    }

    /// Stores days that are new; answers whether nobody else has stored one of them meanwhile.
    async fn add_new(&self, access: &Access, days: impl Iterator<Item = &SpecialDay> + Send) -> Result<bool, Error> {
        let mut write = EventWrite::default();
        for day in days {
            match self.created(access, day.event(), Notify::Nobody).await {
                Ok((_, created)) => append(&mut write, created),
                Err(error) if error.status() == StatusCode::CONFLICT => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(write.entries.is_empty() || self.store(write).await?)
    }

    /// Makes the event of a day what the day has become; answers whether that is something else.
    async fn replace_day(&self, access: &Access, day: &SpecialDay) -> Result<bool, Error> {
        for _ in 0..TRIES {
            let mut draft = self.draft(access, &day.id()).await?;
            let mut event = self.whole(access).present(&draft.found)?;
            day.fill(&mut event);
            if !self.settle(access, &mut draft, Wanted { event, participant_only: false }).await? {
                return Ok(false);
            }
            let write = self.entries_of(draft).await?;
            if self.store(write).await? {
                return Ok(true);
            }
        }
        Err(fault::answer(StoreError::Outdated))
    }
}
