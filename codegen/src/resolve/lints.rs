//! Lints for operations that are valid but probably wrong: one without authorization, a PATCH that replaces, a
//! path segment that looks like a variable.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Body, BodyMode, Codec, Operation, ResourceId, Response, ScopeRequirement, Segment, Type};
use crate::schema::shape::Short;
use crate::schema::{self, Text};

impl Tables<'_> {
    /// Warns of operations with probable omissions or errors.
    pub fn lint_operations(&self, operations: &[Operation], sink: &mut Sink) {
        self.check_public(operations, sink);
        self.check_whole_patches(operations, sink);
        self.check_colons(sink);
        self.check_groups(operations, sink);
        self.check_etags(operations, sink);
    }

    /// Returns the definition of an operation in the schema, with its name.
    pub fn written(&self, operation: &Operation) -> Option<(&Text, &schema::Operation)> {
        let id = self.operation_ids.get(operation.name.as_str())?;
        self.operations.get(id.0).copied()
    }

    /// Warns of operations that require no credentials, without saying so, among others that do.
    fn check_public(&self, operations: &[Operation], sink: &mut Sink) {
        let mut guarded: HashMap<&str, &Operation> = HashMap::new();
        let all = operations.iter().filter(|operation| is_guarded(operation));
        let Some(first) = all.clone().next() else { return };
        all.for_each(|operation| {
            guarded.entry(group(operation)).or_insert(operation);
        });
        for operation in operations.iter().filter(|operation| is_anonymous(operation)) {
            let sibling = guarded.get(group(operation)).copied().unwrap_or(first);
            let (Some((key, def)), Some((other, _))) = (self.written(operation), self.written(sibling)) else {
                continue;
            };
            // The requirement was written, and an error in it was reported.
            if def.scopes.as_ref().is_some_and(names_any) || def.security.is_some() {
                continue;
            }
            let message = format!("`{}` is public: it has neither `scopes` nor `security`", key.text);
            sink.report(Code::OpenOperation, key.span, message)
                .related(other.span, "this operation has one of them")
                .help("add `scopes:` or `security:` with the required credentials")
                .help("write `security: none` if the operation is intentionally public");
        }
    }

    /// Warns of PATCH operations whose body is a resource that other operations use in full, unless the schema says
    /// that this is intended.
    fn check_whole_patches(&self, operations: &[Operation], sink: &mut Sink) {
        let shared = shared_resources(operations);
        for operation in operations.iter().filter(|operation| operation.http.method == "PATCH") {
            let Some((key, def)) = self.written(operation) else { continue };
            let Some(Short(body)) = def.body.as_ref().filter(|Short(body)| body.mode.is_none()) else { continue };
            let Some(id) = operation.body.as_ref().filter(|body| can_be_patch(body)).and_then(resource) else {
                continue;
            };
            if let Some(definition) = self.resources.get(id.0).filter(|_| shared.contains(&id)) {
                let name = &definition.key.text;
                let message = format!("the body of the PATCH operation `{}` is a complete `{name}`", key.text);
                sink.report(Code::WholePatch, body.span, message)
                    .label("an absent field cannot be distinguished from null")
                    .help(format!("write `{{ type: {name}, as: merge_patch }}` if absent fields are not changed"))
                    .help(format!("write `{{ type: {name}, as: whole }}` if the resource is replaced"));
            }
        }
    }

    /// Warns of segments that look like variables of other path syntaxes.
    fn check_colons(&self, sink: &mut Sink) {
        for (_, def) in &self.operations {
            let Some(colon) = def.http.leading_colon else { continue };
            let Some(name) = def.http.verb.as_deref() else { continue };
            // A parameter of that name was reported because it is not in the path.
            if !def.path.0.iter().any(|(key, _)| key.text == name) {
                sink.report(
                    Code::ColonSegment,
                    colon,
                    format!("path segment `:{name}` is literal text, not a variable"),
                )
                .help(format!("write `{{{name}}}` and declare it under `path:` if it is a variable"))
                .help(format!("write the verb after a segment, such as `/items:{name}`, if it is a verb"))
                .help("add `allow: [W0309]` to the operation if literal text is intended");
            }
        }
    }
}

/// Returns the groups of an operation, as in its name.
fn group(operation: &Operation) -> &str {
    operation.name.rsplit_once('.').map_or("", |(groups, _)| groups)
}

impl Tables<'_> {
    /// Warns of a single operation in a group whose name is probably a misspelling of another.
    fn check_groups(&self, operations: &[Operation], sink: &mut Sink) {
        let mut groups: BTreeMap<&str, Vec<&Operation>> = BTreeMap::new();
        for operation in operations {
            groups.entry(group(operation)).or_default().push(operation);
        }
        if groups.len() > MAX_GROUPS {
            return;
        }
        for (name, list) in &groups {
            let [operation] = list.as_slice() else { continue };
            let near = groups.iter().filter(|(near, list)| list.len() > 1 && is_slip(name, near));
            let meant = near.flat_map(|(_, list)| list).find(|other| are_neighbors(operation, other));
            let Some(((key, _), (other, _))) = self.written(operation).zip(meant.and_then(|other| self.written(other)))
            else {
                continue;
            };
            let near = other.text.rsplit_once('.').map_or("", |(groups, _)| groups);
            let message = format!(
                "`{}` is the only operation of group `{name}`, but its path belongs to group `{near}`",
                key.text
            );
            let method = key.text.get(name.len()..).unwrap_or_default();
            sink.report(Code::MisspelledGroup, key.span, message)
                .related(other.span, format!("the group `{near}`"))
                .help(format!("did you mean `{near}{method}`?"))
                .help("add `allow: [W0313]` to the operation if the group is intended");
        }
    }
}

/// Maximum number of groups that are compared pairwise.
const MAX_GROUPS: usize = 1000;

/// Returns whether two names differ by one inserted, deleted, changed or transposed letter.
fn is_slip(name: &str, other: &str) -> bool {
    let shorter = name.len().min(other.len());
    shorter >= 4 && name.len().abs_diff(other.len()) <= 1 && strsim::damerau_levenshtein(name, other) == 1
}

/// Returns whether the path of an operation starts like that of another one, and not with the name of its own group.
fn are_neighbors(operation: &Operation, other: &Operation) -> bool {
    let (own, others) = (literal_segments(operation), literal_segments(other));
    let named = group(operation).rsplit('.').next().unwrap_or_default();
    own.first().is_some_and(|first| others.first() == Some(first)) && !own.contains(&named)
}

/// Returns the literal segments of the path.
fn literal_segments(operation: &Operation) -> Vec<&str> {
    let segments = operation.http.segments.iter();
    segments
        .filter_map(|segment| match segment {
            Segment::Literal(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Returns whether every alternative of the operation's security requires a credential.
fn is_guarded(operation: &Operation) -> bool {
    match &operation.security {
        Some(ways) => !ways.is_empty() && ways.iter().all(|way| !way.is_empty()),
        None => !is_anonymous(operation),
    }
}

/// Returns whether scopes are named, known or not.
fn names_any(need: &schema::operation::ScopeRequirement) -> bool {
    match need {
        schema::operation::ScopeRequirement::AnyOf(list) | schema::operation::ScopeRequirement::AllOf(list) => {
            !list.is_empty()
        }
    }
}

/// Returns whether the operation has no security requirement.
fn is_anonymous(operation: &Operation) -> bool {
    let has_scopes = match &operation.scopes {
        ScopeRequirement::None => false,
        ScopeRequirement::AnyOf(list) | ScopeRequirement::AllOf(list) => !list.is_empty(),
    };
    operation.security.is_none() && !has_scopes && !operation.api_key
}

/// Returns the resource of a body.
fn resource(body: &Body) -> Option<ResourceId> {
    match body.ty {
        Type::Resource(id) => Some(id),
        _ => None,
    }
}

/// Returns whether a body is JSON and not a patch: forms have no null.
fn can_be_patch(body: &Body) -> bool {
    let is_json = |media_type: &String| matches!(Codec::of(media_type), Some(Codec::Json));
    body.mode == BodyMode::Whole && body.content_types.iter().any(is_json)
}

/// Returns the resources in responses, or in requests with a method other than PATCH: resources that only a PATCH
/// takes are designed for it.
fn shared_resources(operations: &[Operation]) -> BTreeSet<ResourceId> {
    let of_type = |ty: &Type| if let Type::Resource(id) = ty { Some(*id) } else { None };
    let returned = operations.iter().flat_map(|operation| &operation.responses);
    let returned = returned.filter(|response| response.status < 300).flat_map(Response::types).filter_map(of_type);
    let sent = operations.iter().filter(|operation| operation.http.method != "PATCH");
    returned.chain(sent.flat_map(Operation::bodies).filter_map(resource)).collect()
}
