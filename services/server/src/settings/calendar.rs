//! Values of calendar settings, on the command line and in seeds.

use wireform_store::{CalendarLabel, CalendarReminder, Role, WorkingHours};

/// Default reminder; `None` removes all of them.
pub type Reminder = Option<CalendarReminder>;
/// Label; `None` removes all of them.
pub type Label = Option<CalendarLabel>;
/// Role in a calendar; `None` ends the sharing.
pub type ShareRole = Option<Role>;

/// Working hours of some days; `None` removes all of them.
pub type Hours = Option<Vec<WorkingHours>>;

/// Days of the week, starting with Monday.
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/// Minutes of a day.
const DAY: u16 = 24 * 60;
/// Word for an empty setting.
const NONE: &str = "none";
/// Maximum number of minutes between a reminder and its event: four weeks.
const MAX_MINUTES: i32 = 40_320;

/// Parses a reminder, `popup:10`.
pub fn reminder(text: &str) -> Result<Reminder, String> {
    if text == NONE {
        return Ok(None);
    }
    let invalid = || format!("must be `email` or `popup`, a colon and up to {MAX_MINUTES} minutes, such as popup:10");
    let (method, minutes) = text.split_once(':').ok_or_else(invalid)?;
    let minutes = minutes.parse().ok().filter(|minutes| (0..=MAX_MINUTES).contains(minutes)).ok_or_else(invalid)?;
    match method {
        "email" | "popup" => Ok(Some(CalendarReminder { method: method.to_owned(), minutes })),
        _ => Err(invalid()),
    }
}

/// Parses a label, `work=Work=#16a765`.
pub fn label(text: &str) -> Result<Label, String> {
    if text == NONE {
        return Ok(None);
    }
    let invalid = || "must be an identifier, a name and a color, such as work=Work=#16a765".to_owned();
    let mut parts = text.splitn(3, '=');
    let (Some(id), Some(name), Some(color)) = (parts.next(), parts.next(), parts.next()) else { return Err(invalid()) };
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(invalid)?;
    if id.is_empty() || name.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(invalid());
    }
    Ok(Some(CalendarLabel { id: id.to_owned(), name: name.to_owned(), color: color.to_lowercase() }))
}

/// Parses working hours, `mon-fri=09:00-17:00` or `sat=10:00-12:00`.
pub fn hours(text: &str) -> Result<Hours, String> {
    if text == NONE {
        return Ok(None);
    }
    let invalid = || "must be days and hours, such as mon-fri=09:00-17:00 or sat=10:00-24:00".to_owned();
    let day = |name: &str| DAYS.iter().position(|day| name.eq_ignore_ascii_case(day));
    let (days, times) = text.split_once('=').ok_or_else(invalid)?;
    let (first, last) = days.split_once('-').unwrap_or((days, days));
    let (first, last) = day(first).zip(day(last)).filter(|(first, last)| first <= last).ok_or_else(invalid)?;
    let (from, until) = times.split_once('-').ok_or_else(invalid)?;
    let (from, until) = minute(from).zip(minute(until)).filter(|(from, until)| from < until).ok_or_else(invalid)?;
    let days = (1_u8..).zip(DAYS).skip(first).take(last - first + 1);
    Ok(Some(days.map(|(day, _)| WorkingHours { day, from, until }).collect()))
}

/// Parses `HH:MM` as minutes since midnight, up to `24:00`.
fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let is_plain =
        [hour, minute].iter().all(|part| part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_digit()));
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    let at = hour * 60 + minute;
    (is_plain && minute < 60 && at <= DAY).then_some(at)
}

/// Sorts working hours.
///
/// # Errors
/// Returns an error if hours of a day overlap.
pub fn sorted_hours(mut hours: Vec<WorkingHours>) -> Result<Vec<WorkingHours>, String> {
    hours.sort_unstable();
    let overlap = hours.windows(2).find(|pair| match pair {
        [one, next] => one.day == next.day && next.from < one.until,
        _ => false,
    });
    match overlap {
        Some(pair) => Err(format!("working hours overlap: {}", format_hours(pair).join(" and "))),
        None => Ok(hours),
    }
}

/// Formats working hours as [`hours`] parses them, day by day.
pub fn format_hours(hours: &[WorkingHours]) -> Vec<String> {
    let clock = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
    let spelled = hours.iter().map(|hours| {
        let day = DAYS.get(usize::from(hours.day.saturating_sub(1))).copied().unwrap_or_default();
        format!("{day}={}-{}", clock(hours.from), clock(hours.until))
    });
    spelled.collect()
}

/// Parses a role.
pub fn role(text: &str) -> Result<ShareRole, String> {
    if text == NONE {
        return Ok(None);
    }
    let names: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    Role::from_name(text).map(Some).ok_or_else(|| format!("must be {} or none", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calendar_settings_are_parsed() {
        assert_eq!(role("writer"), Ok(Some(Role::Writer)));
        assert_eq!((role("none"), reminder("none"), label("none")), (Ok(None), Ok(None), Ok(None)));
        let popup = CalendarReminder { method: "popup".to_owned(), minutes: 10 };
        assert_eq!(reminder("popup:10"), Ok(Some(popup)));
        assert_eq!(label("a=A=#ABCDEF").map(|label| label.map(|label| label.color)), Ok(Some("#abcdef".to_owned())));
        for invalid in ["popup", "popup:x", "popup:-1", "popup:40321", "sms:1"] {
            assert!(reminder(invalid).is_err(), "{invalid}");
        }
        for invalid in ["a", "a=A", "a=A=red", "=A=#000000", "a==#000000"] {
            assert!(label(invalid).is_err(), "{invalid}");
        }
        assert!(role("reads").is_err());
    }

    #[test]
    fn point_103_working_hours_are_read_by_days() {
        let week = hours("Mon-fri=09:00-17:30").expect("they are hours").expect("not none");
        assert_eq!((week.len(), week[4]), (5, WorkingHours { day: 5, from: 540, until: 1_050 }));
        assert_eq!(format_hours(&week[..1]), ["mon=09:00-17:30"]);
        assert_eq!(
            (hours("none"), hours("sun=00:00-24:00").map(|all| all.map_or(0, |all| all.len()))),
            (Ok(None), Ok(1))
        );
        for invalid in [
            "",
            "mon",
            "mon=",
            "mon=9-17",
            "mon=09:00",
            "fri-mon=09:00-17:00",
            "day=09:00-17:00",
            "mon=17:00-09:00",
            "mon=09:00-24:01",
            "mon=09:60-10:00",
            "mon=09:00-99999:00",
            "mon=+9:00-10:00",
        ] {
            assert!(hours(invalid).is_err(), "{invalid}");
        }
        let of =
            |texts: &[&str]| texts.iter().flat_map(|text| hours(text).expect("hours").unwrap_or_default()).collect();
        assert_eq!(sorted_hours(of(&["mon=13:00-17:00", "mon=08:00-13:00"])).map(|hours| hours[0].from), Ok(480));
        assert!(sorted_hours(of(&["mon-tue=08:00-13:00", "tue=12:00-17:00"])).is_err());
    }
}
