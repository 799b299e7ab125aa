//! Fields of a response, and of the resources in it that describe its page or contain its items.

use wireform_codegen::schema::Text;
use wireform_codegen::schema::field::Field;

use super::plain;
use crate::lowering::Lowering;

/// Maximum number of resources around a field.
pub const MAX_DEPTH: usize = 2;

/// Fields with a resource that describes the page.
const DESCRIPTIONS: [&str; 8] =
    ["meta", "metadata", "page", "page_info", "paging", "pagination", "pagination_info", "cursors"];

/// Fields with a resource of links.
pub const LINKS: [&str; 2] = ["links", "_links"];

/// Fields with a resource that contains the items, and can also describe the page.
const CONTAINERS: [&str; 5] = ["data", "result", "response", "payload", "_embedded"];

/// Field of a response, or of a resource in it.
pub struct Member<'l> {
    /// Names from the response on, separated by dots.
    pub path: String,
    pub name: &'l str,
    pub field: &'l Field,
    /// Number of resources around it.
    pub depth: usize,
    /// True if a list can be that of the items: it is not within a description of the page.
    pub can_contain_items: bool,
    /// True if it is the URL in a link to the next page.
    pub is_next_link: bool,
}

/// Returns the fields of a response, those of the response itself first; `None` if it is not a resource.
pub fn members<'l>(lowering: &'l Lowering, resource: &str) -> Option<Vec<Member<'l>>> {
    let mut found: Vec<Member<'l>> = fields(lowering, resource, None)?;
    let mut next = 0;
    while let Some(outer) = found.get(next) {
        if outer.depth < MAX_DEPTH
            && is_outer(outer)
            && let Some(inner) = outer.field.ty.name().and_then(|name| fields(lowering, name, Some(outer)))
        {
            found.extend(inner);
        }
        next += 1;
    }
    Some(found)
}

/// Returns whether the fields of a field belong to the page.
fn is_outer(outer: &Member<'_>) -> bool {
    let name = plain(outer.name);
    [&DESCRIPTIONS[..], &LINKS, &CONTAINERS].iter().any(|names| names.contains(&name.as_str()))
        // `links.next` can be a resource with the URL.
        || outer.depth > 0 && name == "next"
}

/// Returns the fields of a resource, which is the value of the field `outer`.
fn fields<'l>(lowering: &'l Lowering, resource: &str, outer: Option<&Member<'l>>) -> Option<Vec<Member<'l>>> {
    let member = |(key, field): &'l (Text, Field)| {
        let name = key.text.as_str();
        let path = outer.map_or_else(|| name.to_owned(), |outer| format!("{}.{name}", outer.path));
        let contains = |outer: &Member<'_>| outer.can_contain_items && CONTAINERS.contains(&plain(outer.name).as_str());
        Member {
            path,
            name,
            field,
            depth: outer.map_or(0, |outer| outer.depth + 1),
            can_contain_items: outer.is_none_or(contains),
            is_next_link: outer.is_some_and(|outer| plain(outer.name) == "next") && matches!(name, "href" | "url"),
        }
    };
    Some(lowering.resource(resource)?.fields.0.iter().map(member).collect())
}
