//! Forms and parameters with brackets are encoded by the client, decoded by the server, and validated as strictly as
//! JSON.

use brackets_client::Client;
use brackets_client::runtime::transport::ServiceTransport;
use brackets_client::runtime::wire::{Naming, Request as _};
use brackets_server::requests::{FilesAdd, OrdersAdd, OrdersBound, OrdersChange, OrdersList, OrdersOf};
use brackets_server::runtime::axum::{Router, body::Body, http};
use brackets_server::service::{Files, Orders};
use brackets_server::types::runtime::{FilePart, Value, json};
use brackets_server::types::{Address, At, Bounds, Found, Order, Owner, Range, Upload};
use brackets_server::{Context, Result};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Echo;

fn found(request: &impl brackets_client::runtime::wire::Request) -> Found {
    Found::default().with_echo(request.to_wire(Naming::Specification).unwrap().target)
}

impl Orders for Echo {
    async fn add(&self, request: OrdersAdd, _: &Context) -> Result<Order> {
        Ok(request.body.into())
    }

    async fn change(&self, request: OrdersChange, _: &Context) -> Result<Order> {
        Ok(request.body.unwrap_or_default().into())
    }

    async fn bound(&self, request: OrdersBound, _: &Context) -> Result<Bounds> {
        Ok(request.body.into())
    }

    async fn list(&self, request: OrdersList, _: &Context) -> Result<Found> {
        Ok(found(&request).into())
    }

    async fn of(&self, request: OrdersOf, _: &Context) -> Result<Found> {
        Ok(found(&request).into())
    }
}

impl Files for Echo {
    async fn add(&self, request: FilesAdd, _: &Context) -> Result<Found> {
        let upload = request.body;
        let files: Vec<_> = upload.image.iter().chain(&upload.more).map(|file| file.as_slice().to_vec()).collect();
        let owner = json::to_string(&upload.owner).unwrap();
        Ok(Found::default().with_echo(format!("{owner} {:?} {files:?}", upload.tags)).into())
    }
}

fn router() -> Router {
    brackets_server::router(Echo)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

fn owner() -> Owner {
    let address = Address::default().with_city("K&el").with_lines(["a=b", ""]);
    let friend = Owner::default().with_name("Bo").with_friends([Owner::default().with_age(5)]);
    Owner::default().with_name("Ana").with_age(3).with_address(address).with_friends([friend])
}

fn order() -> Order {
    Order::default()
        .with_title("12")
        .with_owner(owner())
        .with_owners([Owner::default().with_age(1), owner()])
        .with_metadata([("a.b", "true"), ("c d", "5")])
        .with_by_name([("x", owner())])
        .with_expand(["data.owner", "x"])
        .with_rows([vec![1, 2], vec![3]])
        .with_at(At::Range(Box::new(Range::default().with_gte(5))))
        .with_ats([At::Time(7), At::Range(Box::new(Range::default().with_lt(9)))])
        .with_extra(json::from_str::<Value>(r#"{"a":["b",{"c":"d"}]}"#).unwrap())
        .with_open(false)
        .with_number(i64::MAX)
        .with_ratio(0.1)
}

const FORM: &str = "application/x-www-form-urlencoded";

/// Sends a request and returns the status and body of the response.
async fn send_raw(method: &str, path: &str, content_type: &str, body: &str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri(path).header("content-type", content_type);
    let response = router().call(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

#[test]
fn field_names_contain_the_path_of_a_value() {
    let order = Order::default().with_title("t").with_expand(["a"]).with_owner(owner());
    let wire = OrdersAdd::new(order).to_wire(Naming::Specification).unwrap();
    let body = String::from_utf8(wire.body.unwrap()).unwrap();
    assert_eq!(
        body.replace("%5B", "[").replace("%5D", "]"),
        "title=t&owner[address][city]=K%26el&owner[address][lines][0]=a%3Db&owner[address][lines][1]=&owner[age]=3\
         &owner[friends][0][friends][0][age]=5&owner[friends][0][name]=Bo&owner[name]=Ana&expand[0]=a"
    );
}

#[tokio::test]
async fn the_service_receives_what_the_client_sends() {
    assert_eq!(client().orders().add(order()).send().await.unwrap(), order());
    assert_eq!(client().orders().change("1").body(order()).send().await.unwrap(), order());
    let list = client().orders();
    let call = list.list().created(At::Time(5)).owner(owner()).expand(["a", "b"]).counts([("x", 1)]);
    let target = call.request().to_wire(Naming::Specification).unwrap().target;
    assert!(target.contains("created=5&owner%5Baddress%5D%5Bcity%5D=K%26el"), "{target}");
    assert!(target.contains("&expand%5B0%5D=a&expand%5B1%5D=b&counts%5Bx%5D=1"), "{target}");
    assert_eq!(call.send().await.unwrap().echo.as_deref(), Some(target.as_str()));
    let range = At::Range(Box::new(Range::default().with_gte(1).with_lt(2)));
    let call = client().orders().of(owner(), [owner()], range, [3, 4]);
    let target = call.request().to_wire(Naming::Specification).unwrap().target;
    assert!(target.ends_with("&at%5Bgte%5D=1&at%5Blt%5D=2&ids%5B0%5D=3&ids%5B1%5D=4"), "{target}");
    assert_eq!(call.send().await.unwrap().echo.as_deref(), Some(target.as_str()));
}

#[tokio::test]
async fn fields_of_any_name_have_brackets() {
    let within = Bounds::default().with_rest([("size", Range::default().with_lt(3))]);
    let bounds =
        Bounds::default().with_label("a").with_within(within).with_rest([("price", Range::default().with_gte(5))]);
    assert_eq!(client().orders().bound(bounds.clone()).send().await.unwrap(), bounds);
    let form = "label=a&price[gte]=5&within[size][lt]=3";
    let json = r#"{"label":"a","within":{"size":{"lt":3}},"price":{"gte":5}}"#;
    assert_eq!(send_raw("POST", "/bounds", FORM, form).await, (200, json.to_owned()));
    for (form, expected) in [("price[gte]=x", "price.gte"), ("within[size]=3", "within.size")] {
        let (status, body) = send_raw("POST", "/bounds", FORM, form).await;
        assert!(status == 400 && body.contains(expected), "{form}: {status} {body}");
    }
}

#[tokio::test]
async fn files_are_combined_with_fields_in_brackets() {
    let upload = Upload::default()
        .with_owner(Owner::default().with_name("Ana").with_address(Address::default().with_city("Kiel")))
        .with_tags(["x"])
        .with_image(FilePart::new(*b"[1]"))
        .with_more([FilePart::new(*b"2"), FilePart::new(*b"3")]);
    let text = client().files().add(upload).send().await.unwrap().echo.unwrap();
    assert_eq!(text, r#"{"name":"Ana","address":{"city":"Kiel"}} ["x"] [[91, 49, 93], [50], [51]]"#);
}

#[tokio::test]
async fn other_bracket_styles_are_accepted() {
    for (form, json) in [
        ("title=a&expand[]=b&expand[]=c", r#"{"title":"a","expand":["b","c"]}"#),
        ("title=a&expand=b&expand=c", r#"{"title":"a","expand":["b","c"]}"#),
        ("title=a&owner[called]=b&owner[age]=5", r#"{"title":"a","owner":{"name":"b","age":5}}"#),
        ("title=a&owners[][age]=1&owners[][age]=2", r#"{"title":"a","owners":[{"age":1},{"age":2}]}"#),
        ("title=a&owners[9][age]=1&owners[3][age]=2", r#"{"title":"a","owners":[{"age":2},{"age":1}]}"#),
        ("title=a&metadata%5B1%5D=b", r#"{"title":"a","metadata":{"1":"b"}}"#),
        ("title=a&at=5", r#"{"title":"a","at":5}"#),
    ] {
        assert_eq!(send_raw("POST", "/orders", FORM, form).await, (200, json.to_owned()), "{form}");
    }
    let (status, body) = send_raw("GET", "/orders?holder[name]=b&expand[]=x", "", "").await;
    assert_eq!((status, body.as_str()), (200, r#"{"echo":"/orders?owner%5Bname%5D=b&expand%5B0%5D=x"}"#));
}

#[tokio::test]
async fn forms_are_as_strict_as_json() {
    let deep = format!("title=a&extra{}=b", "[x]".repeat(40));
    let many = format!("title=a&{}", "expand[]=b&".repeat(20_000));
    for (form, expected) in [
        ("title=a&owner[age]=x", "owner.age"),
        ("title=a&owner[age]=-1", "owner.age"),
        ("title=a&owner[address][lines][]=b", "owner.address.city"),
        ("title=a&owner[friends][][age]=1&owner[friends][][age]=1&owner[friends][][age]=1", "owner.friends"),
        ("title=a&owner=b", "owner"),
        ("title=a&owner=b&owner[age]=1", "both a value and nested fields"),
        ("title=a&title=b", "title"),
        ("title=a&owner[age]=1&owner[age]=2", "owner.age"),
        ("title=a&expand[x]=b", "expected an index"),
        ("title=a&owner[[age]]=1", "unbalanced brackets"),
        ("title=a&title[b]=1", "both a value and nested fields"),
        ("owner[age]=1", "title"),
        (deep.as_str(), "too many brackets"),
        (many.as_str(), "more than 10000 fields"),
    ] {
        let (status, body) = send_raw("POST", "/orders", FORM, form).await;
        assert!(status == 400 && body.contains(expected), "{:.80}: {status} {body:.300}", form);
    }
    for (query, expected) in [
        ("owner[age]=x", "owner"),
        ("owner[[]]=x", "owner"),
        ("expand[0]=a&expand[0]=b", "expand"),
        ("expand[]=a&expand[]=b&expand[]=c&expand[]=d", "expand"),
        ("created=x", "created"),
        ("created[gte]=x", "created"),
        ("counts[a]=x", "counts"),
        ("owners[age]=1", "owners[age]"),
    ] {
        let (status, body) = send_raw("GET", &format!("/orders?{query}"), "", "").await;
        assert!(status == 400 && body.contains(expected), "{query}: {status} {body}");
    }
    let (status, body) = send_raw("GET", "/of?owner[age]=1", "", "").await;
    assert!(status == 400 && body.contains("is required"), "{status} {body}");
}

#[tokio::test]
async fn an_ambiguous_name_is_not_sent() {
    let order = Order::default().with_title("a").with_metadata([("a[b]", "c")]);
    let error = client().orders().add(order).send().await.unwrap_err();
    assert!(error.to_string().contains("contains a character that is not allowed in its location"), "{error}");
    let deep = (0..40).fold(owner(), |inner, _| Owner::default().with_friends([inner]));
    let error = client().orders().add(Order::default().with_title("a").with_owner(deep)).send().await.unwrap_err();
    assert!(error.to_string().contains("levels"), "{error}");
}
