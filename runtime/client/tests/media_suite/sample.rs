//! Sample API with media, in the shape of generated code.

use wireform_client::wire::naming::AliasedName;
use wireform_client::wire::operation::{
    Api, AuthRequirement, ErrorField, ErrorFields, Operation, Parameter, ParameterLocation, Role, RoleValues, Segment,
    Step, UploadDescription, UploadEndpoint,
};
use wireform_client::wire::{__private::RequestEncoder, RawBody, Value};
use wireform_client::{Request, Upload};

pub static FILES: Api = Api {
    name: "files",
    version: "v1",
    root_url: None,
    base_path: AliasedName::new("/files/v1"),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[
        Parameter::query("alt").role(Role::Format),
        Parameter::query("uploadType").role(Role::UploadType),
    ],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields { message: ErrorField::at(&[Step::member("message")]), ..ErrorFields::NONE },
};

/// Maximum size of media in bytes.
pub const MOST: u64 = 2 << 20;

const ID: &[Parameter] = &[Parameter::new(ParameterLocation::Path, "id")];

const fn operation(name: &'static str, method: &'static str) -> Operation {
    Operation {
        name,
        method,
        path: &[Segment::Literal("files"), Segment::Variable("id")],
        verb: None,
        parameters: ID,
        scopes: AuthRequirement::None,
        api_key: false,
        safe: false,
        idempotent: false,
        cost: 1,
    }
}

/// Upload with JSON and media.
#[derive(Clone, Debug, PartialEq)]
pub struct Add {
    pub id: String,
    pub body: Value,
}

impl Request for Add {
    const API: &'static Api = &FILES;
    const OPERATION: &'static Operation = &operation("files.add", "POST");
    type Response = Value;
    type ErrorBody = Value;

    fn write(&self, parts: &mut RequestEncoder) {
        parts.parameter(&self.id);
        parts.body(&self.body);
    }
}

impl Upload for Add {
    const MEDIA: &'static UploadDescription = &UploadDescription {
        types: &["image/*", "text/plain"],
        max_bytes: Some(MOST),
        simple: Some(UploadEndpoint {
            operation: Operation {
                path: &[Segment::Literal("upload"), Segment::Variable("id")],
                ..*<Self as Request>::OPERATION
            },
            multipart: true,
        }),
        resumable: Some(UploadEndpoint {
            operation: Operation {
                path: &[Segment::Literal("resumable"), Segment::Variable("id")],
                ..*<Self as Request>::OPERATION
            },
            multipart: true,
        }),
    };
}

/// Upload of media without JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Put {
    pub id: String,
}

impl Request for Put {
    const API: &'static Api = &FILES;
    const OPERATION: &'static Operation = &Operation { idempotent: true, ..operation("files.put", "PUT") };
    type Response = ();
    type ErrorBody = Value;

    fn write(&self, parts: &mut RequestEncoder) {
        parts.parameter(&self.id);
    }
}

impl Upload for Put {
    const MEDIA: &'static UploadDescription = &UploadDescription {
        types: &[],
        max_bytes: None,
        simple: Some(UploadEndpoint {
            operation: Operation {
                path: &[Segment::Literal("upload"), Segment::Variable("id")],
                ..*<Self as Request>::OPERATION
            },
            multipart: false,
        }),
        resumable: Some(UploadEndpoint {
            // The path of another operation with another method.
            operation: Operation {
                path: &[Segment::Literal("resumable"), Segment::Variable("id")],
                ..*<Self as Request>::OPERATION
            },
            multipart: false,
        }),
    };
}

/// Upload of media without JSON, in one request only.
#[derive(Clone, Debug, PartialEq)]
pub struct Alone;

impl Request for Alone {
    const API: &'static Api = &FILES;
    const OPERATION: &'static Operation =
        &Operation { path: &[Segment::Literal("alone")], parameters: &[], ..operation("files.alone", "POST") };
    type Response = ();
    type ErrorBody = Value;

    fn write(&self, _: &mut RequestEncoder) {}
}

impl Upload for Alone {
    const MEDIA: &'static UploadDescription = &UploadDescription {
        types: &[],
        max_bytes: None,
        simple: Some(UploadEndpoint {
            operation: Operation {
                path: &[Segment::Literal("upload"), Segment::Literal("alone")],
                ..*<Self as Request>::OPERATION
            },
            multipart: false,
        }),
        resumable: None,
    };
}

/// Response that is available as media.
#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    pub id: String,
}

impl Request for Get {
    const API: &'static Api = &FILES;
    const OPERATION: &'static Operation = &Operation { safe: true, idempotent: true, ..operation("files.get", "GET") };
    const SUPPORTS_DOWNLOAD: bool = true;
    type Response = Value;
    type ErrorBody = Value;

    fn write(&self, parts: &mut RequestEncoder) {
        parts.parameter(&self.id);
    }
}

/// Operation with text as its body and bytes as its response.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    pub id: String,
    pub body: RawBody<String>,
}

impl Request for Draw {
    const API: &'static Api = &FILES;
    const OPERATION: &'static Operation = &Operation {
        path: &[Segment::Literal("drawings"), Segment::Variable("id")],
        ..operation("files.draw", "POST")
    };
    const CONTENT_TYPE: &'static str = "text/plain";
    const ACCEPT: &'static str = "image/png, image/*";
    type Response = RawBody<Vec<u8>>;
    type ErrorBody = Value;

    fn write(&self, parts: &mut RequestEncoder) {
        parts.parameter(&self.id);
        parts.raw(&self.body);
    }
}

pub fn add() -> Add {
    Add { id: "a b".to_owned(), body: serde_json::json!({ "title": "A file" }) }
}

pub fn put() -> Put {
    Put { id: "1".to_owned() }
}

pub fn get() -> Get {
    Get { id: "1".to_owned() }
}

/// Returns a number of bytes, of which no two neighbors are equal.
pub fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| u8::try_from((at * 7 + at / 251) % 251).unwrap()).collect()
}
