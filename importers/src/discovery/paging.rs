//! Paginated responses.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::listing::Pages;
use wireform_codegen::schema::types::TypeExpr;

use super::importer::{Importer, Target};
use crate::lowering::{DefinitionPath, text};
use crate::node::Node;

/// Parameters with the size of a page.
const SIZES: [&str; 2] = ["pageSize", "maxResults"];

/// Returns the pagination of a method: it takes a `pageToken` in the query, responds with a `nextPageToken`, and has
/// one collection that can be the items. Omitted parameters cannot be referenced.
pub fn pages(
    importer: &Importer<'_>,
    node: &Node<'_>,
    place: &DefinitionPath,
    query: &Named<Parameter>,
) -> Option<Pages> {
    // The members of the response are wrapped in another object then.
    if importer.wraps_data {
        return None;
    }
    let parameters = node.get("parameters")?;
    let is = |of: &Node<'_>, name: &str, ty: &str| {
        let found = of.get(name);
        found.is_some_and(|it| it.text("type") == Some(ty) && !it.flag("repeated") && !it.has("enum"))
    };
    let response = node.child("response")?;
    let id = response.text("$ref")?;
    let Some(Target::Resource(resource)) = importer.targets.get(id) else { return None };
    let response = importer.schemas.get(id)?.get("properties")?;
    let next = response.get("nextPageToken").filter(|next| !next.has("format"));
    let takes = |name: &str, ty: &str| query.get(name).is_some() && is(&parameters, name, ty);
    if !takes("pageToken", "string") || next.is_none() || !is(&response, "nextPageToken", "string") {
        return None;
    }
    let items = items(&response, place).filter(|name| is_collection(importer, resource, name))?;
    let overlay = format!("change: {{ operations: {{ {}: {{ pages: null }} }} }}", place.owner);
    node.guess(format!("pagination of `{items}` is inferred from `pageToken` and `nextPageToken`"), "off", &overlay);
    Some(Pages {
        size: text(SIZES.into_iter().find(|size| takes(size, "integer"))),
        token: text(Some("pageToken")),
        next: text(Some("nextPageToken")),
        items: text(Some(items)),
        ..Pages::default()
    })
}

/// Returns whether a member was converted to a list or a map.
fn is_collection(importer: &Importer<'_>, resource: &str, member: &str) -> bool {
    importer.lowering.type_of(resource, member).is_some_and(|ty| matches!(ty, TypeExpr::List(..) | TypeExpr::Map(..)))
}

/// Returns the collection of the response: the only list of resources; of several, the one named like the group of the
/// operation; without any, the only list or map.
fn items<'d>(response: &Node<'d>, place: &DefinitionPath) -> Option<&'d str> {
    let members = response.members();
    let all = |is: fn(&Node<'_>) -> bool| -> Vec<&'d str> {
        members.iter().filter(|(_, member)| is(member)).map(|(name, _)| *name).collect()
    };
    let of = |member: &Node<'_>, key: &str| member.get(key).is_some_and(|element| element.has("$ref"));
    let resources: Vec<&'d str> =
        members.iter().filter(|(_, member)| of(member, "items")).map(|(name, _)| *name).collect();
    let group = place.owner.rsplit('.').nth(1);
    let any = all(|member| matches!(member.text("type"), Some("array")) || member.has("additionalProperties"));
    match (resources.as_slice(), any.as_slice()) {
        ([only], _) | ([], [only]) => Some(only),
        (several, _) => several.iter().copied().find(|name| Some(*name) == group),
    }
}
