//! Comparisons, arithmetic, indexing.

use proc_macro2::TokenStream;
use quote::quote;

use super::Lower;
use super::code::{Code, Faults, Form, Level, number};
use crate::emit::validation::equality;
use crate::model::Type;
use crate::model::condition::{Arithmetic, CelType, Comparison, Expr, ExprKind, Literal};

fn is_null(expr: &Expr) -> bool {
    expr.kind == ExprKind::Literal(Literal::Null)
}

fn unsigned(ty: &CelType) -> bool {
    *ty == CelType::Uint
}

impl Lower<'_> {
    /// Returns `a == b`, or `a != b`.
    pub fn equal(&mut self, a: &Expr, b: &Expr, truth: bool) -> Code {
        if is_null(a) || is_null(b) {
            let any = self.value(if is_null(a) { b } else { a });
            let (receiver, faults) = (any.receiver(), any.faults);
            let null = Code::bool(quote!(#receiver.is_null()), Level::Atom, faults);
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
                let same = Code::bool(quote!(cel::same_time(#one, #other)), Level::Atom, faults);
                return if truth { same } else { same.not() };
            }
            (CelType::Enum(_), CelType::String) => (self.enum_text(left), operand(right)),
            (CelType::String, CelType::Enum(_)) => (operand(left), self.enum_text(right)),
            (CelType::String, _) => texts(left, right),
            (CelType::Bytes, _) => (slice(left), slice(right)),
            (CelType::Message(id), _) if equality::is_spelled(self.rust.api, &Type::Resource(*id)) => {
                let (path, one, other) = (equality::path(self.rust.api, *id), left.reference(), right.reference());
                let same = Code::bool(quote!(#path(#one, #other)), Level::Atom, faults);
                return if truth { same } else { same.not() };
            }
            (CelType::Enum(_) | CelType::Message(_) | CelType::Patch(_), _) => places(left, right),
            _ => (left.within(Level::Sum), right.within(Level::Sum)),
        };
        Code::bool(quote!(#one #sign #other), Level::Compare, faults)
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
        let (comparison, flipped) = if truth || !total { (comparison, !truth) } else { (opposite(comparison), false) };
        let code = match (&a.ty, &b.ty) {
            (CelType::Timestamp, _) => {
                let (one, other, method) = (&left.tokens, &right.tokens, method(comparison));
                let tokens = quote!(cel::order(#one, #other)?.#method());
                Code::bool(tokens, Level::Atom, Faults::Any)
            }
            (one, other) if one.is_number() && one != other => {
                let (one, other) = (left.wide(unsigned(one)), right.wide(unsigned(other)));
                let method = method(comparison);
                let order = quote!(cel::compare(#one, #other));
                let tokens = quote!(#order.is_some_and(::std::cmp::Ordering::#method));
                Code::bool(tokens, Level::Atom, faults)
            }
            (CelType::Int | CelType::Uint, _) => numbers(Some(comparison), (&a.ty, &left), (&b.ty, &right), true),
            (ty, _) => {
                let (one, other) = match ty {
                    CelType::String => (operand(&left), operand(&right)),
                    CelType::Bytes => (slice(&left), slice(&right)),
                    _ => (left.within(Level::Sum), right.within(Level::Sum)),
                };
                let sign = sign(comparison);
                Code::bool(quote!(#one #sign #other), Level::Compare, faults)
            }
        };
        if flipped { code.not() } else { code }
    }

    pub fn arithmetic(&mut self, sign: Arithmetic, a: &Expr, b: &Expr) -> Code {
        let (left, right) = (self.value(a), self.value(b));
        let faults = left.faults.max(right.faults);
        let cel = |name: TokenStream, one: TokenStream, other: TokenStream| {
            Code::atom(quote!(cel::#name(#one, #other)?), Form::Value).with(Faults::Any)
        };
        let (one, other) = (left.tokens.clone(), right.tokens.clone());
        match (&a.ty, &b.ty, sign) {
            (CelType::Double, ..) => self.floats(sign, &left, &right).with(faults),
            (CelType::String, ..) => {
                let (one, other) = (left.text(), right.text());
                let tokens = quote!(cel::joined(#one, #other));
                Code::atom(tokens, Form::Owned).with(faults)
            }
            (CelType::Timestamp, CelType::Timestamp, _) => cel(quote!(between), one, other),
            (CelType::Timestamp, _, Arithmetic::Subtract) => cel(quote!(before), one, other),
            (CelType::Timestamp, ..) => cel(quote!(after), one, other),
            (CelType::Duration, CelType::Timestamp, _) => cel(quote!(after), other, one),
            (CelType::Duration, _, Arithmetic::Subtract) => cel(quote!(span_subtract), one, other),
            (CelType::Duration, ..) => cel(quote!(span_add), one, other),
            (ty, ..) => {
                let name = match sign {
                    Arithmetic::Add => quote!(add),
                    Arithmetic::Subtract => quote!(subtract),
                    Arithmetic::Multiply => quote!(multiply),
                    Arithmetic::Divide => quote!(divide),
                    Arithmetic::Remainder => quote!(remainder),
                };
                cel(name, left.wide(unsigned(ty)), right.wide(unsigned(ty)))
            }
        }
    }

    fn floats(&self, sign: Arithmetic, left: &Code, right: &Code) -> Code {
        let (level, sign) = match sign {
            Arithmetic::Add => (Level::Sum, quote!(+)),
            Arithmetic::Subtract => (Level::Sum, quote!(-)),
            Arithmetic::Multiply => (Level::Product, quote!(*)),
            _ => (Level::Product, quote!(/)),
        };
        // The right operand of `-` and `/` needs parentheses around an operator of the same precedence.
        let above = if level == Level::Sum { Level::Product } else { Level::Unary };
        let (one, other) = (left.within(level), right.within(above));
        Code::atom(quote!(#one #sign #other), Form::Value).at(level)
    }

    pub fn negate(&mut self, one: &Expr) -> Code {
        let code = self.value(one);
        if one.ty == CelType::Double {
            let inner = code.within(Level::Atom);
            return Code::atom(quote!(-#inner), Form::Value).at(Level::Unary).with(code.faults);
        }
        let wide = code.wide(false);
        Code::atom(quote!(cel::negate(#wide)?), Form::Value).with(Faults::Any)
    }

    /// Returns an element of a list, or the value of a key.
    pub fn index(&mut self, of: &Expr, place: &Expr) -> Code {
        let at = self.value(place);
        if let CelType::Map(_) = of.ty {
            let map = self.value(of);
            let (map_tokens, key) = (map.reference(), at.text());
            let tokens = quote!(cel::entry(#map_tokens, #key)?);
            let ty = self.wire_type(of).and_then(|ty| match ty {
                crate::model::Type::Map(inner) => Some(*inner),
                _ => None,
            });
            let code = match ty {
                Some(ty) => super::optional::behind(&ty, tokens, true),
                None => Code::atom(tokens, Form::Ref),
            };
            return code.with(Faults::Any);
        }
        let items = self.items(of);
        let (list, place) = (&items.tokens, at.wide(false));
        let tokens = quote!(cel::at(#list, #place)?);
        items.element(tokens).with(Faults::Any)
    }
}

/// Returns the comparison of two integers in their common type, or in 64 bits; without a comparison, the equality.
fn numbers(comparison: Option<Comparison>, a: (&CelType, &Code), b: (&CelType, &Code), truth: bool) -> Code {
    let ((a, left), (b, right)) = (a, b);
    let faults = left.faults.max(right.faults);
    if let (Some(empty), Form::Number(value)) = (&left.empty, right.form)
        && let Some(is) = emptiness(comparison, value, truth)
    {
        let code = Code::bool(empty.clone(), Level::Atom, faults);
        return if is { code } else { code.not() };
    }
    let sign = match comparison {
        Some(comparison) => sign(comparison),
        None if truth => quote!(==),
        None => quote!(!=),
    };
    let fits = |value: i128, form: Form, ty: &CelType| match form {
        Form::Narrow if unsigned(ty) => u32::try_from(value).is_ok(),
        Form::Narrow => i32::try_from(value).is_ok(),
        Form::Count => (0..=i128::from(u32::MAX)).contains(&value),
        Form::Value => true,
        _ => false,
    };
    let (one, other) = match (left.form, right.form) {
        (form, Form::Number(value)) if fits(value, form, a) => (left.within(Level::Sum), number(value, None)),
        (Form::Number(value), form) if fits(value, form, b) => (number(value, None), right.within(Level::Sum)),
        (one, other) if one == other && !matches!(one, Form::Number(_)) => {
            (left.within(Level::Sum), right.within(Level::Sum))
        }
        _ => (left.wide_within(unsigned(a), Level::Sum), right.wide_within(unsigned(b), Level::Sum)),
    };
    Code::bool(quote!(#one #sign #other), Level::Compare, faults)
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
        (Form::Place | Form::StringRef | Form::Str, Form::Str) | (Form::Str, Form::Place | Form::StringRef) => true,
        (one, other) => one == other,
    };
    if as_it_is { (left.within(Level::Sum), right.within(Level::Sum)) } else { (operand(left), operand(right)) }
}

/// Returns a text as a `&str` operand.
fn operand(code: &Code) -> TokenStream {
    if code.form == Form::Str { code.within(Level::Sum) } else { code.str() }
}

/// Returns bytes as a slice.
pub fn slice(code: &Code) -> TokenStream {
    let receiver = code.receiver();
    // A literal already is a slice.
    if code.form == Form::Str { receiver } else { quote!(#receiver.as_slice()) }
}

/// Returns two values that are compared in place.
fn places(left: &Code, right: &Code) -> (TokenStream, TokenStream) {
    let there = |code: &Code| {
        let tokens = code.within(Level::Unary);
        if code.form == Form::Place { tokens } else { quote!(*#tokens) }
    };
    match (left.form, right.form) {
        (Form::Ref, Form::Ref) => (left.within(Level::Sum), right.within(Level::Sum)),
        _ => (there(left), there(right)),
    }
}

fn sign(comparison: Comparison) -> TokenStream {
    match comparison {
        Comparison::Less => quote!(<),
        Comparison::LessOrEqual => quote!(<=),
        Comparison::Greater => quote!(>),
        Comparison::GreaterOrEqual => quote!(>=),
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
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
