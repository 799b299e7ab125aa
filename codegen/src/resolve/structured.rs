//! Parameters that hold more than texts.

use super::parameters::is_text;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{ListStyle, Operation, Parameter, Resource, Type};

impl Tables<'_> {
    /// Refuses members that could not stand in a parameter of their own, and structured parameters that every operation
    /// takes, which no request has a member for.
    pub fn check_structured(
        &self,
        resources: &[Resource],
        standard: &[Parameter],
        operations: &[Operation],
        sink: &mut Sink,
    ) {
        if let (Some(parameter), Some(name)) =
            (standard.iter().find(|one| one.is_structured()), self.api.standard_parameters.first())
        {
            let message =
                format!("`{}` holds more than a text, which no parameter of every operation does", parameter.key);
            sink.report(Code::BadParameter, name.span, message).help("name its set under `parameters:` of operations");
        }
        if let (Some(parameter), Some(name)) =
            (standard.iter().find(|one| one.is_constant()), self.api.standard_parameters.first())
        {
            let message = format!("`{}` is a constant, which no parameter of every operation is", parameter.key);
            sink.report(Code::BadParameter, name.span, message).help("name its set under `parameters:` of operations");
        }
        let mut seen = std::collections::BTreeSet::new();
        let deep = operations.iter().flat_map(|operation| &operation.parameters);
        for parameter in deep.filter(|one| one.is_structured() && one.style != ListStyle::Json) {
            let Type::Resource(id) = parameter.ty else { continue };
            let Some(resource) = resources.get(id.0).filter(|_| seen.insert(id)) else { continue };
            for field in &resource.fields {
                let inner = match &field.ty {
                    Type::List(inner) => inner,
                    other => other,
                };
                if field.is_rest {
                    let message =
                        format!("`{}` with `rest` cannot stand in a parameter of this style", resource.name.wire);
                    sink.report(Code::BadParameter, field.span, message).help(
                        "leave `rest` out: its members would be parameters that nobody knows; `style: json` takes it",
                    );
                } else if !is_text(inner) {
                    let message = format!("`{}` cannot stand in a parameter of its own", field.name.wire);
                    sink.report(Code::BadParameter, field.span, message).help(
                        "a resource of this style has scalars, enums and lists of those; `style: json` takes more",
                    );
                }
            }
        }
    }
}
