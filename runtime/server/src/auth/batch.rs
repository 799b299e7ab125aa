//! Authentication of the head of a batch, which is for no operation itself.

use http::StatusCode;
use http::request::Parts;
use wireform_runtime::operation::{Operation, ScopeNeed};

use super::enforce::{AuthGate, Scoped, is_open};
use super::{Authenticator, Principal};
use crate::contract::Contract;
use crate::error::Error;

/// Returns one operation for each way to authenticate that the operations of an API have, with those that let
/// anybody in at the end.
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

/// Whether a credential that is good for one operation is good for the other, scopes aside.
fn authenticates_alike(one: &Operation, other: &Operation) -> bool {
    match (one.scopes, other.scopes) {
        (ScopeNeed::Schemes(ways), ScopeNeed::Schemes(others)) => ways == others,
        (ScopeNeed::Schemes(_), _) | (_, ScopeNeed::Schemes(_)) => false,
        _ => one.api_key == other.api_key && is_open(one.scopes) == is_open(other.scopes),
    }
}

impl<A: Authenticator> AuthGate<A> {
    /// Returns the principal that sends a batch: one whom some operation of the API would let in, scopes aside. Each
    /// part is authenticated by itself afterwards, with its scopes.
    ///
    /// # Errors
    /// What the first kind of operation answers to such a credential: 401 in most cases, and 503 where the credential
    /// cannot be looked up.
    pub(crate) async fn admit_batch(&self, parts: &Parts) -> Result<Principal, Error> {
        let mut refusal = None;
        for operation in &self.representatives {
            match self.authenticate(operation, parts, Scoped::No).await {
                Ok(principal) => return Ok(principal),
                Err(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => return Err(error),
                Err(error) => _ = refusal.get_or_insert(error),
            }
        }
        Err(refusal.unwrap_or_else(|| Error::not_found("the API has no operations")))
    }
}
