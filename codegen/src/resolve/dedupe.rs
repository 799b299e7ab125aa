//! Deduplication of enums. Documents often repeat the values of an enum wherever they are used. An import then
//! creates as many enums, and a value for a parameter would not fit the same parameter of another operation.

use std::collections::{BTreeSet, HashMap};

use crate::model::{Api, EnumId, Type, TypeId};

/// Links each enum to the first one with the same values, if both have the same feature gate and are the type of only
/// fields and parameters of one name. Enums that happen to list the same words for different things stay distinct.
pub fn mark_duplicates(api: &mut Api) {
    let roles = roles(api);
    let mut firsts: HashMap<&str, Vec<EnumId>> = HashMap::new();
    let mut found = Vec::new();
    for (index, of) in roles.iter().enumerate() {
        let (Some(Some(role)), 1) = (of.first(), of.len()) else { continue };
        let id = EnumId(index);
        let firsts = firsts.entry(role).or_default();
        match firsts.iter().find(|first| are_duplicates(api, **first, id)) {
            Some(first) => found.push((id, *first)),
            None => firsts.push(id),
        }
    }
    for (id, first) in found {
        api.enums[id.0].duplicate_of = Some(first);
    }
}

/// Returns, for each enum, the names of the fields and parameters that have it as their type; `None` stands for any
/// other use.
fn roles(api: &Api) -> Vec<BTreeSet<Option<&str>>> {
    let fields = api.resources.iter().flat_map(|resource| &resource.fields);
    let fields = fields.map(|field| (Some(field.name.wire.as_str()).filter(|_| !field.is_rest), &field.ty));
    let parameters = api.operations.iter().flat_map(|operation| &operation.parameters).chain(&api.standard_parameters);
    let parameters = parameters.map(|parameter| (Some(parameter.name.wire.as_str()), &parameter.ty));
    let variants = api.unions.iter().flat_map(|union| &union.variants).map(|variant| (None, &variant.ty));
    let mut roles = vec![BTreeSet::new(); api.enums.len()];
    for (role, ty) in fields.chain(parameters).chain(variants) {
        if let Type::Enum(id) = ty.innermost_type() {
            roles[id.0].insert(role);
        }
    }
    roles
}

fn are_duplicates(api: &Api, one: EnumId, other: EnumId) -> bool {
    let gate = |id: EnumId| api.type_gate(&TypeId::Enum(id));
    api.enumeration(one).is_duplicate(api.enumeration(other)) && gate(one) == gate(other)
}
