//! Violations within a union have a path, both for types and for constraints.

use unions_types::{Card, Contact, PostalAddress};
use unions_validation::{Validate as _, read, types::requests};

fn violations_of(text: &str) -> Vec<String> {
    let violations = read::<Card>(text.as_bytes()).expect_err("a violation");
    violations.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect()
}

#[test]
fn paths_lead_into_variants() {
    let text = r#"{"contact": {"type": "mail", "address": "a"},
        "contacts": [{"number": 12, "type": "phone"}, {"type": "phone", "number": "x"}, {"address": true, "type": "private"}],
        "byName": {"a": {"type": "letter-box", "street": []}}}"#;
    let found = violations_of(text);
    assert_eq!(
        found,
        [
            "contact.address length",
            "contacts[0].number type",
            "contacts[1].number pattern",
            "contacts[2].address type",
            "byName.a.street type"
        ]
    );
}

#[test]
fn an_unknown_variant_is_not_sent() {
    let card = Card::default().with_contact(Contact::Unknown("?".into()));
    let request = requests::CardsUpdate::new("1", card.clone());
    let violations = request.validate().expect_err("a violation");
    let messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("contact") && messages[0].contains("`type` that is mail, phone, letter-box or private"), "{messages:?}");
    #[allow(deprecated)]
    let other = Contact::Letter(Box::new(PostalAddress::default().with_type("mail")));
    let violations = Card::default().with_contact(other).validate().expect_err("a violation");
    let messages: Vec<String> = violations.iter().map(|violation| format!("{} {}", violation.path, violation.rule)).collect();
    assert_eq!(messages, ["contact deprecated", "contact.type constant"]);
    let bare = requests::ContactsInsert::new(Contact::Mail(Box::default()));
    assert_eq!(bare.validate().expect_err("a violation").iter().map(|violation| violation.path.to_string()).collect::<Vec<_>>(), ["address"]);
}
