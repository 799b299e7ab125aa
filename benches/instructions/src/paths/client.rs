//! Call of the generated client over a transport that responds immediately, compared with a handwritten request over
//! the same transport.

use anyhow::{Context as _, Result, ensure};
use bytes::Bytes;
use calendar_client::Client;
use calendar_client::runtime::Credentials;
use calendar_client::runtime::transport::{BoxFuture, ResponseBody, Transport, TransportError};
use http::{HeaderValue, Request, Response, header};
use http_body_util::BodyExt as _;
use wireform_fixtures::{EVENT, ID, generated, hand};

use super::server::runtime;
use crate::meter::measure;

const HOST: &str = "http://localhost:8080";

/// Transport that responds with an event.
struct FixedTransport;

impl Transport for FixedTransport {
    fn send(&self, _request: Request<Bytes>) -> BoxFuture<'_, Result<Response<ResponseBody>, TransportError>> {
        let mut response = Response::new(ResponseBody::from(EVENT));
        let json = HeaderValue::from_static("application/json; charset=UTF-8");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        Box::pin(std::future::ready(Ok(response)))
    }
}

pub fn ours(repetitions: u32) -> Result<()> {
    let runtime = runtime()?;
    let client = Client::builder().base_url(HOST).credentials(Credentials::token(generated::TOKEN));
    let client: Client = client.transport(FixedTransport).build()?;
    measure(repetitions, || {
        runtime.block_on(async {
            let event = client.events().get("primary", ID).send().await?;
            event.id.as_ref().context("the event has no identifier")?;
            Ok(event)
        })
    })
}

pub fn by_hand(repetitions: u32) -> Result<()> {
    let runtime = runtime()?;
    measure(repetitions, || {
        runtime.block_on(async {
            let event = read("primary", ID).await?;
            event.id.as_ref().context("the event has no identifier")?;
            Ok(event)
        })
    })
}

async fn read(calendar: &str, event: &str) -> Result<hand::Event> {
    let request = Request::get(format!("{HOST}/calendar/v3/calendars/{calendar}/events/{event}"))
        .header(header::AUTHORIZATION, format!("Bearer {}", generated::TOKEN))
        .header(header::ACCEPT, "application/json")
        .body(Bytes::new())?;
    let response = FixedTransport.send(request).await?;
    ensure!(response.status().is_success(), "the status is {}", response.status());
    Ok(serde_json::from_slice(&response.into_body().collect().await?.to_bytes())?)
}
