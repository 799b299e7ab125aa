//! What an API is, resolved: every name has its Rust form, every reference is an index, every
//! default fits its type. Plain data without behaviour beyond look-ups; nothing here knows YAML,
//! and nothing here knows Rust tokens.

mod api;
mod body;
pub mod condition;
mod features;
mod listing;
mod long_running;
mod member;
mod operation;
mod path;
mod resource;
mod security;
mod union;

pub use api::{
    Api, BasePath, Batch, Endpoint, EnumId, ErrorMembers, Group, Module, OperationId, ResourceId, Scope, TypeId,
    UnionId,
};
pub use body::{Body, BodyMode, Codec, ErrorCase, Raw, Response};
pub use features::{Behind, Feature, Features};
pub use listing::{ChangeField, Conditional, Expired, Forbidden, Pages, Sync, Watch};
pub use long_running::{Argument, LongRunning, Started};
pub use member::{
    Behavior, Cel, Constraints, Deprecated, Doc, Encoding, Field, Fill, Format, Known, Literal, Name, Number,
    OutputOnly, Range, Required, Type,
};
pub use operation::{ListStyle, Location, Media, Operation, OperationTypes, Parameter, ScopeNeed, Upload};
pub use path::{Http, Piece, Segment, address, place, variable};
pub use resource::{Enum, EnumValue, Outcome, Resource, Rule, RuleSeverity, States, Transition, TransitionsOtherwise};
pub use security::{Demand, Flow, Grant, SchemeKind, SecurityScheme};
pub use union::{Holds, Union, Variant, parts_of, resources_of};
