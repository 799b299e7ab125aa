//! Tokens of the common part of JavaScript. What is unusual is [`Unsure`]: the engine decides about it.

/// The file has something that only the engine judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsure;

pub(super) type Sure<T> = Result<T, Unsure>;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier that is no reserved word.
    Name,
    /// A reserved word.
    Word(Word),
    Number,
    Text,
    /// The first backtick of a template.
    Template,
    /// A punctuator, its characters as the bytes of a number: see [`mark`].
    Mark(u32),
    End,
}

/// The reserved words of the common part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Break,
    Case,
    Catch,
    Const,
    Continue,
    Default,
    Do,
    Else,
    Finally,
    For,
    Function,
    If,
    In,
    Instanceof,
    Let,
    New,
    Return,
    Switch,
    Throw,
    Try,
    Var,
    While,
    /// `null`, `true`, `false`, `this`, `arguments`.
    Value,
    /// `typeof`, `void`, `delete`.
    Prefix,
    /// A word that is reserved somewhere, or has a meaning of its own.
    Other,
}

/// The number of a punctuator.
pub(super) const fn mark(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut number, mut index) = (0, 0);
    while index < bytes.len() {
        number = number << 8 | bytes[index] as u32;
        index += 1;
    }
    number
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    /// Whether a line ends between the token before and this one.
    pub(super) new_line: bool,
}

/// Returns the kind of a word.
pub(super) fn word(text: &str) -> Kind {
    Kind::Word(match text {
        "break" => Word::Break,
        "case" => Word::Case,
        "catch" => Word::Catch,
        "const" => Word::Const,
        "continue" => Word::Continue,
        "default" => Word::Default,
        "do" => Word::Do,
        "else" => Word::Else,
        "finally" => Word::Finally,
        "for" => Word::For,
        "function" => Word::Function,
        "if" => Word::If,
        "in" => Word::In,
        "instanceof" => Word::Instanceof,
        "let" => Word::Let,
        "new" => Word::New,
        "return" => Word::Return,
        "switch" => Word::Switch,
        "throw" => Word::Throw,
        "try" => Word::Try,
        "var" => Word::Var,
        "while" => Word::While,
        "null" | "true" | "false" | "this" | "arguments" => Word::Value,
        "typeof" | "void" | "delete" => Word::Prefix,
        "async" | "await" | "class" | "debugger" | "enum" | "eval" | "export" | "extends" | "implements" | "import"
        | "interface" | "package" | "private" | "protected" | "public" | "static" | "super" | "using" | "with"
        | "yield" => Word::Other,
        _ => return Kind::Name,
    })
}
