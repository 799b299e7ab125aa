//! Special days of contacts and their events.

use calendar_server::runtime::wireform_runtime::Date as WireDate;
use calendar_server::types::{
    BirthdayProperties, BirthdayType, Event, EventDateTime, EventType, Transparency, Visibility,
};
use sha2::{Digest as _, Sha256};
use wireform_recurrence::jiff::Span;
use wireform_recurrence::jiff::civil::Date;
use wireform_store::hex;

/// Special day of a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecialDay {
    /// Name of the contact.
    pub name: String,
    /// First occurrence; in the year 2000 if the year is unknown.
    pub date: Date,
    /// Kind of day.
    pub kind: DayKind,
    /// Resource name of the contact, `people/c12345`; `None` for the user's own birthday.
    pub contact: Option<String>,
}

/// Kind of a special day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DayKind {
    /// Birthday of a contact.
    Birthday,
    /// Birthday of the user.
    Own,
    /// Anniversary, such as that of a wedding.
    Anniversary,
    /// User-defined day.
    Custom(String),
    /// Other day.
    Other,
}

impl SpecialDay {
    /// Returns the resource name of a contact identified by a text, such as its name.
    #[must_use]
    pub fn contact_resource_name(known: &str) -> String {
        let hash = Sha256::digest(known.as_bytes());
        format!("people/c{}", hex(hash.get(..8).unwrap_or_default()))
    }

    /// Returns the field `birthdayProperties` of the day's event.
    pub(crate) fn properties(&self) -> BirthdayProperties {
        let (kind, name) = match &self.kind {
            DayKind::Birthday => (BirthdayType::Birthday, None),
            DayKind::Own => (BirthdayType::Own, None),
            DayKind::Anniversary => (BirthdayType::Anniversary, None),
            DayKind::Custom(name) => (BirthdayType::Custom, Some(name.clone())),
            DayKind::Other => (BirthdayType::Other, None),
        };
        BirthdayProperties { r#type: Some(kind), custom_type_name: name, contact: self.contact.clone() }
    }

    /// Returns the title of the day's event.
    pub(crate) fn title(&self) -> String {
        let name = &self.name;
        match &self.kind {
            DayKind::Own => "Happy birthday!".to_owned(),
            DayKind::Birthday => format!("{name}\u{2019}s birthday"),
            DayKind::Anniversary => format!("{name}\u{2019}s anniversary"),
            DayKind::Custom(label) => format!("{name}: {label}"),
            DayKind::Other => format!("{name}\u{2019}s special day"),
        }
    }

    /// Returns the identifier of the event, which is the same each time the day is imported.
    pub(crate) fn id(&self) -> String {
        let properties = self.properties();
        let kind = properties.r#type.map(|kind| kind.to_string()).unwrap_or_default();
        let custom = properties.custom_type_name.unwrap_or_default();
        let text = [self.contact.as_deref().unwrap_or("self"), &kind, &custom].join("\n");
        hex(Sha256::digest(text.as_bytes()).get(..16).unwrap_or_default())
    }

    /// Sets the fields of the day's event. February 29 becomes the last day of the month.
    pub(crate) fn apply_to(&self, event: &mut Event) {
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

    /// Returns the event for the day: yearly, private, and not counted as busy.
    pub(crate) fn event(&self) -> Event {
        let mut event = Event { event_type: Some(EventType::Birthday), id: Some(self.id()), ..Event::default() };
        self.apply_to(&mut event);
        event.transparency = Some(Transparency::Transparent);
        event.visibility = Some(Visibility::Private);
        event.private_copy = Some(true);
        event
    }
}
