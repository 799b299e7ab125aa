//! Handlers receive the values that clients send.

use proptest::prelude::*;
use tokio::runtime::Runtime;
use wireform_server::wireform_runtime::{Naming, Request};

use crate::sample::*;

/// Sends a request as a client encodes it. Returns the response and the request that the handler received.
fn journey<R: Request>(request: &R, names: Naming) -> (TestResponse, Option<R>) {
    let sample = Sample::default();
    let runtime = Runtime::new().unwrap();
    let response = runtime.block_on(ask_typed(&sample, request, names));
    (response, sample.seen::<R>())
}

fn names() -> impl Strategy<Value = Naming> {
    prop_oneof![Just(Naming::Specification), Just(Naming::Public)]
}

/// Generates any text, often of characters with a meaning in a URL.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-c/%?#&=+,.:; 0-9A-F-]{0,12}", "(%2[fFeE]|\\.|/|:run|import|%){0,4}"]
}

/// Generates a text that a path can hold: any except empty ones and dot segments.
fn segment() -> impl Strategy<Value = String> {
    text().prop_filter("it is lost in a path", |text| !matches!(&**text, "" | "." | ".."))
}

fn header() -> impl Strategy<Value = String> {
    "[!-~]([ -~]{0,20}[!-~])?".prop_filter("the rules ask for it", |text| (2..=40).contains(&text.len()))
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Small), Just(Kind::Large)]
}

prop_compose! {
    fn list()(
        q in proptest::option::of(text()),
        max_results in proptest::option::of(1..=50_i32),
        kinds in proptest::collection::vec(kind(), 0..4),
        ids in proptest::collection::vec(text(), 0..4),
        either in any::<bool>(),
        show_deleted in any::<Option<bool>>(),
        trace in proptest::option::of(header()),
        labels in proptest::collection::vec(header(), 0..3),
        session in proptest::option::of("[a-z0-9=]{0,8}"),
        ratio in proptest::option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL),
    ) -> ThingsList {
        // The rules allow one of the two.
        let (q, ids) = if either { (q, Vec::new()) } else { (None, ids) };
        ThingsList { q, max_results, kinds, ids, show_deleted, trace, session, labels, ratio, ..ThingsList::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn paths(id in segment(), names in names()) {
        let request = ThingsGet { id: id.clone() };
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
        // A verb after it is not part of it.
        let request = ThingsRun { id, body: None };
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
    }

    #[test]
    fn paths_with_slashes(segments in proptest::collection::vec(segment(), 1..5), names in names()) {
        let path = segments.join("/");
        prop_assume!(!path.split('/').any(|segment| matches!(segment, "" | "." | "..")));
        let request = FilesGet { path };
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
    }

    #[test]
    fn names_of_several_segments(project in segment(), place in segment(), pages in proptest::collection::vec(segment(), 1..4), names in names()) {
        let (name, page) = (format!("projects/{project}/places/{place}"), format!("page/{}", pages.join("/")));
        prop_assume!(!format!("{name}/{page}").split('/').any(|segment| matches!(segment, "" | "." | "..")));
        prop_assume!(name.split('/').count() == 4);
        let request = PlacesGet { name, page };
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
    }

    #[test]
    fn queries_headers_and_cookies(request in list(), names in names()) {
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
    }

    #[test]
    fn bodies_with_queries(owner in "[^\0]{1,10}", copies in 1..=3_u32, name in any::<String>(), names in names()) {
        let name: String = name.chars().take(20).collect();
        prop_assume!(!name.is_empty());
        let body = Thing { name: Some(name), kind: Some(Kind::Small), ..Thing::default() };
        let request = ThingsInsert { owner, copies, body };
        let (response, seen) = journey(&request, names);
        prop_assert_eq!(seen, Some(request), "{:?}", response);
    }

    /// The server responds to any request.
    #[test]
    fn any_target(path in "[ -~]{0,30}", query in "[!-~]{0,60}", body in any::<Vec<u8>>(), method in "GET|PUT|POST|X") {
        let target = format!("/sample/v1/{}?{}", path.replace([' ', '?', '#', '<', '>', '"'], "/things"), query.replace('#', ""));
        let built = http::Request::builder().method(&*method).uri(&target).header("authorization", "Bearer all");
        let Ok(request) = built.body(axum::body::Body::from(body)) else { return Ok(()) };
        let response = Runtime::new().unwrap().block_on(send(&router(&Sample::default()), request));
        let status = response.status.as_u16();
        prop_assert!(status != 500 && (status < 300 || response.json()["error"]["code"] == status), "{target}: {response:?}");
    }
}
