//! Configuration of a client.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use wireform_runtime::Naming;
use wireform_runtime::operation::Api;

use crate::base_url::BaseUrl;
use crate::client::{Client, ClientInner};
use crate::credentials::Credentials;
use crate::error::BuildError;
use crate::observe::Metrics;
use crate::retry::RetryPolicy;
use crate::transport::{self, Transport};

/// Default timeout of an attempt.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Default maximum size of a response body in bytes.
const DEFAULT_MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

/// Default maximum number of bytes that are read for a batch.
const DEFAULT_MAX_BATCH_BYTES: usize = 64 * 1024 * 1024;

/// Default user agent.
const DEFAULT_USER_AGENT: &str = concat!("wireform-client/", env!("CARGO_PKG_VERSION"));

/// Server to which a client sends its requests.
enum Target {
    Url(String),
    /// Name of one of the API's endpoints.
    Endpoint(String),
}

/// Builder of a client; `C` is the API's own client type.
#[must_use]
pub struct Builder<C = Client> {
    api: &'static Api,
    target: Option<Target>,
    transport: Option<Arc<dyn Transport>>,
    credentials: Credentials,
    credential_urls: Vec<String>,
    scopes: Option<Vec<String>>,
    names: Naming,
    retry: RetryPolicy,
    timeout: Duration,
    max_body_bytes: usize,
    max_batch_bytes: Option<usize>,
    user_agent: Option<String>,
    quota_user: Option<String>,
    metrics: Option<Arc<dyn Metrics>>,
    keep_output_only: bool,
    new_id: Arc<dyn Fn() -> String + Send + Sync>,
    #[cfg(feature = "validation")]
    validation: Option<crate::validation::Validation>,
    #[cfg(feature = "validation")]
    observer: Option<Arc<dyn crate::validation::ObserveViolations>>,
    client_type: PhantomData<fn() -> C>,
}

impl Client {
    /// Creates a builder of a client of an API.
    pub fn builder(api: &'static Api) -> Builder {
        Builder::new(api)
    }
}

impl<C: From<Client>> Builder<C> {
    /// Creates a builder of a client of an API.
    pub fn new(api: &'static Api) -> Self {
        Self {
            api,
            target: None,
            transport: None,
            credentials: Credentials::None,
            credential_urls: Vec::new(),
            scopes: None,
            names: Naming::default(),
            retry: RetryPolicy::default(),
            timeout: DEFAULT_TIMEOUT,
            max_body_bytes: DEFAULT_MAX_BODY_BYTES,
            max_batch_bytes: None,
            user_agent: None,
            quota_user: None,
            metrics: None,
            keep_output_only: false,
            new_id: Arc::new(|| uuid::Uuid::new_v4().to_string()),
            #[cfg(feature = "validation")]
            validation: None,
            #[cfg(feature = "validation")]
            observer: None,
            client_type: PhantomData,
        }
    }

    /// Sets the base URL of the API: `https://example.com`, or one with a path prefix. The default is the API's public
    /// URL. With a URL that is none of the public ones, all operations are sent there, also those whose schema has another
    /// URL.
    ///
    /// Over `http://`, credentials are sent to this machine only.
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.target = Some(Target::Url(url.into()));
        self
    }

    /// Selects one of the API's [endpoints](wireform_runtime::operation::Api::endpoints) by its name, such as that of a
    /// region, in place of the public URL. Of this and [`base_url`](Self::base_url), the one that is set last applies.
    pub fn endpoint(mut self, name: impl Into<String>) -> Self {
        self.target = Some(Target::Endpoint(name.into()));
        self
    }

    /// Sets the transport that sends requests. The default is `transport::Http` where the feature `sockets` is
    /// enabled; without it and in a browser, `transport::Reqwest` where the feature `reqwest` is.
    pub fn transport(mut self, transport: impl Transport) -> Self {
        self.transport = Some(Arc::new(transport));
        self
    }

    /// Sets the credentials. The default is none.
    pub fn credentials(mut self, credentials: impl Into<Credentials>) -> Self {
        self.credentials = credentials.into();
        self
    }

    /// Permits the credentials at the server of an operation that is not sent to the base URL: the URL in its
    /// documentation. Without this, the client sends credentials to the base URL only: other operations that require
    /// them fail before they are sent, and those that do not are sent without them.
    pub fn credentials_at(mut self, url: impl Into<String>) -> Self {
        self.credential_urls.push(url.into());
        self
    }

    /// Sets the scopes that tokens are requested for: URLs, or the short names of the API's scopes. The default is all
    /// scopes of the API.
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.scopes = Some(scopes.into_iter().map(Into::into).collect());
        self
    }

    /// Sets which names are sent: those of the specification, which are the default, or those of the public service. A
    /// client of the public service, whose URL is the default where the schema has one, needs [`Naming::Public`].
    pub fn naming(mut self, naming: Naming) -> Self {
        self.names = naming;
        self
    }

    /// Sets the retry policy of calls that do not set their own.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Sets the timeout of an attempt, until the response is read as a whole, for calls that do not set their own. The
    /// default is 60 seconds. Waiting for a token does not count.
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Sets the maximum size of a response body in bytes, after decompression. The default is 64 MiB.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Sets the maximum number of bytes of responses that are read for all calls of a [`Batch`](crate::Batch) together.
    /// The default is 64 MiB, or [`max_body_bytes`](Self::max_body_bytes) if that is more.
    ///
    /// Calls whose responses arrive completely before the limit keep them. The others fail with
    /// [`ErrorKind::BatchTooLong`](crate::ErrorKind::BatchTooLong), and calls that were not sent by then are not sent.
    pub fn max_batch_bytes(mut self, bytes: usize) -> Self {
        self.max_batch_bytes = Some(bytes);
        self
    }

    /// Sets the user agent.
    pub fn user_agent(mut self, name: impl Into<String>) -> Self {
        self.user_agent = Some(name.into());
        self
    }

    /// Sets the quota user of calls that do not set their own: any text that stands for a user.
    pub fn quota_user(mut self, user: impl Into<String>) -> Self {
        self.quota_user = Some(user.into());
        self
    }

    /// Sets the receiver of call metrics.
    pub fn metrics(mut self, metrics: impl Metrics) -> Self {
        self.metrics = Some(Arc::new(metrics));
        self
    }

    /// Sets whether requests include output-only fields. By default they are left out, because callers read a resource,
    /// change it and send all of it back.
    pub fn keep_output_only(mut self, keep: bool) -> Self {
        self.keep_output_only = keep;
        self
    }

    /// Sets the generator of identifiers that the client fills in. The default is random UUIDs.
    pub fn new_id(mut self, new_id: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.new_id = Arc::new(new_id);
        self
    }

    /// Sets the `Rules` of the API's validation crate, by which every request is checked before it is sent. By default
    /// nothing is checked; a single call can be [unchecked](crate::CallOptions::tier) or use another tier.
    #[cfg(feature = "validation")]
    pub fn validation(
        mut self,
        rules: impl wireform_validation::CheckRequests + 'static,
        tier: crate::validation::Tier,
    ) -> Self {
        self.validation = Some(crate::validation::Validation::new(rules, tier));
        self
    }

    /// Sets the observer of what the rules of [`validation`](Self::validation) find in requests and responses.
    #[cfg(feature = "validation")]
    pub fn observe_violations(mut self, observer: impl crate::validation::ObserveViolations) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Builds the client.
    ///
    /// # Errors
    /// Returns an error if there is no base URL, the endpoint is unknown, the base URL is invalid, credentials would be
    /// sent to another machine without encryption, the user agent is no valid header value, there is no transport, or
    /// the default transport cannot be created.
    pub fn build(self) -> Result<C, BuildError> {
        let base_url = resolve_base_url(self.api, self.target.as_ref())?;
        if !matches!(self.credentials, Credentials::None) && !base_url.is_confidential() {
            return Err(BuildError::Insecure { host: base_url.host().to_owned() });
        }
        let credential_urls = self.credential_urls.iter().map(|url| confidential_url(url)).collect::<Result<_, _>>()?;
        let user_agent = self.user_agent.as_deref().unwrap_or(DEFAULT_USER_AGENT);
        let user_agent = HeaderValue::from_str(user_agent).map_err(|_| BuildError::UserAgent)?;
        let transport = match self.transport {
            Some(transport) => transport,
            None => default_transport(&base_url)?,
        };
        let inner = ClientInner {
            api: self.api,
            is_public: is_public_url(self.api, &base_url),
            base_url,
            credential_urls,
            transport,
            credentials: self.credentials,
            scopes: resolve_scopes(self.api, self.scopes, self.names),
            names: self.names,
            retry: self.retry,
            timeout: self.timeout,
            max_body_bytes: self.max_body_bytes,
            max_batch_bytes: self.max_batch_bytes.unwrap_or(self.max_body_bytes.max(DEFAULT_MAX_BATCH_BYTES)),
            user_agent,
            quota_user: self.quota_user,
            metrics: self.metrics,
            keep_output_only: self.keep_output_only,
            new_id: self.new_id,
            #[cfg(feature = "validation")]
            validation: match self.observer {
                Some(observer) => self.validation.map(|validation| validation.with_observer(observer)),
                None => self.validation,
            },
        };
        Ok(C::from(Client { inner: Arc::new(inner) }))
    }
}

fn resolve_base_url(api: &'static Api, chosen: Option<&Target>) -> Result<BaseUrl, BuildError> {
    let url = match chosen {
        Some(Target::Url(url)) => url,
        Some(Target::Endpoint(name)) => match api.endpoints.iter().find(|endpoint| endpoint.name == name) {
            Some(endpoint) => endpoint.url,
            None => return Err(BuildError::UnknownEndpoint { api, name: name.clone() }),
        },
        None => api.root_url.ok_or(BuildError::NoBaseUrl { api: api.name })?,
    };
    BaseUrl::parse(url)
}

/// Returns whether a URL is one of the public ones of an API; if the API has none, one of another machine is.
fn is_public_url(api: &Api, url: &BaseUrl) -> bool {
    let endpoints = api.endpoints.iter().map(|endpoint| endpoint.url);
    api.root_url.map_or(!url.is_local(), |root| endpoints.chain([root]).any(|public| public == url.as_str()))
}

/// Parses a URL to which credentials are sent.
fn confidential_url(url: &str) -> Result<String, BuildError> {
    let url = BaseUrl::parse(url)?;
    if !url.is_confidential() {
        return Err(BuildError::Insecure { host: url.host().to_owned() });
    }
    Ok(url.as_str().to_owned())
}

fn default_transport(base_url: &BaseUrl) -> Result<Arc<dyn Transport>, BuildError> {
    // Requests to this machine, perhaps without encryption, must not go through a proxy.
    let transport = transport::default_transport(base_url.is_local()).ok_or(BuildError::NoTransport)?;
    transport.map_err(BuildError::Transport)
}

/// Returns the scopes by the URLs of the naming.
fn resolve_scopes(api: &'static Api, chosen: Option<Vec<String>>, names: Naming) -> Vec<String> {
    let Some(chosen) = chosen else {
        return api.scopes.iter().map(|scope| scope.url.name_in(names).to_owned()).collect();
    };
    let spelled = |text: String| {
        let known = api.scopes.iter().find(|scope| scope.name == text || scope.url.matches(&text));
        known.map_or(text, |scope| scope.url.name_in(names).to_owned())
    };
    chosen.into_iter().map(spelled).collect()
}

impl<C> fmt::Debug for Builder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("api", &self.api.name)
            .field("credentials", &self.credentials)
            .finish_non_exhaustive()
    }
}
