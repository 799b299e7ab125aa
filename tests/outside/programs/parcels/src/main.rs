//! Sends a parcel with a nested form, and lists parcels over several pages.

use parcels_client::Client;
use parcels_client::runtime::Credentials;
use parcels_client::types::*;
use serde_json::{Value, json};
use stub::{Request, Stub};

fn main() {
    let stub = Stub::start(respond);
    let client: Client =
        Client::builder().base_url(&stub.url).credentials(Credentials::token("secret")).build().expect("a client");

    let address =
        PostParcelsBodyRecipientAddress::default().with_city("Köln").with_country("DE").with_lines(["Hof 1", "links"]);
    let money = PostParcelsBodyContentsItemValueMoney::default().with_amount(1250).with_currency("eur");
    let contents = [
        PostParcelsBodyContentsItem::default().with_what("a & b").with_count(2).with_value(money),
        PostParcelsBodyContentsItem::default()
            .with_what("pears")
            .with_value(PostParcelsBodyContentsItemValueWord::Empty),
    ];
    let body = PostParcelsBody::default()
        .with_recipient(PostParcelsBodyRecipient::default().with_name("Mia").with_address(address))
        .with_contents(contents)
        .with_labels([("order", "7")])
        .with_expand(["sender"])
        .with_insured(true);
    let parcel = client.post_parcels().body(body).send_blocking().expect("a parcel");
    let Some(ParcelSender::Customer(customer)) = parcel.sender.as_ref() else { panic!("{parcel:?}") };
    println!("{} from {}", parcel.id.as_deref().expect("an id"), customer.name.as_ref().expect("a name"));

    let range = GetParcelsCreatedRange::default().with_gte(1_700_000_000).with_lt(1_800_000_000);
    let all = client.get_parcels().limit(2).created(range).expand(["data.sender"]).items().into_blocking();
    let all: Vec<Parcel> = all.collect::<Result<_, _>>().expect("all pages");
    for parcel in &all {
        let sender = match parcel.sender.as_ref() {
            Some(ParcelSender::Text(id)) => id.clone(),
            Some(ParcelSender::DeletedCustomer(gone)) => format!("{}, who is gone", gone.id.as_deref().expect("an id")),
            other => format!("{other:?}"),
        };
        println!("{} from {sender}", parcel.id.as_deref().expect("an id"));
    }

    let error = client.post_parcels().send_blocking().expect_err("an error");
    let failure =
        error.response().and_then(|response| response.body.clone()).and_then(|body| body.error).expect("an error body");
    assert_eq!((error.status(), failure.r#type), (Some(400), Some(FailureErrorType::WrongRequest)));
    println!("{}", failure.param.expect("a name"));

    check(&stub.requests());
}

fn parcel(id: &str, sender: Value) -> Value {
    json!({ "id": id, "object": "parcel", "created": 1767225600, "state": "moving", "sender": sender, "labels": {} })
}

fn respond(request: &Request) -> (u16, String) {
    let list =
        |data: Value, more: bool| json!({ "object": "list", "url": "/v1/parcels", "has_more": more, "data": data });
    let body = match (request.method.as_str(), request.body.is_empty()) {
        ("POST", true) => {
            let error = json!({ "type": "wrong_request", "message": "It is missing.", "param": "recipient" });
            return (400, json!({ "error": error }).to_string());
        }
        ("POST", false) => parcel("p0", json!({ "id": "c1", "object": "customer", "name": "Max" })),
        _ if request.target.contains("starting_after=p2") => {
            list(json!([parcel("p3", json!({ "id": "c3", "object": "customer", "deleted": true }))]), false)
        }
        _ => list(json!([parcel("p1", json!("c1")), parcel("p2", json!("c2"))]), true),
    };
    (200, body.to_string())
}

fn check(requests: &[Request]) {
    let mut fields = [
        "recipient[name]=Mia",
        "recipient[address][city]=K%C3%B6ln",
        "recipient[address][country]=DE",
        "recipient[address][lines][0]=Hof%201",
        "recipient[address][lines][1]=links",
        "contents[0][what]=a%20%26%20b",
        "contents[0][count]=2",
        "contents[0][value][amount]=1250",
        "contents[0][value][currency]=eur",
        "contents[1][what]=pears",
        "contents[1][value]=",
        "labels[order]=7",
        "expand[0]=sender",
        "insured=true",
    ];
    fields.sort_unstable();
    let pairs = |text: &str| -> Vec<String> {
        let mut pairs: Vec<String> =
            text.replace("%5B", "[").replace("%5D", "]").split('&').map(str::to_owned).collect();
        pairs.sort_unstable();
        pairs
    };
    assert_eq!(pairs(&requests[0].body), fields);
    assert_eq!(requests[0].header("content-type"), "application/x-www-form-urlencoded");
    let query = |target: &str| pairs(target.split_once('?').map(|(_, query)| query).unwrap_or_default());
    let first = ["created[gte]=1700000000", "created[lt]=1800000000", "expand[0]=data.sender", "limit=2"];
    assert_eq!(query(&requests[1].target), first);
    assert_eq!(query(&requests[2].target), [first.as_slice(), &["starting_after=p2"]].concat());
}
