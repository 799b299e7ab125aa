//! Client-only operations are missing from the server.

use client_only_client::Client;
use client_only_client::runtime::transport::ServiceTransport;
use client_only_client::runtime::wire::{Naming, Request as _};
use client_only_server::requests::{FilesRead, NotesFind, NotesGet, NotesList};
use client_only_server::types::Note;
use client_only_server::{Context, Result, service};

struct Notes;

impl service::Notes for Notes {
    async fn get(&self, request: NotesGet, _: &Context) -> Result<Note> {
        Ok(Note::default().with_text(request.id).into())
    }
}

/// All operations of this group are client-only, so the trait has no functions.
impl service::Files for Notes {}

#[tokio::test]
async fn a_server_has_no_client_only_operations() {
    let transport = ServiceTransport::new(client_only_server::router(Notes));
    let client: Client = Client::builder().base_url("http://localhost").transport(transport).build().unwrap();
    assert_eq!(client.notes().get("n").send().await.unwrap().text.as_deref(), Some("n"));
    // The path matches `notes.get`, which has no such parameter.
    assert_eq!(client.notes().find("t").send().await.unwrap_err().status(), Some(400));
    assert_eq!(client.notes().list().send().await.unwrap_err().status(), Some(404));
    assert_eq!(client.files().read().send().await.unwrap_err().status(), Some(404));
}

#[test]
fn a_client_has_all_operations() {
    let target = |wire: std::result::Result<client_only_client::runtime::wire::WireRequest, _>| wire.map(|wire| wire.target);
    assert_eq!(target(NotesList::new().to_wire(Naming::Specification)).ok().as_deref(), Some("/notes/"));
    assert_eq!(target(FilesRead::new().to_wire(Naming::Specification)).ok().as_deref(), Some("/files/"));
    assert_eq!(target(NotesFind::new("t").to_wire(Naming::Specification)).ok().as_deref(), Some("/notes/t?by=title"));
}
