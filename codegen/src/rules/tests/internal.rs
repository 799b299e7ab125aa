//! What a mistake of the generator looks like.

use super::schema;
use crate::diagnostics::Sink;
use crate::model::condition::ExprKind;
use crate::model::{Api, OperationId, ResourceId};
use crate::rules::verify;
use crate::{Source, load};

const CONDITION: &str = "this.tags.all(tag, tag.size() > 1)";

/// What is reported of an API that was read without a mistake and damaged afterwards.
fn reported(damage: impl FnOnce(&mut Api)) -> String {
    let sources = [Source::new("shop.yaml", schema("CONDITION", CONDITION, "[]"))];
    let mut api = load(&sources).expect("the schema has no mistakes");
    let mut sink = Sink::new();
    verify(&api, &mut sink);
    assert!(!sink.has_errors(), "there is no mistake yet");
    damage(&mut api);
    verify(&api, &mut sink);
    sink.into_sorted().iter().map(|diagnostic| diagnostic.render(&sources, false)).collect()
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
    assert!(shown.contains(CONDITION) && shown.contains("^ the generator cannot write this"), "{shown}");
    assert!(shown.contains("help: this is a mistake of the generator, not of the schema: please report it"), "{shown}");
}

#[test]
fn a_rule_without_its_condition_is_an_internal_error() {
    let shown = reported(|api| api.conditions.resources.iter_mut().for_each(Vec::clear));
    assert!(shown.contains("internal error: the rule `item.rule` was not compiled"), "{shown}");
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
    assert!(shown.contains("has no member 99, which has a condition"), "{shown}");
}
