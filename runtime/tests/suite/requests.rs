//! Encoding of requests with the structure of generated ones.

use wireform_runtime::naming::AliasedName;
use wireform_runtime::operation::{
    Api, AuthRequirement, ErrorFields, Operation, Parameter, RoleValues, Segment, SegmentPattern,
};
use wireform_runtime::serde::{Serialize, Serializer, ser};
use wireform_runtime::{
    __private::RequestEncoder, Naming, Request, RequestError, RequestErrorKind, UnknownValue, WireRequest, open_enum,
};

static API: Api = Api {
    name: "calendar",
    version: "v3",
    root_url: None,
    base_path: AliasedName { name: "/calendars/v3", aliases: &["/calendar/v3", "/c"] },
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
};

/// Defines a request with these constants and this encoding.
macro_rules! request {
    (
        $(#[$attribute:meta])* struct $name:ident { $($field:ident: $ty:ty),* $(,)? }
        path: $path:expr, verb: $verb:expr, parameters: $parameters:expr, write: |$this:ident, $parts:ident| $write:expr
    ) => {
        #[derive(Clone, Debug, Default)]
        struct $name { $($field: $ty),* }

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = {
                static OPERATION: Operation = Operation {
                    name: stringify!($name),
                    method: "GET",
                    path: $path,
                    verb: $verb,
                    parameters: $parameters,
                    scopes: AuthRequirement::None,
                    api_key: false,
                    safe: true,
                    idempotent: true,
                    cost: 1,
                };
                &OPERATION
            };
            type Response = ();
            type ErrorBody = ();

            fn write(&self, $parts: &mut RequestEncoder) {
                let $this = self;
                $write
            }
        }
    };
}

// The modules use the macro, so they follow it.
mod locations;
mod paths;
mod properties;
mod values;

request! {
    struct Get { calendar: String, event: String }
    path: &[
        Segment::Literal("calendars"), Segment::Variable("calendarId"), Segment::Literal("events"), Segment::Variable("eventId"),
    ],
    verb: None,
    parameters: &[Parameter::path("calendarId"), Parameter::path("eventId")],
    write: |request, parts| {
        parts.parameter(&request.calendar);
        parts.parameter(&request.event);
    }
}

request! {
    struct Cancel { name: String }
    path: &[Segment::Literal("v1"), Segment::CatchAll("name")],
    verb: Some("cancel"),
    parameters: &[Parameter::path("name")],
    write: |request, parts| parts.parameter(&request.name)
}

request! {
    struct Place { name: String, book: String }
    path: &[
        Segment::Literal("v1"),
        Segment::Pattern("name", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard, SegmentPattern::Literal("places"), SegmentPattern::Wildcard]),
        Segment::Pattern("book", &[SegmentPattern::Literal("books"), SegmentPattern::DoubleWildcard]),
    ],
    verb: Some("move"),
    parameters: &[Parameter::path("name"), Parameter::path("book")],
    write: |request, parts| {
        parts.parameter(&request.name);
        parts.parameter(&request.book);
    }
}

request! {
    struct Call { name: Option<String> }
    path: &[Segment::Variable("name")],
    verb: Some("call"),
    parameters: &[Parameter::path("name")],
    write: |request, parts| parts.parameter(&request.name)
}

request! {
    struct Search {
        q: Option<String>, order: Option<Order>, orders: Vec<Order>, kinds: Vec<String>, ids: Vec<String>,
        max: Option<i32>, trace: Option<String>, tags: Vec<String>, session: Option<String>, side: Option<String>,
    }
    path: &[Segment::Literal("search")],
    verb: None,
    parameters: &[
        Parameter::query("q"),
        Parameter::query("order"),
        Parameter::query("orders").commas(),
        Parameter::query("kinds[]"),
        Parameter::query("ids").commas(),
        Parameter::query("maxResult").aliases(&["maxResults", "max"]),
        Parameter::header("x-trace").aliases(&["x-public-trace"]),
        Parameter::header("x-tag"),
        Parameter::cookie("session"),
        Parameter::cookie("side").aliases(&["publicSide"]),
    ],
    write: |request, parts| {
        parts.parameter(&request.q);
        parts.parameter(&request.order);
        parts.parameter(&request.orders);
        parts.parameter(&request.kinds);
        parts.parameter(&request.ids);
        parts.parameter(&request.max);
        parts.parameter(&request.trace);
        parts.parameter(&request.tags);
        parts.parameter(&request.session);
        parts.parameter(&request.side);
        parts.parameter("no such parameter");
    }
}

request! {
    struct Insert { body: Body }
    path: &[Segment::Literal("")],
    verb: None,
    parameters: &[],
    write: |request, parts| parts.body(&request.body)
}

#[non_exhaustive]
enum Order {
    StartTime,
    Updated,
    Unknown(UnknownValue<Self>),
}

open_enum! { Order "Order" { 0 StartTime "startTime" | "START_TIME", 1 Updated "updated" } }

/// Body that contains a value of an enum, or fails to serialize.
#[derive(Clone, Debug, Default)]
struct Body(Option<Order>);

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(order) => order.serialize(s),
            None => Err(ser::Error::custom("not\nthis")),
        }
    }
}

fn wire(request: &impl Request) -> Result<WireRequest, RequestError> {
    request.to_wire(Naming::Specification)
}

fn target(request: &impl Request) -> String {
    wire(request).unwrap().target
}

fn get(calendar: &str, event: &str) -> Get {
    Get { calendar: calendar.into(), event: event.into() }
}

fn cancel(name: &str) -> Cancel {
    Cancel { name: name.into() }
}

fn call(name: &str) -> Call {
    Call { name: Some(name.into()) }
}

fn kind<T: std::fmt::Debug>(result: Result<T, RequestError>) -> (&'static str, RequestErrorKind) {
    let error = result.unwrap_err();
    (error.parameter, error.kind)
}
