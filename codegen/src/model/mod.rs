//! Resolved API: every name has a Rust identifier, every reference is an index, every default fits its type. Plain
//! data with look-ups only, independent of both YAML and Rust tokens.

mod api;
mod body;
pub mod condition;
mod constraints;
mod features;
pub mod keywords;
mod listing;
mod long_running;
mod member;
mod operation;
mod parameter;
mod path;
mod profile;
mod resource;
mod response;
mod security;
mod types;
mod union;
mod writes;
pub mod xml;

pub use api::{
    Api, BasePath, Batch, Endpoint, EnumId, ErrorMember, ErrorMembers, Group, Module, OperationId, ResourceId, Scope,
    TypeId, UnionId,
};
pub use body::{Body, BodyAlternative, BodyMode, Codec, FormStyle, Raw, concrete, essence};
pub use constraints::{Constraints, Decimal, Format, Known, Literal, Number, Range};
pub use features::{Feature, FeatureGate, Features};
pub use listing::{ChangeField, Conditional, Expired, Forbidden, NextPage, Pages, Sync, Watch};
pub use long_running::{Argument, LongRunning, Started};
pub use member::{Behavior, Cel, Deprecated, Doc, Field, Fill, Ignored, Name, OutputOnly, Required, Unless};
pub use operation::{Media, Operation, OperationTypes, ScopeNeed, Upload};
pub use parameter::{ListStyle, Location, Parameter};
pub use path::{Http, Part, Piece, Segment, address, place, variable};
pub use profile::{Profile, ReasonCase, Role, RoleUse};
pub use resource::{Enum, EnumValue, Outcome, Resource, Rule, RuleSeverity, States, Transition, TransitionsOtherwise};
pub use response::{ErrorCase, ErrorStatus, Response, ResponseAlternative};
pub use security::{Demand, Flow, Grant, SchemeKind, SecurityScheme};
pub use types::{Encoding, Lexical, Type};
pub use union::{Holds, Union, Variant, parts_of, resources_of};
pub use xml::{Xml, XmlFacts, XmlTypes};
