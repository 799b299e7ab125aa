//! The API as a whole, and the indices by which its parts refer to one another.

use std::collections::BTreeMap;

use super::condition::Conditions;
use super::{Enum, Features, Name, Operation, Parameter, Profile, Resource, Role, SecurityScheme, Union, XmlTypes};
use crate::patterns::Matcher;

/// An API: everything that is generated from one folder of schemas.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Api {
    /// The name, as in the names of the crates: `calendar`.
    pub name: String,
    /// The version of the interface: `v3`.
    pub version: String,
    /// The title of the documentation.
    pub title: String,
    /// What it is for.
    pub doc: String,
    /// The public address, where there is one, without a slash at the end.
    pub root: Option<String>,
    /// The path below which it answers.
    pub base_path: BasePath,
    /// Other public addresses, in the order of the schema.
    pub endpoints: Vec<Endpoint>,
    /// The path that takes several requests in one.
    pub batch: Option<Batch>,
    /// The scopes, in the order of the schema.
    pub scopes: Vec<Scope>,
    /// The ways in which a request shows who sends it, in the order of the schema.
    pub security_schemes: Vec<SecurityScheme>,
    /// The body of errors, where one is declared.
    pub error_body: Option<ResourceId>,
    /// Where the body of errors says what went wrong.
    pub error_members: ErrorMembers,
    /// The parameters that every operation takes.
    pub standard_parameters: Vec<Parameter>,
    /// What it shares with the other services of its publisher.
    pub profile: Option<Profile>,
    /// The modules of the types crate, in the order of the files.
    pub modules: Vec<Module>,
    /// The names of Rust's prelude that types of this API have, which emitted code then writes in full.
    pub shadowed: Vec<String>,
    /// The resources; a [`ResourceId`] is an index here.
    pub resources: Vec<Resource>,
    /// The enums; an [`EnumId`] is an index here.
    pub enums: Vec<Enum>,
    /// The unions; a [`UnionId`] is an index here.
    pub unions: Vec<Union>,
    /// The operations; an [`OperationId`] is an index here.
    pub operations: Vec<Operation>,
    /// The groups that the names of the operations make.
    pub groups: Group,
    /// The groups that can be left out of the crates, and what is behind them.
    pub features: Features,
    /// The patterns of its members and parameters, and what each becomes.
    pub patterns: BTreeMap<String, Matcher>,
    /// The types that stand in XML.
    pub xml: XmlTypes,
    /// The conditions of its rules, and those under which the server takes a member.
    pub conditions: Conditions,
}

impl Api {
    /// Returns the parameter of every operation that has a role.
    #[must_use]
    pub fn standard(&self, role: Role) -> Option<&Parameter> {
        self.standard_parameters.iter().find(|parameter| parameter.is(role))
    }

    /// Returns the operations that a server answers.
    pub fn routed(&self) -> impl Iterator<Item = &Operation> + Clone {
        self.operations.iter().filter(|operation| !operation.client_only)
    }
}

/// Operations whose names begin alike, and what they are called in Rust. The outermost group has no name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// The names of the groups it is in, its own last.
    pub path: Vec<Name>,
    /// Its name as a type: `Deployments`.
    pub type_name: String,
    /// Its name as a module: `deployments`.
    pub module: String,
    /// The trait by which a server answers its own operations: `ProjectsDeployments`.
    pub service: String,
    /// The operations that are in it and in no group of it.
    pub operations: Vec<OperationId>,
    /// The groups in it.
    pub groups: Vec<Group>,
    /// The feature that it is, by index, where groups can be left out.
    pub feature: Option<usize>,
}

/// The members of an error body that say what went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorMembers {
    /// The error in words.
    pub message: Option<ErrorMember>,
    /// The kind of error as a word.
    pub reason: Option<ErrorMember>,
    /// The parameter or header at fault, or the path of the field.
    pub location: Option<ErrorMember>,
    /// The part of the request that the location names.
    pub location_type: Option<ErrorMember>,
    /// The identifier of the violated rule.
    pub rule: Option<ErrorMember>,
    /// A single violation in words.
    pub violation_message: Option<ErrorMember>,
    /// The part of the service to which the reason belongs.
    pub domain: Option<ErrorMember>,
    /// The status as a number.
    pub code: Option<ErrorMember>,
    /// The class of the error as a word.
    pub status: Option<ErrorMember>,
    /// The constant fields of the body and of the resources on these paths, with their values.
    pub kinds: Vec<(ErrorMember, String)>,
}

impl ErrorMembers {
    /// Returns the keys of the schema with the members that they lead to.
    #[must_use]
    pub fn by_key(&self) -> [(&'static str, Option<&ErrorMember>); 9] {
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

/// A member of an error body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorMember {
    /// The names on the way to it, on the wire.
    pub path: Vec<String>,
    /// Which of these names hold lists, by index.
    pub lists: Vec<usize>,
    /// Which of these names are required, by index.
    pub required: Vec<usize>,
    /// The words that it can hold; empty where it can hold any text.
    pub words: Vec<String>,
}

/// The path below which an API answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath {
    /// The canonical path: empty, or with a slash in front and none at the end.
    pub path: String,
    /// Other paths under which it answers.
    pub aliases: Vec<String>,
}

/// Another public address of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its name: that of the schema, and that of its constant.
    pub name: Name,
    /// The address, without a slash at the end.
    pub url: String,
    /// What is special about it.
    pub doc: String,
    /// The region it is in, where its name does not say that.
    pub location: Option<String>,
    /// Whether it is for clients that show a certificate of their own.
    pub mtls: bool,
}

/// How several requests are sent in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The path below the root, with a slash in front and none at the end.
    pub path: String,
    /// How many requests it holds at the most.
    pub max: u32,
}

/// Something a token can allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The short name.
    pub name: String,
    /// The full address.
    pub url: String,
    /// Other names and addresses that mean the same.
    pub aliases: Vec<String>,
    /// What it allows.
    pub doc: String,
    /// Where the fact comes from, when it is not the specification.
    pub origin: Option<String>,
}

/// A module of the types crate: the definitions of one schema file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The name of the module.
    pub name: String,
    /// The definitions, in the order of the file.
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
    /// The index of a resource.
    ResourceId
    /// The index of an enum.
    EnumId
    /// The index of a union.
    UnionId
    /// The index of an operation.
    OperationId
}

/// A definition that a type can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TypeId {
    /// A resource.
    Resource(ResourceId),
    /// An enum.
    Enum(EnumId),
    /// A union.
    Union(UnionId),
}

/// The definitions that indices refer to: `rules::verify` has reported every index that leads nowhere.
impl Api {
    /// A resource by its index.
    #[must_use]
    pub fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0]
    }

    /// An enum by its index.
    #[must_use]
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0]
    }

    /// The enum that this one is another name for; for most that is the enum itself.
    #[must_use]
    pub fn first_of_same(&self, id: EnumId) -> EnumId {
        self.enumeration(id).same_as.unwrap_or(id)
    }

    /// An operation by its index.
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
