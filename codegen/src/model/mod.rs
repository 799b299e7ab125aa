//! Resolved API: every name has a Rust identifier, every reference is an index, every default fits its type. Plain
//! data with look-ups only, independent of both YAML and Rust tokens.

mod api;
mod body;
pub mod condition;
mod constraints;
mod decimal;
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
    Api, BasePath, Batch, Endpoint, EnumId, ErrorField, ErrorFields, Group, Module, OperationId, ResourceId, Scope,
    TypeId, Unimplemented, UnionId,
};
pub use body::{Body, BodyAlternative, BodyMode, Codec, FormList, FormStyle, RawContent, essence, first_concrete_type};
pub use constraints::{Constraints, ElementConstraints, Exclusive, Format, Keys, KnownValue, Literal, Number, Range};
pub use decimal::Decimal;
pub use features::{Feature, FeatureGate, Features};
pub use listing::{
    ChangeField, Conditional, ExpiredToken, FieldPath, ForbiddenParameter, IncrementalSync, NextPage, Pages, Watch,
};
pub use long_running::{Argument, LongRunning, LongRunningStart};
pub use member::{
    Behavior, Cel, Deprecated, Doc, Field, Fill, Ignored, Name, OutputOnly, Required, Unless, upper_camel,
};
pub use operation::{Media, Operation, OperationTypes, ScopeRequirement, UploadEndpoint};
pub use parameter::{ListStyle, Location, Parameter};
pub use path::{Http, Segment, SegmentPart, SegmentPattern, path_key, variable_at, variable_position};
pub use profile::{ParameterRole, Profile, ReasonCase, Role};
pub use resource::{Enum, EnumValue, Outcome, Resource, Rule, RuleSeverity, States, Transition, TransitionPolicy};
pub use response::{ErrorCase, ErrorStatus, Response, ResponseAlternative, have_types_by_status};
pub use security::{Flow, Grant, SchemeKind, SchemeRequirement, SecurityScheme};
pub use types::{Encoding, Lexical, Type};
pub use union::{FieldKinds, TagKind, Union, Variant, evident_variant, nested_types, resources_of};
pub use xml::{Xml, XmlMapping, XmlTypes};
