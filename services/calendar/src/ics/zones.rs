//! Names of time zones: IANA names, Windows names, and others identified by their offsets.

mod observances;
mod windows;

use std::collections::BTreeMap;

use wireform_recurrence::jiff::civil::DateTime;
use wireform_recurrence::jiff::tz::TimeZone;

use self::observances::Observances;
use super::component::Component;
use super::losses::Losses;

/// Time zones of a file.
#[derive(Debug, Default)]
pub(super) struct Zones {
    known: BTreeMap<String, Zone>,
}

/// Meaning of a time zone name.
#[derive(Clone, Debug)]
pub(super) enum Zone {
    /// Zone of the IANA database.
    Named(String),
    /// Offsets that match no known zone.
    Offsets(Observances),
    /// Unknown name.
    Unknown,
}

impl Zones {
    /// Reads the zones of a calendar. A zone that is recognized neither by name nor by offsets is recorded as a loss.
    pub(super) fn read(calendar: &Component, losses: &mut Losses) -> Self {
        let mut zones = Self::default();
        for component in calendar.components.iter().filter(|component| component.name == "VTIMEZONE") {
            let Some(id) = component.property("TZID").map(|id| id.text()) else {
                losses.add(component.line, "VTIMEZONE", "the time zone has no `TZID`");
                continue;
            };
            let zone = identify(&id, component);
            if let Zone::Offsets(_) = &zone {
                let reason = format!("no known time zone has the offsets of `{id}`; its times are kept in UTC");
                losses.add(component.line, "VTIMEZONE", reason);
            }
            zones.known.insert(id, zone);
        }
        zones
    }

    /// Returns the meaning of a name.
    pub(super) fn get(&self, id: &str) -> Zone {
        match self.known.get(id) {
            Some(zone) => zone.clone(),
            None => iana_name(id).map_or(Zone::Unknown, Zone::Named),
        }
    }
}

impl Zone {
    /// Returns the offset from UTC in seconds at a local time, for offsets that match no known zone.
    pub(super) fn offset_at(&self, local: DateTime) -> Option<i32> {
        match self {
            Self::Offsets(observances) => observances.offset_at(local),
            _ => None,
        }
    }
}

/// Identifies the zone of a component: by its name, by the name within it, or by its offsets.
fn identify(id: &str, component: &Component) -> Zone {
    let location = component.value("X-LIC-LOCATION").and_then(iana_name);
    if let Some(name) = iana_name(id).or(location) {
        return Zone::Named(name);
    }
    let Some(observances) = Observances::parse(component) else { return Zone::Unknown };
    match observances.find(windows::iana_zones()) {
        Some(name) => Zone::Named(name.to_owned()),
        None => Zone::Offsets(observances),
    }
}

/// Returns the IANA name for a zone name.
fn iana_name(id: &str) -> Option<String> {
    let iana = |name: &str| TimeZone::get(name).ok().and_then(|zone| zone.iana_name().map(str::to_owned));
    let id = id.trim();
    if id.is_empty() || id.len() > 200 {
        return None;
    }
    if let Some(name) = iana(id).or_else(|| windows::iana_zone(id).map(str::to_owned)) {
        return Some(name);
    }
    // `/mozilla.org/20050126_1/Europe/Berlin`
    let parts: Vec<&str> = id.split('/').collect();
    (1..=3).rev().find_map(|count| {
        let first = parts.len().checked_sub(count).filter(|first| *first > 0)?;
        iana(&parts.get(first..)?.join("/"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::component;
    use super::*;

    #[test]
    fn names_of_other_programs_are_known() {
        let name = |id| iana_name(id).unwrap_or_default();
        assert_eq!(name("Europe/Berlin"), "Europe/Berlin");
        assert_eq!(name("/mozilla.org/20050126_1/America/Indiana/Knox"), "America/Indiana/Knox");
        assert_eq!(name("W. Europe Standard Time"), "Europe/Berlin");
        assert_eq!((name("My zone"), name(""), name("/")), (String::new(), String::new(), String::new()));
    }

    #[test]
    fn every_zone_of_the_table_exists() {
        for name in windows::iana_zones() {
            assert!(TimeZone::get(name).is_ok(), "{name}");
        }
    }

    const OWN: &str = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Home\nBEGIN:STANDARD\nDTSTART:16010101T030000\n\
        TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\nEND:STANDARD\n\
        BEGIN:DAYLIGHT\nDTSTART:16010101T020000\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\n\
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\nEND:DAYLIGHT\nEND:VTIMEZONE\nEND:VCALENDAR\n";

    fn home(text: &str) -> (Zone, u64) {
        let mut losses = Losses::default();
        let calendar = component::parse_calendars(text.as_bytes(), &mut losses).remove(0);
        let zone = Zones::read(&calendar, &mut losses).get("Home");
        (zone, losses.total())
    }

    #[test]
    fn a_zone_is_known_by_its_offsets() {
        let (Zone::Named(name), 0) = home(OWN) else { panic!() };
        assert_eq!(name, "Europe/Berlin");
        let (zone, 1) = home(&OWN.replace("+0100", "+0107")) else { panic!() };
        let winter = wireform_recurrence::jiff::civil::date(2026, 1, 5).at(9, 0, 0, 0);
        assert_eq!(zone.offset_at(winter), Some(67 * 60));
        let fixed = OWN.replace("BEGIN:DAYLIGHT", "BEGIN:X").replace("END:DAYLIGHT", "END:X");
        let (Zone::Named(name), 0) = home(&fixed.replace("+0100", "+0530").replace("RRULE", "X-RULE")) else {
            panic!()
        };
        assert_eq!(name, "Asia/Kolkata");
    }
}
