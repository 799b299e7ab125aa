//! Names of operations: their groups, and their names within them.

use std::collections::{BTreeMap, BTreeSet};

use heck::ToSnakeCase as _;
use wireform_codegen::resolve::names::Casing;

use super::{FoundOperation, METHODS, name_characters};
use crate::names::{self, NameScope};

/// Assigns a unique name to every operation.
pub fn name(found: &mut [FoundOperation<'_>], is_own: bool) {
    // Names from ids take precedence over those derived from paths.
    let mut taken: BTreeMap<String, NameScope> = BTreeMap::new();
    let mut groups: BTreeSet<String> = BTreeSet::new();
    let mut services: BTreeSet<String> = BTreeSet::new();
    let mut requests: BTreeSet<String> = BTreeSet::new();
    for one in found.iter_mut() {
        let (wanted, own) = preferred_name(one, is_own);
        let mut group = String::new();
        let mut segments: Vec<String> = Vec::new();
        for piece in wanted {
            if !groups.contains(&format!("{group}.{}", names::kebab(&piece))) {
                let names = taken.entry(group.clone()).or_insert_with(reserved);
                let mut own = reserve_name(names, &piece);
                // `a.b` and `a_b` would be the same service.
                while !services.insert(joined_rust_name(&segments, &own)) {
                    own = reserve_name(names, &format!("{own}_2"));
                }
                groups.insert(format!("{group}.{}", names::kebab(&own)));
                segments.push(own);
            } else {
                segments.push(piece);
            }
            group = format!("{group}.{}", segments.last().map(|last| names::kebab(last)).unwrap_or_default());
        }
        let names = taken.entry(group).or_insert_with(reserved);
        let mut method = reserve_name(names, &own);
        while !requests.insert(joined_rust_name(&segments, &method)) {
            // `a.b` and `aB` would be the same request type.
            method = reserve_name(names, &format!("{method}_2"));
        }
        segments.push(method);
        one.name = segments.join(".");
        let id = one.node.text_if("operationId").unwrap_or_default().trim();
        let is_kept = one.name.rsplit('.').next().is_some_and(|name| {
            let separators = [".", "/", "_"].into_iter();
            id == name || separators.into_iter().any(|separator| id.ends_with(&[separator, name].concat()))
        });
        if !id.is_empty() && !is_kept {
            one.node.note(format!("renamed to `{}`: its name is invalid, reserved or already used", one.name));
        }
    }
}

/// Returns the Rust name of `own` in these groups.
fn joined_rust_name(groups: &[String], own: &str) -> String {
    groups.iter().map(String::as_str).chain([own]).map(names::pascal).collect()
}

/// Returns the names that no operation can have.
fn reserved() -> NameScope {
    NameScope::with(&["into", "try_into", "new", "fake", "builder", "runtime", "ungrouped"])
}

/// Returns the wanted name with only permitted characters, or a variation of it that is not taken, and reserves it.
fn reserve_name(names: &mut NameScope, wanted: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let text: String = wanted.chars().map(plain).take(100).collect();
    let text = if names::rust_name(&text, Casing::Member).is_some() { text } else { "unnamed".to_owned() };
    names.reserve_free(&text, Casing::Member, names::ident).unwrap_or(text)
}

/// Returns the preferred groups and name of an operation, independent of other operations.
fn preferred_name(one: &FoundOperation<'_>, is_own: bool) -> (Vec<String>, String) {
    let id =
        one.node.text("operationId").map(str::trim).filter(|id| id.bytes().any(|byte| byte.is_ascii_alphanumeric()));
    let tag = one.node.texts("tags").into_iter().next();
    let tag = tag.map(|tag| name_characters(tag).to_snake_case()).filter(|tag| !tag.is_empty());
    if let Some(id) = id {
        let segments: Vec<&str> = id.split(['.', '/']).collect();
        let is_name = |piece: &&str| {
            let starts = piece.starts_with(|c: char| c.is_ascii_alphabetic() || is_own && c.is_ascii_digit());
            starts && self::name_characters(piece) == **piece
        };
        if segments.len() > 1 && segments.len() <= 6 && segments.iter().all(is_name) {
            let mut segments: Vec<String> = segments.into_iter().map(str::to_owned).collect();
            let own = segments.pop().unwrap_or_default();
            return (segments, own);
        }
        if let Some((group, own)) = group_and_operation(id).filter(|_| !is_own) {
            return (vec![group], own);
        }
    }
    let own = id.map_or_else(
        || format!("{}_{}", one.method.to_ascii_lowercase(), name_characters(one.path).to_snake_case()),
        name_characters,
    );
    let own = if id.is_none() { own.trim_end_matches('_').to_owned() } else { own };
    (tag.into_iter().collect(), own)
}

/// Returns the group and the name of an id such as `Notes_listAll`.
fn group_and_operation(id: &str) -> Option<(String, String)> {
    let (group, own) = id.split_once('_')?;
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_noun =
        group.starts_with(|c: char| c.is_ascii_uppercase()) && !METHODS.contains(&group.to_ascii_lowercase().as_str());
    let fits = is_noun && is_word(group) && is_word(own) && own.starts_with(|c: char| c.is_ascii_alphabetic());
    fits.then(|| (group.to_snake_case(), own.to_owned()))
}
