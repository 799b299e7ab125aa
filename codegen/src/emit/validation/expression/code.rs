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
pub enum Precedence {
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
pub enum Representation {
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
    pub level: Precedence,
    /// Representation of its value.
    pub form: Representation,
    /// Ways in which it can end without a value.
    pub faults: Faults,
    /// For a size, the test whether it is zero.
    pub empty: Option<TokenStream>,
}

impl Code {
    /// Creates a name, a call or a literal.
    pub fn atom(tokens: TokenStream, form: Representation) -> Self {
        Self { tokens, level: Precedence::Atom, form, faults: Faults::None, empty: None }
    }

    /// Returns the code with the faults of its operands.
    pub fn with_faults(mut self, faults: Faults) -> Self {
        self.faults = self.faults.max(faults);
        self
    }

    /// Returns the code with a precedence.
    pub fn with_precedence(mut self, level: Precedence) -> Self {
        self.level = level;
        self
    }

    /// Creates a boolean.
    pub fn bool(tokens: TokenStream, level: Precedence, faults: Faults) -> Self {
        Self { tokens, level, form: Representation::Value, faults, empty: None }
    }

    /// Creates `true` or `false`.
    pub fn constant(value: bool) -> Self {
        Self::atom(quote!(#value), Representation::Value)
    }

    /// Returns the code, in parentheses unless it binds at least as tightly.
    pub fn parenthesized(&self, level: Precedence) -> TokenStream {
        let tokens = &self.tokens;
        if self.level < level { quote!((#tokens)) } else { quote!(#tokens) }
    }

    /// Returns the code as the receiver of a method.
    pub fn receiver(&self) -> TokenStream {
        self.parenthesized(Precedence::Atom)
    }

    /// Returns `!code`.
    pub fn not(&self) -> Self {
        let inner = self.parenthesized(Precedence::Unary);
        Self::bool(quote!(!#inner), Precedence::Unary, self.faults)
    }

    /// Returns the code as a reference.
    pub fn reference(&self) -> TokenStream {
        let tokens = self.parenthesized(Precedence::Unary);
        match self.form {
            Representation::Place | Representation::Owned => quote!(&#tokens),
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
            Representation::StringRef | Representation::Place | Representation::Owned => quote!(#receiver.as_str()),
            _ => self.tokens.clone(),
        }
    }

    /// Returns the code as an `i64`, or as a `u64` if `unsigned`.
    pub fn as_64_bit(&self, unsigned: bool) -> TokenStream {
        let tokens = &self.tokens;
        match self.form {
            Representation::Narrow if unsigned => quote!(u64::from(#tokens)),
            Representation::Narrow => quote!(i64::from(#tokens)),
            Representation::Count => quote!(cel::count_to_int(#tokens)),
            Representation::Number(value) => number(value, Some(unsigned)),
            _ => tokens.clone(),
        }
    }

    /// Returns the code as a 64-bit integer with a minimum precedence.
    pub fn as_64_bit_parenthesized(&self, unsigned: bool, level: Precedence) -> TokenStream {
        match self.form {
            Representation::Value => self.parenthesized(level),
            Representation::Number(value) if value < 0 && level > Precedence::Unary => {
                let wide = self.as_64_bit(unsigned);
                quote!((#wide))
            }
            _ => self.as_64_bit(unsigned),
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
