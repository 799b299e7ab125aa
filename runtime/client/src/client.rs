//! Client of an API.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use wireform_runtime::Naming;
use wireform_runtime::operation::Api;

use crate::base_url::BaseUrl;
use crate::credentials::Credentials;
use crate::observe::Metrics;
use crate::retry::RetryPolicy;
use crate::transport::Transport;

/// Client of an API. Clones are cheap and share connections and tokens.
#[derive(Clone)]
pub struct Client {
    pub(crate) inner: Arc<ClientInner>,
}

/// Shared state of the clones.
pub(crate) struct ClientInner {
    pub(crate) api: &'static Api,
    pub(crate) base_url: BaseUrl,
    /// True if the base URL is a public one of the API, so that operations with another URL are sent there.
    pub(crate) is_public: bool,
    /// URLs of operations where credentials are sent.
    pub(crate) credential_urls: Vec<String>,
    pub(crate) transport: Arc<dyn Transport>,
    pub(crate) credentials: Credentials,
    pub(crate) scopes: Vec<String>,
    pub(crate) names: Naming,
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
    /// Returns the API.
    #[must_use]
    pub fn api(&self) -> &'static Api {
        self.inner.api
    }

    /// Returns which names the client sends: those of the specification or those of the public service.
    #[must_use]
    pub fn naming(&self) -> Naming {
        self.inner.names
    }

    /// Returns the base URL of the API, without a trailing slash.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.inner.base_url.as_str()
    }

    /// Returns the scopes that tokens are requested for.
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
