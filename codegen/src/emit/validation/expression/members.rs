//! Fields, parameters and literals.

use proc_macro2::{Ident, Literal as Lit, TokenStream};
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation, number};
use super::optional::{Optional, deref_value, field_option, nullable_field_option, patch_field_option, scalar};
use crate::emit::rust::{ident, suffixed};
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Path, Read, Root};
use crate::model::{self, BodyMode, Field, Parameter, Type};

impl<'a> ConditionEmitter<'a> {
    /// Returns the code bound to a path.
    pub fn find(&self, path: &Path) -> Option<&Code> {
        self.bound.iter().rev().find(|(known, _)| known == path).map(|(_, code)| code)
    }

    /// Emits a root of paths: `this`, `old`, `new`, or the body of the request.
    pub fn root(&mut self, root: Root) -> Code {
        match root {
            Root::This => Code::atom(quote!(this), Representation::Ref),
            Root::Old => Code::atom(quote!(old), Representation::Ref),
            Root::New => Code::atom(quote!(new), Representation::Ref),
            Root::Body => match self.operation.and_then(|operation| operation.body.as_ref()) {
                Some(body) if !body.required => {
                    let tokens = quote!(cel::require(request.body.as_ref())?);
                    Code::atom(tokens, Representation::Ref).with_faults(Faults::Absent)
                }
                Some(body) if body.mode == BodyMode::Whole => deref_value(&body.ty, quote!(request.body), false),
                _ => Code::atom(quote!(request.body), Representation::Place),
            },
        }
    }

    /// Returns the field of an access, and whether its object is a merge patch.
    fn field(&self, expr: &Expr) -> Option<(&'a Field, bool)> {
        let ExprKind::Member { of, field, .. } = &expr.kind else { return None };
        match of.ty {
            CelType::Resource(id) => Some((self.rust.api.resource(id).field(*field), false)),
            CelType::Patch(id) => Some((self.rust.api.resource(id).field(*field), true)),
            _ => None,
        }
    }

    /// Returns the parameter that an expression reads; `None` for other expressions.
    fn parameter(&self, expr: &Expr) -> Option<&'a Parameter> {
        let ExprKind::Parameter(index, _) = expr.kind else { return None };
        Some(self.operation?.parameter(index))
    }

    /// Returns whether a field or parameter is a list or map that is always present, though it may be empty: not a map
    /// with explicit presence.
    pub fn is_collection(&self, expr: &Expr) -> bool {
        match (self.field(expr), self.parameter(expr)) {
            (Some((field, true)), _) => field.ty.is_collection(),
            (Some((field, false)), _) => {
                field.ty.is_collection() && !(field.explicit_presence && matches!(field.ty, Type::Map(_)))
            }
            (_, Some(parameter)) => parameter.ty.is_collection(),
            _ => false,
        }
    }

    /// Returns a new name for a field.
    pub fn member_name(&mut self, expr: &Expr) -> Ident {
        let name = match (self.field(expr), self.parameter(expr)) {
            (Some((field, _)), _) => field.name.ident.clone(),
            (_, Some(parameter)) => parameter.name.ident.clone(),
            _ => "value".to_owned(),
        };
        let parent = match &expr.kind {
            ExprKind::Member { of, .. } => self.field(of).map(|(field, _)| field.name.stem.clone()),
            _ => None,
        };
        let contexts: Vec<String> = root_word(expr).into_iter().chain(parent).collect();
        self.name(&name, &contexts)
    }

    /// Returns a field that may be absent, as an option.
    pub fn option(&mut self, expr: &Expr) -> Optional<'a> {
        if let Some(parameter) = self.parameter(expr) {
            let member = ident(&parameter.name.ident);
            return field_option(&parameter.ty, quote!(request.#member), false, false, Faults::None);
        }
        let (Some((field, in_patch)), ExprKind::Member { of, .. }) = (self.field(expr), &expr.kind) else {
            return field_option(&Type::Any, unreachable_placeholder().tokens, false, false, Faults::None);
        };
        let base = self.base(of);
        let (member, receiver) = (ident(&field.name.ident), base.receiver());
        let place = quote!(#receiver.#member);
        if in_patch {
            patch_field_option(field, &place, base.faults)
        } else if field.nullable {
            nullable_field_option(&field.ty, place, base.faults)
        } else {
            field_option(&field.ty, place, field.boxed, field.explicit_presence, base.faults)
        }
    }

    /// Returns the object of a field access.
    fn base(&mut self, of: &Expr) -> Code {
        match Path::of(of).and_then(|path| self.find(&path).cloned()) {
            Some(known) => known,
            None => self.value(of),
        }
    }

    /// Returns a field that is read.
    pub fn member(&mut self, expr: &Expr) -> Code {
        if let Some(known) = Path::of(expr).and_then(|path| self.find(&path)) {
            return known.clone();
        }
        let (of, read) = match &expr.kind {
            ExprKind::Member { of, read, .. } => (&**of, *read),
            ExprKind::Parameter(_, read) => (expr, *read),
            _ => (expr, Read::Required),
        };
        match (read, self.field(expr), self.parameter(expr)) {
            (Read::Plain, _, Some(parameter)) if parameter.default.is_some() && !parameter.required => {
                let method = suffixed(&parameter.name, "_or_default");
                Code::atom(quote!(request.#method()), Representation::Ref)
            }
            (Read::Plain, _, Some(parameter)) => {
                let member = ident(&parameter.name.ident);
                deref_value(&parameter.ty, quote!(request.#member), false)
            }
            (Read::Plain, Some((field, in_patch)), _) => self.collection(of, field, in_patch),
            (Read::Default, _, Some(parameter)) => self.parameter_or_default(parameter),
            (Read::Default, Some((field, _)), _) => self.field_or_default(of, field),
            _ => {
                let option = self.option(expr);
                option.required()
            }
        }
    }

    /// Returns a list or a map.
    fn collection(&mut self, of: &Expr, field: &Field, in_patch: bool) -> Code {
        let base = self.base(of);
        let (receiver, member) = (base.receiver(), ident(&field.name.ident));
        let code = if in_patch {
            Code::atom(quote!(cel::patched_items(&#receiver.#member)), Representation::Ref)
        } else if field.default.is_some() {
            let method = suffixed(&field.name, "_or_default");
            Code::atom(quote!(#receiver.#method()), Representation::Ref)
        } else if field.explicit_presence {
            Code::atom(quote!(#receiver.#member.as_deref().unwrap_or_default()), Representation::Ref)
        } else {
            Code::atom(quote!(#receiver.#member), Representation::Place)
        };
        code.with_faults(base.faults)
    }

    /// Returns a field with a default: `this.status_or_default()`.
    fn field_or_default(&mut self, of: &Expr, field: &Field) -> Code {
        let base = self.base(of);
        let (receiver, method) = (base.receiver(), suffixed(&field.name, "_or_default"));
        let tokens = quote!(#receiver.#method());
        let code = match field.ty {
            Type::String => Code::atom(tokens, Representation::Str),
            Type::Enum(_) => Code::atom(tokens, Representation::Ref),
            ref ty => scalar(ty, tokens),
        };
        code.with_faults(base.faults)
    }

    /// Returns a parameter with its default, for which requests have no accessors.
    fn parameter_or_default(&self, parameter: &Parameter) -> Code {
        let member = ident(&parameter.name.ident);
        match (&parameter.default, &parameter.ty) {
            (Some(model::Literal::Bool(value)), _) => scalar(&parameter.ty, quote!(request.#member.unwrap_or(#value))),
            (Some(model::Literal::Number(model::Number::Decimal(value))), ty) => {
                let value = Lit::f64_unsuffixed(value.nearest());
                let read = scalar(ty, quote!(value)).tokens;
                Code::atom(quote!(request.#member.as_ref().map_or(#value, |value| #read)), Representation::Value)
            }
            (Some(model::Literal::Number(value)), ty) => {
                let value = crate::emit::rust::number(*value);
                let value = match ty.wrapper().map(ident) {
                    Some(wrapper) => self.rust.runtime(&quote!(#wrapper(#value))),
                    None => value,
                };
                scalar(ty, quote!(request.#member.unwrap_or(#value)))
            }
            (Some(model::Literal::Text(text)), _) => {
                Code::atom(quote!(request.#member.as_deref().unwrap_or(#text)), Representation::Str)
            }
            (Some(model::Literal::Enum(id, index)), _) => {
                let variant = self.variant(*id, *index);
                Code::atom(quote!(request.#member.as_ref().unwrap_or(&#variant)), Representation::Ref)
            }
            // `rules::verify` rejects reads of a missing default.
            (None | Some(model::Literal::Json(_)), _) => unreachable_placeholder(),
        }
    }

    /// Emits the path of an enum's variant: `types::Status::Confirmed`.
    fn variant(&self, id: model::EnumId, index: usize) -> TokenStream {
        let ty = self.rust.ty(&Type::Enum(id));
        let name = ident(&self.rust.api.enumeration(id).value(index).name.ident);
        quote!(#ty::#name)
    }

    /// Returns a literal.
    pub fn literal(&mut self, value: &Literal) -> Code {
        match value {
            Literal::Bool(value) => Code::constant(*value),
            Literal::Int(value) => whole_number(i128::from(*value)),
            Literal::Uint(value) => whole_number(i128::from(*value)),
            Literal::Double(value) => {
                let digits = Lit::f64_unsuffixed(value.abs());
                let level = if value.is_sign_negative() { Precedence::Unary } else { Precedence::Atom };
                let tokens = if value.is_sign_negative() { quote!(-#digits) } else { quote!(#digits) };
                Code::atom(tokens, Representation::Value).with_precedence(level)
            }
            Literal::String(value) => Code::atom(quote!(#value), Representation::Str),
            Literal::Bytes(value) => {
                let bytes = Lit::byte_string(value);
                Code::atom(quote!(#bytes.as_slice()), Representation::Str)
            }
            // Element of a list of nulls, of which only the length is compared. Equalities handle other nulls, and
            // `rules::verify` rejects all others.
            Literal::Null => Code::atom(quote!(()), Representation::Value),
            Literal::Enum(id, index) => Code::atom(self.variant(*id, *index), Representation::Place),
            Literal::Timestamp(text) => {
                Code::atom(quote!(cel::timestamp(#text)?), Representation::Value).with_faults(Faults::Any)
            }
            Literal::Date(year, month, day) => {
                let [year, month, day] = [*year, u16::from(*month), u16::from(*day)].map(Lit::u16_unsuffixed);
                Code::atom(quote!(cel::const_date(#year, #month, #day)), Representation::Value)
            }
            Literal::Duration(seconds, nanos) => {
                let (seconds, nanos) = (number(i128::from(*seconds), None), number(i128::from(*nanos), None));
                let ty = self.rust.runtime(&quote!(jiff::SignedDuration));
                Code::atom(quote!(#ty::new(#seconds, #nanos)), Representation::Value)
            }
        }
    }
}

fn whole_number(value: i128) -> Code {
    let level = if value < 0 { Precedence::Unary } else { Precedence::Atom };
    Code::atom(number(value, None), Representation::Number(value)).with_precedence(level)
}

/// Returns a word for the root of a field: stored, new, or the loop variable.
fn root_word(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Member { of, .. } => root_word(of),
        ExprKind::Root(Root::Old) => Some("old".to_owned()),
        ExprKind::Root(Root::Body | Root::New) => Some("new".to_owned()),
        ExprKind::Variable(variable) => Some(variable.name.to_lowercase()),
        _ => None,
    }
}

/// Returns a placeholder for something that `rules::verify` has reported; it does not compile.
pub(super) fn unreachable_placeholder() -> Code {
    Code::atom(quote!(::core::compile_error!("a condition that cannot be written")), Representation::Value)
}
