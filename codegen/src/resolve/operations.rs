//! Operations: paths, parameters, bodies, responses, and their properties.

use super::groups::ResponseShape;
use super::lookup::fields_of;
use super::media;
use super::members::{Scope, deprecated, document, text};
use super::names::{self, Casing};
use super::pages::Paging;
use super::resources::RuleIds;
use super::routes;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{
    Body, Conditional, IncrementalSync, Location, Name, Operation, OperationId, Pages, Parameter, Resource, Response,
    ScopeRequirement, Type, have_types_by_status,
};
use crate::schema::operation::{self, ScopeRequirement as WrittenNeed};
use crate::schema::read::Located;
use crate::schema::shape::Short;
use crate::schema::{self, Text};

impl Tables<'_> {
    /// Resolves an operation. Resources are resolved before, because pagination and the like name their fields.
    pub fn operation_def(
        &mut self,
        id: OperationId,
        resources: &[Resource],
        rule_ids: &mut RuleIds,
        sink: &mut Sink,
    ) -> Option<Operation> {
        let (key, def) = self.operations[id.0];
        document(def.doc.as_ref(), key, "operation", sink);
        let path = self.operation_name(key, sink);
        let parameters = self.parameters(def, sink);
        let http = routes::http(&def.http, &parameters, &def.path, sink);
        let body = def.body.as_ref().map(|Short(body)| self.body(body, &def.http, sink));
        let responses = self.responses(def, sink);
        let (pages, sync) = self.listing(def, (&parameters, body.as_ref()), &responses, resources, sink);
        let watch = def.watch.as_ref().and_then(|watch| self.watch(watch, body.as_ref(), resources, sink));
        let (safe, idempotent) = repeatable(def);
        media::check_rules(def, body.as_ref(), sink);
        super::form_lists::check(def, body.as_ref(), resources, sink);
        let errors = self.errors(def, sink);
        let (groups, method) = path?;
        let (has_headers, alternatives) = shapes(body.as_ref(), &responses);
        Some(Operation {
            span: def.span,
            types: super::groups::types(&groups, &method, sync.is_some(), has_headers, &errors, alternatives),
            name: key.text.clone(),
            groups,
            method,
            doc: text(def.doc.as_ref()),
            errors,
            scopes: self.scopes(def, sink),
            api_key: def.api_key.is_some_and(|flag| flag.value),
            security: self.security(def, sink),
            conditional: conditional(def, safe, sink),
            cost: cost(def.cost, sink),
            media: def.media.as_ref().and_then(|written| media::media(written, def, &parameters, sink)),
            // Set once all operations are resolved.
            long_running_start: None,
            rules: self.rules(&def.rules, Some(id), rule_ids, sink),
            client_only: routes::client_only(def, sink),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            origins: super::sets::of_facts(def, &def.origins, def.origin.as_ref(), sink),
            http: http?,
            root: super::urls::operation_root(def, sink),
            parameters,
            body,
            responses,
            pages,
            sync,
            safe,
            idempotent,
            watch,
        })
    }

    /// Resolves pagination and synchronization.
    fn listing(
        &self,
        def: &schema::Operation,
        (parameters, body): (&[Parameter], Option<&Body>),
        responses: &[Response],
        resources: &[Resource],
        sink: &mut Sink,
    ) -> (Option<Pages>, Option<IncrementalSync>) {
        if let (Some(sync), Some(_)) = (&def.sync, &def.body) {
            sink.report(Code::BadPaging, sync.span, "an operation with `sync` cannot have a body");
        }
        let ty = known_type(responses);
        if ty == Some(&Type::Unresolved) || have_types_by_status(responses) {
            return (None, None);
        }
        let paging = match &def.pages {
            Some(pages) => {
                let pages = super::pages::pages(pages, (parameters, body), ty, resources, sink);
                pages.map_or(Paging::Unresolved, Paging::Resolved)
            }
            None => Paging::None,
        };
        let response_fields = ty.and_then(|ty| fields_of(ty, resources));
        let sync =
            def.sync.as_ref().and_then(|sync| self.sync(sync, parameters, response_fields, paging, resources, sink));
        let pages = if let Paging::Resolved(pages) = paging { Some(pages) } else { None };
        (pages, sync)
    }

    /// Splits a dotted name into groups and a method.
    fn operation_name(&self, key: &Text, sink: &mut Sink) -> Option<(Vec<Name>, Name)> {
        let mut at = 0;
        let mut names = Vec::new();
        for piece in key.text.split('.') {
            let text = Text { text: piece.to_owned(), span: key.part_span(at, piece.len()) };
            names.push(names::only_name(&text, Casing::Member, sink)?);
            at += piece.len() + 1;
        }
        let method = names.pop()?;
        Some((names, method))
    }

    /// Resolves the parameters of an operation: path, query, headers, cookies, then parameter sets.
    fn parameters(&mut self, def: &schema::Operation, sink: &mut Sink) -> Vec<Parameter> {
        let mut scope = Scope::default();
        // Every operation takes the standard parameters, so their names are reserved.
        let api = self.api;
        let own = |name: &&Text| !def.parameters.iter().any(|own| own.text == name.text);
        for name in api.standard_parameters.iter().filter(own) {
            self.set(name, &mut scope, sink);
        }
        if def.body.is_some() {
            scope.take("body", "the body", def.http.span, sink);
        }
        let mut list = Vec::new();
        let groups = [
            (&def.path, Location::Path),
            (&def.query, Location::Query),
            (&def.headers, Location::Header),
            (&def.cookies, Location::Cookie),
        ];
        for (named, location) in groups {
            for (key, parameter) in &named.0 {
                list.extend(self.parameter(key, parameter, location, &mut scope, sink));
            }
        }
        for name in &def.parameters {
            list.extend(self.set(name, &mut scope, sink));
        }
        list
    }

    /// Resolves the parameters of a set, which are in the query.
    pub fn set(&mut self, name: &Text, scope: &mut Scope, sink: &mut Sink) -> Vec<Parameter> {
        let Some(set) = self.sets.get(name.text.as_str()).copied() else {
            (self.has_all_types, self.has_all_sets) = (false, false);
            sink.report(Code::UnknownMember, name.span, format!("unknown parameter set `{}`", name.text))
                .suggest(&name.text, self.sets.keys().copied());
            return Vec::new();
        };
        self.used_sets.insert(name.text.clone());
        set.0
            .iter()
            .filter_map(|(key, parameter)| self.parameter(key, parameter, Location::Query, scope, sink))
            .collect()
    }

    /// Resolves the scopes that an operation requires; reports unknown ones.
    fn scopes(&self, def: &schema::Operation, sink: &mut Sink) -> ScopeRequirement {
        let mut find = |names: &[Text]| -> Vec<usize> {
            let mut found = Vec::new();
            for name in names {
                match self.scopes.get(name.text.as_str()) {
                    Some(index) => found.push(*index),
                    None => {
                        sink.report(Code::UnknownScope, name.span, format!("unknown scope `{}`", name.text))
                            .suggest(&name.text, self.scopes.keys().copied());
                    }
                }
            }
            found
        };
        match &def.scopes {
            None => ScopeRequirement::None,
            Some(WrittenNeed::AnyOf(names)) => ScopeRequirement::AnyOf(find(names)),
            Some(WrittenNeed::AllOf(names)) => ScopeRequirement::AllOf(find(names)),
        }
    }
}

/// Resolves the supported preconditions, sorted; reports `if_match` of an operation that only reads.
fn conditional(def: &schema::Operation, safe: bool, sink: &mut Sink) -> Vec<Conditional> {
    let mut list: Vec<Conditional> = def
        .conditional
        .iter()
        .map(|conditional| match conditional {
            operation::Conditional::IfNoneMatch => Conditional::IfNoneMatch,
            operation::Conditional::IfMatch => Conditional::IfMatch,
        })
        .collect();
    if safe && list.contains(&Conditional::IfMatch) {
        sink.report(Code::BadBody, def.http.span, "`if_match` applies only to operations that write");
    }
    list.sort_unstable();
    list.dedup();
    list
}

/// Returns the cost of an operation in quota units; 1 if it is missing or invalid, which is reported.
fn cost(written: Option<Located<i128>>, sink: &mut Sink) -> u32 {
    let Some(cost) = written else { return 1 };
    u32::try_from(cost.value).unwrap_or_else(|_| {
        sink.report(Code::BadValue, cost.span, "expected a cost of at least 0 quota units");
        1
    })
}

/// Returns whether an operation is safe (RFC 9110, section 9.2.1) and whether it is idempotent (section 9.2.2).
fn repeatable(def: &schema::Operation) -> (bool, bool) {
    let method = def.http.method.as_str();
    let safe = matches!(method, "GET" | "HEAD" | "OPTIONS");
    (safe, def.idempotent.map_or(safe || matches!(method, "PUT" | "DELETE"), |flag| flag.value))
}

/// Returns the type of the successful responses: the first one that could be resolved, if there is any.
fn known_type(responses: &[Response]) -> Option<&Type> {
    let successes = responses.iter().filter(|response| response.status < 300);
    let types = successes.filter_map(|response| response.ty.as_ref());
    types.clone().find(|ty| **ty != Type::Unresolved).or_else(|| types.clone().next())
}

/// Returns whether a response has headers, whether the body has alternatives, and how the response selects its type.
fn shapes(body: Option<&Body>, responses: &[Response]) -> (bool, (bool, ResponseShape)) {
    let has_headers = responses.iter().any(|response| response.status < 400 && !response.headers.is_empty());
    let body_alternatives = body.is_some_and(|body| !body.alternatives.is_empty());
    let has_alternatives = |response: &Response| response.status < 300 && !response.alternatives.is_empty();
    let shape = if responses.iter().any(has_alternatives) {
        ResponseShape::ByMediaType
    } else if have_types_by_status(responses) {
        ResponseShape::ByStatus
    } else {
        ResponseShape::One
    };
    (has_headers, (body_alternatives, shape))
}
