//! Members of a resource that are ambiguous in XML: of the same name, and lists that are absent, empty or null.

use std::collections::BTreeSet;

use wireform_codegen::model::xml::default_name;
use wireform_codegen::schema::behavior::Presence;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::xml::Xml;
use wireform_codegen::schema::{Field, Resource};

use super::Elements;
use crate::lowering::text;
use crate::node::Node;

impl Elements<'_> {
    /// Marks lists without a wrapper element: absent and empty are equivalent for them, and they are never null.
    fn mark_unwrapped_lists(&self, node: Option<&Node<'_>>, resource: &mut Resource) {
        let Some(node) = node.filter(|node| !self.own && self.used_schemas.contains(&std::ptr::from_ref(node.value)))
        else {
            return;
        };
        for (wire, field) in &mut resource.fields.0 {
            let is_wrapped = field.xml.as_ref().is_some_and(|xml| xml.wrapped.is_some());
            if is_wrapped || !matches!(field.ty, TypeExpr::List(..)) {
                continue;
            }
            field.presence = Some(Presence::Implicit.into());
            if field.nullable.take().is_some() {
                let wire = wire.text.escape_debug();
                node.loss(format!("null is left out for `{wire}`: a list without `wrapped` cannot be null in XML"));
            } else {
                node.note_once(
                    "lists without an element of their own",
                    "an empty list becomes an absent one in XML: without `wrapped` it has no element",
                );
            }
        }
    }

    /// Renames members that would be the same element or attribute.
    pub fn disambiguate(&self, node: Option<&Node<'_>>, resource: &mut Resource) {
        if !self.is_used {
            return;
        }
        self.mark_unwrapped_lists(node, resource);
        let mut taken = BTreeSet::new();
        let mut has_text = false;
        for (wire, field) in &mut resource.fields.0 {
            let is_within_tag = |xml: &Xml| xml.attribute.is_some() || xml.text.is_some();
            if field.nullable.is_some() && field.xml.as_ref().is_some_and(is_within_tag) {
                let element = field.xml.take().map(|xml| Xml { attribute: None, text: None, ..xml });
                field.xml = element.filter(|xml| *xml != Xml::default());
                if let Some(node) = node {
                    let wire = wire.text.escape_debug();
                    node.loss(format!(
                        "`{wire}` becomes an element: attributes and the text of an element cannot be null"
                    ));
                }
            }
            let lost = |what: &str| {
                if let Some(node) = node {
                    node.loss(format!("`{}` {what}", wire.text.escape_debug()));
                }
            };
            if field.xml.as_ref().is_some_and(|xml| xml.text.is_some()) {
                if std::mem::replace(&mut has_text, true) {
                    lost("becomes an element: another member is the text of the element");
                    field.xml = None;
                } else {
                    continue;
                }
            }
            let mut key = key(&wire.text, field);
            if taken.contains(&key) {
                lost("is renamed in XML: another member is the same element or attribute");
                while taken.contains(&key) {
                    key.1.push('_');
                }
                field.xml.get_or_insert_default().name = text(Some(key.1.clone()));
            }
            taken.insert(key);
        }
    }
}

/// Returns what must be unique in an element: whether it is an attribute, its name and its namespace.
fn key(wire: &str, field: &Field) -> (bool, String, Option<String>) {
    let xml = field.xml.as_ref();
    let name = xml.and_then(|xml| xml.name.as_ref()).map_or_else(|| default_name(wire), |name| name.text.clone());
    let namespace = xml.and_then(|xml| xml.namespace.as_ref()).map(|namespace| namespace.text.clone());
    (xml.is_some_and(|xml| xml.attribute.is_some()), name, namespace)
}
