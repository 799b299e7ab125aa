//! Things that can be listed, synchronized, read, updated and patched; and a history without a list.

use serde_json::Value;
use wireform_client::wire::__private::{Object, RequestEncoder, read_value, skip_value, write_field};
use wireform_client::wire::naming::AliasedName;
use wireform_client::wire::object;
use wireform_client::wire::operation::{
    Api, AuthRequirement, ErrorField, ErrorFields, Operation, Parameter, Role, RoleValues, Segment, Step,
};
use wireform_client::wire::serde::de::MapAccess;
use wireform_client::wire::serde::ser::SerializeMap;
use wireform_client::{Call, Request};

pub static API: Api = Api {
    name: "things",
    version: "v1",
    root_url: None,
    base_path: AliasedName { name: "", aliases: &[] },
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[Parameter::query("fields").role(Role::Fields)],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields {
        message: ErrorField::at(&[Step::member("error"), Step::member("message")]),
        reason: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("reason")]),
        location: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("location")]),
        ..ErrorFields::NONE
    },
};

macro_rules! resource {
    ($name:ident { $($index:literal $field:ident: $ty:ty, $wire:literal;)* }) => {
        #[derive(Clone, Default, PartialEq)]
        pub struct $name { $(pub $field: $ty,)* }

        impl Object for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [&'static str] = &[$($wire),*];

            fn index(name: &str) -> Option<usize> {
                Some(match name { $($wire => $index,)* _ => return None })
            }

            fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
                match index { $($index => read_value(map, &mut self.$field),)* _ => skip_value(map) }
            }

            fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(write_field(map, $wire, &self.$field)?;)*
                Ok(())
            }
        }

        object!($name);
    };
}

resource!(Thing {
    0 id: Option<String>, "id";
    1 etag: Option<String>, "etag";
    2 name: Option<String>, "name";
    3 gone: Option<bool>, "gone";
    4 note: Option<String>, "note";
});

resource!(Things {
    0 items: Vec<Thing>, "items";
    1 next: Option<String>, "nextPageToken";
    2 cursor: Option<String>, "nextSyncToken";
});

resource!(History {
    0 records: Vec<Record>, "history";
    1 next: Option<String>, "nextPageToken";
    2 cursor: Option<i32>, "historyId";
});

resource!(Record {
    0 added: Vec<String>, "added";
    1 removed: Vec<String>, "removed";
});

resource!(Failed { 0 error: Option<ErrorObject>, "error"; });
resource!(ErrorObject {
    0 message: Option<String>, "message";
    1 errors: Vec<ErrorItem>, "errors";
});
resource!(ErrorItem {
    0 reason: Option<String>, "reason";
    1 location: Option<String>, "location";
});

/// Defines a request.
macro_rules! request {
    ($name:ident { $($field:ident: $ty:ty),* } $operation:literal $method:literal $path:expr, $parameters:expr;
     safe: $safe:literal, response: $response:ty, etag: $etag:expr, |$this:ident, $parts:ident| $write:block) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $(pub $field: $ty),* }

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = {
                static OPERATION: Operation = Operation {
                    name: $operation,
                    method: $method,
                    path: $path,
                    verb: None,
                    parameters: $parameters,
                    scopes: AuthRequirement::None,
                    api_key: false,
                    safe: $safe,
                    idempotent: true,
                    cost: 1,
                };
                &OPERATION
            };
            type Response = $response;
            type ErrorBody = Failed;

            fn etag(response: &Self::Response) -> Option<&str> {
                let etag: fn(&Self::Response) -> Option<&str> = $etag;
                etag(response)
            }

            fn write(&self, $parts: &mut RequestEncoder) {
                let $this = self;
                $write
            }
        }
    };
}

const THINGS: &[Segment] = &[Segment::Literal("things")];
const THING: &[Segment] = &[Segment::Literal("things"), Segment::Variable("id")];

request! {
    List { page: Option<String>, cursor: Option<String> } "things.list" "GET"
    THINGS, &[Parameter::query("pageToken"), Parameter::query("syncToken")];
    safe: true, response: Things, etag: |_| None,
    |this, parts| { parts.parameter(&this.page); parts.parameter(&this.cursor); }
}

request! {
    Get { id: String } "things.get" "GET"
    THING, &[Parameter::path("id")];
    safe: true, response: Thing, etag: |thing| thing.etag.as_deref(),
    |this, parts| { parts.parameter(&this.id); }
}

request! {
    Update { id: String, thing: Thing, notify: Option<bool> } "things.update" "PUT"
    THING, &[Parameter::path("id"), Parameter::query("notify")];
    safe: false, response: Thing, etag: |thing| thing.etag.as_deref(),
    |this, parts| { parts.parameter(&this.id); parts.parameter(&this.notify); parts.body(&this.thing); }
}

request! {
    Patch { id: String, patch: Value } "things.patch" "PATCH"
    THING, &[Parameter::path("id")];
    safe: false, response: Thing, etag: |thing| thing.etag.as_deref(),
    |this, parts| { parts.parameter(&this.id); parts.body(&this.patch); }
}

request! {
    Delete { id: String } "things.delete" "DELETE"
    THING, &[Parameter::path("id")];
    safe: false, response: (), etag: |_| None,
    |this, parts| { parts.parameter(&this.id); }
}

request! {
    Changed { user: String, page: Option<String>, start: i32 } "history.list" "GET"
    &[Segment::Literal("users"), Segment::Variable("user"), Segment::Literal("history")],
    &[Parameter::path("user"), Parameter::query("pageToken"), Parameter::query("start").aliases(&["startHistoryId"])];
    safe: true, response: History, etag: |_| None,
    |this, parts| { parts.parameter(&this.user); parts.parameter(&this.page); parts.parameter(&this.start); }
}

/// Builders in the shape of generated code.
macro_rules! builder {
    ($name:ident, $request:ty) => {
        #[derive(Clone, Debug)]
        pub struct $name {
            pub call: Call<$request>,
        }

        wireform_client::call!($name, $request);
    };
}

builder!(ListCall, List);
wireform_client::paged!(ListCall, List);
builder!(GetCall, Get);
wireform_client::conditional_read!(GetCall, Get);
wireform_client::updates!(GetCall, Get);
wireform_client::patches!(GetCall, Get);
builder!(UpdateCall, Update);
wireform_client::conditional_write!(UpdateCall, Update);

#[derive(Clone, Debug)]
pub struct ListChangesCall {
    pub call: Call<List>,
}

wireform_client::synced!(ListChangesCall, List, lists_all);

#[derive(Clone, Debug)]
pub struct HistoryCall {
    pub call: Call<Changed>,
}

wireform_client::synced!(HistoryCall, Changed);

pub fn get() -> Get {
    Get { id: "a".to_owned() }
}

pub fn thing(id: &str) -> Thing {
    Thing { id: Some(id.to_owned()), ..Thing::default() }
}

pub fn ids(things: &[Thing]) -> Vec<&str> {
    things.iter().map(|thing| thing.id.as_deref().unwrap()).collect()
}
