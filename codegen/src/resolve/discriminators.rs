//! Discriminators of unions: the field of each variant that has its name.

use super::tables::Tables;
use crate::diagnostics::{Code, Sink};
use crate::model::{EnumId, Field, Literal, Number, Resource, TagKind, Type, UnionId, Variant};
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
        self.check_discriminator(wire, found, false, sink);
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
                        found.iter().for_each(|field| self.check_discriminator(wire, field, true, sink));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns the kind of the values of a discriminator, which all variants that declare it share.
    pub fn tag_kind(&self, member: &Text, variants: &[Variant], resources: &[Resource], sink: &mut Sink) -> TagKind {
        let declared = variants.iter().filter_map(|variant| {
            let Type::Resource(id) = variant.ty else { return None };
            let field = resources.get(id.0)?.named_fields().get(variant.discriminator?)?;
            Some((&variant.name.wire, field, self.kind_of_tag(&field.ty)?))
        });
        let mut declared = declared.peekable();
        let kind = declared.peek().map(|(.., kind)| *kind).unwrap_or_default();
        let is_value = |kind: TagKind, name: &str| match kind {
            TagKind::Text => true,
            TagKind::Integer => name.parse::<i64>().is_ok_and(|value| value.to_string() == name),
            TagKind::Bool => matches!(name, "true" | "false"),
        };
        // A name that the field cannot have was reported.
        let is_other = |(name, _, other): &(&String, &Field, TagKind)| *other != kind && is_value(*other, name);
        for (name, field, _) in declared.filter(is_other) {
            let message = format!("the discriminator has another type in `{name}` than in other variants");
            sink.report(Code::BadUnion, field.span, message)
                .related(member.span, "the discriminator is declared here")
                .help("declare the field with the same type in each variant");
        }
        // That of a variant that declares the field was checked with the field.
        for variant in
            variants.iter().filter(|variant| variant.discriminator.is_none() && !is_value(kind, &variant.name.wire))
        {
            let message = format!("`{}` is not a value of the discriminator", variant.name.wire.escape_debug());
            sink.report(Code::BadUnion, member.span, message)
                .help("rename the variant to a value of the type that the field has in other variants");
        }
        kind
    }

    /// Returns whether no discriminator has the values of an enum: numbers with fractions, and values of several kinds;
    /// in a nested union also integers.
    fn is_other_enum(&self, id: EnumId, is_nested: bool) -> bool {
        match self.enums[id.0].def.ty.as_ref().map(|ty| ty.value) {
            None | Some(EnumType::String) => false,
            Some(EnumType::Double | EnumType::Any) => true,
            Some(_) => is_nested,
        }
    }

    /// Returns the kind of the values of a field that is a discriminator.
    fn kind_of_tag(&self, ty: &Type) -> Option<TagKind> {
        match ty {
            Type::Unresolved => None,
            Type::Bool => Some(TagKind::Bool),
            Type::Enum(id) => match self.enums[id.0].def.ty.as_ref().map(|ty| ty.value) {
                None | Some(EnumType::String) => Some(TagKind::Text),
                Some(_) => Some(TagKind::Integer),
            },
            ty if is_plain_integer(ty) => Some(TagKind::Integer),
            _ => Some(TagKind::Text),
        }
    }

    /// Checks that a resource's own discriminator field can hold the name of the variant. In a nested union the
    /// discriminators around it are strings.
    fn check_discriminator(&self, wire: &Text, field: &Field, is_nested: bool, sink: &mut Sink) {
        let problem = match (&field.ty, &field.constraints.constant) {
            _ if field.nullable => Some("cannot be the value of that member, which can be null there".to_owned()),
            (Type::String, None) | (Type::Unresolved, _) => None,
            (Type::String, Some(Literal::Text(constant))) => {
                (*constant != wire.text).then(|| format!("is always `{constant}` there"))
            }
            (Type::Enum(id), _) if self.is_other_enum(*id, is_nested) => {
                Some("is not a value of the discriminator, which is a number in this variant".to_owned())
            }
            (Type::Bool, constant) if !is_nested => {
                let is_it = |literal: &Literal| *literal == Literal::Bool(wire.text == "true");
                let fits = matches!(wire.text.as_str(), "true" | "false") && constant.as_ref().is_none_or(is_it);
                (!fits).then(|| "is not a value of the discriminator, which is a boolean in this variant".to_owned())
            }
            (ty, constant) if !is_nested && is_plain_integer(ty) => {
                let value = wire.text.parse::<i128>().ok().filter(|value| value.to_string() == wire.text);
                let (low, high) = ty.integer_range().unwrap_or_default();
                let fits = value.is_some_and(|value| {
                    let is_it = |literal: &Literal| *literal == Literal::Number(Number::Int(value));
                    // The runtime compares and writes them as such.
                    i64::try_from(value).is_ok() && (low..=high).contains(&value) && constant.as_ref().is_none_or(is_it)
                });
                (!fits).then(|| "is not a value of the discriminator, which is an integer in this variant".to_owned())
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

/// Returns whether values of a type are integers in JSON.
fn is_plain_integer(ty: &Type) -> bool {
    ty.integer_range().is_some() && ty.wrapper().is_none()
}

fn resources_index(field: &Field, ty: &Type, resources: &[Resource]) -> Option<usize> {
    let Type::Resource(id) = ty else { return None };
    resources.get(id.0)?.named_fields().iter().position(|other| other.name.wire == field.name.wire)
}
