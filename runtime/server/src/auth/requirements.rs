//! Authentication requirements of operations.

use wireform_runtime::operation::{AuthRequirement, Operation, SchemeRequirement};

use crate::contract::Contract;

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
