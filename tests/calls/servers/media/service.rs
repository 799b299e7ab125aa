//! Service that records uploads, with the traits that generated code has.

use std::any::Any;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use wireform_client::Upload as _;
use wireform_runtime::operation::{Api, Operation};
use wireform_server::{
    __private::{Contract, Handlers, Route},
    Reply,
};
use wireform_validation::{
    __private::{Checker, Location},
    CheckRequests, Validates, Violations, Warnings,
};

use super::sample::{Add, Draw, FILES, Get, Put, bytes};

/// Finished upload.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub content_type: String,
    pub json: Option<String>,
    pub content: Vec<u8>,
}

/// Finished uploads so far.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<Stored>>>);

impl Log {
    /// Takes the uploads since the last call.
    pub fn take(&self) -> Vec<Stored> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

pub struct Files(pub Log);

/// Empty set of rules.
struct Rules;

impl<T> Validates<T> for Rules {
    fn check(&self, _: &T, _: Location<'_>, _: &mut Checker<'_>) {}
}

impl CheckRequests for Rules {
    fn check_request(
        &self,
        _: &'static Operation,
        _: &dyn Any,
        _: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        None
    }
}

static ADD: Contract = Contract::of::<Add>().body(&["application/json"]).media(Add::MEDIA);
static PUT: Contract = Contract::of::<Put>().status(204).media(Put::MEDIA);
static GET: Contract = Contract::of::<Get>();
static DRAW: Contract = Contract::of::<Draw>().body(&["text/plain"]);

impl Files {
    async fn store(&self, context: &wireform_server::Context, json: Option<&Value>) -> wireform_server::Result<Value> {
        let Some(media) = context.take_media() else { return Ok(json!({}).into()) };
        let content_type = media.content_type().to_owned();
        let content = media.bytes(usize::MAX).await?.to_vec();
        let length = content.len();
        self.0.0.lock().unwrap().push(Stored { content_type, json: json.map(Value::to_string), content });
        Ok(json!({ "bytes": length }).into())
    }
}

impl Handlers for Files {
    const API: &'static Api = &FILES;
    const ROUTES: &'static [&'static [Route<Self>]] = &[&[
        Route::new(&ADD, |files, incoming| {
            let (request, context) =
                incoming.receive_body(&Rules, |parameters, body| Add { id: parameters.take(), body })?;
            Ok(Box::pin(async move {
                let reply = files.store(&context, Some(&request.body)).await?;
                context.respond::<Add>(reply)
            }))
        }),
        Route::new(&PUT, |files, incoming| {
            let (_, context) = incoming.receive(&Rules, |parameters| Put { id: parameters.take() })?;
            Ok(Box::pin(async move {
                files.store(&context, None).await?;
                context.respond::<Put>(().into())
            }))
        }),
        Route::new(&GET, |_, incoming| {
            let (_, context) = incoming.receive(&Rules, |parameters| Get { id: parameters.take() })?;
            Ok(Box::pin(async move {
                let reply = if context.wants_media() {
                    Reply::media("image/png", bytes(1000))
                } else {
                    Reply::new(json!({ "title": "A file" }))
                };
                context.respond::<Get>(reply)
            }))
        }),
        Route::new(&DRAW, |_, incoming| {
            let (request, context) =
                incoming.receive_raw(&Rules, |parameters, body| Draw { id: parameters.take(), body })?;
            Ok(Box::pin(async move {
                let body = request.body;
                let text = format!("{} of {}", body.content(), body.content_type().unwrap_or_default());
                context.respond::<Draw>(Reply::new(text.into_bytes().into()))
            }))
        }),
    ]];
}
