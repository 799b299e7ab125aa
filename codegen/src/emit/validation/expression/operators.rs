//! Comparisons, arithmetic, indexing.

use proc_macro2::TokenStream;
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation, number};
use crate::emit::validation::equality;
use crate::model::Type;
use crate::model::condition::{Arithmetic, CelType, Comparison, Expr, ExprKind, Literal};

fn is_null(expr: &Expr) -> bool {
    expr.kind == ExprKind::Literal(Literal::Null)
}

fn is_unsigned(ty: &CelType) -> bool {
    *ty == CelType::Uint
}

impl ConditionEmitter<'_> {
    /// Returns `a == b`, or `a != b`.
    pub fn equal(&mut self, a: &Expr, b: &Expr, truth: bool) -> Code {
        if is_null(a) || is_null(b) {
            let any = self.value(if is_null(a) { b } else { a });
            let (receiver, faults) = (any.receiver(), any.faults);
            let null = Code::bool(quote!(#receiver.is_null()), Precedence::Atom, faults);
            return if truth { null } else { null.not() };
        }
        if matches!(a.ty, CelType::List(_)) {
            return self.same_items(a, b, truth);
        }
        let (left, right) = (self.value(a), self.value(b));
        self.equal_codes(&a.ty, &left, &b.ty, &right, truth)
    }

    /// Returns the test whether two values are equal, or whether they differ.
    pub fn equal_codes(&self, a: &CelType, left: &Code, b: &CelType, right: &Code, truth: bool) -> Code {
        let faults = left.faults.max(right.faults);
        let sign = if truth { quote!(==) } else { quote!(!=) };
        let (one, other) = match (a, b) {
            (CelType::Int | CelType::Uint, _) => return numbers(None, (a, left), (b, right), truth),
            (CelType::Timestamp, _) => {
                let (one, other) = (&left.tokens, &right.tokens);
                let same = Code::bool(quote!(cel::eq_time(#one, #other)), Precedence::Atom, faults);
                return if truth { same } else { same.not() };
            }
            (CelType::Enum(_), CelType::String) => (self.enum_text(left), operand(right)),
            (CelType::String, CelType::Enum(_)) => (operand(left), self.enum_text(right)),
            (CelType::String, _) => texts(left, right),
            (CelType::Bytes, _) => (slice(left), slice(right)),
            (CelType::Resource(id), _) if equality::has_several_texts(self.rust.api, &Type::Resource(*id)) => {
                let (path, one, other) = (equality::path(self.rust.api, *id), left.reference(), right.reference());
                let same = Code::bool(quote!(#path(#one, #other)), Precedence::Atom, faults);
                return if truth { same } else { same.not() };
            }
            (CelType::Enum(_) | CelType::Resource(_) | CelType::Patch(_), _) => places(left, right),
            _ => (left.parenthesized(Precedence::Sum), right.parenthesized(Precedence::Sum)),
        };
        Code::bool(quote!(#one #sign #other), Precedence::Compare, faults)
    }

    /// Returns the text of an enum value.
    pub fn enum_text(&self, code: &Code) -> TokenStream {
        let (function, value) = (self.rust.runtime(&quote!(OpenEnum::as_str)), code.reference());
        quote!(#function(#value))
    }

    /// Returns `a < b` and the like, or the negation.
    pub fn compare(&mut self, comparison: Comparison, a: &Expr, b: &Expr, truth: bool) -> Code {
        let (left, right) = (self.value(a), self.value(b));
        let faults = left.faults.max(right.faults);
        let total = a.ty != CelType::Double && b.ty != CelType::Double;
        let (comparison, flipped) = if truth || !total { (comparison, !truth) } else { (comparison.negated(), false) };
        let code = match (&a.ty, &b.ty) {
            (CelType::Timestamp, _) => {
                let (one, other, method) = (&left.tokens, &right.tokens, method(comparison));
                let tokens = quote!(cel::compare_times(#one, #other)?.#method());
                Code::bool(tokens, Precedence::Atom, Faults::Any)
            }
            (one, other) if one.is_number() && one != other => {
                let (one, other) = (left.as_64_bit(is_unsigned(one)), right.as_64_bit(is_unsigned(other)));
                let method = method(comparison);
                let order = quote!(cel::compare(#one, #other));
                let tokens = quote!(#order.is_some_and(::std::cmp::Ordering::#method));
                Code::bool(tokens, Precedence::Atom, faults)
            }
            (CelType::Int | CelType::Uint, _) => numbers(Some(comparison), (&a.ty, &left), (&b.ty, &right), true),
            (ty, _) => {
                let (one, other) = match ty {
                    CelType::String => (operand(&left), operand(&right)),
                    CelType::Bytes => (slice(&left), slice(&right)),
                    _ => (left.parenthesized(Precedence::Sum), right.parenthesized(Precedence::Sum)),
                };
                let sign = comparison_operator(comparison);
                Code::bool(quote!(#one #sign #other), Precedence::Compare, faults)
            }
        };
        if flipped { code.not() } else { code }
    }

    pub fn emit_arithmetic(&mut self, sign: Arithmetic, a: &Expr, b: &Expr) -> Code {
        let (left, right) = (self.value(a), self.value(b));
        let faults = left.faults.max(right.faults);
        let cel = |name: TokenStream, one: TokenStream, other: TokenStream| {
            Code::atom(quote!(cel::#name(#one, #other)?), Representation::Value).with_faults(Faults::Any)
        };
        let (one, other) = (left.tokens.clone(), right.tokens.clone());
        match (&a.ty, &b.ty, sign) {
            (CelType::Double, ..) => self.float_arithmetic(sign, &left, &right).with_faults(faults),
            (CelType::String, ..) => {
                let (one, other) = (left.text(), right.text());
                let tokens = quote!(cel::concat(#one, #other));
                Code::atom(tokens, Representation::Owned).with_faults(faults)
            }
            (CelType::Timestamp, CelType::Timestamp, _) => cel(quote!(time_difference), one, other),
            (CelType::Timestamp, _, Arithmetic::Subtract) => cel(quote!(subtract_duration), one, other),
            (CelType::Timestamp, ..) => cel(quote!(add_duration), one, other),
            (CelType::Duration, CelType::Timestamp, _) => cel(quote!(add_duration), other, one),
            (CelType::Duration, _, Arithmetic::Subtract) => cel(quote!(subtract_durations), one, other),
            (CelType::Duration, ..) => cel(quote!(add_durations), one, other),
            (ty, ..) => {
                let name = match sign {
                    Arithmetic::Add => quote!(add),
                    Arithmetic::Subtract => quote!(subtract),
                    Arithmetic::Multiply => quote!(multiply),
                    Arithmetic::Divide => quote!(divide),
                    Arithmetic::Remainder => quote!(remainder),
                };
                cel(name, left.as_64_bit(is_unsigned(ty)), right.as_64_bit(is_unsigned(ty)))
            }
        }
    }

    fn float_arithmetic(&self, sign: Arithmetic, left: &Code, right: &Code) -> Code {
        let (level, sign) = match sign {
            Arithmetic::Add => (Precedence::Sum, quote!(+)),
            Arithmetic::Subtract => (Precedence::Sum, quote!(-)),
            Arithmetic::Multiply => (Precedence::Product, quote!(*)),
            _ => (Precedence::Product, quote!(/)),
        };
        // The right operand of `-` and `/` needs parentheses around an operator of the same precedence.
        let above = if level == Precedence::Sum { Precedence::Product } else { Precedence::Unary };
        let (one, other) = (left.parenthesized(level), right.parenthesized(above));
        Code::atom(quote!(#one #sign #other), Representation::Value).with_precedence(level)
    }

    pub fn emit_negation(&mut self, one: &Expr) -> Code {
        let code = self.value(one);
        if one.ty == CelType::Double {
            let inner = code.parenthesized(Precedence::Atom);
            return Code::atom(quote!(-#inner), Representation::Value)
                .with_precedence(Precedence::Unary)
                .with_faults(code.faults);
        }
        let wide = code.as_64_bit(false);
        Code::atom(quote!(cel::negate(#wide)?), Representation::Value).with_faults(Faults::Any)
    }

    /// Returns an element of a list, or the value of a key.
    pub fn index(&mut self, of: &Expr, place: &Expr) -> Code {
        let at = self.value(place);
        if let CelType::Map(_) = of.ty {
            let map = self.value(of);
            let (map_tokens, key) = (map.reference(), at.text());
            let tokens = quote!(cel::map_value(#map_tokens, #key)?);
            let ty = self.wire_type(of).and_then(|ty| match ty {
                crate::model::Type::Map(inner) => Some(*inner),
                _ => None,
            });
            let code = match ty {
                Some(ty) => super::optional::deref_value(&ty, tokens, true),
                None => Code::atom(tokens, Representation::Ref),
            };
            return code.with_faults(Faults::Any);
        }
        let items = self.items(of);
        let (list, place) = (&items.tokens, at.as_64_bit(false));
        let tokens = quote!(cel::element_at(#list, #place)?);
        items.element(tokens).with_faults(Faults::Any)
    }
}

/// Returns the comparison of two integers in their common type, or in 64 bits; without a comparison, the equality.
fn numbers(comparison: Option<Comparison>, a: (&CelType, &Code), b: (&CelType, &Code), truth: bool) -> Code {
    let ((a, left), (b, right)) = (a, b);
    let faults = left.faults.max(right.faults);
    if let (Some(empty), Representation::Number(value)) = (&left.empty, right.form)
        && let Some(is) = emptiness(comparison, value, truth)
    {
        let code = Code::bool(empty.clone(), Precedence::Atom, faults);
        return if is { code } else { code.not() };
    }
    let sign = match comparison {
        Some(comparison) => comparison_operator(comparison),
        None if truth => quote!(==),
        None => quote!(!=),
    };
    let fits = |value: i128, form: Representation, ty: &CelType| match form {
        Representation::Narrow if is_unsigned(ty) => u32::try_from(value).is_ok(),
        Representation::Narrow => i32::try_from(value).is_ok(),
        Representation::Count => (0..=i128::from(u32::MAX)).contains(&value),
        Representation::Value => true,
        _ => false,
    };
    let (one, other) = match (left.form, right.form) {
        (form, Representation::Number(value)) if fits(value, form, a) => {
            (left.parenthesized(Precedence::Sum), number(value, None))
        }
        (Representation::Number(value), form) if fits(value, form, b) => {
            (number(value, None), right.parenthesized(Precedence::Sum))
        }
        (one, other) if one == other && !matches!(one, Representation::Number(_)) => {
            (left.parenthesized(Precedence::Sum), right.parenthesized(Precedence::Sum))
        }
        _ => (
            left.as_64_bit_parenthesized(is_unsigned(a), Precedence::Sum),
            right.as_64_bit_parenthesized(is_unsigned(b), Precedence::Sum),
        ),
    };
    Code::bool(quote!(#one #sign #other), Precedence::Compare, faults)
}

/// Returns whether a comparison of a size with a number is a test for emptiness, or for its negation.
fn emptiness(comparison: Option<Comparison>, value: i128, truth: bool) -> Option<bool> {
    match (comparison, value) {
        (None, 0) => Some(truth),
        (Some(Comparison::LessOrEqual), 0) | (Some(Comparison::Less), 1) => Some(true),
        (Some(Comparison::Greater), 0) | (Some(Comparison::GreaterOrEqual), 1) => Some(false),
        _ => None,
    }
}

/// Returns two texts in types that Rust can compare.
fn texts(left: &Code, right: &Code) -> (TokenStream, TokenStream) {
    let as_it_is = match (left.form, right.form) {
        // `String` and `&str`, `&String` and `&str`, two of the same type.
        (Representation::Place | Representation::StringRef | Representation::Str, Representation::Str)
        | (Representation::Str, Representation::Place | Representation::StringRef) => true,
        (one, other) => one == other,
    };
    if as_it_is {
        (left.parenthesized(Precedence::Sum), right.parenthesized(Precedence::Sum))
    } else {
        (operand(left), operand(right))
    }
}

/// Returns a text as a `&str` operand.
fn operand(code: &Code) -> TokenStream {
    if code.form == Representation::Str { code.parenthesized(Precedence::Sum) } else { code.str() }
}

/// Returns bytes as a slice.
pub fn slice(code: &Code) -> TokenStream {
    let receiver = code.receiver();
    // A literal already is a slice.
    if code.form == Representation::Str { receiver } else { quote!(#receiver.as_slice()) }
}

/// Returns two values that are compared in place.
fn places(left: &Code, right: &Code) -> (TokenStream, TokenStream) {
    let there = |code: &Code| {
        let tokens = code.parenthesized(Precedence::Unary);
        if code.form == Representation::Place { tokens } else { quote!(*#tokens) }
    };
    match (left.form, right.form) {
        (Representation::Ref, Representation::Ref) => {
            (left.parenthesized(Precedence::Sum), right.parenthesized(Precedence::Sum))
        }
        _ => (there(left), there(right)),
    }
}

fn comparison_operator(comparison: Comparison) -> TokenStream {
    match comparison {
        Comparison::Less => quote!(<),
        Comparison::LessOrEqual => quote!(<=),
        Comparison::Greater => quote!(>),
        Comparison::GreaterOrEqual => quote!(>=),
    }
}

/// Returns the method of `Ordering` for a comparison.
fn method(comparison: Comparison) -> TokenStream {
    match comparison {
        Comparison::Less => quote!(is_lt),
        Comparison::LessOrEqual => quote!(is_le),
        Comparison::Greater => quote!(is_gt),
        Comparison::GreaterOrEqual => quote!(is_ge),
    }
}
