//! A schema file: any of the keys of the API, and any of the definitions.

use super::address::{BatchDef, EndpointDef};
use super::behavior::Presence;
use super::enums::EnumDef;
use super::field::Parameter;
use super::named::Named;
use super::operation::Operation;
use super::profile::Profile;
use super::read::{Located, Text};
use super::resource::{Resource, UnknownMembers};
use super::security::{SecurityScheme, Ways};
use super::sets::{ErrorSet, RuleSetDef};
use super::shape::{Short, Shorthand, shape, words};
use super::types::TypeExpr;
use super::union::Union;
use crate::diagnostics::Span;

shape! {
    /// A schema file. An API is a folder of such files; one of them says `api`, and any of them defines resources, enums, unions and operations. Names are global within the API.
    File "schema file" {
        /// The name of the API: lower-case letters, digits and hyphens. It names the generated crates.
        api "api": Option<Text> = "calendar";
        /// The version of the interface; `v1` unless said.
        version "version": Option<Text> = "v3";
        /// The title of the documentation.
        title "title": Option<Text> = "Calendar events";
        /// What the API is for, in a sentence or two.
        doc "doc": Option<Text> = "Keeps the events of calendars.";
        /// The public address that the base path is below, where there is one.
        root "root": Option<Text> = "https://www.example.com";
        /// The public address for clients that show a certificate of their own (mutual TLS, RFC 8705), in place of `root`.
        mtls_root "mtls_root": Option<Text> = "https://www.mtls.example.com";
        /// Other public addresses of the API, in place of `root`, such as those of regions, by name: an address, or a mapping with more.
        endpoints "endpoints": Named<Short<EndpointDef>> = "{ us-central1: { url: 'https://us-central1.example.com', doc: The data stay in the region. } }";
        /// The path below `root` that takes several requests in one: a path, or a mapping with more.
        batch "batch": Option<Short<BatchDef>> = "/batch/calendar/v3";
        /// The path that every operation's path is below: a path, or a mapping with other paths that answer too.
        base_path "base_path": Option<Short<BasePath>> = "{ path: /mail/v1, aliases: [/gmail/v1] }";
        /// What stands before the names of scopes that are no addresses themselves.
        scope_base "scope_base": Option<Text> = "https://www.example.com/auth/";
        /// The scopes by name: a description, or a mapping with more.
        scopes "scopes": Named<Short<Scope>> = "{ calendar: Read and change every calendar. }";
        /// The ways in which a request shows who sends it, by name.
        security_schemes "security_schemes": Named<SecurityScheme> = "{ login: { type: http, scheme: basic } }";
        /// What requests show where the operation says neither `security` nor `scopes`: one of these, of which each is
        /// a scheme or all of several; schemes of tokens can have scopes of the API. `none` where anybody can call every
        /// operation that says nothing else.
        security "security": Option<Ways> = "[login, [key, { token: [calendar] }]]";
        /// What the errors of every operation look like.
        errors "errors": Option<Errors> = "{ body: ErrorResponse, message: error.message }";
        /// What the API shares with the other services of its publisher: the words of its errors. It can stand in a file that several APIs include.
        profile "profile": Option<Profile> = "{ domain: global, reasons: { 404: notFound } }";
        /// What of the API the crates can be built without. Where nothing is said, an API of more than 100 operations has
        /// a feature a group.
        features "features": Option<Located<FeaturesOf>> = "groups";
        /// Whether empty lists and maps are told apart from absent ones in the members that do not say `presence`
        /// themselves; `implicit` unless said.
        presence "presence": Option<Located<Presence>> = "explicit";
        /// What resources that do not say `unknown_members` themselves, and have no `rest`, do with members that the schema
        /// does not know; `ignore` unless said.
        unknown_members "unknown_members": Option<Located<UnknownMembers>> = "preserve";
        /// Sets of query parameters that several operations share, by name.
        parameter_sets "parameter_sets": Named<Named<Parameter>> = "{ notifications: { sendUpdates: { type: SendUpdates } } }";
        /// The parameter sets that every operation takes.
        standard_parameters "standard_parameters": Vec<Text> = "[standard]";
        /// Parameters in the path that several operations share, by the beginning of their paths: each operation below it has those of its variables that it does not declare itself. The longest beginning decides.
        path_parameters "path_parameters": Named<Named<Parameter>> = "{ '/shelves/{shelfId}': { shelfId: { type: string, doc: The shelf. } } }";
        /// Sets of errors that several operations share, by name.
        error_sets "error_sets": Named<ErrorSet> = "{ usual: { 401: The token is missing or not accepted., 500: The service has a fault. } }";
        /// The error sets that every operation has. A set that the operation names, and its own errors, take the place of these by status.
        standard_errors "standard_errors": Vec<Text> = "[usual]";
        /// Sets of rules that several operations share, by name: a list of rules, or a mapping with more.
        rule_sets "rule_sets": Named<Short<RuleSetDef>> = "{ unlocked: [{ id: item.locked, cel: '!old.locked', message: the item is locked }] }";
        /// Other files that belong to the API as well, by their paths from this one, such as one that several APIs share.
        include "include": Vec<Text> = "[../errors.yaml]";
        /// Where the facts in this file come from, when it is not the API's own specification: that of each definition in it that does not say so itself.
        origin "origin": Option<Text> = "wire";
        /// Where single facts of the operations in this file come from, by their keys, as `origins` of each that has such a key.
        origins "origins": Named<Text> = "{ scopes: wire }";
        /// The resources by name.
        resources "resources": Named<Resource> = "{ Event: { doc: An event., fields: { id: { type: string, doc: Its name. } } } }";
        /// The enums by name.
        enums "enums": Named<EnumDef> = "{ Color: { doc: A colour., values: { red: Like a rose. } } }";
        /// The unions by name.
        unions "unions": Named<Union> = "{ Contact: { doc: A way to reach someone., discriminator: type, variants: { mail: MailAddress, phone: PhoneNumber } } }";
        /// The operations by name.
        operations "operations": Named<Operation> = "{ events.get: { doc: Reads an event., http: 'GET /events/{id}', path: { id: { type: string } }, response: Event } }";
    }
}

shape! {
    /// The path that every operation's path is below.
    BasePath "base path" {
        /// The path, which starts with a slash; empty when there is none.
        path "path": Text = "/mail/v1";
        /// Other paths under which the API answers, that of the public service first.
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
    /// Something a token can allow.
    Scope "scope" {
        /// What it allows, in one sentence.
        doc "doc": Option<Text> = "Read every calendar.";
        /// Its full address, where it is not `scope_base` and the name.
        url "url": Option<Text> = "https://mail.example.com/";
        /// Other names and addresses that mean the same, that of the public service first.
        aliases "aliases": Vec<Text> = "[gmail.readonly]";
        /// Where the fact comes from, when it is not the API's own specification.
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
    /// What the errors of every operation look like, and where they say what went wrong. A server writes the members that
    /// are named here, and no others. A path goes from the body through resources and lists of them: below a list a
    /// member has a value for each violation. Without one it has that of the first violation; messages are joined.
    Errors "errors" {
        /// The type of the body.
        body "body": TypeExpr = "ErrorResponse";
        /// The member that says in words what went wrong, as a path from the body.
        message "message": Option<Text> = "error.message";
        /// The member that says as a word what kind of mistake it is, as such a path.
        reason "reason": Option<Text> = "error.errors.reason";
        /// The member that names the parameter or header at fault, or the path of the field, as such a path.
        location "location": Option<Text> = "error.errors.location";
        /// The member that says which part of a request the location names, `parameter` or `header`, as such a path.
        location_type "location_type": Option<Text> = "error.errors.locationType";
        /// The member that names the rule that a violation breaks, such as `required` or the `id` of a rule, as such a path.
        rule "rule": Option<Text> = "error.violations.rule";
        /// The member that says a single violation in words, where `message` says what went wrong as a whole, as such a path.
        violation_message "violation_message": Option<Text> = "error.errors.message";
        /// The member that says to which part of the service the reason belongs, as such a path; `domain` of the profile is what it holds.
        domain "domain": Option<Text> = "error.errors.domain";
        /// The member that repeats the status as a number, as such a path.
        code "code": Option<Text> = "error.code";
        /// The member that says the class of the error as a word, such as `NOT_FOUND`, as such a path.
        status "status": Option<Text> = "error.status";
    }
}

words! {
    /// What of an API the crates can be built without.
    FeaturesOf {
        /// Each group of operations is a cargo feature of the crates, and all of them are on by default. Types that only
        /// some groups use are there with these, and those that no operation uses are the feature `unreferenced`. Of more
        /// than 230 groups, those with the fewest operations come with the group around them.
        Groups "groups",
        /// The crates are whole.
        None "none",
    }
}
