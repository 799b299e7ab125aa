//! `in`: membership in lists and maps.

use proc_macro2::TokenStream;
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation};
use crate::model::condition::{CelType, Expr, ExprKind};

impl ConditionEmitter<'_> {
    /// Returns `element in list`.
    pub fn membership(&mut self, element: &Expr, list: &Expr) -> Code {
        let found = self.value(element);
        if matches!(list.ty, CelType::Map(_) | CelType::Object) {
            let map = self.value(list);
            let (receiver, key) = (map.receiver(), found.str());
            return Code::bool(quote!(#receiver.contains_key(#key)), Precedence::Atom, found.faults.max(map.faults));
        }
        if let ExprKind::List(items) = &list.kind
            && let Some(code) = self.one_of(element, &found, items)
        {
            return code;
        }
        if let Some(set) = self.set_lookup(element, &found, list) {
            return set;
        }
        let items = self.items(list);
        let inner = match &list.ty {
            CelType::List(inner) if **inner != CelType::Null => inner,
            _ => &element.ty,
        };
        let (tokens, item) = (&items.tokens, items.element(quote!(item)));
        let test = self.equal_codes(inner, &item, &element.ty, &found, true);
        let (test, faults) = (test.tokens, items.faults.max(found.faults));
        if found.faults == Faults::None {
            return Code::bool(quote!(#tokens.any(|item| #test)), Precedence::Atom, faults);
        }
        Code::bool(quote!(cel::exists(#tokens, |item| Ok(#test))?), Precedence::Atom, faults)
    }

    /// Returns the test whether a value is one of several literals.
    fn one_of(&mut self, element: &Expr, found: &Code, items: &[Expr]) -> Option<Code> {
        if let [one] = items {
            let one_code = self.value(one);
            return Some(self.equal_codes(&element.ty, found, &one.ty, &one_code, true));
        }
        let literal = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(_));
        if items.is_empty() || !items.iter().all(literal) {
            return None;
        }
        let codes: Vec<Code> = items.iter().map(|item| self.value(item)).collect();
        let narrow = |code: &Code| match code.form {
            Representation::Number(value) => match element.ty {
                CelType::Uint => u32::try_from(value).is_ok(),
                _ => i32::try_from(value).is_ok(),
            },
            _ => true,
        };
        let value = match element.ty {
            CelType::String if items.iter().all(|item| item.ty == CelType::String) => found.str(),
            CelType::Enum(_) if items.iter().all(|item| item.ty == element.ty) => found.tokens.clone(),
            CelType::Int | CelType::Uint if found.form == Representation::Narrow && codes.iter().all(narrow) => {
                found.tokens.clone()
            }
            CelType::Int | CelType::Uint => found.as_64_bit(element.ty == CelType::Uint),
            _ => return None,
        };
        let mut patterns: Vec<String> = Vec::new();
        let mut tokens: Vec<&TokenStream> = Vec::new();
        for code in &codes {
            let text = code.tokens.to_string();
            // A duplicate pattern would be reported as unreachable.
            if !patterns.contains(&text) {
                patterns.push(text);
                tokens.push(&code.tokens);
            }
        }
        Some(Code::bool(quote!(matches!(#value, #(#tokens)|*)), Precedence::Atom, found.faults))
    }

    /// Returns a look-up in a set within a loop: a list that does not depend on the loop is converted once, lazily.
    fn set_lookup(&mut self, element: &Expr, found: &Code, list: &Expr) -> Option<Code> {
        let outside = self.outside?;
        let depends = |expr: &Expr| matches!(expr.kind, ExprKind::Variable(_));
        let bound_by_list = |list: &Expr| {
            // The list's own loops have variables too; only those of enclosing loops matter.
            list.contains(&|expr| {
                depends(expr)
                    && self.variables.iter().any(
                        |(number, _)| matches!(&expr.kind, ExprKind::Variable(variable) if variable.number == *number),
                    )
            })
        };
        let CelType::List(inner) = &list.ty else { return None };
        let is_set = **inner == element.ty && inner.is_hashed();
        if bound_by_list(list) || !is_set || matches!(list.kind, ExprKind::List(_)) {
            return None;
        }
        let inside = self.bound.split_off(outside);
        let (before, variables) = (std::mem::take(&mut self.before), std::mem::take(&mut self.variables));
        self.outside = None;
        let items = self.items(list);
        self.outside = Some(outside);
        self.variables = variables;
        self.before = before;
        self.bound.extend(inside);
        let name = self.name("known", &[]);
        let (value, key) = set_operands(element, found, &items.tokens, &items.element(quote!(item)));
        let set = quote!(::std::collections::HashSet<_>);
        let faults = items.faults;
        if faults == Faults::None {
            self.before.push(quote!(let #name = ::std::cell::LazyCell::new(|| #value.collect::<#set>());));
            return Some(Code::bool(quote!(#name.contains(#key)), Precedence::Atom, found.faults));
        }
        let evaluated = quote!(cel::EvalResult<#set>);
        self.before.push(quote!(let #name = ::std::cell::LazyCell::new(|| -> #evaluated { Ok(#value.collect()) });));
        let tokens = quote!(#name.as_ref().map_err(|fault| *fault)?.contains(#key));
        Some(Code::bool(tokens, Precedence::Atom, faults.max(found.faults)))
    }
}

/// Returns the iterator that a set is collected from, and the expression that is looked up in it.
fn set_operands(element: &Expr, found: &Code, tokens: &TokenStream, item: &Code) -> (TokenStream, TokenStream) {
    match element.ty {
        CelType::String if item.form != Representation::StringRef => (quote!(#tokens), found.str()),
        CelType::String => {
            let item = item.str();
            (quote!(#tokens.map(|item| #item)), found.str())
        }
        CelType::Int | CelType::Uint => {
            let unsigned = element.ty == CelType::Uint;
            let (wide, key) = (item.as_64_bit(unsigned), found.as_64_bit(unsigned));
            let as_is = wide.to_string() == "item";
            (if as_is { tokens.clone() } else { quote!(#tokens.map(|item| #wide)) }, quote!(&#key))
        }
        CelType::Enum(_) => (quote!(#tokens), found.reference()),
        _ => {
            let key = &found.tokens;
            (quote!(#tokens), quote!(&#key))
        }
    }
}
