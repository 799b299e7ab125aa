//! Statements as PostgreSQL spells them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// How many spellings are remembered. The domain has fewer statements than this by far; statements that are put
/// together of what somebody asks for must not fill the memory.
const REMEMBERED: usize = 512;

/// The spellings that have been made, by the statement of the domain.
#[derive(Debug, Default)]
pub(super) struct Spellings(RwLock<HashMap<Box<str>, Arc<str>>>);

impl Spellings {
    /// The statement with `$1` for `?1`.
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

/// Writes `$` for each `?` before a digit, but for those in a text between quotes.
fn spell(sql: &str) -> String {
    let mut spelled = String::with_capacity(sql.len());
    let mut quoted = false;
    let mut rest = sql.chars().peekable();
    while let Some(letter) = rest.next() {
        // Two quotes within a text end it and begin it again, which comes to the same.
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
