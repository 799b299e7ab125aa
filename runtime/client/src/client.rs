//! A client of an API.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use wireform_runtime::Names;
use wireform_runtime::operation::Api;

use crate::address::BaseUrl;
use crate::credentials::Credentials;
use crate::observe::Metrics;
use crate::retry::RetryPolicy;
use crate::transport::Transport;

/// A client of an API. Clones share connections and tokens, and are cheap.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

/// What clones share.
pub(crate) struct Inner {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) credentials: Credentials,
    pub(crate) scopes: Vec<String>,
    pub(crate) names: Names,
    pub(crate) retry: RetryPolicy,
    pub(crate) timeout: Duration,
    pub(crate) max_body_bytes: usize,
    pub(crate) max_batch_bytes: usize,
    pub(crate) user_agent: HeaderValue,
    pub(crate) quota_user: Option<String>,
    pub(crate) metrics: Option<Arc<dyn Metrics>>,
    pub(crate) keep_output_only: bool,
    pub(crate) new_id: Arc<dyn Fn() -> String + Send + Sync>,
    #[cfg(feature = "validation")]
    pub(crate) validation: Option<crate::validation::Validation>,
}

impl Client {
    /// The API.
    #[must_use]
    pub fn api(&self) -> &'static Api {
        self.inner.api
    }

    /// Which vocabulary is spoken.
    #[must_use]
    pub fn names(&self) -> Names {
        self.inner.names
    }

    /// Where the API is, without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.inner.base_url.as_str()
    }

    /// The scopes that tokens are asked for.
    pub fn scopes(&self) -> impl Iterator<Item = &str> {
        self.inner.scopes.iter().map(String::as_str)
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("api", &self.inner.api.name)
            .field("base_url", &self.base_url())
            .field("credentials", &self.inner.credentials)
            .finish_non_exhaustive()
    }
}
