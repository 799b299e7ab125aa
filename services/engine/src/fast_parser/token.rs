//! Tokens of the common subset of JavaScript. Anything else is [`Unsupported`], and the engine decides about it.

/// Marker of something that only the engine can judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unsupported;

/// Result of reading a construct; an error leaves the whole file to the engine.
pub(super) type ParseResult<T> = Result<T, Unsupported>;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Identifier that is not a reserved word.
    Name,
    /// Reserved word.
    Word(Word),
    Number,
    Text,
    /// First backtick of a template.
    Template,
    /// Punctuator, with its characters as the bytes of a number: see [`punctuator`].
    Punctuator(u32),
    End,
}

/// Reserved words of the common subset.
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
    /// Word that is reserved in some context, or has a special meaning.
    Other,
}

/// Returns the number of a punctuator.
pub(super) const fn punctuator(text: &str) -> u32 {
    let bytes = text.as_bytes();
    let (mut number, mut index) = (0, 0);
    while index < bytes.len() {
        number = number << 8 | bytes[index] as u32;
        index += 1;
    }
    number
}

/// Token with its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    /// True if a line ends between the previous token and this one.
    pub(super) new_line: bool,
    /// True if no expression can continue with this token.
    pub(super) ends: bool,
}

/// Returns the kind of a word.
pub(super) fn word(text: &[u8]) -> TokenKind {
    TokenKind::Word(match text {
        b"break" => Word::Break,
        b"case" => Word::Case,
        b"catch" => Word::Catch,
        b"const" => Word::Const,
        b"continue" => Word::Continue,
        b"default" => Word::Default,
        b"do" => Word::Do,
        b"else" => Word::Else,
        b"finally" => Word::Finally,
        b"for" => Word::For,
        b"function" => Word::Function,
        b"if" => Word::If,
        b"in" => Word::In,
        b"instanceof" => Word::Instanceof,
        b"let" => Word::Let,
        b"new" => Word::New,
        b"return" => Word::Return,
        b"switch" => Word::Switch,
        b"throw" => Word::Throw,
        b"try" => Word::Try,
        b"var" => Word::Var,
        b"while" => Word::While,
        b"null" | b"true" | b"false" | b"this" | b"arguments" => Word::Value,
        b"typeof" | b"void" | b"delete" => Word::Prefix,
        b"async" | b"await" | b"class" | b"debugger" | b"enum" | b"eval" | b"export" | b"extends" | b"implements"
        | b"import" | b"interface" | b"package" | b"private" | b"protected" | b"public" | b"static" | b"super"
        | b"using" | b"with" | b"yield" => Word::Other,
        _ => return TokenKind::Name,
    })
}
