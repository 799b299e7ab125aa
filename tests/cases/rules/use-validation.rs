//! Validation of orders by constraints and rules.

use rules_validation::requests::{OrdersInsert, OrdersPatch};
use rules_validation::runtime::{CheckRequests as _, Severity};
use rules_validation::types::runtime::{Merge as _, Patch, Request as _, json};
use rules_validation::types::{Item, Order, OrderPatch, State};
use rules_validation::{Rules, Validate as _, Violations, Warnings, operation, read};

fn summary(result: Result<Warnings, Violations>) -> Vec<String> {
    let line = |path: String, rule: &str, severity| match severity {
        Severity::Error => format!("{path} {rule}"),
        Severity::Warning => format!("{path} {rule}?"),
    };
    match result {
        Ok(warnings) => warnings.iter().map(|violation| line(violation.path.to_string(), violation.rule, violation.severity)).collect(),
        Err(violations) => violations.iter().map(|violation| line(violation.path.to_string(), violation.rule, violation.severity)).collect(),
    }
}

fn order(text: &str) -> Order {
    json::from_str(text).expect("an order")
}

#[test]
fn all_violations_are_reported_in_the_order_of_the_fields() {
    let invalid = order(
        r#"{"id":"ab","code":"A-1","state":"lost","customer":"nobody","link":"http://example.com","items":[{"name":""},{"count":0}],
            "notes":{"a":"12345"},"total":"1001","weight":-1,"ratio":3,"from":"2026-01-02","until":"2026-01-01","parent":{"total":"-1"},"old":"x"}"#,
    );
    assert_eq!(
        summary(invalid.validate()),
        [
            "id length", "code pattern", "state sendable_value", "customer format", "link schemes", "items[0].name length",
            "items[0].count required", "items[1].count min", "notes.a length", "total range", "weight min",
            "ratio multiple_of", "until order.days", "parent.total range", "old deprecated?",
        ]
    );
}

#[test]
fn a_request_is_checked_with_its_parameters() {
    let body = Order::default().with_id("abc").with_extra("xyz").with_sealed("s").with_secret("s").with_locked(true);
    let request = OrdersInsert::new(body.clone());
    assert_eq!(
        summary(request.validate()),
        ["customer required", "items order.not_empty", "sealed output_only", "extra effective_when?"]
    );
    let mut request = OrdersInsert::new(body.with_customer("a@example.com").with_items([Item::default().with_count(1)]));
    request.body.sealed = None;
    request.with_extra = Some(true);
    request.limit = Some(0);
    assert_eq!(summary(request.validate()), ["limit min", "limit insert.limit_needs_total", "extra length"]);
    request.limit = Some(1);
    request.body.total = Some(5.into());
    request.body.extra = None;
    request.body.weight = Some(100.0);
    assert_eq!(summary(request.validate()), ["weight order.heavy?"]);
    let erased = Rules.check_request(OrdersInsert::OPERATION, &request, None).expect("a known request");
    assert_eq!(erased.map(|warnings| warnings.count()), Ok(1));
}

#[test]
fn a_patch_is_validated_for_what_it_changes() {
    let stored = Order { locked: Some(true), total: Some(2000.into()), ..order(r#"{"id":"abc","customer":"a@example.com","items":[{"count":1}],"from":"2026-01-02"}"#) };
    let patch = |patch: OrderPatch| OrdersPatch::new("abc", patch);
    assert_eq!(summary(patch(OrderPatch { ratio: Patch::Set(5), ..OrderPatch::default() }).validate_against(&stored)), [""; 0]);
    let invalid = OrderPatch {
        id: Patch::Set("abd".into()),
        customer: Patch::Set("b@example.com".into()),
        items: Patch::Clear,
        ratio: Patch::Set(1),
        until: Patch::Set("2026-01-01".parse().expect("a date")),
        ..OrderPatch::default()
    };
    assert_eq!(summary(patch(invalid.clone()).validate()), ["ratio multiple_of"]);
    assert_eq!(
        summary(patch(invalid.clone()).validate_against(&stored)),
        ["id immutable", "customer patch.locked", "items order.not_empty", "ratio multiple_of", "until order.days"]
    );
    let sealed = OrderPatch { sealed: Patch::Set("s".into()), ..OrderPatch::default() };
    assert_eq!(summary(patch(sealed).validate()), ["sealed output_only"]);
    let mut new = stored.clone();
    new.apply(invalid);
    assert_eq!(stored.diff(&new).map(|_| ()), Some(()));
}

#[test]
fn decoding_errors_and_rule_violations_are_reported_together() {
    let result = read::<Order>(br#"{"ratio":"x","id":"ab","items":[{"count":0},7],"until":"2026-01-01","from":"tomorrow"}"#);
    let violations = result.expect_err("violations");
    let summary: Vec<String> = violations.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect();
    assert_eq!(summary, ["ratio type", "id length", "items[0].count min", "items[1] type", "from type"]);
    let (order, warnings) = read::<Order>(br#"{"id":"abc","state":"open"}"#).expect("an order");
    assert_eq!((order.state, warnings.count()), (Some(State::Open), 0));
}

#[test]
fn a_response_may_contain_output_only_fields() {
    use rules_validation::runtime::Validates as _;
    let response = order(r#"{"state":"lost","sealed":"s","locked":true,"total":"1"}"#);
    assert_eq!(summary(Rules.validate(&response, operation::response(operation::ORDERS_GET))), [""; 0]);
    let closed = order(r#"{"state":"closed"}"#);
    assert_eq!(summary(Rules.validate(&closed, operation::response(operation::ORDERS_GET))), ["total order.closed_has_total"]);
    let unknown = order(r#"{"state":"melted"}"#);
    assert_eq!(summary(unknown.validate()), ["state known_value"]);
    let report = Rules.check_response(rules_validation::requests::OrdersGet::OPERATION, br#"{"state":"melted","new":1}"#);
    assert_eq!(report.expect("a known response").iter().count(), 2);
}
