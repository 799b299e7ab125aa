//! Translation of statements to PostgreSQL syntax.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// Capacity of the cache. The domain has far fewer statements; those composed from a request must not exhaust the
/// memory.
const REMEMBERED: usize = 512;

/// Cache of translated statements, by the statement of the domain.
#[derive(Debug, Default)]
pub(super) struct Spellings(RwLock<HashMap<Box<str>, Arc<str>>>);

impl Spellings {
    /// Returns the statement with `$1` in place of `?1`.
    pub(super) fn of(&self, sql: &str) -> Arc<str> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(sql) {
            return Arc::clone(known);
        }
        let spelled: Arc<str> = spell(sql).into();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(sql.into(), Arc::clone(&spelled));
        spelled
    }
}

/// Replaces each `?` before a digit by `$`, except in quoted texts.
fn spell(sql: &str) -> String {
    let mut spelled = String::with_capacity(sql.len());
    let mut quoted = false;
    let mut rest = sql.chars().peekable();
    while let Some(letter) = rest.next() {
        // A doubled quote within a text ends it and begins it again, which has the same effect.
        quoted ^= letter == '\'';
        let value = letter == '?' && !quoted && rest.peek().is_some_and(char::is_ascii_digit);
        spelled.push(if value { '$' } else { letter });
    }
    spelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_spelled_and_texts_are_left() {
        let cases = [
            ("SELECT a FROM t WHERE b = ?1 AND c > ?12", "SELECT a FROM t WHERE b = $1 AND c > $12"),
            ("SELECT '?1' || 'it''s ?2' || ?3", "SELECT '?1' || 'it''s ?2' || $3"),
            ("SELECT ? FROM t", "SELECT ? FROM t"),
        ];
        for (sql, spelled) in cases {
            assert_eq!(spell(sql), spelled);
        }
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let spellings = Spellings::default();
        for number in 0..2 * REMEMBERED {
            assert_eq!(&*spellings.of(&format!("SELECT {number}, ?1")), format!("SELECT {number}, $1"));
        }
        assert!(spellings.0.read().unwrap().len() <= REMEMBERED);
    }
}
