//! Incremental synchronization: resolution of the parameters and fields that it names.

use super::lookup::field_index;
use super::lookup::fields_of;
use super::lookup::parameter_index;
use super::names::type_stem;
use super::pages::Paging;
use super::tables::Tables;
use super::types::{agree, fits};
use crate::diagnostics::{Code, Sink};
use crate::model::{
    ChangeField, ExpiredToken, Field, ForbiddenParameter, IncrementalSync, NextPage, Parameter, Resource, Type,
};
use crate::schema::Text;
use crate::schema::listing::SyncDef;

impl Tables<'_> {
    /// Resolves the synchronization of an operation.
    pub fn sync(
        &self,
        def: &SyncDef,
        parameters: &[Parameter],
        response_fields: Option<&[Field]>,
        paging: Paging,
        resources: &[Resource],
        sink: &mut Sink,
    ) -> Option<IncrementalSync> {
        let Some(fields) = response_fields else {
            sink.report(Code::BadPaging, def.span, "`sync` requires a resource as the response");
            return None;
        };
        let items = items(paging, fields, resources);
        if matches!(items, Items::None) {
            sink.report(Code::BadPaging, def.span, "`sync` requires `pages`")
                .help("add `pages: { token: …, next: …, items: … }`");
        }
        if matches!(items, Items::Nested) {
            sink.report(Code::BadPaging, def.span, "`sync` requires items that are a field of the response itself");
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
        if let Some(otherwise) = def.otherwise.as_ref()
            && (def.changes.is_empty() || def.changes.iter().any(|name| name.text == otherwise.text))
        {
            sink.report(Code::BadPaging, otherwise.span, "`otherwise` must be a field that is not in `changes`");
        }
        let otherwise = changes(def.otherwise.as_slice(), items, sink).pop();
        let changes = changes(&def.changes, items, sink);
        Some(IncrementalSync {
            resume,
            cursor,
            expired: expired?,
            forbidden: forbids,
            full,
            changes,
            fallback: otherwise,
        })
    }

    /// Resolves the parameters that cannot be combined with the sync token.
    fn forbids(&self, def: &SyncDef, parameters: &[Parameter], sink: &mut Sink) -> Vec<ForbiddenParameter> {
        let forbids = def.forbids.iter().filter_map(|forbidden| {
            let parameter = parameter_index(&forbidden.name, parameters, sink)?;
            let value = match &forbidden.value {
                Some(raw) => Some(self.literal(raw, &parameters[parameter].ty, "value", sink)?),
                None => None,
            };
            Some(ForbiddenParameter { parameter, value })
        });
        forbids.collect()
    }
}

/// Items of the pages in which changes come.
#[derive(Clone, Copy)]
enum Items<'r> {
    /// The pages go from token to token, and their items have these fields, if they are resources.
    Listed(Option<&'r [Field]>),
    /// The pages or the type of their items could not be resolved, which was reported.
    Unresolved,
    /// There are no pages that go from token to token.
    None,
    /// The items are not a field of the response itself.
    Nested,
}

/// Finds the fields of the items that a page of a response contains.
fn items<'r>(paging: Paging, fields: &[Field], resources: &'r [Resource]) -> Items<'r> {
    let pages = match paging {
        Paging::Resolved(pages) => pages,
        Paging::Unresolved => return Items::Unresolved,
        Paging::None => return Items::None,
    };
    let (NextPage::Token { .. }, Some(items)) = (pages.next, pages.items) else { return Items::None };
    let Some(items) = items.of_response() else { return Items::Nested };
    match fields.get(items).map(|field| &field.ty) {
        Some(Type::Unresolved) => Items::Unresolved,
        Some(Type::List(item)) => Items::Listed(fields_of(item, resources)),
        _ => Items::Listed(None),
    }
}

/// Resolves the response that reports an expired sync token.
fn expired(def: &SyncDef, sink: &mut Sink) -> Option<ExpiredToken> {
    let status = u16::try_from(def.expired.status.value).ok().filter(|status| (400..=599).contains(status));
    if status.is_none() {
        sink.report(
            Code::BadStatus,
            def.expired.status.span,
            "expected a status from 400 to 599 for an expired sync token",
        );
    }
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Some(ExpiredToken { status: status?, reason: text(&def.expired.reason), location: text(&def.expired.location) })
}

/// Checks the type of the sync token: that of the parameter that takes it; if every response has one, a text or an
/// integer.
fn check_cursor(def: &SyncDef, given: &Type, resume: &Parameter, sink: &mut Sink) {
    let taken = &resume.ty;
    if !agree(given, taken) {
        sink.report(Code::BadPaging, def.cursor.span, "the sync token and its parameter have different types");
    }
    if resume.required
        && !fits(taken, |taken| {
            matches!(taken, Type::String | Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_))
        })
    {
        sink.report(Code::BadPaging, def.resume.span, "a required sync token must be a string or an integer")
            .help("remove `required`, or use the type `string`");
    }
}

/// Resolves the fields of an item that hold changes.
fn changes(names: &[Text], items: Items<'_>, sink: &mut Sink) -> Vec<ChangeField> {
    let (Some(first), Items::Listed(item)) = (names.first(), items) else { return Vec::new() };
    let Some(item) = item else {
        sink.report(Code::BadPaging, first.span, "`changes` requires items that are resources");
        return Vec::new();
    };
    for (at, name) in names.iter().enumerate() {
        if names.iter().take(at).any(|earlier| earlier.text == name.text) {
            sink.report(Code::BadPaging, name.span, format!("duplicate field `{}`", name.text));
        }
    }
    names
        .iter()
        .filter_map(|name| Some(ChangeField { field: field_index(name, item, sink)?, variant: type_stem(&name.text) }))
        .collect()
}
