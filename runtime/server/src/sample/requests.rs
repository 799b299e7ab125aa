//! Operations of the small API and their requests, in the shape of generated code.

use wireform_runtime::fields::Shape;
use wireform_runtime::operation::{Api, AuthRequirement, ExpiredTokenError, Operation, Parameter, Segment};
use wireform_runtime::{
    __private::{FromParameters, ParameterTexts, RequestEncoder, TokenParameter},
    Paginated, Request, Syncable, Value,
};

use super::{API, THING, THINGS, Thing, Things};
use crate::contract::Contract;

const ID: &[Parameter] = &[Parameter::path("id")];

const fn operation(name: &'static str, method: &'static str, safe: bool) -> Operation {
    Operation {
        name,
        method,
        path: &[Segment::Literal("things"), Segment::Variable("id")],
        verb: None,
        parameters: ID,
        scopes: AuthRequirement::None,
        api_key: false,
        safe,
        idempotent: true,
        cost: 1,
    }
}

const fn contract(operation: &'static Operation, status: u16) -> Contract {
    let contract = Contract::new(operation).status(status);
    if operation.safe { contract.if_none_match() } else { contract.if_match() }
}

/// Defines the request for one thing: its name, its operation, its response and the field of its entity tag.
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
                const RESPONSE_SHAPE: Option<&'static Shape> = Some($shape);

                fn strip_input_only(response: &mut $response) {
                    response.secret = None;
                }

                fn etag(response: &Self::Response) -> Option<&str> {
                    let etag: fn(&$response) -> Option<&str> = $etag;
                    etag(response)
                }
            )?

            fn write(&self, parts: &mut RequestEncoder) {
                parts.parameter(&self.id);
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
pub static LIST: Contract = Contract { if_none_match: false, ..contract(List::OPERATION, 200) }
    .sync("syncToken", <List as Syncable>::EXPIRED_TOKEN);

/// Defines `List` and another operation with the same parameters.
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
            pub kinds: Vec<String>,
            pub order: Option<String>,
            pub deleted: Option<bool>,
        }

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = &Operation {
                path: &[Segment::Literal("things"), Segment::Variable("parent")],
                parameters: &[
                    Parameter::path("parent"),
                    Parameter::query("maxResults").aliases(&["pageSize"]),
                    Parameter::query("q"),
                    Parameter::query("pageToken").aliases(&["page_token"]),
                    Parameter::query("syncToken"),
                    Parameter::header("x-zone"),
                    Parameter::query("kinds").aliases(&["types"]).commas(),
                    Parameter::query("orderBy"),
                    Parameter::query("showDeleted"),
                ],
                ..operation($operation, "GET", true)
            };
            type Response = Things;
            type ErrorBody = Value;
            const RESPONSE_SHAPE: Option<&'static Shape> = Some(&THINGS);

            fn write(&self, parts: &mut RequestEncoder) {
                parts.parameter(&self.parent);
                parts.parameter(&self.most);
                parts.parameter(&self.query);
                parts.parameter(&self.page);
                parts.parameter(&self.cursor);
                parts.parameter(&self.zone);
                parts.parameter(&self.kinds);
                parts.parameter(&self.order);
                parts.parameter(&self.deleted);
            }
        }

        impl Paginated for $name {
            type Item = Thing;
            const NEXT_PAGE_FIELD: &'static str = "nextPageToken";
            const ITEMS_FIELD: &'static str = "items";

            fn page_token(&self) -> Option<std::borrow::Cow<'_, str>> {
                self.page.as_deref().map(Into::into)
            }

            fn set_page_token(&mut self, token: Option<String>) {
                self.page = token;
            }

            fn next_page(&self, response: &Things) -> Option<String> {
                response.next.clone()
            }

            fn take_items(response: &mut Things) -> Vec<Thing> {
                std::mem::take(&mut response.items)
            }
        }

        impl Syncable for $name {
            type SyncToken = String;
            type Change = Thing;
            const SYNC_TOKEN_FIELD: &'static str = "nextSyncToken";
            const EXPIRED_TOKEN: ExpiredTokenError =
                ExpiredTokenError { status: 410, reason: Some("fullSyncRequired"), location: Some("syncToken") };
            const SUPPORTS_FULL_SYNC: bool = true;
            const TOKEN_PARAMETERS: &'static [TokenParameter] = &[
                TokenParameter { name: "maxResults", can_change: true },
                TokenParameter { name: "q", can_change: false },
                TokenParameter { name: "kinds", can_change: false },
                TokenParameter { name: "showDeleted", can_change: true },
            ];

            fn sync_token(&self) -> Option<&str> {
                self.cursor.as_deref()
            }

            fn without_sync_token(&self) -> Option<Self> {
                if self.order.is_some() {
                    return None;
                }
                let mut request = Self { cursor: None, ..self.clone() };
                if request.deleted == Some(false) {
                    request.deleted = None;
                }
                Some(request)
            }

            fn inherit_parameter<'t>(&mut self, name: &str, texts: &mut impl ParameterTexts<'t>) {
                match name {
                    "maxResults" => self.most = FromParameters::from_parameters(texts),
                    "q" => self.query = FromParameters::from_parameters(texts),
                    "kinds" => self.kinds = FromParameters::from_parameters(texts),
                    "showDeleted" => self.deleted = FromParameters::from_parameters(texts),
                    _ => {}
                }
            }

            fn set_sync_token(&mut self, cursor: Option<String>) {
                self.cursor = cursor;
            }

            fn next_sync_token(response: &Things) -> Option<String> {
                response.cursor.clone()
            }

            fn collect_changes(item: Thing, changes: &mut Vec<Thing>) {
                changes.push(item);
            }
        }
    };
}

list!(List "things.list");
list!(ListOthers "others.list");
