//! Encoding of error bodies.

use super::{ErrorDetail, ErrorReport};
use crate::operation::{ErrorField, ErrorFields, Step};
use crate::{Map, Value};

impl ErrorReport {
    /// Writes the body of an error with a status: every violation if the body has a list for them, else all messages in
    /// one text, with the location of the first. A field that the API does not declare is never written.
    #[must_use]
    pub fn write(&self, members: &ErrorFields, code: u16) -> Value {
        let details = self.details_for(members);
        let mut writer = Writer { body: Value::Object(Map::new()), details: &details };
        let first = details.first().or(self.details.first());
        let single =
            |own: &Option<String>, of: fn(&ErrorDetail) -> &Option<String>| own.clone().or_else(|| of(first?).clone());
        let word = |member: &ErrorField, word: &str| member.accepts(word).then(|| word.to_owned());
        let known = |kind: Option<String>| kind.filter(|kind| members.location_type.accepts(kind));
        writer.write_number(&members.code, code);
        writer.write_text(&members.message, self.message_text(members), |detail| {
            message_without_location(members, &members.message, detail).or_else(|| self.message.clone())
        });
        let domain =
            |reason: Option<&str>| members.profile.domain_of(reason).and_then(|domain| word(&members.domain, domain));
        let single_domain = domain(single(&self.reason, |of| &of.reason).as_deref());
        writer.write_text(&members.domain, single_domain, |detail| domain(detail.reason.as_deref()));
        writer.write_text(&members.reason, single(&self.reason, |of| &of.reason), |detail| detail.reason.clone());
        let message = self.join_messages().or_else(|| self.message.clone());
        writer.write_text(&members.violation_message, message, |detail| {
            message_without_location(members, &members.violation_message, detail)
        });
        let kind = known(single(&self.location_type, |of| &of.location_type));
        writer.write_text(&members.location_type, kind, |detail| known(detail.location_type.clone()));
        writer
            .write_text(&members.location, single(&self.location, |of| &of.location), |detail| detail.location.clone());
        writer.write_text(&members.rule, single(&None, |of| &of.rule), |detail| detail.rule.clone());
        let status = word(&members.status, rpc_code_name(code));
        writer.write_text(&members.status, status.clone(), |_| status.clone());
        let mut body = writer.body;
        text_fields(members).iter().for_each(|member| fill_required(&mut body, member.path));
        members.constants.iter().for_each(|(member, value)| write_constant(&mut body, member.path, value));
        body
    }

    /// Returns the message of the error: all messages, if no other field contains them.
    fn message_text(&self, members: &ErrorFields) -> Option<String> {
        let joined = members.violation_message.is_none().then(|| self.join_messages()).flatten();
        joined.or_else(|| self.message.clone())
    }

    /// Returns the details for which lists get an element. An error without violations has one if only a list can
    /// represent it, or if the list is required.
    fn details_for(&self, members: &ErrorFields) -> Vec<ErrorDetail> {
        if !self.details.is_empty() {
            return self.details.clone();
        }
        let listed = |member: &ErrorField, text: &Option<String>| member.is_per_violation() && text.is_some();
        let required = |member: &ErrorField| {
            let list = member.list().and_then(<[Step]>::last);
            list.is_some_and(|list| list.is_required)
        };
        let needs_list = listed(&members.reason, &self.reason)
            || listed(&members.location, &self.location)
            || listed(&members.message, &self.message)
            || text_fields(members).iter().any(|member| required(member));
        let detail = || ErrorDetail {
            message: self.message.clone(),
            reason: self.reason.clone(),
            rule: None,
            location: self.location.clone(),
            location_type: self.location_type.clone(),
        };
        needs_list.then(detail).into_iter().collect()
    }

    /// Joins the messages of all violations.
    fn join_messages(&self) -> Option<String> {
        let messages: Vec<&str> = self.details.iter().filter_map(|detail| detail.message.as_deref()).collect();
        let text = messages.join("; ");
        match (text.is_empty(), self.omitted) {
            (true, _) => None,
            (false, 0) => Some(text),
            (false, 1) => Some(text + " (and 1 other violation)"),
            (false, more) => Some(format!("{text} (and {more} other violations)")),
        }
    }
}

/// Returns the message of a violation, without the location if that is a separate field of the same object.
fn message_without_location(members: &ErrorFields, member: &ErrorField, detail: &ErrorDetail) -> Option<String> {
    let message = detail.message.clone()?;
    let is_same_list = members.location.is_per_violation() && member.list() == members.location.list();
    let bare = detail
        .location
        .as_deref()
        .filter(|_| is_same_list)
        .and_then(|location| message.strip_prefix(location).and_then(|rest| rest.strip_prefix(": ")));
    Some(bare.map(str::to_owned).unwrap_or(message))
}

/// Writer of a body.
struct Writer<'d> {
    body: Value,
    details: &'d [ErrorDetail],
}

impl Writer<'_> {
    /// Writes a text of the error format: for each violation what `of` returns, or `single` if it is not per violation.
    fn write_text(&mut self, member: &ErrorField, single: Option<String>, of: impl Fn(&ErrorDetail) -> Option<String>) {
        if member.is_per_violation() {
            for (index, detail) in self.details.iter().enumerate() {
                of(detail).into_iter().for_each(|text| insert_at(&mut self.body, member, index, text.into()));
            }
        } else if let Some(text) = single {
            insert_at(&mut self.body, member, 0, text.into());
        }
    }

    /// Writes a number of the error format: for each violation, or once.
    fn write_number(&mut self, member: &ErrorField, number: u16) {
        let times = if member.is_per_violation() { self.details.len() } else { 1 };
        (0..times).for_each(|index| insert_at(&mut self.body, member, index, number.into()));
    }
}

/// Writes a value at the end of a path. The outermost list on the path has an element for each violation, of which this
/// is one; nested lists have one element.
fn insert_at(body: &mut Value, member: &ErrorField, index: usize, value: Value) {
    let Some((own, holder)) = member.path.split_last() else { return };
    let mut place = body;
    let mut in_list = false;
    for step in holder {
        let Value::Object(members) = place else { return };
        let empty = || if step.is_list { Value::Array(Vec::new()) } else { Value::Object(Map::new()) };
        place = members.entry(step.name).or_insert_with(empty);
        if let Value::Array(list) = place {
            let is_outermost = step.is_list && !std::mem::replace(&mut in_list, true);
            let at = if is_outermost { index } else { 0 };
            while list.len() <= at {
                list.push(Value::Object(Map::new()));
            }
            let Some(element) = list.get_mut(at) else { return };
            place = element;
        }
    }
    let Value::Object(members) = place else { return };
    if !own.is_list {
        members.insert(own.name.to_owned(), value);
    } else if let Value::Array(list) = members.entry(own.name).or_insert_with(|| Value::Array(Vec::new())) {
        list.push(value);
    }
}

/// Returns the fields that hold texts.
const fn text_fields(members: &ErrorFields) -> [&ErrorField; 8] {
    let ErrorFields { message, reason, location, location_type, rule, violation_message, domain, status, .. } = members;
    [message, reason, location, location_type, rule, violation_message, domain, status]
}

/// Adds the missing required fields of the objects on a path, with empty text. An object without them would not match
/// its type.
fn fill_required(value: &mut Value, path: &[Step]) {
    let Some((step, rest)) = path.split_first() else { return };
    match value {
        Value::Array(list) => list.iter_mut().for_each(|element| fill_required(element, path)),
        Value::Object(members) => {
            if step.is_required && !members.contains_key(step.name) {
                let element = if rest.is_empty() { Value::from("") } else { Value::Object(Map::new()) };
                let value = if step.is_list { Value::Array(vec![element]) } else { element };
                members.insert(step.name.to_owned(), value);
            }
            members.get_mut(step.name).into_iter().for_each(|inner| fill_required(inner, rest));
        }
        _ => {}
    }
}

/// Writes a constant into every existing object at the end of a path.
fn write_constant(value: &mut Value, path: &[Step], constant: &str) {
    match (value, path) {
        (Value::Array(list), _) => list.iter_mut().for_each(|element| write_constant(element, path, constant)),
        (Value::Object(members), [step]) => {
            members.insert(step.name.to_owned(), constant.into());
        }
        (Value::Object(members), [step, rest @ ..]) => {
            members.get_mut(step.name).into_iter().for_each(|inner| write_constant(inner, rest, constant));
        }
        _ => {}
    }
}

/// Returns the word of `google.rpc.Code` for a status. If several have the same status it is the most general one.
#[must_use]
pub const fn rpc_code_name(code: u16) -> &'static str {
    match code {
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 | 410 => "NOT_FOUND",
        408 | 504 => "DEADLINE_EXCEEDED",
        409 => "ABORTED",
        412 | 428 => "FAILED_PRECONDITION",
        416 => "OUT_OF_RANGE",
        429 => "RESOURCE_EXHAUSTED",
        499 => "CANCELLED",
        405 | 501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        400..=499 => "INVALID_ARGUMENT",
        500..=599 => "INTERNAL",
        _ => "UNKNOWN",
    }
}
