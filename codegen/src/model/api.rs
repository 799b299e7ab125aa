//! The API as a whole, and the indices by which its parts refer to each other.

use std::collections::BTreeMap;

use super::condition::Conditions;
use super::{
    Enum, Features, Field, FieldPath, Name, Operation, Parameter, Profile, Resource, Role, SecurityScheme, Type, Union,
    XmlTypes,
};
use crate::patterns::Matcher;

/// API: everything that is generated from one folder of schemas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// Name, as in the names of the crates: `calendar`.
    pub name: String,
    /// Version of the interface: `v3`.
    pub version: String,
    /// Title of the documentation.
    pub title: String,
    /// Description of the API.
    pub doc: String,
    /// Public root URL, if there is one, without a trailing slash.
    pub root: Option<String>,
    /// Path below which the API is served.
    pub base_path: BasePath,
    /// Further public URLs, in the order of the schema.
    pub endpoints: Vec<Endpoint>,
    /// Batch endpoint.
    pub batch: Option<Batch>,
    /// Operations that the schema leaves out.
    pub unimplemented: Vec<Unimplemented>,
    /// OAuth scopes, in the order of the schema.
    pub scopes: Vec<Scope>,
    /// Security schemes, in the order of the schema.
    pub security_schemes: Vec<SecurityScheme>,
    /// Resource of error bodies, if one is declared.
    pub error_body: Option<ResourceId>,
    /// Fields of the error body with a known meaning.
    pub error_fields: ErrorFields,
    /// Standard parameters, which every operation takes.
    pub standard_parameters: Vec<Parameter>,
    /// Conventions shared with the other services of the publisher.
    pub profile: Option<Profile>,
    /// Modules of the types crate, in the order of the files.
    pub modules: Vec<Module>,
    /// Names of Rust's prelude that types of this API shadow; emitted code writes them in full.
    pub shadowed_names: Vec<String>,
    /// Resources; a [`ResourceId`] is an index into this list.
    pub resources: Vec<Resource>,
    /// Enums; an [`EnumId`] is an index into this list.
    pub enums: Vec<Enum>,
    /// Unions; a [`UnionId`] is an index into this list.
    pub unions: Vec<Union>,
    /// Operations; an [`OperationId`] is an index into this list.
    pub operations: Vec<Operation>,
    /// Tree of the groups that the names of the operations form.
    pub groups: Group,
    /// Cargo features: groups that can be left out of the crates, and the items that they gate.
    pub features: Features,
    /// Patterns of fields and parameters, with the matcher of each.
    pub patterns: BTreeMap<String, Matcher>,
    /// Types that are serialized as XML.
    pub xml: XmlTypes,
    /// Compiled conditions of rules and of `effective_when`.
    pub conditions: Conditions,
}

impl Api {
    /// Returns the fields of a path within a resource, the outermost first; `None` if there is no such field.
    #[must_use]
    pub fn fields_at<'a>(&'a self, resource: &'a Resource, path: FieldPath) -> Option<Vec<&'a Field>> {
        let (mut within, mut found) = (Some(resource), Vec::new());
        for index in path.fields() {
            let field = within?.fields.get(*index)?;
            within = match field.ty {
                Type::Resource(id) => self.resources.get(id.0),
                _ => None,
            };
            found.push(field);
        }
        Some(found)
    }

    /// Returns the standard parameter with a role.
    #[must_use]
    pub fn standard_parameter(&self, role: Role) -> Option<&Parameter> {
        self.standard_parameters.iter().find(|parameter| parameter.has_role(role))
    }

    /// Returns the operations that a server implements.
    pub fn served_operations(&self) -> impl Iterator<Item = &Operation> + Clone {
        self.operations.iter().filter(|operation| !operation.client_only)
    }
}

/// Group of operations whose names share a prefix, with its Rust names. The outermost group has no name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Names of the enclosing groups, its own last.
    pub path: Vec<Name>,
    /// Name of its type: `Deployments`.
    pub type_name: String,
    /// Modules of the enclosing groups, its own last: `projects`, `deployments`. Empty for the outermost group.
    pub modules: Vec<String>,
    /// Trait by which a server implements its direct operations: `ProjectsDeployments`.
    pub service_trait: String,
    /// Operations directly in the group.
    pub operations: Vec<OperationId>,
    /// Nested groups.
    pub groups: Vec<Group>,
    /// Index of the feature that the group is, if groups can be left out.
    pub feature: Option<usize>,
}

impl Group {
    /// Returns the name of its module: `deployments`.
    #[must_use]
    pub fn module(&self) -> &str {
        self.modules.last().map_or("", String::as_str)
    }
}

/// Fields of an error body with a known meaning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorFields {
    /// Error message.
    pub message: Option<ErrorField>,
    /// Kind of error as a word.
    pub reason: Option<ErrorField>,
    /// Parameter or header at fault, or path of the field.
    pub location: Option<ErrorField>,
    /// Part of the request that the location names.
    pub location_type: Option<ErrorField>,
    /// Identifier of the violated rule.
    pub rule: Option<ErrorField>,
    /// Message of a single violation.
    pub violation_message: Option<ErrorField>,
    /// Part of the service to which the reason belongs.
    pub domain: Option<ErrorField>,
    /// Status as a number.
    pub code: Option<ErrorField>,
    /// Class of the error as a word.
    pub status: Option<ErrorField>,
    /// Constant fields of the body and of the resources on these paths, with their values.
    pub constants: Vec<(ErrorField, String)>,
}

impl ErrorFields {
    /// Returns the keys of the schema with the fields that they refer to.
    #[must_use]
    pub fn by_key(&self) -> [(&'static str, Option<&ErrorField>); 9] {
        [
            ("message", self.message.as_ref()),
            ("reason", self.reason.as_ref()),
            ("location", self.location.as_ref()),
            ("location_type", self.location_type.as_ref()),
            ("rule", self.rule.as_ref()),
            ("violation_message", self.violation_message.as_ref()),
            ("domain", self.domain.as_ref()),
            ("code", self.code.as_ref()),
            ("status", self.status.as_ref()),
        ]
    }
}

/// Field of an error body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorField {
    /// Path of names on the wire that leads to it.
    pub path: Vec<String>,
    /// Indices of the names that hold lists.
    pub lists: Vec<usize>,
    /// Indices of the names that are required.
    pub required: Vec<usize>,
    /// Allowed values; empty if any text is allowed.
    pub allowed_values: Vec<String>,
}

/// Path below which an API is served.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath {
    /// Canonical path: empty, or with a leading slash and no trailing one.
    pub path: String,
    /// Alternative base paths.
    pub aliases: Vec<String>,
}

/// Further public URL of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name in the schema and of the constant.
    pub name: Name,
    /// URL without a trailing slash.
    pub url: String,
    /// Description of the endpoint.
    pub doc: String,
    /// Region of the endpoint, if its name is not the region.
    pub location: Option<String>,
    /// True if the endpoint is for clients with a certificate (mutual TLS).
    pub mtls: bool,
}

/// Batch endpoint, which takes several requests in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Path below the root, with a leading slash and no trailing one.
    pub path: String,
    /// Further paths that servers accept.
    pub aliases: Vec<String>,
    /// Maximum number of requests in a batch.
    pub max: u32,
}

/// Operation that the schema leaves out, and for which a server returns 501.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unimplemented {
    /// Name of the operation.
    pub name: String,
    /// Method, in upper case.
    pub method: String,
    /// Path below the base path, with variables in braces.
    pub path: String,
}

/// OAuth scope that a token can grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Short name.
    pub name: String,
    /// Full URL.
    pub url: String,
    /// Other names and URLs with the same meaning.
    pub aliases: Vec<String>,
    /// Description of what it grants.
    pub doc: String,
    /// Source of the fact, if it is not the specification.
    pub origin: Option<String>,
}

/// Module of the types crate: the definitions of one schema file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// Definitions, in the order of the file.
    pub items: Vec<TypeId>,
}

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub usize);
    )*};
}

ids! {
    /// Index of a resource.
    ResourceId
    /// Index of an enum.
    EnumId
    /// Index of a union.
    UnionId
    /// Index of an operation.
    OperationId
}

/// Definition that a type can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeId {
    /// Resource.
    Resource(ResourceId),
    /// Enum.
    Enum(EnumId),
    /// Union.
    Union(UnionId),
}

/// Look-ups by index: `rules::verify` has already reported every index that is out of range.
impl Api {
    /// Returns a resource by its index.
    #[must_use]
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0]
    }

    /// Returns an enum by its index.
    #[must_use]
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0]
    }

    /// Returns the enum whose Rust type this one uses: the enum that it duplicates, or itself.
    #[must_use]
    pub fn canonical_enum(&self, id: EnumId) -> EnumId {
        self.enumeration(id).duplicate_of.unwrap_or(id)
    }

    /// Returns an operation by its index.
    #[must_use]
    pub fn operation(&self, id: OperationId) -> &Operation {
        &self.operations[id.0]
    }

    /// Returns a scope by its index.
    #[must_use]
    pub fn scope(&self, index: usize) -> &Scope {
        &self.scopes[index]
    }

    /// Returns a security scheme by its index.
    #[must_use]
    pub fn security_scheme(&self, index: usize) -> &SecurityScheme {
        &self.security_schemes[index]
    }
}
