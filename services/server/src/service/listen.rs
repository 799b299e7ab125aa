//! Sockets: where requests come from, with TLS or without.

use std::io;
use std::net::{IpAddr, SocketAddr};

use anyhow::{Context as _, anyhow};
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use wireform_server::axum::Router;
use wireform_server::{ServeLimits, serve};

use super::descriptors;
use super::stop::Stop;
use super::tls::Acceptor;
use crate::settings::Serving;

/// So many connections wait for being accepted.
const WAITING: i32 = 1024;

/// The sockets that listen, before anybody answers.
pub struct Listeners {
    sockets: Vec<TcpListener>,
    first: SocketAddr,
    tls: Option<Acceptor>,
}

impl Listeners {
    /// Listens at all addresses, at one port.
    ///
    /// # Errors
    /// Files of TLS that are none, addresses that are not there, a port that is taken.
    pub fn bind(settings: &Serving) -> anyhow::Result<Self> {
        let tls = settings.tls.as_ref().map(Acceptor::new).transpose()?;
        let (mut sockets, mut port, mut first) = (Vec::new(), settings.port, None);
        for address in &settings.listen {
            let both = settings.listen.iter().any(IpAddr::is_ipv4);
            let socket = listen(SocketAddr::new(*address, port), both)
                .map_err(|error| taken(*address, port, settings, &error))?;
            let bound = socket.local_addr().context("the system does not tell the port")?;
            // The addresses after the first get the port that was free for it.
            port = bound.port();
            first.get_or_insert(bound);
            sockets.push(socket);
        }
        let first = first.context("there is no address to listen at: look at --listen")?;
        Ok(Self { sockets, first, tls })
    }

    /// The address that clients use, by the first of those that are listened at.
    pub fn base(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let mut address = self.first;
        // `0.0.0.0` stands for all addresses and is none itself.
        if address.ip().is_unspecified() {
            let loopback = match address.ip() {
                IpAddr::V4(_) => IpAddr::from([127, 0, 0, 1]),
                IpAddr::V6(_) => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            };
            address.set_ip(loopback);
        }
        format!("{scheme}://{address}")
    }

    /// Answers with the router until it is told to stop. It begins at once, and is done when what it answers is.
    pub fn serve(self, router: Router, settings: &Serving, stop: &Stop) -> impl Future<Output = ()> + use<> {
        let mut limits = ServeLimits::DEFAULT;
        let wanted = settings.connections.unwrap_or(limits.connections);
        limits.connections = descriptors::connections(wanted, self.sockets.len());
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

/// A socket that listens. `::` takes the addresses of IPv4 as well, unless these are listened at by themselves.
fn listen(place: SocketAddr, both: bool) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(place), Type::STREAM, Some(Protocol::TCP))?;
    if place.is_ipv6() && both {
        socket.set_only_v6(true)?;
    }
    // A server that was ended just now does not keep its port from the next one.
    socket.set_reuse_address(true)?;
    socket.bind(&place.into())?;
    socket.listen(WAITING)?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket.into())
}

/// What to do about an address that cannot be listened at.
fn taken(address: IpAddr, port: u16, settings: &Serving, error: &io::Error) -> anyhow::Error {
    let place = SocketAddr::new(address, port);
    match error.kind() {
        io::ErrorKind::AddrInUse if settings.default_port => anyhow!(
            "port {port} at {address} is taken, perhaps by another server of this kind: stop that one, say another \
             port with --port, or let a free one be found with --port 0"
        ),
        io::ErrorKind::AddrInUse => anyhow!("{place} is taken: say another port, or --port 0 for one that is free"),
        io::ErrorKind::AddrNotAvailable => {
            anyhow!("{address} is no address of this machine: look at --listen")
        }
        io::ErrorKind::PermissionDenied => {
            anyhow!(
                "{place} may not be listened at: ports below 1024 are for the administrator; say another with --port"
            )
        }
        _ => anyhow!("{place} cannot be listened at: {error}"),
    }
}
