//! XML representation of values.

use std::collections::HashMap;

use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Body, Field, Operation, Resource, Response, Type, Union, Xml, XmlFacts, XmlTypes, xml as model};
use crate::schema::read::Located;
use crate::schema::{Text, xml};

/// Subject of XML facts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of<'t> {
    /// Resource.
    Resource,
    /// Field of a resource, and whether it is nullable.
    Member(&'t Type, bool),
    /// Body or response, and whether it can be XML.
    Body(&'t Type, bool),
}

/// Resolves XML facts.
pub(super) fn facts(written: Option<&xml::Xml>, of: Of<'_>, sink: &mut Sink) -> XmlFacts {
    let Some(written) = written else { return XmlFacts::default() };
    let said = |flag: Option<Located<bool>>| flag.filter(|flag| flag.value).map(|flag| flag.span);
    let (attribute, text, wrapped) = (said(written.attribute), said(written.text), said(written.wrapped));
    check_names(written, sink);
    check_place(written, (attribute, text, wrapped), of, sink);
    let owned = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Xml {
        span: written.span,
        name: owned(&written.name),
        prefix: owned(&written.prefix),
        namespace: owned(&written.namespace),
        attribute: attribute.is_some(),
        text: text.is_some(),
        wrapped: wrapped.is_some(),
        items: owned(&written.items),
    }
    .into()
}

/// Namespace of `nil`.
const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Namespaces of the reserved prefixes `xml` and `xmlns`.
const OWN_NAMESPACES: [&str; 2] = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2000/xmlns/"];

/// Maximum length of a namespace in bytes.
const MAX_NAMESPACE: usize = 1024;

fn check_names(written: &xml::Xml, sink: &mut Sink) {
    for name in [&written.name, &written.prefix, &written.items].into_iter().flatten() {
        if !model::is_name(&name.text) {
            let message = format!("`{}` cannot be a name in XML", name.text.escape_debug());
            let report = sink.report(Code::BadXml, name.span, message);
            report.help(match name.text.split_once(':') {
                Some((prefix, local)) if model::is_name(prefix) && model::is_name(local) => {
                    format!("write `name: {local}` and `prefix: {prefix}`")
                }
                _ => "a name begins with a letter or `_`, and has letters, digits, `_`, `-` and `.`".to_owned(),
            });
        }
    }
    if let Some(prefix) = written.prefix.as_ref().filter(|prefix| prefix.text.to_ascii_lowercase().starts_with("xml")) {
        sink.report(Code::BadXml, prefix.span, format!("`{}` is a prefix of XML itself", prefix.text.escape_debug()))
            .help("choose another prefix: it has no meaning of its own");
    }
    match (&written.prefix, &written.namespace) {
        (_, Some(namespace)) if OWN_NAMESPACES.contains(&&*namespace.text) => {
            let message = format!("`{}` is a namespace of XML itself", namespace.text);
            sink.report(Code::BadXml, namespace.span, message).help("choose another namespace");
        }
        (_, Some(namespace)) if namespace.text.len() > MAX_NAMESPACE => {
            let message = format!("a namespace has up to {MAX_NAMESPACE} bytes");
            sink.report(Code::BadXml, namespace.span, message).help("choose a shorter one: nothing has to be there");
        }
        (Some(prefix), Some(namespace)) if prefix.text == "xsi" && namespace.text != XSI => {
            let message = format!("`xsi` is the prefix of `{XSI}`, with which null is written");
            sink.report(Code::BadXml, prefix.span, message).help("choose another prefix: it has no meaning of its own");
        }
        (Some(prefix), None) => {
            sink.report(Code::BadXml, prefix.span, "a prefix stands for a namespace, and none is said")
                .help("add `namespace:` with a URI");
        }
        (_, Some(namespace)) if !is_uri(&namespace.text) => {
            let message = format!("`{}` is not a URI", namespace.text.escape_debug());
            sink.report(Code::BadXml, namespace.span, message)
                .help("write an address that is yours, such as `https://example.com/items`; nothing has to be there");
        }
        _ => {}
    }
}

/// Returns whether a text is usable as a namespace: a URI with a scheme (RFC 3986, section 3.1).
#[must_use]
pub fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme && !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte))
}

type Place = (Option<Span>, Option<Span>, Option<Span>);

/// Reports facts that do not apply to their subject.
fn check_place(written: &xml::Xml, (attribute, text, wrapped): Place, of: Of<'_>, sink: &mut Sink) {
    let Of::Member(ty, is_nullable) = of else { return check_outside(written, (attribute, text, wrapped), of, sink) };
    if let (Some(span), Some(_)) = (text, attribute) {
        sink.report(Code::BadXml, span, "a member is an attribute or the text of an element, not both")
            .help("leave one of them out");
    }
    check_single((ty, is_nullable), attribute, text, sink);
    check_items(written, ty, wrapped, sink);
    if let (Some(name), Some(_)) = (&written.name, text) {
        sink.report(Code::BadXml, name.span, "the text of an element has no name").help("leave `name` out");
    }
    if let (Some(namespace), Some(_), None) = (&written.namespace, attribute, &written.prefix) {
        sink.report(Code::BadXml, namespace.span, "an attribute without a prefix is in no namespace")
            .help("add `prefix:`, or leave `namespace` out");
    }
}

/// Reports facts that apply to fields only.
fn check_outside(written: &xml::Xml, (attribute, text, wrapped): Place, of: Of<'_>, sink: &mut Sink) {
    if matches!(of, Of::Body(_, false)) {
        sink.report(Code::Misplaced, written.span, "`xml` does not apply to a body that is never XML")
            .help("add `application/xml` to its `content_types`, or leave `xml` out");
        return;
    }
    let items = written.items.as_ref().map(|items| items.span).filter(|_| !matches!(of, Of::Body(Type::List(_), _)));
    for (key, span) in [("attribute", attribute), ("text", text), ("wrapped", wrapped), ("items", items)] {
        let Some(span) = span else { continue };
        let help = if key == "items" { "it is for members and bodies that are lists" } else { "it is for members" };
        sink.report(Code::Misplaced, span, format!("`{key}` does not apply here")).help(help);
    }
}

/// Reports attributes and texts whose type is not a single value.
fn check_single((ty, is_nullable): (&Type, bool), attribute: Option<Span>, text: Option<Span>, sink: &mut Sink) {
    for (key, span) in [("attribute", attribute), ("text", text)] {
        let Some(span) = span else { continue };
        if model::is_document(ty) || matches!(ty, Type::Nullable(_)) {
            let what = if key == "text" { "the text of an element" } else { "an attribute" };
            sink.report(Code::BadXml, span, format!("{what} is a text, a number, a boolean or an enum"))
                .help(format!("leave `{key}` out: the member is an element"));
        } else if is_nullable {
            let what = if key == "text" { "the text of an element" } else { "an attribute" };
            sink.report(Code::BadXml, span, format!("{what} is never null, and the member can be"))
                .help(format!("leave `{key}` out: an element can be null; or leave `nullable` out"));
        }
    }
}

/// Reports facts that apply to lists only, and a name of elements without an enclosing one.
fn check_items(written: &xml::Xml, ty: &Type, wrapped: Option<Span>, sink: &mut Sink) {
    let items = written.items.as_ref().map(|items| items.span);
    let is_list = matches!(ty, Type::List(_));
    if let (Some(span), false) = (wrapped, is_list) {
        sink.report(Code::BadXml, span, "`wrapped` is for lists, and the member is none").help("leave it out");
    } else if let (Some(span), None) = (items, wrapped) {
        let help = if is_list {
            "add `wrapped: true`, or write the name of the elements as `name`"
        } else {
            "leave it out: the member is no list"
        };
        sink.report(Code::BadXml, span, "`items` is the name of elements within another one").help(help);
    }
}

impl Tables<'_> {
    /// Returns the types that are serialized as XML; reports fields of one that share an element name.
    pub(super) fn xml_types(
        &self,
        resources: &[Resource],
        unions: &[Union],
        operations: &[Operation],
        sink: &mut Sink,
    ) -> XmlTypes {
        let types = operations.iter().flat_map(Operation::xml_types).collect();
        let found = XmlTypes::within(resources, unions, types);
        let mut prefixes = Prefixes::default();
        for id in &found.resources {
            let Some(resource) = resources.get(id.0) else { continue };
            prefixes.take(&resource.xml, sink);
            check_members(resource, sink);
            resource.named().iter().for_each(|field| prefixes.take(&field.xml, sink));
        }
        for operation in operations {
            operation.bodies().for_each(|body: &Body| prefixes.take(&body.xml, sink));
            let answers = operation.responses.iter().flat_map(|response: &Response| {
                std::iter::once(&response.xml).chain(response.alternatives.iter().map(|one| &one.xml))
            });
            answers.for_each(|xml| prefixes.take(xml, sink));
        }
        found
    }
}

/// Namespaces of an API by prefix: a document declares each once.
#[derive(Default)]
struct Prefixes<'m>(HashMap<&'m str, (&'m str, Span)>);

impl<'m> Prefixes<'m> {
    fn take(&mut self, xml: &'m Xml, sink: &mut Sink) {
        let span = xml.span;
        let (Some(prefix), Some(namespace)) = (&xml.prefix, &xml.namespace) else { return };
        let (known, there) = *self.0.entry(prefix).or_insert((namespace, span));
        if known != namespace {
            let message = format!("the prefix `{prefix}` stands for two namespaces, `{known}` and `{namespace}`");
            sink.report(Code::BadXml, span, message).related(there, "the other one").help("choose another prefix");
        }
    }
}

/// Reports distinctions that a list without a wrapping element cannot represent: empty or absent, and null.
fn check_list(field: &Field, sink: &mut Sink) {
    if !matches!(field.ty, Type::List(_)) || field.xml.wrapped || !field.explicit_presence {
        return;
    }
    let name = &field.name.wire;
    if field.nullable {
        sink.report(Code::BadXml, field.span, format!("`{name}` can be null, and has no element that says so"))
            .help("add `xml: { wrapped: true }`, or leave `nullable` out");
    } else {
        sink.report(Code::BadXml, field.span, format!("`{name}` can be empty, and has no element that says so"))
            .help("add `xml: { wrapped: true }`, or `presence: implicit`");
    }
}

/// Reports fields that cannot be distinguished.
fn check_members(resource: &Resource, sink: &mut Sink) {
    let mut taken: HashMap<(bool, String, Option<&str>), &Field> = HashMap::new();
    let mut text: Option<&Field> = None;
    // The facts of a field without a type are not known.
    for field in resource.named().iter().filter(|field| field.ty != Type::Unresolved) {
        if field.xml.text {
            if let Some(other) = text.replace(field) {
                let message =
                    format!("`{}` and `{}` are both the text of one element", other.name.wire, field.name.wire);
                sink.report(Code::BadXml, field.span, message)
                    .related(other.span, "the other one")
                    .help("leave `text` out of one of them: it is an element then");
            }
            continue;
        }
        check_list(field, sink);
        let key = (field.xml.attribute, field.xml_name(), field.xml.namespace.as_deref());
        let what = if field.xml.attribute { "attribute" } else { "element" };
        let message = |other: &Field| {
            format!("`{}` and `{}` are both the {what} `{}`", other.name.wire, field.name.wire, field.xml_name())
        };
        if let Some(other) = taken.insert(key, field) {
            sink.report(Code::BadXml, field.span, message(other))
                .related(other.span, "the other one")
                .help("give one of them another `xml: { name: … }`");
        }
    }
}
