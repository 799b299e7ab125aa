//! XML representation of values, as OpenAPI's `xml` objects.

use super::json::{Json, Object, object};
use crate::model::{Api, Field, Resource, Type, Xml};

/// Returns the XML object of a resource. If the schema name differs from the element name, it is required wherever
/// the resource can be XML.
pub fn of_resource(resource: &Resource, is_named_otherwise: bool) -> Object {
    let mapping = |name: &str| object().with("name", name).merged(namespace(&resource.xml));
    if is_named_otherwise {
        return object().with_members("xml", mapping(&resource.xml_name()));
    }
    let name = resource.xml.name.as_deref();
    object().with_members("xml", object().with_some("name", name).merged(namespace(&resource.xml)))
}

/// Returns the members `prefix` and `namespace` of an `xml` object, as far as they are set.
fn namespace(xml: &Xml) -> Object {
    object().with_some("prefix", xml.prefix.as_deref()).with_some("namespace", xml.namespace.as_deref())
}

/// Adds the XML object to the schema of a field. OpenAPI inherits that of the referenced resource, unless it is
/// overridden.
pub fn of_member(api: &Api, schema: Object, field: &Field) -> Object {
    let xml = &field.xml;
    let inherits = |ty: &Type| matches!(ty.non_null(), Type::Resource(id) if api.resource(*id).xml.name.is_some());
    let name = |ty: &Type| xml.name.clone().or_else(|| (inherits(ty) && api.has_xml()).then(|| field.xml_name()));
    match &field.ty {
        Type::List(inner) if xml.wrapped => {
            let items = xml.items.clone().or_else(|| name(inner));
            let own = object().with_some("name", xml.name.as_deref()).merged(namespace(xml)).with("wrapped", true);
            with_items(schema, object().with_some("name", items).merged(namespace(xml))).with("xml", own)
        }
        Type::List(inner) => with_items(schema, object().with_some("name", name(inner)).merged(namespace(xml))),
        ty => {
            let own = object()
                .with_some("name", name(ty))
                .merged(namespace(xml))
                .with_true("attribute", xml.attribute)
                .with_true("x-wireform-text", xml.text);
            schema.with_members("xml", own)
        }
    }
}

/// Adds the XML object of the elements to a list.
fn with_items(schema: Object, xml: Object) -> Object {
    match schema.get("items").cloned() {
        Some(Json::Object(items)) if !xml.is_empty() => schema.with("items", items.with("xml", xml)),
        _ => schema,
    }
}

/// Adds the XML objects of the root element and of list elements to the schema of a body.
pub fn of_body(api: &Api, schema: Object, ty: &Type, xml: &Xml) -> Object {
    // An XML object next to a reference replaces that of the resource, including its namespace.
    let of_items = match ty.non_null() {
        Type::List(inner) => match inner.non_null() {
            Type::Resource(id) if xml.namespace.is_none() => &api.resource(*id).xml,
            _ => xml,
        },
        _ => xml,
    };
    let has_facts = xml.items.is_some() || xml.namespace.is_some();
    let items = object().with_some("name", xml.items.as_deref()).merged(namespace(of_items));
    let schema = if has_facts { with_items(schema, items) } else { schema };
    schema.with_members("xml", object().with_some("name", xml.name.as_deref()).merged(namespace(xml)))
}
