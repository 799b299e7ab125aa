//! Chains of `if let`: a presence test binds the field for the following tests and the result.

use proc_macro2::TokenStream;
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence};
use super::logic::Logic;
use super::optional::Optional;

/// Maximum length of a condition in a closure instead of an `if let`.
const MAX_CLOSURE: usize = 72;

/// Condition with guards. If a guard fails, the result is decided.
pub struct GuardedCondition {
    /// `let Some(start) = &this.start`, and tests.
    guards: Vec<TokenStream>,
    /// Condition after the guards.
    last: Code,
    faults: Faults,
    /// `this.start.is_some_and(|start| …)`, if only one field is bound.
    closure: Option<Code>,
}

impl GuardedCondition {
    /// Returns the condition as an expression.
    pub fn code(self, all: bool) -> Code {
        let Self { guards, last, faults, closure } = self;
        if let Some(closure) = closure {
            return closure;
        }
        let (last, decided) = (&last.tokens, !all);
        let tokens = quote! { if #(#guards)&&* { #last } else { #decided } };
        Code::bool(tokens, Precedence::Block, faults)
    }

    /// Returns the condition as the body of a function.
    pub fn body(self, all: bool) -> TokenStream {
        let Self { guards, last, closure, .. } = self;
        if let Some(closure) = closure.filter(|closure| closure.tokens.to_string().len() <= MAX_CLOSURE) {
            let closure = closure.tokens;
            return quote!(Ok(#closure));
        }
        let (last, decided) = (&last.tokens, !all);
        quote! {
            if #(#guards)&&* {
                return Ok(#last);
            }
            Ok(#decided)
        }
    }
}

impl ConditionEmitter<'_> {
    /// Returns the parts of a chain, one of which binds a field, as guards and a final condition.
    pub fn guard_chain(&mut self, parts: &[Logic<'_>], all: bool) -> GuardedCondition {
        let known = self.bound.len();
        let (mut guards, mut found, mut faults) = (Vec::new(), Vec::new(), Faults::None);
        let mut left = parts;
        while let Some((part, rest)) = left.split_first()
            && !rest.is_empty()
        {
            match self.bindable_field(part, all) {
                Some((_, path)) if self.find(&path).is_some() => {}
                Some((member, path)) if rest.iter().any(|part| part.mentions(&path)) => {
                    let option = self.option(member);
                    let name = self.member_name(member);
                    let (place, pattern) = (&option.place, option.pattern_of_place(&name));
                    guards.push(quote!(let Some(#pattern) = #place));
                    faults = faults.max(option.faults);
                    self.bound.push((path, option.bound(&name)));
                    found.push((option, name));
                }
                // In a conjunction the last tests are readable as one expression.
                _ if all && !self.binds_for_later(left) => break,
                _ => {
                    let test = self.emit_logic(&if all { part.clone() } else { part.clone().negate() });
                    if test.faults == Faults::Any {
                        // Another part may decide although this one has no value.
                        break;
                    }
                    faults = faults.max(test.faults);
                    guards.push(test.parenthesized(Precedence::And));
                }
            }
            left = rest;
        }
        let last = self.chain(left, all);
        self.unbind(known);
        let closure = match found.as_slice() {
            [(option, name)] if guards.len() == 1 && last.faults == Faults::None => {
                Some(closure(option, name, &last, all))
            }
            _ => None,
        };
        let faults = faults.max(last.faults);
        GuardedCondition { guards, last, faults, closure }
    }

    /// Returns whether one of the parts binds a field that later ones read.
    fn binds_for_later(&self, parts: &[Logic<'_>]) -> bool {
        parts.iter().enumerate().any(|(index, part)| {
            let path = self.bindable_field(part, true).map(|(_, path)| path).filter(|path| self.find(path).is_none());
            path.is_some_and(|path| parts[index + 1..].iter().any(|part| part.mentions(&path)))
        })
    }
}

/// Returns `option.is_some_and(|name| last)`.
fn closure(option: &Optional<'_>, name: &proc_macro2::Ident, last: &Code, all: bool) -> Code {
    let (value, pattern, inner) = (&option.value, option.pattern(name), &last.tokens);
    let method = if all { quote!(is_some_and) } else { quote!(is_none_or) };
    Code::bool(quote!(#value.#method(|#pattern| #inner)), Precedence::Atom, option.faults)
}
