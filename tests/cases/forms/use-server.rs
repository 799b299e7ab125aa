//! Forms are encoded by the client, decoded by the server, and validated as strictly as JSON.

use forms_client::Client;
use forms_client::runtime::transport::ServiceTransport;
use forms_client::runtime::wire::{Naming, Request as _, WriteRequest as _};
use forms_server::requests::{TalliesAdd, TalliesFind, TalliesLists, TalliesLoose, TalliesOwners, TicketsAdd, TicketsChange};
use forms_server::runtime::axum::{Router, body::Body, http};
use forms_server::service::{Tallies, Tickets};
use forms_server::types::runtime::{Date, DateTime, Value, json};
use forms_server::types::{Choice, Filter, Lists, Loose, Owner, Owners, Place, State, Tally, Ticket};
use forms_server::{Context, Result};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Echo;

impl Tickets for Echo {
    async fn add(&self, request: TicketsAdd, _: &Context) -> Result<Ticket> {
        Ok(request.body.into())
    }

    async fn change(&self, request: TicketsChange, _: &Context) -> Result<Ticket> {
        Ok(request.body.unwrap_or_default().into())
    }
}

impl Tallies for Echo {
    async fn add(&self, request: TalliesAdd, _: &Context) -> Result<Tally> {
        Ok(request.body.into())
    }

    async fn loose(&self, request: TalliesLoose, _: &Context) -> Result<Loose> {
        Ok(request.body.into())
    }

    async fn lists(&self, request: TalliesLists, _: &Context) -> Result<Lists> {
        Ok(request.body.into())
    }

    async fn find(&self, request: TalliesFind, _: &Context) -> Result<Filter> {
        Ok(request.body.into())
    }

    async fn owners(&self, request: TalliesOwners, _: &Context) -> Result<Owners> {
        Ok(request.body.into())
    }
}

fn router() -> Router {
    forms_server::router(Echo)
}

fn ticket() -> Ticket {
    Ticket::default()
        .with_title("a&b=c d+\u{e9}")
        .with_tags(["x", "y,z"])
        .with_size(3)
        .with_number(i64::MAX)
        .with_open(true)
        .with_state(State::Fresh)
        .with_at(DateTime::parse("2026-01-31T12:00:00+01:00").unwrap())
        .with_owner(Owner::default().with_name("Ana"))
        .with_more([("a", 1)])
}

/// Sends a request and returns the status and body of the response.
async fn send_raw(method: &str, path: &str, content_type: &str, body: &str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri(path);
    let request = if content_type.is_empty() { request } else { request.header("content-type", content_type) };
    let response = router().call(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn fields_are_encoded_by_name() {
    let wire = TicketsAdd::new(ticket()).to_wire(Naming::Specification).unwrap();
    let body = String::from_utf8(wire.body.unwrap()).unwrap();
    assert_eq!(
        body,
        "title=a%26b%3Dc%20d%2B%C3%A9&tags=x&tags=y%2Cz&size=3&number=9223372036854775807&open=true&state=fresh\
         &at=2026-01-31T12%3A00%3A00%2B01%3A00&owner=%7B%22name%22%3A%22Ana%22%7D&more=%7B%22a%22%3A1%7D"
    );
    assert_eq!((TicketsAdd::CONTENT_TYPE, TicketsChange::CONTENT_TYPE), (FORM, "application/json"));
}

#[tokio::test]
async fn the_service_receives_what_the_client_sends() {
    let transport = ServiceTransport::new(router());
    let client: Client = Client::builder().base_url("http://localhost").transport(transport).build().unwrap();
    assert_eq!(client.tickets().add(ticket()).send().await.unwrap(), ticket());
    assert_eq!(client.tickets().change("1").body(ticket()).send().await.unwrap(), ticket());
}

#[test]
fn a_write_without_a_body_keeps_the_stored_resource() {
    let change = TicketsChange::new("1");
    assert_eq!((change.apply_to(Some(&ticket())), change.apply_to(None)), (ticket(), Ticket::default()));
    let change = TicketsChange { body: Some(Ticket::default()), ..change };
    assert_eq!(change.apply_to(Some(&ticket())), Ticket::default());
}

#[tokio::test]
async fn strings_are_decoded_as_strings() {
    let transport = forms_client::runtime::transport::ServiceTransport::new(router());
    let client: Client = Client::builder().base_url("http://localhost").transport(transport).build().unwrap();
    for text in ["12", "true", "null", "{}", "\"a\"", "a", "", " ", "[1]x"] {
        // A union of strings and objects cannot mark a string that looks like an object.
        let place = if text == "{}" { "x" } else { text };
        let ticket = Ticket::default()
            .with_title("x")
            .with_place(Place::Name(place.to_owned()))
            .with_extra(text)
            .with_choice(Choice::Text(text.to_owned()))
            .with_choices([Choice::Text(text.to_owned()), Choice::Number(12.0), Choice::Flag(true)])
            .with_notes([Value::from(text), Value::from(12), Value::from(true), json::from_str("{\"a\":1}").unwrap()]);
        assert_eq!(client.tickets().add(ticket.clone()).send().await.unwrap(), ticket, "{text:?}");
    }
    // A value in another notation is decoded as JSON if possible, and as a string otherwise.
    let (_, reply) = send_raw("POST", "/tickets", FORM, "title=x&place=12&extra=12&notes=a&notes=%221%22").await;
    assert!(reply.contains("\"place\":\"12\",\"extra\":12,\"notes\":[\"a\",\"1\"]"), "{reply}");
}

#[tokio::test]
async fn a_server_accepts_the_declared_media_types_only() {
    let json = json::to_string(&Ticket::default().with_title("x")).unwrap();
    let form = (200, json.clone());
    assert_eq!(send_raw("PUT", "/tickets/1", FORM, "subject=x").await, form);
    assert_eq!(send_raw("PUT", "/tickets/1", "application/x-www-form-urlencoded; charset=utf-8", "title=x").await, form);
    assert_eq!(send_raw("PUT", "/tickets/1", "application/json", &json).await, form);
    assert_eq!(send_raw("PUT", "/tickets/1", "", &json).await, form, "the default content type is the first one");
    assert_eq!(send_raw("POST", "/tickets", "", "title=x").await, form);
    assert_eq!(send_raw("PUT", "/tickets/1", "", "").await.0, 200);
    for (content_type, body) in [("application/json", &*json), ("text/plain", "title=x"), ("multipart/form-data", "title=x")] {
        assert_eq!(send_raw("POST", "/tickets", content_type, body).await.0, 415, "{content_type}");
    }
}

#[tokio::test]
async fn all_violations_are_reported_at_once() {
    let (status, reply) = send_raw("POST", "/tickets", FORM, "size=x&tags=1&tags=2&tags=3&tags=4&owner=%7B%22name%22:%22%22%7D").await;
    assert_eq!(status, 400, "{reply}");
    // The title, the size, the number of tags, and the name of the owner.
    for violation in ["title: is required; size: must be", "; tags: must have at most", "; owner.name: must have"] {
        assert!(reply.contains(violation), "{reply}");
    }
    assert!(send_raw("POST", "/tickets", FORM, "title=a&owner=%7B%22name%22:%22%22%7D").await.1.contains("owner.name"));
    for form in ["title=a&title=b", "title=a&subject=b", "title=%", "title=a&open=yes", "title=a&at=now", "title=a&owner=x"] {
        assert_eq!(send_raw("POST", "/tickets", FORM, form).await.0, 400, "{form}");
    }
    // A form with very many fields is refused.
    let many = "title=a&".repeat(20_000);
    assert_eq!(send_raw("POST", "/tickets", FORM, &many).await.0, 400);
}

#[tokio::test]
async fn additional_fields_of_a_form_have_their_type() {
    let transport = forms_client::runtime::transport::ServiceTransport::new(router());
    let client: Client = Client::builder().base_url("http://localhost").transport(transport).build().unwrap();
    let tally = Tally::default().with_title("12").with_rest([("a&b", 3), ("red", 0)]);
    let wire = TalliesAdd::new(tally.clone()).to_wire(Naming::Specification).unwrap();
    assert_eq!(String::from_utf8(wire.body.unwrap()).unwrap(), "title=12&a%26b=3&red=0");
    assert_eq!(client.tallies().add(tally.clone()).send().await.unwrap(), tally);
    let lists = Lists::default().with_rest([("a", vec!["1", "x,y"]), ("b", vec!["true"])].map(|(name, list)| {
        (name, list.into_iter().map(str::to_owned).collect::<Vec<_>>())
    }));
    assert_eq!(client.tallies().lists(lists.clone()).send().await.unwrap(), lists);
    let owners = Owners::default().with_rest([("car", Some(Owner::default().with_name("Ana")))]);
    assert_eq!(client.tallies().owners(owners.clone()).send().await.unwrap(), owners);
    for text in ["12", "true", "null", "{}", "\"a\"", "a", ""] {
        let loose = Loose::default()
            .with_title(text)
            .with_extra(text)
            .with_rest([("text", Value::from(text)), ("number", Value::from(12)), ("object", json::from_str("{\"a\":1}").unwrap())]);
        assert_eq!(client.tallies().loose(loose.clone()).send().await.unwrap(), loose, "{text:?}");
    }
    assert_eq!(send_raw("POST", "/loose", FORM, "subject=1&x=2&y=z").await.1, "{\"title\":\"1\",\"x\":2,\"y\":\"z\"}");
    for (form, expected) in [("red=x", "red"), ("red=-1", "red"), ("red=1&red=2", "red"), ("title=a&title=b", "title")] {
        let (status, text) = send_raw("POST", "/tallies", FORM, form).await;
        assert!(status == 400 && text.contains(expected), "{form}: {status} {text}");
    }
}

#[tokio::test]
async fn lists_are_single_fields_with_delimiters() {
    let client: Client =
        Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let filter = Filter::default()
        .with_tags(["a,b", "c d", ""])
        .with_sizes([1, -2])
        .with_states([State::Fresh, State::Old])
        .with_dates([Date::parse("2026-01-31").unwrap()])
        .with_more(["x", "y"]);
    let call = client.tallies().find(filter.clone());
    let body = call.request().to_wire(Naming::Specification).unwrap().body.unwrap();
    assert_eq!(
        String::from_utf8(body).unwrap(),
        "tags=a%2Cb,c%20d,&sizes=1%20-2&states=fresh%7Cold&dates=%5B%222026-01-31%22%5D&more=x&more=y"
    );
    assert_eq!(call.send().await.unwrap(), filter);
    let empty = filter.with_tags([""; 0]).with_more(["x"]);
    assert_eq!(client.tallies().find(empty.clone()).send().await.unwrap(), empty);
    let form = "application/x-www-form-urlencoded";
    for (body, expected) in [
        ("tag=a,b&sizes=1+2&sizes=3", (200, r#"{"tags":["a","b"],"sizes":[1,2,3]}"#)),
        ("states=old|fresh", (200, r#"{"states":["old","fresh"]}"#)),
    ] {
        assert_eq!(send_raw("POST", "/find", form, body).await, (expected.0, expected.1.to_owned()), "{body}");
    }
    for body in ["tags=1,2,3,4", "sizes=1,2", "sizes=", "states=other"] {
        let (status, text) = send_raw("POST", "/find", form, body).await;
        assert!(status == 400 && text.contains(body.split('=').next().unwrap()), "{body}: {status} {text}");
    }
    let many = format!("tags={}", "a,".repeat(10_000));
    assert_eq!(send_raw("POST", "/find", form, &many).await.0, 400);
}
