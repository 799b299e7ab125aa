//! Detection of pagination, which documents only describe, by common names of parameters, members and headers, and by
//! what they say about the first page. Each detection is a guess with the line of the overlay that turns it off; where
//! the first page is uncertain nothing is detected, and the guess has the line that adds it.

mod first;
mod members;
mod names;
mod numbered;

use wireform_codegen::schema::Text;
use wireform_codegen::schema::field::{Field, Format};
use wireform_codegen::schema::listing::{Pages, PagesIn};
use wireform_codegen::schema::operation::{BodyMode, Operation, Response};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::text::format_flow;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::write::Write as _;

use self::members::{Member, members};
use self::names::{AFTER, ITEMS, MORE, SIZES, TOKENS, URLS};
use crate::lowering::{Lowering, text};
use crate::node::Node;

/// Detects the pagination of an operation with GET or POST, and reports it.
pub fn find(
    lowering: &Lowering,
    operation: &Operation,
    (name, method): (&str, &str),
    node: &Node<'_>,
) -> Option<Pages> {
    let responses = operation.response.iter().chain(operation.responses.0.iter().map(|(_, response)| response));
    let responses: Vec<&Response> = responses.map(|response| &response.0).collect();
    let requests = [Some(parameters(operation)), body_fields(lowering, operation)];
    let guess = |response: &Response, ty: &TypeExpr| {
        let inputs = requests.iter().enumerate().filter_map(|(index, inputs)| Some((index, inputs.as_ref()?)));
        inputs.into_iter().find_map(|(index, inputs)| {
            let guess = Finder::new(lowering, inputs, response, ty, (name, method))?.guess()?;
            let location = (index == 1).then(|| PagesIn::Body.into());
            Some(Guess { pages: Pages { location, ..guess.pages }, ..guess })
        })
    };
    for response in &responses {
        let mut types = response.alternatives.0.iter().map(|(_, alternative)| &alternative.0.ty);
        if types.any(|ty| guess(response, ty).is_some()) {
            node.loss("pagination is left out: not supported for responses with several media types");
            return None;
        }
    }
    let bodies: Vec<&Response> = responses.into_iter().filter(|response| response.ty.is_some()).collect();
    let guesses = bodies.iter().filter_map(|response| guess(response, response.ty.as_ref()?));
    let guess = guesses.into_iter().next()?;
    let is_empty = |(status, other): &(Text, Short<Response>)| status.text.starts_with('2') && other.0.ty.is_none();
    let unpaged = match bodies.len() {
        1 if operation.responses.0.iter().any(is_empty) => Some("another success has no body"),
        1 => None,
        _ => Some("the responses have bodies of several types"),
    };
    if let Some(why) = unpaged {
        node.note(format!("pagination is left out: {why}"));
        return None;
    }
    let list = guess.pages.items.as_ref().map_or_else(String::new, |items| format!(" of `{}`", items.text));
    let how = guess.how;
    if guess.is_certain {
        node.guess(format!("pagination{list} is inferred: {how}"), "off", &overlay(name, "null"));
        return Some(guess.pages);
    }
    let pages = format_flow(&guess.pages.write());
    node.guess(format!("pagination{list} is left out: {how}"), "on", &overlay(name, &pages));
    None
}

/// Returns the overlay that sets the pagination of an operation.
fn overlay(name: &str, pages: &str) -> String {
    format!("change: {{ operations: {{ {name}: {{ pages: {pages} }} }} }}")
}

/// Pagination of an operation.
struct Guess {
    pages: Pages,
    /// What it was detected by, or what is uncertain.
    how: String,
    is_certain: bool,
}

impl Guess {
    fn certain(pages: Pages, how: String) -> Self {
        Self { pages, how, is_certain: true }
    }
}

/// Parameter of an operation, or field of its body.
#[derive(Clone, Copy)]
pub(super) struct Input<'l> {
    name: &'l str,
    ty: &'l TypeExpr,
    doc: &'l str,
    default: Option<&'l Raw>,
    min: Option<&'l Raw>,
}

/// Returns the query parameters that a caller sets.
fn parameters(operation: &Operation) -> Vec<Input<'_>> {
    let settable = operation.query.0.iter().filter(|(_, parameter)| parameter.constant.is_none());
    settable
        .map(|(key, parameter)| Input {
            name: &key.text,
            ty: &parameter.ty,
            doc: parameter.doc.as_ref().map_or("", |doc| &doc.text),
            default: parameter.default.as_ref(),
            min: parameter.min.as_ref(),
        })
        .collect()
}

/// Returns the fields of a request body that is a resource.
fn body_fields<'l>(lowering: &'l Lowering, operation: &Operation) -> Option<Vec<Input<'l>>> {
    let body = operation.body.as_ref().map(|body| &body.0)?;
    let is_whole = body.mode.is_none_or(|mode| mode == BodyMode::Whole) && body.alternatives.is_empty();
    let resource = lowering.resource(body.ty.as_ref().filter(|_| is_whole)?.name()?)?;
    let settable = resource.fields.0.iter().filter(|(_, field)| field.constant.is_none());
    let input = settable.map(|(key, field)| Input {
        name: &key.text,
        ty: &field.ty,
        doc: field.doc.as_ref().map_or("", |doc| &doc.text),
        default: field.default.as_ref(),
        min: field.min.as_ref(),
    });
    Some(input.collect())
}

/// Search for the parts of a paged operation: the page token, its successor in the response, and the items.
struct Finder<'l> {
    lowering: &'l Lowering,
    inputs: &'l [Input<'l>],
    /// Fields of the response and of resources within it; none if it is a list.
    members: Vec<Member<'l>>,
    response: &'l Response,
    ty: &'l TypeExpr,
    group: Option<&'l str>,
    is_get: bool,
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

/// Returns whether the type is a boolean.
fn is_flag(ty: &TypeExpr) -> bool {
    ty.name() == Some("bool")
}

/// Returns whether the type is an integer.
fn is_whole(ty: &TypeExpr) -> bool {
    matches!(ty.name(), Some("int32" | "uint32" | "int64" | "uint64"))
}

impl<'l> Finder<'l> {
    /// Creates the search; `None` if the response has no fields and is no list.
    fn new(
        lowering: &'l Lowering,
        inputs: &'l [Input<'l>],
        response: &'l Response,
        ty: &'l TypeExpr,
        (name, method): (&'l str, &str),
    ) -> Option<Self> {
        let members = ty.name().and_then(|name| members(lowering, name));
        if members.is_none() && !matches!(ty, TypeExpr::List(..)) {
            return None;
        }
        let (members, group) = (members.unwrap_or_default(), name.rsplit('.').nth(1));
        Some(Self { lowering, inputs, members, response, ty, group, is_get: method == "GET" })
    }

    /// Returns the pagination.
    fn guess(&self) -> Option<Guess> {
        let items = self.items();
        if !matches!(self.ty, TypeExpr::List(..)) && items.is_none() {
            return None;
        }
        self.pages(items)
    }

    /// Returns the first parameter with one of the names and a matching type.
    fn parameter(&self, names: &[&str], is: fn(&TypeExpr) -> bool) -> Option<&'l Input<'l>> {
        let all = || self.inputs.iter().filter(|input| is(input.ty));
        names.iter().find_map(|name| all().find(|input| plain(input.name) == *name))
    }

    /// Returns the path of the first member with one of the names and a matching type, preferably of the response itself.
    fn field(&self, names: &[&str], is: fn(&TypeExpr) -> bool) -> Option<&str> {
        let found = |depth: usize| {
            let all = || self.members.iter().filter(|member| member.depth == depth && is(&member.field.ty));
            names.iter().find_map(|name| all().find(|member| plain(member.name) == *name))
        };
        (0..=members::MAX_DEPTH).find_map(found).map(|member| member.path.as_str())
    }

    /// Returns a field of the response by its path.
    fn member(&self, path: &str) -> Option<&'l Field> {
        self.members.iter().find(|member| member.path == path).map(|member| member.field)
    }

    /// Returns the collection of the response: the only list of resources; without any, the only list; otherwise the
    /// first list with a common name or that of the group. Without any list in the response itself, those of a resource in
    /// it count.
    fn items(&self) -> Option<&str> {
        let of_depth = |depth: usize| {
            let is_list = |member: &&Member<'_>| {
                member.depth == depth && member.can_contain_items && matches!(member.field.ty, TypeExpr::List(..))
            };
            self.members.iter().filter(is_list).collect::<Vec<_>>()
        };
        let lists = (0..=members::MAX_DEPTH).map(of_depth).find(|lists| !lists.is_empty())?;
        let is_resource = |field: &Field| match &field.ty {
            TypeExpr::List(item, _) => item.name().is_some_and(|name| self.lowering.resource(name).is_some()),
            _ => false,
        };
        let of_resources: Vec<_> = lists.iter().filter(|member| is_resource(member.field)).collect();
        let named = |name: &str| lists.iter().find(|member| plain(member.name) == plain(name)).copied();
        let found = match (of_resources.as_slice(), lists.as_slice()) {
            ([only], _) => Some(**only),
            ([], [only]) => Some(*only),
            _ => ITEMS.iter().copied().chain(self.group).find_map(named),
        };
        found.map(|member| member.path.as_str())
    }

    /// Returns how a further page is requested.
    fn pages(&self, items: Option<&str>) -> Option<Guess> {
        let size = self.parameter(&SIZES, is_whole).map(|input| input.name);
        let more = self.field(&MORE, is_flag);
        let whole = || Pages { size: text(size), items: text(items), ..Pages::default() };
        if let Some((token, next)) = self.token() {
            let pages = Pages { token: text(Some(token)), next: text(Some(next)), ..whole() };
            // The last page has a last item, too, so its key does not indicate a further page.
            let pages =
                if plain(next).ends_with("last_id") { Pages { more: text(Some(more?)), ..pages } } else { pages };
            return Some(Guess::certain(pages, format!("`{token}` takes `{next}`")));
        }
        if let Some((token, key)) = more.and_then(|_| self.after(items)) {
            let pages = Pages { token: text(Some(token)), after: text(Some(key)), more: text(more), ..whole() };
            return Some(Guess::certain(pages, format!("`{token}` takes `{key}` of the last item")));
        }
        // The URL of a next page replaces that of a GET request.
        if let Some(url) = self.url().filter(|_| self.is_get) {
            let pages = Pages { next_url: text(Some(url)), ..whole() };
            return Some(Guess::certain(pages, format!("`{url}` is the URL of the next page")));
        }
        if self.is_get && self.response.headers.0.iter().any(|(name, _)| name.text.eq_ignore_ascii_case("link")) {
            let pages = Pages { link: Some(true.into()), ..whole() };
            return Some(Guess::certain(pages, "the header `Link` contains the URL of the next page".to_owned()));
        }
        self.numbered(&whole())
    }

    /// Returns the parameter of the page token and the field of the next one.
    fn token(&self) -> Option<(&str, &str)> {
        let found = TOKENS.iter().find_map(|(parameters, members)| {
            let parameter = self.parameter(parameters, is_text)?;
            Some((parameter.name, self.field(members, is_text)?))
        });
        // A member named just `next` is a token if a parameter takes it.
        found.or_else(|| {
            let parameter = self.parameter(&["cursor", "page_token", "next", "next_token"], is_text)?;
            Some((parameter.name, self.field(&["next"], is_text).filter(|next| !self.is_url(next))?))
        })
    }

    /// Returns a parameter with the key of the last item, and that key.
    fn after(&self, items: Option<&str>) -> Option<(&'l str, &'static str)> {
        let parameter = self.parameter(&AFTER, |ty| is_text(ty) || is_whole(ty))?;
        let list = items.map_or(Some(self.ty), |items| self.member(items).map(|field| &field.ty))?;
        let TypeExpr::List(item, _) = list else { return None };
        let key = self.lowering.type_of(item.name()?, "id")?;
        (is_text(key) && is_text(parameter.ty) || is_whole(key)).then_some((parameter.name, "id"))
    }

    /// Returns the field with the URL of the next page.
    fn url(&self) -> Option<&str> {
        // `links.next.href`
        let is_link = |member: &&Member<'_>| member.is_next_link && is_text(&member.field.ty);
        self.field(&URLS, is_text)
            .or_else(|| self.field(&["next", "next_page"], is_text).filter(|next| self.is_url(next)))
            .or_else(|| self.members.iter().find(is_link).map(|member| member.path.as_str()))
    }

    /// Returns whether a member contains a URL, according to its format or its siblings.
    fn is_url(&self, name: &str) -> bool {
        let is_uri = |field: &Field| field.format.as_ref().is_some_and(|format| format.value == Format::Uri);
        self.member(name).is_some_and(is_uri)
            || name.rsplit('.').nth(1).is_some_and(|outer| members::LINKS.contains(&plain(outer).as_str()))
            || self.field(&["previous", "prev"], is_text).is_some()
                && self.parameter(&["cursor", "page_token"], is_text).is_none()
    }
}
