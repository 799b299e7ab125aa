//! Keys in URLs: they are sent with the request, and appear nowhere else.

use wireform_client::wire::operation::{
    Api, AuthRequirement, Operation, ParameterLocation, SchemeKind, SchemeRequirement, SecurityScheme, Segment,
    UploadDescription, UploadEndpoint,
};
use wireform_client::wire::{__private::RequestEncoder, Naming};
use wireform_client::{Batch, Client, Credentials, Media, Protocol, Request, Upload};

use super::sample::*;
use super::script::*;

const SCHEME: SecurityScheme =
    SecurityScheme { name: "store", kind: SchemeKind::ApiKey(ParameterLocation::Query, "storeKey") };

const fn operation(scopes: AuthRequirement, api_key: bool) -> Operation {
    Operation {
        name: "files.add",
        method: "POST",
        path: &[Segment::Literal("files")],
        verb: None,
        parameters: &[],
        scopes,
        api_key,
        safe: false,
        idempotent: false,
        cost: 1,
    }
}

const fn media(operation: Operation) -> UploadDescription {
    let endpoint =
        UploadEndpoint { operation: Operation { path: &[Segment::Literal("upload")], ..operation }, multipart: true };
    UploadDescription { types: &[], max_bytes: None, simple: None, resumable: Some(endpoint) }
}

/// Operation that requires a key of a security scheme.
#[derive(Clone, Debug, PartialEq)]
struct Locked;

impl Request for Locked {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation =
        &operation(AuthRequirement::Schemes(&[&[SchemeRequirement { scheme: &SCHEME, scopes: &[] }]]), false);
    type Response = ();
    type ErrorBody = ErrorBody;

    fn write(&self, _: &mut RequestEncoder) {}
}

impl Upload for Locked {
    const MEDIA: &'static UploadDescription = &media(Operation { ..*Self::OPERATION });
}

/// Operation that accepts the standard API key.
#[derive(Clone, Debug, PartialEq)]
struct Keyed;

impl Request for Keyed {
    const API: &'static Api = &SAMPLE;
    const OPERATION: &'static Operation = &operation(AuthRequirement::None, true);
    type Response = ();
    type ErrorBody = ErrorBody;

    fn write(&self, _: &mut RequestEncoder) {}
}

impl Upload for Keyed {
    const MEDIA: &'static UploadDescription = &media(Operation { ..*Self::OPERATION });
}

/// Returns the paths and queries of the requests of an upload of one chunk, to a server that returns this session URL.
async fn uploaded<R: Upload>(request: R, credentials: Credentials, location: &'static str) -> Vec<String> {
    let (client, log) = scripted_client(move |number| match number {
        1 => respond_with_headers(200, &[("location", location)], ""),
        _ => respond(200, ""),
    });
    let client: Client = client.credentials(credentials).naming(Naming::Specification).build().unwrap();
    let call = client.call(request).upload(Media::new("text/plain", "abc")).protocol(Protocol::Resumable);
    call.send().await.unwrap();
    log.all().iter().map(|request| request.target().to_owned()).collect()
}

#[tokio::test]
async fn key_is_sent_with_each_chunk() {
    let of_scheme = || Credentials::named("store", Credentials::api_key("a+key/7"));
    let key = || Credentials::api_key("a+key/7");
    assert_eq!(
        uploaded(Locked, of_scheme(), "/session?upload_id=1").await,
        ["/upload?uploadType=resumable&storeKey=a%2Bkey%2F7", "/session?upload_id=1&storeKey=a%2Bkey%2F7"]
    );
    assert_eq!(uploaded(Keyed, key(), "/session").await[1], "/session?key=a%2Bkey%2F7");
    // A session URL that already has the key does not get it again.
    for location in ["/session?key=a%2Bkey%2F7&x=1", "/session?x=1&key=other"] {
        assert_eq!(uploaded(Keyed, key(), location).await[1], location);
    }
    assert_eq!(uploaded(Keyed, key(), "/session?monkey=1").await[1], "/session?monkey=1&key=a%2Bkey%2F7");
}

#[tokio::test]
async fn session_url_is_upgraded_to_https() {
    let key = || Credentials::api_key("a-key");
    let at = uploaded(Keyed, key(), "http://sample.example/session").await;
    assert_eq!(at[1], "/session?key=a-key", "`target` holds that it is https");
}

#[tokio::test]
async fn batch_errors_show_no_key() {
    let body = error_body(400, "invalid", "POST /files?storeKey=secret-key is wrong");
    let (client, log) = scripted_client(move |_| respond(400, body.clone()));
    let client = client.credentials(Credentials::named("store", Credentials::api_key("secret-key")));
    let client: Client = client.build().unwrap();
    let mut batch = Batch::new(&client);
    let (first, second) = (batch.add(client.call(insert("text"))), batch.add(client.call(Locked)));
    let mut responses = batch.send().await;
    assert!(log.only().body.contains("storeKey=secret-key"));
    let shown =
        [format!("{:?}", responses.take(first).unwrap_err()), format!("{:?}", responses.take(second).unwrap_err())];
    for shown in shown {
        assert!(shown.contains("is wrong") && !shown.contains("secret-key"), "{shown}");
    }
}
