//! Syntax trees of conditions: ranges, precedence, and syntax errors.

use crate::diagnostics::Code;
use crate::model::condition::Literal;
use crate::rules::parse::condition;
use crate::rules::tree::{Node, NodeKind};

fn place_of(text: &str) -> Vec<String> {
    fn collect(node: &Node, text: &str, found: &mut Vec<String>) {
        found.push(text[node.at.clone()].to_owned());
        for part in node.children() {
            collect(part, text, found);
        }
    }
    let parsed = condition(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
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
    assert_eq!(place_of("!(a ? b : c)"), ["!(a ? b : c)", "a ? b : c", "a", "b", "c"]);
    assert_eq!(place_of("(a || b) && (c)"), ["(a || b) && (c)", "a || b", "a", "b", "c"]);
    assert_eq!(place_of("(a).b - -1"), ["(a).b - -1", "(a).b", "a", "-1"]);
}

#[test]
fn operators_bind_as_in_cel() {
    fn shown(node: &Node) -> String {
        let parts: Vec<String> = node.children().into_iter().map(shown).collect();
        match &node.kind {
            NodeKind::Operator(operator, _) => format!("{operator:?}({})", parts.join(", ")),
            NodeKind::Member(_, name, _) => format!("{}.{name}", parts.join("")),
            NodeKind::Call { name, .. } => format!("{name}({})", parts.join(", ")),
            NodeKind::Name(name) => name.clone(),
            NodeKind::Literal(Literal::Int(value)) => value.to_string(),
            other => format!("{other:?}"),
        }
    }
    for (text, tree) in [
        ("a || b && c", "Or(a, And(b, c))"),
        ("a && b && c", "And(a, b, c)"),
        ("a == b < c", "Compare(Less)(Equal(a, b), c)"),
        ("1 - 2 - 3 * 4", "Arithmetic(Subtract)(Arithmetic(Subtract)(1, 2), Arithmetic(Multiply)(3, 4))"),
        ("a ? b : c ? d : e", "Conditional(a, b, Conditional(c, d, e))"),
        ("!a.b[0]", "Not(Index(a.b, 0))"),
        ("--a", "Negate(Negate(a))"),
        ("--1", "Negate(-1)"),
        ("1-1", "Arithmetic(Subtract)(1, 1)"),
        ("-1.size()", "size(-1)"),
        (".a.b in c", "In(.a.b, c)"),
        ("a.for", "a.for"),
    ] {
        assert_eq!(condition(text).as_ref().map(shown).as_deref(), Ok(tree), "{text}");
    }
}

#[test]
fn a_syntax_error_is_reported_in_plain_words() {
    for (text, place, message) in [
        ("a ||", 4..4, "unexpected end of the condition"),
        ("a b", 2..3, "unexpected `b`"),
        ("'ä' 'b'", 5..8, "unexpected `'b'`"),
        ("99999999999999999999 > a", 0..20, "`99999999999999999999` does not fit into a signed 64-bit integer"),
        ("a == -1u", 5..8, "`-1u` is negative and cannot be unsigned"),
        ("for == 1", 0..3, "`for` is a reserved word of CEL"),
        ("a.in", 2..4, "unexpected `in`"),
        ("a ? b ? c : d : e", 6..7, "unexpected `?`"),
        ("f(a,)", 4..5, "unexpected `)`"),
        ("a.?b", 1..2, "optional values (`.?`, `[?`) are not supported"),
        ("a[?0]", 1..2, "optional values (`.?`, `[?`) are not supported"),
        ("  ", 0..2, "empty condition"),
    ] {
        let error = condition(text).expect_err(text);
        assert_eq!((error.at, error.message.as_str()), (place, message), "{text}");
    }
}

#[test]
fn a_long_chain_is_too_deep() {
    for text in [
        format!("a{}", ".b".repeat(1000)),
        format!("1{} > 0", "+1".repeat(1000)),
        format!("a{}", "[0]".repeat(900)),
        format!("{}a", "!".repeat(1000)),
    ] {
        assert_eq!(condition(&text).expect_err("it is deep").code, Code::CelTooLarge);
    }
    // Chains of logical operators add no height.
    assert!(condition(&vec!["a"; 500].join(" || ")).is_ok());
}
