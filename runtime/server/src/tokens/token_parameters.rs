//! Filter of a list, which a sync token carries to the next request: a client need not repeat it, and cannot change it.

use std::borrow::Cow;

use wireform_runtime::operation::{Delimiter, Operation};
use wireform_runtime::{__private::ParameterTexts, Naming, ParameterError, RequestError, Syncable};

use wireform_runtime::http::percent::decode_form;

/// Parameters of a query, still encoded, each with its name.
pub(super) type TokenParameters = Vec<(String, String)>;

/// Mismatch of a filter and a request.
#[derive(Debug)]
pub(super) enum Mismatch {
    /// The request has another value for the parameter with that name.
    Changed(&'static str),
    /// The filter does not belong to the operation.
    Foreign,
}

/// Returns the parameters of a request that a token carries.
///
/// # Errors
/// Returns an error if the request cannot be encoded, which does not happen to one that was received.
pub(super) fn from_request<R: Syncable>(request: &R, free: &[&str]) -> Result<TokenParameters, RequestError> {
    let wire = request.to_wire(Naming::Specification)?;
    let query = wire.target.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split('&').filter(|pair| is_token_parameter::<R>(pair_name(pair), free));
    Ok(pairs.map(|pair| pair.split_once('=').unwrap_or((pair, ""))).map(owned).collect())
}

/// Copies a name and a value.
fn owned((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Returns whether sync tokens carry this parameter, which must not be free.
fn is_token_parameter<R: Syncable>(name: &str, free: &[&str]) -> bool {
    R::TOKEN_PARAMETERS.iter().any(|carried| carried.name == name) && !is_free(R::OPERATION, name, free)
}

/// Returns whether the parameter may change, by any of its names.
pub(super) fn is_free(operation: &Operation, name: &str, free: &[&str]) -> bool {
    let mut parameters = operation.parameters.iter();
    parameters.any(|parameter| parameter.name.name == name && free.iter().any(|free| parameter.name.matches(free)))
}

/// Adds those parameters of the filter to a request that it lacks.
///
/// # Errors
/// Returns an error if the request has other values.
pub(super) fn merge_parameters<R: Syncable>(
    request: &mut R,
    filter: &TokenParameters,
    free: &[&str],
) -> Result<(), Mismatch> {
    let own = from_request(request, free).map_err(|_| Mismatch::Foreign)?;
    let values = |of: &TokenParameters, name: &str| -> Vec<String> {
        of.iter().filter(|(other, _)| other == name).map(|(_, value)| value.clone()).collect()
    };
    for carried in R::TOKEN_PARAMETERS {
        let (given, earlier) = (values(&own, carried.name), values(filter, carried.name));
        if given.is_empty() && !earlier.is_empty() {
            let mut texts = ParameterValues::of(R::OPERATION, carried.name, &earlier).ok_or(Mismatch::Foreign)?;
            request.inherit_parameter(carried.name, &mut texts);
            if texts.is_refused {
                return Err(Mismatch::Foreign);
            }
        } else if given != earlier && !carried.can_change {
            return Err(Mismatch::Changed(carried.name));
        }
    }
    Ok(())
}

/// Values of one parameter.
struct ParameterValues {
    texts: std::vec::IntoIter<String>,
    is_refused: bool,
}

impl ParameterValues {
    /// Decodes the values of a parameter, split at commas if it is a list; `None` if it is unknown or malformed.
    fn of(operation: &Operation, name: &str, values: &[String]) -> Option<Self> {
        let parameter = operation.parameters.iter().find(|parameter| parameter.name.name == name)?;
        let has_commas = matches!(parameter.delimiter, Some(Delimiter::Comma));
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            // An encoded comma is part of a value.
            let parts: Vec<&str> = if has_commas { value.split(',').collect() } else { vec![value] };
            for part in parts {
                texts.push(decode_form(part).ok()?.into_owned());
            }
        }
        Some(Self { texts: texts.into_iter(), is_refused: false })
    }
}

impl<'t> ParameterTexts<'t> for ParameterValues {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        self.texts.next().map(Cow::Owned)
    }

    fn reject(&mut self, _error: ParameterError) {
        self.is_refused = true;
    }

    fn report_missing(&mut self) {
        self.is_refused = true;
    }
}

/// Returns the name in `name=value`.
pub(super) fn pair_name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name)
}
