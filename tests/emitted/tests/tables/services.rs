//! Services that ask a desk for every answer, and what the desk needs to know of the operations.

use std::fmt::Write as _;

use wireform_codegen::model::{Api, Group, Type};

use super::samples::{self, Extent};

/// Appends a service of the API: every function of every group asks the desk.
pub fn write(api: &Api, code: &mut String) {
    let name = &api.name;
    let service = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let _ = writeln!(code, "/// Answers every operation of the API `{name}` by asking a desk.");
    let _ = writeln!(code, "#[derive(Clone)]\npub struct {service}(pub Desk);");
    let mut open = vec![&api.groups];
    while let Some(group) = open.pop() {
        open.extend(&group.groups);
        if !group.operations.is_empty() {
            self::group(api, &service, group, code);
        }
    }
}

fn group(api: &Api, service: &str, group: &Group, code: &mut String) {
    let name = &api.name;
    let _ = writeln!(code, "impl ::{name}_server::service::{} for {service} {{", group.service_trait);
    for id in &group.operations {
        let operation = api.operation(*id);
        let request = format!("::{name}_server::requests::{}", operation.types.request);
        let (output, asked) = if api.requires_admission(*id) {
            (
                format!("::wireform_server::WriteResult<{request}>"),
                "let admission = context.assume_admitted(&request); Ok(admission.reply(self.0.ask(request, context).await?))",
            )
        } else if operation.has_list_entity_tag() {
            (format!("::wireform_server::ListResult<{request}>"), "self.0.list(request, context).await")
        } else {
            (
                format!("::wireform_server::Result<<{request} as ::wireform_runtime::Request>::Response>"),
                "self.0.ask(request, context).await",
            )
        };
        let _ = writeln!(
            code,
            "async fn {}(&self, request: {request}, context: &::wireform_server::Context) \
             -> {output} {{ {asked} }}",
            operation.method.ident
        );
    }
    code.push_str("}\n");
}

/// Appends a `Served` an operation, in the order of the schema.
pub fn list(api: &Api, code: &mut String) {
    for operation in &api.operations {
        let success = operation.responses.first().expect("an operation answers something");
        let response = success.ty.as_ref().map(|ty| {
            let Type::Resource(id) = ty else { panic!("no sample is known of an answer of type {ty:?}") };
            samples::resource(api, *id, Extent::Full).to_string()
        });
        let errors = operation.errors.iter().filter_map(|error| Some((error.status.exact()?, error.reason.as_deref())));
        let errors: Vec<_> = errors.collect();
        let _ = writeln!(
            code,
            "Served {{ api: {:?}, operation: {:?}, status: {}, response: {response:?}, errors: &{errors:?} }},",
            api.name, operation.name, success.status
        );
    }
}
