//! Verification of the paths through the error body.

use super::references::{Audit, resource};
use crate::model::{ErrorMember, ResourceId, Type};

impl Audit<'_> {
    pub(super) fn error_members(&mut self) {
        let api = self.api;
        let Some(body) = api.error_body else { return };
        let named = api.error_members.by_key().into_iter().filter_map(|(key, member)| Some((key, member?)));
        let kinds = api.error_members.kinds.iter().map(|(member, _)| ("kinds", member));
        for (key, member) in named.chain(kinds) {
            self.error_member(body, key, member);
        }
    }

    fn error_member(&mut self, body: ResourceId, key: &str, member: &ErrorMember) {
        for step in member.lists.iter().chain(&member.required) {
            self.own(&format!("step of the error member `{key}`"), *step, member.path.len());
        }
        let mut at = Some(Type::Resource(body));
        for name in &member.path {
            let held = at.and_then(|ty| resource(self.api, ty.innermost()));
            let field = held.and_then(|held| held.named().iter().find(|field| field.name.wire == *name));
            let Some(field) = field else {
                return self
                    .report(format!("has no member `{}` in errors, which is their `{key}`", member.path.join(".")));
            };
            at = Some(field.ty.clone());
        }
    }
}
