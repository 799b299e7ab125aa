//! The parameters of a query, whose values are still encoded.

use wireform_runtime::operation::{Api, Expansion, Location, Operation, Parameter};
use wireform_validation::Unread;

use crate::auth::is_key;
use crate::percent::decode_form;
use crate::query::pairs;
use crate::settings::{Settings, UnknownParameters};

/// A parameter of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'q> {
    /// Which parameter it is.
    pub(crate) slot: Slot,
    /// The name as it came.
    pub(crate) raw: &'q str,
    /// The value, still encoded.
    pub(crate) value: &'q str,
    /// Whether it came by its name, rather than by an alias.
    pub(crate) by_name: bool,
}

/// A parameter that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// That of the operation with this place.
    Own(usize),
    /// That of every operation with this place.
    Standard(usize),
}

/// For how many names that nobody knows one like it is looked for: it takes longer than all else about them.
const MOST_SUGGESTIONS: usize = 8;

/// The parameters of a query that are known; others are told of, if they are refused. Beside those of the operation
/// there may be some that were looked at before.
pub(crate) fn known<'q>(
    query: Option<&'q str>,
    api: &'static Api,
    (operation, beside): (&'static Operation, &[&str]),
    settings: &Settings,
    unread: &mut Unread,
) -> Vec<Pair<'q>> {
    let (mut known, mut unknown) = (Vec::new(), 0);
    for (raw, value) in pairs(query) {
        let name = decode_form(raw);
        let found = name.as_deref().ok().and_then(|name| find(name, api, operation));
        match found {
            Some((slot, by_name)) => known.push(Pair { slot, raw, value, by_name }),
            None if settings.unknown_parameters == UnknownParameters::Ignore => {}
            None if is_key(operation, raw) => {}
            None if name.as_deref().is_ok_and(|name| beside.contains(&name)) => {}
            None => {
                let name = name.as_deref().unwrap_or(raw);
                unknown += 1;
                let suggests = unknown <= MOST_SUGGESTIONS;
                let like = if suggests { suggestion(name, api, operation, settings) } else { None };
                unread.unknown(name, like);
            }
        }
    }
    known
}

fn find(name: &str, api: &'static Api, operation: &'static Operation) -> Option<(Slot, bool)> {
    let place = |parameters: &'static [Parameter]| {
        let of_member = name.split_once('[').map(|(name, _)| name);
        let own = |parameter: &Parameter| if parameter.deep { of_member.unwrap_or(name) } else { name };
        let is = |parameter: &Parameter| {
            let has_members = matches!(parameter.expansion, Some(Expansion::Members(_)));
            parameter.location == Location::Query && !has_members && parameter.name.is(own(parameter))
        };
        let place = parameters.iter().position(is)?;
        let parameter = parameters.get(place)?;
        Some((place, parameter.name.name == own(parameter)))
    };
    let own = place(operation.parameters).map(|(place, by_name)| (Slot::Own(place), by_name));
    let standard = || place(api.standard).map(|(place, by_name)| (Slot::Standard(place), by_name));
    own.or_else(standard).or_else(|| member(name, operation).map(|place| (Slot::Own(place), true)))
}

/// The parameter of which this is a member: the first that has one of this name, or else the first that takes any.
fn member(name: &str, operation: &'static Operation) -> Option<usize> {
    let has = |takes: fn(&[&str], &str) -> bool| {
        operation.parameters.iter().position(|parameter| match parameter.expansion {
            Some(Expansion::Members(names)) => takes(names, name),
            _ => false,
        })
    };
    has(|names, name| names.contains(&name)).or_else(|| has(|names, _| names.is_empty()))
}

#[cold]
fn suggestion(
    name: &str,
    api: &'static Api,
    operation: &'static Operation,
    settings: &Settings,
) -> Option<&'static str> {
    let parameters = operation.parameters.iter().chain(api.standard);
    let names = parameters.filter(|parameter| parameter.location == Location::Query);
    wireform_runtime::fields::suggest(name, names.map(|parameter| parameter.name.spelled(settings.names)))
}
