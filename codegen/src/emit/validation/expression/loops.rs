//! Lists, and loops over them: iterators, of which nothing is collected.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Lower;
use super::code::{Code, Faults, Form, Level};
use super::logic::{Branch, Logic};
use super::members::{is_copied, scalar};
use crate::model::Type;
use crate::model::condition::{CelType, Expr, ExprKind, Literal, Loop, LoopKind, Path};

/// An iterator.
pub struct Items {
    /// The iterator.
    pub tokens: TokenStream,
    /// What it goes over, where that is a slice or a vector.
    pub slice: Option<TokenStream>,
    /// Whether that is a vector.
    is_place: bool,
    /// How it can end without a value.
    pub faults: Faults,
    item: Item,
}

/// What an iterator gives.
#[derive(Clone)]
enum Item {
    /// Values of a type of the schema: copied, or by reference.
    Wire(Type),
    /// Values that were made, each of the form.
    Made(Form),
}

impl Items {
    /// The value that a piece of code is which gives an item.
    pub fn element(&self, tokens: TokenStream) -> Code {
        match &self.item {
            Item::Wire(ty) if is_copied(ty) => scalar(ty, tokens),
            Item::Wire(Type::String) => Code::atom(tokens, Form::StringRef),
            Item::Wire(_) => Code::atom(tokens, Form::Ref),
            Item::Made(form) => Code::atom(tokens, *form),
        }
    }

    /// The item behind a reference to it, as `filter` shows it.
    fn shown(&self, name: &Ident) -> (TokenStream, Code) {
        match &self.item {
            Item::Made(Form::Owned) => (quote!(#name), Code::atom(quote!(#name), Form::StringRef)),
            _ => (quote!(&#name), self.element(quote!(#name))),
        }
    }
}

impl Lower<'_> {
    /// The type in the schema of a list or a map, where it has one.
    pub fn wire_type(&self, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Member { of, field, .. } => match of.ty {
                CelType::Message(id) | CelType::Patch(id) => {
                    self.rust.api.resource(id).fields.get(*field).map(|field| field.ty.clone())
                }
                _ => None,
            },
            ExprKind::Parameter(index, _) => {
                self.operation?.parameters.get(*index).map(|parameter| parameter.ty.clone())
            }
            ExprKind::Index(of, _) => match self.wire_type(of)? {
                Type::List(inner) | Type::Map(inner) => Some(*inner),
                _ => None,
            },
            ExprKind::Root(crate::model::condition::Root::Body) => Some(self.operation?.body.as_ref()?.ty.clone()),
            ExprKind::Variable(variable) => self.variable_types.get(&variable.number).cloned(),
            _ => None,
        }
    }

    /// A list, or the keys of a map, as an iterator.
    pub fn items(&mut self, expr: &Expr) -> Items {
        match &expr.kind {
            ExprKind::List(items) => self.written_out(items),
            ExprKind::Loop(each) if each.kind == LoopKind::Filter => self.filtered(each),
            ExprKind::Loop(each) if each.kind == LoopKind::Map => self.mapped(each),
            _ => {
                let list = self.value(expr);
                let receiver = list.receiver();
                match self.wire_type(expr) {
                    Some(Type::List(inner)) => {
                        let is_place = list.form == Form::Place;
                        let copied = is_copied(&inner).then(|| quote!(.copied()));
                        let tokens = quote!(#receiver.iter()#copied);
                        Items { tokens, slice: Some(receiver), is_place, faults: list.faults, item: Item::Wire(*inner) }
                    }
                    _ => {
                        let tokens = quote!(#receiver.keys());
                        Items {
                            tokens,
                            slice: None,
                            is_place: false,
                            faults: list.faults,
                            item: Item::Wire(Type::String),
                        }
                    }
                }
            }
        }
    }

    fn written_out(&mut self, items: &[Expr]) -> Items {
        let codes: Vec<Code> = items.iter().map(|item| self.key(item)).collect();
        let faults = codes.iter().map(|code| code.faults).max().unwrap_or(Faults::None);
        let form = codes.first().map_or(Form::Value, |code| code.form);
        let tokens = codes.iter().map(|code| &code.tokens);
        let array = quote!([#(#tokens),*]);
        Items {
            tokens: quote!(#array.into_iter()),
            slice: Some(array),
            is_place: false,
            faults,
            item: Item::Made(form),
        }
    }

    /// A list where nothing goes over it; the checker lets none through.
    pub fn collected(&mut self, expr: &Expr) -> Code {
        let items = self.items(expr);
        let tokens = &items.tokens;
        Code::atom(quote!(#tokens.collect::<::std::vec::Vec<_>>()), Form::Owned).with(items.faults)
    }

    /// A value in the one form of its type, for what stands side by side: elements of a list, keys.
    pub fn key(&mut self, expr: &Expr) -> Code {
        if let (CelType::Tuple(_), ExprKind::List(items)) = (&expr.ty, &expr.kind) {
            let keys: Vec<Code> = items.iter().map(|item| self.hashed(item)).collect();
            let faults = keys.iter().map(|key| key.faults).max().unwrap_or(Faults::None);
            let keys = keys.iter().map(|key| &key.tokens);
            return Code::atom(quote!((#(#keys),*)), Form::Value).with(faults);
        }
        let code = self.value(expr);
        let faults = code.faults;
        let (tokens, form) = match expr.ty {
            CelType::Int => (code.wide(false), Form::Value),
            CelType::Uint => (code.wide(true), Form::Value),
            CelType::String if code.form == Form::Owned => (code.tokens, Form::Owned),
            CelType::String => (code.str(), Form::Str),
            CelType::Bytes => (super::operators::slice(&code), Form::Str),
            CelType::Enum(_) | CelType::Message(_) | CelType::Patch(_) => (code.reference(), Form::Ref),
            _ => (code.tokens, code.form),
        };
        Code::atom(tokens, form).with(faults)
    }

    /// A value that can be hashed.
    fn hashed(&mut self, expr: &Expr) -> Code {
        let code = self.key(expr);
        let tokens = &code.tokens;
        match expr.ty {
            CelType::Double => Code { tokens: quote!(::wireform_validation::cel::Real(#tokens)), ..code },
            CelType::Timestamp => Code { tokens: quote!(::wireform_validation::cel::Moment(#tokens)), ..code },
            _ => code,
        }
    }

    /// Goes into a loop: the variable has a name, and the outermost loop remembers what was there before.
    fn within<T>(
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
        if outermost {
            self.outside = None;
        }
        let read =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Variable(variable) if variable.number == each.variable.number);
        let reads = each.condition.iter().chain(&each.result).any(|expr| expr.any(&read));
        (made, if reads { quote!(#name) } else { quote!(_) })
    }

    /// What the loop, the outermost one, needs to be made before it.
    fn with_before(&mut self, code: Code) -> Code {
        if self.outside.is_some() || self.before.is_empty() {
            return code;
        }
        let (before, tokens) = (std::mem::take(&mut self.before), &code.tokens);
        Code { tokens: quote!({ #(#before)* #tokens }), level: Level::Block, ..code }
    }

    /// A loop that answers a question.
    pub fn each(&mut self, each: &Loop) -> Code {
        let (method, function) = match each.kind {
            LoopKind::All => (quote!(all), quote!(all)),
            LoopKind::Exists => (quote!(any), quote!(exists)),
            LoopKind::ExistsOne => return self.exactly_one(each),
            LoopKind::Filter | LoopKind::Map => {
                let expr = Expr::new(ExprKind::Loop(Box::new(each.clone())), CelType::Null);
                return self.collected(&expr);
            }
        };
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let element = items.element(quote!(#name));
        let Some(condition) = &each.condition else { return Code::known(true) };
        let (body, name) = self.within(each, &name, element, |lower| lower.logic(&Logic::of(condition, true)));
        let (list, inner) = (&items.tokens, &body.tokens);
        let code = if body.faults == Faults::None {
            Code::bool(quote!(#list.#method(|#name| #inner)), Level::Atom, items.faults)
        } else {
            let tokens = quote!(::wireform_validation::cel::#function(#list, |#name| Ok(#inner))?);
            Code::bool(tokens, Level::Atom, items.faults.max(body.faults))
        };
        self.with_before(code)
    }

    /// `exists_one`: the second element for which the condition holds ends the search.
    fn exactly_one(&mut self, each: &Loop) -> Code {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let Some(condition) = &each.condition else { return Code::known(true) };
        let (pattern, element) = items.shown(&name);
        let (body, used) = self.within(each, &name, element, |lower| lower.logic(&Logic::of(condition, true)));
        let (list, inner) = (&items.tokens, &body.tokens);
        let code = if body.faults == Faults::None {
            let pattern = if used.to_string() == "_" { used } else { pattern };
            Code::bool(quote!(#list.filter(|#pattern| #inner).take(2).count() == 1), Level::Compare, items.faults)
        } else {
            let tokens = quote!(::wireform_validation::cel::exists_one(#list, |#used| Ok(#inner))?);
            Code::bool(tokens, Level::Atom, items.faults.max(body.faults))
        };
        self.with_before(code)
    }

    fn filtered(&mut self, each: &Loop) -> Items {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let (pattern, element) = items.shown(&name);
        let truth = Expr::bool(ExprKind::Literal(Literal::Bool(true)));
        let condition = each.condition.as_ref().unwrap_or(&truth);
        let (body, used) = self.within(each, &name, element, |lower| lower.logic(&Logic::of(condition, true)));
        let pattern = if used.to_string() == "_" { used.clone() } else { pattern };
        let (list, inner) = (&items.tokens, &body.tokens);
        let (tokens, faults) = if body.faults == Faults::None {
            (quote!(#list.filter(|#pattern| #inner)), items.faults)
        } else {
            let tokens = quote!(::wireform_validation::cel::filter(#list, |#used| Ok(#inner))?.into_iter());
            (tokens, items.faults.max(body.faults))
        };
        let made = Code::atom(tokens, Form::Value);
        let tokens = self.with_before(made).tokens;
        Items { tokens, slice: None, is_place: false, faults, item: items.item }
    }

    fn mapped(&mut self, each: &Loop) -> Items {
        let items = self.items(&each.over);
        let name = self.variable_name(&each.variable);
        let element = items.element(quote!(#name));
        let truth = Expr::bool(ExprKind::Literal(Literal::Bool(true)));
        let result = each.result.as_ref().unwrap_or(&truth);
        let (body, used) = self.within(each, &name, element, |lower| match &each.condition {
            Some(condition) => {
                let condition = Logic::of(condition, true);
                lower
                    .of_present(&condition, result)
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
            let evaluated = quote!(::wireform_validation::cel::Evaluated<::std::vec::Vec<_>>);
            let tokens = quote!(#list.map(|#used| Ok(#inner)).collect::<#evaluated>()?.into_iter()#flat);
            (tokens, items.faults.max(body.faults))
        };
        let tokens = self.with_before(Code::atom(tokens, Form::Value)).tokens;
        let form = if result.ty == CelType::String && body.form != Form::Owned {
            Form::Str
        } else {
            made(&result.ty, body.form)
        };
        Items { tokens, slice: None, is_place: false, faults, item: Item::Made(form) }
    }

    /// Where the condition is that one member is there: `option.map(|member| result)`.
    fn of_present(&mut self, condition: &Logic<'_>, result: &Expr) -> Option<Code> {
        let Logic::Present(member) = condition else { return None };
        let path = Path::of(member)?;
        if self.is_collection(member) || self.find(&path).is_some() {
            return None;
        }
        let option = self.option(member);
        let name = self.member_name(member);
        self.bound.push((path, option.bound(&name)));
        let result = self.key(result);
        self.bound.pop();
        if result.faults.max(option.faults) != Faults::None {
            return None;
        }
        let (value, pattern, inner) = (&option.value, option.pattern(&name), &result.tokens);
        let as_is = inner.to_string() == pattern.to_string();
        let tokens = if as_is { value.clone() } else { quote!(#value.map(|#pattern| #inner)) };
        Some(Code { tokens, level: Level::Atom, ..result })
    }

    /// Whether two lists have the same elements in the same order.
    pub fn same_items(&mut self, a: &Expr, b: &Expr, truth: bool) -> Code {
        let is_empty = |expr: &Expr| matches!(&expr.kind, ExprKind::List(items) if items.is_empty());
        if is_empty(a) && is_empty(b) {
            return Code::known(truth);
        }
        if is_empty(a) || is_empty(b) {
            let mut items = self.items(if is_empty(a) { b } else { a });
            let tokens = match items.slice.take() {
                Some(slice) => quote!(#slice.is_empty()),
                None => {
                    let list = &items.tokens;
                    quote!(#list.next().is_none())
                }
            };
            let code = Code::bool(tokens, Level::Atom, items.faults);
            return if truth { code } else { code.not() };
        }
        let (one, other) = (self.items(a), self.items(b));
        let faults = one.faults.max(other.faults);
        if let (Item::Wire(x), Item::Wire(y), Some(left), Some(right)) =
            (&one.item, &other.item, &one.slice, &other.slice)
            && x == y
            && !matches!(x, Type::DateTime | Type::Duration)
        {
            let sign = if truth { quote!(==) } else { quote!(!=) };
            let whole = one.is_place && other.is_place;
            let range = (!whole).then(|| quote!([..]));
            return Code::bool(quote!(#left #range #sign #right #range), Level::Compare, faults);
        }
        let (CelType::List(x), CelType::List(y)) = (&a.ty, &b.ty) else { return Code::known(!truth) };
        let (mine, theirs) = (one.element(quote!(one)), other.element(quote!(other)));
        let test = self.equal_codes(x, &mine, y, &theirs, true).tokens;
        let (left, right) = (one.tokens, other.tokens);
        let same = quote! {
            ::wireform_validation::cel::same_items(#left, #right, |one, other| #test)
        };
        let code = Code::bool(same, Level::Atom, faults);
        if truth { code } else { code.not() }
    }

    /// `unique(list)`
    pub fn unique(&mut self, list: &Expr) -> Code {
        let items = self.items(list);
        let CelType::List(inner) = &list.ty else { return Code::known(true) };
        let tokens = &items.tokens;
        let item = items.element(quote!(item));
        let mapped = match (&**inner, &items.item) {
            (CelType::Double, Item::Wire(Type::Float)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| ::wireform_validation::cel::Real(#value)))
            }
            (CelType::Double, _) => quote!(#tokens.map(::wireform_validation::cel::Real)),
            (CelType::Timestamp, _) => quote!(#tokens.map(::wireform_validation::cel::Moment)),
            (CelType::Duration, Item::Wire(_)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| #value))
            }
            _ => tokens.clone(),
        };
        Code::bool(quote!(::wireform_validation::cel::unique(#mapped)), Level::Atom, items.faults)
    }

    /// `element in list`
    pub fn contained(&mut self, element: &Expr, list: &Expr) -> Code {
        let found = self.value(element);
        if matches!(list.ty, CelType::Map(_) | CelType::Object) {
            let map = self.value(list);
            let (receiver, key) = (map.receiver(), found.str());
            return Code::bool(quote!(#receiver.contains_key(#key)), Level::Atom, found.faults.max(map.faults));
        }
        if let ExprKind::List(items) = &list.kind
            && let Some(code) = self.one_of(element, &found, items)
        {
            return code;
        }
        if let Some(set) = self.looked_up(element, &found, list) {
            return set;
        }
        let items = self.items(list);
        let CelType::List(inner) = &list.ty else { return Code::known(false) };
        let inner = if **inner == CelType::Null { &element.ty } else { inner };
        let (tokens, item) = (&items.tokens, items.element(quote!(item)));
        let test = self.equal_codes(inner, &item, &element.ty, &found, true);
        let (test, faults) = (test.tokens, items.faults.max(found.faults));
        if found.faults == Faults::None {
            return Code::bool(quote!(#tokens.any(|item| #test)), Level::Atom, faults);
        }
        Code::bool(quote!(::wireform_validation::cel::exists(#tokens, |item| Ok(#test))?), Level::Atom, faults)
    }

    /// A value that is one of several that are written out.
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
            Form::Number(value) => match element.ty {
                CelType::Uint => u32::try_from(value).is_ok(),
                _ => i32::try_from(value).is_ok(),
            },
            _ => true,
        };
        let value = match element.ty {
            CelType::String if items.iter().all(|item| item.ty == CelType::String) => found.str(),
            CelType::Enum(_) if items.iter().all(|item| item.ty == element.ty) => found.tokens.clone(),
            CelType::Int | CelType::Uint if found.form == Form::Narrow && codes.iter().all(narrow) => {
                found.tokens.clone()
            }
            CelType::Int | CelType::Uint => found.wide(element.ty == CelType::Uint),
            _ => return None,
        };
        let mut patterns: Vec<String> = Vec::new();
        let mut tokens: Vec<&TokenStream> = Vec::new();
        for code in &codes {
            let text = code.tokens.to_string();
            // A pattern that stands twice would be reported as unreachable.
            if !patterns.contains(&text) {
                patterns.push(text);
                tokens.push(&code.tokens);
            }
        }
        Some(Code::bool(quote!(matches!(#value, #(#tokens)|*)), Level::Atom, found.faults))
    }

    /// Within a loop: a list that does not depend on it becomes a set, made once and only if it is asked for.
    fn looked_up(&mut self, element: &Expr, found: &Code, list: &Expr) -> Option<Code> {
        let outside = self.outside?;
        let depends = |expr: &Expr| matches!(expr.kind, ExprKind::Variable(_));
        let bound_by_list = |list: &Expr| {
            // The list's own loops have variables too; those of the loops around are what counts.
            list.any(&|expr| {
                depends(expr)
                    && self.variables.iter().any(
                        |(number, _)| matches!(&expr.kind, ExprKind::Variable(variable) if variable.number == *number),
                    )
            })
        };
        let CelType::List(inner) = &list.ty else { return None };
        let comparable = **inner == element.ty
            && matches!(element.ty, CelType::String | CelType::Int | CelType::Uint | CelType::Date | CelType::Enum(_));
        if bound_by_list(list) || !comparable || matches!(list.kind, ExprKind::List(_)) {
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
        let name = self.name("known", None);
        let item = items.element(quote!(item));
        let tokens = &items.tokens;
        let (value, key) = match element.ty {
            CelType::String if item.form != Form::StringRef => (quote!(#tokens), found.str()),
            CelType::String => {
                let item = item.str();
                (quote!(#tokens.map(|item| #item)), found.str())
            }
            CelType::Int | CelType::Uint => {
                let unsigned = element.ty == CelType::Uint;
                let (wide, key) = (item.wide(unsigned), found.wide(unsigned));
                let as_is = wide.to_string() == "item";
                (if as_is { tokens.clone() } else { quote!(#tokens.map(|item| #wide)) }, quote!(&#key))
            }
            CelType::Enum(_) => (quote!(#tokens), found.reference()),
            _ => {
                let key = &found.tokens;
                (quote!(#tokens), quote!(&#key))
            }
        };
        let set = quote!(::std::collections::HashSet<_>);
        let faults = items.faults;
        if faults == Faults::None {
            self.before.push(quote!(let #name = ::std::cell::LazyCell::new(|| #value.collect::<#set>());));
            return Some(Code::bool(quote!(#name.contains(#key)), Level::Atom, found.faults));
        }
        let evaluated = quote!(::wireform_validation::cel::Evaluated<#set>);
        self.before.push(quote!(let #name = ::std::cell::LazyCell::new(|| -> #evaluated { Ok(#value.collect()) });));
        let tokens = quote!(#name.as_ref().map_err(|fault| *fault)?.contains(#key));
        Some(Code::bool(tokens, Level::Atom, faults.max(found.faults)))
    }
}

/// The form of what a loop makes of its elements.
fn made(ty: &CelType, form: Form) -> Form {
    match ty {
        CelType::Int | CelType::Uint => Form::Value,
        _ => form,
    }
}
