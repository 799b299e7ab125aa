//! Listening sockets, with or without TLS.

use std::io;
use std::net::{IpAddr, SocketAddr};

use anyhow::{Context as _, anyhow};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use wireform_server::axum::Router;
use wireform_server::{ServeLimits, serve};

use super::descriptors;
use super::shutdown::ShutdownSignal;
use super::tls::Acceptor;
use crate::settings::ServeSettings;

/// Maximum number of connections waiting to be accepted.
const BACKLOG: i32 = 1024;

/// Bound sockets that do not serve yet.
pub struct Listeners {
    sockets: Vec<TcpListener>,
    first: SocketAddr,
    tls: Option<Acceptor>,
}

impl Listeners {
    /// Binds all addresses at one port.
    ///
    /// # Errors
    /// Returns an error if the TLS files are invalid, an address does not belong to this machine, or the port is in
    /// use.
    pub fn bind(settings: &ServeSettings) -> anyhow::Result<Self> {
        let tls = settings.tls.as_ref().map(Acceptor::new).transpose()?;
        let (mut sockets, mut port, mut first) = (Vec::new(), settings.port, None);
        for address in &settings.listen {
            let both = settings.listen.iter().any(IpAddr::is_ipv4);
            let socket = listen(SocketAddr::new(*address, port), both)
                .map_err(|error| bind_error(*address, port, settings, &error))?;
            let bound = socket.local_addr().context("the bound port is unknown")?;
            // If the first address got a free port, the others use the same one.
            port = bound.port();
            first.get_or_insert(bound);
            sockets.push(socket);
        }
        let first = first.context("no address to listen on; help: check --listen")?;
        Ok(Self { sockets, first, tls })
    }

    /// Returns the base URL for clients, made of the first bound address.
    pub fn base(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let mut address = self.first;
        // `0.0.0.0` stands for all addresses and cannot be connected to itself.
        if address.ip().is_unspecified() {
            let loopback = match address.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            };
            address.set_ip(loopback);
        }
        format!("{scheme}://{address}")
    }

    /// Serves the router until the program is stopped. Serving starts at once; the future completes when all accepted
    /// requests have ended, or the time for them.
    pub fn serve(
        self,
        router: Router,
        settings: &ServeSettings,
        stop: &ShutdownSignal,
    ) -> impl Future<Output = ()> + use<> {
        let mut limits = ServeLimits::DEFAULT;
        let wanted = settings.connections.unwrap_or(limits.connections);
        limits.connections = descriptors::max_connections(wanted, self.sockets.len());
        let mut running = JoinSet::new();
        for socket in self.sockets {
            let server = serve(socket, router.clone()).limits(limits.clone()).graceful_shutdown(stop.clone().wait());
            match &self.tls {
                Some(acceptor) => running.spawn(server.handshake(acceptor.clone()).into_future()),
                None => running.spawn(server.into_future()),
            };
        }
        async move { while running.join_next().await.is_some() {} }
    }
}

/// Creates a listening socket. `::` accepts IPv4 as well, unless an IPv4 address is bound separately.
fn listen(address_and_port: SocketAddr, both: bool) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address_and_port), Type::STREAM, Some(Protocol::TCP))?;
    if address_and_port.is_ipv6() && both {
        socket.set_only_v6(true)?;
    }
    // A server that has just ended does not keep the port from the next one.
    socket.set_reuse_address(true)?;
    socket.bind(&address_and_port.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket.into())
}

/// Returns the error of an address that cannot be bound, with what to do.
fn bind_error(address: IpAddr, port: u16, settings: &ServeSettings, error: &io::Error) -> anyhow::Error {
    let address_and_port = SocketAddr::new(address, port);
    match error.kind() {
        io::ErrorKind::AddrInUse if settings.default_port => anyhow!(
            "port {port} at {address} is already in use, perhaps by another server of this kind; help: stop that \
             one, set another port with --port, or use --port 0 for a free one"
        ),
        io::ErrorKind::AddrInUse => {
            anyhow!("{address_and_port} is already in use; help: set another port, or use --port 0 for a free one")
        }
        io::ErrorKind::AddrNotAvailable => {
            anyhow!("{address} is not an address of this machine; help: check --listen")
        }
        io::ErrorKind::PermissionDenied => {
            anyhow!(
                "permission denied to listen on {address_and_port}: ports below 1024 are privileged; help: set \
                 another port with --port"
            )
        }
        _ => anyhow!("cannot listen on {address_and_port}: {error}"),
    }
}
