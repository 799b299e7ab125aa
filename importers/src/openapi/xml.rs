//! Conversion of `xml` objects to the XML form of resources, members and bodies.

mod disambiguate;
mod documents;

use std::collections::{BTreeMap, HashSet};

use wireform_codegen::model::xml::{default_name, is_name};
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::xml::Xml;
use wireform_codegen::schema::{Resource, Text};

use super::view::View;
use crate::lowering::{flag, text};
use crate::node::Node;
use crate::value::Value;
use documents::{documents, reachable_schemas};
pub use documents::{is_document, is_xml};

/// XML elements of a document.
pub struct Elements<'d> {
    root: Node<'d>,
    /// Schemas of other files by their names among the components, with their names there.
    names: &'d BTreeMap<String, String>,
    /// True if requests or responses are XML, so that elements matter.
    is_used: bool,
    /// True if the document was generated from a schema.
    own: bool,
    /// Schemas that are used in XML.
    used_schemas: HashSet<*const Value>,
    /// Namespaces by prefix.
    prefixes: BTreeMap<String, String>,
    /// Name of the next schema in the document.
    pub component: Option<&'d str>,
}

impl<'d> Elements<'d> {
    /// Creates the elements of a document; in a generated one they always matter.
    pub fn new(root: &Node<'d>, names: &'d BTreeMap<String, String>, own: bool) -> Self {
        let documents = documents(root);
        let is_used = own || !documents.is_empty();
        let reached = reachable_schemas(root, documents);
        Self {
            root: root.clone(),
            names,
            is_used,
            own,
            used_schemas: reached,
            prefixes: BTreeMap::new(),
            component: None,
        }
    }

    /// Writes the element of a resource.
    pub fn resource(&mut self, name: &str, view: &View<'_>, resource: &mut Resource) {
        let component = self.component.take();
        if !self.is_used {
            return;
        }
        // Included schemas have their own names.
        let start = view.nodes.first().map(|node| node.at.as_str()).unwrap_or_default();
        let is_own = |node: &&Node<'_>| {
            node.at.strip_prefix(start).is_some_and(|rest| matches!(rest.as_bytes(), [] | [b'/', ..]))
        };
        let own = view.nodes.iter().filter(is_own).find_map(|node| node.get("xml"));
        let is_named = own.is_some();
        let node = own.or_else(|| view.nodes.iter().find_map(|node| node.get("xml")));
        let mut found = node.map(|node| self.parse(&node)).unwrap_or_default();
        found.name = found.name.filter(|_| is_named);
        // The element has the name of the schema in the document.
        found.name = found.name.or_else(|| text(component.map(default_name)));
        found.name = found.name.filter(|own| own.text != default_name(name));
        resource.xml = Some(found).filter(|found| *found != Xml::default());
    }

    /// Returns the element or attribute of a member.
    pub fn member(&mut self, wire: &str, (ty, is_element): (&TypeExpr, bool), nodes: &[Node<'d>]) -> Option<Xml> {
        if !self.is_used {
            return None;
        }
        let own = self.declared(nodes);
        let is_wrapped = own.as_ref().is_some_and(|xml| xml.flag("wrapped"));
        let found = own.as_ref().map(|xml| self.parse(xml)).unwrap_or_default();
        let mut found = match &own {
            _ if matches!(ty, TypeExpr::List(..)) => self.list(wire, found, own.as_ref(), is_wrapped, nodes),
            Some(node) => {
                if is_wrapped {
                    node.loss("`wrapped` is left out: supported for lists only");
                }
                single(node, found, is_element)
            }
            None => found,
        };
        if found.text.is_some() {
            return Some(found);
        }
        found.name = found.name.filter(|name| name.text != default_name(wire));
        Some(found).filter(|found| *found != Xml::default())
    }

    /// Returns the element of a list, which can be around those of its items.
    fn list(&mut self, wire: &str, found: Xml, own: Option<&Node<'d>>, is_wrapped: bool, nodes: &[Node<'d>]) -> Xml {
        let items = nodes.iter().find_map(|node| self.follow_reference(node).get("items"));
        let items = items.and_then(|items| self.declared(&[items]));
        let each = items.as_ref().map(|xml| self.parse(xml)).unwrap_or_default();
        if is_wrapped {
            if let Some(node) = items.as_ref().or(own).filter(|_| !is_of_one_namespace(&found, &each)) {
                node.loss(OTHER_NAMESPACE);
            }
            let name = found.name.as_ref().map_or_else(|| default_name(wire), |name| name.text.clone());
            return Xml { wrapped: flag(true), items: each.name.filter(|each| each.text != name), ..found };
        }
        let declared = [("name", &found.name), ("prefix", &found.prefix), ("namespace", &found.namespace)];
        for (key, _) in declared.iter().filter(|(_, text)| text.is_some()) {
            if let Some(node) = own {
                node.note(format!("its `{key}` is left out: it applies to the wrapper of a list with `wrapped` only"));
            }
        }
        each
    }

    /// Returns the first `xml` object of schemas and those that they refer to: one next to a reference precedes that of
    /// the target.
    fn declared(&self, nodes: &[Node<'d>]) -> Option<Node<'d>> {
        let mut open: Vec<Node<'d>> = nodes.iter().rev().cloned().collect();
        for _ in 0..MAX_REFERENCES {
            let node = open.pop()?;
            if let Some(xml) = node.get("xml") {
                return Some(xml);
            }
            let mut all = node.get("allOf").map(|all| all.elements()).unwrap_or_default();
            // A composed schema is not one of those that it refers to.
            if all.len() > 1 || node.has("properties") {
                all.retain(|one| !one.has("$ref"));
            }
            open.extend(self.target(&node).into_iter().chain(all.into_iter().rev()));
        }
        None
    }

    /// Resolves a reference to a schema. A dangling one is reported elsewhere.
    fn target(&self, node: &Node<'d>) -> Option<Node<'d>> {
        self.root.schema(node.component()?)
    }

    /// Returns the target of a chain of references, or the node itself if it is not a reference.
    fn follow_reference(&self, node: &Node<'d>) -> Node<'d> {
        let mut at = node.clone();
        for _ in 0..MAX_REFERENCES {
            let Some(next) = self.target(&at) else { break };
            at = next;
        }
        at
    }

    /// Returns the declared name and namespace.
    fn parse(&mut self, node: &Node<'_>) -> Xml {
        node.mark_read();
        node.report_unknown(&[
            "name",
            "prefix",
            "namespace",
            "attribute",
            "wrapped",
            "nodeType",
            "x-wireform-text",
            "x-ms-text",
        ]);
        let name = node.text("name").filter(|name| {
            let fits = is_name(name);
            if !fits {
                node.loss(format!("`{}` is left out: invalid XML name", name.escape_debug()));
            }
            fits
        });
        let (prefix, namespace) = (node.text("prefix"), node.text("namespace"));
        let is_ours = |namespace: &&str| {
            let fits = wireform_codegen::resolve::is_xml_namespace(namespace);
            if !fits {
                node.loss(format!("`{}` is left out: invalid URI", namespace.escape_debug()));
            }
            fits
        };
        let namespace = namespace.filter(|text| !text.is_empty()).filter(is_ours);
        let prefix = prefix.filter(|prefix| {
            let known =
                namespace.map(|namespace| self.prefixes.entry((*prefix).to_owned()).or_insert(namespace.to_owned()));
            let fits = is_name(prefix)
                && !prefix.to_ascii_lowercase().starts_with("xml")
                && known.is_some_and(|known| Some(known.as_str()) == namespace);
            if !fits {
                let why = "it is not a valid name, or does not have exactly one namespace";
                node.loss(format!("the prefix `{}` is left out: {why}", prefix.escape_debug()));
            }
            fits
        });
        Xml { name: text(name), prefix: text(prefix), namespace: text(namespace), ..Xml::default() }
    }

    /// Returns the root element of a body, if it differs from that of its resource.
    pub fn body(&mut self, (ty, is_resource): (&TypeExpr, bool), schema: Option<&Node<'d>>) -> Option<Xml> {
        let schema = schema.filter(|_| self.is_used)?;
        // A resource declares itself what is not declared next to the reference to it.
        let own = if is_resource { schema.get("xml") } else { self.declared(std::slice::from_ref(schema)) };
        let mut found = own.as_ref().map(|xml| self.parse(xml)).unwrap_or_default();
        if !is_resource && found.name.is_none() {
            found.name =
                text(schema.component().map(|name| default_name(self.names.get(name).map_or(name, String::as_str))));
        }
        if is_resource {
            found.name = found.name.filter(|name| ty.name() != Some(&*name.text));
        }
        if matches!(ty, TypeExpr::List(..)) {
            self.items(schema, &mut found);
        }
        Some(found).filter(|found| *found != Xml::default())
    }

    /// Writes the elements of a body that is a list.
    fn items(&mut self, schema: &Node<'d>, found: &mut Xml) {
        let Some(items) = self.follow_reference(schema).get("items") else { return };
        let target = self.follow_reference(&items);
        let is_scalar = matches!(target.text_if("type"), Some("string" | "number" | "integer" | "boolean" | "array"));
        let xml = self.declared(std::slice::from_ref(&items));
        let each = xml.as_ref().map(|xml| self.parse(xml)).unwrap_or_default();
        // A resource declares its own element, and has its own namespace unless the list declares one.
        let of_resource = if is_scalar { None } else { self.declared(&[target]) };
        let has_own = found.namespace.is_none() && !is_scalar;
        let written = of_resource.filter(|_| has_own).map(|xml| self.parse(&xml));
        if !is_of_one_namespace(&each, written.as_ref().unwrap_or(found)) {
            xml.as_ref().unwrap_or(&items).loss(OTHER_NAMESPACE);
        }
        if is_scalar || items.has("xml") {
            found.items = each.name;
        }
    }
}

/// Returns the element, attribute or text of a member that is not a list.
fn single(node: &Node<'_>, mut found: Xml, is_element: bool) -> Xml {
    let is_text = [node.text("nodeType") == Some("text"), node.flag("x-wireform-text"), node.flag("x-ms-text")];
    let is_attribute = [node.text("nodeType") == Some("attribute"), node.flag("attribute")];
    let (is_text, is_attribute) = (is_text.contains(&true), is_attribute.contains(&true));
    if (is_text || is_attribute) && is_element {
        node.loss(
            "becomes an element: attributes and the text of an element must be strings, numbers, booleans or enums",
        );
    } else if is_text {
        return Xml { text: flag(true), ..Xml::default() };
    } else {
        found.attribute = flag(is_attribute);
    }
    if is_attribute && found.namespace.is_some() && found.prefix.is_none() {
        node.loss("its `namespace` is left out: an attribute without a prefix has no namespace");
        found.namespace = None;
    }
    found
}

/// Loss of the namespace of list elements that the schema cannot express.
const OTHER_NAMESPACE: &str = "the namespace and prefix of its elements are left out: elements have those of the list";

/// Returns whether two XML descriptions have equal namespaces and prefixes.
fn is_of_one_namespace(one: &Xml, other: &Xml) -> bool {
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    text(&one.namespace) == text(&other.namespace) && text(&one.prefix) == text(&other.prefix)
}

/// Maximum length of a chain of references.
const MAX_REFERENCES: usize = 32;
