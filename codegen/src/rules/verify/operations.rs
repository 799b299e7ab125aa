//! Verification of the references of operations.

use super::references::{Audit, resource, response_resource};
use crate::model::{
    Argument, Body, IncrementalSync, LongRunningStart, NextPage, Operation, Pages, Resource, ScopeRequirement, Segment,
    Watch,
};

impl Audit<'_> {
    /// Checks everything that an operation refers to.
    pub(super) fn operation(&mut self, operation: &Operation) {
        operation.parameters.iter().for_each(|parameter| self.parameter(parameter));
        self.names(operation);
        let uploads = operation.media.iter().flat_map(|media| media.upload_endpoints()).map(|way| &way.http);
        let segments = uploads.chain([&operation.http]).flat_map(|http| &http.segments);
        segments.flat_map(Segment::parameters).for_each(|index| self.check_parameter_index(operation, index));
        operation.body.iter().for_each(|body| self.body(body));
        for response in &operation.responses {
            response.ty.iter().chain(response.alternatives.iter().map(|one| &one.ty)).for_each(|ty| self.ty(ty));
            response.alternatives.iter().for_each(|one| self.name(&one.name, "alternative"));
            response.headers.iter().for_each(|header| self.parameter(header));
        }
        for error in &operation.errors {
            error.body.iter().for_each(|ty| self.ty(ty));
            error.headers.iter().for_each(|header| self.parameter(header));
        }
        self.security(operation);
        operation.rules.iter().for_each(|rule| self.operations(&rule.operations));
        operation.pages.iter().for_each(|pages| self.pages(operation, *pages));
        operation.sync.iter().for_each(|sync| self.sync(operation, sync));
        operation.watch.iter().for_each(|watch| self.watch(operation, watch));
        operation.long_running_start.iter().for_each(|started| self.long_running_start(operation, started));
    }

    /// Checks the Rust names that an operation's method, types and groups are emitted with.
    fn names(&mut self, operation: &Operation) {
        self.name(&operation.method, "method");
        operation.groups.iter().for_each(|group| self.name(group, "group"));
        let types = &operation.types;
        self.ident(&types.request, "request");
        self.ident(&types.call, "call");
        if let Some((method, call)) = &types.changes {
            self.ident(method, "method for changes");
            self.ident(call, "call for changes");
        }
        // Empty if the operation has none.
        for (name, what) in
            [(&types.headers, "headers"), (&types.error, "error"), (&types.error_headers, "headers of errors")]
        {
            if !name.is_empty() {
                self.ident(name, what);
            }
        }
        if operation.has_body_alternatives() {
            self.ident(&types.body, "body");
        }
        if !operation.response_alternatives().is_empty() {
            self.ident(&types.response, "response");
            self.ident(&types.format, "format of the response");
        } else if operation.has_types_by_status() {
            self.ident(&types.response, "response");
        }
    }

    /// Checks the type and the alternatives of a body, and its lists in JSON.
    fn body(&mut self, body: &Body) {
        self.ty(&body.ty);
        let held = resource(self.api, &body.ty);
        for (list, _) in &body.lists {
            if !held.is_some_and(|held| held.named_fields().iter().any(|field| field.name.wire == *list)) {
                self.report(format!("has no list `{list}` in its body"));
            }
        }
        for alternative in &body.alternatives {
            self.name(&alternative.name, "alternative");
            self.body(&alternative.body);
        }
    }

    /// Checks the scopes and security schemes that an operation requires.
    fn security(&mut self, operation: &Operation) {
        let api = self.api;
        let demands = || operation.security.iter().flatten().flatten();
        let own: &[usize] = match &operation.scopes {
            ScopeRequirement::None => &[],
            ScopeRequirement::AnyOf(list) | ScopeRequirement::AllOf(list) => list,
        };
        let scopes = own.iter().chain(demands().flat_map(|demand| &demand.scopes));
        scopes.for_each(|scope| self.check_api_index("scope", *scope, api.scopes.len()));
        demands().for_each(|demand| self.check_api_index("scheme", demand.scheme, api.security_schemes.len()));
    }

    /// Checks an index into the parameters of the operation.
    fn check_parameter_index(&mut self, operation: &Operation, index: usize) {
        self.check_own_index("parameter", index, operation.parameters.len());
    }

    /// Checks an index into the fields of a resource that the operation requires.
    fn check_field_index(&mut self, held: Option<&Resource>, what: &str, index: usize) {
        match held {
            Some(held) => self.check_own_index(&format!("field of its {what}"), index, held.fields.len()),
            None => self.report(format!("refers to the field {index} of its {what}, which is not a resource")),
        }
    }

    /// Checks the parameters and response fields of a pagination.
    fn pages(&mut self, operation: &Operation, pages: Pages) {
        let body = operation.body.as_ref().and_then(|body| resource(self.api, &body.ty));
        for index in pages.size.into_iter().chain(pages.request_value()) {
            if pages.in_body {
                self.check_field_index(body, "body", index);
            } else {
                self.check_parameter_index(operation, index);
            }
        }
        let response = response_resource(self.api, operation);
        let next = match pages.next {
            NextPage::Token { field, .. } | NextPage::Url { field } => Some(field),
            NextPage::After { field, .. } => {
                self.check_field_index(item(self, operation, pages), "items", field);
                None
            }
            NextPage::Number { .. } | NextPage::Offset { .. } | NextPage::Link => None,
        };
        for path in next.into_iter().chain(pages.position_fields()).chain(pages.items) {
            let is_known = response.is_some_and(|response| self.api.fields_at(response, path).is_some());
            if let ([index, ..], false) = (path.fields(), is_known) {
                self.check_field_index(response, "response", *index);
            }
        }
    }

    /// Checks the parameters, fields and names of an incremental synchronization.
    fn sync(&mut self, operation: &Operation, sync: &IncrementalSync) {
        self.check_parameter_index(operation, sync.resume);
        self.check_field_index(response_resource(self.api, operation), "response", sync.cursor);
        for forbidden in &sync.forbidden {
            self.check_parameter_index(operation, forbidden.parameter);
            forbidden.value.iter().for_each(|value| self.literal(value));
        }
        self.operations(&sync.full);
        let changes: Vec<usize> = sync.changes.iter().chain(&sync.fallback).map(|change| change.field).collect();
        if changes.is_empty() {
            return;
        }
        self.ident(&operation.types.change, "change");
        sync.changes.iter().chain(&sync.fallback).for_each(|change| self.ident(&change.variant, "variant of a change"));
        let items = operation.pages.and_then(|pages| item(self, operation, pages));
        changes.into_iter().for_each(|index| self.check_field_index(items, "items", index));
    }

    /// Checks the operations that a watch covers, and the fields of its channel.
    fn watch(&mut self, operation: &Operation, watch: &Watch) {
        self.operations(watch.operations.iter().chain(&watch.stop));
        watch.states.iter().for_each(|states| self.ty(states));
        let channel = operation.body.as_ref().and_then(|body| resource(self.api, &body.ty));
        let members = [watch.id, watch.token, watch.expiration, watch.resource_id, watch.resource_uri];
        for index in members.into_iter().flatten().chain([watch.address]) {
            self.check_field_index(channel, "body", index);
        }
    }

    /// Checks the poll operation of a long-running operation, and the arguments of its request.
    fn long_running_start(&mut self, operation: &Operation, started: &LongRunningStart) {
        self.operations([&started.poll]);
        started.response.iter().chain(&started.metadata).for_each(|ty| self.ty(ty));
        if response_resource(self.api, operation).is_none_or(|held| held.long_running.is_none()) {
            self.report("starts work that its response does not describe");
        }
        if let Some(poll) = self.api.operations.get(started.poll.0) {
            let required = poll.settable_parameters().filter(|(_, parameter)| parameter.required).count();
            if required != started.arguments.len() {
                self.report(format!("polls with {} of {required} parameters", started.arguments.len()));
            }
        }
        for argument in &started.arguments {
            match argument {
                Argument::Member(index) => {
                    self.check_field_index(response_resource(self.api, operation), "response", *index)
                }
                Argument::Parameter(index) => self.check_parameter_index(operation, *index),
            }
        }
    }
}

/// Returns the resource of the items of a list.
fn item<'a>(audit: &Audit<'a>, operation: &Operation, pages: Pages) -> Option<&'a Resource> {
    let list = match pages.items {
        Some(path) => {
            let fields = audit.api.fields_at(response_resource(audit.api, operation)?, path)?;
            &fields.last()?.ty
        }
        None => operation.response_type()?,
    };
    resource(audit.api, list.innermost_type())
}
