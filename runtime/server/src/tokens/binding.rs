//! Binding of a token: bytes that are authenticated with it.

use wireform_runtime::operation::Operation;
use wireform_runtime::{Naming, Request, RequestError, WireRequest};

use super::token_parameters::{self, pair_name};

/// Kind of a token that a list response returns: for its next page, or for the changes since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Page,
    Sync,
}

/// Binding of a token. Each part is prefixed with its length, so that no two bindings have the same bytes.
pub struct Binding(pub Vec<u8>);

impl Binding {
    /// Creates a binding to a request without the token itself, whose parameters except the free ones must stay the
    /// same.
    ///
    /// # Errors
    /// Returns an error if the request cannot be encoded, which does not happen to one that was received.
    pub fn new<R: Request>(kind: TokenKind, subject: &str, request: &R, free: &[&str]) -> Result<Self, RequestError> {
        let is_free = |name: &str| token_parameters::is_free(R::OPERATION, name, free);
        Self::with_free(kind, subject, request, &is_free)
    }

    /// Creates a binding to a request without the token itself, whose parameters except those for which `is_free` is
    /// true must stay the same.
    ///
    /// # Errors
    /// Returns an error if the request cannot be encoded, which does not happen to one that was received.
    pub fn with_free<R: Request>(
        kind: TokenKind,
        subject: &str,
        request: &R,
        is_free: &dyn Fn(&str) -> bool,
    ) -> Result<Self, RequestError> {
        let wire = request.to_wire(Naming::Specification)?;
        Ok(Self::from_wire(kind, subject, (R::API.name, R::API.version), R::OPERATION, &wire, is_free))
    }

    /// Creates a binding to all parts of a request but the free parameters, in an unambiguous encoding.
    fn from_wire(
        kind: TokenKind,
        subject: &str,
        api: (&str, &str),
        operation: &Operation,
        wire: &WireRequest,
        is_free: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut binding = Self(Vec::with_capacity(256));
        binding.push_part(&[match kind {
            TokenKind::Page => 1,
            // 2 was used for tokens without a filter.
            TokenKind::Sync => 3,
        }]);
        for part in [subject, api.0, api.1, operation.name] {
            binding.push_part(part.as_bytes());
        }
        let (path, query) = wire.target.split_once('?').unwrap_or((&wire.target, ""));
        binding.push_part(path.as_bytes());
        // Names of free parameters contain no encoded characters.
        for pair in query.split('&').filter(|pair| !pair.is_empty() && !is_free(pair_name(pair))) {
            binding.push_part(pair.as_bytes());
        }
        binding.push_part(b"");
        for (name, value) in wire.headers.iter().filter(|(name, _)| !is_free(name)) {
            binding.push_part(name.as_bytes());
            binding.push_part(value.as_bytes());
        }
        binding.push_part(b"");
        binding.push_part(wire.body.as_deref().unwrap_or_default());
        binding
    }

    /// Appends a part with its length, so that two lists of parts never have the same bytes.
    fn push_part(&mut self, part: &[u8]) {
        self.0.extend_from_slice(&(part.len() as u64).to_le_bytes());
        self.0.extend_from_slice(part);
    }
}
