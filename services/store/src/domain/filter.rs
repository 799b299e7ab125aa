//! Matching of messages against a query.

use std::collections::HashSet;

use crate::domain::message::parse_labels;
use crate::session::Row;
use crate::{Label, ListQuery, Position, Result, TextFilter};

/// Properties of a message that are known without reading its texts.
pub(super) struct Candidate {
    pub(super) position: Position,
    pub(super) thread: u64,
    labels: HashSet<Label>,
    size: u64,
    identifier: Option<i64>,
}

impl Candidate {
    /// Reads a row of one of the `sql::LIST_…` statements.
    pub(super) fn from_row(row: &mut Row) -> Result<Self> {
        Ok(Self {
            position: Position { date: row.int(0)?, id: row.int(1)?.cast_unsigned() },
            thread: row.int(2)?.cast_unsigned(),
            labels: parse_labels(&row.text(3)?)?.into_iter().collect(),
            size: row.int(4)?.cast_unsigned(),
            identifier: row.optional_int(5)?,
        })
    }

    /// Returns whether the message matches the conditions that need no texts.
    pub(super) fn may_match(&self, query: &ListQuery) -> bool {
        query.labels.iter().all(|label| self.labels.contains(label))
            && !query.excluded_labels.iter().any(|label| self.labels.contains(label))
            && query.filters.iter().filter(|filter| !requires_texts(filter)).all(|filter| matches(filter, self, None))
    }

    /// Returns whether the message matches the conditions on its texts.
    pub(super) fn matches(&self, query: &ListQuery, texts: &Texts) -> bool {
        query.filters.iter().filter(|filter| requires_texts(filter)).all(|filter| matches(filter, self, Some(texts)))
    }
}

/// Searchable texts of a message.
pub(super) struct Texts {
    from: String,
    to: String,
    subject: String,
    text: String,
    attachment: bool,
}

impl Texts {
    /// Reads a row of `sql::LIST_TEXT`.
    pub(super) fn from_row(row: &mut Row) -> Result<Self> {
        let (from, to, subject, text) = (row.text(0)?, row.text(1)?, row.text(2)?, row.text(3)?);
        Ok(Self { from, to, subject, text, attachment: row.int(4)? != 0 })
    }

    /// Returns the total length in bytes.
    pub(super) fn byte_len(&self) -> usize {
        [&self.from, &self.to, &self.subject, &self.text].iter().map(|text| text.len()).sum()
    }
}

/// Returns whether a condition requires the texts of a message.
pub(super) fn requires_texts(filter: &TextFilter) -> bool {
    count_text_conditions(filter) > 0
}

/// Returns the number of conditions within a condition that require the texts of a message.
pub(super) fn count_text_conditions(filter: &TextFilter) -> usize {
    match filter {
        TextFilter::From(_)
        | TextFilter::To(_)
        | TextFilter::Subject(_)
        | TextFilter::Anywhere(_)
        | TextFilter::Attachment => 1,
        TextFilter::Not(inner) => count_text_conditions(inner),
        TextFilter::Any(several) => several.iter().map(count_text_conditions).sum(),
        TextFilter::Identifier(_)
        | TextFilter::Since(_)
        | TextFilter::Before(_)
        | TextFilter::Larger(_)
        | TextFilter::Smaller(_)
        | TextFilter::Label(_)
        | TextFilter::OwnLabel => 0,
    }
}

/// Returns whether a message satisfies a condition. Without `texts`, conditions on texts are false.
fn matches(filter: &TextFilter, candidate: &Candidate, texts: Option<&Texts>) -> bool {
    let in_texts = |is: &dyn Fn(&Texts) -> bool| texts.is_some_and(is);
    match filter {
        TextFilter::From(word) => in_texts(&|texts| texts.from.contains(word)),
        TextFilter::To(word) => in_texts(&|texts| texts.to.contains(word)),
        TextFilter::Subject(word) => in_texts(&|texts| texts.subject.contains(word)),
        TextFilter::Anywhere(word) => in_texts(&|texts| {
            [&texts.from, &texts.to, &texts.subject, &texts.text].iter().any(|text| text.contains(word))
        }),
        TextFilter::Attachment => in_texts(&|texts| texts.attachment),
        TextFilter::Identifier(hash) => candidate.identifier == Some(*hash),
        TextFilter::Since(time) => candidate.position.date >= time.0,
        TextFilter::Before(time) => candidate.position.date < time.0,
        TextFilter::Larger(size) => candidate.size >= *size,
        TextFilter::Smaller(size) => candidate.size <= *size,
        TextFilter::Label(label) => candidate.labels.contains(label),
        TextFilter::OwnLabel => candidate.labels.iter().any(|label| matches!(label, Label::User(_))),
        TextFilter::Not(inner) => !matches(inner, candidate, texts),
        TextFilter::Any(several) => several.iter().any(|filter| matches(filter, candidate, texts)),
    }
}
