//! Security requirements: the alternatives that `security` lists.
//!
//! A requirement with an undefined scheme cannot be satisfied. If an operation has no other, it has the default
//! requirement of the API: it can be called, and is not public. If a defined scheme is not supported in a schema, no
//! other scheme would do, so that the operation is omitted.

use std::collections::BTreeSet;

use wireform_codegen::schema::security::{
    HttpScheme, SchemeRequirement, SchemeType, SecurityRequirement, SecurityRequirements, SecurityScheme,
};

use super::Security;
use crate::lowering::texts;
use crate::node::Node;

impl Security {
    /// Returns the requirements in `security` of the document or an operation.
    pub(super) fn requirements(&self, node: &Node<'_>) -> SecurityRequirements {
        let requirements = node.list("security");
        let satisfiable: Vec<SecurityRequirement> =
            requirements.iter().filter_map(|requirement| self.requirement(requirement)).collect();
        let list = if satisfiable.is_empty() && self.is_undefined(&requirements) {
            self.fallback_requirements()
        } else {
            satisfiable
        };
        SecurityRequirements { alternatives: list, ..SecurityRequirements::default() }
    }

    /// Converts a requirement; reports it and returns `None` if it cannot be satisfied.
    fn requirement(&self, requirement: &Node<'_>) -> Option<SecurityRequirement> {
        let (mut schemes, mut in_header) = (Vec::new(), false);
        for (id, wanted) in requirement.members() {
            let Some((_, name, body)) = self.schemes.iter().find(|(own, ..)| own == id) else {
                self.report_unusable_scheme(id, &wanted);
                return None;
            };
            let is_bearer = body.scheme.is_some_and(|scheme| scheme.value == HttpScheme::Bearer);
            let takes_scopes = is_bearer || matches!(body.ty.value, SchemeType::OAuth2 | SchemeType::OpenId);
            if !is_outside_authorization(body) {
                if in_header {
                    requirement.whole_loss("left out: the header `Authorization` cannot carry two credentials");
                    return None;
                }
                in_header = true;
            }
            let scopes: Vec<&str> = requirement
                .texts(id)
                .into_iter()
                .filter(|scope| takes_scopes && self.scopes.contains_key(*scope))
                .map(|scope| self.scope(scope))
                .collect();
            match requirement.texts(id).len() {
                count if count > scopes.len() && takes_scopes => {
                    wanted.loss("scopes are left out: the scheme does not list them");
                }
                count if count > scopes.len() => wanted.note("roles are left out: requests do not contain them"),
                _ => {}
            }
            schemes.push(SchemeRequirement { scheme: name.as_str().into(), scopes: texts(scopes) });
        }
        Some(SecurityRequirement { schemes, ..SecurityRequirement::default() })
    }

    /// Reports a scheme of a requirement that is undefined or not supported.
    fn report_unusable_scheme(&self, id: &str, wanted: &Node<'_>) {
        let name = id.escape_debug();
        if self.defined.contains(id) {
            wanted.whole_loss(format!("left out: the scheme `{name}` is not supported"));
            return;
        }
        let what = format!(
            "left out: unknown security scheme `{name}`; operations without another requirement get those of the API"
        );
        wanted.whole_loss_once(&format!("security scheme {id}"), what);
    }

    /// Returns the requirements of the API for an operation without a satisfiable one: those of other operations, if
    /// these are not public, or else each scheme.
    fn fallback_requirements(&self) -> Vec<SecurityRequirement> {
        let standard = self.default_requirement.iter().flat_map(|standard| &standard.alternatives);
        let standard: Vec<SecurityRequirement> =
            standard.filter(|requirement| !requirement.schemes.is_empty()).cloned().collect();
        if standard.is_empty() {
            let scheme = |name: &str| SchemeRequirement { scheme: name.into(), scopes: Vec::new() };
            let requirement =
                |name: &str| SecurityRequirement { schemes: vec![scheme(name)], ..SecurityRequirement::default() };
            return self.schemes.iter().map(|(_, name, _)| requirement(name)).collect();
        }
        standard
    }

    /// Returns whether each requirement has an undefined scheme, and no unsupported one.
    fn is_undefined(&self, requirements: &[Node<'_>]) -> bool {
        let has_place = |id: &str| self.schemes.iter().any(|(own, ..)| own == id);
        !requirements.is_empty()
            && requirements.iter().all(|requirement| {
                let ids = requirement.members();
                ids.iter().any(|(id, _)| !self.defined.contains(*id))
                    && ids.iter().all(|(id, _)| has_place(id) || !self.defined.contains(*id))
            })
    }

    /// Returns the names of the schemes of an operation if none is supported, so that it would become public.
    pub fn unsupported_schemes(&self, root: &Node<'_>, node: &Node<'_>) -> Option<String> {
        let requirements = if node.has("security") { node.list("security") } else { root.list("security") };
        let has_others = !self.schemes.is_empty() && self.is_undefined(&requirements);
        if self.own
            || requirements.is_empty()
            || has_others
            || requirements.iter().any(|requirement| self.is_supported(requirement))
        {
            return None;
        }
        let names = requirements.iter().flat_map(Node::members).map(|(id, _)| format!("`{}`", id.escape_debug()));
        Some(names.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", "))
    }

    /// Returns whether all schemes of a requirement are known and at most one of them uses the header `Authorization`.
    fn is_supported(&self, requirement: &Node<'_>) -> bool {
        let mut in_header = 0;
        requirement.members().iter().all(|(id, _)| {
            let Some((_, _, body)) = self.schemes.iter().find(|(own, ..)| own == id) else { return false };
            in_header += usize::from(!is_outside_authorization(body));
            in_header <= 1
        })
    }
}

/// Returns whether a scheme does not use the `Authorization` header.
fn is_outside_authorization(scheme: &SecurityScheme) -> bool {
    matches!(scheme.ty.value, SchemeType::ApiKey | SchemeType::MutualTls)
}
