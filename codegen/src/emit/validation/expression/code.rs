//! Pieces of Rust code with the facts needed to combine them.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

/// Ways in which code can end without a value, by `?`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Faults {
    /// It always has a value.
    None,
    /// A required operand can be absent.
    Absent,
    /// Any error is possible.
    Any,
}

/// Precedence of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `if`, `match`, a block: parentheses are needed for any operator.
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

/// Rust representation of a CEL value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The canonical type: `bool`, `i64`, `u64`, `f64`, `DateTime`, `Date`, `SignedDuration`.
    Value,
    /// A 32-bit integer.
    Narrow,
    /// A `usize`.
    Count,
    /// An integer literal.
    Number(i128),
    /// A `&str`.
    Str,
    /// A `&String`.
    StringRef,
    /// An owned `String`.
    Owned,
    /// A reference to the value.
    Ref,
    /// A place that holds the value.
    Place,
}

/// Piece of Rust code.
#[derive(Clone, Debug)]
pub struct Code {
    /// Tokens.
    pub tokens: TokenStream,
    /// Precedence.
    pub level: Level,
    /// Representation of its value.
    pub form: Form,
    /// Ways in which it can end without a value.
    pub faults: Faults,
    /// For a size, the test whether it is zero.
    pub empty: Option<TokenStream>,
}

impl Code {
    /// Creates a name, a call or a literal.
    pub fn atom(tokens: TokenStream, form: Form) -> Self {
        Self { tokens, level: Level::Atom, form, faults: Faults::None, empty: None }
    }

    /// Returns the code with the faults of its operands.
    pub fn with(mut self, faults: Faults) -> Self {
        self.faults = self.faults.max(faults);
        self
    }

    /// Returns the code with a precedence.
    pub fn at(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Creates a boolean.
    pub fn bool(tokens: TokenStream, level: Level, faults: Faults) -> Self {
        Self { tokens, level, form: Form::Value, faults, empty: None }
    }

    /// Creates `true` or `false`.
    pub fn known(value: bool) -> Self {
        Self::atom(quote!(#value), Form::Value)
    }

    /// Returns the code, in parentheses unless it binds at least as tightly.
    pub fn within(&self, level: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level < level { quote!((#tokens)) } else { quote!(#tokens) }
    }

    /// Returns the code as the receiver of a method.
    pub fn receiver(&self) -> TokenStream {
        self.within(Level::Atom)
    }

    /// Returns `!code`.
    pub fn not(&self) -> Self {
        let inner = self.within(Level::Unary);
        Self::bool(quote!(!#inner), Level::Unary, self.faults)
    }

    /// Returns the code as a reference.
    pub fn reference(&self) -> TokenStream {
        let tokens = self.within(Level::Unary);
        match self.form {
            Form::Place | Form::Owned => quote!(&#tokens),
            _ => tokens,
        }
    }

    /// Returns the code as an argument of type `&str`, to which `&String` coerces.
    pub fn text(&self) -> TokenStream {
        self.reference()
    }

    /// Returns the code as a `&str`, where `&String` does not coerce.
    pub fn str(&self) -> TokenStream {
        let receiver = self.receiver();
        match self.form {
            Form::StringRef | Form::Place | Form::Owned => quote!(#receiver.as_str()),
            _ => self.tokens.clone(),
        }
    }

    /// Returns the code as an `i64`, or as a `u64` if `unsigned`.
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

    /// Returns the code as a 64-bit integer with a minimum precedence.
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

/// Returns an integer literal, with a type suffix if needed.
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
