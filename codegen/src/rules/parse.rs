//! The texts of conditions → trees with places. The parser is that of the `cel` crate, which recurses deeply, so it
//! runs on a thread with room for it.

use std::ops::Range;

use cel::common::ast::{EntryExpr, Expr, IdedExpr, LiteralValue, SourceInfo, operators};
use cel::{Env, ParseErrors};

use super::Mistake;
use super::tokens::{self, Tokens};
use super::tree::{Node, Shape};
use crate::diagnostics::Code;

/// What the thread has. Texts that are let through to the parser need a tenth of it.
const STACK: usize = 64 << 20;
/// How deep a tree may be, so that later stages can recurse over it.
const MOST_DEEP: usize = 64;

/// Parses texts, each to a tree or to what is wrong with it.
pub fn all(texts: &[&str]) -> Vec<Result<Node, Mistake>> {
    if texts.is_empty() {
        return Vec::new();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let running = thread.spawn_scoped(scope, || texts.iter().map(|text| one(text)).collect());
        match running.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(parsed)) => parsed,
            // Neither is known to happen; a diagnostic is better than an end without one.
            _ => texts.iter().map(|text| Err(unreadable(0..text.len()))).collect(),
        }
    })
}

fn unreadable(at: Range<usize>) -> Mistake {
    Mistake::new(Code::CelSyntax, at, "the condition cannot be read")
}

fn one(text: &str) -> Result<Node, Mistake> {
    let words = tokens::split(text)?;
    if words.list.is_empty() {
        return Err(Mistake::new(Code::CelSyntax, 0..text.len(), "there is no condition"));
    }
    // Without macros, `has` and `all` stay the calls as which they are written.
    let parser = Env::default().with_optional_support(false).parser();
    // What the parser does with hostile texts is not in our hands.
    let parsed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| parser.parse_with_source_info(text)));
    match parsed {
        Ok(Ok((tree, places))) => Convert { text, words, places }.node(&tree, 0),
        Ok(Err(errors)) => Err(syntax_error(text, &errors)),
        Err(_) => Err(unreadable(0..text.len())),
    }
}

/// The first error of the parser, in our words; those after it follow from it.
fn syntax_error(text: &str, errors: &ParseErrors) -> Mistake {
    let Some(error) = errors.errors.first() else { return unreadable(0..text.len()) };
    let start = byte_offset(text, error.pos);
    let rest = &text[start..];
    let end = tokens::split(rest).ok().and_then(|words| words.list.first().map(|word| start + word.end));
    let end = end.unwrap_or_else(|| start + rest.chars().next().map_or(0, char::len_utf8));
    let found = &text[start..end.max(start)];
    let message = match error.msg.as_str() {
        _ if found.trim().is_empty() => "the condition ends too early".to_owned(),
        "invalid int literal" => format!("`{found}` does not fit into a signed integer of 64 bits"),
        "invalid uint literal" => format!("`{found}` does not fit into an unsigned integer of 64 bits"),
        "invalid double literal" => format!("`{found}` is too large for a number"),
        said if said.starts_with("reserved identifier") => format!("`{found}` is a reserved word of CEL"),
        said if said.starts_with("unsupported syntax") => {
            return Mistake::new(Code::CelUnsupported, start..end, "optional values (`.?`, `[?`) are not supported")
                .help("ask with `has()` whether a member is there");
        }
        _ => format!("`{found}` cannot stand here"),
    };
    Mistake::new(Code::CelSyntax, start..end, message)
}

/// The byte at a line and a column, both counted from 1.
fn byte_offset(text: &str, (line, column): (isize, isize)) -> usize {
    let line = usize::try_from(line - 1).unwrap_or(0);
    let column = usize::try_from(column - 1).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}

struct Convert<'t> {
    text: &'t str,
    words: Tokens,
    places: SourceInfo,
}

impl Convert<'_> {
    fn node(&self, tree: &IdedExpr, depth: usize) -> Result<Node, Mistake> {
        let at = self.place(tree.id);
        if depth > MOST_DEEP {
            let message = "the condition is nested too deeply";
            return Err(Mistake::new(Code::CelTooLarge, at, message).help("split it into several rules"));
        }
        let below = |tree: &IdedExpr| self.node(tree, depth + 1);
        let (shape, at) = match &tree.expr {
            Expr::Literal(value) => (literal(value), self.signed(at, value)),
            Expr::Ident(name) => (Shape::Name(name.clone()), at),
            Expr::Select(select) => {
                let of = below(&select.operand)?;
                let name = self.words.at(at.start).and_then(|dot| self.words.list.get(dot + 1)).unwrap_or(&at).clone();
                let whole = of.at.start..name.end;
                (Shape::Member(Box::new(of), select.field.clone(), name), whole)
            }
            Expr::Call(call) => {
                let target = call.target.as_deref().map(below).transpose()?;
                let arguments = call.args.iter().map(below).collect::<Result<Vec<_>, _>>()?;
                self.call(&call.func_name, at, target, arguments)
            }
            Expr::List(list) => {
                let items = list.elements.iter().map(below).collect::<Result<_, _>>()?;
                (Shape::List(items), self.bracketed(at))
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        below(&entry.key)?;
                        below(&entry.value)?;
                    }
                }
                (Shape::Map, self.bracketed(at))
            }
            Expr::Struct(_) => (Shape::Message, self.bracketed(at)),
            Expr::Unspecified | Expr::Comprehension(_) => return Err(unreadable(at)),
        };
        Ok(Node { shape, at })
    }

    /// The bytes of the word that a node is known by; the parser gives the last one, not the end.
    fn place(&self, id: u64) -> Range<usize> {
        let (start, last) = self.places.offset_for(id).unwrap_or_default();
        let (start, end) = (start as usize, last as usize + 1);
        let end = end.clamp(start.min(self.text.len()), self.text.len());
        start.min(end)..end
    }

    /// A number with the minus before it, which the parser takes into the number.
    fn signed(&self, at: Range<usize>, value: &LiteralValue) -> Range<usize> {
        let negative = match value {
            LiteralValue::Int(value) => *value.inner() < 0,
            LiteralValue::Double(value) => value.inner().is_sign_negative(),
            _ => false,
        };
        let before =
            self.words.at(at.start).and_then(|word| word.checked_sub(1)).and_then(|word| self.words.list.get(word));
        match before {
            Some(minus) if negative && &self.text[minus.clone()] == "-" => minus.start..at.end,
            _ => at,
        }
    }

    /// From an opening bracket to the closing one.
    fn bracketed(&self, at: Range<usize>) -> Range<usize> {
        match self.words.at(at.start).and_then(|word| self.words.closing(word)) {
            Some(closing) => at.start..closing.end,
            None => at,
        }
    }

    /// A call. An operator is known by its sign, everything else by the bracket after its name.
    fn call(
        &self,
        name: &str,
        at: Range<usize>,
        target: Option<Node>,
        mut arguments: Vec<Node>,
    ) -> (Shape, Range<usize>) {
        let is_operator =
            target.is_none() && (name.contains('_') && name.starts_with(['_', '!', '-']) || name == operators::IN);
        if is_operator {
            let from = arguments.iter().map(|node| node.at.start).fold(at.start, usize::min);
            let to = arguments.iter().map(|node| node.at.end).fold(at.end, usize::max);
            let to = if name == operators::INDEX { self.bracketed(at.clone()).end.max(to) } else { to };
            return (Shape::Operator(name.to_owned(), at, arguments), from..to);
        }
        let end = self.bracketed(at.clone()).end;
        let before =
            self.words.at(at.start).and_then(|word| word.checked_sub(1)).and_then(|word| self.words.list.get(word));
        let name_at = before.cloned().unwrap_or(at);
        let start = target.as_ref().map_or(name_at.start, |target| target.at.start);
        let receiver = target.is_some();
        if let Some(target) = target {
            arguments.insert(0, target);
        }
        (Shape::Call { name: name.to_owned(), name_at, receiver, arguments }, start..end)
    }
}

fn literal(value: &LiteralValue) -> Shape {
    use crate::model::condition::Literal;
    Shape::Literal(match value {
        LiteralValue::Boolean(value) => Literal::Bool(*value.inner()),
        LiteralValue::Bytes(value) => Literal::Bytes(value.inner().to_vec()),
        LiteralValue::Double(value) => Literal::Double(*value.inner()),
        LiteralValue::Int(value) => Literal::Int(*value.inner()),
        LiteralValue::Null => Literal::Null,
        LiteralValue::String(value) => Literal::String(value.inner().to_owned()),
        LiteralValue::UInt(value) => Literal::Uint(*value.inner()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place_of(text: &str) -> Vec<String> {
        fn collect(node: &Node, text: &str, found: &mut Vec<String>) {
            found.push(text[node.at.clone()].to_owned());
            for part in node.parts() {
                collect(part, text, found);
            }
        }
        let parsed = all(&[text]).remove(0).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        let mut found = Vec::new();
        collect(&parsed, text, &mut found);
        found
    }

    #[test]
    fn every_expression_knows_where_it_stands() {
        assert_eq!(
            place_of("has(a . b) && 'ä'.size( ) > - 1"),
            [
                "has(a . b) && 'ä'.size( ) > - 1",
                "has(a . b)",
                "a . b",
                "a",
                "'ä'.size( ) > - 1",
                "'ä'.size( )",
                "'ä'",
                "- 1"
            ]
        );
        assert_eq!(place_of("x in [1, 2 ]"), ["x in [1, 2 ]", "x", "[1, 2 ]", "1", "2"]);
        assert_eq!(place_of("m['k'] "), ["m['k']", "m", "'k'"]);
        assert_eq!(place_of("!(a ? b : c)"), ["!(a ? b : c", "a ? b : c", "a", "b", "c"]);
    }

    #[test]
    fn a_mistake_of_form_is_told_in_plain_words() {
        for (text, place, message) in [
            ("a ||", 4..4, "the condition ends too early"),
            ("a b", 2..3, "`b` cannot stand here"),
            ("'ä' 'b'", 5..8, "`'b'` cannot stand here"),
            ("99999999999999999999 > a", 0..20, "`99999999999999999999` does not fit into a signed integer of 64 bits"),
            ("for == 1", 0..3, "`for` is a reserved word of CEL"),
            ("a.?b", 1..2, "optional values (`.?`, `[?`) are not supported"),
            ("  ", 0..2, "there is no condition"),
        ] {
            let mistake = all(&[text]).remove(0).expect_err(text);
            assert_eq!((mistake.at, mistake.message.as_str()), (place, message), "{text}");
        }
    }

    #[test]
    fn a_long_chain_is_too_deep() {
        for text in [
            format!("a{}", ".b".repeat(1000)),
            format!("1{} > 0", "+1".repeat(1000)),
            format!("a{}", "[0]".repeat(900)),
        ] {
            assert_eq!(all(&[text.as_str()]).remove(0).expect_err("it is deep").code, Code::CelTooLarge);
        }
        // The parser balances these.
        assert!(all(&["a || b && c", &vec!["a"; 500].join(" || ")]).iter().all(Result::is_ok));
    }
}
