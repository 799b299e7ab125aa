//! Paging and incremental synchronisation: the parameters and fields they name.

use super::names::type_stem;
use super::operations::fields_of;
use super::resources::field_index;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, nearest};
use crate::model::{ChangeField, Expired, Field, Forbidden, Pages, Parameter, Resource, Sync, Type};
use crate::schema::Text;
use crate::schema::listing::{self, SyncDef};

/// The index of a parameter by its wire name; reports when there is none.
fn parameter_index(name: &Text, parameters: &[Parameter], sink: &mut Sink) -> Option<usize> {
    let is = |parameter: &Parameter| parameter.name.wire == name.text && !parameter.is_constant();
    let found = parameters.iter().position(is);
    if found.is_none() {
        let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.wire.as_str()).collect();
        let message = format!("the operation has no parameter `{}`", name.text);
        let report = sink.report(Code::UnknownMember, name.span, message);
        if nearest(&name.text, known.iter().copied()).is_none() {
            report.help(format!("declare it under `query:`: `{}: {{ type: … }}`", name.text));
        }
        report.suggest(&name.text, known);
    }
    found
}

/// Whether a type fits. A type that could not be read counts as `any`, was reported, and fits.
fn fits(ty: &Type, check: impl Fn(&Type) -> bool, sink: &Sink) -> bool {
    check(ty) || (*ty == Type::Any && sink.has_errors())
}

/// How an answer comes in pages.
pub fn pages(
    def: &listing::Pages,
    parameters: &[Parameter],
    answer: Option<&[Field]>,
    sink: &mut Sink,
) -> Option<Pages> {
    let Some(fields) = answer else {
        let message = "`pages` names fields of the answer, and the answer is not a resource";
        sink.report(Code::BadPaging, def.span, message)
            .help("let it answer a resource with a list of the items, and a text that is the token of the next page");
        return None;
    };
    let size = match &def.size {
        Some(size) => Some(parameter_index(size, parameters, sink)?),
        None => None,
    };
    let token = parameter_index(&def.token, parameters, sink)?;
    let next = field_index(&def.next, fields, sink)?;
    let items = field_index(&def.items, fields, sink)?;
    let whole = |ty: &Type| matches!(ty, Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_));
    let text = |ty: &Type| *ty == Type::String;
    let size_fits = size.is_none_or(|size| fits(&parameters[size].ty, whole, sink));
    if let (false, Some(name)) = (size_fits, &def.size) {
        sink.report(
            Code::BadPaging,
            name.span,
            format!("`{}` says how large a page is and is not a whole number", name.text),
        )
        .help("write `type: uint32` in the parameter");
    }
    if !fits(&parameters[token].ty, text, sink) {
        sink.report(
            Code::BadPaging,
            def.token.span,
            format!("`{}` asks for a page and is not a string", def.token.text),
        )
        .help("write `type: string` and `format: page_token` in the parameter: pages go from token to token");
    }
    if !fits(&fields[next].ty, text, sink) {
        sink.report(Code::BadPaging, def.next.span, format!("`{}` is not a string", def.next.text))
            .help("write `type: string` and `format: page_token` in the field");
    }
    if !fits(&fields[items].ty, Type::is_collection, sink) {
        sink.report(Code::BadPaging, def.items.span, format!("`{}` is neither a list nor a map", def.items.text))
            .help("name the field that holds the items of the page");
    }
    Some(Pages { size, token, next, items })
}

impl Tables<'_> {
    /// How changes since an earlier answer are asked for.
    pub fn sync(
        &self,
        def: &SyncDef,
        parameters: &[Parameter],
        answer: Option<&[Field]>,
        pages: Option<Pages>,
        resources: &[Resource],
        sink: &mut Sink,
    ) -> Option<Sync> {
        let Some(fields) = answer else {
            sink.report(
                Code::BadPaging,
                def.span,
                "`sync` names fields of the answer, and the answer is not a resource",
            );
            return None;
        };
        if pages.is_none() && !sink.has_errors() {
            sink.report(Code::BadPaging, def.span, "`sync` needs `pages`: changes come in pages")
                .help("add `pages: { token: …, next: …, items: … }`");
        }
        let resume = parameter_index(&def.resume, parameters, sink);
        let cursor = field_index(&def.cursor, fields, sink);
        let forbids = self.forbids(def, parameters, sink);
        let expired = expired(def, sink);
        let full = match &def.full {
            Some(name) => Some(self.operation(name, sink)?),
            None => None,
        };
        let (resume, cursor) = (resume?, cursor?);
        check_cursor(def, &fields[cursor].ty, &parameters[resume], sink);
        let item = pages.and_then(|pages| match &fields[pages.items].ty {
            Type::List(item) => fields_of(item, resources),
            _ => None,
        });
        if let Some(otherwise) = def.otherwise.as_ref()
            && (def.changes.is_empty() || def.changes.iter().any(|name| name.text == otherwise.text))
        {
            sink.report(Code::BadPaging, otherwise.span, "`otherwise` is a field beside those of `changes`");
        }
        let otherwise = changes(def.otherwise.as_slice(), item, sink).pop();
        let changes = changes(&def.changes, item, sink);
        Some(Sync { resume, cursor, expired: expired?, forbids, full, changes, otherwise })
    }

    /// What cannot be given beside the cursor.
    fn forbids(&self, def: &SyncDef, parameters: &[Parameter], sink: &mut Sink) -> Vec<Forbidden> {
        let forbids = def.forbids.iter().filter_map(|forbidden| {
            let parameter = parameter_index(&forbidden.name, parameters, sink)?;
            let value = match &forbidden.value {
                Some(raw) => Some(self.literal(raw, &parameters[parameter].ty, "value", sink)?),
                None => None,
            };
            Some(Forbidden { parameter, value })
        });
        forbids.collect()
    }
}

/// How an answer says that a cursor is not valid any more.
fn expired(def: &SyncDef, sink: &mut Sink) -> Option<Expired> {
    let status = u16::try_from(def.expired.status.value).ok().filter(|status| (400..=599).contains(status));
    if status.is_none() {
        sink.report(Code::BadStatus, def.expired.status.span, "an expired cursor is told by a status from 400 to 599");
    }
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Some(Expired { status: status?, reason: text(&def.expired.reason), location: text(&def.expired.location) })
}

/// A cursor is of the type of the parameter that takes it; one that every request has is a text or a whole number.
fn check_cursor(def: &SyncDef, given: &Type, resume: &Parameter, sink: &mut Sink) {
    let taken = &resume.ty;
    if !fits(given, |ty| fits(taken, |taken| taken == ty, sink), sink) {
        sink.report(
            Code::BadPaging,
            def.cursor.span,
            "the cursor and the parameter that takes it have different types",
        );
    }
    if resume.required
        && !matches!(taken, Type::String | Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_) | Type::Any)
    {
        sink.report(Code::BadPaging, def.resume.span, "a cursor that every request has is a string or a whole number")
            .help("leave `required` out, or make it a string");
    }
}

/// The fields of an item that hold the changes.
fn changes(names: &[Text], item: Option<&[Field]>, sink: &mut Sink) -> Vec<ChangeField> {
    let Some(first) = names.first() else { return Vec::new() };
    let Some(item) = item else {
        sink.report(
            Code::BadPaging,
            first.span,
            "the changes are fields of the items, and the items are no list of resources",
        );
        return Vec::new();
    };
    for (at, name) in names.iter().enumerate() {
        if names.iter().take(at).any(|earlier| earlier.text == name.text) {
            sink.report(Code::BadPaging, name.span, format!("`{}` is named twice", name.text));
        }
    }
    names
        .iter()
        .filter_map(|name| Some(ChangeField { field: field_index(name, item, sink)?, variant: type_stem(&name.text) }))
        .collect()
}
