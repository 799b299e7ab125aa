//! Patches and replacements of labels, and inserted messages: fields that a client cannot set stay as they are stored,
//! rules validate the result of a change, and paths with literal segments next to variables are routed correctly.

use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use mailbox_client::types::{LabelColorPatch, LabelPaletteColor, LabelPatch};
use mailbox_server::types::runtime::{Patch, json};
use mailbox_server::{requests, service, types};
use serde_json::{Value, json};
use wireform_client::Credentials;
use wireform_client::transport::in_process;
use wireform_runtime::WriteRequest;
use wireform_server::axum::Router;
use wireform_server::{Context, Error, WriteResult};

use crate::desk::{Desk, TOKEN, Tokens};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, request, send};

/// Mailbox with a user label and a system label.
#[derive(Clone)]
struct Labels {
    labels: Arc<Mutex<Vec<types::Label>>>,
}

impl Labels {
    fn new() -> Self {
        let labels = [
            r##"{"id":"Label_1","name":"Travel","type":"user","messagesTotal":3,"color":{"textColor":"#ffffff","backgroundColor":"#16a766"}}"##,
            r#"{"id":"INBOX","name":"INBOX","type":"system"}"#,
        ];
        let labels = labels.map(|text| json::from_str(text).expect("a label"));
        Self { labels: Arc::new(Mutex::new(labels.into())) }
    }

    fn change<R>(&self, id: &str, request: &R, context: &Context) -> WriteResult<R>
    where
        R: WriteRequest<Resource = types::Label, Response = types::Label>,
    {
        let mut labels = self.labels.lock().unwrap_or_else(PoisonError::into_inner);
        let found = labels.iter_mut().find(|label| label.id.as_deref() == Some(id));
        let stored = found.ok_or_else(|| Error::not_found("there is no such label").with_reason("notFound"))?;
        let (label, admission) = context.prepare(request, Some(stored))?;
        *stored = label;
        Ok(admission.reply(stored.clone()))
    }

    fn router(&self) -> Router {
        mailbox_server::server(self.clone()).authenticator(Tokens).router()
    }
}

impl service::UsersLabels for Labels {
    async fn update(
        &self,
        request: requests::UsersLabelsUpdate,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsUpdate> {
        self.change(&request.id, &request, context)
    }

    async fn patch(
        &self,
        request: requests::UsersLabelsPatch,
        context: &Context,
    ) -> WriteResult<requests::UsersLabelsPatch> {
        self.change(&request.id, &request, context)
    }
}

impl service::Users for Labels {}
impl service::UsersDrafts for Labels {}
impl service::UsersMessagesAttachments for Labels {}
impl service::UsersThreads for Labels {}
impl service::UsersHistory for Labels {}
impl service::UsersMessages for Labels {}

/// Sends a body to the path of a label.
async fn send_label(router: &Router, method: &'static str, target: &'static str, body: &'static str) -> TestResponse {
    let like = valid::of("mailbox", "users.labels.patch");
    send(router, request(Valid { method, target, body: Some(body), ..like })).await
}

const LABEL: &str = "/mail/v1/users/me/labels/Label_1";
const INBOX: &str = "/mail/v1/users/me/labels/INBOX";

/// Returns the locations of the errors in a response.
fn locations(got: &TestResponse) -> Vec<Value> {
    let errors = got.json()["error"]["errors"].as_array().cloned().unwrap_or_default();
    errors.iter().map(|error| error["location"].clone()).collect()
}

#[tokio::test]
async fn a_patch_changes_one_colour_where_there_are_two() {
    let router = Labels::new().router();
    let got = send_label(&router, "PATCH", LABEL, r##"{"color":{"textColor":"#000000"}}"##).await;
    assert_eq!(got.status, StatusCode::OK, "{got:?}");
    assert_eq!(got.json()["color"], json!({"textColor": "#000000", "backgroundColor": "#16a766"}));
    // Removing one of the two colors is rejected, but both can be removed together.
    let got = send_label(&router, "PATCH", LABEL, r#"{"color":{"backgroundColor":null}}"#).await;
    assert_eq!((got.status, locations(&got)), (StatusCode::BAD_REQUEST, vec![json!("color.backgroundColor")]));
    let got = send_label(&router, "PATCH", LABEL, r#"{"color":null}"#).await;
    assert_eq!((got.status, got.json().get("color").cloned()), (StatusCode::OK, None));
    let got = send_label(&router, "PATCH", LABEL, r##"{"color":{"textColor":"#000000"}}"##).await;
    assert_eq!((got.status, locations(&got)), (StatusCode::BAD_REQUEST, vec![json!("color.backgroundColor")]));
}

#[tokio::test]
async fn what_only_the_server_writes_stays_as_it_is() {
    let router = Labels::new().router();
    let body = r#"{"id":"Label_2","name":"Trips","type":"system","messagesTotal":0}"#;
    for method in ["PATCH", "PUT"] {
        let got = send_label(&router, method, LABEL, body).await;
        let expected = json!(["Label_1", "Trips", "user", 3]);
        let label = got.json();
        let received: Value = ["id", "name", "type", "messagesTotal"].map(|name| label[name].clone()).to_vec().into();
        assert_eq!((got.status, received), (StatusCode::OK, expected), "{method}");
    }
}

#[tokio::test]
async fn a_label_of_the_system_does_not_change() {
    let router = Labels::new().router();
    for (method, body) in [("PATCH", r#"{"labelListVisibility":"labelHide"}"#), ("PUT", r#"{"name":"Inbox"}"#)] {
        let got = send_label(&router, method, INBOX, body).await;
        assert_eq!((got.status, locations(&got)), (StatusCode::BAD_REQUEST, vec![json!("id")]), "{method}: {got:?}");
    }
    let got = send_label(&router, "PATCH", "/mail/v1/users/me/labels/Label_2", "{}").await;
    assert_eq!((got.status, got.reason()), (StatusCode::NOT_FOUND, "notFound".to_owned()));
}

/// Checks that a request with a color outside the palette is rejected, but that a response with one is accepted.
#[tokio::test]
async fn colours_are_those_of_the_palette() {
    let router = Labels::new().router();
    let client: mailbox_client::Client = mailbox_client::Client::builder()
        .base_url("http://localhost")
        .credentials(Credentials::token(TOKEN))
        .transport(in_process(router))
        .build()
        .expect("a client");
    let colored = |color: LabelPaletteColor| LabelPatch {
        color: Patch::Set(LabelColorPatch { text_color: Patch::Set(color), ..LabelColorPatch::default() }),
        ..LabelPatch::default()
    };
    let labels = client.users().labels();
    let label = labels.patch("me", "Label_1", colored(LabelPaletteColor::Hex83334c)).send().await.expect("a label");
    assert_eq!(label.color.and_then(|color| color.text_color), Some(LabelPaletteColor::Hex83334c));
    let refused = labels.patch("me", "Label_1", colored(LabelPaletteColor::from("#123456"))).send().await;
    assert_eq!(refused.expect_err("it is not in the palette").status(), Some(400));
}

#[tokio::test]
async fn literals_take_precedence_over_variables() {
    let desk = Desk::samples();
    let router = desk.router();
    let (import, modify) =
        (valid::of("mailbox", "users.messages.import"), valid::of("mailbox", "users.messages.batchModify"));
    let without = |of: Valid, method: &'static str| Valid { method, body: None, ..of };
    for (valid, expected) in [
        (import, "users.messages.import"),
        (without(import, "GET"), "users.messages.get"),
        (without(import, "DELETE"), "users.messages.delete"),
        (modify, "users.messages.batchModify"),
        (without(modify, "GET"), "users.messages.get"),
    ] {
        let valid = Valid { target: valid.target.split('?').next().unwrap_or_default(), ..valid };
        let got = send(&router, request(valid)).await;
        assert!(got.status.is_success(), "{valid:?}: {got:?}");
        assert_eq!(desk.take().iter().map(|one| one.operation).collect::<Vec<_>>(), [expected], "{valid:?}");
    }
}

#[tokio::test]
async fn a_message_is_put_in_as_it_was_sent_and_nothing_else() {
    let desk = Desk::samples();
    let insert = valid::of("mailbox", "users.messages.insert");
    let body = r#"{"raw":"YQ==","labelIds":["INBOX"],"threadId":"t","id":"m","historyId":"1","snippet":"s","sizeEstimate":1,"payload":{"mimeType":"no type"}}"#;
    let got = send(&desk.router(), request(Valid { body: Some(body), ..insert })).await;
    assert_eq!(got.status, StatusCode::OK, "{got:?}");
    let received_requests = desk.take();
    let received: Value =
        serde_json::from_slice(received_requests[0].wire.body.as_deref().unwrap_or_default()).expect("JSON");
    assert_eq!(received, json!({"raw": "YQ==", "labelIds": ["INBOX"], "threadId": "t"}));
}
