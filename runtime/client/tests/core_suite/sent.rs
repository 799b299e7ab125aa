//! Requests as they are sent.

use wireform_client::wire::Naming;
use wireform_client::{Client, ErrorKind, OptionErrorKind, RequestError, Selection};

use super::sample::{Ask, Clear, Get, GetThing, SAMPLE, Stray, Thing, get, insert};
use super::script::{respond, respond_with_headers, script, scripted_client, thing};

#[tokio::test]
async fn a_request_has_its_address_and_headers() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.build().unwrap();
    let request = Get { id: "a/b c".into(), note: Some("a note".into()), query: Some("x&y=z#?".into()) };
    let thing = client.call(request).send().await.unwrap();
    assert_eq!(thing.text.as_deref(), Some("hello"));
    let received = log.only();
    assert_eq!(received.method, "GET");
    assert_eq!(received.uri, "https://sample.example/sample/v1/things/a%2Fb%20c?q=x%26y%3Dz%23%3F");
    assert_eq!(received.header("accept"), Some("application/json"));
    assert_eq!(received.header("x-note"), Some("a note"));
    assert_eq!(received.header("user-agent"), Some(concat!("wireform-client/", env!("CARGO_PKG_VERSION"))));
    for absent in ["content-type", "content-length", "authorization", "if-match", "if-none-match"] {
        assert_eq!(received.header(absent), None, "{absent}");
    }
    assert!(!received.typed);
}

#[tokio::test]
async fn a_body_is_prepared_and_filled_in() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.new_id(|| "made-up".to_owned()).build().unwrap();
    let mut request = insert("x");
    request.body.author = Some("somebody".into());
    client.call(request.clone()).send().await.unwrap();
    let mut call = client.call(request);
    call.options_mut().keep_output_only = Some(true);
    call.send().await.unwrap();
    let [prepared, kept] = &log.all()[..] else { panic!("{}", log.count()) };
    assert_eq!(prepared.body, r#"{"id":"made-up","text":"x"}"#);
    assert_eq!(prepared.header("content-type"), Some("application/json"));
    assert_eq!(kept.body, r#"{"id":"made-up","text":"x","author":"somebody"}"#);
}

#[tokio::test]
async fn identifiers_are_random() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.keep_output_only(true).build().unwrap();
    let call = client.call(insert("x"));
    call.perform().await.unwrap();
    call.perform().await.unwrap();
    let bodies: Vec<String> = log.all().into_iter().map(|received| received.body).collect();
    assert!(bodies[0] != bodies[1] && bodies[0].len() == r#"{"id":"","text":"x"}"#.len() + 36, "{bodies:?}");
}

#[tokio::test]
async fn the_media_type_is_that_of_the_request() {
    let (client, log) = scripted_client(|_| thing());
    client.build().unwrap().call(Ask { body: Thing::default() }).send().await.unwrap();
    assert_eq!(log.only().header("content-type"), Some("application/question+json"));
}

#[tokio::test]
async fn no_body_has_a_length_of_zero() {
    let (client, log) = scripted_client(|_| respond(204, ""));
    client.build().unwrap().call(Clear).send().await.unwrap();
    assert_eq!(log.only().header("content-length"), Some("0"));
    assert_eq!(log.only().header("content-type"), None);
}

#[tokio::test]
async fn public_naming_is_used() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.naming(Naming::Public).quota_user("me & you").build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.only().target(), "/public/v1/things/1?userQuota=me%20%26%20you");
}

#[tokio::test]
async fn a_path_in_the_base_url_stays_in_front() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.base_url("https://sample.example/gate/way/").build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert_eq!(log.only().target(), "/gate/way/sample/v1/things/1");
}

#[tokio::test]
async fn standard_parameters_join_the_query() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.quota_user("all").user_agent("sample/2 (tests)").build().unwrap();
    let call = GetThing::from_call(client.call(Get { query: Some("x".into()), ..get("1") }));
    let selection = Selection::<Thing>::parse("text,id").unwrap();
    call.clone().fields(selection).pretty_print().quota_user("one").quota_user("two").send().await.unwrap();
    call.send().await.unwrap();
    let [chosen, plain] = &log.all()[..] else { panic!("{}", log.count()) };
    assert_eq!(chosen.target(), "/sample/v1/things/1?q=x&fields=id%2Ctext&prettyPrint=true&quotaUser=two");
    assert_eq!(plain.target(), "/sample/v1/things/1?q=x&quotaUser=all");
    assert_eq!(plain.header("user-agent"), Some("sample/2 (tests)"));
}

#[tokio::test]
async fn reserved_parameters_are_rejected() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.build().unwrap();
    let reserved = ["alt", "key", "access_token", "oauth_token", "callback", "uploadType", "upload_protocol"];
    for (name, kind) in reserved
        .map(|name| (name, OptionErrorKind::Reserved))
        .into_iter()
        .chain([("nosuch", OptionErrorKind::Unknown), ("quotauser", OptionErrorKind::Unknown)])
    {
        let call = GetThing::from_call(client.call(get("1"))).parameter(name, "secret-value");
        assert!(!format!("{call:?}").contains("secret-value"));
        let error = call.send().await.unwrap_err();
        let ErrorKind::Option(option) = error.kind() else { panic!("{error:?}") };
        assert_eq!((option.name.as_str(), option.kind), (name, kind));
    }
    assert_eq!(log.count(), 0);
}

#[tokio::test]
async fn values_cannot_inject_headers() {
    let (client, log) = scripted_client(|_| thing());
    let client = client.build().unwrap();
    let request = Get { note: Some("a\r\nx-evil: 1".into()), ..get("1") };
    let error = client.call(request).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Request(RequestError { parameter: "x-note", .. })), "{error:?}");
    let mut call = client.call(get("1"));
    call.options_mut().if_match = Some("\"a\"\r\nx-evil: 1".into());
    let error = call.send().await.unwrap_err();
    assert_eq!(error.to_string(), "things.get: invalid character in the value of the header `if-match`");
    let error = client.call(get("..")).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Request(_)), "{error:?}");
    assert_eq!((log.count(), error.attempts()), (0, 0));
    let request = Get { query: Some("a\r\nb".into()), ..get("1") };
    client.call(request).send().await.unwrap();
    assert!(log.only().uri.ends_with("?q=a%0D%0Ab"));
}

#[tokio::test]
async fn conditions_are_headers() {
    let (client, log) = scripted_client(|_| respond_with_headers(304, &[("etag", "\"b\"")], ""));
    let mut call = client.build().unwrap().call(get("1"));
    call.options_mut().if_none_match = Some("\"a\"".into());
    let reply = call.perform().await.unwrap();
    assert_eq!((reply.status, reply.value, reply.etag.unwrap().as_str()), (304, None, "\"b\""));
    assert_eq!(log.only().header("if-none-match"), Some("\"a\""));
    assert_eq!(call.send().await.unwrap_err().to_string(), "things.get: 304 Not Modified");
}

#[tokio::test]
async fn unexpected_304_is_an_error() {
    let (client, _) = scripted_client(|_| respond(304, ""));
    let mut call = client.build().unwrap().call(get("1"));
    call.options_mut().if_match = Some("\"a\"".into());
    assert_eq!(call.perform().await.unwrap_err().status(), Some(304));
}

#[tokio::test]
async fn the_tag_of_the_value_comes_before_that_of_the_header() {
    let body = |number| if number == 1 { r#"{"etag": "\"inner\""}"# } else { "{}" };
    let (client, _) = scripted_client(move |number| {
        respond_with_headers(200, &[("etag", "W/\"outer\""), ("x-a", "b")], body(number))
    });
    let call = client.build().unwrap().call(get("1"));
    let reply = call.perform().await.unwrap();
    assert_eq!(reply.etag.unwrap().as_str(), "\"inner\"");
    assert_eq!(reply.headers["x-a"], "b");
    assert_eq!(call.perform().await.unwrap().etag.unwrap().as_str(), "W/\"outer\"");
}

#[tokio::test]
async fn an_operation_of_another_api_is_not_sent() {
    let (client, log) = scripted_client(|_| thing());
    let error = client.build().unwrap().call(Stray).send().await.unwrap_err();
    assert_eq!(error.to_string(), "stray: the operation belongs to the API `other`, but the client to `sample`");
    assert_eq!(log.count(), 0);
}

#[tokio::test]
async fn too_long_url_is_rejected() {
    let (client, log) = scripted_client(|_| thing());
    let request = Get { query: Some("x".repeat(70_000)), ..get("1") };
    let error = client.build().unwrap().call(request).send().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Protocol(_)), "{error:?}");
    assert_eq!(log.count(), 0);
}

#[tokio::test]
async fn typed_request_is_passed_if_wanted() {
    let (script, log) = script(|_| thing());
    let client = Client::builder(&SAMPLE).transport(script.typed()).build().unwrap();
    client.call(get("1")).send().await.unwrap();
    assert!(log.only().typed);
}
