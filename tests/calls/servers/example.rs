//! Serves the three APIs with valid sample responses and without storage, for programs that test an implementation from
//! outside: `cargo run -p wireform-call-tests --example server`. It prints its URL on the first line, and the accepted token
//! on the second.

#[allow(dead_code)] // the example and the tests use different steps
mod desk;
#[allow(dead_code)] // the example and the tests read different fields
mod valid;

use desk::{Desk, Step, TOKEN};

#[tokio::main(flavor = "current_thread")]
async fn main() -> std::io::Result<()> {
    let port: u16 = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(0);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    println!("http://{}", listener.local_addr()?);
    println!("{TOKEN}");
    let desk = Desk::new(|received, _| {
        let valid = valid::ALL.iter().find(|one| one.operation == received.operation);
        Step::Response(valid.and_then(|one| one.response).unwrap_or_default().to_owned())
    });
    wireform_server::serve(listener, desk.router()).await;
    Ok(())
}
