//! Reports of internal errors.

use super::schema;
use crate::diagnostics::Sink;
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Literal, Read, Subject};
use crate::model::{self, Api, EnumId, OperationId, ResourceId};
use crate::rules::verify;
use crate::{Source, load};

const CONDITION: &str = "this.tags.all(tag, tag.size() > 1)";

/// Returns the diagnostics of an API that is damaged after it was resolved.
fn reported(damage: impl FnOnce(&mut Api)) -> String {
    reported_of(schema("CONDITION", CONDITION, "[]"), damage)
}

pub fn reported_of(text: String, damage: impl FnOnce(&mut Api)) -> String {
    let sources = [Source::new("shop.yaml", text)];
    let mut api = load(&sources).expect("the schema has no errors");
    let mut sink = Sink::new();
    verify_all(&api, &mut sink);
    assert!(!sink.has_errors(), "there is no error yet");
    damage(&mut api);
    verify_all(&api, &mut sink);
    sink.into_sorted().iter().map(|diagnostic| diagnostic.render(&sources, false)).collect()
}

fn verify_all(api: &Api, sink: &mut Sink) {
    verify::references(api, sink);
    verify::conditions(api, sink);
}

#[test]
fn an_internal_error_names_its_place() {
    let shown = reported(|api| {
        let condition = api.conditions.resources.iter_mut().flatten().next().expect("there is a rule");
        let ExprKind::Loop(each) = &mut condition.value.kind else { panic!("the condition is a loop") };
        each.variable.number += 1;
    });
    let text = schema("CONDITION", CONDITION, "[]");
    let line = text.lines().position(|line| line.contains(CONDITION)).expect("it is there") + 1;
    assert!(shown.starts_with("error[E0901]: internal error: the condition of the rule `item.rule` reads the variable `tag` outside of its loop\n"), "{shown}");
    assert!(shown.contains(&format!("shop.yaml:{line}:")), "{shown}");
    assert!(shown.contains(CONDITION) && shown.contains("^ the generator cannot emit this"), "{shown}");
    assert!(shown.contains("help: this is a bug in the generator, not in the schema: please report it"), "{shown}");
}

#[test]
fn a_rule_without_its_condition_is_an_internal_error() {
    let shown = reported(|api| api.conditions.resources.iter_mut().for_each(Vec::clear));
    assert!(shown.contains("internal error: the rule `item.rule` was not compiled"), "{shown}");
}

#[test]
fn a_list_of_conditions_without_an_item_is_an_internal_error() {
    let shown = reported(|api| api.conditions.resources.clear());
    assert!(shown.contains("internal error: the rules of 0 of 2 resources were compiled"), "{shown}");
    let shown = reported(|api| api.conditions.operations.clear());
    assert!(shown.contains("internal error: the rules of 0 of "), "{shown}");
}

#[test]
fn a_condition_in_an_operation_that_is_not_there_is_an_internal_error() {
    let shown = reported(|api| {
        let condition = api.conditions.resources.iter().flatten().next().cloned().expect("there is a rule");
        api.conditions.effective.insert((ResourceId(0), 0, OperationId(99)), condition);
    });
    assert!(shown.contains("is for the operation 99, which the API does not have"), "{shown}");
}

#[test]
fn an_operation_without_its_parameter_is_an_internal_error() {
    let shown = reported(|api| api.operations.iter_mut().for_each(|operation| operation.parameters.clear()));
    assert!(shown.contains("has no parameter 0"), "{shown}");
}

#[test]
fn a_condition_without_its_member_is_an_internal_error() {
    let shown = reported(|api| {
        let (Some(condition), operation) = (api.conditions.resources.iter().flatten().next().cloned(), OperationId(0))
        else {
            panic!("there is a rule")
        };
        api.conditions.effective.insert((ResourceId(0), 99, operation), condition);
    });
    assert!(shown.contains("unknown field 99 of `Item` with a condition"), "{shown}");
}

/// Returns the diagnostics of a condition that replaces a compiled one.
fn reported_condition(value: Expr) -> String {
    reported(|api| {
        let condition = api.conditions.resources.iter_mut().flatten().next().expect("there is a rule");
        condition.value = value;
    })
}

#[test]
fn a_condition_that_cannot_be_written_is_an_internal_error() {
    let null = || Expr::new(ExprKind::Literal(Literal::Null), CelType::Any);
    let this = |id: ResourceId| {
        Box::new(Expr::new(ExprKind::Root(crate::model::condition::Root::This), CelType::Resource(id)))
    };
    let member = |id, field, read| Expr::new(ExprKind::Member { of: this(ResourceId(id)), field, read }, CelType::Bool);
    for (expected, value) in [
        ("has null where a value cannot be null", null()),
        ("has null where a value cannot be null", Expr::bool(ExprKind::Not(null().into()))),
        ("compares null with itself", Expr::bool(ExprKind::Equal(null().into(), null().into()))),
        ("checks the presence of a value that is not a field", Expr::bool(ExprKind::Has(null().into()))),
        ("reads a field of the unknown resource 99", member(99, 0, Read::Plain)),
        ("reads the unknown field 99 of `", member(0, 99, Read::Plain)),
        ("reads the default of `", member(0, 0, Read::Default)),
        (
            "has a value of the enum 99",
            Expr::new(ExprKind::Root(model::condition::Root::This), CelType::Enum(EnumId(99))),
        ),
        (
            "has a value of the resource 99",
            Expr::new(ExprKind::List(Vec::new()), CelType::List(CelType::Resource(ResourceId(99)).into())),
        ),
        (
            "refers to a value of the unknown enum 99",
            Expr::new(ExprKind::Literal(Literal::Enum(EnumId(99), 0)), CelType::Any),
        ),
    ] {
        let shown = reported_condition(value);
        assert!(shown.contains("error[E0901]: internal error: the condition of the rule `item.rule` "), "{shown}");
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}

#[test]
fn a_condition_of_nothing_is_an_internal_error() {
    for (expected, subject) in [
        ("refers to the unknown resource 99", Subject::Resource(ResourceId(99))),
        ("refers to the unknown operation 99", Subject::Request(OperationId(99))),
    ] {
        let shown = reported(|api| {
            let condition: &mut Condition = api.conditions.resources.iter_mut().flatten().next().expect("there is one");
            condition.subject = subject;
        });
        assert!(shown.contains(expected), "{shown}");
    }
}
