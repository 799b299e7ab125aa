//! Forms of objects.

use std::borrow::Cow;

use super::{
    ANY, ANY_VALUE, EXACT, EXTRA_MEMBERS, INCOMPLETE, LAST_RESORT, LOW_PRECEDENCE, Score, ValueForm, WITH_NULLS, kind,
};
use crate::unions::content::Content;

/// Form of the objects of a resource.
#[derive(Debug)]
pub struct ObjectForm {
    /// Returns the index of the field with this wire name.
    pub index: fn(&str) -> Option<usize>,
    /// Kinds of values of each field, in the order of their indices.
    pub kinds: &'static [u8],
    /// Kinds of values of additional fields; 0 if they are skipped.
    pub additional: u8,
    /// Fields that can be null.
    pub nullable: &'static [&'static str],
    /// Fields that are required in a request.
    pub required: &'static [&'static str],
    /// Forms of the fields whose kind is not enough to distinguish the variant from others, by their indices.
    pub fields: &'static [(usize, ValueForm)],
}

impl ObjectForm {
    /// Ranks the match of an object. Of the contents of its fields only those with a form are inspected. Fields that
    /// would be lost do not fall back to the next best variant: such a value has no variant. The object of a field is
    /// judged less strictly, because the object around it has the fields of this variant.
    pub(super) fn score(&self, members: &[(Cow<'_, str>, Content<'_>)], nested: bool) -> Option<Score> {
        let (mut unknown, mut nulls, mut present, mut inner) = (0_usize, 0_usize, Vec::new(), EXACT);
        for (name, value) in members {
            let Some(index) = (self.index)(name) else {
                let is_lost = self.additional == 0;
                let is_null = matches!(value, Content::Null);
                let is_other = !is_null && self.additional != ANY && self.additional & kind(value) == 0;
                if is_lost && !nested || !is_lost && is_other {
                    return None;
                }
                nulls += usize::from(is_null && !is_lost && self.additional != ANY);
                inner = if is_lost { combine(inner, LAST_RESORT) } else { inner };
                unknown += 1;
                continue;
            };
            present.push(index);
            let form = self.fields.iter().find(|(field, _)| *field == index).map(|(_, form)| form);
            if matches!(value, Content::Null) {
                match self.nullable.iter().any(|name| self.is_field(name, index)) {
                    // Null is one of many values, unless it is the only one.
                    true => inner = combine(inner, (EXACT.0, 0, usize::from(!form.is_some_and(ValueForm::is_null)))),
                    false => nulls += 1,
                }
                continue;
            }
            if self.kinds.get(index).copied().unwrap_or(ANY) & kind(value) == 0 {
                return None;
            }
            if let Some(form) = form {
                inner = combine(inner, form.score_field(value)?);
            }
        }
        let complete =
            self.required.iter().all(|name| (self.index)(name).is_some_and(|index| present.contains(&index)));
        let class = match (complete, unknown, nulls) {
            // It would be preserved, but more likely belongs to an unknown variant.
            (false, 1.., _) if !nested => return None,
            (true, 1.., _) if present.is_empty() => ANY_VALUE,
            (false, ..) => INCOMPLETE,
            (true, 1.., _) => EXTRA_MEMBERS,
            (true, 0, 1..) => WITH_NULLS,
            (true, 0, 0) => EXACT.0,
        };
        Some(combine((class, unknown + nulls, 0), inner))
    }

    /// Returns whether the field with this name has this index.
    fn is_field(&self, name: &str, index: usize) -> bool {
        (self.index)(name) == Some(index)
    }
}

impl ValueForm {
    /// Returns whether null is the only value.
    const fn is_null(&self) -> bool {
        matches!(self, Self::Kinds(0))
    }

    /// Ranks the match of the value of a field. One of many values does not make the object less certain, but less
    /// specific.
    fn score_field(&self, value: &Content<'_>) -> Option<Score> {
        let (class, unknown, loose) = self.score(value, true)?;
        Some(match class {
            LOW_PRECEDENCE => (EXACT.0, unknown, loose + 1),
            ANY_VALUE => (EXACT.0, unknown, loose + 2),
            _ => (class, unknown, loose),
        })
    }
}

/// Ranks an object by its own fields and the values in them.
fn combine(one: Score, other: Score) -> Score {
    (one.0.max(other.0), one.1.saturating_add(other.1), one.2.saturating_add(other.2))
}
