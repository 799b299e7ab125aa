//! Encoding of error bodies.

use super::{ErrorDetail, ErrorReport};
use crate::operation::{ErrorMember, ErrorMembers, Step};
use crate::{Map, Value};

impl ErrorReport {
    /// Writes the body of an error with a status: every violation if the body has a list for them, else all messages in
    /// one text, with the location of the first. A field that the API does not declare is never written.
    #[must_use]
    pub fn write(&self, members: &ErrorMembers, code: u16) -> Value {
        let details = self.details_for(members);
        let mut writer = Writer { body: Value::Object(Map::new()), details: &details };
        let first = details.first().or(self.details.first());
        let single =
            |own: &Option<String>, of: fn(&ErrorDetail) -> &Option<String>| own.clone().or_else(|| of(first?).clone());
        let word = |member: &ErrorMember, word: &str| member.takes(word).then(|| word.to_owned());
        let known = |kind: Option<String>| kind.filter(|kind| members.location_type.takes(kind));
        writer.number(&members.code, code);
        writer.text(&members.message, self.sentence(members), |detail| {
            message_beside(members, &members.message, detail).or_else(|| self.message.clone())
        });
        let domain = members.profile.domain.and_then(|domain| word(&members.domain, domain));
        writer.text(&members.domain, domain.clone(), |_| domain.clone());
        writer.text(&members.reason, single(&self.reason, |of| &of.reason), |detail| detail.reason.clone());
        let message = self.joined().or_else(|| self.message.clone());
        writer.text(&members.violation_message, message, |detail| {
            message_beside(members, &members.violation_message, detail)
        });
        let kind = known(single(&self.location_type, |of| &of.location_type));
        writer.text(&members.location_type, kind, |detail| known(detail.location_type.clone()));
        writer.text(&members.location, single(&self.location, |of| &of.location), |detail| detail.location.clone());
        writer.text(&members.rule, single(&None, |of| &of.rule), |detail| detail.rule.clone());
        let status = word(&members.status, status_word(code));
        writer.text(&members.status, status.clone(), |_| status.clone());
        let mut body = writer.body;
        texts(members).iter().for_each(|member| complete(&mut body, member.path));
        members.kinds.iter().for_each(|(member, value)| fill(&mut body, member.path, value));
        body
    }

    /// Returns the message of the error: all messages, if no other field contains them.
    fn sentence(&self, members: &ErrorMembers) -> Option<String> {
        let joined = members.violation_message.is_none().then(|| self.joined()).flatten();
        joined.or_else(|| self.message.clone())
    }

    /// Returns the details for which lists get an element. An error without violations has one if only a list can
    /// represent it, or if the list is required.
    fn details_for(&self, members: &ErrorMembers) -> Vec<ErrorDetail> {
        if !self.details.is_empty() {
            return self.details.clone();
        }
        let listed = |member: &ErrorMember, text: &Option<String>| member.is_listed() && text.is_some();
        let required = |member: &ErrorMember| {
            let list = member.list().and_then(<[Step]>::last);
            list.is_some_and(|list| list.is_required)
        };
        let needs_list = listed(&members.reason, &self.reason)
            || listed(&members.location, &self.location)
            || listed(&members.message, &self.message)
            || texts(members).iter().any(|member| required(member));
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
    fn joined(&self) -> Option<String> {
        let messages: Vec<&str> = self.details.iter().filter_map(|detail| detail.message.as_deref()).collect();
        let text = messages.join("; ");
        match (text.is_empty(), self.more) {
            (true, _) => None,
            (false, 0) => Some(text),
            (false, 1) => Some(text + " (and 1 other violation)"),
            (false, more) => Some(format!("{text} (and {more} other violations)")),
        }
    }
}

/// Returns the message of a violation, without the location if that is a separate field of the same object.
fn message_beside(members: &ErrorMembers, member: &ErrorMember, detail: &ErrorDetail) -> Option<String> {
    let message = detail.message.clone()?;
    let is_beside = members.location.is_listed() && member.list() == members.location.list();
    let bare = detail
        .location
        .as_deref()
        .filter(|_| is_beside)
        .and_then(|location| message.strip_prefix(location).and_then(|rest| rest.strip_prefix(": ")));
    Some(bare.map(str::to_owned).unwrap_or(message))
}

/// Writer of a body.
struct Writer<'d> {
    body: Value,
    details: &'d [ErrorDetail],
}

impl Writer<'_> {
    fn text(&mut self, member: &ErrorMember, single: Option<String>, of: impl Fn(&ErrorDetail) -> Option<String>) {
        if member.is_listed() {
            for (index, detail) in self.details.iter().enumerate() {
                of(detail).into_iter().for_each(|text| put(&mut self.body, member, index, text.into()));
            }
        } else if let Some(text) = single {
            put(&mut self.body, member, 0, text.into());
        }
    }

    fn number(&mut self, member: &ErrorMember, number: u16) {
        let times = if member.is_listed() { self.details.len() } else { 1 };
        (0..times).for_each(|index| put(&mut self.body, member, index, number.into()));
    }
}

/// Writes a value at the end of a path. The outermost list on the path has an element for each violation, of which this
/// is one; nested lists have one element.
fn put(body: &mut Value, member: &ErrorMember, index: usize, value: Value) {
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
const fn texts(members: &ErrorMembers) -> [&ErrorMember; 8] {
    let ErrorMembers { message, reason, location, location_type, rule, violation_message, domain, status, .. } =
        members;
    [message, reason, location, location_type, rule, violation_message, domain, status]
}

/// Adds the missing required fields of the objects on a path, with empty text. An object without them would not match
/// its type.
fn complete(value: &mut Value, path: &[Step]) {
    let Some((step, rest)) = path.split_first() else { return };
    match value {
        Value::Array(list) => list.iter_mut().for_each(|element| complete(element, path)),
        Value::Object(members) => {
            if step.is_required && !members.contains_key(step.name) {
                let element = if rest.is_empty() { Value::from("") } else { Value::Object(Map::new()) };
                let value = if step.is_list { Value::Array(vec![element]) } else { element };
                members.insert(step.name.to_owned(), value);
            }
            members.get_mut(step.name).into_iter().for_each(|inner| complete(inner, rest));
        }
        _ => {}
    }
}

/// Writes a constant into every existing object at the end of a path.
fn fill(value: &mut Value, path: &[Step], constant: &str) {
    match (value, path) {
        (Value::Array(list), _) => list.iter_mut().for_each(|element| fill(element, path, constant)),
        (Value::Object(members), [step]) => {
            members.insert(step.name.to_owned(), constant.into());
        }
        (Value::Object(members), [step, rest @ ..]) => {
            members.get_mut(step.name).into_iter().for_each(|inner| fill(inner, rest, constant));
        }
        _ => {}
    }
}

/// Returns the word of `google.rpc.Code` for a status. If several have the same status it is the most general one.
#[must_use]
pub const fn status_word(code: u16) -> &'static str {
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
