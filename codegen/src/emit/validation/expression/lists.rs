//! Lists as lazy iterators, and comparisons of lists.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation};
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
    Computed(Representation),
}

impl Items {
    /// Returns an item as code.
    pub fn element(&self, tokens: TokenStream) -> Code {
        match &self.item {
            Item::Wire(ty) if is_copied(ty) || *ty == Type::Number => scalar(ty, tokens),
            Item::Wire(Type::String) => Code::atom(tokens, Representation::StringRef),
            Item::Wire(_) => Code::atom(tokens, Representation::Ref),
            Item::Computed(form) => Code::atom(tokens, *form),
        }
    }

    /// Returns the item behind the reference that `filter` passes.
    pub fn dereferenced(&self, name: &Ident) -> (TokenStream, Code) {
        match &self.item {
            Item::Computed(Representation::Owned) => {
                (quote!(#name), Code::atom(quote!(#name), Representation::StringRef))
            }
            _ => (quote!(&#name), self.element(quote!(#name))),
        }
    }
}

impl ConditionEmitter<'_> {
    /// Returns the schema type of a list or a map, if it has one.
    pub fn wire_type(&self, expr: &Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Member { of, field, .. } => match of.ty {
                CelType::Resource(id) | CelType::Patch(id) => Some(self.rust.api.resource(id).field(*field).ty.clone()),
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
            ExprKind::List(items) => self.literal_items(items),
            ExprKind::Loop(each) if each.kind == LoopKind::Filter => self.filter_items(each),
            ExprKind::Loop(each) if each.kind == LoopKind::Map => self.map_items(each),
            _ => {
                let list = self.value(expr);
                let receiver = list.receiver();
                match self.wire_type(expr) {
                    Some(Type::List(inner)) => {
                        let is_place = list.form == Representation::Place;
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

    fn literal_items(&mut self, items: &[Expr]) -> Items {
        let codes: Vec<Code> = items.iter().map(|item| self.key(item)).collect();
        let faults = codes.iter().map(|code| code.faults).max().unwrap_or(Faults::None);
        let form = codes.first().map_or(Representation::Value, |code| code.form);
        let tokens = codes.iter().map(|code| &code.tokens);
        let array = quote!([#(#tokens),*]);
        Items {
            tokens: quote!(#array.into_iter()),
            slice: Some(array),
            is_place: false,
            faults,
            item: Item::Computed(form),
        }
    }

    /// Returns a list that is not iterated; the checker rejects such lists.
    pub fn collect_list(&mut self, expr: &Expr) -> Code {
        let items = self.items(expr);
        let tokens = &items.tokens;
        Code::atom(quote!(#tokens.collect::<::std::vec::Vec<_>>()), Representation::Owned).with_faults(items.faults)
    }

    /// Returns a value in the canonical form of its type, for elements and keys.
    pub fn key(&mut self, expr: &Expr) -> Code {
        if let (CelType::Tuple(_), ExprKind::List(items)) = (&expr.ty, &expr.kind) {
            let keys: Vec<Code> = items.iter().map(|item| self.hashed(item)).collect();
            let faults = keys.iter().map(|key| key.faults).max().unwrap_or(Faults::None);
            let keys = keys.iter().map(|key| &key.tokens);
            return Code::atom(quote!((#(#keys),*)), Representation::Value).with_faults(faults);
        }
        let code = self.value(expr);
        let faults = code.faults;
        let (tokens, form) = match expr.ty {
            CelType::Int => (code.as_64_bit(false), Representation::Value),
            CelType::Uint => (code.as_64_bit(true), Representation::Value),
            CelType::String if code.form == Representation::Owned => (code.tokens, Representation::Owned),
            CelType::String => (code.str(), Representation::Str),
            CelType::Bytes => (super::operators::slice(&code), Representation::Str),
            CelType::Enum(_) | CelType::Resource(_) | CelType::Patch(_) => (code.reference(), Representation::Ref),
            _ => (code.tokens, code.form),
        };
        Code::atom(tokens, form).with_faults(faults)
    }

    /// Returns a value that can be hashed.
    fn hashed(&mut self, expr: &Expr) -> Code {
        let code = self.key(expr);
        let tokens = &code.tokens;
        match expr.ty {
            CelType::Double => Code { tokens: quote!(cel::EqFloat(#tokens)), ..code },
            CelType::Timestamp => Code { tokens: quote!(cel::EqInstant(#tokens)), ..code },
            _ => code,
        }
    }

    /// Returns the test whether two lists have the same elements in the same order.
    pub fn same_items(&mut self, a: &Expr, b: &Expr, truth: bool) -> Code {
        let is_empty = |expr: &Expr| matches!(&expr.kind, ExprKind::List(items) if items.is_empty());
        if is_empty(a) && is_empty(b) {
            return Code::constant(truth);
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
            let code = Code::bool(tokens, Precedence::Atom, items.faults);
            return if truth { code } else { code.not() };
        }
        let (one, other) = (self.items(a), self.items(b));
        let faults = one.faults.max(other.faults);
        if let (Item::Wire(x), Item::Wire(y), Some(left), Some(right)) =
            (&one.item, &other.item, &one.slice, &other.slice)
            && x == y
            && !equality::has_several_texts(self.rust.api, x)
        {
            let sign = if truth { quote!(==) } else { quote!(!=) };
            let whole = one.is_place && other.is_place;
            let range = (!whole).then(|| quote!([..]));
            return Code::bool(quote!(#left #range #sign #right #range), Precedence::Compare, faults);
        }
        let (CelType::List(x), CelType::List(y)) = (&a.ty, &b.ty) else { return Code::constant(!truth) };
        let (mine, theirs) = (one.element(quote!(one)), other.element(quote!(other)));
        let test = self.equal_codes(x, &mine, y, &theirs, true).tokens;
        let (left, right) = (one.tokens, other.tokens);
        let same = quote! {
            cel::eq_lists(#left, #right, |one, other| #test)
        };
        let code = Code::bool(same, Precedence::Atom, faults);
        if truth { code } else { code.not() }
    }

    /// Returns `unique(list)`.
    pub fn unique(&mut self, list: &Expr) -> Code {
        let items = self.items(list);
        let CelType::List(inner) = &list.ty else { return Code::constant(true) };
        let tokens = &items.tokens;
        let item = items.element(quote!(item));
        let mapped = match (&**inner, &items.item) {
            (CelType::Double, Item::Wire(Type::Float | Type::Number)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| cel::EqFloat(#value)))
            }
            (CelType::Double, _) => quote!(#tokens.map(cel::EqFloat)),
            (CelType::Timestamp, _) => quote!(#tokens.map(cel::EqInstant)),
            (CelType::Duration, Item::Wire(_)) => {
                let value = &item.tokens;
                quote!(#tokens.map(|item| #value))
            }
            _ => tokens.clone(),
        };
        Code::bool(quote!(cel::is_unique(#mapped)), Precedence::Atom, items.faults)
    }
}
