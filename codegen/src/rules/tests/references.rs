//! Internal errors for references of a model that lead nowhere.

use super::internal::reported_of;
use crate::model::{
    self, Api, Argument, EnumId, FieldPath, NextPage, OperationId, ResourceId, ScopeRequirement, Type, UnionId,
};

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
            NextPage::Token { parameter: 99, field: FieldPath::new(&[1]).expect("a field") };
    }),
    ("has no field of its response 99", |api| {
        operation(api, "items.list").pages.as_mut().expect("it has some").items = FieldPath::new(&[99]);
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
    ("for the module of the group `works`", |api| api.groups.groups[0].modules[0].clear()),
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
