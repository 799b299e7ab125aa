//! Time zone components.

use wireform_recurrence::jiff::civil::DateTime;
use wireform_recurrence::jiff::tz::Offset;

use super::super::content::Writer;
use crate::times;

/// Time before the first and after the last use for which offsets are described, in seconds. A reader who does not know
/// the zone by name needs them for upcoming instances of a series.
const MARGIN: (i64, i64) = (366 * times::DAY, 10 * 366 * times::DAY);
/// Maximum number of described transitions.
const MAX_TRANSITIONS: usize = 400;

/// Transitions between the same two offsets.
struct Transitions {
    name: String,
    is_summer: bool,
    from: Offset,
    to: Offset,
    /// Times of the transitions, on the clock before them.
    at: Vec<DateTime>,
}

/// Writes the offsets of a zone for the time of its use.
pub(super) fn write(writer: &mut Writer, name: &str, (first, last): (i64, i64)) {
    let zone = times::zone_by_name(name);
    let begin = times::timestamp(first.saturating_sub(MARGIN.0));
    let end = times::timestamp(last.saturating_add(MARGIN.1));
    let before = zone.to_offset_info(begin);
    let mut all = vec![Transitions {
        name: before.abbreviation().to_owned(),
        is_summer: before.dst().is_dst(),
        from: before.offset(),
        to: before.offset(),
        at: vec![before.offset().to_datetime(begin)],
    }];
    let mut from = before.offset();
    for change in zone.following(begin).take_while(|change| change.timestamp() <= end).take(MAX_TRANSITIONS) {
        let (to, is_summer) = (change.offset(), change.dst().is_dst());
        let at = from.to_datetime(change.timestamp());
        let name = change.abbreviation();
        let same = all
            .iter_mut()
            .skip(1)
            .find(|known| (known.from, known.to, known.is_summer, known.name.as_str()) == (from, to, is_summer, name));
        match same {
            Some(known) => known.at.push(at),
            None => all.push(Transitions { name: name.to_owned(), is_summer, from, to, at: vec![at] }),
        }
        from = to;
    }
    writer.line("BEGIN", &[], "VTIMEZONE");
    writer.line("TZID", &[], name);
    for changes in &all {
        write_observance(writer, changes);
    }
    writer.line("END", &[], "VTIMEZONE");
}

/// Writes a `STANDARD` or `DAYLIGHT` component with the times of its transitions.
fn write_observance(writer: &mut Writer, changes: &Transitions) {
    let kind = if changes.is_summer { "DAYLIGHT" } else { "STANDARD" };
    let mut times = changes.at.iter().map(|time| time.strftime("%Y%m%dT%H%M%S").to_string());
    writer.line("BEGIN", &[], kind);
    writer.line("DTSTART", &[], &times.next().unwrap_or_default());
    let others: Vec<String> = times.collect();
    if !others.is_empty() {
        writer.line("RDATE", &[], &others.join(","));
    }
    writer.line("TZOFFSETFROM", &[], &format_offset(changes.from));
    writer.line("TZOFFSETTO", &[], &format_offset(changes.to));
    writer.text("TZNAME", &changes.name);
    writer.line("END", &[], kind);
}

/// Formats an offset, such as `+0100`; with seconds only if it has some.
fn format_offset(offset: Offset) -> String {
    let seconds = offset.seconds();
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.unsigned_abs();
    let text = format!("{sign}{:02}{:02}", seconds / 3_600, seconds / 60 % 60);
    if seconds.is_multiple_of(60) { text } else { format!("{text}{:02}", seconds % 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_described_around_its_use() {
        let mut writer = Writer::default();
        write(&mut writer, "Europe/Berlin", (1_772_366_400, 1_772_366_400));
        let text = writer.text.replace("\r\n ", "");
        assert!(text.contains("TZID:Europe/Berlin\r\n") && text.contains("20260329T020000"), "{text}");
        assert!(text.contains("TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nTZNAME:CEST"), "{text}");
        assert_eq!(format_offset(Offset::UTC), "+0000");
    }
}
