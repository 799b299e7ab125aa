//! Pagination: resolution of the parameters and fields that it names.

mod ends;

use super::lookup::fields_of;
use super::lookup::parameter_index;
use super::lookup::{field_index, field_path};
use super::types::fits;
use crate::diagnostics::{Code, Sink};
use crate::model::{Body, Encoding, Field, FieldPath, NextPage, Pages, Parameter, Resource, Type};
use crate::schema::Text;
use crate::schema::listing;

/// Pagination of an operation, as far as it could be resolved.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant, reason = "one exists at a time, while an operation is resolved")]
pub enum Paging {
    /// The operation has none.
    None,
    /// The pagination, or the response, could not be resolved, which was reported.
    Unresolved,
    /// The pagination is known.
    Resolved(Pages),
}

/// Resolves the pagination of an operation.
pub fn pages(
    def: &listing::Pages,
    (parameters, body): (&[Parameter], Option<&Body>),
    response: Option<&Type>,
    resources: &[Resource],
    sink: &mut Sink,
) -> Option<Pages> {
    let body_fields = match &def.location {
        Some(location) => Some(ends::body_fields(body, location.span, resources, sink)?),
        None => None,
    };
    let fields = response.and_then(|ty| fields_of(ty, resources));
    let is_list = matches!(response, Some(Type::List(_))) && def.items.is_none();
    if fields.is_none() && !is_list {
        let message = "`pages` requires a resource as the response";
        sink.report(Code::BadPaging, def.span, message)
            .help("return a resource with a list of the items and a string field for the next page token");
        return None;
    }
    let fields = fields.unwrap_or_default();
    let mut reader = Reader { def, parameters, body_fields, fields, resources, sink };
    let size = match &def.size {
        Some(size) => Some(reader.parameter(size, "is the page size", true)?),
        None => None,
    };
    let items = match &def.items {
        Some(items) => Some(field_path(items, reader.fields, resources, reader.sink)?),
        None if is_list => None,
        None => {
            reader.missing("missing key `items` in pages", "items: items");
            return None;
        }
    };
    let list = match items {
        Some((_, field)) => Some(&field.ty),
        None => response,
    };
    let next = reader.next(list)?;
    if let Some(items) = &def.items {
        reader.items(items)?;
    }
    reader.misplaced(next);
    Some(Pages {
        in_body: body_fields.is_some(),
        size,
        next,
        more: reader.flag(def.more.as_ref())?,
        last: reader.flag(def.last.as_ref())?,
        total_pages: reader.count(def.total_pages.as_ref())?,
        total: reader.count(def.total.as_ref())?,
        current: reader.count(def.current.as_ref())?,
        items: items.map(|(path, _)| path),
    })
}

/// The key `pages:` of an operation while it is resolved, and what its names refer to.
struct Reader<'r> {
    def: &'r listing::Pages,
    parameters: &'r [Parameter],
    /// Fields of the request body, if the page is in them.
    body_fields: Option<&'r [Field]>,
    fields: &'r [Field],
    resources: &'r [Resource],
    sink: &'r mut Sink,
}

fn is_whole(ty: &Type) -> bool {
    matches!(ty, Type::Int32 | Type::Uint32 | Type::Int64(Encoding::Number | Encoding::DecimalString) | Type::Uint64(_))
}

fn is_text(ty: &Type) -> bool {
    *ty == Type::String
}

impl Reader<'_> {
    /// Resolves how the next page is requested: in one of six ways.
    fn next(&mut self, list: Option<&Type>) -> Option<NextPage> {
        let def = self.def;
        let ways = [&def.token, &def.number, &def.offset, &def.next_url];
        let link = def.link.as_ref().is_some_and(|link| link.value);
        if ways.iter().filter(|way| way.is_some()).count() + usize::from(link) > 1 {
            self.sink
                .report(Code::BadPaging, def.span, "conflicting kinds of pagination")
                .help("keep only one of `token`, `number`, `offset`, `next_url` and `link`");
            return None;
        }
        self.unused();
        if let Some(number) = &def.number {
            let first = self.first(1)?;
            let parameter = self.parameter(number, "is the page number", true)?;
            return Some(NextPage::Number { parameter, first });
        }
        if let Some(offset) = &def.offset {
            let first = self.first(0)?;
            let parameter = self.parameter(offset, "is the offset of a page", true)?;
            return Some(NextPage::Offset { parameter, first });
        }
        if let Some(url) = &def.next_url {
            return Some(NextPage::Url {
                field: self.field(url, is_text, "not a string", "use `type: string` for the field")?,
            });
        }
        if link {
            return Some(NextPage::Link);
        }
        let Some(token) = &def.token else {
            self.missing("missing key `token`, `number`, `offset`, `next_url` or `link` in pages", "token: pageToken");
            return None;
        };
        self.by_token(token, list)
    }

    /// Returns the number of the first page or item.
    fn first(&mut self, default: i32) -> Option<i32> {
        let Some(first) = &self.def.first else { return Some(default) };
        if first.value < 0 {
            self.sink.report(Code::BadPaging, first.span, "the number of the first page is negative");
            return None;
        }
        let found = i32::try_from(first.value).ok();
        if found.is_none() {
            self.sink.report(Code::BadPaging, first.span, "the number of the first page does not fit into `int32`");
        }
        found
    }

    /// Resolves a token: the next page is named by a response field or by the last item.
    fn by_token(&mut self, token: &Text, list: Option<&Type>) -> Option<NextPage> {
        let def = self.def;
        let parameter = self.parameter(token, "is the page token", false)?;
        match (&def.next, &def.after) {
            (Some(next), None) => Some(NextPage::Token { parameter, field: self.next_field(next)? }),
            (None, Some(after)) => Some(NextPage::After { parameter, field: self.after(after, list)? }),
            (None, None) => {
                self.missing("missing key `next` in pages", "next: nextPageToken");
                None
            }
            (Some(_), Some(after)) => {
                self.sink.report(Code::BadPaging, after.span, "`after` cannot be combined with `next`");
                None
            }
        }
    }

    /// Reports keys that have no effect with the chosen kind of pagination.
    fn unused(&mut self) {
        let def = self.def;
        for (name, needs, key) in [(&def.next, &def.token, "next"), (&def.after, &def.token, "after")] {
            if let (Some(name), None) = (name, needs) {
                let message = format!("`{key}` requires `token`");
                self.sink.report(Code::BadPaging, name.span, message);
            }
        }
        if let (Some(first), None) = (&def.first, def.number.as_ref().or(def.offset.as_ref())) {
            self.sink.report(Code::BadPaging, first.span, "`first` requires `number` or `offset`");
        }
    }

    /// Resolves the field of an item that names the page after it.
    fn after(&mut self, name: &Text, list: Option<&Type>) -> Option<usize> {
        let item = match list {
            Some(Type::List(item)) => fields_of(item, self.resources),
            Some(Type::Unresolved) => return None,
            _ => None,
        };
        let Some(item) = item else {
            self.sink.report(Code::BadPaging, name.span, "`after` requires items that are resources");
            return None;
        };
        let field = field_index(name, item, self.sink)?;
        let is_key = |ty: &Type| is_text(ty) || is_whole(ty);
        if !fits(&item[field].ty, is_key) {
            let message = format!("`{}` is neither a string nor an integer", name.text);
            self.sink.report(Code::BadPaging, name.span, message);
        }
        Some(field)
    }

    /// Returns the index of a parameter, or of a field of the body, for pagination; reports an unknown one, and one of an unsuitable type.
    fn parameter(&mut self, name: &Text, does: &str, is_number: bool) -> Option<usize> {
        let (index, ty) = match self.body_fields {
            Some(fields) => {
                let index = field_index(name, fields, self.sink)?;
                (index, &fields[index].ty)
            }
            None => {
                let index = parameter_index(name, self.parameters, self.sink)?;
                (index, &self.parameters[index].ty)
            }
        };
        let (check, kind): (fn(&Type) -> bool, _) =
            if is_number { (is_whole, "an integer") } else { (is_text, "a string") };
        // A cursor of the last item can be a number.
        let by_item = self.def.after.is_some() && !is_number;
        if !fits(ty, |ty| check(ty) || by_item && is_whole(ty)) {
            let help = match is_number {
                true => "use `type: uint32` for the parameter",
                false => "use `type: string` and `format: page_token` for the parameter",
            };
            self.sink
                .report(Code::BadPaging, name.span, format!("`{}` {does} but is not {kind}", name.text))
                .help(help);
        }
        Some(index)
    }

    /// Returns the path of a response field; reports an unknown one, and one whose type does not satisfy `check`.
    fn field(&mut self, name: &Text, check: fn(&Type) -> bool, problem: &str, help: &str) -> Option<FieldPath> {
        let (path, field) = field_path(name, self.fields, self.resources, self.sink)?;
        if !fits(&field.ty, check) {
            self.sink.report(Code::BadPaging, name.span, format!("`{}` is {problem}", name.text)).help(help);
        }
        Some(path)
    }

    /// Resolves the response field that names the next page.
    fn next_field(&mut self, name: &Text) -> Option<FieldPath> {
        self.field(name, is_text, "not a string", "use `type: string` and `format: page_token` for the field")
    }

    /// Returns the path of the response field with the items; reports one that is neither a list nor a map.
    fn items(&mut self, name: &Text) -> Option<FieldPath> {
        self.field(name, Type::is_collection, "neither a list nor a map", "use the field with the items of the page")
    }

    /// Reports a missing key of `pages:`, with an example of it.
    fn missing(&mut self, message: &str, example: &str) {
        self.sink.report(Code::MissingKey, self.def.span, message).help(format!("add it, for example `{example}`"));
    }
}
