//! Parameters of a query, whose values are still encoded.

use wireform_runtime::operation::{Api, Expansion, Operation, Parameter, ParameterLocation};
use wireform_validation::__private::RequestReader;

use crate::auth::is_key_parameter;
use crate::query::pairs;
use crate::settings::{Settings, UnknownParameters};
use wireform_runtime::http::percent::decode_form;

/// Parameter of the query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueryPair<'q> {
    /// Definition of the parameter.
    pub(crate) slot: ParameterRef,
    /// Name as received.
    pub(crate) raw: &'q str,
    /// Value, still encoded.
    pub(crate) value: &'q str,
    /// True if the parameter was sent by its name, rather than by an alias.
    pub(crate) by_name: bool,
}

/// Definition of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterRef {
    /// Parameter of the operation, by its index.
    Operation(usize),
    /// Standard parameter, by its index.
    Standard(usize),
}

/// Maximum number of unknown names for which a similar one is suggested: the search is expensive.
const MAX_SUGGESTIONS: usize = 8;

/// Returns the known parameters of a query, and reports unknown ones if they are refused. The result may include
/// standard parameters that were processed before.
pub(crate) fn known_parameters<'q>(
    query: Option<&'q str>,
    api: &'static Api,
    (operation, own_parameters): (&'static Operation, &[&str]),
    settings: &Settings,
    unread: &mut RequestReader,
) -> Vec<QueryPair<'q>> {
    let (mut known, mut unknown) = (Vec::new(), 0);
    for (raw, value) in pairs(query) {
        let name = decode_form(raw);
        let found = name.as_deref().ok().and_then(|name| find_parameter(name, api, operation));
        match found {
            Some((slot, by_name)) => known.push(QueryPair { slot, raw, value, by_name }),
            None if settings.unknown_parameters == UnknownParameters::Ignore => {}
            None if is_key_parameter(operation, raw) => {}
            None if name.as_deref().is_ok_and(|name| own_parameters.contains(&name)) => {}
            None => {
                let name = name.as_deref().unwrap_or(raw);
                unknown += 1;
                let suggests = unknown <= MAX_SUGGESTIONS;
                let like = if suggests { suggestion(name, api, operation, settings) } else { None };
                unread.unknown_parameter(name, like);
            }
        }
    }
    known
}

/// Finds a parameter of the operation, else of the API, and whether the text is its name instead of an alias.
fn find_parameter(name: &str, api: &'static Api, operation: &'static Operation) -> Option<(ParameterRef, bool)> {
    let place = |parameters: &'static [Parameter]| {
        let of_member = name.split_once('[').map(|(name, _)| name);
        let own = |parameter: &Parameter| if parameter.deep_object { of_member.unwrap_or(name) } else { name };
        let is = |parameter: &Parameter| {
            let has_members = matches!(parameter.expansion, Some(Expansion::Members(_)));
            parameter.location == ParameterLocation::Query && !has_members && parameter.name.matches(own(parameter))
        };
        let place = parameters.iter().position(is)?;
        let parameter = parameters.get(place)?;
        Some((place, parameter.name.name == own(parameter)))
    };
    let own = place(operation.parameters).map(|(place, by_name)| (ParameterRef::Operation(place), by_name));
    let standard = || place(api.standard_parameters).map(|(place, by_name)| (ParameterRef::Standard(place), by_name));
    own.or_else(standard)
        .or_else(|| find_by_member(name, operation).map(|place| (ParameterRef::Operation(place), true)))
}

/// Returns the parameter that has a field with this name: the first one that declares it, otherwise the first one that
/// accepts any.
fn find_by_member(name: &str, operation: &'static Operation) -> Option<usize> {
    let has = |takes: fn(&[&str], &str) -> bool| {
        operation.parameters.iter().position(|parameter| match parameter.expansion {
            Some(Expansion::Members(names)) => takes(names, name),
            _ => false,
        })
    };
    has(|names, name| names.contains(&name)).or_else(|| has(|names, _| names.is_empty()))
}

/// Returns the known parameter whose name is most similar to an unknown one.
#[cold]
fn suggestion(
    name: &str,
    api: &'static Api,
    operation: &'static Operation,
    settings: &Settings,
) -> Option<&'static str> {
    let parameters = operation.parameters.iter().chain(api.standard_parameters);
    let names = parameters.filter(|parameter| parameter.location == ParameterLocation::Query);
    wireform_runtime::fields::suggest_similar(name, names.map(|parameter| parameter.name.name_in(settings.names)))
}
