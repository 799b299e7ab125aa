//! Files, which occur only in multipart forms, each as a part of its own.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Codec, Encoding, Field, Operation, Resource, ResourceId, Response, Type, Union};

/// Returns whether a value is a file.
pub fn is_file(ty: &Type) -> bool {
    *ty == Type::Bytes(Encoding::File)
}

impl Tables<'_> {
    /// Reports files that cannot be sent: in a list of lists or a map, in a nested field, in JSON, in a response.
    pub fn check_files(&self, resources: &[Resource], unions: &[Union], operations: &[Operation], sink: &mut Sink) {
        for (index, resource) in resources.iter().enumerate() {
            let files: Vec<_> = resource.fields.iter().filter(|field| is_file(field.ty.innermost_type())).collect();
            let Some(first) = files.first() else { continue };
            let one_by_one = |ty: &Type| is_file(ty) || matches!(ty, Type::List(inner) if is_file(inner));
            let is_sent = |field: &Field| match &field.ty {
                // Each of the other fields is a part of its own.
                Type::Map(inner) if field.is_rest => one_by_one(inner),
                ty => one_by_one(ty),
            };
            if let Some(field) = files.iter().find(|field| !is_sent(field)) {
                reject(field.span, "a file must be a field or an element of a list", sink);
            } else if let Some(field) = files.iter().find(|field| field.default.is_some() || field.example.is_some()) {
                reject(field.span, "a file cannot have a default or an example", sink);
            } else if !self.is_form(ResourceId(index), resources, unions, operations) {
                reject(first.span, "a resource with a file is used outside of `multipart/form-data`", sink);
            }
        }
        for union in unions.iter().filter(|union| union.variants.iter().any(|one| is_file(one.ty.innermost_type()))) {
            reject(union.span, "a file cannot be a variant of a union", sink);
        }
        for operation in operations {
            let bodies = operation.bodies().map(|body| &body.ty);
            let responses = operation.responses.iter().flat_map(Response::types);
            let errors = operation.errors.iter().filter_map(|error| error.body.as_ref());
            if bodies.chain(responses).chain(errors).any(|ty| is_file(ty.innermost_type())) {
                let written = self.operation_ids.get(operation.name.as_str()).and_then(|id| self.operations.get(id.0));
                let span = written.map_or_else(Span::default, |(_, def)| def.http.span);
                reject(span, "`file` cannot be the type of a whole body: use `bytes`", sink);
            }
        }
    }

    /// Returns whether a resource is used only as the body of multipart forms.
    fn is_form(&self, id: ResourceId, resources: &[Resource], unions: &[Union], operations: &[Operation]) -> bool {
        let is = |ty: &Type| *ty.innermost_type() == Type::Resource(id);
        let held = resources.iter().any(|resource| resource.fields.iter().any(|field| is(&field.ty)))
            || unions.iter().any(|union| union.variants.iter().any(|variant| is(&variant.ty)));
        let response = operations.iter().any(|operation| {
            operation.responses.iter().flat_map(Response::types).any(is)
                || operation.errors.iter().any(|error| error.body.as_ref().is_some_and(is))
        });
        let parts = |media_type: &String| Codec::of(media_type) == Some(Codec::Multipart);
        let mut bodies = operations.iter().flat_map(Operation::bodies).filter(|body| is(&body.ty));
        !held && !response && bodies.all(|body| body.content_types.iter().all(parts))
    }
}

/// Reports an unsupported use of a file, with the kind of body that takes files as help.
fn reject(span: Span, message: &str, sink: &mut Sink) {
    sink.report(Code::BadBody, span, message)
        .help("use `content_types: [multipart/form-data]` for a body with files, and `bytes` for other binary data");
}
