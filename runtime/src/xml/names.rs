//! Names in a document, and their comparison with those of a table.

use std::collections::HashSet;
use std::rc::Rc;

use super::XmlName;
use super::characters::{XML, XMLNS, XSI, is_name};
use super::error::shorten;

/// Maximum number of namespace declarations in scope.
const MAX_NAMESPACES: usize = 64;

/// Maximum length of the URI of a namespace, in bytes.
const MAX_NAMESPACE_LENGTH: usize = 1024;

/// Namespace, interned by URI within a document.
pub type Namespace = Option<Rc<str>>;

/// Name with its namespace.
#[derive(Clone, Debug, Default)]
pub struct QualifiedName<'x> {
    pub local: &'x str,
    pub namespace: Namespace,
}

impl QualifiedName<'_> {
    /// Returns the URI of the namespace; empty if there is none.
    pub fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or_default()
    }

    /// Returns whether another name of the same document is equal.
    pub fn is_same(&self, other: &Self) -> bool {
        self.local == other.local && same_namespace(&self.namespace, &other.namespace)
    }

    /// Returns whether it is this name in exactly this namespace.
    pub fn is_exactly(&self, name: &XmlName) -> bool {
        self.local == name.local && self.namespace() == name.namespace
    }

    /// Returns whether an attribute with this name is the one that a table describes: in its namespace, or in none.
    /// `xsi:type` and similar have a meaning, so an attribute without a prefix never matches them.
    pub fn is_attribute(&self, name: &XmlName) -> bool {
        self.local == name.local
            && self.is_in_namespace(name.namespace)
            && (self.namespace.is_some() || name.namespace != XSI)
    }

    /// Returns whether it is in this namespace, or in none.
    pub fn is_in_namespace(&self, namespace: &str) -> bool {
        self.namespace.is_none() || self.namespace() == namespace
    }

    /// Returns whether a root element with this name is the one that a table describes: a table without a namespace
    /// accepts any.
    pub fn is_root(&self, name: &XmlName) -> bool {
        self.local == name.local && (name.namespace.is_empty() || self.is_in_namespace(name.namespace))
    }
}

/// Returns whether two namespaces of one document are equal.
pub fn same_namespace(one: &Namespace, other: &Namespace) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

/// Namespaces in scope at a position of a document.
#[derive(Default)]
pub struct NamespaceScope<'x> {
    /// Declarations by prefix; later ones take precedence.
    declared: Vec<(&'x str, Namespace)>,
    /// Interned URIs of the document: every element can repeat the same long one.
    uris: HashSet<Rc<str>>,
}

impl<'x> NamespaceScope<'x> {
    /// Returns the number of declarations.
    pub fn len(&self) -> usize {
        self.declared.len()
    }

    /// Removes all declarations but the first `length` ones.
    pub fn truncate(&mut self, length: usize) {
        self.declared.truncate(length);
    }

    /// Declares a namespace (Namespaces in XML 1.0, section 3) in an element; `before` is the number of declarations
    /// before it.
    pub fn declare(&mut self, prefix: &'x str, uri: &str, before: usize) -> Result<(), String> {
        if self.declared.len() >= MAX_NAMESPACES {
            return Err("the document declares too many namespaces".to_owned());
        }
        if uri.len() > MAX_NAMESPACE_LENGTH {
            return Err(format!("the URI of a namespace exceeds {MAX_NAMESPACE_LENGTH} bytes"));
        }
        if self.declared.get(before..).unwrap_or_default().iter().any(|(known, _)| *known == prefix) {
            return Err(format!("duplicate declaration of the prefix `{}`", shorten(prefix)));
        }
        if prefix == "xmlns" || uri == XMLNS || (prefix == "xml") != (uri == XML) {
            return Err("the prefixes `xml` and `xmlns` and their namespaces cannot be redeclared".to_owned());
        }
        if uri.is_empty() && !prefix.is_empty() {
            return Err(format!("missing namespace in the declaration of the prefix `{}`", shorten(prefix)));
        }
        let namespace = self.intern(uri);
        self.declared.push((prefix, namespace));
        Ok(())
    }

    /// Interns the namespace of a URI.
    fn intern(&mut self, uri: &str) -> Namespace {
        if uri.is_empty() {
            return None;
        }
        let known = self.uris.get(uri).cloned();
        Some(known.unwrap_or_else(|| {
            let new: Rc<str> = uri.into();
            self.uris.insert(Rc::clone(&new));
            new
        }))
    }

    /// Returns the local name and the namespace of a name in the document: the namespace of its prefix, or for an
    /// element without one the default namespace. An undeclared prefix is an error.
    pub fn resolve(&mut self, name: &'x str, is_element: bool) -> Result<QualifiedName<'x>, String> {
        let (prefix, local) = name.split_once(':').unwrap_or(("", name));
        if !is_name(local) || !prefix.is_empty() && !is_name(prefix) || name.starts_with(':') {
            return Err(format!("invalid name `{}`", shorten(name)));
        }
        let declared = self.declared.iter().rev().find(|(known, _)| *known == prefix);
        let namespace = match (declared, prefix) {
            // An attribute without a prefix is in no namespace.
            (_, "") if !is_element => None,
            (Some((_, namespace)), _) => namespace.clone(),
            (None, "") => None,
            (None, "xml") => self.intern(XML),
            (None, _) => return Err(format!("undeclared prefix `{}`", shorten(prefix))),
        };
        Ok(QualifiedName { local, namespace })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RESPONSE_LIMITS, document::read};
    use super::*;

    /// Otherwise a body of a megabyte would become gigabytes.
    #[test]
    fn namespaces_are_interned() {
        let uri = "u&amp;".repeat(100);
        let document = format!("<e xmlns='{uri}' xmlns:a='{uri}'><a:b/><c a:d='' xmlns:f='{uri}' f:g=''/></e>");
        let Ok(root) = read(&document, RESPONSE_LIMITS) else { panic!("it is well-formed") };
        let [first, second] = root.children.as_slice() else { panic!("it has two children") };
        let names = [&first.name, &second.name].into_iter().chain(second.attributes.iter().map(|(name, _)| name));
        for name in names {
            let (Some(own), Some(of_root)) = (&name.namespace, &root.name.namespace) else { panic!("it has one") };
            assert!(Rc::ptr_eq(own, of_root), "{name:?}");
        }
    }
}
