//! Conditional writes, whose clients need a read that returns the entity tag.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Conditional, Operation, Type, path_key};

impl Tables<'_> {
    /// Warns of writes with `if_match` whose reads have no `if_none_match`.
    pub fn check_etags(&self, operations: &[Operation], sink: &mut Sink) {
        let is_write = |operation: &&Operation| {
            is_known(operation)
                && !operation.safe
                && operation.body.is_some()
                && operation.conditional.contains(&Conditional::IfMatch)
        };
        for write in operations.iter().filter(is_write) {
            let reads = |read: &&Operation| {
                let is_same = response_type(read) == response_type(write) && path_key(read) == path_key(write);
                read.http.method == "GET" && is_known(read) && is_same
            };
            let Some(read) = operations.iter().find(reads) else { continue };
            let is_conditional = read.conditional.contains(&Conditional::IfNoneMatch);
            if let (false, Some((key, _)), Some((other, _))) = (is_conditional, self.written(write), self.written(read))
            {
                let message = format!("`{}` accepts `If-Match`, but `{}` has no `if_none_match`", key.text, other.text);
                sink.report(Code::UnreadEtag, key.span, message)
                    .related(other.span, "the operation that reads the resource")
                    .help(format!("add `conditional: [if_none_match]` to `{}`", other.text))
                    .help("add `allow: [W0316]` to the write if clients get the ETag in another way");
            }
        }
    }
}

/// Returns the resource of a successful response, if it has one.
fn response_type(operation: &Operation) -> Option<&Type> {
    operation.response_type().filter(|ty| matches!(ty, Type::Resource(_)))
}

/// Returns whether all responses could be resolved.
fn is_known(operation: &Operation) -> bool {
    operation.responses.iter().all(|response| response.ty != Some(Type::Unresolved))
}
