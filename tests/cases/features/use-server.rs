//! A server with some groups serves only their paths.

use features_server::runtime::axum::{body::Body, extract::Request, http::StatusCode};
use features_server::{Context, OPENAPI, Result, requests, router, service, types};
use tower_service::Service as _;

struct Library;

impl service::Ungrouped for Library {
    async fn ping(&self, _: requests::Ping, _: &Context) -> Result<types::Status> {
        Ok(types::Status::default().with_level(types::Level::Good).into())
    }
}

#[cfg(feature = "works")]
impl service::Works for Library {}
#[cfg(feature = "people")]
impl service::People for Library {}
#[cfg(feature = "people-hobbies")]
impl service::PeopleHobbies for Library {}
#[cfg(feature = "requests-group")]
impl service::Requests for Library {}
#[cfg(feature = "shelves")]
impl service::Shelves for Library {}
#[cfg(feature = "shelves-books")]
impl service::ShelvesBooks for Library {}
#[cfg(feature = "archives-holders")]
impl service::ArchivesHolders for Library {}

async fn status(method: &str, path: &str) -> StatusCode {
    let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
    router(Library).call(request).await.unwrap().status()
}

#[tokio::test]
async fn only_enabled_groups_are_served() {
    let expected = |enabled: bool| if enabled { StatusCode::NOT_IMPLEMENTED } else { StatusCode::NOT_FOUND };
    assert_eq!(status("POST", "/ping").await, StatusCode::OK);
    assert_eq!(status("GET", "/shelves/s").await, expected(cfg!(feature = "shelves")));
    assert_eq!(status("GET", "/books/b/holder").await, expected(cfg!(feature = "shelves-books")));
    assert_eq!(status("GET", "/people/ana/hobbies").await, expected(cfg!(feature = "people-hobbies")));
    // Another group may send the request, but the operation is served by its own group only.
    assert_eq!(status("GET", "/works/w").await, expected(cfg!(feature = "works")));
    assert!(OPENAPI.contains("/shelves/{id}"));
}
