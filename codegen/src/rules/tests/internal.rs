//! Reports of internal errors.

use super::schema;
use crate::diagnostics::Sink;
use crate::model::condition::{CelType, Condition, Expr, ExprKind, Literal, Read, Subject};
use crate::model::{self, Api, Argument, EnumId, NextPage, OperationId, ResourceId, ScopeRequirement, Type, UnionId};
use crate::rules::verify;
use crate::{Source, load};

const CONDITION: &str = "this.tags.all(tag, tag.size() > 1)";

/// Returns the diagnostics of an API that is damaged after it was resolved.
fn reported(damage: impl FnOnce(&mut Api)) -> String {
    reported_of(schema("CONDITION", CONDITION, "[]"), damage)
}

fn reported_of(text: String, damage: impl FnOnce(&mut Api)) -> String {
    let sources = [Source::new("shop.yaml", text)];
    let mut api = load(&sources).expect("the schema has no mistakes");
    let mut sink = Sink::new();
    verify_all(&api, &mut sink);
    assert!(!sink.has_errors(), "there is no mistake yet");
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

/// API with every kind of index.
const REFERENCES: &str = r##"
api: shop
root: https://shop.example
errors: { body: Failure, message: message }
scopes: { items: { doc: Items., url: "https://shop.example/items" } }
security_schemes: { login: { doc: A login., type: http, scheme: basic } }
enums:
  State: { doc: A state., values: { open: Open., done: Done. } }
unions:
  Place: { doc: Where something is., discriminator: kind, variants: { shelf: { type: Shelf, doc: A shelf. } } }
resources:
  Shelf: { doc: A shelf., fields: { kind: { type: string, doc: What it is. }, floor: { type: int32, doc: Its floor. } } }
  Failure: { doc: What an error says., fields: { message: { type: string, doc: In words. } } }
  Item:
    doc: An item.
    fields:
      id: { type: string, pattern: '^[a-z]+$', doc: Its name. }
      state: { type: State, doc: Its state., default: open }
      place: { type: Place, doc: Where it is. }
      gone: { type: bool, doc: Whether it is gone. }
    states:
      state: { initial: open, transitions: [{ from: open, to: done, on: items.finish }] }
  Items:
    doc: Items.
    fields:
      items: { type: [Item], doc: Them. }
      next: { type: string, format: page_token, doc: The next page. }
      cursor: { type: string, format: sync_token, doc: Up to here. }
  Work:
    doc: Work.
    long_running: { name: name, done: done, response: response, poll: works.get }
    fields:
      name: { type: string, doc: Its name. }
      done: { type: bool, doc: Whether it has ended. }
      response: { type: object, doc: What came of it. }
operations:
  works.get: { doc: Reads work., http: "GET /works/{name}", path: { name: { type: string, doc: The work. } }, response: Work }
  items.list:
    doc: Lists items.
    http: GET /items
    scopes: { any_of: [items] }
    query:
      token: { type: string, format: page_token, doc: The page. }
      since: { type: string, format: sync_token, doc: What has changed. }
      all: { type: bool, default: false, doc: All of them. }
    response: Items
    pages: { token: token, next: next, items: items }
    sync: { resume: since, cursor: cursor, expired: { status: 410 }, forbids: [all], changes: [id] }
  items.login: { doc: Logs in., http: POST /login, security: [{ login: [] }] }
  items.finish: { doc: Ends an item., http: POST /finish, response: Work }
"##;

/// Damage of a model, with the expected message.
type Damage = (&'static str, fn(&mut Api));

fn operation<'a>(api: &'a mut Api, name: &str) -> &'a mut model::Operation {
    api.operations.iter_mut().find(|operation| operation.name == name).expect("it is there")
}

fn resource<'a>(api: &'a mut Api, name: &str) -> &'a mut model::Resource {
    api.resources.iter_mut().find(|resource| resource.name.wire == name).expect("it is there")
}

const DAMAGES: &[Damage] = &[
    ("has a type that was not resolved", |api| resource(api, "Item").fields[0].ty = Type::Unresolved),
    ("has a type that was not resolved", |api| {
        operation(api, "items.list").responses[0].ty = Some(Type::List(Type::Unresolved.into()));
    }),
    ("refers to the unknown resource 99", |api| resource(api, "Item").fields[0].ty = Type::Resource(ResourceId(99))),
    ("refers to the unknown union 99", |api| {
        resource(api, "Item").fields[0].ty = Type::List(Type::Union(UnionId(99)).into())
    }),
    ("refers to the unknown enum 99", |api| operation(api, "items.list").parameters[0].ty = Type::Enum(EnumId(99))),
    ("has no value of `State` 99", |api| {
        resource(api, "Item").fields[1].default = Some(model::Literal::Enum(EnumId(0), 99));
    }),
    ("has no state of `State` 99", |api| resource(api, "Item").states[0].transitions[0].to = 99),
    ("has no field 99", |api| resource(api, "Item").states[0].field = 99),
    ("has no field 99", |api| resource(api, "Work").long_running.as_mut().expect("it is").done = 99),
    ("has the pattern `x`, which was not compiled", |api| {
        resource(api, "Item").fields[0].constraints.pattern = Some("x".to_owned());
    }),
    ("has the invalid Rust name `` for the field `id`", |api| resource(api, "Item").fields[0].name.ident.clear()),
    ("has the invalid Rust name `a b` for the variant `shelf`", |api| {
        api.unions[0].variants[0].name.ident = "a b".to_owned();
    }),
    ("has no discriminator, which its variant `shelf` has", |api| api.unions[0].discriminator = None),
    ("has no field of `Shelf` 99", |api| api.unions[0].variants[0].discriminator = Some(99)),
    ("which is not a resource", |api| api.unions[0].variants[0].ty = Type::String),
    ("refers to the unknown scope 99", |api| operation(api, "items.list").scopes = ScopeRequirement::AnyOf(vec![99])),
    ("refers to the unknown scheme 99", |api| {
        operation(api, "items.login").security.as_mut().expect("it has some")[0][0].scheme = 99;
    }),
    ("has no parameter 99", |api| {
        operation(api, "items.list").pages.as_mut().expect("it has some").next =
            NextPage::Token { parameter: 99, field: 1 };
    }),
    ("has no field of its response 99", |api| {
        operation(api, "items.list").pages.as_mut().expect("it has some").items = Some(99);
    }),
    ("of its response, which is not a resource", |api| operation(api, "items.list").responses.clear()),
    ("has no field of its response 99", |api| operation(api, "items.list").sync.as_mut().expect("it is").cursor = 99),
    ("has no parameter 99", |api| {
        operation(api, "items.list").sync.as_mut().expect("it is").forbidden[0].parameter = 99;
    }),
    ("refers to the unknown operation 99", |api| {
        operation(api, "items.finish").long_running_start.as_mut().expect("it starts work").poll = OperationId(99);
    }),
    ("has no parameter 99", |api| {
        operation(api, "items.finish").long_running_start.as_mut().expect("it starts work").arguments =
            vec![Argument::Parameter(99)];
    }),
    ("has no field of its response 99", |api| {
        operation(api, "items.finish").long_running_start.as_mut().expect("it starts work").arguments =
            vec![Argument::Member(99)];
    }),
    ("starts work that its response does not describe", |api| resource(api, "Work").long_running = None),
    ("polls with 0 of 1 parameters", |api| {
        operation(api, "items.finish").long_running_start.as_mut().expect("it starts work").arguments.clear();
    }),
    ("has the operation `works.get` in 0 groups", |api| api.groups.groups[0].operations.clear()),
    ("has the operation `works.get` in 2 groups", |api| {
        let id = api.groups.groups[0].operations[0];
        api.groups.operations.push(id);
    }),
    ("for the service of a group", |api| api.groups.service_trait.clear()),
    ("for the module of the group `works`", |api| api.groups.groups[0].module.clear()),
    ("for the type of the group `works`", |api| api.groups.groups[0].type_name.clear()),
    ("for the call", |api| operation(api, "items.login").types.call.clear()),
    ("for the call for changes", |api| {
        operation(api, "items.list").types.changes.as_mut().expect("it lists changes").1.clear();
    }),
    ("for the headers", |api| operation(api, "items.login").types.headers = "a b".to_owned()),
    ("for the setter of the parameter `token`", |api| operation(api, "items.list").parameters[0].setter.clear()),
    ("for the methods of the field `id`", |api| resource(api, "Item").fields[0].name.stem = "a b".to_owned()),
    ("for the variant of a change", |api| {
        operation(api, "items.list").sync.as_mut().expect("it is").changes[0].variant.clear();
    }),
    ("has no field of its items 99", |api| {
        operation(api, "items.list").sync.as_mut().expect("it is").changes[0].field = 99;
    }),
    ("has no member `message` in errors, which is their `message`", |api| {
        api.error_body = Some(ResourceId(0));
    }),
    ("has no step of the error member `message` 99", |api| {
        api.error_fields.message.as_mut().expect("it is").lists.push(99);
    }),
    ("the API refers to the unknown operation 99", |api| api.groups.groups[0].operations.push(OperationId(99))),
    ("the API refers to the unknown resource 99", |api| api.error_body = Some(ResourceId(99))),
];

#[test]
fn a_reference_that_leads_nowhere_is_an_internal_error() {
    for (expected, damage) in DAMAGES {
        let shown = reported_of(REFERENCES.to_owned(), damage);
        assert!(shown.starts_with("error[E0901]: internal error: "), "{expected}: {shown}");
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
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
