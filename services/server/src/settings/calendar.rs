//! What is said of calendars, on the command line and in seeds.

use wireform_store::{CalendarLabel, CalendarReminder, Role};

/// A default reminder; `None` takes all of them away.
pub type Reminder = Option<CalendarReminder>;
/// A label; `None` takes all of them away.
pub type Label = Option<CalendarLabel>;
/// What somebody may do with a calendar; `None`: nothing.
pub type ShareRole = Option<Role>;

/// What stands for nothing.
const NONE: &str = "none";
/// The most minutes that a reminder comes before its event: four weeks.
const MINUTES: i32 = 40_320;

/// Reads a reminder, `popup:10`.
pub fn reminder(text: &str) -> Result<Reminder, String> {
    if text == NONE {
        return Ok(None);
    }
    let wrong = || format!("must be `email` or `popup`, a colon and up to {MINUTES} minutes, such as popup:10");
    let (method, minutes) = text.split_once(':').ok_or_else(wrong)?;
    let minutes = minutes.parse().ok().filter(|minutes| (0..=MINUTES).contains(minutes)).ok_or_else(wrong)?;
    match method {
        "email" | "popup" => Ok(Some(CalendarReminder { method: method.to_owned(), minutes })),
        _ => Err(wrong()),
    }
}

/// Reads a label, `work=Work=#16a765`.
pub fn label(text: &str) -> Result<Label, String> {
    if text == NONE {
        return Ok(None);
    }
    let wrong = || "must be an identifier, a name and a colour, such as work=Work=#16a765".to_owned();
    let mut parts = text.splitn(3, '=');
    let (Some(id), Some(name), Some(color)) = (parts.next(), parts.next(), parts.next()) else { return Err(wrong()) };
    let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or_else(wrong)?;
    if id.is_empty() || name.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    Ok(Some(CalendarLabel { id: id.to_owned(), name: name.to_owned(), color: color.to_lowercase() }))
}

/// Reads a role.
pub fn role(text: &str) -> Result<ShareRole, String> {
    if text == NONE {
        return Ok(None);
    }
    let names: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
    Role::of_name(text).map(Some).ok_or_else(|| format!("must be {} or none", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_calendars_is_read() {
        assert_eq!(role("writer"), Ok(Some(Role::Writer)));
        assert_eq!((role("none"), reminder("none"), label("none")), (Ok(None), Ok(None), Ok(None)));
        let popup = CalendarReminder { method: "popup".to_owned(), minutes: 10 };
        assert_eq!(reminder("popup:10"), Ok(Some(popup)));
        assert_eq!(label("a=A=#ABCDEF").map(|label| label.map(|label| label.color)), Ok(Some("#abcdef".to_owned())));
        for wrong in ["popup", "popup:x", "popup:-1", "popup:40321", "sms:1"] {
            assert!(reminder(wrong).is_err(), "{wrong}");
        }
        for wrong in ["a", "a=A", "a=A=red", "=A=#000000", "a==#000000"] {
            assert!(label(wrong).is_err(), "{wrong}");
        }
        assert!(role("reads").is_err());
    }
}
