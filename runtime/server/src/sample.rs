//! Small API for the tests of this crate, in the shape of generated code, and contexts of its requests.

mod requests;
mod types;

use std::any::Any;
use std::sync::Arc;

use http::{HeaderName, HeaderValue, Request as HttpRequest};
use wireform_runtime::Naming;
use wireform_runtime::json::EncodeError;
use wireform_runtime::naming::AliasedName;
use wireform_runtime::operation::{Api, ErrorField, ErrorFields, Operation, RoleValues, Step};
use wireform_validation::{
    __private::{Checker, Location},
    CheckRequests, ValidationContext, Violations, Warnings,
};

pub use self::requests::*;
pub use self::types::*;
use crate::auth::Principal;
use crate::context::{Context, ResponseOptions};
use crate::contract::Contract;
use crate::limits::Limits;
use crate::observe::RequestId;
use crate::settings::{Settings, UnknownParameters};

pub static API: Api = Api {
    name: "sample",
    version: "v1",
    root_url: None,
    base_path: AliasedName { name: "/sample/v1", aliases: &["/public/v1"] },
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields {
        message: ErrorField::at(&[Step::member("error"), Step::member("message")]),
        reason: ErrorField::at(&[Step::member("error"), Step::member("reason")]),
        code: ErrorField::at(&[Step::member("error"), Step::member("code")]),
        ..ErrorFields::NONE
    },
};

/// The only rule: a thing does not change while its kind is `locked`, unless the request is for `a`.
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
        let mut checker = Checker::new(ValidationContext::VALUE);
        checker.required(Location::BODY.field("id"), !locked || request.id == "a");
        Some(checker.finish())
    }
}

/// Creates the context of a request with these headers.
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
        id: RequestId::generate(),
        response_options: ResponseOptions::default(),
        if_match: condition("if-match"),
        if_none_match: condition("if-none-match"),
        unreadable_sync_token: None,
        media: std::sync::Mutex::new(None),
        streams: crate::stream::ResponseStreams::default(),
        effective: wireform_runtime::ConditionSet::ALL,
        rules: Some(&Rules),
        settings: settings(Naming::Specification),
        parts,
    }
}

/// Returns the default settings of a server.
pub fn settings(names: Naming) -> Arc<Settings> {
    Arc::new(Settings {
        names,
        limits: Limits::DEFAULT,
        unknown_parameters: UnknownParameters::Refuse,
        compress_from: Some(1000),
        sessions: None,
        public_url: None,
        memory: None,
        quota: None,
        streamed_field: None,
        access_log: true,
        other_apis: None,
    })
}

/// Creates a thing.
pub fn thing(id: &str, etag: Option<&str>) -> Thing {
    Thing { id: Some(id.to_owned()), etag: etag.map(str::to_owned), secret: Some("s3cret".into()), ..Thing::default() }
}

/// Returns a value that cannot be encoded.
pub fn unwritable() -> (Thing, EncodeError) {
    let thing = thing("unwritable", None);
    let error = wireform_runtime::json::to_vec(&thing).unwrap_err();
    (thing, error)
}
