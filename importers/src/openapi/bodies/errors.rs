//! Errors of an operation: by status, by class of statuses, and the default.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::operation::ErrorCase;
use wireform_codegen::schema::shape::Short;

use super::ranges::Assumption;
use super::{body_type, resource};
use crate::lowering::{text, texts};
use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::media::Content;

/// Error response of an operation.
pub struct ErrorResponse<'d> {
    /// Status or class of statuses, in upper case.
    pub status: String,
    /// Type of the body.
    pub form: Option<Form<'d>>,
    /// Content of the body.
    pub content: Option<Content<'d>>,
    /// Media types of the body, unless JSON is the only one.
    pub content_types: Vec<String>,
    /// Description.
    pub doc: Option<String>,
    /// Headers.
    pub headers: Named<Parameter>,
    /// Node of the response.
    pub node: Node<'d>,
}

/// Returns the errors of an operation, most of which have the shared body that the API declares.
pub fn errors(
    operation: &str,
    failures: Vec<ErrorResponse<'_>>,
    shared: Option<&str>,
    own: bool,
) -> Named<Short<ErrorCase>> {
    let mut errors = Named::default();
    for mut failure in failures {
        let status = if failure.status == "DEFAULT" { "default".to_owned() } else { failure.status.clone() };
        let content = failure.content.take().filter(|_| failure.form.is_some());
        let error = error(failure, shared, own);
        let is_written = status != "default" || error != ErrorCase::default();
        if let Some(content) = &content {
            let (path, is_new) = (["errors", &status], !is_written);
            Assumption { content, path: &path, ty: "body", is_encoded: false, is_new }.report(operation, "");
        }
        if is_written {
            errors.insert(status, error.into());
        }
    }
    errors
}

/// Converts the response of an error.
fn error(failure: ErrorResponse<'_>, shared: Option<&str>, own: bool) -> ErrorCase {
    let ErrorResponse { form, content_types, doc, headers, node, .. } = failure;
    let mut error = ErrorCase { doc: text(doc), headers, ..ErrorCase::default() };
    let Some(mut form) = form else { return error };
    if std::mem::take(&mut form.nullable) && !form.is("any") {
        node.loss("null is left out: the body of an error cannot be null");
    }
    let is_shared = shared.is_some() && resource(&form) == shared;
    if is_shared && (!own || content_types.is_empty()) {
        if let (false, Some(node)) = (content_types.is_empty(), node.get("content")) {
            let types = content_types.join("`, `");
            node.note(format!(
                "`{types}` is left out: errors of the API are parsed as JSON, whatever their media type"
            ));
        }
        return error;
    }
    if own
        && shared.is_none()
        && content_types.is_empty()
        && form.ty.name() == Some("object")
        && node.text("x-wireform-error-body").is_none()
    {
        // Written if neither the error nor the API has a body.
        return error;
    }
    let (ty, mut keys) = body_type(&node, form, None);
    let lost = keys.retain(&[]);
    if !lost.is_empty() {
        node.loss(format!("`{}` is left out: not supported for bodies of errors", lost.join("`, `")));
    }
    error.body = Some(ty);
    error.content_types = texts(content_types);
    error
}
