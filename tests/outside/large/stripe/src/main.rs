//! Creates a customer with a nested form, and lists charges over several pages.

use serde_json::{Value, json};
use stripe_client::Client;
use stripe_client::runtime::Credentials;
use stripe_client::types::*;
use stub::{Request, Stub};

fn main() {
    let stub = Stub::start(respond);
    let client: Client =
        Client::builder().base_url(&stub.url).credentials(Credentials::token("secret")).build().expect("a client");

    let address = PostCustomersBodyAddressOptionalFieldsAddress::default().with_city("Köln").with_country("DE");
    let body = PostCustomersBody::default().with_name("Mia").with_address(address).with_preferred_locales(["de", "en"]);
    let customer = client.post_customers().body(body).send_blocking().expect("a customer");
    println!("{}", customer.id.as_deref().expect("an id"));

    let charges = client.get_charges().limit(2).customer("cus_1").items().into_blocking();
    for charge in charges.collect::<Result<Vec<_>, _>>().expect("all pages") {
        let Some(ChargeCustomer::Text(customer)) = charge.customer.as_ref() else { panic!("{charge:?}") };
        println!("{} of {customer}", charge.id.as_deref().expect("an id"));
    }

    let sent = stub.requests();
    let mut fields: Vec<String> =
        sent[0].body.replace("%5B", "[").replace("%5D", "]").split('&').map(str::to_owned).collect();
    fields.sort();
    let expected = [
        "address[city]=K%C3%B6ln",
        "address[country]=DE",
        "name=Mia",
        "preferred_locales[0]=de",
        "preferred_locales[1]=en",
    ];
    assert_eq!(fields, expected);
    assert!(sent[2].target.contains("starting_after=ch_2") && sent[2].target.contains("customer=cus_1"));
}

fn respond(request: &Request) -> (u16, String) {
    let charge = |id: &str| json!({ "id": id, "object": "charge", "customer": "cus_1" });
    let list =
        |data: Value, more: bool| json!({ "object": "list", "url": "/v1/charges", "has_more": more, "data": data });
    let body = match request.method.as_str() {
        "POST" => json!({ "id": "cus_1", "object": "customer" }),
        _ if request.target.contains("starting_after=ch_2") => list(json!([charge("ch_3")]), false),
        _ => list(json!([charge("ch_1"), charge("ch_2")]), true),
    };
    (200, body.to_string())
}
