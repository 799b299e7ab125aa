//! Requests of the sample API.

use wireform_server::__private::Contract;
use wireform_server::wireform_runtime::fields::{Selectable as _, Shape};
use wireform_server::wireform_runtime::naming::AliasedName;
use wireform_server::wireform_runtime::operation::{
    Api, AuthRequirement, BatchEndpoint, ErrorFields, Operation, Parameter, ParameterLocation, Profile, ReasonCase,
    Reasons, Role, RoleValues, SchemeKind, SchemeRequirement, Scope, SecurityScheme, Segment, SegmentPattern,
    UploadDescription, UploadEndpoint,
};
use wireform_server::wireform_runtime::{__private::RequestEncoder, DateTime, Request, Value};

use super::api::{API, READING, WRITING};
use super::types::*;

/// Scopes of operations: reading requires either scope, writing the one for it, and some operations both or none.
const READ: AuthRequirement = AuthRequirement::AnyOf(&[WRITING, READING]);
const WRITE: AuthRequirement = AuthRequirement::AnyOf(&[WRITING]);
const BOTH: AuthRequirement = AuthRequirement::AllOf(&[WRITING, READING]);

const JSON: &[&str] = &["application/json"];
const PATCH: &[&str] = &["application/json", "application/merge-patch+json"];

/// Defines a request: its fields, its operation, its response, and its encoding.
macro_rules! request {
    (
        $name:ident { $($field:ident: $ty:ty),* $(,)? } $operation:ident = $wire:literal
        $method:literal [$($path:expr),*] $verb:expr, [$($parameter:expr),* $(,)?], $scopes:expr, key: $key:expr;
        $response:ty, $shape:expr, $(etag: $etag:literal,)? $(prepare: $prepare:expr,)?
        |$this:ident, $parts:ident| $write:expr
    ) => {
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name { $(pub $field: $ty),* }

        static $operation: Operation = Operation {
            name: $wire,
            method: $method,
            path: &[$($path),*],
            verb: $verb,
            parameters: &[$($parameter),*],
            scopes: $scopes,
            api_key: $key,
            safe: false,
            idempotent: false,
            cost: 1,
        };

        impl Request for $name {
            const API: &'static Api = &API;
            const OPERATION: &'static Operation = &$operation;
            const RESPONSE_SHAPE: Option<&'static Shape> = $shape;
            $(
                const ETAG_FIELD: Option<&'static str> = Some($etag);

                fn etag(response: &Self::Response) -> Option<&str> {
                    response.etag.as_deref()
                }
            )?
            type Response = $response;
            type ErrorBody = Value;

            $(fn strip_output_only(&mut self) {
                let prepare: fn(&mut Self) = $prepare;
                prepare(self);
            })?

            fn write(&self, $parts: &mut RequestEncoder) {
                let $this = self;
                $write
            }
        }
    };
}

use Segment::{CatchAll, Literal, Pattern, Variable};

request! {
    ThingsList {
        q: Option<String>, max_results: Option<i32>, kinds: Vec<Kind>, ids: Vec<String>, since: Option<DateTime>,
        until: Option<DateTime>, show_deleted: Option<bool>, trace: Option<String>, session: Option<String>,
        labels: Vec<String>, ratio: Option<f64>,
    }
    LIST = "things.list" "GET" [Literal("things")] None, [
        Parameter::query("q"),
        Parameter::query("maxResult").aliases(&["maxResults"]),
        Parameter::query("kinds"),
        Parameter::query("ids").commas(),
        Parameter::query("since"),
        Parameter::query("until"),
        Parameter::query("showDeleted"),
        Parameter::header("x-trace"),
        Parameter::cookie("session"),
        Parameter::header("x-label"),
        Parameter::query("ratio"),
    ], READ, key: true;
    Things, Some(Things::SHAPE), |this, parts| {
        parts.parameter(&this.q);
        parts.parameter(&this.max_results);
        parts.parameter(&this.kinds);
        parts.parameter(&this.ids);
        parts.parameter(&this.since);
        parts.parameter(&this.until);
        parts.parameter(&this.show_deleted);
        parts.parameter(&this.trace);
        parts.parameter(&this.session);
        parts.parameter(&this.labels);
        parts.parameter(&this.ratio);
    }
}

request! {
    ThingsGet { id: String }
    GET = "things.get" "GET" [Literal("things"), Variable("thingId")] None, [Parameter::path("thingId")], READ, key: true;
    Thing, Some(Thing::SHAPE), etag: "etag", |this, parts| parts.parameter(&this.id)
}

request! {
    ThingsInsert { owner: String, copies: u32, body: Thing }
    INSERT = "things.insert" "POST" [Literal("things")] None,
    [Parameter::query("owner"), Parameter::query("copies")], WRITE, key: false;
    Thing, Some(Thing::SHAPE), etag: "etag", prepare: |request| request.body.created = None,
    |this, parts| {
        parts.parameter(&this.owner);
        parts.parameter(&this.copies);
        parts.body(&this.body);
    }
}

request! {
    ThingsImport { body: Thing }
    IMPORT = "things.import" "POST" [Literal("things"), Literal("import")] None, [], WRITE, key: false;
    Thing, Some(Thing::SHAPE), etag: "etag", |this, parts| parts.body(&this.body)
}

request! {
    ThingsUpdate { id: String, body: Thing }
    UPDATE = "things.update" "PUT" [Literal("things"), Variable("thingId")] None, [Parameter::path("thingId")], WRITE, key: false;
    Thing, Some(Thing::SHAPE), etag: "etag", |this, parts| {
        parts.parameter(&this.id);
        parts.body(&this.body);
    }
}

request! {
    ThingsPatch_ { id: String, body: ThingPatch }
    PATCH_ = "things.patch" "PATCH" [Literal("things"), Variable("thingId")] None, [Parameter::path("thingId")], WRITE, key: false;
    Thing, Some(Thing::SHAPE), etag: "etag", |this, parts| {
        parts.parameter(&this.id);
        parts.body(&this.body);
    }
}

request! {
    ThingsRun { id: String, body: Option<Owner> }
    RUN = "things.run" "POST" [Literal("things"), Variable("thingId")] Some("run"), [Parameter::path("thingId")], BOTH, key: false;
    Thing, Some(Thing::SHAPE), etag: "etag", |this, parts| {
        parts.parameter(&this.id);
        if let Some(body) = &this.body {
            parts.body(body);
        }
    }
}

request! {
    ThingsDelete { id: String }
    DELETE = "things.delete" "DELETE" [Literal("things"), Variable("thingId")] None, [Parameter::path("thingId")], WRITE, key: false;
    (), None, |this, parts| parts.parameter(&this.id)
}

request! {
    FilesGet { path: String }
    FILE = "files.get" "GET" [Literal("files"), CatchAll("path")] None, [Parameter::path("path")], AuthRequirement::None, key: false;
    Thing, Some(Thing::SHAPE), |this, parts| parts.parameter(&this.path)
}

request! {
    PlacesGet { name: String, page: String }
    PLACE = "places.get" "GET" [
        Pattern("name", &[SegmentPattern::Literal("projects"), SegmentPattern::Wildcard, SegmentPattern::Literal("places"), SegmentPattern::Wildcard]),
        Literal("pages"),
        Pattern("page", &[SegmentPattern::Literal("page"), SegmentPattern::DoubleWildcard])
    ] Some("read"), [Parameter::path("name"), Parameter::path("page")], AuthRequirement::None, key: false;
    Thing, Some(Thing::SHAPE), |this, parts| {
        parts.parameter(&this.name);
        parts.parameter(&this.page);
    }
}

request! {
    MediaAdd { id: String, mode: Option<String>, body: Option<Owner> }
    ADD = "media.add" "POST" [Literal("media"), Variable("mediaId")] None,
    [Parameter::path("mediaId"), Parameter::cookie("mode")], READ, key: true;
    Thing, Some(Thing::SHAPE), |this, parts| {
        parts.parameter(&this.id);
        parts.parameter(&this.mode);
    }
}

const BY_KEY: SecurityScheme =
    SecurityScheme { name: "key", kind: SchemeKind::ApiKey(ParameterLocation::Header, "x-key") };
const BY_PARAMETER: SecurityScheme =
    SecurityScheme { name: "parameter", kind: SchemeKind::ApiKey(ParameterLocation::Query, "apiKey") };

request! {
    MediaPut { id: String }
    PUT = "media.put" "PUT" [Literal("locked"), Variable("mediaId")] None, [Parameter::path("mediaId")],
    AuthRequirement::Schemes(&[
        &[SchemeRequirement { scheme: &BY_KEY, scopes: &[] }],
        &[SchemeRequirement { scheme: &BY_PARAMETER, scopes: &[] }],
    ]), key: false;
    Thing, Some(Thing::SHAPE), |this, parts| parts.parameter(&this.id)
}

/// Upload paths of all protocols.
const fn media(simple: Operation, resumable: Operation, multipart: bool) -> UploadDescription {
    let simple = Some(UploadEndpoint { operation: simple, multipart });
    let resumable = Some(UploadEndpoint { operation: resumable, multipart });
    UploadDescription { types: &[], max_bytes: Some(1 << 20), simple, resumable }
}

pub static ADD_MEDIA: UploadDescription = media(
    Operation { path: &[Literal("upload"), Literal("media"), Variable("mediaId")], ..ADD },
    Operation { path: &[Literal("resumable"), Literal("media"), Variable("mediaId")], ..ADD },
    true,
);

pub static PUT_MEDIA: UploadDescription = media(
    Operation { path: &[Literal("upload"), Literal("locked"), Variable("mediaId")], ..PUT },
    Operation { path: &[Literal("resumable"), Literal("locked"), Variable("mediaId")], ..PUT },
    false,
);

/// Contracts of the operations.
pub mod contracts {
    use super::*;

    pub static LIST: Contract = Contract::new(&super::LIST);
    pub static GET: Contract = Contract::new(&super::GET).if_none_match();
    pub static INSERT: Contract = Contract::new(&super::INSERT).status(201).body(JSON);
    pub static IMPORT: Contract = Contract::new(&super::IMPORT).body(JSON);
    pub static UPDATE: Contract = Contract::new(&super::UPDATE).body(JSON).if_match();
    pub static PATCH: Contract = Contract::new(&super::PATCH_).body(super::PATCH).if_match();
    pub static RUN: Contract = Contract::new(&super::RUN).optional_body(JSON);
    pub static DELETE: Contract = Contract::new(&super::DELETE).status(204).if_match();
    pub static FILE: Contract = Contract::new(&super::FILE);
    pub static PLACE: Contract = Contract::new(&super::PLACE);
    pub static ADD: Contract = Contract::new(&super::ADD).optional_body(JSON).media(&ADD_MEDIA);
    pub static PUT: Contract = Contract::new(&super::PUT).media(&PUT_MEDIA);
}
