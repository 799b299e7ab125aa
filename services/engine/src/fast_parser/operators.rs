//! Operators.

use super::token::{TokenKind, Word, punctuator};

/// Returns the precedence of a binary operator; zero for other tokens.
pub(super) fn precedence(kind: TokenKind, with_in: bool) -> u8 {
    const OR: u32 = punctuator("||");
    const AND: u32 = punctuator("&&");
    const SHIFT: u32 = punctuator(">>>");
    const POWER: u32 = punctuator("**");
    match kind {
        TokenKind::Word(Word::Instanceof) => 7,
        TokenKind::Word(Word::In) if with_in => 7,
        TokenKind::Punctuator(found) => match found {
            OR => 1,
            AND => 2,
            _ if found == punctuator("|") => 3,
            _ if found == punctuator("^") => 4,
            _ if found == punctuator("&") => 5,
            _ if found == punctuator("==")
                || found == punctuator("!=")
                || found == punctuator("===")
                || found == punctuator("!==") =>
            {
                6
            }
            _ if found == punctuator("<")
                || found == punctuator(">")
                || found == punctuator("<=")
                || found == punctuator(">=") =>
            {
                7
            }
            SHIFT => 8,
            _ if found == punctuator("<<") || found == punctuator(">>") => 8,
            _ if found == punctuator("+") || found == punctuator("-") => 9,
            _ if found == punctuator("*") || found == punctuator("/") || found == punctuator("%") => 10,
            POWER => 11,
            _ => 0,
        },
        _ => 0,
    }
}

/// Returns whether a token is an assignment operator.
pub(super) fn is_assignment(kind: TokenKind) -> bool {
    const MARKS: [u32; 16] = [
        punctuator("="),
        punctuator("+="),
        punctuator("-="),
        punctuator("*="),
        punctuator("/="),
        punctuator("%="),
        punctuator("&="),
        punctuator("|="),
        punctuator("^="),
        punctuator("<<="),
        punctuator(">>="),
        punctuator(">>>="),
        punctuator("**="),
        punctuator("&&="),
        punctuator("||="),
        punctuator("??="),
    ];
    matches!(kind, TokenKind::Punctuator(found) if MARKS.contains(&found))
}
