//! Conversion of a search into a query of the store.

use wireform_store::{Label, LabelInfo, Millis, SystemLabel, TextFilter};

use super::terms::{self, Condition, Searcher};
use super::{Expression, Query, Term};

/// Query for a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// Matches nothing in any case: it requires a label that does not exist.
    Nothing,
    /// Messages that match all conditions.
    Messages(SearchConditions),
}

/// Conditions of the messages that a search finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchConditions {
    /// Labels that messages must have.
    pub labels: Vec<Label>,
    /// Labels that messages must not have.
    pub without: Vec<Label>,
    /// Other conditions.
    pub filters: Vec<TextFilter>,
    /// Hidden locations (trash and spam) that the search requests by name, and which are included then.
    pub shown: Vec<Label>,
}

/// Locations that are hidden unless requested.
const HIDDEN: [Label; 2] = [Label::System(SystemLabel::Trash), Label::System(SystemLabel::Spam)];

impl Query {
    /// Returns whether the search names labels, which have to be looked up.
    #[must_use]
    pub fn names_labels(&self) -> bool {
        any_term(&self.0, &terms::names_labels)
    }

    /// Converts the search into a query, with the labels of the mailbox, the address that `me` stands for, and the
    /// current time.
    #[must_use]
    pub fn search(&self, labels: &[LabelInfo], address: &str, now: Millis) -> Search {
        let searcher = Searcher { labels, address, now };
        let mut matches = SearchConditions::default();
        find_shown_locations(&self.0, searcher, false, &mut matches.shown);
        if collect_into(lower(&self.0, searcher), &mut matches) { Search::Messages(matches) } else { Search::Nothing }
    }
}

/// Returns whether `holds` is true for a term of the expression.
fn any_term(expression: &Expression, holds: &impl Fn(&Term) -> bool) -> bool {
    match expression {
        Expression::All(some) | Expression::Any(some) => some.iter().any(|one| any_term(one, holds)),
        Expression::Not(one) => any_term(one, holds),
        Expression::Term(term) => holds(term),
    }
}

/// Finds the hidden locations that the search requests, and does not only exclude.
fn find_shown_locations(expression: &Expression, searcher: Searcher<'_>, negated: bool, found: &mut Vec<Label>) {
    match expression {
        Expression::All(some) | Expression::Any(some) => {
            some.iter().for_each(|one| find_shown_locations(one, searcher, negated, found));
        }
        Expression::Not(one) => find_shown_locations(one, searcher, !negated, found),
        Expression::Term(term) if !negated => match terms::condition(term, searcher) {
            Condition::Anywhere => found.extend(HIDDEN),
            Condition::Is(TextFilter::Label(label)) if HIDDEN.contains(&label) => found.push(label),
            _ => {}
        },
        Expression::Term(_) => {}
    }
}

/// Search query with labels resolved and constant conditions folded.
enum LoweredQuery {
    /// Matches every message, or none.
    Always(bool),
    Filter(TextFilter),
    All(Vec<TextFilter>),
}

impl LoweredQuery {
    /// Converts the expression into one filter. A conjunction becomes the negation of a disjunction of negations.
    fn into_filter(self) -> Result<TextFilter, bool> {
        match self {
            Self::Always(holds) => Err(holds),
            Self::Filter(filter) => Ok(filter),
            Self::All(all) => {
                let opposites = all.into_iter().map(negate).collect();
                Ok(TextFilter::Not(Box::new(TextFilter::Any(opposites))))
            }
        }
    }
}

/// Returns the negation of a filter, without double negations.
fn negate(filter: TextFilter) -> TextFilter {
    match filter {
        TextFilter::Not(inner) => *inner,
        other => TextFilter::Not(Box::new(other)),
    }
}

/// Resolves the labels and the user of an expression, and folds constant conditions.
fn lower(expression: &Expression, searcher: Searcher<'_>) -> LoweredQuery {
    match expression {
        Expression::All(some) => conjunction(some.iter().map(|one| lower(one, searcher))),
        Expression::Any(some) => disjunction(some.iter().map(|one| lower(one, searcher))),
        Expression::Not(one) => match lower(one, searcher).into_filter() {
            Ok(filter) => LoweredQuery::Filter(negate(filter)),
            Err(holds) => LoweredQuery::Always(!holds),
        },
        Expression::Term(term) => match terms::condition(term, searcher) {
            Condition::Always | Condition::Anywhere => LoweredQuery::Always(true),
            Condition::Never => LoweredQuery::Always(false),
            Condition::Is(filter) => LoweredQuery::Filter(filter),
        },
    }
}

/// Returns the conjunction of expressions.
fn conjunction(some: impl Iterator<Item = LoweredQuery>) -> LoweredQuery {
    let mut filters = Vec::new();
    for one in some {
        match one {
            LoweredQuery::Always(true) => {}
            LoweredQuery::Always(false) => return LoweredQuery::Always(false),
            LoweredQuery::Filter(filter) => filters.push(filter),
            LoweredQuery::All(more) => filters.extend(more),
        }
    }
    match filters.pop() {
        None => LoweredQuery::Always(true),
        Some(only) if filters.is_empty() => LoweredQuery::Filter(only),
        Some(last) => {
            filters.push(last);
            LoweredQuery::All(filters)
        }
    }
}

/// Returns the disjunction of expressions.
fn disjunction(some: impl Iterator<Item = LoweredQuery>) -> LoweredQuery {
    let mut filters = Vec::new();
    for one in some {
        match one.into_filter() {
            Err(true) => return LoweredQuery::Always(true),
            Err(false) => {}
            Ok(TextFilter::Any(more)) => filters.extend(more),
            Ok(filter) => filters.push(filter),
        }
    }
    match filters.pop() {
        None => LoweredQuery::Always(false),
        Some(only) if filters.is_empty() => LoweredQuery::Filter(only),
        Some(last) => {
            filters.push(last);
            LoweredQuery::Filter(TextFilter::Any(filters))
        }
    }
}

/// Separates labels from other filters, because the store has an index of them. Returns whether anything can match.
fn collect_into(lowered: LoweredQuery, matches: &mut SearchConditions) -> bool {
    let filters = match lowered {
        LoweredQuery::Always(holds) => return holds,
        LoweredQuery::Filter(filter) => vec![filter],
        LoweredQuery::All(filters) => filters,
    };
    for filter in filters {
        match filter {
            TextFilter::Label(label) => push_unique(&mut matches.labels, label),
            TextFilter::Not(inner) => match *inner {
                TextFilter::Label(label) => push_unique(&mut matches.without, label),
                other => matches.filters.push(TextFilter::Not(Box::new(other))),
            },
            other => matches.filters.push(other),
        }
    }
    true
}

/// Adds a label unless it is there already.
fn push_unique(labels: &mut Vec<Label>, label: Label) {
    if !labels.contains(&label) {
        labels.push(label);
    }
}
