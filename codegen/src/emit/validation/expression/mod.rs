//! Conditions as Rust: straight-line code as it would be written by hand.
//!
//! ```text
//! fn event_day_after_day(this: &types::Event) -> cel::Evaluated {
//!     if let Some(start) = &this.start
//!         && let Some(date) = start.date
//!         && let Some(end) = &this.end
//!         && let Some(end_date) = end.date
//!     {
//!         return Ok(end_date > date);
//!     }
//!     Ok(true)
//! }
//! ```
//!
//! `logic` normalizes logical operators, `flow` emits them, and `guards` binds the fields that `has()` finds;
//! `members`, `operators`, `calls`, `lists` and `loops` emit values. Each piece of code knows its Rust type and
//! whether it can end without a value, so that an operator of CEL becomes the operator of Rust wherever both have the
//! same meaning.

mod calls;
mod code;
mod flow;
mod guards;
mod lists;
mod logic;
mod loops;
mod members;
mod membership;
mod operators;
mod optional;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;

use super::inline;
use crate::emit::rust::{RustTypes, ident};
use crate::model::condition::{Condition, Expr, ExprKind, Path, Root, Subject, Variable};
use crate::model::keywords::{is_rawable, is_unrawable};
use crate::model::{Operation, Type};
use crate::patterns::Matcher;
use code::Code;
use logic::Logic;

/// Maximum length of a condition that is inlined.
const MAX_EXPRESSION: usize = 80;

/// Arguments of a condition's function, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Resource.
    pub this: bool,
    /// Request.
    pub request: bool,
    /// Stored resource.
    pub old: bool,
    /// Result of a merge patch.
    pub new: bool,
}

/// Returns the arguments of a condition's function: those that it reads, and `this` for a condition of a resource.
pub fn arguments(condition: &Condition) -> Arguments {
    let request =
        condition.value.contains(&|expr| matches!(expr.kind, ExprKind::Root(Root::Body) | ExprKind::Parameter(..)));
    let this = matches!(condition.subject, Subject::Resource(_));
    let reads = |root| condition.value.contains(&|expr| expr.kind == ExprKind::Root(root));
    Arguments { this, request, old: reads(Root::Old), new: reads(Root::New) }
}

/// Returns the function of a condition: `fn name(this: &types::Event) -> EvalResult { … }`.
pub fn function(rust: &RustTypes<'_>, name: &Ident, condition: &Condition) -> TokenStream {
    let takes = arguments(condition);
    let mut lower = ConditionEmitter::new(rust, condition);
    let body = lower.body(&Logic::of(&condition.value, true));
    let patterns = lower.patterns();
    // A folded condition reads less than it names.
    let parameter = |name: &str| if uses_name(&body, name) { ident(name) } else { ident(&format!("_{name}")) };
    let mut signature = Vec::new();
    match condition.subject {
        Subject::Resource(id) => {
            let ty = rust.ty(&Type::Resource(id));
            let this = parameter("this");
            signature.push(quote!(#this: &#ty));
        }
        Subject::Request(id) if takes.request => {
            let request = ident(&rust.api.operation(id).types.request);
            let name = parameter("request");
            signature.push(quote!(#name: &requests::#request));
        }
        Subject::Request(_) => {}
    }
    if let Some(id) = condition.old {
        let ty = rust.ty(&Type::Resource(id));
        let (old, new) = (parameter("old"), parameter("new"));
        signature.extend(takes.old.then(|| quote!(#old: &#ty)));
        signature.extend(takes.new.then(|| quote!(#new: &#ty)));
    }
    quote! {
        fn #name(#(#signature),*) -> cel::EvalResult {
            #patterns
            #body
        }
    }
}

/// Returns a condition as an expression of the request `this`, if it is short and cannot fail.
pub fn inline_condition(rust: &RustTypes<'_>, condition: &Condition) -> Option<TokenStream> {
    let mut lower = ConditionEmitter::new(rust, condition);
    let code = lower.emit_logic(&Logic::of(&condition.value, true));
    let is_short = code.tokens.to_string().len() <= MAX_EXPRESSION;
    let holds = is_short && code.faults == code::Faults::None && lower.patterns.is_empty();
    holds.then(|| inline::replace_variable(&code.tokens, "request", &quote!(this)))
}

/// Returns whether code uses a name.
fn uses_name(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(found) => found == name,
        TokenTree::Group(group) => uses_name(&group.stream(), name),
        _ => false,
    })
}

/// Emitter of one condition.
struct ConditionEmitter<'a> {
    rust: &'a RustTypes<'a>,
    operation: Option<&'a Operation>,
    /// Bindings of fields that `has()` has found.
    bound: Vec<(Path, Code)>,
    /// Variables of the enclosing loops.
    variables: Vec<(usize, Code)>,
    /// Schema types of these variables, if they have one.
    variable_types: BTreeMap<usize, Type>,
    /// Names in use.
    used_names: BTreeSet<String>,
    /// Patterns without duplicates.
    patterns: Vec<Matcher>,
    /// Within a loop: statements before the outermost one.
    before: Vec<TokenStream>,
    /// Within a loop: number of bindings outside of it.
    outside: Option<usize>,
}

impl<'a> ConditionEmitter<'a> {
    fn new(rust: &'a RustTypes<'a>, condition: &Condition) -> Self {
        let operation = match condition.subject {
            Subject::Request(id) => Some(rust.api.operation(id)),
            Subject::Resource(_) => None,
        };
        Self {
            rust,
            operation,
            bound: Vec::new(),
            variables: Vec::new(),
            variable_types: BTreeMap::new(),
            used_names: ["this", "request", "old", "new"].map(str::to_owned).into(),
            patterns: Vec::new(),
            before: Vec::new(),
            outside: None,
        }
    }

    /// Returns the patterns as statics.
    fn patterns(&self) -> TokenStream {
        if self.patterns.is_empty() {
            return TokenStream::new();
        }
        let module = quote!(::wireform_validation::__private::pattern);
        let statics = self.patterns.iter().enumerate().map(|(index, matcher)| {
            let (name, ty, value) = (pattern_name(index), matcher.ty(&module), matcher.tokens(&module));
            quote! { static #name: #ty = #value; }
        });
        quote! {
            use #module::Matcher as _;
            #(#statics)*
        }
    }

    /// Returns the name of a pattern; equal patterns share it.
    fn pattern(&mut self, matcher: &Matcher) -> Ident {
        let place = self.patterns.iter().position(|known| known == matcher).unwrap_or_else(|| {
            self.patterns.push(matcher.clone());
            self.patterns.len() - 1
        });
        pattern_name(place)
    }

    /// Returns a unique name: the preferred one, or a longer one.
    fn name(&mut self, preferred: &str, contexts: &[String]) -> Ident {
        let preferred = preferred.trim_start_matches("r#");
        let longer = contexts.iter().map(|context| format!("{context}_{preferred}"));
        let numbered = (2..).map(|number| format!("{preferred}_{number}"));
        // A keyword would need a raw identifier.
        let short = (!is_rawable(preferred) || contexts.is_empty()).then(|| preferred.to_owned());
        let candidates = short.into_iter().chain(longer).chain(numbered);
        let found = candidates.into_iter().find(|name| !self.used_names.contains(name)).unwrap_or_default();
        self.used_names.insert(found.clone());
        rust_name(&found)
    }

    /// Removes the latest bindings down to a number, and frees their names.
    fn unbind(&mut self, known: usize) {
        for (_, code) in self.bound.split_off(known.min(self.bound.len())) {
            self.release(&code.tokens);
        }
    }

    /// Frees the name that starts the code, once it is out of scope.
    fn release(&mut self, code: &TokenStream) {
        let name = code.clone().into_iter().find_map(|token| match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        if let Some(name) = name {
            self.used_names.remove(name.trim_start_matches("r#"));
        }
    }

    /// Returns the name of a loop variable.
    fn variable_name(&mut self, variable: &Variable) -> Ident {
        use heck::ToSnakeCase as _;
        let name = variable.name.to_snake_case();
        self.name(if name.is_empty() { "item" } else { &name }, &[])
    }

    /// Returns the value of an expression.
    fn value(&mut self, expr: &Expr) -> Code {
        match &expr.kind {
            ExprKind::Literal(value) => self.literal(value),
            ExprKind::Root(root) => self.root(*root),
            ExprKind::Variable(variable) => self.variable(variable),
            ExprKind::Member { .. } | ExprKind::Parameter(..) => self.member(expr),
            ExprKind::Has(_) | ExprKind::Not(_) | ExprKind::And(_) | ExprKind::Or(_) => {
                self.emit_logic(&Logic::of(expr, true))
            }
            ExprKind::If(condition, then, otherwise) => {
                let condition = Logic::of(condition, true);
                self.choice(&condition, flow::Branch::Value(then), flow::Branch::Value(otherwise))
            }
            ExprKind::Equal(a, b) => self.equal(a, b, true),
            ExprKind::Compare(comparison, a, b) => self.compare(*comparison, a, b, true),
            ExprKind::In(element, list) => self.membership(element, list),
            ExprKind::Arithmetic(sign, a, b) => self.emit_arithmetic(*sign, a, b),
            ExprKind::Negate(one) => self.emit_negation(one),
            ExprKind::Index(of, place) => self.index(of, place),
            ExprKind::Call(function, first, rest) => self.call(*function, first, rest),
            ExprKind::Matches(text, matcher) => {
                let text = self.value(text);
                let (name, tokens) = (self.pattern(matcher), text.text());
                Code::bool(quote!(#name.is_match(#tokens)), code::Precedence::Atom, text.faults)
            }
            ExprKind::Loop(each) => self.boolean_loop(each),
            // A list only occurs where it is iterated.
            ExprKind::List(_) => self.collect_list(expr),
        }
    }

    /// Emits a variable of an enclosing loop, as that loop has bound it.
    fn variable(&self, variable: &Variable) -> Code {
        let found = self.variables.iter().rev().find(|(number, _)| *number == variable.number);
        // `rules::verify` rejects variables without an enclosing loop.
        found.map_or_else(members::unreachable_placeholder, |(_, code)| code.clone())
    }
}

fn pattern_name(index: usize) -> Ident {
    let name = if index == 0 { "PATTERN".to_owned() } else { format!("PATTERN_{}", index + 1) };
    Ident::new(&name, Span::call_site())
}

/// Returns a name as a Rust identifier.
fn rust_name(name: &str) -> Ident {
    if is_unrawable(name) {
        return Ident::new(format!("{name}_value").trim_start_matches("_"), Span::call_site());
    }
    if is_rawable(name) { Ident::new_raw(name, Span::call_site()) } else { Ident::new(name, Span::call_site()) }
}
