//! Serving: opens the store, sets up the first access, and serves requests until the program is stopped.

mod apis;
mod auth;
mod browse;
mod cleanup;
mod clock;
mod control;
mod cors;
mod descriptors;
mod discovery;
mod health;
mod jobs;
mod listen;
mod oauth;
mod overview;
mod ready;
mod scripts;
mod shutdown;
mod snapshots;
mod tls;
mod web_apps;

use anyhow::Context as _;
use wireform_calendar::{CalendarService, CallbackClient};
use wireform_server::MemoryBudget;
use wireform_server::axum::Router;
use wireform_store::{AnyStore, Clock, Maintenance as _, Retention};

use self::apis::Apis;
use self::listen::Listeners;
use self::ready::{ReadyFile, ReadyToken};
pub use self::scripts::Scripts;
use self::shutdown::ShutdownSignal;
use crate::settings::value::{format_instant, retention_warning};
use crate::settings::{ServeSettings, StoreLocation};

/// Serves requests until a signal stops the program.
pub async fn serve(location: &StoreLocation, settings: ServeSettings) -> anyhow::Result<()> {
    let stop = ShutdownSignal::on_signals()?;
    let listeners = Listeners::bind(&settings)?;
    let store = location.open().await?;
    let done = serve_store(&store, location, &settings, listeners, stop).await;
    store.close().await;
    done
}

/// State shared by all parts of the program.
#[derive(Clone)]
struct ServerState {
    store: AnyStore,
    clock: Clock,
    token: Option<ReadyToken>,
    /// Base URL of the server.
    base: String,
    /// Sender of calendar notifications.
    callbacks: CallbackClient,
    /// Script projects and the processes that run them.
    scripts: Scripts,
    /// Memory budget of large requests and responses of all APIs.
    memory: MemoryBudget,
}

async fn serve_store(
    store: &AnyStore,
    location: &StoreLocation,
    settings: &ServeSettings,
    listeners: Listeners,
    stop: ShutdownSignal,
) -> anyhow::Result<()> {
    let clock = settings.clock.map_or_else(Clock::system, Clock::starting_at);
    prepare(store, &clock, settings).await?;
    let user = ready::ready_user(store, &clock, settings).await?;
    let token = match (&user, settings.token) {
        (Some(user), true) => Some(ReadyToken::create(store, &clock, user.clone()).await?),
        _ => None,
    };
    let callbacks = CallbackClient::default().with_loopback(settings.loopback_callbacks);
    let base = listeners.base();
    let memory = wireform_mailbox::memory_budget();
    let scripts = Scripts::new(store, &clock, Some(&base), settings.script_settings(), settings.ready_runs).await?;
    let scripts = scripts.with_budget(memory.clone());
    let shared = ServerState { store: store.clone(), clock, token, base, callbacks, scripts, memory };
    let done = serve_requests(&shared, location, settings, listeners, stop).await;
    if let Some(token) = &shared.token {
        token.revoke(store).await;
    }
    done
}

/// Brings the store into the state that the settings require.
async fn prepare(store: &AnyStore, clock: &Clock, settings: &ServeSettings) -> anyhow::Result<()> {
    if let Some(seed) = &settings.seed {
        crate::seed::fill(store, clock, seed).await?;
    }
    if let Some(retention) = settings.retention {
        store.set_retention(retention).await.context("the retention cannot be set")?;
    }
    let kept = store.retention().await?;
    if let Some(warning) = settings.retention.and_then(retention_warning) {
        tracing::warn!("{warning}");
    }
    if let (Some(_), Retention::For(kept)) = (settings.clock, kept)
        && clock.offset_millis() > i64::try_from(kept.as_millis()).unwrap_or(i64::MAX)
    {
        tracing::warn!(
            now = format_instant(clock.now()),
            "the clock is ahead by more than the retention: present history is removed; help: keep it with \
             `--retention forever`"
        );
    }
    Ok(())
}

async fn serve_requests(
    shared: &ServerState,
    location: &StoreLocation,
    settings: &ServeSettings,
    listeners: Listeners,
    stop: ShutdownSignal,
) -> anyhow::Result<()> {
    let calendars = apis::calendars(shared).await?;
    let router = router(shared, settings, calendars.clone()).await?;
    let base = listeners.base();
    let file = match &settings.ready_file {
        Some(path) => Some(ReadyFile::write(path, &base, shared.token.as_ref())?),
        None => None,
    };
    let cleanup = tokio::spawn(cleanup::run_cleanup(shared.store.clone(), shared.clock.clone()));
    let jobs = tokio::spawn(jobs::run(calendars.clone()));
    let stopped = stop.clone().wait();
    let running = shared.scripts.start_tasks();
    let notifications = tokio::spawn(async move { calendars.keep_sending_notifications(stopped).await });
    let serving = listeners.serve(router, settings, &stop);
    ready::announce(&base, location, shared.token.as_ref(), settings)?;
    tracing::info!(address = base, store = %location, "ready");
    serving.await;
    tracing::info!("stopping");
    cleanup.abort();
    jobs.abort();
    running.end().await;
    // Notifications in flight are completed, so that the next process does not send them again.
    if let Err(error) = notifications.await {
        tracing::error!(cause = %error, "sending of notifications was interrupted");
    }
    drop(file);
    Ok(())
}

/// Returns the routes of the server: the APIs, the pages if enabled, and those outside the APIs.
async fn router(
    shared: &ServerState,
    settings: &ServeSettings,
    calendars: CalendarService<AnyStore>,
) -> anyhow::Result<Router> {
    let Apis { router, internal } = Apis::new(shared, settings, calendars).await?;
    shared.scripts.apis.connect(internal.clone());
    let apis = router.merge(discovery::router(shared)).merge(oauth::router(shared, settings.oauth));
    let mut router = cors::allow(apis, &settings.allow_origin);
    if settings.page {
        router = router.merge(overview::router(shared, settings, internal)?);
    }
    let has_clock = settings.clock.is_some();
    let snapshots = snapshots::router(shared, settings.allow_reset, has_clock).await?;
    let router = router
        .merge(snapshots)
        .merge(health::router(shared.store.clone()))
        .merge(web_apps::router(shared))
        .merge(clock::router(shared, has_clock));
    Ok(if settings.page { router.fallback(overview::not_found) } else { router.fallback(health::not_found) })
}
