//! Logical operators as Rust: chains, conditionals, and the body of the function.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation};
use super::logic::{Logic, mentions};
use crate::model::condition::{Expr, ExprKind, Path};

/// Branch of a conditional: an expression, or further logic.
#[derive(Clone, Copy)]
pub enum Branch<'e, 'l> {
    /// Value.
    Value(&'e Expr),
    /// Boolean.
    Logic(&'l Logic<'e>),
    /// Optional value: `Some(value)`.
    Some(&'e Expr),
    /// `None`
    None,
}

impl<'e> Branch<'e, '_> {
    /// Returns whether the branch reads a path.
    fn mentions(&self, path: &Path) -> bool {
        match self {
            Self::Value(expr) | Self::Some(expr) => mentions(expr, path),
            Self::Logic(logic) => logic.mentions(path),
            Self::None => false,
        }
    }
}

impl ConditionEmitter<'_> {
    /// Returns a boolean expression.
    pub fn emit_logic(&mut self, logic: &Logic<'_>) -> Code {
        match logic {
            Logic::Known(value) => Code::constant(*value),
            Logic::All(parts) => self.chain(parts, true),
            Logic::Any(parts) => self.chain(parts, false),
            Logic::Present(member) => self.presence(member, true),
            Logic::Missing(member) => self.presence(member, false),
            Logic::Choice(condition, then, otherwise) => {
                self.choice(condition, Branch::Logic(then), Branch::Logic(otherwise))
            }
            Logic::Test(expr, truth) => self.test(expr, *truth),
        }
    }

    /// Emits the test whether a boolean expression has a truth value.
    fn test(&mut self, expr: &Expr, truth: bool) -> Code {
        match &expr.kind {
            ExprKind::Equal(a, b) => self.equal(a, b, truth),
            ExprKind::Compare(comparison, a, b) => self.compare(*comparison, a, b, truth),
            _ if truth => self.value(expr),
            _ => self.value(expr).not(),
        }
    }

    /// Returns the test whether a field is present, unless that is known.
    fn presence(&mut self, member: &Expr, truth: bool) -> Code {
        if Path::of(member).is_some_and(|path| self.find(&path).is_some()) {
            return Code::constant(truth);
        }
        let option = self.option(member);
        if truth { option.is_present() } else { option.is_missing() }
    }

    /// Returns the field that a part of a chain tests, if its value can be bound to a name.
    pub fn bindable_field<'e>(&self, part: &Logic<'e>, all: bool) -> Option<(&'e Expr, Path)> {
        let ((Logic::Present(member), true) | (Logic::Missing(member), false)) = (part, all) else { return None };
        let path = Path::of(member)?;
        (!self.is_collection(member)).then_some((*member, path))
    }

    /// Emits a chain of `&&` (`all`) or `||`; a field that a later part reads is bound by `if let`.
    pub fn chain(&mut self, parts: &[Logic<'_>], all: bool) -> Code {
        let Some((first, rest)) = parts.split_first() else { return Code::constant(all) };
        if rest.is_empty() {
            return self.emit_logic(first);
        }
        if let Some((_, path)) = self.bindable_field(first, all) {
            if self.find(&path).is_some() {
                return self.chain(rest, all);
            }
            if rest.iter().any(|part| part.mentions(&path)) {
                return self.guard_chain(parts, all).code(all);
            }
        }
        let (left, right) = (self.emit_logic(first), self.chain(rest, all));
        join_operands(&left, &right, all)
    }

    /// Returns `if condition { then } else { otherwise }`, with names for the fields that the condition finds.
    pub fn choice(&mut self, condition: &Logic<'_>, then: Branch<'_, '_>, otherwise: Branch<'_, '_>) -> Code {
        let parts = match condition {
            Logic::Known(value) => return if *value { self.branch(then).0 } else { self.branch(otherwise).0 },
            Logic::All(parts) => parts.clone(),
            other => vec![other.clone()],
        };
        // If the fields are found where the condition is false, the branches are swapped.
        let opposite = match condition.clone().negate() {
            Logic::All(parts) => parts,
            other => vec![other],
        };
        let finds = |lower: &Self, parts: &[Logic<'_>], branch: &Branch<'_, '_>| {
            parts.iter().any(|part| lower.bindable_field(part, true).is_some_and(|(_, path)| branch.mentions(&path)))
        };
        if finds(self, &opposite, &otherwise) && !finds(self, &parts, &then) {
            return self.if_else(&opposite, otherwise, then);
        }
        self.if_else(&parts, then, otherwise)
    }

    fn if_else(&mut self, parts: &[Logic<'_>], then: Branch<'_, '_>, otherwise: Branch<'_, '_>) -> Code {
        let known = self.bound.len();
        let mut tests = Vec::new();
        let mut faults = Faults::None;
        for (index, part) in parts.iter().enumerate() {
            let rest = &parts[index + 1..];
            match self.bindable_field(part, true) {
                Some((_, path)) if self.find(&path).is_some() => {}
                Some((member, path)) if then.mentions(&path) || rest.iter().any(|part| part.mentions(&path)) => {
                    let option = self.option(member);
                    let name = self.member_name(member);
                    let (place, pattern) = (&option.place, option.pattern_of_place(&name));
                    tests.push(quote!(let Some(#pattern) = #place));
                    faults = faults.max(option.faults);
                    self.bound.push((path, option.bound(&name)));
                }
                _ => {
                    let test = self.emit_logic(part);
                    faults = faults.max(test.faults);
                    tests.push(test.parenthesized(Precedence::Compare));
                }
            }
        }
        let (one, wide) = self.branch(then);
        self.unbind(known);
        let (other, _) = self.branch(otherwise);
        let faults = faults.max(one.faults).max(other.faults);
        // Numbers and texts of both branches are converted to one type.
        let tokens = |code: &Code| match wide {
            Some(unsigned) => code.as_64_bit(unsigned),
            None if is_text(&one) || is_text(&other) => code.str(),
            None if code.form == Representation::Place => code.reference(),
            None => code.tokens.clone(),
        };
        let (one_tokens, other_tokens) = (tokens(&one), tokens(&other));
        let form = match one.form {
            _ if wide.is_some() => Representation::Value,
            _ if is_text(&one) || is_text(&other) => Representation::Str,
            Representation::Place => Representation::Ref,
            form => form,
        };
        if tests.is_empty() {
            return Code { tokens: one_tokens, level: one.level, form, faults, empty: None };
        }
        let otherwise = if is_if(&other_tokens) { other_tokens } else { quote!({ #other_tokens }) };
        let tokens = quote! { if #(#tests)&&* { #one_tokens } else #otherwise };
        Code { tokens, level: Precedence::Block, form, faults, empty: None }
    }

    /// Returns the code of a branch, and whether it is a signed or an unsigned number.
    fn branch(&mut self, branch: Branch<'_, '_>) -> (Code, Option<bool>) {
        use crate::model::condition::CelType;
        match branch {
            Branch::Logic(logic) => (self.emit_logic(logic), None),
            Branch::Value(expr) => {
                let unsigned = match expr.ty {
                    CelType::Int => Some(false),
                    CelType::Uint => Some(true),
                    _ => None,
                };
                (self.value(expr), unsigned)
            }
            Branch::Some(expr) => {
                let value = self.key(expr);
                let tokens = &value.tokens;
                (Code { tokens: quote!(Some(#tokens)), level: Precedence::Atom, ..value.clone() }, None)
            }
            Branch::None => (Code::atom(quote!(None), Representation::Value), None),
        }
    }

    /// Returns the body of the function: fields that were found are bound in an `if let` chain.
    pub fn body(&mut self, logic: &Logic<'_>) -> TokenStream {
        let (parts, all) = match logic {
            Logic::All(parts) => (parts.as_slice(), true),
            Logic::Any(parts) => (parts.as_slice(), false),
            _ => (std::slice::from_ref(logic), true),
        };
        let names = |index: usize, part: &Logic<'_>| {
            let found = self.bindable_field(part, all);
            found.is_some_and(|(_, path)| parts[index + 1..].iter().any(|part| part.mentions(&path)))
        };
        let straight = parts.iter().enumerate().any(|(index, part)| names(index, part));
        if !straight {
            let whole = self.emit_logic(logic).tokens;
            return quote!(Ok(#whole));
        }
        self.guard_chain(parts, all).body(all)
    }
}

/// Returns whether code is a single `if`, which may follow `else`.
fn is_if(code: &TokenStream) -> bool {
    let begins = |token: Option<TokenTree>| matches!(token, Some(TokenTree::Ident(word)) if word == "if");
    let ends =
        |token: Option<TokenTree>| matches!(token, Some(TokenTree::Group(it)) if it.delimiter() == Delimiter::Brace);
    begins(code.clone().into_iter().next()) && ends(code.clone().into_iter().last())
}

fn is_text(code: &Code) -> bool {
    matches!(code.form, Representation::Str | Representation::StringRef | Representation::Owned)
}

/// Returns `left && right`, or an equivalent if the left side can fail while the right side decides.
fn join_operands(left: &Code, right: &Code, all: bool) -> Code {
    let faults = left.faults.max(right.faults);
    if left.faults == Faults::Any {
        let (a, b) = (&left.tokens, &right.tokens);
        let function = if all { quote!(and) } else { quote!(or) };
        let tokens = quote!(cel::#function(|| Ok(#a), || Ok(#b))?);
        return Code::bool(tokens, Precedence::Atom, Faults::Any);
    }
    if all {
        let (a, b) = (left.parenthesized(Precedence::And), right.parenthesized(Precedence::And));
        return Code::bool(quote!(#a && #b), Precedence::And, faults);
    }
    let (a, b) = (left.parenthesized(Precedence::Or), right.parenthesized(Precedence::Or));
    Code::bool(quote!(#a || #b), Precedence::Or, faults)
}
