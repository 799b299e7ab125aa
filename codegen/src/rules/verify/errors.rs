//! Verification of the paths through the error body.

use super::references::{Audit, resource};
use crate::model::{ErrorField, ResourceId, Type};

impl Audit<'_> {
    pub(super) fn error_fields(&mut self) {
        let api = self.api;
        let Some(body) = api.error_body else { return };
        let named_fields = api.error_fields.by_key().into_iter().filter_map(|(key, member)| Some((key, member?)));
        let kinds = api.error_fields.constants.iter().map(|(member, _)| ("kinds", member));
        for (key, member) in named_fields.chain(kinds) {
            self.error_member(body, key, member);
        }
    }

    fn error_member(&mut self, body: ResourceId, key: &str, member: &ErrorField) {
        for step in member.lists.iter().chain(&member.required) {
            self.check_own_index(&format!("step of the error member `{key}`"), *step, member.path.len());
        }
        let mut at = Some(Type::Resource(body));
        for name in &member.path {
            let held = at.and_then(|ty| resource(self.api, ty.innermost_type()));
            let field = held.and_then(|held| held.named_fields().iter().find(|field| field.name.wire == *name));
            let Some(field) = field else {
                return self
                    .report(format!("has no member `{}` in errors, which is their `{key}`", member.path.join(".")));
            };
            at = Some(field.ty.clone());
        }
    }
}
