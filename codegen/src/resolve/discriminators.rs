//! Discriminators of unions: the field of each variant that has its name.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{Field, Literal, Resource, Type, UnionId};
use crate::schema::Text;
use crate::schema::enums::EnumType;
use crate::schema::union::VariantDef;

impl Tables<'_> {
    /// Returns the field of a variant that is the discriminator, or `None` if a nested union discriminates its own
    /// variants.
    pub fn discriminator_field(
        &mut self,
        member: &Text,
        (wire, variant): (&Text, &VariantDef),
        ty: &Type,
        resources: &[Resource],
        sink: &mut Sink,
    ) -> Option<usize> {
        if *ty == Type::Unresolved {
            return None;
        }
        if let Type::Union(inner) = ty
            && self.unions[inner.0].def.discriminator.is_some()
        {
            self.check_nested(*inner, (wire, member), resources, sink);
            return None;
        }
        let found = self.discriminated(member, variant, ty, resources, sink)?;
        self.check_discriminator(wire, found, sink);
        resources_index(found, ty, resources)
    }

    /// Returns the discriminator among the fields of a variant, if it is one of them.
    fn discriminated<'r>(
        &self,
        member: &Text,
        variant: &VariantDef,
        ty: &Type,
        resources: &'r [Resource],
        sink: &mut Sink,
    ) -> Option<&'r Field> {
        let resource = match ty {
            Type::Resource(id) => resources.get(id.0).filter(|resource| resource.outcome.is_none()),
            _ => None,
        };
        let Some(resource) = resource else {
            sink.report(
                Code::BadUnion,
                variant.ty.span(),
                format!("expected a resource as a variant of a union with the discriminator `{}`", member.text),
            )
            .related(member.span, "the discriminator is declared here")
            .help(
                "use a resource as variant, or remove `discriminator`: variants are then distinguished by their shape",
            );
            return None;
        };
        resource.named_fields().iter().find(|field| field.name.wire == member.text)
    }

    /// Checks that the resources of a nested union can hold the name of the variant in the discriminator.
    fn check_nested(&mut self, inner: UnionId, at: (&Text, &Text), resources: &[Resource], sink: &mut Sink) {
        let (wire, member) = at;
        let (mut open, mut seen) = (vec![inner], Vec::new());
        while let Some(id) = open.pop() {
            let def = self.unions[id.0].def;
            let is_same = def.discriminator.as_ref().is_some_and(|own| own.text == member.text);
            if seen.contains(&id) || is_same {
                continue;
            }
            seen.push(id);
            for (_, variant) in &def.variants.0 {
                // Errors of the type are reported where that union itself is resolved.
                match self.ty(&variant.0.ty, &mut Sink::default()) {
                    Some(Type::Union(id)) => open.push(id),
                    Some(Type::Resource(id)) => {
                        let fields = resources.get(id.0).map(Resource::named_fields).unwrap_or_default();
                        let found = fields.iter().find(|field| field.name.wire == member.text);
                        found.iter().for_each(|field| self.check_discriminator(wire, field, sink));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Checks that a resource's own discriminator field can hold the name of the variant.
    fn check_discriminator(&self, wire: &Text, field: &Field, sink: &mut Sink) {
        let problem = match (&field.ty, &field.constraints.constant) {
            _ if field.nullable => Some("cannot be the value of that member, which can be null there".to_owned()),
            (Type::String, None) | (Type::Unresolved, _) => None,
            (Type::String, Some(Literal::Text(constant))) => {
                (*constant != wire.text).then(|| format!("is always `{constant}` there"))
            }
            (Type::Enum(id), _) if self.enums[id.0].def.ty.is_some_and(|ty| ty.value != EnumType::String) => {
                Some("is not a value of the discriminator, which is a number in this variant".to_owned())
            }
            (Type::Enum(id), constant) => match (self.enum_value(*id, &wire.text), constant) {
                (None, _) => Some(format!(
                    "is not a value of `{}`, the type of the discriminator in this variant",
                    self.enums[id.0].key.text
                )),
                (Some(value), Some(Literal::Enum(_, constant))) if value != *constant => {
                    Some("is not the constant of the discriminator in this variant".to_owned())
                }
                _ => None,
            },
            _ => Some("is not a value of the discriminator, which is not a string in this variant".to_owned()),
        };
        if let Some(problem) = problem {
            sink.report(Code::BadUnion, wire.span, format!("`{}` {problem}", wire.text.escape_debug()))
                .related(field.span, "the discriminator of this variant")
                .help("rename the variant to a value of the field, or remove the field: the union reads and writes it");
        }
    }
}

fn resources_index(field: &Field, ty: &Type, resources: &[Resource]) -> Option<usize> {
    let Type::Resource(id) = ty else { return None };
    resources.get(id.0)?.named_fields().iter().position(|other| other.name.wire == field.name.wire)
}
