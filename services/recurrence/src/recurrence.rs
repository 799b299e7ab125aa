//! Rules and dates of a series, without its start.

use std::fmt::{self, Display, Formatter};

use crate::dates::DateList;
use crate::rule::Rule;

/// Parsed recurrence lines: `RRULE`, `EXRULE`, `RDATE` and `EXDATE`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recurrence {
    /// Rules whose instances belong to the series.
    pub rules: Vec<Rule>,
    /// Rules whose instances are excluded (RFC 2445).
    pub exrules: Vec<Rule>,
    /// Dates that belong to the series.
    pub rdates: Vec<DateList>,
    /// Dates that are excluded.
    pub exdates: Vec<DateList>,
}

impl Recurrence {
    /// Returns whether there are no rules and no dates.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.exrules.is_empty() && self.rdates.is_empty() && self.exdates.is_empty()
    }

    /// Returns the canonical lines, unfolded: `RRULE`, `EXRULE`, `RDATE` and `EXDATE` in this order.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let rules = self.rules.iter().map(|rule| format!("RRULE:{rule}"));
        let exrules = self.exrules.iter().map(|rule| format!("EXRULE:{rule}"));
        let rdates = self.rdates.iter().map(|list| format!("RDATE{list}"));
        let exdates = self.exdates.iter().map(|list| format!("EXDATE{list}"));
        rules.chain(exrules).chain(rdates).chain(exdates)
    }
}

/// Writes the canonical lines, each followed by a line feed.
impl Display for Recurrence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.lines().try_for_each(|line| writeln!(f, "{line}"))
    }
}
