//! Comparison with the parser of the `cel` crate: both must accept the same conditions and build the same trees.

use cel::common::ast::{EntryExpr, Expr, IdedExpr, LiteralValue};

use super::recovery::damaged;
use crate::diagnostics::Code;
use crate::model::condition::{Arithmetic, Comparison, Literal};
use crate::rules::parse;
use crate::rules::tree::{Node, NodeKind, Operator};

/// Stack size that the other parser needs for the deepest condition.
const STACK: usize = 64 << 20;

/// Formats our tree in the notation of the other parser.
fn ours(node: &Node) -> String {
    let parts: Vec<String> = node.children().into_iter().map(ours).collect();
    match &node.kind {
        NodeKind::Literal(value) => literal(value),
        NodeKind::Name(name) => name.clone(),
        NodeKind::Member(_, name, _) => format!("{}.{name}", parts.concat()),
        NodeKind::Operator(sign @ (Operator::And | Operator::Or), operands) => {
            // A chain in parentheses belongs to the enclosing chain.
            let own = |node: &Node| matches!(&node.kind, NodeKind::Operator(inner, _) if inner == sign);
            let operands = operands
                .iter()
                .zip(&parts)
                .map(|(node, shown)| if own(node) { shown[5..shown.len() - 1].to_owned() } else { shown.clone() });
            format!("{}({})", sign_of(*sign), operands.collect::<Vec<_>>().join(" "))
        }
        NodeKind::Operator(sign, _) => format!("{}({})", sign_of(*sign), parts.join(" ")),
        NodeKind::Call { name, receiver, .. } => {
            format!("{}{name}({})", if *receiver { "." } else { "" }, parts.join(" "))
        }
        NodeKind::List(_) => format!("[{}]", parts.join(" ")),
        NodeKind::Map => "{}".to_owned(),
        NodeKind::Message => "message{}".to_owned(),
    }
}

fn sign_of(operator: Operator) -> &'static str {
    match operator {
        Operator::Or => "_||_",
        Operator::And => "_&&_",
        Operator::Not => "!_",
        Operator::Conditional => "_?_:_",
        Operator::Equal => "_==_",
        Operator::NotEqual => "_!=_",
        Operator::Compare(Comparison::Less) => "_<_",
        Operator::Compare(Comparison::LessOrEqual) => "_<=_",
        Operator::Compare(Comparison::Greater) => "_>_",
        Operator::Compare(Comparison::GreaterOrEqual) => "_>=_",
        Operator::Arithmetic(Arithmetic::Add) => "_+_",
        Operator::Arithmetic(Arithmetic::Subtract) => "_-_",
        Operator::Arithmetic(Arithmetic::Multiply) => "_*_",
        Operator::Arithmetic(Arithmetic::Divide) => "_/_",
        Operator::Arithmetic(Arithmetic::Remainder) => "_%_",
        Operator::Negate => "-_",
        Operator::In => "@in",
        Operator::Index => "_[_]",
    }
}

fn literal(value: &Literal) -> String {
    format!("{value:?}")
}

fn theirs(tree: &IdedExpr) -> String {
    let list = |parts: &[IdedExpr]| parts.iter().map(theirs).collect::<Vec<_>>().join(" ");
    match &tree.expr {
        Expr::Literal(value) => literal(&match value {
            LiteralValue::Boolean(value) => Literal::Bool(*value.inner()),
            LiteralValue::Bytes(value) => Literal::Bytes(value.inner().to_vec()),
            LiteralValue::Double(value) => Literal::Double(*value.inner()),
            LiteralValue::Int(value) => Literal::Int(*value.inner()),
            LiteralValue::Null => Literal::Null,
            LiteralValue::String(value) => Literal::String(value.inner().to_owned()),
            LiteralValue::UInt(value) => Literal::Uint(*value.inner()),
        }),
        Expr::Ident(name) => name.clone(),
        Expr::Select(select) => format!("{}.{}", theirs(&select.operand), select.field),
        Expr::Call(call) if matches!(call.func_name.as_str(), "_||_" | "_&&_") => {
            let mut operands = Vec::new();
            flatten(tree, &call.func_name, &mut operands);
            format!("{}({})", call.func_name, operands.join(" "))
        }
        Expr::Call(call) => match &call.target {
            Some(target) => {
                format!(".{}({})", call.func_name, format!("{} {}", theirs(target), list(&call.args)).trim_end())
            }
            None => format!("{}({})", call.func_name, list(&call.args)),
        },
        Expr::List(items) => format!("[{}]", list(&items.elements)),
        Expr::Map(map) => {
            for entry in &map.entries {
                assert!(matches!(entry.expr, EntryExpr::MapEntry(_)));
            }
            "{}".to_owned()
        }
        Expr::Struct(_) => "message{}".to_owned(),
        Expr::Unspecified | Expr::Comprehension(_) => "none".to_owned(),
    }
}

/// Collects the operands of a chain, which the other parser balances.
fn flatten(tree: &IdedExpr, sign: &str, operands: &mut Vec<String>) {
    match &tree.expr {
        Expr::Call(call) if call.func_name == sign => call.args.iter().for_each(|one| flatten(one, sign, operands)),
        _ => operands.push(theirs(tree)),
    }
}

/// Parses a text with the other parser; returns `None` if it rejects the text or panics.
fn parse_elsewhere(text: &str) -> Option<String> {
    let parser = cel::Env::default().with_optional_support(false).parser();
    let parsed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| parser.parse(text)));
    parsed.ok()?.ok().map(|tree| theirs(&tree))
}

#[test]
fn the_parser_of_another_crate_agrees() {
    let texts = [
        "a || (b || c) || d && e",
        "-1 - -1 - - x",
        "!a.b(c)[d].e ? 'x' : b'y'",
        "{a: 1, 'b': [2u, 3.5,]} == A.b{c: d}",
        ".a.b(c) in .d(e)",
        "1 < 2 == true != false in x",
        "a ? b ? c : d : e",
        "f(,)",
    ];
    let run = move || {
        let (mut agreed, mut refused) = (0, 0);
        for text in texts.into_iter().map(str::to_owned).chain(damaged(4000)) {
            match (parse::condition(&text), parse_elsewhere(&text)) {
                (Ok(tree), Some(other)) => {
                    assert_eq!(ours(&tree), other, "{text}");
                    agreed += 1;
                }
                (Err(_), None) => refused += 1,
                // Only our parser has limits.
                (Err(error), Some(_)) if error.code == Code::CelTooLarge => {}
                (one, other) => panic!("{text}: {one:?}, and elsewhere {other:?}"),
            }
        }
        assert!(agreed > 200 && refused > 200, "{agreed} agreed, {refused} refused");
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("they agree");
}
