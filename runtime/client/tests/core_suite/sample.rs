//! Sample API in the shape of generated code.

use std::collections::BTreeMap;

use wireform_client::wire::__private::{Object, RequestEncoder, read_value, skip_value, write_field};
use wireform_client::wire::naming::AliasedName;
use wireform_client::wire::operation::{
    Api, AuthRequirement, BatchEndpoint, ErrorField, ErrorFields, Operation, Parameter, ParameterLocation, Profile,
    Role, RoleValues, Scope, Segment, Step,
};
use wireform_client::wire::serde::de::MapAccess;
use wireform_client::wire::serde::ser::SerializeMap;
use wireform_client::wire::{Value, object};
use wireform_client::{Call, Request, Selectable, Shape, call};

pub static SAMPLE: Api = Api {
    name: "sample",
    version: "v1",
    root_url: Some("https://sample.example"),
    base_path: AliasedName { name: "/sample/v1", aliases: &["/public/v1"] },
    endpoints: &[],
    batch: Some(BatchEndpoint { path: AliasedName::new("/batch/sample/v1"), max_requests: 3 }),
    unimplemented: &[],
    scopes: &[
        &Scope::new("all", "https://sample.example/auth/all").aliases(&["https://public.example/all"]),
        &Scope::new("read", "https://sample.example/auth/read"),
    ],
    standard_parameters: &[
        Parameter::new(ParameterLocation::Query, "fields").role(Role::Fields),
        Parameter::new(ParameterLocation::Query, "key").role(Role::ApiKey),
        Parameter::new(ParameterLocation::Query, "alt").role(Role::Format),
        Parameter::new(ParameterLocation::Query, "quotaUser").aliases(&["userQuota"]).role(Role::QuotaUser),
        Parameter::new(ParameterLocation::Query, "prettyPrint").role(Role::PrettyPrint),
        Parameter::new(ParameterLocation::Query, "access_token").role(Role::AccessToken),
        Parameter::new(ParameterLocation::Query, "oauth_token").role(Role::AccessToken),
        Parameter::new(ParameterLocation::Query, "callback").role(Role::Callback),
        Parameter::new(ParameterLocation::Query, "uploadType").role(Role::UploadType),
        Parameter::new(ParameterLocation::Query, "upload_protocol").role(Role::UploadProtocol),
    ],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields {
        message: ErrorField::at(&[Step::member("error"), Step::member("message")]),
        reason: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("reason")]),
        location: ErrorField::at(&[Step::member("error"), Step::list("errors"), Step::member("location")]),
        profile: &Profile {
            rate_limits: &[(403, "rateLimitExceeded"), (403, "userRateLimitExceeded")],
            request_ids: &["x-request-id", "x-goog-request-id", "request-id", "x-guploader-uploadid"],
            ..Profile::STANDARD
        },
        ..ErrorFields::NONE
    },
};

pub static OTHER: Api = Api {
    name: "other",
    version: "v1",
    root_url: None,
    base_path: AliasedName::new(""),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
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
    const FIELDS: &'static [&'static str] = &["id", "text", "etag", "author"];

    fn index(name: &str) -> Option<usize> {
        Self::FIELDS.iter().position(|known| *known == name)
    }

    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
        match index {
            0 => read_value(map, &mut self.id),
            1 => read_value(map, &mut self.text),
            2 => read_value(map, &mut self.etag),
            3 => read_value(map, &mut self.author),
            _ => skip_value(map),
        }
    }

    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        write_field(map, "id", &self.id)?;
        write_field(map, "text", &self.text)?;
        write_field(map, "etag", &self.etag)?;
        write_field(map, "author", &self.author)
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
        scopes: AuthRequirement::None,
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
            Parameter::new(ParameterLocation::Path, "id"),
            Parameter::new(ParameterLocation::Header, "x-note"),
            Parameter::new(ParameterLocation::Query, "q"),
        ],
        safe: true,
        idempotent: true,
        api_key: true,
        ..operation("things.get", "GET")
    };
    type Response = Thing;
    type ErrorBody = ErrorBody;

    const ETAG_FIELD: Option<&'static str> = Some("etag");

    fn etag(response: &Thing) -> Option<&str> {
        response.etag.as_deref()
    }

    fn write(&self, parts: &mut RequestEncoder) {
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

    fn strip_output_only(&mut self) {
        self.body.author = None;
    }

    fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
        if self.body.id.is_none() {
            self.body.id = Some(new_id());
        }
    }

    fn write(&self, parts: &mut RequestEncoder) {
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

    fn write(&self, _parts: &mut RequestEncoder) {}
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

    fn write(&self, parts: &mut RequestEncoder) {
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

    fn write(&self, _parts: &mut RequestEncoder) {}
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
