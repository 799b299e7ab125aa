//! A search as what the store is asked.

use wireform_store::{Label, LabelInfo, Millis, SystemLabel, TextFilter};

use super::terms::{self, Condition};
use super::{Expression, Query, Term};

/// What a search finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// Nothing, whatever there is: a label that does not exist was asked for.
    Nothing,
    /// Messages for which all of this holds.
    Messages(Matches),
}

/// What holds for the messages that a search finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matches {
    /// Labels that they have.
    pub labels: Vec<Label>,
    /// Labels that they do not have.
    pub without: Vec<Label>,
    /// What else holds.
    pub filters: Vec<TextFilter>,
    /// Of trash and spam, what the search asks for by name: it is not left out then.
    pub shown: Vec<Label>,
}

/// The places that are left out unless somebody asks for them.
const HIDDEN: [Label; 2] = [Label::System(SystemLabel::Trash), Label::System(SystemLabel::Spam)];

impl Query {
    /// Whether names of labels have to be looked up for the search.
    #[must_use]
    pub fn names_labels(&self) -> bool {
        any_term(&self.0, &terms::names_labels)
    }

    /// What the store is asked, with the labels of the mailbox and at that time.
    #[must_use]
    pub fn search(&self, labels: &[LabelInfo], now: Millis) -> Search {
        let mut matches = Matches::default();
        shown(&self.0, labels, now, false, &mut matches.shown);
        if gather(lower(&self.0, labels, now), &mut matches) { Search::Messages(matches) } else { Search::Nothing }
    }
}

fn any_term(expression: &Expression, holds: &impl Fn(&Term) -> bool) -> bool {
    match expression {
        Expression::All(some) | Expression::Any(some) => some.iter().any(|one| any_term(one, holds)),
        Expression::Not(one) => any_term(one, holds),
        Expression::Term(term) => holds(term),
    }
}

/// Which of the hidden places the search asks for, and does not only exclude.
fn shown(expression: &Expression, labels: &[LabelInfo], now: Millis, negated: bool, found: &mut Vec<Label>) {
    match expression {
        Expression::All(some) | Expression::Any(some) => {
            some.iter().for_each(|one| shown(one, labels, now, negated, found));
        }
        Expression::Not(one) => shown(one, labels, now, !negated, found),
        Expression::Term(term) if !negated => match terms::condition(term, labels, now) {
            Condition::Anywhere => found.extend(HIDDEN),
            Condition::Is(TextFilter::Label(label)) if HIDDEN.contains(&label) => found.push(label),
            _ => {}
        },
        Expression::Term(_) => {}
    }
}

/// An expression without names and without what holds anyway.
enum Lowered {
    /// It holds for every message, or for none.
    Always(bool),
    Filter(TextFilter),
    All(Vec<TextFilter>),
}

impl Lowered {
    /// As one filter. All of some is what none of their opposites is.
    fn into_filter(self) -> Result<TextFilter, bool> {
        match self {
            Self::Always(holds) => Err(holds),
            Self::Filter(filter) => Ok(filter),
            Self::All(all) => {
                let opposites = all.into_iter().map(opposite).collect();
                Ok(TextFilter::Not(Box::new(TextFilter::Any(opposites))))
            }
        }
    }
}

fn opposite(filter: TextFilter) -> TextFilter {
    match filter {
        TextFilter::Not(inner) => *inner,
        other => TextFilter::Not(Box::new(other)),
    }
}

fn lower(expression: &Expression, labels: &[LabelInfo], now: Millis) -> Lowered {
    match expression {
        Expression::All(some) => all(some.iter().map(|one| lower(one, labels, now))),
        Expression::Any(some) => any(some.iter().map(|one| lower(one, labels, now))),
        Expression::Not(one) => match lower(one, labels, now).into_filter() {
            Ok(filter) => Lowered::Filter(opposite(filter)),
            Err(holds) => Lowered::Always(!holds),
        },
        Expression::Term(term) => match terms::condition(term, labels, now) {
            Condition::Always | Condition::Anywhere => Lowered::Always(true),
            Condition::Never => Lowered::Always(false),
            Condition::Is(filter) => Lowered::Filter(filter),
        },
    }
}

fn all(some: impl Iterator<Item = Lowered>) -> Lowered {
    let mut filters = Vec::new();
    for one in some {
        match one {
            Lowered::Always(true) => {}
            Lowered::Always(false) => return Lowered::Always(false),
            Lowered::Filter(filter) => filters.push(filter),
            Lowered::All(more) => filters.extend(more),
        }
    }
    match filters.pop() {
        None => Lowered::Always(true),
        Some(only) if filters.is_empty() => Lowered::Filter(only),
        Some(last) => {
            filters.push(last);
            Lowered::All(filters)
        }
    }
}

fn any(some: impl Iterator<Item = Lowered>) -> Lowered {
    let mut filters = Vec::new();
    for one in some {
        match one.into_filter() {
            Err(true) => return Lowered::Always(true),
            Err(false) => {}
            Ok(TextFilter::Any(more)) => filters.extend(more),
            Ok(filter) => filters.push(filter),
        }
    }
    match filters.pop() {
        None => Lowered::Always(false),
        Some(only) if filters.is_empty() => Lowered::Filter(only),
        Some(last) => {
            filters.push(last);
            Lowered::Filter(TextFilter::Any(filters))
        }
    }
}

/// Labels are told apart from other filters: the store finds messages by them. Answers whether anything can be found.
fn gather(lowered: Lowered, matches: &mut Matches) -> bool {
    let filters = match lowered {
        Lowered::Always(holds) => return holds,
        Lowered::Filter(filter) => vec![filter],
        Lowered::All(filters) => filters,
    };
    for filter in filters {
        match filter {
            TextFilter::Label(label) => push(&mut matches.labels, label),
            TextFilter::Not(inner) => match *inner {
                TextFilter::Label(label) => push(&mut matches.without, label),
                other => matches.filters.push(TextFilter::Not(Box::new(other))),
            },
            other => matches.filters.push(other),
        }
    }
    true
}

fn push(labels: &mut Vec<Label>, label: Label) {
    if !labels.contains(&label) {
        labels.push(label);
    }
}
