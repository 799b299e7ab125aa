//! Detection of pagination, which documents only describe, by common names of parameters, members and headers. Each
//! detection is a note, because it relies on names alone; the overlay can confirm or override it.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::{Field, Format, Parameter};
use wireform_codegen::schema::listing::Pages;
use wireform_codegen::schema::operation::{Operation, Response};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::yaml::Value;

use crate::lowering::{Lowering, text};
use crate::node::Node;

/// Page token parameters, each with the members that return the token.
const TOKENS: [(&[&str], &[&str]); 7] = [
    (&["page_token"], &["next_page_token"]),
    (
        &["cursor", "page_cursor", "next_cursor", "after", "starting_after"],
        &["next_cursor", "next_page_cursor", "cursor_next", "end_cursor"],
    ),
    (&["next_token", "token"], &["next_token"]),
    (&["continuation_token", "continuation"], &["next_continuation_token", "continuation_token"]),
    (&["marker"], &["next_marker"]),
    (&["after", "after_id"], &["last_id"]),
    (&["start_key", "exclusive_start_key"], &["last_evaluated_key", "next_start_key"]),
];

/// Parameters with the key of the last item.
const AFTER: [&str; 3] = ["starting_after", "after", "after_id"];

/// Members with the URL of the next page.
const URLS: [&str; 7] =
    ["@odata.next_link", "@next_link", "next_link", "next_url", "next_page_url", "next_href", "next_page_uri"];

/// Page number parameters.
const NUMBERS: [&str; 4] = ["page", "page_number", "page[number]", "page_no"];

/// Offset parameters.
const OFFSETS: [&str; 5] = ["offset", "skip", "$skip", "start_index", "page[offset]"];

/// Page size parameters.
const SIZES: [&str; 11] = [
    "per_page",
    "page_size",
    "limit",
    "max_results",
    "size",
    "$top",
    "top",
    "page[size]",
    "page[limit]",
    "max_items",
    "count",
];

/// Members that indicate a further page.
const MORE: [&str; 5] = ["has_more", "has_next_page", "has_next", "more", "more_items"];

/// Members with the items, if there are several lists.
const ITEMS: [&str; 8] = ["data", "items", "results", "value", "values", "records", "entries", "resources"];

/// Detects the pagination of an operation, and reports it.
pub fn find(lowering: &Lowering, operation: &Operation, name: &str, node: &Node<'_>) -> Option<Pages> {
    let responses = operation.response.iter().chain(operation.responses.0.iter().map(|(_, response)| response));
    let bodies: Vec<&Response> =
        responses.map(|response| &response.0).filter(|response| response.ty.is_some()).collect();
    let several = operation.response.iter().chain(operation.responses.0.iter().map(|(_, response)| response));
    for response in several.map(|response| &response.0) {
        let types = response.alternatives.0.iter().map(|(_, alternative)| &alternative.0.ty);
        if types.filter_map(|ty| pages_of(lowering, operation, response, ty, name)).next().is_some() {
            node.loss("pagination is left out: not supported for responses with several media types");
            return None;
        }
    }
    let [response] = bodies.as_slice() else { return None };
    // An optional response has no pages.
    if operation.responses.0.iter().any(|(status, other)| status.text.starts_with('2') && other.0.ty.is_none()) {
        return None;
    }
    let (pages, items, how) = pages_of(lowering, operation, response, response.ty.as_ref()?, name)?;
    let list = items.map_or_else(String::new, |items| format!(" of `{items}`"));
    let overlay = format!("change: {{ operations: {{ {name}: {{ pages: null }} }} }}");
    node.guess(format!("pagination{list} is inferred from names: {how}"), "off", &overlay);
    Some(pages)
}

/// Returns the pagination of a response type, the member with the items, and how it was detected.
fn pages_of(
    lowering: &Lowering,
    operation: &Operation,
    response: &Response,
    ty: &TypeExpr,
    name: &str,
) -> Option<(Pages, Option<String>, String)> {
    let resource = ty.name().and_then(|name| lowering.resource(name));
    let none = Named::default();
    let fields = resource.map_or(&none, |resource| &resource.fields);
    if resource.is_none() && !matches!(ty, TypeExpr::List(..)) {
        return None;
    }
    let finder = Finder { lowering, query: &operation.query, fields, response, ty, group: name.rsplit('.').nth(1) };
    let items = finder.items();
    if resource.is_some() && items.is_none() {
        return None;
    }
    let (pages, how) = finder.pages(items)?;
    Some((pages, items.map(str::to_owned), how))
}

/// Search for the parts of a paged operation: the page token, its successor in the response, and the items.
struct Finder<'l> {
    lowering: &'l Lowering,
    query: &'l Named<Parameter>,
    fields: &'l Named<Field>,
    response: &'l Response,
    ty: &'l TypeExpr,
    group: Option<&'l str>,
}

/// Normalizes a name: `nextPageToken` and `next-page-token` become `next_page_token`.
fn plain(name: &str) -> String {
    let mut out = String::new();
    let mut before = '_';
    for c in name.chars() {
        if c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit()) {
            out.push('_');
        }
        out.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
        before = c;
    }
    out
}

/// Returns whether the type is `string`.
fn is_text(ty: &TypeExpr) -> bool {
    ty.name() == Some("string")
}

/// Returns whether the type is an integer.
fn is_whole(ty: &TypeExpr) -> bool {
    matches!(ty.name(), Some("int32" | "uint32" | "int64" | "uint64"))
}

impl<'l> Finder<'l> {
    /// Returns the first parameter with one of the names and a matching type.
    fn parameter(&self, names: &[&str], is: fn(&TypeExpr) -> bool) -> Option<(&'l str, &'l Parameter)> {
        let all = || self.query.0.iter().filter(|(_, parameter)| is(&parameter.ty) && parameter.constant.is_none());
        let found = names.iter().find_map(|name| all().find(|(key, _)| plain(&key.text) == *name));
        found.map(|(key, parameter)| (key.text.as_str(), parameter))
    }

    /// Returns the first member with one of the names and a matching type.
    fn field(&self, names: &[&str], is: fn(&TypeExpr) -> bool) -> Option<&'l str> {
        let all = || self.fields.0.iter().filter(|(_, field)| is(&field.ty));
        names.iter().find_map(|name| all().find(|(key, _)| plain(&key.text) == *name)).map(|(key, _)| key.text.as_str())
    }

    /// Returns the collection of the response: the only list of resources; without any, the only list; otherwise the
    /// first list with a common name or that of the group.
    fn items(&self) -> Option<&'l str> {
        let lists: Vec<_> = self.fields.0.iter().filter(|(_, field)| matches!(field.ty, TypeExpr::List(..))).collect();
        let is_resource = |field: &Field| match &field.ty {
            TypeExpr::List(item, _) => item.name().is_some_and(|name| self.lowering.resource(name).is_some()),
            _ => false,
        };
        let of_resources: Vec<_> = lists.iter().filter(|(_, field)| is_resource(field)).collect();
        let named = |name: &str| lists.iter().find(|(key, _)| plain(&key.text) == plain(name)).copied();
        let found = match (of_resources.as_slice(), lists.as_slice()) {
            ([only], _) => Some(**only),
            ([], [only]) => Some(*only),
            _ => ITEMS.iter().copied().chain(self.group).find_map(named),
        };
        found.map(|(key, _)| key.text.as_str())
    }

    /// Returns how a further page is requested, and the note about it.
    fn pages(&self, items: Option<&str>) -> Option<(Pages, String)> {
        let size = self.parameter(&SIZES, is_whole).map(|(name, _)| name);
        let more = self.field(&MORE, |ty| ty.name() == Some("bool"));
        let whole = || Pages { size: text(size), items: text(items), ..Pages::default() };
        let with_more = || Pages { more: text(more), ..whole() };
        if let Some((token, next)) = self.token() {
            let pages = Pages { token: text(Some(token)), next: text(Some(next)), ..whole() };
            // The last page has a last item, too, so its key does not indicate a further page.
            let pages = if plain(next) == "last_id" { Pages { more: text(Some(more?)), ..pages } } else { pages };
            return Some((pages, format!("`{token}` takes `{next}`")));
        }
        if let Some((token, key)) = more.and_then(|_| self.after(items)) {
            let pages = Pages { token: text(Some(token)), after: text(Some(key)), ..with_more() };
            return Some((pages, format!("`{token}` takes `{key}` of the last item")));
        }
        if let Some(url) = self.url() {
            return Some((
                Pages { next_url: text(Some(url)), ..whole() },
                format!("`{url}` is the URL of the next page"),
            ));
        }
        if self.response.headers.0.iter().any(|(name, _)| name.text.eq_ignore_ascii_case("link")) {
            return Some((
                Pages { link: Some(true.into()), ..whole() },
                "the header `Link` contains the URL of the next page".to_owned(),
            ));
        }
        // A number without a page size is ambiguous.
        size?;
        if let Some((number, parameter)) = self.parameter(&NUMBERS, is_whole) {
            let first = (starts_at_zero(parameter)).then(|| 0.into());
            return Some((
                Pages { number: text(Some(number)), first, ..with_more() },
                format!("`{number}` is the page number"),
            ));
        }
        let (offset, _) = self.parameter(&OFFSETS, is_whole)?;
        let pages = Pages { offset: text(Some(offset)), ..with_more() };
        Some((pages, format!("`{offset}` is the number of items to skip")))
    }

    /// Returns the parameter of the page token and the field of the next one.
    fn token(&self) -> Option<(&'l str, &'l str)> {
        let found = TOKENS.iter().find_map(|(parameters, members)| {
            let (parameter, _) = self.parameter(parameters, is_text)?;
            Some((parameter, self.field(members, is_text)?))
        });
        // A member named just `next` is a token if a parameter takes it.
        found.or_else(|| {
            let (parameter, _) = self.parameter(&["cursor", "page_token", "next", "next_token"], is_text)?;
            Some((parameter, self.field(&["next"], is_text).filter(|next| !self.is_url(next))?))
        })
    }

    /// Returns a parameter with the key of the last item, and that key.
    fn after(&self, items: Option<&str>) -> Option<(&'l str, &'static str)> {
        let (parameter, is) = self.parameter(&AFTER, |ty| is_text(ty) || is_whole(ty))?;
        let list = items.map_or(Some(self.ty), |items| self.fields.get(items).map(|field| &field.ty))?;
        let TypeExpr::List(item, _) = list else { return None };
        let key = self.lowering.type_of(item.name()?, "id")?;
        (is_text(key) && is_text(&is.ty) || is_whole(key)).then_some((parameter, "id"))
    }

    /// Returns the field with the URL of the next page.
    fn url(&self) -> Option<&'l str> {
        self.field(&URLS, is_text)
            .or_else(|| self.field(&["next", "next_page"], is_text).filter(|next| self.is_url(next)))
    }

    /// Returns whether a member contains a URL, according to its format or its siblings.
    fn is_url(&self, name: &str) -> bool {
        let is_uri = |field: &Field| field.format.as_ref().is_some_and(|format| format.value == Format::Uri);
        self.fields.get(name).is_some_and(is_uri)
            || self.field(&["previous", "prev"], is_text).is_some()
                && self.parameter(&["cursor", "page_token"], is_text).is_none()
    }
}

/// Returns whether page numbers start at zero, according to the default or the minimum.
fn starts_at_zero(parameter: &Parameter) -> bool {
    let is_zero = |raw: &Raw| matches!(&raw.0.value, Value::Scalar(text, _) if text == "0");
    parameter.default.as_ref().or(parameter.min.as_ref()).is_some_and(is_zero)
}
