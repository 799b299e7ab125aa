//! Lists as lazy iterators, and comparisons of lists.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Lower;
use super::code::{Code, Faults, Form, Level};
use super::optional::{is_copied, scalar};
use crate::emit::validation::equality;
use crate::model::Type;
use crate::model::condition::{CelType, Expr, ExprKind, LoopKind};

/// Iterator.
pub struct Items {
    /// Tokens.
    pub tokens: TokenStream,
    /// Underlying slice or vector, if there is one.
    pub slice: Option<TokenStream>,
    /// True if it is a vector.
    pub is_place: bool,
    /// Ways in which it can end without a value.
    pub faults: Faults,
    /// Items.
    pub item: Item,
}

/// Items of an iterator.
#[derive(Clone)]
pub enum Item {
    /// Values of a schema type: copied, or by reference.
    Wire(Type),
    /// Computed values in a representation.
    Made(Form),
}

impl Items {
    /// Returns an item as code.
    pub fn element(&self, tokens: TokenStream) -> Code {
        match &self.item {
            Item::Wire(ty) if is_copied(ty) => scalar(ty, tokens),
            Item::Wire(Type::String) => Code::atom(tokens, Form::StringRef),
            Item::Wire(_) => Code::atom(tokens, Form::Ref),
            Item::Made(form) => Code::atom(tokens, *form),
        }
    }

    /// Returns the item behind the reference that `filter` passes.
    pub fn shown(&self, name: &Ident) -> (TokenStream, Code) {
        match &self.item {
            Item::Made(Form::Owned) => (quote!(#name), Code::atom(quote!(#name), Form::StringRef)),
            _ => (quote!(&#name), self.element(quote!(#name))),
        }
    }
}

impl Lower<'_> {
    /// Returns the schema type of a list or a map, if it has one.
    pub fn wire_type(&self, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Member { of, field, .. } => match of.ty {
                CelType::Message(id) | CelType::Patch(id) => Some(self.rust.api.resource(id).field(*field).ty.clone()),
                _ => None,
            },
            ExprKind::Parameter(index, _) => Some(self.operation?.parameter(*index).ty.clone()),
            ExprKind::Index(of, _) => match self.wire_type(of)? {
                Type::List(inner) | Type::Map(inner) => Some(*inner),
                _ => None,
            },
            ExprKind::Root(crate::model::condition::Root::Body) => Some(self.operation?.body.as_ref()?.ty.clone()),
            ExprKind::Variable(variable) => self.variable_types.get(&variable.number).cloned(),
            _ => None,
        }
    }

    /// Returns a list, or the keys of a map, as an iterator.
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

    /// Returns a list that is not iterated; the checker rejects such lists.
    pub fn collected(&mut self, expr: &Expr) -> Code {
        let items = self.items(expr);
        let tokens = &items.tokens;
        Code::atom(quote!(#tokens.collect::<::std::vec::Vec<_>>()), Form::Owned).with(items.faults)
    }

    /// Returns a value in the canonical form of its type, for elements and keys.
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

    /// Returns a value that can be hashed.
    fn hashed(&mut self, expr: &Expr) -> Code {
        let code = self.key(expr);
        let tokens = &code.tokens;
        match expr.ty {
            CelType::Double => Code { tokens: quote!(cel::Real(#tokens)), ..code },
            CelType::Timestamp => Code { tokens: quote!(cel::Moment(#tokens)), ..code },
            _ => code,
        }
    }

    /// Returns the test whether two lists have the same elements in the same order.
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
            && !equality::is_spelled(self.rust.api, x)
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
            cel::same_items(#left, #right, |one, other| #test)
        };
        let code = Code::bool(same, Level::Atom, faults);
        if truth { code } else { code.not() }
    }

    /// Returns `unique(list)`.
    pub fn unique(&mut self, list: &Expr) -> Code {
        let items = self.items(list);
        let CelType::List(inner) = &list.ty else { return Code::known(true) };
        let tokens = &items.tokens;
        let item = items.element(quote!(item));
        let mapped = match (&**inner, &items.item) {
            (CelType::Double, Item::Wire(Type::Float)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| cel::Real(#value)))
            }
            (CelType::Double, _) => quote!(#tokens.map(cel::Real)),
            (CelType::Timestamp, _) => quote!(#tokens.map(cel::Moment)),
            (CelType::Duration, Item::Wire(_)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| #value))
            }
            _ => tokens.clone(),
        };
        Code::bool(quote!(cel::unique(#mapped)), Level::Atom, items.faults)
    }
}
