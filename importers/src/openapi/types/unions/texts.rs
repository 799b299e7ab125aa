//! Alternatives that are not types but lists of texts.

use std::collections::BTreeSet;

use super::Alternatives;
use wireform_codegen::schema::EnumValue;

use crate::lowering::{deprecated, text};
use crate::node::Node;
use crate::openapi::enums::{self, ListedValue};
use crate::openapi::importer::Importer;
use crate::openapi::view::{Description, Kind, expanded};

/// Returns the values of alternatives that are lists of texts or integers, or the alternative that accepts all of them.
pub fn texts<'d>(importer: &Importer<'d>, list: &[Node<'d>]) -> Option<Alternatives<'d>> {
    let mut found: Vec<ListedValue<'d>> = Vec::new();
    // Kinds of the alternatives: true for integers.
    let mut kinds = BTreeSet::new();
    let mut free = None;
    for node in list {
        let one = expanded(&importer.root, std::slice::from_ref(node));
        let Some(values) = enums::listed_values(&one) else {
            let limits = match one.kind() {
                Some(Kind::Text) => ["format", "pattern", "minLength", "maxLength"].as_slice(),
                Some(Kind::Integer) => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
                _ => return None,
            };
            kinds.insert(one.kind() == Some(Kind::Integer));
            let is_free = one.alternatives.is_empty() && limits.iter().all(|key| one.first(key).is_none());
            if is_free && one.values.is_none() {
                free.get_or_insert_with(|| node.clone());
                continue;
            }
            return None;
        };
        let doc = one.description();
        let is_deprecated = one.flag("deprecated");
        let alone = values.len() == 1;
        for value in values {
            if found.iter().all(|known| known.wire != value.wire) {
                let own = value.details.doc.clone();
                let doc = own.or_else(|| text(doc.as_ref().filter(|_| alone).and_then(Description::text)));
                let deprecated = deprecated(is_deprecated);
                found.push(ListedValue { details: EnumValue { doc, deprecated, ..value.details }, ..value });
            }
        }
    }
    kinds.extend(found.iter().map(|one| one.number.is_some()));
    let numbers: BTreeSet<_> = found.iter().filter_map(|one| one.number).collect();
    // An enum contains values of one kind.
    let is_one = !found.is_empty() && kinds.len() == 1 && numbers.len() <= 1;
    is_one.then(|| free.map_or(Alternatives::Texts(found), Alternatives::Free))
}
