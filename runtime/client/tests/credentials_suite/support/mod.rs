//! In-process token server.

#![allow(dead_code)] // without the feature `adc`

#[cfg(feature = "adc")]
pub mod adc;
pub mod keys;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use axum::Router;
use axum::body::Bytes;
use axum::extract::Query;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use wireform_client::transport::ServiceTransport;
use wireform_client::wire::serde_json::{Value, json};

/// Request to the token server.
#[derive(Clone, Debug)]
pub struct Asked {
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: String,
    pub form: Vec<(String, String)>,
}

impl Asked {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.form.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

/// Requests that were received so far.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<Asked>>>);

impl Log {
    pub fn all(&self) -> Vec<Asked> {
        self.0.lock().unwrap().clone()
    }

    pub fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Creates a server whose function receives the number of a request, from 1.
pub fn server(respond: impl Fn(usize) -> Response + Clone + Send + Sync + 'static) -> (ServiceTransport<Router>, Log) {
    let log = Log::default();
    let kept = log.clone();
    let handler = move |uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let body = String::from_utf8(body.to_vec()).unwrap();
        let Query(form) = Query::try_from_uri(&format!("/?{body}").parse().unwrap()).unwrap();
        let number = {
            let mut all = kept.0.lock().unwrap();
            all.push(Asked { uri, headers, body, form });
            all.len()
        };
        // Concurrent callers arrive now.
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        respond(number)
    };
    (ServiceTransport::new(Router::new().fallback(handler)), log)
}

/// Creates a server whose tokens are `token-1`, `token-2`, …, and valid for an hour.
pub fn tokens() -> (ServiceTransport<Router>, Log) {
    server(|number| {
        granted(&json!({"access_token": format!("token-{number}"), "expires_in": 3600, "token_type": "Bearer"}))
    })
}

pub fn granted(body: &Value) -> Response {
    ([("content-type", "application/json")], body.to_string()).into_response()
}

/// Clock that is set manually.
#[derive(Clone)]
pub struct Clock(Arc<AtomicU64>);

impl Clock {
    pub fn at(seconds: u64) -> Self {
        Self(Arc::new(AtomicU64::new(seconds)))
    }

    pub fn set(&self, seconds: u64) {
        self.0.store(seconds, Ordering::SeqCst);
    }

    pub fn now(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static + use<> {
        let seconds = Arc::clone(&self.0);
        move || SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.load(Ordering::SeqCst))
    }
}
