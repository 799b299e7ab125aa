//! Service with things in memory, and its handlers in the shape of generated code.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use wireform_server::wireform_runtime::Merge as _;
use wireform_server::wireform_runtime::operation::Api;
use wireform_server::{
    __private::{Parameters, Route},
    Context, Error, ErrorLocation, Reply, Result,
};

use super::api::API;
use super::facts::*;
use super::rules::Rules;
use super::types::*;

/// Things in memory, at first `a`. Some names cause failures: `panic`, `slow`, `conflict`, `broken`.
#[derive(Clone)]
pub struct Sample(Arc<Inner>);

struct Inner {
    things: Mutex<BTreeMap<String, Thing>>,
    /// Last request that a handler was called with, and its principal.
    seen: Mutex<Option<(Box<dyn Any + Send>, String)>>,
    /// Names that have caused a failure.
    failed_once: Mutex<BTreeSet<String>>,
}

impl Default for Sample {
    fn default() -> Self {
        let thing = Thing {
            id: Some("a".into()),
            etag: Some("\"1\"".into()),
            name: Some("first".into()),
            kind: Some(Kind::Small),
            owner: Some(Owner { name: Some("o".into()), email: Some("o@example.org".into()) }),
            secret: Some("hunter2".into()),
            ..Thing::default()
        };
        let things = Mutex::new(BTreeMap::from([("a".to_owned(), thing)]));
        Self(Arc::new(Inner { things, seen: Mutex::new(None), failed_once: Mutex::default() }))
    }
}

impl Sample {
    /// Takes the last request of a handler, if it is of the type.
    pub fn seen<R: 'static>(&self) -> Option<R> {
        let (request, _) = self.0.seen.lock().unwrap().take()?;
        request.downcast::<R>().ok().map(|request| *request)
    }

    /// Takes the principal that a handler was called for last.
    pub fn called_for(&self) -> Option<String> {
        self.0.seen.lock().unwrap().take().map(|(_, subject)| subject)
    }

    fn note<R: Any + Clone + Send>(&self, request: &R, context: &Context) {
        *self.0.seen.lock().unwrap() = Some((Box::new(request.clone()), context.principal().subject().to_owned()));
    }

    fn stored(&self, id: &str) -> Result<Thing> {
        let missing =
            || Error::not_found("there is no such thing").with_location(ErrorLocation::Parameter("thingId".into()));
        self.0.things.lock().unwrap().get(id).cloned().map(Reply::new).ok_or_else(missing)
    }

    fn store(&self, id: &str, mut thing: Thing) -> Thing {
        let mut things = self.0.things.lock().unwrap();
        thing.id = Some(id.to_owned());
        thing.etag = Some(format!("\"{}\"", things.len() + 1));
        things.insert(id.to_owned(), thing.clone());
        thing
    }

    async fn list(&self, request: ThingsList, context: &Context) -> Result<Things> {
        self.note(&request, context);
        let items = self.0.things.lock().unwrap().values().cloned().collect();
        Ok(Things { items, next: None }.into())
    }

    async fn get(&self, request: ThingsGet, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        match &*request.id {
            "panic" => panic!("secret of the panic"),
            "slow" => tokio::time::sleep(Duration::from_secs(3600)).await,
            "long-conflict" => return Err(Error::conflict("it is taken ".repeat(4 << 10))),
            "conflict" => return Err(Error::conflict("it is taken").with_reason("duplicate")),
            "broken" => return Err(Error::internal("secret of the cause")),
            _ => {}
        }
        self.stored(&request.id)
    }

    async fn insert(&self, request: ThingsInsert, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        let id = request.body.id.clone().unwrap_or_else(|| "new".to_owned());
        Ok(self.store(&id, request.body).into())
    }

    async fn import(&self, request: ThingsImport, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        Ok(self.store("imported", request.body).into())
    }

    async fn update(&self, request: ThingsUpdate, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        self.stored(&request.id)?;
        Ok(self.store(&request.id, request.body).into())
    }

    async fn patch(&self, request: ThingsPatch_, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        let mut thing = self.stored(&request.id)?.value().clone();
        thing.apply(request.body);
        Ok(self.store(&request.id, thing).into())
    }

    async fn run(&self, request: ThingsRun, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        Ok(Thing { id: Some(request.id), owner: request.body, ..Thing::default() }.into())
    }

    async fn delete(&self, request: ThingsDelete, context: &Context) -> Result<()> {
        self.note(&request, context);
        self.stored(&request.id)?;
        self.0.things.lock().unwrap().remove(&request.id);
        Ok(().into())
    }

    async fn file(&self, request: FilesGet, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        Ok(Thing { name: Some(request.path), ..Thing::default() }.into())
    }

    /// Returns the received media as the name of a thing. Some names fail the first time: `panic`, `slow`.
    async fn add(&self, request: MediaAdd, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        let content = media(context).await?;
        if self.0.failed_once.lock().unwrap().insert(request.id.clone()) {
            match &*request.id {
                "panic" => panic!("secret of the panic"),
                "slow" => tokio::time::sleep(Duration::from_secs(3600)).await,
                _ => {}
            }
        }
        let mode = request.mode.unwrap_or_default();
        Ok(Thing { id: Some(request.id), name: Some(mode + &content), ..Thing::default() }.into())
    }

    async fn put(&self, request: MediaPut, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        Ok(Thing { id: Some(request.id), name: Some(media(context).await?), ..Thing::default() }.into())
    }

    async fn place(&self, request: PlacesGet, context: &Context) -> Result<Thing> {
        self.note(&request, context);
        Ok(Thing { name: Some(request.name), ..Thing::default() }.into())
    }
}

/// Returns the received media as text.
async fn media(context: &Context) -> std::result::Result<String, Error> {
    let Some(media) = context.take_media() else { return Ok("none".to_owned()) };
    let content = media.bytes(1 << 21).await?;
    Ok(String::from_utf8_lossy(&content).into_owned())
}

pub struct Handlers(pub Sample);

impl wireform_server::__private::Handlers for Handlers {
    const API: &'static Api = &API;
    const ROUTES: &'static [&'static [Route<Self>]] = &[&[
        Route::new(&contracts::LIST, |handlers, incoming| {
            let (request, context) = incoming.receive(&Rules, list)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.list(*request, &context).await?;
                context.respond::<ThingsList>(reply)
            }))
        }),
        Route::new(&contracts::GET, |handlers, incoming| {
            let read = |parameters: &mut Parameters<'_, '_>| ThingsGet { id: parameters.take() };
            let (request, context) = incoming.receive(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.get(*request, &context).await?;
                context.respond::<ThingsGet>(reply)
            }))
        }),
        Route::new(&contracts::INSERT, |handlers, incoming| {
            let (request, context) = incoming.receive_body(&Rules, insert)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.insert(*request, &context).await?;
                context.respond::<ThingsInsert>(reply)
            }))
        }),
        Route::new(&contracts::IMPORT, |handlers, incoming| {
            let read = |_: &mut Parameters<'_, '_>, body: Thing| ThingsImport { body };
            let (request, context) = incoming.receive_body(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.import(*request, &context).await?;
                context.respond::<ThingsImport>(reply)
            }))
        }),
        Route::new(&contracts::UPDATE, |handlers, incoming| {
            let read = |p: &mut Parameters<'_, '_>, body: Thing| ThingsUpdate { id: p.take(), body };
            let (request, context) = incoming.receive_body(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.update(*request, &context).await?;
                context.respond::<ThingsUpdate>(reply)
            }))
        }),
        Route::new(&contracts::PATCH, |handlers, incoming| {
            let read = |p: &mut Parameters<'_, '_>, body: ThingPatch| ThingsPatch_ { id: p.take(), body };
            let (request, context) = incoming.receive_body(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.patch(*request, &context).await?;
                context.respond::<ThingsPatch_>(reply)
            }))
        }),
        Route::new(&contracts::RUN, |handlers, incoming| {
            let read = |p: &mut Parameters<'_, '_>, body: Option<Owner>| ThingsRun { id: p.take(), body };
            let (request, context) = incoming.receive_optional_body(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.run(*request, &context).await?;
                context.respond::<ThingsRun>(reply)
            }))
        }),
        Route::new(&contracts::DELETE, |handlers, incoming| {
            let read = |parameters: &mut Parameters<'_, '_>| ThingsDelete { id: parameters.take() };
            let (request, context) = incoming.receive(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.delete(*request, &context).await?;
                context.respond::<ThingsDelete>(reply)
            }))
        }),
        Route::new(&contracts::FILE, |handlers, incoming| {
            let read = |parameters: &mut Parameters<'_, '_>| FilesGet { path: parameters.take() };
            let (request, context) = incoming.receive(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.file(*request, &context).await?;
                context.respond::<FilesGet>(reply)
            }))
        }),
        Route::new(&contracts::PLACE, |handlers, incoming| {
            let read = |p: &mut Parameters<'_, '_>| PlacesGet { name: p.take(), page: p.take() };
            let (request, context) = incoming.receive(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.place(*request, &context).await?;
                context.respond::<PlacesGet>(reply)
            }))
        }),
        Route::new(&contracts::ADD, |handlers, incoming| {
            let read =
                |p: &mut Parameters<'_, '_>, body: Option<Owner>| MediaAdd { id: p.take(), mode: p.take(), body };
            let (request, context) = incoming.receive_optional_body(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.add(*request, &context).await?;
                context.respond::<MediaAdd>(reply)
            }))
        }),
        Route::new(&contracts::PUT, |handlers, incoming| {
            let read = |p: &mut Parameters<'_, '_>| MediaPut { id: p.take() };
            let (request, context) = incoming.receive(&Rules, read)?;
            Ok(Box::pin(async move {
                let reply = handlers.0.put(*request, &context).await?;
                context.respond::<MediaPut>(reply)
            }))
        }),
    ]];
}

fn list(parameters: &mut Parameters<'_, '_>) -> ThingsList {
    ThingsList {
        q: parameters.take(),
        max_results: parameters.take::<Option<i32>>().map(|value| value.min(50)),
        kinds: parameters.take(),
        ids: parameters.take(),
        since: parameters.take(),
        until: parameters.take(),
        show_deleted: parameters.take(),
        trace: parameters.take(),
        session: parameters.take(),
        labels: parameters.take(),
        ratio: parameters.take(),
    }
}

fn insert(parameters: &mut Parameters<'_, '_>, body: Thing) -> ThingsInsert {
    ThingsInsert { owner: parameters.take(), copies: parameters.take(), body }
}
