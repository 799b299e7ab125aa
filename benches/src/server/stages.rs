//! Duration of requests that end at different stages, without sockets: the difference between two is the cost of the
//! stage between them.

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use tower_service::Service as _;

use wireform_fixtures::{EVENT, EVENT_PATH, EVENTS_PATH, SENT, generated};
use wireform_rounds::{Rounds, Side};

/// Creates a new request, since handling consumes it.
type Make<'m> = dyn Fn() -> anyhow::Result<Request<Body>> + 'm;

/// Measures and prints.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let router = generated::router(EVENT)?;
    let bearer = format!("Bearer {}", generated::TOKEN);
    let get = |path: &str, token: &str, tag: Option<&str>| {
        let mut request = Request::get(path).header(header::HOST, "localhost").header(header::AUTHORIZATION, token);
        if let Some(tag) = tag {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        request
    };
    let check_status = |expected: u16, make: &Make<'_>| -> anyhow::Result<()> {
        let status = runtime.block_on(send(&router, make()?));
        anyhow::ensure!(status == expected, "status {status}, expected {expected}");
        Ok(())
    };
    let tag = calendar_types::runtime::json::from_str::<calendar_types::Event>(EVENT)?.etag.unwrap_or_default();
    let requests: [(&str, u16, &Make<'_>); 6] = [
        ("no such path: 404", 404, &|| Ok(get("/calendar/v3/nothing", &bearer, None).body(Body::empty())?)),
        ("an invalid token: 401", 401, &|| Ok(get(EVENT_PATH, "Bearer wrong", None).body(Body::empty())?)),
        ("not modified: 304", 304, &|| Ok(get(EVENT_PATH, &bearer, Some(&tag)).body(Body::empty())?)),
        ("a GET: 200", 200, &|| Ok(get(EVENT_PATH, &bearer, None).body(Body::empty())?)),
        ("a POST with invalid JSON: 400", 400, &|| Ok(post(&bearer).body(Body::from("{"))?)),
        ("a POST: 200", 200, &|| Ok(post(&bearer).body(Body::from(SENT))?)),
    ];
    for (_, expected, make) in &requests {
        check_status(*expected, make)?;
    }
    let sides = requests.iter().map(|(name, _, make)| {
        let (runtime, router) = (&runtime, &router);
        Side::batch(name, move || runtime.block_on(send_new(router, make)))
    });
    Rounds::measure(rounds, sides.collect())?
        .print("the generated server without sockets, by the stage where a request ends");
    println!();
    Ok(())
}

fn post(bearer: &str) -> axum::http::request::Builder {
    Request::post(EVENTS_PATH)
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, bearer)
        .header(header::CONTENT_TYPE, "application/json")
}

async fn send_new(router: &Router, make: &Make<'_>) -> u16 {
    match make() {
        Ok(request) => send(router, request).await,
        Err(_) => 0,
    }
}

/// Returns the status of the response, whose body is read completely.
async fn send(router: &Router, request: Request<Body>) -> u16 {
    let Ok(response) = router.clone().call(request).await;
    let status = response.status().as_u16();
    match axum::body::to_bytes(response.into_body(), usize::MAX).await {
        Ok(_) => status,
        Err(_) => 0,
    }
}
