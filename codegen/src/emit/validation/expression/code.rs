//! A piece of Rust and what is known of it.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

/// What a piece of code can end with instead of a value, by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Faults {
    /// It has a value.
    None,
    /// A required operand can be missing.
    Absent,
    /// Anything.
    Any,
}

/// How tightly a piece of code holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `if`, `match`, a block: nothing is put beside it without brackets.
    Block,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a == b`
    Compare,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `!a`, `*a`, `&a`
    Unary,
    /// A name, a call, a literal.
    Atom,
}

/// In which of the Rust types of a CEL type the value is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The one type: `bool`, `i64`, `u64`, `f64`, `DateTime`, `Date`, `SignedDuration`.
    Value,
    /// An integer of 32 bits.
    Narrow,
    /// A `usize`.
    Count,
    /// A whole number that is written out.
    Number(i128),
    /// A `&str`.
    Str,
    /// A `&String`.
    StringRef,
    /// A `String` that was made.
    Owned,
    /// A reference to what is meant.
    Ref,
    /// A place that holds what is meant.
    Place,
}

/// A piece of Rust.
#[derive(Clone, Debug)]
pub struct Code {
    /// The code.
    pub tokens: TokenStream,
    /// How tightly it holds together.
    pub level: Level,
    /// The type of its value.
    pub form: Form,
    /// How it can end without one.
    pub faults: Faults,
    /// Of a size: whether it is zero.
    pub empty: Option<TokenStream>,
}

impl Code {
    /// A name, a call, a literal.
    pub fn atom(tokens: TokenStream, form: Form) -> Self {
        Self { tokens, level: Level::Atom, form, faults: Faults::None, empty: None }
    }

    /// The same, ending as other pieces in it do.
    pub fn with(mut self, faults: Faults) -> Self {
        self.faults = self.faults.max(faults);
        self
    }

    /// The same, holding together like that.
    pub fn at(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// A boolean.
    pub fn bool(tokens: TokenStream, level: Level, faults: Faults) -> Self {
        Self { tokens, level, form: Form::Value, faults, empty: None }
    }

    /// `true` or `false`.
    pub fn known(value: bool) -> Self {
        Self::atom(quote!(#value), Form::Value)
    }

    /// The code, in brackets unless it holds together at least that tightly.
    pub fn within(&self, level: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level < level { quote!((#tokens)) } else { quote!(#tokens) }
    }

    /// What a method is called on.
    pub fn receiver(&self) -> TokenStream {
        self.within(Level::Atom)
    }

    /// `!code`
    pub fn not(&self) -> Self {
        let inner = self.within(Level::Unary);
        Self::bool(quote!(!#inner), Level::Unary, self.faults)
    }

    /// As a reference.
    pub fn reference(&self) -> TokenStream {
        let tokens = self.within(Level::Unary);
        match self.form {
            Form::Place | Form::Owned => quote!(&#tokens),
            _ => tokens,
        }
    }

    /// As an argument of the type `&str`; `&String` becomes one there.
    pub fn text(&self) -> TokenStream {
        self.reference()
    }

    /// As a `&str`, where nothing makes one of a `&String`.
    pub fn str(&self) -> TokenStream {
        let receiver = self.receiver();
        match self.form {
            Form::StringRef | Form::Place | Form::Owned => quote!(#receiver.as_str()),
            _ => self.tokens.clone(),
        }
    }

    /// As an `i64`, or a `u64` if it is `unsigned`.
    pub fn wide(&self, unsigned: bool) -> TokenStream {
        let tokens = &self.tokens;
        match self.form {
            Form::Narrow if unsigned => quote!(u64::from(#tokens)),
            Form::Narrow => quote!(i64::from(#tokens)),
            Form::Count => quote!(cel::count(#tokens)),
            Form::Number(value) => number(value, Some(unsigned)),
            _ => tokens.clone(),
        }
    }

    /// As a wide number, holding together at least that tightly.
    pub fn wide_within(&self, unsigned: bool, level: Level) -> TokenStream {
        match self.form {
            Form::Value => self.within(level),
            Form::Number(value) if value < 0 && level > Level::Unary => {
                let wide = self.wide(unsigned);
                quote!((#wide))
            }
            _ => self.wide(unsigned),
        }
    }
}

/// A whole number as Rust; with a type when it has to say so.
pub fn number(value: i128, unsigned: Option<bool>) -> TokenStream {
    let size = value.unsigned_abs();
    if value == i128::from(i64::MIN) {
        return quote!(i64::MIN);
    }
    let digits = match unsigned {
        None => Lit::u128_unsuffixed(size),
        Some(true) => Lit::u64_suffixed(u64::try_from(size).unwrap_or(u64::MAX)),
        Some(false) => Lit::i64_suffixed(i64::try_from(size).unwrap_or(i64::MAX)),
    };
    if value < 0 { quote!(-#digits) } else { quote!(#digits) }
}
