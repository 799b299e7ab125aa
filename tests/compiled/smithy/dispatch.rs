//! Generates the part of the runner that depends on the operations: constructors of requests, and a service.

use std::fmt::Write as _;

use wireform_codegen::model::{Api, Operation, Parameter, Type};

/// Returns a function `run` that builds the request of a task, and a `Service` that delegates to a desk.
pub fn write(api: &Api) -> String {
    let mut code = String::from(
        "//! Every operation, by its name.\n\nuse smithy_server::requests;\n\n\
         use crate::server::Desk;\nuse crate::task::{Done, Task};\n\n\
         /// Does a task.\npub async fn run(task: &Task) -> Done {\n    match task.operation.as_str() {\n",
    );
    for operation in &api.operations {
        let request = format!("requests::{}", operation.types.request);
        let _ = writeln!(
            code,
            "        {:?} => Box::pin(crate::run::<{request}>(task, |from| {{ let _ = &from; {request} {{ {} }} }})).await,",
            operation.name,
            members(operation)
        );
    }
    code.push_str("        other => panic!(\"{other} is no operation\"),\n    }\n}\n\n");
    code.push_str("/// Answers every operation by asking a desk.\npub struct Service(pub Desk);\n\n");
    let _ = writeln!(code, "impl smithy_server::service::{} for Service {{", api.groups.service_trait);
    for id in &api.groups.operations {
        let operation = api.operation(*id);
        let request = format!("requests::{}", operation.types.request);
        let _ = writeln!(
            code,
            "    async fn {}(&self, request: {request}, context: &wireform_server::Context) \
             -> wireform_server::Result<<{request} as wireform_runtime::Request>::Response> \
             {{ self.0.ask(request, context).await }}",
            operation.method.ident
        );
    }
    code.push_str("}\n");
    code
}

fn members(operation: &Operation) -> String {
    let parameters = operation.parameters.iter().enumerate();
    let mut members: Vec<String> = parameters
        .map(|(index, parameter)| format!("{}: from.take({index}, {:?})", parameter.name.ident, example(parameter)))
        .collect();
    members.extend(operation.body.iter().map(|_| "body: from.body()".to_owned()));
    members.join(", ")
}

/// Returns the value of a required parameter that the case omits.
fn example(parameter: &Parameter) -> &'static str {
    match parameter.ty {
        Type::Bool => "true",
        Type::String => "\"a\"",
        Type::DateTime => "\"2000-01-01T00:00:00Z\"",
        _ => "1",
    }
}
