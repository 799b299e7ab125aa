//! A small API for the tests of this crate, in the shape that generated code has, and contexts of its requests.

use std::any::Any;
use std::sync::Arc;

use http::{HeaderName, HeaderValue, Request as HttpRequest};
use wireform_runtime::fields::{Inner, Shape};
use wireform_runtime::json::EncodeError;
use wireform_runtime::names::Spelling;
use wireform_runtime::operation::{Api, ErrorMembers, Expired, Operation, Parameter, ScopeNeed, Segment};
use wireform_runtime::serde::ser::SerializeMap;
use wireform_runtime::{
    MapAccess, Members, Names, Object, Paged, Parts, Request, Synced, Value, known_member, member, object, skip_member,
    write_member,
};
use wireform_validation::{At, CheckRequests, Checker, Context as Checked, Violations, Warnings};

use crate::auth::Principal;
use crate::context::{Context, Wanted};
use crate::contract::{BodyNeed, Contract};
use crate::limits::Limits;
use crate::observe::RequestId;
use crate::server::{Settings, UnknownParameters};

pub static API: Api = Api {
    name: "sample",
    version: "v1",
    root: None,
    base_path: Spelling { name: "/sample/v1", aliases: &["/public/v1"] },
    scopes: &[],
    standard: &[],
    errors: ErrorMembers {
        message: &["error", "message"],
        reason: &["error", "reason"],
        location: &[],
        code: &["error", "code"],
        status: &[],
    },
};

#[derive(Clone, Default, PartialEq)]
pub struct Thing {
    pub id: Option<String>,
    pub etag: Option<String>,
    /// `plain`, or `simple` to the public.
    pub kind: Option<String>,
    /// Only clients write it.
    pub secret: Option<String>,
    pub any: Option<Value>,
}

impl Object for Thing {
    const NAME: &'static str = "Thing";
    const MEMBERS: &'static [&'static str] = &["id", "etag", "kind", "secret", "any"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.id),
            1 => member(map, &mut self.etag),
            2 => known_member(map, &mut self.kind, &[("plain", "simple")]),
            3 => member(map, &mut self.secret),
            4 => member(map, &mut self.any),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if self.id.as_deref() == Some("unwritable") {
            return Err(wireform_runtime::serde::ser::Error::custom("unwritable"));
        }
        write_member(map, "id", &self.id)?;
        write_member(map, "etag", &self.etag)?;
        let mut members = Members::new(map);
        members.known("kind", &self.kind, &[("plain", "simple")]);
        members.finish()?;
        write_member(map, "secret", &self.secret)?;
        write_member(map, "any", &self.any)
    }
}

object!(Thing);

pub static THING: Shape = Shape { name: "Thing", members: Thing::MEMBERS, inner: &[(4, Inner::Any)] };

#[derive(Clone, Default, PartialEq)]
pub struct Things {
    pub items: Vec<Thing>,
    pub next: Option<String>,
    pub cursor: Option<String>,
}

impl Object for Things {
    const NAME: &'static str = "Things";
    const MEMBERS: &'static [&'static str] = &["items", "nextPageToken", "nextSyncToken"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.items),
            1 => member(map, &mut self.next),
            2 => member(map, &mut self.cursor),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_member(map, "items", &self.items)?;
        write_member(map, "nextPageToken", &self.next)?;
        write_member(map, "nextSyncToken", &self.cursor)
    }
}

object!(Things);

static THINGS: Shape = Shape { name: "Things", members: Things::MEMBERS, inner: &[(0, Inner::Shape(&THING))] };

const ID: &[Parameter] = &[Parameter::path("id")];

const fn operation(name: &'static str, method: &'static str, safe: bool) -> Operation {
    Operation {
        name,
        method,
        path: &[Segment::Literal("things"), Segment::Variable(0)],
        verb: None,
        parameters: ID,
        scopes: ScopeNeed::None,
        api_key: false,
        safe,
        idempotent: true,
        cost: 1,
    }
}

const fn contract(operation: &'static Operation, status: u16) -> Contract {
    Contract {
        operation,
        status,
        body: BodyNeed::None,
        content_types: &[],
        if_none_match: operation.safe,
        if_match: !operation.safe,
    }
}

/// A request for one thing: its name, its operation, what it answers and where that has its tag.
macro_rules! request {
    ($name:ident $operation:literal $method:literal $safe:literal -> $response:ty $(, $shape:expr, $etag:expr)?) => {
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            pub id: String,
        }

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = &operation($operation, $method, $safe);
            type Response = $response;
            type ErrorBody = Value;

            $(
                const SHAPE: Option<&'static Shape> = Some($shape);

                fn conceal(response: &mut $response) {
                    response.secret = None;
                }

                fn etag(response: &Self::Response) -> Option<&str> {
                    let etag: fn(&$response) -> Option<&str> = $etag;
                    etag(response)
                }
            )?

            fn write(&self, parts: &mut Parts) {
                parts.parameter(0, &self.id);
            }
        }
    };
}

request!(Get "things.get" "GET" true -> Thing, &THING, |thing| thing.etag.as_deref());
request!(Look "things.look" "GET" true -> Thing, &THING, |_| None);
request!(Update "things.update" "PUT" false -> Thing, &THING, |thing| thing.etag.as_deref());
request!(Replace "things.replace" "PUT" false -> Thing, &THING, |_| None);
request!(Delete "things.delete" "DELETE" false -> ());

pub static GET: Contract = contract(Get::OPERATION, 200);
pub static LOOK: Contract = contract(Look::OPERATION, 200);
pub static UPDATE: Contract = contract(Update::OPERATION, 200);
pub static REPLACE: Contract = contract(Replace::OPERATION, 201);
pub static DELETE: Contract = contract(Delete::OPERATION, 204);
pub static LIST: Contract = Contract { if_none_match: false, ..contract(List::OPERATION, 200) };

/// `List` and another operation that takes the same parameters.
macro_rules! list {
    ($name:ident $operation:literal) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            pub parent: String,
            pub most: Option<i32>,
            pub query: Option<String>,
            pub page: Option<String>,
            pub cursor: Option<String>,
            pub zone: Option<String>,
        }

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = &Operation {
                parameters: &[
                    Parameter::path("parent"),
                    Parameter::query("maxResults").aliases(&["pageSize"]),
                    Parameter::query("q"),
                    Parameter::query("pageToken").aliases(&["page_token"]),
                    Parameter::query("syncToken"),
                    Parameter::header("x-zone"),
                ],
                ..operation($operation, "GET", true)
            };
            type Response = Things;
            type ErrorBody = Value;
            const SHAPE: Option<&'static Shape> = Some(&THINGS);

            fn write(&self, parts: &mut Parts) {
                parts.parameter(0, &self.parent);
                parts.parameter(1, &self.most);
                parts.parameter(2, &self.query);
                parts.parameter(3, &self.page);
                parts.parameter(4, &self.cursor);
                parts.parameter(5, &self.zone);
            }
        }

        impl Paged for $name {
            type Item = Thing;
            const NEXT: &'static str = "nextPageToken";
            const ITEMS: &'static str = "items";

            fn page_token(&self) -> Option<&str> {
                self.page.as_deref()
            }

            fn set_page_token(&mut self, token: Option<String>) {
                self.page = token;
            }

            fn next_page_token(response: &Things) -> Option<&str> {
                response.next.as_deref()
            }

            fn take_items(response: &mut Things) -> Vec<Thing> {
                std::mem::take(&mut response.items)
            }
        }

        impl Synced for $name {
            type Cursor = String;
            type Change = Thing;
            const CURSOR: &'static str = "nextSyncToken";
            const EXPIRED: Expired =
                Expired { status: 410, reason: Some("fullSyncRequired"), location: Some("syncToken") };
            const LISTS_ALL: bool = true;

            fn resume(&mut self, cursor: Option<String>) {
                self.cursor = cursor;
            }

            fn cursor(response: &Things) -> Option<String> {
                response.cursor.clone()
            }

            fn changes(item: Thing, changes: &mut Vec<Thing>) {
                changes.push(item);
            }
        }
    };
}

list!(List "things.list");
list!(ListOthers "others.list");

/// The one rule: a thing does not change while its kind is `locked`, unless the request is for `a`.
pub struct Rules;

impl CheckRequests for Rules {
    fn check_request(
        &self,
        _operation: &'static Operation,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        let request = request.downcast_ref::<Update>()?;
        let locked = stored?.downcast_ref::<Thing>()?.kind.as_deref() == Some("locked");
        let mut checker = Checker::new(Checked::VALUE);
        checker.required(At::BODY.member("id"), !locked || request.id == "a");
        Some(checker.finish())
    }
}

/// A context of a request with these headers.
pub fn context(contract: &'static Contract, headers: &[(&'static str, &str)]) -> Context {
    let mut request = HttpRequest::new(());
    for (name, value) in headers {
        let value = HeaderValue::from_str(value).unwrap();
        request.headers_mut().append(HeaderName::from_static(name), value);
    }
    let parts = request.into_parts().0;
    let condition = |name: &str| {
        let text = parts.headers.get(name)?.to_str().unwrap();
        Some(text.parse().unwrap())
    };
    Context {
        contract,
        principal: Principal::new("somebody"),
        id: RequestId::made_up(),
        wanted: Wanted::default(),
        if_match: condition("if-match"),
        if_none_match: condition("if-none-match"),
        rules: Some(&Rules),
        settings: settings(Names::Specification),
        parts,
    }
}

/// What a server does that is asked for nothing else.
pub fn settings(names: Names) -> Arc<Settings> {
    Arc::new(Settings {
        names,
        limits: Limits::DEFAULT,
        unknown_parameters: UnknownParameters::Refuse,
        compress_from: Some(1000),
    })
}

/// A thing.
pub fn thing(id: &str, etag: Option<&str>) -> Thing {
    Thing { id: Some(id.to_owned()), etag: etag.map(str::to_owned), secret: Some("s3cret".into()), ..Thing::default() }
}

/// What cannot be encoded.
pub fn unwritable() -> (Thing, EncodeError) {
    let thing = thing("unwritable", None);
    let error = wireform_runtime::json::to_vec(&thing).unwrap_err();
    (thing, error)
}
