//! Unions that the schema language does not have: those that are variants of themselves, and those with a discriminator
//! whose variants have no such field. Whether a variant is a union or a resource is known when all are written.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::schema::Union;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::union::{Variant, VariantDef};

use super::Lowering;
use crate::definition::{Definition, Item};

/// Change of a union.
pub struct UnionLoss {
    pub union: String,
    pub what: String,
}

/// Progress of the search through one union.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

impl Lowering {
    /// Removes variants through which a union would be its own variant, without a type in between, and discriminators of
    /// variants without fields, and returns what was removed. A union without other variants gets one for any value.
    pub fn repair_unions(&mut self) -> Vec<UnionLoss> {
        let mut losses = Vec::new();
        for (at, variant) in closing_variants(&self.items) {
            let Some((union, name)) = self.items.get_mut(at).and_then(union_mut) else { continue };
            let what = format!("the alternative `{variant}` is left out: it leads back to the schema itself");
            losses.push(UnionLoss { union: name, what });
            union.variants.0.retain(|(key, _)| key.text != variant);
            if union.variants.is_empty() {
                let value = VariantDef { ty: TypeExpr::named("any"), ..VariantDef::default() };
                union.discriminator = None;
                union.variants.push("value", Variant(value));
            }
        }
        losses.extend(self.remove_discriminators());
        losses
    }

    /// Removes the discriminators of unions with a variant that is neither a resource nor a union with a discriminator.
    fn remove_discriminators(&mut self) -> Vec<UnionLoss> {
        let mut tagged: BTreeSet<String> =
            self.items.iter().filter(|item| has_tag(item)).map(|item| item.name.clone()).collect();
        let mut losses = Vec::new();
        let mut known = 0;
        // A union that loses its discriminator is no variant of another one with a discriminator.
        while std::mem::replace(&mut known, tagged.len()) != tagged.len() {
            for (union, name) in self.items.iter_mut().filter_map(union_mut) {
                let is_tagged = |(_, variant): &(_, Variant)| variant.0.ty.name().is_some_and(|ty| tagged.contains(ty));
                if union.discriminator.is_none() || union.variants.0.iter().all(is_tagged) {
                    continue;
                }
                tagged.remove(&name);
                union.discriminator = None;
                let mut types = Vec::new();
                union.variants.0.retain(|(_, Variant(variant))| {
                    let is_new = !types.contains(&(variant.ty.clone(), variant.encoding));
                    types.push((variant.ty.clone(), variant.encoding));
                    is_new
                });
                let what = "the discriminator is left out: a variant is not an object with known members".to_owned();
                losses.push(UnionLoss { union: name, what });
            }
        }
        losses
    }
}

/// Returns whether values of a definition have a field that can select a variant.
fn has_tag(item: &Item) -> bool {
    match &item.definition {
        Definition::Resource(_) => true,
        Definition::Union(union) => union.discriminator.is_some(),
        Definition::Enum(_) | Definition::Operation(_) => false,
    }
}

/// Returns the definition and the name of an item, if it is a union.
fn union_mut(item: &mut Item) -> Option<(&mut Union, String)> {
    match &mut item.definition {
        Definition::Union(union) => Some((union, item.name.clone())),
        _ => None,
    }
}

/// Returns the variants that lead back to a union that is being searched, with the index of the union that has them.
fn closing_variants(items: &[Item]) -> Vec<(usize, String)> {
    let unions = items.iter().enumerate().filter(|(_, item)| matches!(item.definition, Definition::Union(_)));
    let by_name: BTreeMap<&str, usize> = unions.map(|(at, item)| (item.name.as_str(), at)).collect();
    let variants = |at: usize| match items.get(at).map(|item| &item.definition) {
        Some(Definition::Union(union)) => union.variants.0.as_slice(),
        _ => &[],
    };
    let mut states = vec![State::New; items.len()];
    let mut closing = Vec::new();
    for &first in by_name.values() {
        // Without recursion, because a document can have a chain of thousands of unions.
        let mut open = if states[first] == State::New { vec![(first, 0)] } else { Vec::new() };
        while let Some((at, next)) = open.last_mut() {
            let at = *at;
            states[at] = State::Open;
            let Some((key, variant)) = variants(at).get(*next) else {
                states[at] = State::Done;
                open.pop();
                continue;
            };
            *next += 1;
            let inner = variant.0.ty.name().and_then(|name| by_name.get(name));
            match inner.map(|inner| (*inner, states[*inner])) {
                Some((inner, State::New)) => open.push((inner, 0)),
                Some((_, State::Open)) => closing.push((at, key.text.clone())),
                Some((_, State::Done)) | None => {}
            }
        }
    }
    closing
}
