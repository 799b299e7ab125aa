//! Error bodies: the fields that describe the error, and whether a server can write them.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Enum, ErrorField, ErrorFields, Field, Literal, Profile, Required, Resource, ResourceId, Type};
use crate::schema::Text;
use crate::schema::file::Errors;

/// Resolved types through which paths lead.
pub struct Types<'t> {
    pub resources: &'t [Resource],
    pub enums: &'t [Enum],
}

impl Tables<'_> {
    /// Returns the resource of error bodies.
    pub fn error_body(&mut self, sink: &mut Sink) -> Option<ResourceId> {
        let errors = self.api.errors.as_ref()?;
        match self.ty(&errors.body, sink)? {
            Type::Resource(id) => Some(id),
            _ => {
                sink.report(Code::BadBody, errors.body.span(), "expected a resource as the body of errors");
                None
            }
        }
    }

    /// Resolves the fields of the error body with a known meaning.
    pub fn error_members(&self, body: Option<ResourceId>, types: &Types<'_>, sink: &mut Sink) -> ErrorFields {
        let (Some(errors), Some(body)) = (&self.api.errors, body) else { return ErrorFields::default() };
        // False if a key leads nowhere, which was reported: it may be meant to lead to any field.
        let mut is_complete = true;
        let mut path = |written: &Option<Text>, kind: Leaf| {
            let found = member(written.as_ref()?, body, kind, types, sink);
            is_complete &= found.is_some();
            found
        };
        let mut members = ErrorFields {
            message: path(&errors.message, Leaf::Text),
            reason: path(&errors.reason, Leaf::Text),
            location: path(&errors.location, Leaf::Text),
            location_type: path(&errors.location_type, Leaf::Text),
            rule: path(&errors.rule, Leaf::Text),
            violation_message: path(&errors.violation_message, Leaf::Text),
            domain: path(&errors.domain, Leaf::Text),
            code: path(&errors.code, Leaf::Integer),
            status: path(&errors.status, Leaf::Text),
            constants: Vec::new(),
        };
        is_complete &= self.check_distinct(&members, sink);
        if is_complete {
            let mut holders = ConstantCollector { types, members: &members, kinds: Vec::new() };
            holders.visit(body, &mut Vec::new(), sink);
            members.constants = holders.kinds;
        }
        members
    }

    /// Reports two keys for one field, which can have only one value; returns whether there are none.
    fn check_distinct(&self, members: &ErrorFields, sink: &mut Sink) -> bool {
        let Some(errors) = &self.api.errors else { return true };
        let mut are_distinct = true;
        let named: Vec<_> = members.by_key().into_iter().filter_map(|(key, member)| Some((key, member?))).collect();
        for (index, (key, member)) in named.iter().enumerate() {
            if let Some((other, _)) = named[..index].iter().find(|(_, other)| other.path == member.path) {
                are_distinct = false;
                let path = member.path.join(".");
                let message = format!("`{other}` and `{key}` have the same path `{path}`");
                sink.report(Code::BadBody, errors.span, message).help(format!("remove `{other}` or `{key}`"));
            }
        }
        are_distinct
    }
}

/// Reports a path of the domain if no profile declares the domain.
pub fn check_domain(errors: Option<&Errors>, profile: Option<&Profile>, sink: &mut Sink) {
    let path = errors.and_then(|errors| errors.domain.as_ref());
    if let (Some(path), true) =
        (path, profile.is_none_or(|profile| profile.domain.is_none() && profile.domains.is_empty()))
    {
        sink.report(Code::BadProfile, path.span, "`domain` requires a profile with the domain of error reasons")
            .help("add `profile: { domain: … }`, or remove `domain`");
    }
}

/// Kind of field that a path ends in.
#[derive(Clone, Copy)]
enum Leaf {
    Text,
    Integer,
}

impl Leaf {
    /// Returns why a server cannot write a type, with advice.
    fn refuse(self, ty: &Type, enums: &[Enum]) -> Option<(&'static str, &'static str)> {
        match (self, ty) {
            (Self::Text, Type::String) | (Self::Integer, Type::Int32 | Type::Uint32) => None,
            (Self::Text, Type::Enum(id))
                if enums.get(id.0).is_some_and(|definition| definition.wire_type.is_none()) =>
            {
                None
            }
            (Self::Text, _) => Some(("a string", "use a field whose type is `string` or an enum of strings")),
            (Self::Integer, _) => Some(("a number", "use a field of type `int32` or `uint32`")),
        }
    }
}

/// Resolves a path; reports one that leads nowhere, and one that no server could write.
fn member(written: &Text, body: ResourceId, leaf: Leaf, types: &Types<'_>, sink: &mut Sink) -> Option<ErrorField> {
    let mut found = ErrorField::default();
    let (mut at, mut offset) = (Some(body), 0);
    let mut last = None;
    for (step, piece) in written.text.split('.').enumerate() {
        let name = Text { text: piece.to_owned(), span: written.part_span(offset, piece.len()) };
        if !check_step(&name, &written.text, sink) {
            return None;
        }
        offset += piece.len() + 1;
        let Some(resource) = at.and_then(|id| types.resources.get(id.0)) else {
            sink.report(Code::UnknownMember, name.span, format!("unknown field `{}`", name.text))
                .help("a path consists of fields that are resources or lists of resources");
            return None;
        };
        let field = &resource.fields[super::lookup::field_index(&name, &resource.fields, sink)?];
        let (ty, is_list) = element(field, &name, sink)?;
        if *ty == Type::Unresolved {
            return None;
        }
        if is_list {
            found.lists.push(step);
        }
        if field.behavior.required == Required::Everywhere {
            found.required.push(step);
        }
        at = if let Type::Resource(id) = ty { Some(*id) } else { None };
        last = Some(ty);
        found.path.push(field.name.wire.clone());
    }
    let ty = last?;
    if let Some((kind, help)) = leaf.refuse(ty, types.enums) {
        sink.report(Code::BadBody, written.span, format!("`{}` is not {kind}", written.text)).help(help);
        return None;
    }
    if let Type::Enum(id) = ty {
        let values = types.enums.get(id.0).map(|definition| definition.values.as_slice()).unwrap_or_default();
        found.allowed_values = values.iter().map(|value| value.name.wire.clone()).collect();
    }
    Some(found)
}

/// Reports syntax of other path languages: `$`, `*`, `[]`.
fn check_step(step: &Text, path: &str, sink: &mut Sink) -> bool {
    let plain = |step: &str| step.split('[').next().unwrap_or_default().trim_start_matches(['$', '*']).to_owned();
    if !step.text.contains(['[', ']']) && !["$", "*"].contains(&step.text.as_str()) {
        return true;
    }
    let names: Vec<String> = path.split('.').map(plain).filter(|name| !name.is_empty()).collect();
    let message = format!("invalid field name `{}` in a path", step.text);
    sink.report(Code::UnknownMember, step.span, message)
        .help(format!("write the names without brackets, even for lists: `{}`", names.join(".")));
    false
}

/// Returns the type that a step of a path leads to, and whether it is in a list; reports a field that cannot hold a
/// violation.
fn element<'f>(field: &'f Field, name: &Text, sink: &mut Sink) -> Option<(&'f Type, bool)> {
    let (ty, is_list) = match &field.ty {
        Type::List(inner) => (inner.non_null(), true),
        ty => (ty, false),
    };
    let problem = match ty {
        _ if field.is_kind || field.constraints.constant.is_some() => "is a constant, which cannot describe an error",
        Type::Map(_) => "contains a map, whose keys are not known",
        Type::List(_) => "contains nested lists, of which only one level is supported",
        _ => return Some((ty, is_list)),
    };
    sink.report(Code::BadBody, name.span, format!("`{}` {problem}", name.text))
        .help("use a path through resources and lists of resources to a string or an enum");
    None
}

/// Resources that a server writes: the body, and those on the paths.
struct ConstantCollector<'h> {
    types: &'h Types<'h>,
    members: &'h ErrorFields,
    kinds: Vec<(ErrorField, String)>,
}

impl ConstantCollector<'_> {
    /// Collects the constants of a resource and of nested ones, and reports required fields without a value.
    fn visit(&mut self, id: ResourceId, path: &mut Vec<String>, sink: &mut Sink) {
        let types = self.types;
        let Some(resource) = types.resources.get(id.0) else { return };
        for field in &resource.fields {
            path.push(field.name.wire.clone());
            if let Some(Literal::Text(value)) = &field.constraints.constant {
                self.kinds.push((ErrorField { path: path.clone(), ..ErrorField::default() }, value.clone()));
            } else if self.is_on_a_path(path) {
                if let Type::Resource(inner) = field.ty.innermost_type() {
                    self.visit(*inner, path, sink);
                }
                self.check_word(field, path, sink);
            } else if field.behavior.required == Required::Everywhere {
                let message = format!("required error field `{}` is not mapped by a key of `errors`", path.join("."));
                sink.report(Code::IncompleteError, field.span, message)
                    .help("map a key of `errors` to it, or remove `required`: servers write errors without it");
            }
            path.pop();
        }
    }

    fn is_on_a_path(&self, path: &[String]) -> bool {
        self.members.by_key().iter().any(|(_, member)| member.is_some_and(|member| member.path.starts_with(path)))
    }

    /// Reports a required enum if some violations have no value in it.
    fn check_word(&self, field: &Field, path: &[String], sink: &mut Sink) {
        let members = [&self.members.location_type, &self.members.location, &self.members.rule];
        let is_one = members.into_iter().flatten().any(|member| member.path == path);
        if is_one
            && field.behavior.required == Required::Everywhere
            && matches!(field.ty.innermost_type(), Type::Enum(_))
        {
            let message = format!("required error field `{}` is not set by every error", path.join("."));
            sink.report(Code::IncompleteError, field.span, message)
                .help("remove `required`: violations in a body have no `location_type`, and other errors have no rule");
        }
    }
}
