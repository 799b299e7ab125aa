//! Colors of events and of calendars: labels have any color, and clients without labels use a palette.

use std::collections::BTreeMap;

use calendar_server::types::{ColorDefinition, Colors};
use wireform_store::{CalendarNumber, Millis};

use crate::times;

/// Palette of events: the identifier of a color is its index, starting at 1.
const PALETTE: [u32; 11] =
    [0xa4bdfc, 0x7ae7bf, 0xdbadff, 0xff887c, 0xfbd75b, 0xffb878, 0x46d6db, 0xe1e1e1, 0x5484ed, 0x51b749, 0xdc2127];

/// Palette of calendars, like that of events.
const CALENDAR_PALETTE: [u32; 24] = [
    0xac725e, 0xd06b64, 0xf83a22, 0xfa573c, 0xff7537, 0xffad46, 0x42d692, 0x16a765, 0x7bd148, 0xb3dc6c, 0xfbe983,
    0xfad165, 0x92e1c0, 0x9fe1e7, 0x9fc6e7, 0x4986e7, 0x9a9cff, 0xb99aff, 0xc2c2c2, 0xcabdbf, 0xcca6ac, 0xf691b2,
    0xcd74e6, 0xa47ae2,
];

/// Color of text on every color of the palettes.
pub(crate) const FOREGROUND: &str = "#1d1d1d";
/// Time at which the palettes of the public service changed last: 2012-02-14.
const UPDATED: Millis = Millis(1_329_177_600_000);

/// Returns both palettes.
pub(crate) fn palettes() -> Colors {
    let mut colors = Colors::default()
        .with_kind("calendar#colors")
        .with_calendar(definitions(&CALENDAR_PALETTE))
        .with_event(definitions(&PALETTE));
    colors.updated = Some(times::to_date_time(UPDATED));
    colors
}

fn definitions(palette: &[u32]) -> BTreeMap<String, ColorDefinition> {
    let color = |color: &u32| ColorDefinition::default().with_background(to_text(*color)).with_foreground(FOREGROUND);
    (1..).map(|id: usize| id.to_string()).zip(palette.iter().map(color)).collect()
}

fn to_text(color: u32) -> String {
    format!("#{color:06x}")
}

/// Returns the color of a calendar: its identifier and its background. It is the same for everyone and never changes.
pub(crate) fn of_calendar(number: CalendarNumber) -> (String, String) {
    let count = CALENDAR_PALETTE.len();
    let place = usize::try_from(number.0.rem_euclid(24)).unwrap_or_default() % count;
    ((place + 1).to_string(), to_text(CALENDAR_PALETTE.get(place).copied().unwrap_or_default()))
}

/// Returns whether an identifier belongs to the palette.
pub(crate) fn is_known(id: &str) -> bool {
    (1..=PALETTE.len()).any(|known| known.to_string() == id)
}

/// Returns the identifier of the palette color nearest to a color in the form `#rrggbb`.
pub(crate) fn nearest(color: &str) -> Option<String> {
    let wanted = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?;
    let parts = |color: u32| [color >> 16 & 255, color >> 8 & 255, color & 255];
    let distance = |color: u32| -> u32 {
        parts(color).into_iter().zip(parts(wanted)).map(|(one, other)| one.abs_diff(other).pow(2)).sum()
    };
    let places = PALETTE.iter().enumerate();
    places.min_by_key(|(_, color)| distance(**color)).map(|(place, _)| (place + 1).to_string())
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_color_of_the_palette_is_found() {
        assert_eq!(nearest("#dc2127").as_deref(), Some("11"));
        assert_eq!(nearest("#ff0000").as_deref(), Some("11"));
        assert_eq!(nearest("#16a765").as_deref(), Some("10"));
        assert_eq!((nearest("red"), nearest("#xyzxyz")), (None, None));
    }
}
