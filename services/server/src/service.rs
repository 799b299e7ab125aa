//! Serving: the store is opened, somebody can be let in, requests are answered until the program is told to stop.

mod apis;
mod auth;
mod browse;
mod clock;
mod descriptors;
mod health;
mod jobs;
mod listen;
mod overview;
mod ready;
mod scripts;
mod stop;
mod tls;
mod upkeep;
mod web_apps;

use anyhow::Context as _;
use wireform_calendar::{CalendarService, Callbacks};
use wireform_server::axum::Router;
use wireform_store::{AnyStore, Clock, Retention, Upkeep as _};

use self::apis::Apis;
use self::listen::Listeners;
use self::ready::{ReadyFile, ReadyToken};
pub use self::scripts::{SCRIPT_PROCESS, Scripts};
use self::stop::Stop;
use crate::command;
use crate::settings::value::spell_instant;
use crate::settings::{Place, Serving};

/// Answers requests until it is told to stop.
pub async fn serve(place: &Place, settings: Serving) -> anyhow::Result<()> {
    let stop = Stop::on_signals()?;
    let listeners = Listeners::bind(&settings)?;
    let store = place.open().await?;
    let done = on(&store, place, &settings, listeners, stop).await;
    store.close().await;
    done
}

/// What all parts of the program share.
#[derive(Clone)]
struct Shared {
    store: AnyStore,
    clock: Clock,
    token: Option<ReadyToken>,
    /// The address that the program is found at.
    base: String,
    /// What sends notifications of calendars.
    callbacks: Callbacks,
    /// Script projects, and what runs them.
    scripts: Scripts,
}

async fn on(
    store: &AnyStore,
    place: &Place,
    settings: &Serving,
    listeners: Listeners,
    stop: Stop,
) -> anyhow::Result<()> {
    let clock = settings.clock.map_or_else(Clock::system, Clock::starting_at);
    prepare(store, &clock, settings).await?;
    let user = ready::user(store, &clock, settings).await?;
    let token = match (&user, settings.token) {
        (Some(user), true) => Some(ReadyToken::make(store, &clock, user.clone()).await?),
        _ => None,
    };
    let callbacks = Callbacks::default().with_loopback(settings.loopback_callbacks);
    let base = listeners.base();
    let scripts = Scripts::new(store, &clock, Some(&base), settings.script_settings(), settings.ready_runs).await?;
    let shared = Shared { store: store.clone(), clock, token, base, callbacks, scripts };
    let done = answer(&shared, place, settings, listeners, stop).await;
    if let Some(token) = &shared.token {
        token.revoke(store).await;
    }
    done
}

/// Brings the store into the state that the settings ask for.
async fn prepare(store: &AnyStore, clock: &Clock, settings: &Serving) -> anyhow::Result<()> {
    if let Some(seed) = &settings.seed {
        crate::seed::plant(store, clock, seed).await?;
    }
    if let Some(retention) = settings.retention {
        store.set_retention(retention).await.context("the retention cannot be set")?;
    }
    let kept = store.retention().await?;
    if let Some(warning) = settings.retention.and_then(command::retention_warning) {
        tracing::warn!("{warning}");
    }
    if let (Some(_), Retention::For(kept)) = (settings.clock, kept)
        && clock.ahead() > i64::try_from(kept.as_millis()).unwrap_or(i64::MAX)
    {
        tracing::warn!(
            now = spell_instant(clock.now()),
            "the clock is ahead by more than the retention: history of the present is forgotten; \
             `--retention forever` keeps it"
        );
    }
    Ok(())
}

async fn answer(
    shared: &Shared,
    place: &Place,
    settings: &Serving,
    listeners: Listeners,
    stop: Stop,
) -> anyhow::Result<()> {
    let calendars = apis::calendars(shared).await?;
    let router = router(shared, settings, calendars.clone()).await?;
    let base = listeners.base();
    let file = match &settings.ready_file {
        Some(path) => Some(ReadyFile::write(path, &base, shared.token.as_ref())?),
        None => None,
    };
    let upkeep = tokio::spawn(upkeep::keep(shared.store.clone(), shared.clock.clone()));
    let jobs = tokio::spawn(jobs::keep(calendars.clone()));
    let stopped = stop.clone().wait();
    let running = shared.scripts.keep();
    let notifications = tokio::spawn(async move { calendars.keep_sending_notifications(stopped).await });
    let serving = listeners.serve(router, settings, &stop);
    ready::announce(&base, place, shared.token.as_ref(), settings)?;
    tracing::info!(address = base, store = %place, "ready");
    serving.await;
    tracing::info!("stopping");
    upkeep.abort();
    jobs.abort();
    running.end().await;
    // What is on its way arrives, and is not sent again by the next process.
    if let Err(error) = notifications.await {
        tracing::error!(cause = %error, "notifications were not sent to the end");
    }
    drop(file);
    Ok(())
}

async fn router(shared: &Shared, settings: &Serving, calendars: CalendarService<AnyStore>) -> anyhow::Result<Router> {
    let Apis { mut router, inside } = Apis::new(shared, settings, calendars).await?;
    shared.scripts.apis.connect(inside.clone());
    if settings.page {
        router = router.merge(overview::router(shared, settings, inside)?);
    }
    Ok(router
        .merge(health::router(shared.store.clone()))
        .merge(web_apps::router(shared))
        .merge(clock::router(shared, settings.clock.is_some()))
        .fallback(health::nowhere))
}
