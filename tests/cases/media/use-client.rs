//! Calls with media, with a fake.

use media_client::Client;
use media_client::requests::{FilesAdd, FilesReplace, NotesAppend, PicturesGet, PicturesPut};
use media_client::runtime::wire::{Naming, RawBody, Request as _, Upload as _};
use media_client::runtime::{Media, fake::FakeReply};
use media_client::types::File;

#[test]
fn media_are_uploaded_with_a_call() {
    let fake = media_client::fake()
        .on(|request: &FilesAdd| Ok(File::default().with_title(format!("{} {:?}", request.folder, request.shared))))
        .on(|request: &FilesReplace| Ok(File::default().with_id(request.name.as_str())));
    let client: Client = fake.client().unwrap();
    let picture = || Media::new("image/png", vec![0; 10]);
    let added = client.files().add("f", File::default()).shared(true).upload(picture()).send_blocking().unwrap();
    assert_eq!(added.title.as_deref(), Some("f Some(true)"));
    client.files().replace("files/1").upload(Media::new("a/b", "any")).send_blocking().unwrap();
    let error = client.files().add("f", File::default()).upload(Media::new("a/b", "x")).send_blocking().unwrap_err();
    assert!(error.to_string().contains("text/plain, image/*"), "{error}");
    let long = Media::new("image/png", vec![0; 1_048_577]);
    assert!(client.files().add("f", File::default()).upload(long).send_blocking().is_err());
}

/// Uploads and downloads implement `IntoFuture` with a `Send` future.
#[test]
fn uploads_and_downloads_can_be_awaited() {
    fn assert_awaitable<C: IntoFuture<Output = Result<T, E>, IntoFuture: Send>, T, E>(call: C) {
        drop(call);
    }
    let client: Client = media_client::fake().client().unwrap();
    assert_awaitable(client.files().add("f", File::default()).upload(Media::new("image/png", vec![0])));
    assert_awaitable(client.pictures().get("1").download());
}

#[test]
fn uploads_have_their_own_paths() {
    let request = FilesAdd::new("a b", File::default());
    let [simple, resumable] = [&FilesAdd::MEDIA.simple, &FilesAdd::MEDIA.resumable].map(|protocol| protocol.as_ref().unwrap());
    let target = |protocol| request.to_wire_with_media(Naming::Specification, protocol).unwrap().target;
    assert_eq!(target(simple), "/upload/media/v1/folders/a%20b/files");
    assert_eq!(target(resumable), "/resumable/upload/media/v1/folders/a%20b/files");
    assert!(FilesReplace::MEDIA.resumable.is_none() && FilesReplace::MEDIA.types.is_empty());
}

#[test]
fn raw_bodies_are_unchanged() {
    let wire = PicturesPut::new("1", vec![1, 2]).to_wire(Naming::Specification).unwrap();
    assert_eq!((wire.body, wire.content_type), (Some(vec![1, 2]), None));
    assert_eq!((PicturesPut::CONTENT_TYPE, PicturesGet::ACCEPT), ("image/png", "image/*"));
    let fake = media_client::fake()
        .on(|_: &PicturesGet| Ok(RawBody::new([1]).with_content_type("image/gif")))
        .on_call(|request: &NotesAppend, _| Ok(FakeReply::new(request.body.clone().unwrap_or_default())));
    let client: Client = fake.client().unwrap();
    let picture = client.pictures().get("1").send_blocking().unwrap();
    assert_eq!((picture.content_type(), picture.content().as_slice()), (Some("image/gif"), &[1][..]));
    let all = client.pictures().get("1").download().bytes_blocking(10).unwrap();
    assert_eq!(&all[..], [1]);
    let notes = client.notes().append().body("more").send_blocking().unwrap();
    assert_eq!(notes.content(), "more");
}
