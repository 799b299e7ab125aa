//! Colors of events: labels have any color, and clients without labels use a palette.

/// Palette of events: the identifier of a color is its index, starting at 1.
const PALETTE: [u32; 11] =
    [0xa4bdfc, 0x7ae7bf, 0xdbadff, 0xff887c, 0xfbd75b, 0xffb878, 0x46d6db, 0xe1e1e1, 0x5484ed, 0x51b749, 0xdc2127];

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
