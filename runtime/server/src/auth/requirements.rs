//! Authentication requirements of operations.

use wireform_runtime::operation::{AuthRequirement, Operation, ParameterLocation, SchemeRequirement};

use crate::contract::Contract;
use crate::error::{Error, ErrorLocation};

/// Requirements that must all be met.
pub(super) type Alternative = &'static [SchemeRequirement];

/// Returns the alternatives of an operation, if it declares its own.
pub(super) const fn alternatives(operation: &Operation) -> Option<&'static [Alternative]> {
    match operation.scopes {
        AuthRequirement::Schemes(alternatives) => Some(alternatives),
        _ => None,
    }
}

/// Returns whether an operation requires no scope.
pub(super) fn is_public(need: AuthRequirement) -> bool {
    match need {
        AuthRequirement::None | AuthRequirement::AnyOf([]) | AuthRequirement::AllOf([]) => true,
        AuthRequirement::Schemes(alternatives) => alternatives.iter().any(|alternative| alternative.is_empty()),
        AuthRequirement::AnyOf(_) | AuthRequirement::AllOf(_) => false,
    }
}

/// Returns one operation for each kind of authentication of an API, public ones last.
pub(super) fn representatives(contracts: &[&'static Contract]) -> Vec<&'static Operation> {
    let mut found: Vec<&'static Operation> = Vec::new();
    for operation in contracts.iter().map(|contract| contract.operation) {
        if !found.iter().any(|known| has_same_authentication(known, operation)) {
            found.push(operation);
        }
    }
    found.sort_by_key(|operation| is_public(operation.scopes));
    found
}

/// Returns whether a credential that one operation accepts is accepted by the other, scopes aside.
fn has_same_authentication(one: &Operation, other: &Operation) -> bool {
    match (one.scopes, other.scopes) {
        (AuthRequirement::Schemes(alternatives), AuthRequirement::Schemes(others)) => alternatives == others,
        (AuthRequirement::Schemes(_), _) | (_, AuthRequirement::Schemes(_)) => false,
        _ => one.api_key == other.api_key && is_public(one.scopes) == is_public(other.scopes),
    }
}

/// Creates the error of a request that has a credential more than once: a 400 at the header, parameter or cookie.
#[cold]
pub(super) fn repeated_credential(location: ParameterLocation, name: &'static str) -> Error {
    let (part, at) = match location {
        ParameterLocation::Query | ParameterLocation::Path => ("parameter", ErrorLocation::Parameter(name.into())),
        ParameterLocation::Header => ("header", ErrorLocation::Header(name.into())),
        ParameterLocation::Cookie => ("cookie", ErrorLocation::Header("Cookie".into())),
    };
    Error::bad_request(format!("the request has more than one {part} `{name}`; send it once")).with_location(at)
}
