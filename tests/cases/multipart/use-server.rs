//! Multipart forms are encoded by the client and decoded by the server; hostile forms are refused.

use http_body_util::BodyExt as _;
use multipart_client::Client;
use multipart_client::runtime::transport::ServiceTransport;
use multipart_server::requests::{GroupsAdd, NotesAdd, PicturesAdd, PicturesAlbum};
use multipart_server::runtime::axum::{Router, body::Body, http};
use multipart_server::types::runtime::FilePart;
use multipart_server::types::{Group, NewAlbum, NewPicture, Note, Owner, Picture};
use multipart_server::{Context, Result, service};
use tower_service::Service as _;

struct Pictures;

impl service::Pictures for Pictures {
    async fn add(&self, request: PicturesAdd, _: &Context) -> Result<Picture> {
        let NewPicture { title, tags, size, owner, thumbnail, image, more } = request.body;
        let describe = |file: &FilePart| {
            format!("{:?} {:?} {:?}", file.name(), file.content_type(), String::from_utf8_lossy(file.as_slice()))
        };
        let files = image.iter().chain(&more).map(describe).collect();
        Ok(Picture { title, tags, size, owner, thumbnail, files }.into())
    }

    async fn album(&self, request: PicturesAlbum, _: &Context) -> Result<Picture> {
        let describe = |(name, file): (&String, &FilePart)| format!("{name} {:?} {}", file.name(), file.as_slice().len());
        let files: Vec<String> = request.body.rest.iter().map(describe).collect();
        Ok(Picture::default().with_files(files).into())
    }
}

impl service::Groups for Pictures {
    async fn add(&self, request: GroupsAdd, _: &Context) -> Result<Group> {
        Ok(request.body.into())
    }
}

impl service::Notes for Pictures {
    async fn add(&self, request: NotesAdd, _: &Context) -> Result<Note> {
        Ok(request.body.unwrap_or_default().into())
    }
}

fn router() -> Router {
    multipart_server::router(Pictures)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

async fn send_raw(path: &str, content_type: &str, body: &[u8]) -> (u16, String) {
    let request = http::Request::post(path).header("content-type", content_type);
    let response = router().call(request.body(Body::from(body.to_vec())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

const FORM: &str = "multipart/form-data; boundary=B";

fn part(head: &str, body: &str) -> String {
    format!("--B\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n")
}

#[tokio::test]
async fn the_service_receives_what_the_client_sends() {
    let image = FilePart::new(*b"\r\n--B--\r\n").with_name("é \"1\"\\.\r\npng\\").with_content_type("image/png");
    let picture = NewPicture::default()
        .with_title("--x\r\n")
        .with_tags(["a", "b"])
        .with_size(3)
        .with_owner(Owner::default().with_name("Ana"))
        .with_thumbnail(vec![0xfb, 0xff])
        .with_image(image)
        .with_more([FilePart::default(), FilePart::new(*b"x")]);
    let received = client().pictures().add(picture).send().await.unwrap();
    assert_eq!(received.title.as_deref(), Some("--x\r\n"));
    assert_eq!((received.tags, received.size), (vec!["a".to_owned(), "b".to_owned()], Some(3)));
    assert_eq!(received.owner.and_then(|owner| owner.name).as_deref(), Some("Ana"));
    assert_eq!(received.thumbnail.unwrap().as_slice(), [0xfb, 0xff]);
    let files = [
        r#"Some("é \"1\"\\.\r\npng\\") Some("image/png") "\r\n--B--\r\n""#,
        r#"Some("file") Some("application/octet-stream") """#,
        r#"Some("file") Some("application/octet-stream") "x""#,
    ];
    assert_eq!(received.files, files);
    let note = client().notes().add().body(Note::default().with_text("x")).send().await.unwrap();
    assert_eq!(note.text.as_deref(), Some("x"));
}

#[tokio::test]
async fn additional_fields_can_be_files() {
    let files = [("a\"b", FilePart::new(*b"x").with_name("x.png")), ("c", FilePart::new([0xff; 3]))];
    let album = NewAlbum::default().with_title("t").with_rest(files);
    let received = client().pictures().album(album).send().await.unwrap();
    assert_eq!(received.files, [r#"a"b Some("x.png") 1"#, r#"c Some("file") 3"#]);
    let (status, reply) = send_raw("/albums", FORM, format!("{}--B--\r\n", part("name=\"d\"", "")).as_bytes()).await;
    assert!(status == 400 && reply.contains('d'), "{reply}");
}

#[tokio::test]
async fn a_form_is_as_strict_as_json() {
    let image = part("name=\"image\"; filename=\"a\"", "x");
    let invalid = [
        (String::new(), "title: is required; image: is required"),
        (part("name=\"title\"", "x"), "image: is required"),
        (part("name=\"title\"", "") + &image, "title"),
        (part("name=\"title\"", "x") + &part("name=\"size\"", "x") + &image, "size"),
        (part("name=\"title\"", "x") + &part("name=\"owner\"", "{\"name\":\"\"}") + &image, "owner.name"),
        (part("name=\"title\"", "x") + &image + &image, "image"),
        (part("name=\"title\"", "x") + &part("name=\"image\"; filename=a", ""), "image"),
        (part("name=\"title\"", "x") + &part("name=\"image\"; filename=a", &"x".repeat(1001)), "image"),
    ];
    for (form, location) in invalid {
        let (status, reply) = send_raw("/pictures", FORM, format!("{form}--B--\r\n").as_bytes()).await;
        assert!(status == 400 && reply.contains(location), "{location}: {status} {reply}");
    }
    // The internal placeholder of a file, sent by a client, is decoded as the bytes of a file.
    let forged = part("name=\"title\"", "x") + &part("name=\"image\"", "{\"\\u0000file\":7}");
    let (status, reply) = send_raw("/pictures", FORM, format!("{forged}--B--\r\n").as_bytes()).await;
    assert!(status == 200 && reply.contains("u0000file"), "{reply}");
}

#[tokio::test]
async fn malformed_forms_are_rejected() {
    let title = part("name=\"title\"", "x");
    for (content_type, form) in [
        ("multipart/form-data", format!("{title}--B--\r\n")),
        ("multipart/form-data; boundary=", format!("{title}--B--\r\n")),
        ("multipart/form-data; boundary=C", format!("{title}--B--\r\n")),
        (FORM, title.clone()),
        (FORM, "B".to_owned()),
        (FORM, format!("{}--B--\r\n", title.repeat(2000))),
        (FORM, "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n".to_owned()),
    ] {
        let (status, reply) = send_raw("/pictures", content_type, form.as_bytes()).await;
        assert_eq!(status, 400, "{content_type} {form:.60} {reply}");
    }
    assert_eq!(send_raw("/pictures", "multipart/mixed; boundary=B", b"--B--").await.0, 415);
    assert_eq!(send_raw("/notes", "application/json", br#"{"text":"x"}"#).await.0, 200);
    assert_eq!(send_raw("/notes", "application/x-www-form-urlencoded", b"text=x").await.0, 200);
}

#[tokio::test]
async fn lists_can_be_encoded_as_json() {
    let owner = |name: &str| Owner::default().with_name(name);
    let group = Group::default().with_members([owner("Ana"), owner("Bo")]).with_words(["1", "b"]).with_names(["x", "y"]);
    assert_eq!(client().groups().add(group.clone()).send().await.unwrap(), group);
    let empty = Group::default().with_words(Vec::<String>::new());
    assert_eq!(client().groups().add(empty.clone()).send().await.unwrap(), empty);
    let form = "application/x-www-form-urlencoded";
    let (status, text) = send_raw("/groups", form, b"members=%5B%7B%22name%22%3A%22Ana%22%7D%5D&names=x&names=y").await;
    assert_eq!((status, &*text), (200, r#"{"members":[{"name":"Ana"}],"names":["x","y"]}"#));
    for (content_type, body, expected) in [
        (form, "members=%5B%7B%22name%22%3A%22%22%7D%5D".to_owned(), "members[0].name"),
        (form, "members=%5B%5D&members=%5B%5D".to_owned(), "members"),
        (form, "members=%7B%7D".to_owned(), "members"),
        (form, "words=b".to_owned(), "words"),
        (FORM, format!("{}--B--\r\n", part("name=\"members\"", "[{},{},{},{}]")), "members"),
        (FORM, format!("{}--B--\r\n", part("name=\"words\"", "[1]")), "words"),
        (FORM, format!("{}--B--\r\n", part("name=\"words\"", &format!("{}{}", "[".repeat(1000), "]".repeat(1000)))), "nested too deep"),
    ] {
        let (status, text) = send_raw("/groups", content_type, body.as_bytes()).await;
        assert!(status == 400 && text.contains(expected), "{body:.60}: {status} {text}");
    }
}
