//! Verification of the references of resources and enums.

use super::references::Audit;
use crate::model::{EnumId, Field, Required, Resource};

impl Audit<'_> {
    /// Checks the names of a resource, the indices of its facts, and its fields.
    pub(super) fn resource(&mut self, resource: &Resource) {
        self.ident(&resource.name.ident, "resource");
        resource.patch.iter().for_each(|patch| self.ident(patch, "patch"));
        resource.fields.iter().for_each(|field| self.field(resource, field));
        resource.rules.iter().for_each(|rule| self.operations(&rule.operations));
        let outcome = resource.outcome.iter().flat_map(|it| [it.done, it.success, it.failure]);
        let work = resource
            .long_running
            .iter()
            .flat_map(|it| [Some(it.name), Some(it.done), it.response, it.error, it.metadata].into_iter().flatten());
        let states = resource.states.iter().map(|states| states.field);
        let indices: Vec<usize> = outcome.chain(work).chain(states).collect();
        indices.into_iter().for_each(|index| self.check_own_index("field", index, resource.fields.len()));
        for states in &resource.states {
            let Some(definition) = self.api.enums.get(states.states.0) else {
                self.check_api_index("enum", states.states.0, self.api.enums.len());
                continue;
            };
            let ends = states.transitions.iter().flat_map(|step| step.from.into_iter().chain([step.to]));
            for index in ends.chain(states.initial) {
                self.check_own_index(&format!("state of `{}`", definition.name.wire), index, definition.values.len());
            }
        }
    }

    /// Checks the types, literals and operations that a field refers to.
    fn field(&mut self, resource: &Resource, field: &Field) {
        self.name(&field.name, "field");
        self.ty(&field.ty);
        field.default.iter().chain(&field.example).for_each(|literal| self.literal(literal));
        self.constraints(&field.constraints);
        self.operations(&field.ignored.operations);
        if let Some(unless) = &field.ignored.unless {
            self.check_own_index("field", unless.field, resource.fields.len());
            self.literal(&unless.value);
        }
        if let Required::In(operations) = &field.behavior.required {
            self.operations(operations);
        }
        let except = field.behavior.output_only.iter().flat_map(|only| &only.except);
        self.operations(except.chain(field.constrained.iter().flatten()));
    }

    /// Checks the names of an enum and its values, and the indices that refer to them.
    pub(super) fn enumeration(&mut self, id: EnumId) {
        let definition = self.api.enumeration(id);
        self.ident(&definition.name.ident, "enum");
        definition.values.iter().for_each(|value| self.name(&value.name, "value"));
        definition.default.iter().for_each(|index| self.check_own_index("value", *index, definition.values.len()));
        definition.wire_type.iter().for_each(|number| self.ty(number));
        definition.duplicate_of.iter().for_each(|same| self.check_api_index("enum", same.0, self.api.enums.len()));
    }
}
