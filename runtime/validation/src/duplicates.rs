//! Search for duplicate elements of a list of any type.
//!
//! A short list is compared pair by pair. For a long list the serialization of each element is hashed: the types of an
//! API do not implement `Hash`, but equal values have equal serializations. The hash keys are random, so that
//! collisions cannot be constructed, and equal hashes are confirmed by comparison.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use wireform_runtime::__private::with_normalized_numbers;

/// Maximum length of a list that is compared pair by pair.
const MAX_PAIRWISE: usize = 16;

/// Calls `found` with each duplicate and the first element that it equals, in order.
pub fn find_duplicates<T: PartialEq + Serialize>(items: &[T], mut found: impl FnMut(usize, usize)) {
    if items.len() <= MAX_PAIRWISE {
        for (index, item) in items.iter().enumerate() {
            if let Some(first) = items.iter().take(index).position(|earlier| earlier == item) {
                found(index, first);
            }
        }
    } else {
        find_hashed_duplicates(items, &mut found);
    }
}

/// Finds duplicates in a long list: sorts by hash, so that equal elements are neighbors.
fn find_hashed_duplicates<T: PartialEq + Serialize>(items: &[T], found: &mut impl FnMut(usize, usize)) {
    let keys = RandomState::new();
    let mut hashes: Vec<(u64, usize)> =
        items.iter().enumerate().map(|(index, item)| (hash(&keys, item), index)).collect();
    hashes.sort_unstable();
    let mut copies = Vec::new();
    for run in hashes.chunk_by(|a, b| a.0 == b.0) {
        let Some(((_, first), rest)) = run.split_first() else { continue };
        // Elements with the same hash are almost certainly equal; then the first of the run is the original.
        copies
            .extend(rest.iter().filter(|(_, index)| items.get(*first) == items.get(*index)).map(|(_, i)| (*i, *first)));
    }
    copies.sort_unstable();
    copies.into_iter().for_each(|(copy, copy_of)| found(copy, copy_of));
}

fn hash<T: Serialize>(keys: &RandomState, item: &T) -> u64 {
    let mut sink = HashWriter(keys.build_hasher());
    // Hashing does not fail; a value that cannot be serialized has the hash of its serialized part.
    let _ = with_normalized_numbers(|| {
        item.serialize(&mut Serializer::with_formatter(&mut sink, ZeroNormalizingFormatter))
    });
    sink.0.finish()
}

/// Writer that hashes its input.
struct HashWriter<H>(H);

impl<H: Hasher> io::Write for HashWriter<H> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// JSON formatter that writes both zeros equally, since they are equal.
struct ZeroNormalizingFormatter;

impl Formatter for ZeroNormalizingFormatter {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(&(value + 0.0).to_bits().to_le_bytes())
    }

    fn write_f32<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        writer.write_all(&(value + 0.0).to_bits().to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<T: PartialEq + Serialize>(items: &[T]) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        find_duplicates(items, |copy, copy_of| all.push((copy, copy_of)));
        all
    }

    #[test]
    fn short_and_long_lists_agree() {
        for count in [2_usize, 10, 16, 17, 40, 1000] {
            let texts: Vec<String> = (0..count).map(|n| format!("x{}", n % (count - 1))).collect();
            assert_eq!(of(&texts), [(count - 1, 0)], "{count}");
            let floats: Vec<f64> = (0..count).map(|n| if n == 1 { -0.0 } else { n as f64 }).collect();
            assert_eq!(of(&floats), [(1, 0)], "{count}");
            assert!(of(&(0..count).collect::<Vec<_>>()).is_empty());
            let same = vec![true; count];
            assert_eq!(of(&same).len(), count - 1);
            assert!(of(&same).iter().all(|(_, first)| *first == 0));
        }
    }

    #[test]
    fn long_lists_take_no_quadratic_time() {
        // Pair by pair these would be five billion comparisons, and the test would not end.
        let mut items: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
        items.push("77".to_owned());
        assert_eq!(of(&items), [(100_000, 77)]);
        assert_eq!(of(&vec!["a"; 100_000]).len(), 99_999);
    }

    #[test]
    fn any_json() {
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
        let mut items: Vec<_> = (0..20).map(|n| value(&format!(r#"{{"a": [{n}], "b": null}}"#))).collect();
        items.push(value(r#"{"b": null, "a": [3]}"#));
        assert_eq!(of(&items), [(20, 3)]);
    }
}
