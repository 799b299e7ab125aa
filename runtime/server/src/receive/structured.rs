//! Parameters that hold more than texts: a resource whose members are parameters of their own, or JSON.

use wireform_runtime::form::Form;
use wireform_runtime::{FromWire, json};
use wireform_validation::At;

use super::Parameters;
use super::form::Members;
use super::parameters::TWICE;
use super::query::{Pair, Slot};
use crate::percent::decode_form;

impl Parameters<'_, '_> {
    /// The value of a parameter that holds JSON, or, with a form, whose members have parameters of their own. What cannot
    /// be read is noted for the answer.
    pub fn structured<T: for<'de> FromWire<'de>>(&mut self, index: usize, form: Option<&'static Form>) -> Option<T> {
        let parameter = self.wire.operation.parameters.get(index)?;
        let pairs: Vec<Pair<'_>> =
            self.wire.query.iter().filter(|pair| pair.slot == Slot::Own(index)).copied().collect();
        let first = pairs.first()?;
        let at = At::parameter(parameter.name.name);
        let text = match form {
            Some(form) => members(form, &pairs),
            None if pairs.len() > 1 => {
                self.unread.unreadable(at, TWICE, "is given twice");
                return None;
            }
            None => decode_form(first.value).map(|text| text.into_owned().into_bytes()),
        };
        let read = text.map_err(str::to_owned).and_then(|text| json::from_slice(&text).map_err(|error| told(&error)));
        read.map_err(|message| self.unread.unreadable(at, "type", message)).ok()
    }

    /// The same where it must be there; something else stands in where it is not.
    pub fn required_structured<T: Default + for<'de> FromWire<'de>>(
        &mut self,
        index: usize,
        form: Option<&'static Form>,
    ) -> T {
        let is_there = self.wire.query.iter().any(|pair| pair.slot == Slot::Own(index));
        if let (false, Some(parameter)) = (is_there, self.wire.operation.parameters.get(index)) {
            self.unread.missing(At::parameter(parameter.name.name));
        }
        self.structured(index, form).unwrap_or_default()
    }
}

/// The members that stand in brackets, as JSON.
fn members(form: &'static Form, pairs: &[Pair<'_>]) -> Result<Vec<u8>, &'static str> {
    let mut object = Members::new(form);
    for pair in pairs {
        let name = decode_form(pair.raw)?;
        let member = name.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        match member.filter(|member| form.field(member).is_some()) {
            Some(member) => object.push(member, &decode_form(pair.value)?),
            None => return Err("must name one of its members in brackets"),
        }
    }
    Ok(object.finish())
}

/// What is wrong with a value, without the value.
fn told(error: &json::DecodeError) -> String {
    if error.path.is_empty() {
        "must be JSON of its type".to_owned()
    } else {
        format!("`{}` is not of its type", error.path)
    }
}
