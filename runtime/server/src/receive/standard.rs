//! Standard parameters of an API.

use std::borrow::Cow;

use wireform_runtime::__private::FromParameter;
use wireform_runtime::fields::Shape;
use wireform_runtime::operation::{Api, Parameter, Role};
use wireform_validation::__private::{Location, RequestReader};

use super::query::{ParameterRef, QueryPair};
use crate::context::ResponseOptions;
use wireform_runtime::http::percent::decode_form;

/// Parses the standard parameters about the response, and records violations.
pub(super) fn response_options(
    api: &'static Api,
    query: &[QueryPair<'_>],
    shape: Option<&'static Shape>,
    media: bool,
    unread: &mut RequestReader,
) -> ResponseOptions {
    let mut wanted = ResponseOptions { media, ..ResponseOptions::default() };
    for (at, pair) in query.iter().enumerate() {
        let ParameterRef::Standard(place) = pair.slot else { continue };
        let Some(parameter) = api.standard_parameters.get(place) else { continue };
        let name = parameter.name.name;
        let report = &mut |rule, message: Cow<'static, str>| unread.reject(Location::parameter(name), rule, message);
        if query.iter().take(at).any(|earlier| earlier.slot == pair.slot) {
            report("duplicate_parameter", "must not be repeated".into());
            continue;
        }
        match decode_form(pair.value) {
            Ok(value) => apply_parameter((api, parameter), value, shape, &mut wanted, report),
            Err(message) => report("type", message.into()),
        }
    }
    wanted
}

/// Applies a standard parameter, such as `fields` or `prettyPrint`, to the options of the response. Calls `report` with
/// the rule and the message of a violation.
fn apply_parameter(
    (api, parameter): (&Api, &Parameter),
    value: Cow<'_, str>,
    shape: Option<&'static Shape>,
    wanted: &mut ResponseOptions,
    report: &mut dyn FnMut(&'static str, Cow<'static, str>),
) {
    let (name, json) = (parameter.name.name, api.role_values.json);
    match parameter.role {
        Some(Role::Format) if value == api.role_values.media && wanted.media => {}
        Some(Role::Format) if value != json => report(name, format!("must be `{json}`").into()),
        Some(Role::Callback) => report(name, "JSONP responses are not supported".into()),
        Some(Role::PrettyPrint) => match bool::from_parameter(value) {
            Ok(pretty) => wanted.pretty = pretty,
            Err(error) => report("type", error.to_string().into()),
        },
        Some(Role::Fields) => {
            if let Err(error) = wanted.select(&value, shape) {
                report(name, error.to_string().into());
            }
        }
        // Keys and tokens were processed before, and the others have no effect.
        _ => {}
    }
}
