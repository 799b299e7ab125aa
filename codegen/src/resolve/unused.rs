//! Lints for definitions that nothing refers to.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{EnumId, ResourceId, TypeId, UnionId};
use crate::schema::read::Located;

impl Tables<'_> {
    /// Warns of definitions that nothing refers to.
    pub fn check_unused(&self, sink: &mut Sink) {
        if self.has_all_types {
            self.check_unused_types(sink);
        }
        if self.has_all_sets {
            self.check_unused_sets(sink);
        }
    }

    fn check_unused_types(&self, sink: &mut Sink) {
        let flagged = |flag: Option<Located<bool>>| flag.is_some_and(|flag| flag.value);
        let resources = self.resources.iter().enumerate().map(|(index, definition)| {
            (TypeId::Resource(ResourceId(index)), definition.key, flagged(definition.def.external))
        });
        let enums =
            self.enums.iter().enumerate().map(|(index, definition)| {
                (TypeId::Enum(EnumId(index)), definition.key, flagged(definition.def.external))
            });
        let unions = self.unions.iter().enumerate().map(|(index, definition)| {
            (TypeId::Union(UnionId(index)), definition.key, flagged(definition.def.external))
        });
        for (id, key, external) in resources.chain(enums).chain(unions) {
            if !external && !self.used.contains(&id) {
                sink.report(Code::Unused, key.span, format!("unused type `{}`", key.text))
                    .help("remove it, or add `external: true`");
            }
        }
    }

    fn check_unused_sets(&self, sink: &mut Sink) {
        for name in self.set_names.iter().copied() {
            if !self.used_sets.contains(&name.text) {
                sink.report(Code::Unused, name.span, format!("unused parameter set `{}`", name.text))
                    .help("remove it, or list it under `parameters:` or `standard_parameters:`");
            }
        }
    }
}
