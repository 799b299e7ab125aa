//! Translation of statements to PostgreSQL syntax.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Capacity of the cache. The domain has far fewer statements; those composed from a request must not exhaust the
/// memory.
const CAPACITY: usize = 512;

/// Cache of translated statements, by the statement of the domain.
#[derive(Debug, Default)]
pub(super) struct Translations(RwLock<HashMap<Box<str>, Arc<str>>>);

impl Translations {
    /// Returns the statement with `$1` in place of `?1`.
    pub(super) fn get(&self, sql: &str) -> Arc<str> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(sql) {
            return Arc::clone(known);
        }
        let translated: Arc<str> = translate(sql).into();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CAPACITY {
            known.clear();
        }
        known.insert(sql.into(), Arc::clone(&translated));
        translated
    }
}

/// Replaces each `?` before a digit by `$`, except in quoted texts.
fn translate(sql: &str) -> String {
    let mut translated = String::with_capacity(sql.len());
    let mut quoted = false;
    let mut rest = sql.chars().peekable();
    while let Some(letter) = rest.next() {
        // A doubled quote within a text ends it and begins it again, which has the same effect.
        quoted ^= letter == '\'';
        let value = letter == '?' && !quoted && rest.peek().is_some_and(char::is_ascii_digit);
        translated.push(if value { '$' } else { letter });
    }
    translated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_translated_outside_of_quotes() {
        let cases = [
            ("SELECT a FROM t WHERE b = ?1 AND c > ?12", "SELECT a FROM t WHERE b = $1 AND c > $12"),
            ("SELECT '?1' || 'it''s ?2' || ?3", "SELECT '?1' || 'it''s ?2' || $3"),
            ("SELECT ? FROM t", "SELECT ? FROM t"),
        ];
        for (sql, translated) in cases {
            assert_eq!(translate(sql), translated);
        }
    }

    #[test]
    fn the_cache_is_bounded() {
        let translations = Translations::default();
        for number in 0..2 * CAPACITY {
            assert_eq!(&*translations.get(&format!("SELECT {number}, ?1")), format!("SELECT {number}, $1"));
        }
        assert!(translations.0.read().unwrap().len() <= CAPACITY);
    }
}
