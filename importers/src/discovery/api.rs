//! API-wide definitions: URLs, scopes, and the parameters of every method.

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::file::File;

use super::importer::Importer;
use super::members::{self, MemberLocation};
use super::{document_error, methods, profile, resources, scopes, urls};
use crate::ImportError;
use crate::lowering::{DefinitionPath, text, texts};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::prose;

/// Keys that are imported.
const KNOWN: [&str; 16] = [
    "auth",
    "basePath",
    "baseUrl",
    "batchPath",
    "description",
    "endpoints",
    "features",
    "methods",
    "mtlsRootUrl",
    "name",
    "parameters",
    "resources",
    "rootUrl",
    "schemas",
    "servicePath",
    "title",
];

/// Keys that describe the document and its publisher, and not the API.
pub const PUBLISHER: [&str; 15] = [
    "canonicalName",
    "discoveryVersion",
    "documentationLink",
    "etag",
    "fullyEncodeReservedExpansion",
    "icons",
    "id",
    "kind",
    "labels",
    "ownerDomain",
    "ownerName",
    "packagePath",
    "revision",
    "version",
    "version_module",
];

/// Feature that wraps every body in an object with the only member `data`.
const DATA_WRAPPER: &str = "dataWrapper";

/// Returns whether every body is wrapped in an object.
pub fn wraps_data(document: &Node<'_>) -> bool {
    document.list("features").iter().any(|feature| feature.read_text() == Some(DATA_WRAPPER))
}

/// Creates the file of the API, with its scopes and the parameters of every method.
pub fn write(document: &Node<'_>, name: &str) -> Result<File, ImportError> {
    let known: Vec<&str> = KNOWN.iter().chain(&PUBLISHER).copied().chain(["protocol"]).collect();
    document.report_unknown(&known);
    if let Some(protocol) = document.text("protocol").filter(|protocol| *protocol != "rest") {
        return Err(document_error(
            "/protocol",
            format!("unsupported protocol `{}`; expected `rest`", protocol.escape_debug()),
        ));
    }
    for feature in document.list("features").iter().filter(|feature| feature.value.text() != Some(DATA_WRAPPER)) {
        feature.whole_loss("left out: unknown feature");
    }
    let what = "`profile` is that of the publisher of these documents: reasons of errors, rate limits and request ids";
    document.guess(what, "off", "change: { profile: null }");
    let paragraph = |key: &str| text(document.text(key).and_then(prose::paragraph));
    let mut file = File {
        api: text(Some(name)),
        version: paragraph("version"),
        title: paragraph("title"),
        doc: text(document.prose("description")),
        profile: Some(profile::profile()),
        ..File::default()
    };
    urls::write(document, &mut file)?;
    Ok(file)
}

/// Adds what depends on all methods: the scopes and the parameter sets.
pub fn finish<'d>(importer: &mut Importer<'d>, file: &mut File, document: &Node<'d>) {
    file.scopes = scopes::declarations(importer, document);
    file.scope_base = text((!file.scopes.is_empty()).then_some(scopes::SCOPE_BASE));
    let shadowed = methods::overridden_standard(document);
    let (replaced, all): (Vec<_>, Vec<_>) =
        parameters(importer, document).into_iter().partition(|(name, _)| shadowed.contains(name));
    if !all.is_empty() {
        file.parameter_sets.push(methods::STANDARD, all.into_iter().collect());
        file.standard_parameters = texts([methods::STANDARD]);
    }
    if !replaced.is_empty() {
        // Only parameters of every operation have roles.
        let plain = replaced.into_iter().map(|(name, parameter)| (name, Parameter { role: None, ..parameter }));
        file.parameter_sets.push(methods::OVERRIDDEN, plain.collect());
    }
}

/// Converts the query parameters that all methods share.
fn parameters<'d>(importer: &mut Importer<'d>, document: &Node<'d>) -> Vec<(&'d str, Parameter)> {
    let mut taken = NameScope::default();
    let mut found = Vec::new();
    for (wire, node) in document.objects("parameters") {
        if !methods::is_query(&node) {
            continue;
        }
        importer.lowering.counts.global_parameters += 1;
        let name = taken.explicit_name(wire, Casing::Member, "parameter", names::parameter);
        node.note_name(name.as_deref());
        let place = DefinitionPath {
            bucket: "parameters".to_owned(),
            owner: "Standard".to_owned(),
            name: format!("Standard{}", names::pascal(wire)),
            parts: Vec::new(),
            member: String::new(),
        };
        let mut parameter = members::parameter(importer, &node, &place, name, MemberLocation::Query);
        parameter.role = profile::role(wire, &node, &parameter);
        found.push((wire, parameter));
        resources::write_inline(importer);
    }
    found
}
