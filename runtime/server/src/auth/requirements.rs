//! Authentication requirements of operations.

use wireform_runtime::operation::{Demand, Operation, ScopeNeed};

use crate::contract::Contract;

/// Requirements that must all be met.
pub(super) type Alternative = &'static [Demand];

/// Returns the alternatives of an operation, if it declares its own.
pub(super) const fn alternatives(operation: &Operation) -> Option<&'static [Alternative]> {
    match operation.scopes {
        ScopeNeed::Schemes(alternatives) => Some(alternatives),
        _ => None,
    }
}

/// Returns whether an operation requires no scope.
pub(super) fn is_open(need: ScopeNeed) -> bool {
    match need {
        ScopeNeed::None | ScopeNeed::AnyOf([]) | ScopeNeed::AllOf([]) => true,
        ScopeNeed::Schemes(alternatives) => alternatives.iter().any(|alternative| alternative.is_empty()),
        ScopeNeed::AnyOf(_) | ScopeNeed::AllOf(_) => false,
    }
}

/// Returns one operation for each kind of authentication of an API, public ones last.
pub(super) fn representatives(contracts: &[&'static Contract]) -> Vec<&'static Operation> {
    let mut found: Vec<&'static Operation> = Vec::new();
    for operation in contracts.iter().map(|contract| contract.operation) {
        if !found.iter().any(|known| authenticates_alike(known, operation)) {
            found.push(operation);
        }
    }
    found.sort_by_key(|operation| is_open(operation.scopes));
    found
}

/// Returns whether a credential that one operation accepts is accepted by the other, scopes aside.
fn authenticates_alike(one: &Operation, other: &Operation) -> bool {
    match (one.scopes, other.scopes) {
        (ScopeNeed::Schemes(alternatives), ScopeNeed::Schemes(others)) => alternatives == others,
        (ScopeNeed::Schemes(_), _) | (_, ScopeNeed::Schemes(_)) => false,
        _ => one.api_key == other.api_key && is_open(one.scopes) == is_open(other.scopes),
    }
}
