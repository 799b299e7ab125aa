//! Decoding of error bodies.

use super::{ErrorDetail, ErrorReport};
use crate::Value;
use crate::operation::{ErrorField, ErrorFields, Step};

impl ErrorReport {
    /// Reads an error body by the fields that the API declares, as far as it has them. Lists are accepted everywhere,
    /// since not every server follows its schema.
    #[must_use]
    pub fn read(members: &ErrorFields, body: &Value) -> Self {
        let first = |member: &ErrorField| find_texts(member, body).into_iter().find_map(|(_, text)| text);
        Self {
            message: first(&members.message),
            reason: first(&members.reason),
            location: first(&members.location),
            location_type: first(&members.location_type),
            details: read_details(members, body),
            omitted: 0,
        }
    }
}

/// Texts at the end of a path, each with its index in the outermost list.
type Texts = Vec<(Option<usize>, Option<String>)>;

/// Reads the details: one for each element of a list, or one for a body without lists that contains more than a
/// message.
fn read_details(members: &ErrorFields, body: &Value) -> Vec<ErrorDetail> {
    let own = find_texts(&members.violation_message, body);
    let message = if own.is_empty() { find_texts(&members.message, body) } else { own };
    let others = [&members.reason, &members.rule, &members.location, &members.location_type];
    let [reason, rule, location, location_type] = others.map(|member| find_texts(member, body));
    let columns = [message, reason, rule, location, location_type];
    let count = columns.iter().flatten().filter_map(|(index, _)| *index).max().map(|last| last + 1);
    let says_more = columns.iter().skip(1).flatten().any(|(_, text)| text.is_some());
    if count.is_none() && !says_more {
        return Vec::new();
    }
    let columns = columns.map(|texts| group_by_element(texts, count));
    (0..count.unwrap_or(1)).flat_map(|index| element_details(&columns, index)).collect()
}

/// Groups texts by the element of the outermost list that contains them. If there is a list, texts outside of it
/// describe the error as a whole.
fn group_by_element(texts: Texts, count: Option<usize>) -> Vec<Vec<Option<String>>> {
    let mut groups = vec![Vec::new(); count.unwrap_or(1)];
    for (index, text) in texts {
        if index.is_some() == count.is_some()
            && let Some(group) = groups.get_mut(index.unwrap_or(0))
        {
            group.push(text);
        }
    }
    groups
}

/// Reads the details of an element: several if a nested list has several, each with the texts that the element has
/// once.
fn element_details(columns: &[Vec<Vec<Option<String>>>; 5], index: usize) -> Vec<ErrorDetail> {
    let groups = columns.each_ref().map(|column| column.get(index).map_or(&[][..], Vec::as_slice));
    let rows = groups.iter().map(|group| group.len()).max().unwrap_or(0);
    let text = |group: &[Option<String>], row: usize| match group {
        [one] => one.clone(),
        several => several.get(row).cloned().flatten(),
    };
    let rows = (0..rows).map(|row| {
        let [message, reason, rule, location, location_type] = groups.map(|group| text(group, row));
        ErrorDetail { message, reason, rule, location, location_type }
    });
    rows.filter(|detail| *detail != ErrorDetail::default()).collect()
}

/// Returns the texts at a place of the error format; none if the format lacks it.
fn find_texts(member: &ErrorField, body: &Value) -> Texts {
    let mut found = Vec::new();
    if !member.is_none() {
        collect_texts(body, member.path, None, &mut found);
    }
    found
}

/// Collects the texts at the end of a path, and `None` for each object that has none.
fn collect_texts(value: &Value, path: &[Step], index: Option<usize>, found: &mut Texts) {
    match (value, path) {
        (Value::Array(list), _) => {
            list.iter().enumerate().for_each(|(at, value)| collect_texts(value, path, index.or(Some(at)), found));
        }
        (Value::Object(members), [step, rest @ ..]) => match members.get(step.name) {
            Some(inner) => collect_texts(inner, rest, index, found),
            None => found.push((index, None)),
        },
        // A server writes an empty text if the field is required and there is nothing to report.
        (Value::String(text), []) if !text.is_empty() => found.push((index, Some(text.clone()))),
        (Value::Number(number), []) => found.push((index, Some(number.to_string()))),
        _ => found.push((index, None)),
    }
}
