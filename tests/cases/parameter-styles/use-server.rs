//! Parameters of every style are encoded by the client and decoded by the server.

use http_body_util::BodyExt as _;
use parameter_styles_client::Client;
use parameter_styles_client::runtime::transport::ServiceTransport;
use parameter_styles_client::runtime::wire::{Naming, Request as _};
use parameter_styles_server::requests::{Draw, Find, Mark, Place, Remember};
use parameter_styles_server::runtime::axum::{Router, body::Body, http};
use parameter_styles_server::types::{Corner, Filter, Found, Shape, State};
use parameter_styles_server::{Context, Result, service};
use tower_service::Service as _;

struct Things;

impl service::Ungrouped for Things {
    async fn find(&self, request: Find, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(request.to_wire(Naming::Specification).unwrap().target).into())
    }

    async fn place(&self, request: Place, _: &Context) -> Result<Found> {
        let wire = request.to_wire(Naming::Specification).unwrap();
        Ok(Found::default().with_echo(format!("{} {:?}", wire.target, wire.headers)).into())
    }

    async fn mark(&self, request: Mark, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(request.to_wire(Naming::Specification).unwrap().target).into())
    }

    async fn remember(&self, request: Remember, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(format!("{:?} {:?}", request.ids, request.words)).into())
    }

    async fn draw(&self, request: Draw, _: &Context) -> Result<Found> {
        Ok(Found::default().with_echo(request.to_wire(Naming::Specification).unwrap().target).into())
    }
}

fn router() -> Router {
    parameter_styles_server::router(Things)
}

async fn send_raw(target: &str) -> (u16, String) {
    let response = router().call(http::Request::get(target).body(Body::empty()).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn filter() -> Filter {
    Filter::default().with_size(3).with_words(["a&b", "c]"]).with_state(State::Old).with_open(true)
}

fn shape() -> Shape {
    Shape::default().with_corners([Corner::default().with_x(0.5)])
}

#[tokio::test]
async fn the_server_decodes_what_the_client_encodes() {
    let client: Client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let call = client.find([1, 2]).filter(filter()).shape(shape()).sizes([1, 2]).more([("a", 1)]).any("x");
    let target = call.request().to_wire(Naming::Specification).unwrap().target;
    assert_eq!(
        target,
        "/things/1,2/found?filter%5Bsize%5D=3&filter%5Bwords%5D=a%26b&filter%5Bwords%5D=c%5D&filter%5Bstate%5D=old\
         &filter%5Bopen%5D=true&shape=%7B%22corners%22%3A%5B%7B%22x%22%3A0.5%7D%5D%7D&sizes=%5B1%2C2%5D\
         &more=%7B%22a%22%3A1%7D&any=%22x%22"
    );
    assert_eq!(call.send().await.unwrap().echo.as_deref(), Some(&*target));
    let call = client.find([1]).words(["a&b", "c|d", ""]).counts([1, -2]).names(["a b", "", "c,d"]);
    let target = call.request().to_wire(Naming::Specification).unwrap().target;
    assert_eq!(target, "/things/1/found?words=a%26b%20c%7Cd%20&counts=1%7C-2&names=a%20b%7C%7Cc%2Cd");
    assert_eq!(call.send().await.unwrap().echo.as_deref(), Some(&*target));
    let target = "/things/7/found";
    assert_eq!(client.find([7]).send().await.unwrap().echo.as_deref(), Some(target));
    assert!(client.find(Vec::<i32>::new()).send().await.is_err(), "an empty list would change the path");
    let target = client.draw(filter(), shape()).send().await.unwrap().echo.unwrap();
    assert!(target.starts_with("/drawn?filter%5Bsize%5D=3&"), "{target}");
}

#[tokio::test]
async fn objects_and_maps_are_encoded_in_every_location() {
    let client: Client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let at = Filter::default().with_size(3).with_words(["a=b", "c"]);
    let call = client.place("a.b", [1, 2], ["x", "y,z"], [3, 4], [("n", 5), ("m", 6)], at);
    let call = call.filter(filter()).more([("a", 1), ("b", 2)]).x_corner(Corner::default().with_x(0.5));
    let wire = call.request().to_wire(Naming::Specification).unwrap();
    assert_eq!(
        wire.target,
        "/places/.a.b/.1.2/;words=x,y%2Cz/;counts=3;counts=4/;m=6;n=5/size=3,words=a%3Db,words=c\
         ?size=3&words=a%26b&words=c%5D&state=old&open=true&more=a,1,b,2"
    );
    assert_eq!(wire.headers, [("X-Corner", "x=0.5".to_owned())]);
    let found = call.send().await.unwrap().echo;
    assert_eq!(found, Some(format!("{} {:?}", wire.target, wire.headers)));
    let call = client.mark([("a", 1), ("b", 2)], [("c", 3)], [("d", 4), ("e", 5)], [0xfb, 0xff]).rest([("f", "6"), ("g", "7")]);
    let wire = call.request().to_wire(Naming::Specification).unwrap();
    // Bytes in a header use the alphabet of the schema, not the URL-safe one.
    assert_eq!(wire.headers, [("X-Key", "+/8=".to_owned())]);
    let target = wire.target;
    assert_eq!(target, "/marks/a,1,b,2/.c,3/.d=4.e=5?f=6&g=7");
    assert_eq!(call.send().await.unwrap().echo, Some(target));
    let incomplete = send_raw("/marks/a,1,b/.c,3/.d=4").await;
    assert_eq!(incomplete.0, 400, "{incomplete:?}");
    let no_dot = send_raw("/marks/a,1/c,3/.d=4").await;
    assert_eq!(no_dot.0, 400, "{no_dot:?}");
    let spot = client.place("x", [1], ["y"], [2], [("a.b", 1)], Filter::default().with_size(1));
    assert!(spot.send().await.is_ok());
    let ambiguous = client.mark([("a", 1)], [("b", 2)], [("c.d", 3)], [1]).send().await.unwrap_err();
    assert!(ambiguous.to_string().contains('c'), "{ambiguous}");
}

#[tokio::test]
async fn a_value_with_the_delimiter_of_its_list_is_refused_before_it_is_sent() {
    let client: Client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let words = client.find([1]).words(["a", "b c"]).send().await.unwrap_err();
    assert!(words.to_string().contains("words"), "{words}");
    let names = client.find([1]).names(["a|b"]).send().await.unwrap_err();
    assert!(names.to_string().contains("names"), "{names}");
}

#[tokio::test]
async fn a_server_decodes_other_notations() {
    for (target, expected) in [
        (
            "/things/1/found?where[size]=3&where[opened]=true",
            "/things/1/found?filter%5Bsize%5D=3&filter%5Bopen%5D=true",
        ),
        ("/things/1,2,3/found?sizes=[]", "/things/1,2,3/found"),
        ("/things/1/found?words=a+b%20c", "/things/1/found?words=a%20b%20c"),
        ("/things/1/found?counts=1|2&counts=3", "/things/1/found?counts=1%7C2%7C3"),
        ("/things/1/found?called=a%7Cb+c", "/things/1/found?names=a%7Cb%20c"),
        ("/things/1/found?any=null", "/things/1/found?any=null"),
    ] {
        assert_eq!(send_raw(target).await, (200, format!("{{\"echo\":\"{expected}\"}}")), "{target}");
    }
}

#[tokio::test]
async fn violations_are_reported_with_their_location() {
    for (target, location) in [
        ("/things/1/found?filter[size]=0", "filter"),
        ("/things/1/found?filter[size]=x", "filter"),
        ("/things/1/found?filter[size]=1&filter[size]=2", "filter"),
        ("/things/1/found?filter[other]=1", "brackets"),
        ("/things/1/found?filter=1", "brackets"),
        ("/things/1/found?filter[size=1", "brackets"),
        ("/things/1/found?filter[words]=1&filter[words]=1&filter[words]=1&filter[words]=1", "filter"),
        ("/things/1/found?filter[size]=1&where[size]=1", "filter"),
        ("/things/1/found?more=[]", "more"),
        ("/things/1/found?shape=%7B%22corners%22:[%7B%7D]%7D", "shape"),
        ("/things/1/found?shape=%7B", "shape"),
        ("/things/1/found?shape=%7B%7D&shape=%7B%7D", "shape"),
        ("/things/1/found?sizes=[%22a%22]", "sizes"),
        ("/things/1,x/found", "ids"),
        ("/things/1,2,3,4/found", "ids"),
        ("/things/1,/found", "ids"),
        ("/things/1/found?words=1+2+3+4", "words"),
        ("/things/1/found?counts=1|x", "counts"),
        ("/things/1/found?counts=1,2", "counts"),
        ("/things/1/found?names=a|b|a", "names"),
        ("/things/1/found?names=a&called=b", "names"),
        ("/drawn", "filter"),
        ("/drawn?filter[size]=1", "shape"),
        ("/things/1/found?size[a]=1", "size[a]"),
    ] {
        let (status, reply) = send_raw(target).await;
        assert!(status == 400 && reply.contains(location), "{target}: {status} {reply}");
    }
    let deep = format!("/things/1/found?any={}", "[".repeat(10_000));
    assert_eq!(send_raw(&deep).await.0, 400);
}

#[tokio::test]
async fn lists_in_cookies_are_repeated_or_separated_by_commas() {
    let client: Client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let call = client.remember().ids([1, -2]).words(["a", "", "b=c"]).side("left");
    let wire = call.request().to_wire(Naming::Specification).unwrap();
    assert_eq!(wire.headers, [("cookie", "ids=1; ids=-2; words=a,,b=c; side=left".to_owned())]);
    assert_eq!(call.send().await.unwrap().echo.as_deref(), Some(r#"[1, -2] ["a", "", "b=c"]"#));
    assert_eq!(client.remember().send().await.unwrap().echo.as_deref(), Some("[] []"));
    for text in ["a,b", "a b", "a;b", "\"a\""] {
        let error = client.remember().words(["x", text]).send().await.unwrap_err();
        assert!(error.to_string().contains("words"), "{error}");
    }
    for (cookie, status) in [
        ("ids=1; other=x; ids=2; words=a", 200),
        ("id=1; id=2; word=a,b", 200),
        ("ids=1; id=2", 400),
        ("words=a; word=b", 400),
        ("ids=1,2", 400),
        ("ids=1; ids=2; ids=3; ids=4", 400),
    ] {
        let request = http::Request::get("/remembered").header("cookie", cookie).body(Body::empty()).unwrap();
        assert_eq!(router().call(request).await.unwrap().status(), status, "{cookie}");
    }
}
