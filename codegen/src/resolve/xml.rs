//! XML representation of values.

use std::collections::HashMap;

use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{Body, Field, Operation, Resource, Response, Type, Union, Xml, XmlMapping, XmlTypes, xml as model};
use crate::schema::read::Located;
use crate::schema::{Text, xml};

/// Subject of XML facts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum XmlSubject<'t> {
    /// Resource.
    Resource,
    /// Field of a resource, and whether it is nullable.
    Member(&'t Type, bool),
    /// Body or response, and whether it can be XML.
    Body(&'t Type, bool),
}

/// Resolves XML facts.
pub(super) fn xml_mapping(written: Option<&xml::Xml>, of: XmlSubject<'_>, sink: &mut Sink) -> XmlMapping {
    let Some(written) = written else { return XmlMapping::default() };
    let flags = Flags::of(written);
    check_names(written, sink);
    check_flags(written, flags, of, sink);
    let owned = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Xml {
        span: written.span,
        name: owned(&written.name),
        prefix: owned(&written.prefix),
        namespace: owned(&written.namespace),
        attribute: flags.attribute.is_some(),
        text: flags.text.is_some(),
        wrapped: flags.wrapped.is_some(),
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
            let message = format!("invalid XML name `{}`", name.text.escape_debug());
            let report = sink.report(Code::BadXml, name.span, message);
            report.help(match name.text.split_once(':') {
                Some((prefix, local)) if model::is_name(prefix) && model::is_name(local) => {
                    format!("write `name: {local}` and `prefix: {prefix}`")
                }
                _ => "use letters, digits, `_`, `-` and `.`, starting with a letter or `_`".to_owned(),
            });
        }
    }
    if let Some(prefix) = written.prefix.as_ref().filter(|prefix| prefix.text.to_ascii_lowercase().starts_with("xml")) {
        sink.report(Code::BadXml, prefix.span, format!("`{}` is a reserved XML prefix", prefix.text.escape_debug()))
            .help("choose another prefix");
    }
    match (&written.prefix, &written.namespace) {
        (_, Some(namespace)) if OWN_NAMESPACES.contains(&&*namespace.text) => {
            let message = format!("`{}` is a reserved XML namespace", namespace.text);
            sink.report(Code::BadXml, namespace.span, message).help("choose another namespace");
        }
        (_, Some(namespace)) if namespace.text.len() > MAX_NAMESPACE => {
            let message = format!("the namespace is longer than {MAX_NAMESPACE} bytes");
            sink.report(Code::BadXml, namespace.span, message)
                .help("choose a shorter URI: it does not have to resolve");
        }
        (Some(prefix), Some(namespace)) if prefix.text == "xsi" && namespace.text != XSI => {
            let message = format!("`xsi` is reserved for `{XSI}`");
            sink.report(Code::BadXml, prefix.span, message).help("choose another prefix");
        }
        (Some(prefix), None) => {
            sink.report(Code::BadXml, prefix.span, "`prefix` requires `namespace`").help("add `namespace:` with a URI");
        }
        (_, Some(namespace)) if !is_uri(&namespace.text) => {
            let message = format!("invalid URI `{}`", namespace.text.escape_debug());
            sink.report(Code::BadXml, namespace.span, message)
                .help("write a URI such as `https://example.com/items`; it does not have to resolve");
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

/// Spans of the flags that are true.
#[derive(Clone, Copy)]
struct Flags {
    attribute: Option<Span>,
    text: Option<Span>,
    wrapped: Option<Span>,
}

impl Flags {
    fn of(written: &xml::Xml) -> Self {
        let span = |flag: Option<Located<bool>>| flag.filter(|flag| flag.value).map(|flag| flag.span);
        Self { attribute: span(written.attribute), text: span(written.text), wrapped: span(written.wrapped) }
    }
}

/// Reports facts that do not apply to their subject.
fn check_flags(written: &xml::Xml, flags: Flags, of: XmlSubject<'_>, sink: &mut Sink) {
    let XmlSubject::Member(ty, is_nullable) = of else {
        return check_outside(written, flags, of, sink);
    };
    let Flags { attribute, text, wrapped } = flags;
    if let (Some(span), Some(_)) = (text, attribute) {
        sink.report(Code::BadXml, span, "`text` cannot be combined with `attribute`").help("remove one of them");
    }
    check_single(ty, is_nullable, flags, sink);
    check_items(written, ty, wrapped, sink);
    if let (Some(name), Some(_)) = (&written.name, text) {
        sink.report(Code::BadXml, name.span, "`name` cannot be combined with `text`").help("remove `name`");
    }
    if let (Some(namespace), Some(_), None) = (&written.namespace, attribute, &written.prefix) {
        sink.report(Code::BadXml, namespace.span, "`namespace` of an attribute requires `prefix`")
            .help("add `prefix:`, or remove `namespace`");
    }
}

/// Reports facts that apply to fields only.
fn check_outside(written: &xml::Xml, flags: Flags, of: XmlSubject<'_>, sink: &mut Sink) {
    if matches!(of, XmlSubject::Body(_, false)) {
        sink.report(Code::Misplaced, written.span, "`xml` applies only to XML bodies")
            .help("add `application/xml` to its `content_types`, or remove `xml`");
        return;
    }
    let items =
        written.items.as_ref().map(|items| items.span).filter(|_| !matches!(of, XmlSubject::Body(Type::List(_), _)));
    for (key, span) in
        [("attribute", flags.attribute), ("text", flags.text), ("wrapped", flags.wrapped), ("items", items)]
    {
        let Some(span) = span else { continue };
        let subject = if key == "items" { "fields and bodies that are lists" } else { "fields" };
        sink.report(Code::Misplaced, span, format!("`{key}` applies only to {subject}"))
            .help(format!("remove `{key}`"));
    }
}

/// Reports attributes and texts whose type is not a single value.
fn check_single(ty: &Type, is_nullable: bool, flags: Flags, sink: &mut Sink) {
    for (key, span) in [("attribute", flags.attribute), ("text", flags.text)] {
        let Some(span) = span else { continue };
        if model::is_document(ty) || matches!(ty, Type::Nullable(_)) {
            let what = if key == "text" { "the text of an element" } else { "an attribute" };
            sink.report(Code::BadXml, span, format!("{what} must be a string, a number, a boolean or an enum"))
                .help(format!("remove `{key}`: the field is an element"));
        } else if is_nullable {
            let what = if key == "text" { "the text of an element" } else { "an attribute" };
            sink.report(Code::BadXml, span, format!("{what} cannot be null"))
                .help(format!("remove `{key}` to use an element, which can be null, or remove `nullable`"));
        }
    }
}

/// Reports facts that apply to lists only, and a name of elements without an enclosing one.
fn check_items(written: &xml::Xml, ty: &Type, wrapped: Option<Span>, sink: &mut Sink) {
    let items = written.items.as_ref().map(|items| items.span);
    let is_list = matches!(ty, Type::List(_));
    if let (Some(span), false) = (wrapped, is_list) {
        sink.report(Code::BadXml, span, "`wrapped` applies only to lists").help("remove it");
    } else if let (Some(span), None) = (items, wrapped) {
        let help = if is_list {
            "add `wrapped: true`, or use `name` for the name of the elements"
        } else {
            "remove it: the field is not a list"
        };
        sink.report(Code::BadXml, span, "`items` requires `wrapped: true`").help(help);
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
        let xml_types = XmlTypes::reachable_from(resources, unions, types);
        let mut prefixes = Prefixes::default();
        for id in &xml_types.resources {
            let Some(resource) = resources.get(id.0) else { continue };
            prefixes.take(&resource.xml, sink);
            check_members(resource, sink);
            resource.named_fields().iter().for_each(|field| prefixes.take(&field.xml, sink));
        }
        for operation in operations {
            operation.bodies().for_each(|body: &Body| prefixes.take(&body.xml, sink));
            let mappings = operation.responses.iter().flat_map(|response: &Response| {
                std::iter::once(&response.xml).chain(response.alternatives.iter().map(|alternative| &alternative.xml))
            });
            mappings.for_each(|xml| prefixes.take(xml, sink));
        }
        xml_types
    }
}

/// Namespaces of an API by prefix: a document declares each once.
#[derive(Default)]
struct Prefixes<'m>(HashMap<&'m str, (&'m str, Span)>);

impl<'m> Prefixes<'m> {
    /// Records the namespace of a prefix; reports a prefix that has another namespace elsewhere in the API.
    fn take(&mut self, xml: &'m Xml, sink: &mut Sink) {
        let span = xml.span;
        let (Some(prefix), Some(namespace)) = (&xml.prefix, &xml.namespace) else { return };
        let (known, there) = *self.0.entry(prefix).or_insert((namespace, span));
        if known != namespace {
            let message = format!("prefix `{prefix}` is declared for two namespaces, `{known}` and `{namespace}`");
            sink.report(Code::BadXml, span, message).related(there, "first used here").help("choose another prefix");
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
        sink.report(Code::BadXml, field.span, format!("nullable list `{name}` requires an enclosing element"))
            .help("add `xml: { wrapped: true }`, or remove `nullable`");
    } else {
        sink.report(
            Code::BadXml,
            field.span,
            format!("list `{name}` with explicit presence requires an enclosing element"),
        )
        .help("add `xml: { wrapped: true }`, or `presence: implicit`");
    }
}

/// Reports fields that cannot be distinguished.
fn check_members(resource: &Resource, sink: &mut Sink) {
    let mut taken: HashMap<(bool, String, Option<&str>), &Field> = HashMap::new();
    let mut text: Option<&Field> = None;
    // The facts of a field without a type are not known.
    for field in resource.named_fields().iter().filter(|field| field.ty != Type::Unresolved) {
        if field.xml.text {
            if let Some(other) = text.replace(field) {
                let message =
                    format!("`{}` and `{}` are both the text of the element", other.name.wire, field.name.wire);
                sink.report(Code::BadXml, field.span, message)
                    .related(other.span, "first used here")
                    .help("remove `text` from one of them, which makes it an element");
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
                .related(other.span, "first used here")
                .help("give one of them a different `xml: { name: … }`");
        }
    }
}
