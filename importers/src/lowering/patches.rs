//! Names of the merge patches that generation makes of resources.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::resolve::names::{Casing, patch_name};
use wireform_codegen::schema::operation::BodyMode;
use wireform_codegen::schema::types::TypeExpr;

use super::Lowering;
use crate::definition::{Definition, Item, Kind};
use crate::names;

impl Lowering {
    /// Renames the types whose Rust name generation gives to a merge patch. Returns the definition that each is a part
    /// of, with a note.
    pub fn rename_like_patches(&mut self) -> Vec<(String, String)> {
        let types = self.items.iter().enumerate().filter(|(_, item)| item.kind() != Kind::Operation);
        let mut types: BTreeMap<String, usize> =
            types.filter_map(|(at, item)| Some((rust_name(item)?.0, at))).collect();
        let mut open = self.patched_resources();
        let mut renamed = Vec::new();
        while let Some(at) = open.pop() {
            let Some(patch) = self.items.get(at).and_then(rust_name).map(|(_, stem)| patch_name(&stem)) else {
                continue;
            };
            self.types.reserve_all(std::slice::from_ref(&patch));
            let Some(other) = types.remove(&patch) else { continue };
            let free = self.types.reserve_free(&patch, Casing::Type, names::ident);
            let (Some(item), Some(free)) = (self.items.get_mut(other), free) else { continue };
            let what = format!("`{}` is renamed to `{free}` in code: its name is that of a merge patch", item.name);
            renamed.push((item.owner.clone(), what));
            match &mut item.definition {
                Definition::Operation(_) => {}
                Definition::Resource(resource) => resource.name = Some(free.into()),
                Definition::Enum(values) => values.name = Some(free.into()),
                Definition::Union(union) => union.name = Some(free.into()),
            }
            // The name of its own merge patch follows.
            open.push(other);
        }
        renamed
    }

    /// Returns the indices of the resources that merge patches reach: through fields and the values of maps.
    fn patched_resources(&self) -> Vec<usize> {
        let bodies = self.items.iter().filter_map(Item::operation).filter_map(|operation| operation.body.as_ref());
        let mut open: Vec<&str> = Vec::new();
        for body in bodies {
            let alternatives = body.0.alternatives.0.iter().map(|(_, one)| (one.0.mode, one.0.ty.as_ref()));
            let all = alternatives.chain([(body.0.mode, body.0.ty.as_ref())]);
            open.extend(all.filter(|(mode, _)| *mode == Some(BodyMode::MergePatch)).filter_map(|(_, ty)| ty?.name()));
        }
        let mut found = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some(at) = self.resources.get(name).copied().filter(|at| found.insert(*at)) else { continue };
            if let Some(resource) = self.items.get(at).and_then(Item::resource) {
                let types = resource.fields.0.iter().map(|(_, field)| &field.ty);
                open.extend(types.chain(resource.rest.iter().map(|rest| &rest.0.ty)).filter_map(patched));
            }
        }
        found.into_iter().collect()
    }
}

/// Returns the name of a type, or of the values of a map, whose merge patch is a part of another one.
fn patched(ty: &TypeExpr) -> Option<&str> {
    match ty {
        TypeExpr::Name(name) => Some(&name.text),
        TypeExpr::Map(inner, _) => match &**inner {
            TypeExpr::Nullable(name) => Some(&name.text),
            inner => patched(inner),
        },
        TypeExpr::List(..) | TypeExpr::Nullable(_) => None,
    }
}

/// Returns the Rust name of a type as an identifier and as a part of other names.
fn rust_name(item: &Item) -> Option<(String, String)> {
    let given = match &item.definition {
        Definition::Operation(_) => return None,
        Definition::Resource(resource) => &resource.name,
        Definition::Enum(values) => &values.name,
        Definition::Union(union) => &union.name,
    };
    let name = names::rust_name(given.as_ref().map_or(&item.name, |given| &given.text), Casing::Type)?;
    Some((name.ident, name.stem))
}
