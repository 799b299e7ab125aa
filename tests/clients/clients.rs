//! Clients of the three APIs, by sockets or in this process.

use std::sync::Arc;
use std::time::Duration;

use axum::response::Response;
use wireform_client::transport::{Http, in_process};
use wireform_client::{Builder, Credentials, Naming, RetryPolicy, Transport};

use crate::server::{Log, Recorded, Served, router};

/// One client an API, all of them with the same server.
#[derive(Clone)]
pub struct Clients {
    pub calendar: calendar_client::Client,
    pub mailbox: mailbox_client::Client,
    pub script: script_client::Client,
}

/// How requests reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By HTTP over the loopback interface.
    Sockets,
    /// Without a socket, so that the clock can be stopped.
    InProcess,
}

/// Both ways, for what must not depend on it.
pub const WAYS: [Way; 2] = [Way::Sockets, Way::InProcess];

/// How clients are set up.
#[derive(Clone)]
pub struct Setup {
    pub way: Way,
    pub names: Naming,
    pub retry: RetryPolicy,
    pub timeout: Duration,
    pub max_body_bytes: usize,
    pub credentials: Credentials,
    pub keep_output_only: bool,
}

/// The token that clients show.
pub const TOKEN: &str = "a-token-that-nobody-may-read";

impl Setup {
    /// Clients that send nothing twice and wait for a minute.
    pub fn new(way: Way) -> Self {
        Self {
            way,
            names: Naming::Specification,
            retry: RetryPolicy::off(),
            timeout: Duration::from_secs(60),
            max_body_bytes: 1 << 20,
            credentials: Credentials::token(TOKEN),
            keep_output_only: false,
        }
    }

    /// Starts a server that answers so, and clients of it.
    pub async fn start(&self, respond: impl Fn(&Recorded) -> Response + Send + Sync + 'static) -> Running {
        let log = Log::default();
        let app = router(Arc::new(respond), log.clone());
        match self.way {
            Way::Sockets => {
                let served = Served::start(app).await;
                let clients = self.clients_at(&served.base_url());
                Running { clients, log, _served: Some(served) }
            }
            Way::InProcess => Running { clients: self.clients_by(in_process(app)), log, _served: None },
        }
    }

    /// Clients of a server at that address, by sockets.
    pub fn clients_at(&self, base_url: &str) -> Clients {
        thread_local! {
            // Setting up TLS, which nobody needs here, takes longer than most tests.
            static HTTP: Http = Http::without_proxy().expect("TLS can be set up");
        }
        self.clients(base_url, &HTTP.with(Http::clone))
    }

    /// Clients by that transport, wherever it leads.
    pub fn clients_by(&self, transport: impl Transport + Clone) -> Clients {
        self.clients("http://localhost", &transport)
    }

    fn clients(&self, base_url: &str, transport: &(impl Transport + Clone)) -> Clients {
        Clients {
            calendar: self.client(calendar_client::Client::builder().base_url(base_url).transport(transport.clone())),
            mailbox: self.client(mailbox_client::Client::builder().base_url(base_url).transport(transport.clone())),
            script: self.client(script_client::Client::builder().base_url(base_url).transport(transport.clone())),
        }
    }

    /// A client set up so.
    pub fn client<C: From<wireform_client::Client>>(&self, builder: Builder<C>) -> C {
        builder
            .credentials(self.credentials.clone())
            .names(self.names)
            .retry(self.retry.clone())
            .timeout(self.timeout)
            .max_body_bytes(self.max_body_bytes)
            .keep_output_only(self.keep_output_only)
            .build()
            .expect("a client")
    }
}

/// Clients and their server, which ends when this is dropped.
pub struct Running {
    pub clients: Clients,
    /// What the server has received.
    pub log: Log,
    _served: Option<Served>,
}
