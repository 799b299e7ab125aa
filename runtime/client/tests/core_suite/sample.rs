//! Sample API in the shape of generated code.

use std::collections::BTreeMap;

use wireform_client::wire::__private::{Object, Parts, member, skip_member, write_member};
use wireform_client::wire::names::Spelling;
use wireform_client::wire::operation::{
    Api, Batch, ErrorMember, ErrorMembers, Location, Operation, Parameter, Profile, Role, RoleValues, Scope, ScopeNeed,
    Segment, Step,
};
use wireform_client::wire::serde::de::MapAccess;
use wireform_client::wire::serde::ser::SerializeMap;
use wireform_client::wire::{Value, object};
use wireform_client::{Call, Request, Selectable, Shape, call};

pub static SAMPLE: Api = Api {
    name: "sample",
    version: "v1",
    root: Some("https://sample.example"),
    base_path: Spelling { name: "/sample/v1", aliases: &["/public/v1"] },
    endpoints: &[],
    batch: Some(Batch { path: "/batch/sample/v1", max: 3 }),
    scopes: &[
        &Scope::new("all", "https://sample.example/auth/all").aliases(&["https://public.example/all"]),
        &Scope::new("read", "https://sample.example/auth/read"),
    ],
    standard: &[
        Parameter::new(Location::Query, "fields").role(Role::Fields),
        Parameter::new(Location::Query, "key").role(Role::ApiKey),
        Parameter::new(Location::Query, "alt").role(Role::Format),
        Parameter::new(Location::Query, "quotaUser").aliases(&["userQuota"]).role(Role::QuotaUser),
        Parameter::new(Location::Query, "prettyPrint").role(Role::PrettyPrint),
        Parameter::new(Location::Query, "access_token").role(Role::AccessToken),
        Parameter::new(Location::Query, "oauth_token").role(Role::AccessToken),
        Parameter::new(Location::Query, "callback").role(Role::Callback),
        Parameter::new(Location::Query, "uploadType").role(Role::UploadType),
        Parameter::new(Location::Query, "upload_protocol").role(Role::UploadProtocol),
    ],
    values: RoleValues::STANDARD,
    errors: ErrorMembers {
        message: ErrorMember::at(&[Step::member("error"), Step::member("message")]),
        reason: ErrorMember::at(&[Step::member("error"), Step::list("errors"), Step::member("reason")]),
        location: ErrorMember::at(&[Step::member("error"), Step::list("errors"), Step::member("location")]),
        profile: &Profile {
            rate_limits: &[(403, "rateLimitExceeded"), (403, "userRateLimitExceeded")],
            request_ids: &["x-request-id", "x-goog-request-id", "request-id", "x-guploader-uploadid"],
            ..Profile::STANDARD
        },
        ..ErrorMembers::NONE
    },
};

pub static OTHER: Api = Api {
    name: "other",
    version: "v1",
    root: None,
    base_path: Spelling::new(""),
    endpoints: &[],
    batch: None,
    scopes: &[],
    standard: &[],
    values: RoleValues::STANDARD,
    errors: ErrorMembers::NONE,
};

#[derive(Clone, Default, PartialEq)]
pub struct Thing {
    pub id: Option<String>,
    pub text: Option<String>,
    pub etag: Option<String>,
    /// Output-only.
    pub author: Option<String>,
}

impl Object for Thing {
    const NAME: &'static str = "Thing";
    const MEMBERS: &'static [&'static str] = &["id", "text", "etag", "author"];

    fn index(name: &str) -> Option<usize> {
        Self::MEMBERS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => member(map, &mut self.id),
            1 => member(map, &mut self.text),
            2 => member(map, &mut self.etag),
            3 => member(map, &mut self.author),
            _ => skip_member(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_member(map, "id", &self.id)?;
        write_member(map, "text", &self.text)?;
        write_member(map, "etag", &self.etag)?;
        write_member(map, "author", &self.author)
    }
}

object!(Thing);

impl Selectable for Thing {
    const SHAPE: &'static Shape = &Shape::new("Thing", &["id", "text", "etag", "author"]);
}

const fn operation(name: &'static str, method: &'static str) -> Operation {
    Operation {
        name,
        method,
        path: &[Segment::Literal("things")],
        verb: None,
        parameters: &[],
        scopes: ScopeNeed::None,
        api_key: false,
        safe: false,
        idempotent: false,
        cost: 1,
    }
}

pub type ErrorBody = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    pub id: String,
    pub note: Option<String>,
    pub query: Option<String>,
}

impl Request for Get {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation = &Operation {
        path: &[Segment::Literal("things"), Segment::Variable("id")],
        parameters: &[
            Parameter::new(Location::Path, "id"),
            Parameter::new(Location::Header, "x-note"),
            Parameter::new(Location::Query, "q"),
        ],
        safe: true,
        idempotent: true,
        api_key: true,
        ..operation("things.get", "GET")
    };
    type Response = Thing;
    type ErrorBody = ErrorBody;

    const ETAG: Option<&'static str> = Some("etag");

    fn etag(response: &Thing) -> Option<&str> {
        response.etag.as_deref()
    }

    fn write(&self, parts: &mut Parts) {
        parts.parameter(&self.id);
        parts.parameter(&self.note);
        parts.parameter(&self.query);
    }
}

/// Request of an operation that is neither safe nor idempotent.
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    pub body: Thing,
}

impl Request for Insert {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation = &operation("things.insert", "POST");
    type Response = Thing;
    type ErrorBody = ErrorBody;

    fn prepare(&mut self) {
        self.body.author = None;
    }

    fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
        if self.body.id.is_none() {
            self.body.id = Some(new_id());
        }
    }

    fn write(&self, parts: &mut Parts) {
        parts.body(&self.body);
    }
}

/// Request of an idempotent operation without a response body.
#[derive(Clone, Debug, PartialEq)]
pub struct Clear;

impl Request for Clear {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation = &Operation { idempotent: true, ..operation("things.clear", "POST") };
    type Response = ();
    type ErrorBody = ErrorBody;

    fn write(&self, _parts: &mut Parts) {}
}

/// Request of a safe operation with a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    pub body: Thing,
}

impl Request for Ask {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation =
        &Operation { safe: true, idempotent: true, ..operation("things.ask", "POST") };
    const CONTENT_TYPE: &'static str = "application/question+json";
    type Response = Thing;
    type ErrorBody = ErrorBody;

    fn write(&self, parts: &mut Parts) {
        parts.body(&self.body);
    }
}

/// Request of an operation of another API.
#[derive(Clone, Debug, PartialEq)]
pub struct Stray;

impl Request for Stray {
    const API: &'static Api = &OTHER;
    const OPERATION: &'static Operation = &Operation { api_key: true, ..operation("stray", "GET") };
    type Response = ();
    type ErrorBody = ();

    fn write(&self, _parts: &mut Parts) {}
}

pub fn get(id: &str) -> Get {
    Get { id: id.to_owned(), note: None, query: None }
}

pub fn insert(text: &str) -> Insert {
    Insert { body: Thing { text: Some(text.to_owned()), ..Thing::default() } }
}

/// Builders in the shape of generated code.
#[derive(Clone, Debug)]
pub struct GetThing {
    pub call: Call<Get>,
}

call!(GetThing, Get, fields, quota_user, pretty_print);

#[cfg(feature = "blocking")]
#[derive(Clone, Debug)]
pub struct ClearThings {
    pub call: Call<Clear>,
}

#[cfg(feature = "blocking")]
call!(ClearThings, Clear);
