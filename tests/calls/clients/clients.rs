//! Clients of the three APIs, over sockets or in process.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use wireform_client::transport::{Http, in_process};
use wireform_client::{Builder, Credentials, Naming, RetryPolicy, Transport};

use crate::server::{Log, RecordedRequest, TestServer, router};

/// One client for each API, all connected to the same server.
#[derive(Clone)]
pub struct Clients {
    pub calendar: calendar_client::Client,
    pub mailbox: mailbox_client::Client,
    pub script: script_client::Client,
}

/// How requests reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransportKind {
    /// HTTP over the loopback interface.
    Sockets,
    /// No socket, so that the clock can be paused.
    InProcess,
}

/// Both kinds, for tests that must not depend on the transport.
pub const TRANSPORTS: [TransportKind; 2] = [TransportKind::Sockets, TransportKind::InProcess];

/// Configuration of clients.
#[derive(Clone)]
pub struct Setup {
    pub transport: TransportKind,
    pub names: Naming,
    pub retry: RetryPolicy,
    pub timeout: Duration,
    pub max_body_bytes: usize,
    pub credentials: Credentials,
    pub keep_output_only: bool,
}

/// Bearer token of the clients. It must not occur in errors.
pub const TOKEN: &str = "a-token-that-nobody-may-read";

impl Setup {
    /// Creates the configuration of clients that do not retry and time out after a minute.
    pub fn new(transport: TransportKind) -> Self {
        Self {
            transport,
            names: Naming::Specification,
            retry: RetryPolicy::off(),
            timeout: Duration::from_secs(60),
            max_body_bytes: 1 << 20,
            credentials: Credentials::token(TOKEN),
            keep_output_only: false,
        }
    }

    /// Starts a server with the given handler, and clients for it.
    pub async fn start(&self, respond: impl Fn(&RecordedRequest) -> Response + Send + Sync + 'static) -> Harness {
        let log = Log::default();
        let app = router(Arc::new(respond), log.clone());
        match self.transport {
            TransportKind::Sockets => {
                let server = TestServer::start(app).await;
                let clients = self.clients_at(&server.base_url());
                Harness { clients, log, _server: Some(server) }
            }
            TransportKind::InProcess => Harness { clients: self.clients_with(in_process(app)), log, _server: None },
        }
    }

    /// Creates clients for a server at a base URL, over sockets.
    pub fn clients_at(&self, base_url: &str) -> Clients {
        thread_local! {
            // Setting up TLS, which these tests do not use, takes longer than most of them.
            static HTTP: Http = Http::without_proxy().expect("TLS can be set up");
        }
        self.clients(base_url, &HTTP.with(Http::clone))
    }

    /// Creates clients with a transport.
    pub fn clients_with(&self, transport: impl Transport + Clone) -> Clients {
        self.clients("http://localhost", &transport)
    }

    fn clients(&self, base_url: &str, transport: &(impl Transport + Clone)) -> Clients {
        Clients {
            calendar: self.client(calendar_client::Client::builder().base_url(base_url).transport(transport.clone())),
            mailbox: self.client(mailbox_client::Client::builder().base_url(base_url).transport(transport.clone())),
            script: self.client(script_client::Client::builder().base_url(base_url).transport(transport.clone())),
        }
    }

    /// Builds a client with this configuration.
    pub fn client<C: From<wireform_client::Client>>(&self, builder: Builder<C>) -> C {
        builder
            .credentials(self.credentials.clone())
            .naming(self.names)
            .retry(self.retry.clone())
            .timeout(self.timeout)
            .max_body_bytes(self.max_body_bytes)
            .keep_output_only(self.keep_output_only)
            .build()
            .expect("a client")
    }
}

/// Clients and their server, which is shut down when this is dropped.
pub struct Harness {
    pub clients: Clients,
    /// Requests that the server has received.
    pub log: Log,
    _server: Option<TestServer>,
}
