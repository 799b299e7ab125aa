//! A service that keeps what goes up, as generated code hands it over.

use std::any::Any;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use wireform_client::{Request as _, Upload as _};
use wireform_runtime::operation::{Api, Operation};
use wireform_server::{Answering, BodyNeed, Contract, Group, Handlers, Incoming, Reply};
use wireform_validation::{At, CheckRequests, Checker, Validates, Violations, Warnings};

use super::sample::{Add, Draw, FILES, Get, Put, bytes};

/// What went up.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    pub content_type: String,
    pub json: Option<String>,
    pub content: Vec<u8>,
}

/// What went up so far.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<Stored>>>);

impl Log {
    /// What went up since the last time.
    pub fn take(&self) -> Vec<Stored> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

pub struct Files(pub Log);

/// There are none.
struct Rules;

impl<T> Validates<T> for Rules {
    fn check(&self, _: &T, _: At<'_>, _: &mut Checker<'_>) {}
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

const fn contract(operation: &'static Operation, body: BodyNeed, content_types: &'static [&'static str]) -> Contract {
    Contract { operation, status: 200, body, content_types, if_none_match: false, if_match: false, paged: false }
}

static ADD: Contract = contract(Add::OPERATION, BodyNeed::Required, &["application/json"]);
static PUT: Contract = Contract { status: 204, ..contract(Put::OPERATION, BodyNeed::None, &[]) };
static GET: Contract = contract(Get::OPERATION, BodyNeed::None, &[]);
static DRAW: Contract = contract(Draw::OPERATION, BodyNeed::Required, &["text/plain"]);

impl Files {
    async fn keep(&self, context: &wireform_server::Context, json: Option<&Value>) -> wireform_server::Result<Value> {
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
    const GROUPS: &'static [Group<Self>] = &[Group {
        contracts: &[&ADD, &PUT, &GET, &DRAW],
        uploads: &[(0, Add::MEDIA), (1, Put::MEDIA)],
        binary: &[],
        call: Self::call,
    }];
}

impl Files {
    fn call(self: Arc<Self>, operation: usize, incoming: Incoming) -> Answering {
        match operation {
            0 => Box::pin(async move {
                let (request, context) =
                    incoming.receive_body(&Rules, |parameters, body| Add { id: parameters.take(0), body })?;
                let reply = self.keep(&context, Some(&request.body)).await?;
                context.answer::<Add>(reply)
            }),
            1 => Box::pin(async move {
                let (_, context) = incoming.receive(&Rules, |parameters| Put { id: parameters.take(0) })?;
                self.keep(&context, None).await?;
                context.answer::<Put>(().into())
            }),
            2 => Box::pin(async move {
                let (_, context) = incoming.receive(&Rules, |parameters| Get { id: parameters.take(0) })?;
                let reply = if context.wants_media() {
                    Reply::media("image/png", bytes(1000))
                } else {
                    Reply::new(json!({ "title": "A file" }))
                };
                context.answer::<Get>(reply)
            }),
            _ => Box::pin(async move {
                let (request, context) =
                    incoming.receive_raw(&Rules, |parameters, body| Draw { id: parameters.take(0), body })?;
                let text = format!("{} of {}", request.body.content(), request.body.content_type().unwrap_or_default());
                context.answer::<Draw>(Reply::new(text.into_bytes().into()))
            }),
        }
    }
}
