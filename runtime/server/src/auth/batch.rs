//! Authentication of the head of a batch, which is not the call of an operation itself.

use http::StatusCode;
use http::request::Parts;

use super::Principal;
use super::gate::{AuthGate, ScopeCheck};
use crate::error::Error;

impl AuthGate {
    /// Returns the principal of a batch: one that some operation of the API accepts, scopes aside. Each part is
    /// authenticated separately afterwards, with its scopes.
    ///
    /// # Errors
    /// Returns the error of the first kind of authentication: a 401 in most cases. Returns a 503 if the credential
    /// cannot be checked.
    pub(crate) async fn admit_batch(&self, parts: &Parts) -> Result<Principal, Error> {
        let mut refusal = None;
        for operation in &self.representatives {
            match self.authenticate(operation, parts, ScopeCheck::Skip).await {
                Ok(principal) => return Ok(principal),
                Err(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => return Err(error),
                Err(error) => _ = refusal.get_or_insert(error),
            }
        }
        Err(refusal.unwrap_or_else(|| Error::not_found("the API has no operations")))
    }
}
