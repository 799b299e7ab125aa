//! The text of tokens → words, each group with the place where it ends.

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An identifier, a keyword or `_`.
    Name,
    Lifetime,
    /// A string without a prefix.
    Text,
    /// A literal that is no text: a number, a character, bytes.
    Other,
    /// What some characters mean together, such as `::`.
    Sign,
    Open,
    Close,
}

/// A word of some text.
#[derive(Clone, Copy, Debug)]
pub struct Word<'t> {
    pub kind: Kind,
    pub text: &'t str,
    /// Of an opening bracket: where among the words the closing one is.
    pub end: usize,
}

/// Signs of more than one character. Angle brackets are told one by one, since those of types can stand together.
const SIGNS: [&str; 18] =
    ["..=", "...", "::", "->", "=>", "==", "!=", "<=", "&&", "||", "..", "+=", "-=", "*=", "/=", "%=", "^=", "|="];

/// The words of a text that tokens were written as; none where there is something that only a parser can tell.
pub fn words(text: &str) -> Option<Vec<Word<'_>>> {
    let mut words: Vec<Word<'_>> = Vec::with_capacity(text.len() / 5);
    let mut open = Vec::new();
    let mut rest = text.trim_start_matches(' ');
    while let Some(&first) = rest.as_bytes().first() {
        let (kind, length) = scanned(rest, first)?;
        let (found, after) = rest.split_at_checked(length)?;
        match kind {
            Kind::Open => open.push(words.len()),
            Kind::Close => {
                let at = words.len();
                words.get_mut(open.pop()?)?.end = at;
            }
            _ => {}
        }
        words.push(Word { kind, text: found, end: 0 });
        rest = after.trim_start_matches(' ');
    }
    open.is_empty().then_some(words)
}

/// What a text begins with, and how long that is.
fn scanned(text: &str, first: u8) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    let second = bytes.get(1).copied();
    Some(match (first, second) {
        (b'(' | b'[' | b'{', _) => (Kind::Open, 1),
        (b')' | b']' | b'}', _) => (Kind::Close, 1),
        (b'"', _) => (Kind::Text, 1 + quoted(&bytes[1..], b'"')?),
        (b'b', Some(quote @ (b'"' | b'\''))) => (Kind::Other, 2 + quoted(&bytes[2..], quote)?),
        // Raw strings and C strings are rare; raw identifiers are not.
        (b'r' | b'c', Some(b'"')) | (b'b', Some(b'r')) if is_raw_text(bytes) => return None,
        (b'r', Some(b'#')) if bytes.get(2).is_some_and(|&c| is_word(c)) => (Kind::Name, 2 + word(&bytes[2..])),
        (b'r', Some(b'#')) => return None,
        (b'\'', Some(b'\\')) => (Kind::Other, 1 + quoted(&bytes[1..], b'\'')?),
        (b'\'', _) => {
            let length = text.get(1..)?.chars().next()?.len_utf8();
            match bytes.get(1 + length) {
                Some(b'\'') => (Kind::Other, 2 + length),
                _ => (Kind::Lifetime, 1 + word(&bytes[1..])),
            }
        }
        (b'0'..=b'9', _) => (Kind::Other, number(bytes)?),
        _ if is_word(first) => (Kind::Name, word(bytes)),
        _ => (Kind::Sign, SIGNS.iter().find(|sign| text.starts_with(**sign)).map_or(1, |sign| sign.len())),
    })
}

fn is_raw_text(bytes: &[u8]) -> bool {
    let after = bytes.iter().position(|c| !matches!(c, b'b' | b'r' | b'c')).unwrap_or(bytes.len());
    matches!(bytes.get(after), Some(b'"' | b'#'))
}

fn is_word(c: u8) -> bool {
    c == b'_' || c.is_ascii_alphanumeric() || !c.is_ascii()
}

fn word(bytes: &[u8]) -> usize {
    bytes.iter().position(|&c| !is_word(c)).unwrap_or(bytes.len())
}

/// The length of a number; none where its exponent has a sign, which ends a word elsewhere.
fn number(bytes: &[u8]) -> Option<usize> {
    let whole = word(bytes);
    let length = match (bytes.get(whole), bytes.get(whole + 1)) {
        (Some(b'.'), Some(b'0'..=b'9')) => whole + 1 + word(&bytes[whole + 1..]),
        _ => whole,
    };
    let exponent = !bytes.starts_with(b"0x") && matches!(bytes.get(length - 1), Some(b'e' | b'E'));
    let signed = matches!(bytes.get(length), Some(b'+' | b'-'));
    (!(exponent && signed)).then_some(length)
}

/// Where a literal ends, its last quote included.
fn quoted(bytes: &[u8], quote: u8) -> Option<usize> {
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            c if *c == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}
