//! Loops over lists and over the keys of maps.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation};
use super::flow::Branch;
use super::lists::{Item, Items};
use super::logic::Logic;
use crate::model::Type;
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Loop, LoopKind, Path};

impl ConditionEmitter<'_> {
    /// Enters a loop: binds the variable, and in the outermost loop remembers the outer bindings.
    fn enter_loop<T>(
        &mut self,
        each: &Loop,
        name: &Ident,
        code: Code,
        body: impl FnOnce(&mut Self) -> T,
    ) -> (T, TokenStream) {
        let outermost = self.outside.is_none();
        if outermost {
            self.outside = Some(self.bound.len());
        }
        if let Some(Type::List(inner)) = self.wire_type(&each.over) {
            self.variable_types.insert(each.variable.number, *inner);
        }
        self.variables.push((each.variable.number, code));
        let made = body(self);
        self.variables.pop();
        self.release(&quote!(#name));
        if outermost {
            self.outside = None;
        }
        let read =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(variable) if variable.number == each.variable.number);
        let reads = each.condition.iter().chain(&each.result).any(|expr| expr.contains(&read));
        (made, if reads { quote!(#name) } else { quote!(_) })
    }

    /// Puts the statements that the outermost loop needs before it.
    fn prepend_statements(&mut self, code: Code) -> Code {
        if self.outside.is_some() || self.before.is_empty() {
            return code;
        }
        let (before, tokens) = (std::mem::take(&mut self.before), &code.tokens);
        Code { tokens: quote!({ #(#before)* #tokens }), level: Precedence::Block, ..code }
    }

    /// Returns a loop with a boolean result.
    pub fn boolean_loop(&mut self, each: &Loop) -> Code {
        let (method, function) = match each.kind {
            LoopKind::All => (quote!(all), quote!(all)),
            LoopKind::Exists => (quote!(any), quote!(exists)),
            LoopKind::ExistsOne => return self.exactly_one(each),
            LoopKind::Filter | LoopKind::Map => {
                let expr = Expr::new(ExprKind::Loop(Box::new(each.clone())), CelType::Null);
                return self.collect_list(&expr);
            }
        };
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let element = items.element(quote!(#name));
        let Some(condition) = &each.condition else { return Code::constant(true) };
        let (body, name) = self.enter_loop(each, &name, element, |lower| lower.emit_logic(&Logic::of(condition, true)));
        let (list, inner) = (&items.tokens, &body.tokens);
        let code = if body.faults == Faults::None {
            Code::bool(quote!(#list.#method(|#name| #inner)), Precedence::Atom, items.faults)
        } else {
            let tokens = quote!(cel::#function(#list, |#name| Ok(#inner))?);
            Code::bool(tokens, Precedence::Atom, items.faults.max(body.faults))
        };
        self.prepend_statements(code)
    }

    /// Returns `exists_one`: the second match ends the search.
    fn exactly_one(&mut self, each: &Loop) -> Code {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let Some(condition) = &each.condition else { return Code::constant(true) };
        let (pattern, element) = items.dereferenced(&name);
        let (body, used) = self.enter_loop(each, &name, element, |lower| lower.emit_logic(&Logic::of(condition, true)));
        let (list, inner) = (&items.tokens, &body.tokens);
        let code = if body.faults == Faults::None {
            let pattern = if used.to_string() == "_" { used } else { pattern };
            Code::bool(quote!(#list.filter(|#pattern| #inner).take(2).count() == 1), Precedence::Compare, items.faults)
        } else {
            let tokens = quote!(cel::exists_one(#list, |#used| Ok(#inner))?);
            Code::bool(tokens, Precedence::Atom, items.faults.max(body.faults))
        };
        self.prepend_statements(code)
    }

    /// Returns `xs.filter(x, condition)`.
    pub fn filter_items(&mut self, each: &Loop) -> Items {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let (pattern, element) = items.dereferenced(&name);
        let truth = Expr::bool(ExprKind::Literal(Literal::Bool(true)));
        let condition = each.condition.as_ref().unwrap_or(&truth);
        let (body, used) = self.enter_loop(each, &name, element, |lower| lower.emit_logic(&Logic::of(condition, true)));
        let pattern = if used.to_string() == "_" { used.clone() } else { pattern };
        let (list, inner) = (&items.tokens, &body.tokens);
        let (tokens, faults) = if body.faults == Faults::None {
            (quote!(#list.filter(|#pattern| #inner)), items.faults)
        } else {
            let tokens = quote!(cel::filter(#list, |#used| Ok(#inner))?.into_iter());
            (tokens, items.faults.max(body.faults))
        };
        let made = Code::atom(tokens, Representation::Value);
        let tokens = self.prepend_statements(made).tokens;
        Items { tokens, slice: None, is_place: false, faults, item: items.item }
    }

    /// Returns `xs.map(x, value)`.
    pub fn map_items(&mut self, each: &Loop) -> Items {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let element = items.element(quote!(#name));
        let truth = Expr::bool(ExprKind::Literal(Literal::Bool(true)));
        let result = each.result.as_ref().unwrap_or(&truth);
        let (body, used) = self.enter_loop(each, &name, element, |lower| match &each.condition {
            Some(condition) => {
                let condition = Logic::of(condition, true);
                lower
                    .map_present(&condition, result)
                    .unwrap_or_else(|| lower.choice(&condition, Branch::Some(result), Branch::None))
            }
            None => lower.key(result),
        });
        let (list, inner) = (&items.tokens, &body.tokens);
        let method = if each.condition.is_some() { quote!(filter_map) } else { quote!(map) };
        let (tokens, faults) = if body.faults == Faults::None {
            (quote!(#list.#method(|#used| #inner)), items.faults)
        } else {
            let flat = each.condition.is_some().then(|| quote!(.flatten()));
            let evaluated = quote!(cel::EvalResult<::std::vec::Vec<_>>);
            let tokens = quote!(#list.map(|#used| Ok(#inner)).collect::<#evaluated>()?.into_iter()#flat);
            (tokens, items.faults.max(body.faults))
        };
        let tokens = self.prepend_statements(Code::atom(tokens, Representation::Value)).tokens;
        let form = if result.ty == CelType::String && body.form != Representation::Owned {
            Representation::Str
        } else {
            result_form(&result.ty, body.form)
        };
        Items { tokens, slice: None, is_place: false, faults, item: Item::Computed(form) }
    }

    /// Returns `option.map(|field| result)`, if the condition is the presence of a field.
    fn map_present(&mut self, condition: &Logic<'_>, result: &Expr) -> Option<Code> {
        let Logic::Present(member) = condition else { return None };
        let path = Path::of(member)?;
        if self.is_collection(member) || self.find(&path).is_some() {
            return None;
        }
        let option = self.option(member);
        let name = self.member_name(member);
        let known = self.bound.len();
        self.bound.push((path, option.bound(&name)));
        let result = self.key(result);
        self.unbind(known);
        if result.faults.max(option.faults) != Faults::None {
            return None;
        }
        let (value, pattern, inner) = (&option.value, option.pattern(&name), &result.tokens);
        let as_is = inner.to_string() == pattern.to_string();
        let tokens = if as_is { value.clone() } else { quote!(#value.map(|#pattern| #inner)) };
        Some(Code { tokens, level: Precedence::Atom, ..result })
    }
}

/// Returns the representation of a loop's results.
fn result_form(ty: &CelType, form: Representation) -> Representation {
    match ty {
        CelType::Int | CelType::Uint => Representation::Value,
        _ => form,
    }
}
