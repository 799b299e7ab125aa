//! A schema file: keys of the API, and definitions.

use super::behavior::Presence;
use super::endpoints::{BatchDef, EndpointDef};
use super::enums::EnumDef;
use super::field::Parameter;
use super::http::HttpLine;
use super::named::Named;
use super::operation::Operation;
use super::profile::Profile;
use super::read::{Located, Text};
use super::resource::{Resource, UnknownMembers};
use super::security::{SecurityRequirements, SecurityScheme};
use super::sets::{ErrorSet, RuleSetDef};
use super::shape::{Short, Shorthand, shape, words};
use super::types::TypeExpr;
use super::union::Union;
use crate::diagnostics::Span;

shape! {
    /// A schema file. An API is a folder of schema files: one of them has the key `api`, and each can define resources,
    /// enums, unions and operations. Names are unique within the API.
    File "schema file" {
        /// The name of the API: lower-case letters, digits and hyphens. It names the generated crates.
        api "api": Option<Text> = "calendar";
        /// The version of the API; default `v1`.
        version "version": Option<Text> = "v3";
        /// The title of the documentation.
        title "title": Option<Text> = "Calendar events";
        /// The purpose of the API, in a sentence or two.
        doc "doc": Option<Text> = "Keeps the events of calendars.";
        /// The public URL that `base_path` is appended to, if the API has one.
        root "root": Option<Text> = "https://www.example.com";
        /// The public URL for clients that authenticate with a certificate (mutual TLS, RFC 8705), in place of `root`.
        mtls_root "mtls_root": Option<Text> = "https://www.mtls.example.com";
        /// Further public base URLs of the API by name, such as regional ones, each in place of `root`: a URL, or a
        /// mapping with details.
        endpoints "endpoints": Named<Short<EndpointDef>> = "{ us-central1: { url: 'https://us-central1.example.com', doc: The data stay in the region. } }";
        /// The path below `root` that accepts batches: a path, or a mapping with details.
        batch "batch": Option<Short<BatchDef>> = "/batch/calendar/v3";
        /// The path prefix of all operations: a path, or a mapping that also has aliases.
        base_path "base_path": Option<Short<BasePath>> = "{ path: /mail/v1, aliases: [/gmail/v1] }";
        /// Operations of the API that the schema leaves out, by name, each with its method and its path below
        /// `base_path`. A server returns 501 with the name; clients do not have them.
        unimplemented "unimplemented": Named<HttpLine> = "{ acl.list: 'GET /calendars/{calendarId}/acl' }";
        /// The prefix of the names of scopes that are not URLs themselves.
        scope_base "scope_base": Option<Text> = "https://www.example.com/auth/";
        /// The scopes by name: a description, or a mapping with details.
        scopes "scopes": Named<Short<Scope>> = "{ calendar: Read and change every calendar. }";
        /// The security schemes by name.
        security_schemes "security_schemes": Named<SecurityScheme> = "{ login: { type: http, scheme: basic } }";
        /// The security requirement of the operations that declare neither `security` nor `scopes`: a list of
        /// alternatives, each a scheme or a combination of schemes; schemes with tokens can require scopes of the API.
        /// `none` makes those operations public.
        security "security": Option<SecurityRequirements> = "[login, [key, { token: [calendar] }]]";
        /// The body of error responses, for every operation.
        errors "errors": Option<Errors> = "{ body: ErrorResponse, message: error.message }";
        /// What the API shares with other services of its publisher: the keywords of its errors. It can be in a file
        /// that several APIs include.
        profile "profile": Option<Profile> = "{ domain: global, reasons: { 404: notFound } }";
        /// Which parts of the API are cargo features of the crates. The default is `groups` for an API with more than
        /// 100 operations, and `none` otherwise.
        features "features": Option<Located<FeatureGranularity>> = "groups";
        /// Whether empty lists and maps are distinguished from absent ones, for fields without a `presence` of their
        /// own; default `implicit`.
        presence "presence": Option<Located<Presence>> = "explicit";
        /// How fields that the schema does not declare are handled, in resources without an `unknown_members` or `rest`
        /// of their own; default `ignore`.
        unknown_members "unknown_members": Option<Located<UnknownMembers>> = "preserve";
        /// Named sets of query parameters that operations share.
        parameter_sets "parameter_sets": Named<Named<Parameter>> = "{ notifications: { sendUpdates: { type: SendUpdates } } }";
        /// The parameter sets that apply to every operation.
        standard_parameters "standard_parameters": Vec<Text> = "[standard]";
        /// Path parameters that operations share, by path prefix: they apply to each operation below the prefix that
        /// has such a variable and does not declare it itself. The longest prefix takes precedence.
        path_parameters "path_parameters": Named<Named<Parameter>> = "{ '/shelves/{shelfId}': { shelfId: { type: string, doc: The shelf. } } }";
        /// Named sets of errors that operations share.
        error_sets "error_sets": Named<ErrorSet> = "{ usual: { 401: The token is missing or not accepted., 500: The service has a fault. } }";
        /// The error sets that apply to every operation. An operation overrides them by status, with the sets that it
        /// names and with its own errors.
        standard_errors "standard_errors": Vec<Text> = "[usual]";
        /// Named sets of rules that operations share: a list of rules, or a mapping with details.
        rule_sets "rule_sets": Named<Short<RuleSetDef>> = "{ unlocked: [{ id: item.locked, cel: '!old.locked', message: the item is locked }] }";
        /// Further files of the API, as paths relative to this file, such as a file that several APIs share.
        include "include": Vec<Text> = "[../errors.yaml]";
        /// The origin of the facts in this file, if it is not the API's own specification. It applies to every
        /// definition without an `origin` of its own.
        origin "origin": Option<Text> = "wire";
        /// The origins of single facts of the operations in this file, by key. They apply like `origins` in each
        /// operation that has the key.
        origins "origins": Named<Text> = "{ scopes: wire }";
        /// The resources by name.
        resources "resources": Named<Resource> = "{ Event: { doc: An event., fields: { id: { type: string, doc: Its name. } } } }";
        /// The enums by name.
        enums "enums": Named<EnumDef> = "{ Color: { doc: A color., values: { red: Like a rose. } } }";
        /// The unions by name.
        unions "unions": Named<Union> = "{ Contact: { doc: A way to reach someone., discriminator: type, variants: { mail: MailAddress, phone: PhoneNumber } } }";
        /// The operations by name.
        operations "operations": Named<Operation> = "{ events.get: { doc: Reads an event., http: 'GET /events/{id}', path: { id: { type: string } }, response: Event } }";
    }
}

shape! {
    /// The path prefix of all operations.
    BasePath "base path" {
        /// The path, which starts with a slash; empty for no prefix.
        path "path": Text = "/mail/v1";
        /// Further path prefixes under which a server accepts requests, that of the public service first.
        aliases "aliases": Vec<Text> = "[/gmail/v1]";
    }
}

impl Shorthand for BasePath {
    const KEY: &'static str = "path";
    type Short = Text;

    fn expand(path: Text, span: Span) -> Self {
        Self { span, path, aliases: Vec::new() }
    }
}

shape! {
    /// A permission that a token can carry.
    Scope "scope" {
        /// What the scope permits, in one sentence.
        doc "doc": Option<Text> = "Read every calendar.";
        /// The full URL, if it is not `scope_base` followed by the name.
        url "url": Option<Text> = "https://mail.example.com/";
        /// Equivalent names and URLs, that of the public service first.
        aliases "aliases": Vec<Text> = "[gmail.readonly]";
        /// The origin of the fact, if it is not the API's own specification.
        origin "origin": Option<Text> = "wire";
    }
}

impl Shorthand for Scope {
    const KEY: &'static str = "doc";
    type Short = Text;

    fn expand(doc: Text, span: Span) -> Self {
        Self { span, doc: Some(doc), url: None, aliases: Vec::new(), origin: None }
    }
}

shape! {
    /// The body of error responses, and the fields that describe the error. A server writes the fields that are named
    /// here, and no others. Each key is a path from the body through resources and lists of resources. A field below a
    /// list has a value for each violation; a field without a list above it has the value of the first violation, or
    /// all messages joined.
    Errors "errors" {
        /// The type of the body.
        body "body": TypeExpr = "ErrorResponse";
        /// The path of the field with the error message.
        message "message": Option<Text> = "error.message";
        /// The path of the field with the reason, a keyword for the kind of error.
        reason "reason": Option<Text> = "error.errors.reason";
        /// The path of the field with the location: the name of the invalid parameter or header, or the path of the
        /// invalid field.
        location "location": Option<Text> = "error.errors.location";
        /// The path of the field with the type of the location, `parameter` or `header`.
        location_type "location_type": Option<Text> = "error.errors.locationType";
        /// The path of the field with the violated rule, such as `required` or the `id` of a rule.
        rule "rule": Option<Text> = "error.violations.rule";
        /// The path of the field with the message of a single violation, if `message` is the message of the whole
        /// error.
        violation_message "violation_message": Option<Text> = "error.errors.message";
        /// The path of the field with the domain of the reason; its value is `domain` of the profile.
        domain "domain": Option<Text> = "error.errors.domain";
        /// The path of the field that repeats the status as a number.
        code "code": Option<Text> = "error.code";
        /// The path of the field with the status as a keyword, such as `NOT_FOUND`.
        status "status": Option<Text> = "error.status";
    }
}

words! {
    /// Which parts of an API are cargo features.
    FeatureGranularity {
        /// Each group of operations is a cargo feature of the crates, on by default. A type that only some groups use
        /// is compiled with these groups, and types that no operation uses are the feature `unreferenced`. If there are
        /// more than 230 groups, those with the fewest operations belong to the feature of the enclosing group.
        Groups "groups",
        /// The crates have no features for parts of the API.
        None "none",
    }
}
