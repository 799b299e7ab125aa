//! Sample API.

use wireform_server::wireform_runtime::naming::AliasedName;
use wireform_server::wireform_runtime::operation::{
    Api, BatchEndpoint, ErrorFields, Parameter, Profile, ReasonCase, Reasons, Role, RoleValues, Scope,
};

pub const WRITING: &Scope = &Scope::new("write", "https://sample.example/write");
pub const READING: &Scope =
    &Scope::new("read", "https://sample.example/read").aliases(&["https://public.example/read"]);

pub static API: Api = Api {
    name: "sample",
    version: "v1",
    root_url: Some("https://sample.example"),
    base_path: AliasedName { name: "/sample/v1", aliases: &["/public/v1"] },
    endpoints: &[],
    batch: Some(BatchEndpoint { path: AliasedName::new("/batch/sample/v1"), max_requests: 5 }),
    unimplemented: &[],
    scopes: &[WRITING, READING],
    standard_parameters: &[
        Parameter::query("alt").role(Role::Format),
        Parameter::query("fields").role(Role::Fields),
        Parameter::query("prettyPrint").role(Role::PrettyPrint),
        Parameter::query("key").role(Role::ApiKey),
        Parameter::query("oauth_token").role(Role::AccessToken),
        Parameter::query("access_token").aliases(&["accessToken"]).role(Role::AccessToken),
        Parameter::query("quotaUser").role(Role::QuotaUser),
        Parameter::query("callback").role(Role::Callback),
        Parameter::query("uploadType").role(Role::UploadType),
        Parameter::query("$.xgafv"),
    ],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields { profile: &PROFILE, ..ErrorFields::STANDARD },
};

/// Profile with a reason for every case that the library reports.
const PROFILE: Profile = Profile {
    domain: Some("global"),
    domains: &[],
    reasons: Reasons {
        cases: &[
            (ReasonCase::Malformed, "parseError"),
            (ReasonCase::MissingCredentials, "required"),
            (ReasonCase::MissingScopes, "insufficientPermissions"),
            (ReasonCase::RateLimit, "rateLimitExceeded"),
        ],
        statuses: &[
            (401, "authError"),
            (405, "httpMethodNotAllowed"),
            (410, "deleted"),
            (412, "conditionNotMet"),
            (413, "uploadTooLarge"),
            (415, "contentTypeNotSupported"),
            (429, "rateLimitExceeded"),
            (431, "headersTooLarge"),
            (501, "notImplemented"),
        ],
        client_error: None,
        server_error: Some("backendError"),
    },
    ..Profile::STANDARD
};
