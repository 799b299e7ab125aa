//! Unions select a variant, preserve unknown values, and are encoded as they were decoded.

use unions_types::runtime::{FieldBehavior as _, ConditionSet, Merge as _, Value, WriteContext, json};
use unions_types::{
    Amount, Choice, Anything, Belonging, Branch, Card, CardPatch, Cat, Circle, Contact, Dog, Figure, MailAddress, Node, Pet,
    PhoneNumber, PostalAddress, Way,
};

fn read<T: for<'de> unions_types::runtime::FromWire<'de>>(text: &str) -> T {
    json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn round_trip<T: for<'de> unions_types::runtime::FromWire<'de> + unions_types::runtime::serde::Serialize>(text: &str) -> T {
    let value = read(text);
    assert_eq!(json::to_string(&value).expect("JSON"), text);
    value
}

#[test]
fn the_position_of_the_discriminator_does_not_matter() {
    let mail = round_trip::<Contact>(r#"{"type":"mail","address":"a@b"}"#);
    assert_eq!(mail.as_mail().and_then(|mail| mail.address.as_deref()), Some("a@b"));
    assert_eq!(read::<Contact>(r#"{"address":"a@b","later":[{}],"type":"mail"}"#), mail);
    let private = round_trip::<Contact>(r#"{"type":"private","address":"a@b"}"#);
    assert!(matches!(&private, Contact::Private(inner) if mail.as_mail() == Some(inner)));
    // A resource that declares the discriminator as a field keeps it.
    let phone = round_trip::<Contact>(r#"{"type":"phone","number":"12"}"#);
    assert_eq!(phone.as_phone().and_then(|phone| phone.r#type.clone()), Some(Way::Phone));
    assert_eq!(Contact::from(PhoneNumber::default().with_number("12")), phone);
    assert_eq!(json::to_string(&Contact::Phone(PhoneNumber::default().into())).expect("JSON"), r#"{"type":"phone"}"#);
    // The discriminator is not among the preserved unknown fields.
    let letter = round_trip::<Contact>(r#"{"type":"letter-box","street":"High","later":1}"#);
    #[allow(deprecated)]
    let letter = letter.as_letter().expect("a letter");
    assert_eq!(letter.unknown_members.len(), 1);
    assert_eq!(Contact::from(PostalAddress::default()), round_trip::<Contact>(r#"{"type":"letter-box"}"#));
}

#[test]
fn a_value_of_no_variant_is_preserved() {
    for text in [r#"{"loft":{"a":[1,null]},"type":"pigeon"}"#, r#"{"address":"a@b"}"#, r#"{"type":1}"#, "[1]", "12", "\"a\"", "true"] {
        assert!(matches!(round_trip::<Contact>(text), Contact::Unknown(_)), "{text}");
    }
    assert!(matches!(round_trip::<Node>("12"), Node::Unknown(Value::Number(_))));
    for text in ["null", r#"{"type":"mail","type":"mail"}"#, r#"{"type":"mail","address":"a","type":"phone"}"#] {
        assert!(json::from_str::<Contact>(text).is_err(), "{text}");
    }
    let card: Card = read(r#"{"contact":null}"#);
    assert_eq!(card.contact, None);
}

#[test]
fn the_shape_determines_the_variant() {
    type Is = fn(&Choice) -> bool;
    let table: [(&str, Is); 19] = [
        ("true", |it| it.as_truth() == Some(&true)),
        ("12", |it| it.as_count() == Some(&12)),
        ("-12", |it| it.as_count() == Some(&-12)),
        ("4294967296", |it| it.as_share() == Some(&4_294_967_296.0)),
        ("1.5", |it| it.as_share() == Some(&1.5)),
        ("\"2026-02-28\"", |it| it.as_day().is_some()),
        ("\"2026-02-31\"", |it| it.as_words().is_some()),
        ("\"glad\"", |it| it.as_mood().is_some()),
        ("\"well\"", |it| it.as_words().is_some()),
        ("[1,[true,\"sad\"]]", |it| it.as_several().is_some_and(|list| list[1].as_several().is_some())),
        ("[]", |it| it.as_several().is_some_and(Vec::is_empty)),
        (r#"{"north":1.0,"east":2.0}"#, |it| it.as_place().is_some()),
        (r#"{"north":1.5}"#, |it| it.as_place().is_some()),
        (r#"{"north":1}"#, |it| it.as_table().is_some()),
        (r#"{"name":"Ann"}"#, |it| it.as_person().is_some()),
        (r#"{"name":"Ann","since":"2026-01-01T00:00:00Z"}"#, |it| it.as_person().is_some()),
        (r#"{"name":12}"#, |it| it.as_table().is_some()),
        (r#"{"a":1,"b":2}"#, |it| it.as_table().is_some()),
        (r#"{"a":"b"}"#, |it| matches!(it, Choice::Unknown(_))),
    ];
    for (text, is) in table {
        let value = read::<Choice>(text);
        assert!(is(&value), "{text}: {value:?}");
    }
    // Fields that no variant declares are preserved.
    assert!(matches!(round_trip::<Choice>(r#"{"later":[],"name":"Ann"}"#), Choice::Unknown(_)));
    for text in ["true", "12", "1.5", "\"2026-02-28\"", "\"sad\"", "\"words\"", "[[[]]]", r#"{"a":1}"#] {
        round_trip::<Choice>(text);
    }
    assert_eq!(Choice::from("glad"), Choice::Words("glad".into()));
}

#[test]
fn unions_can_be_nested_and_recursive() {
    let leaf = |text: &str| Node::from(text);
    let tree = Node::from(Branch::default().with_left("a").with_right(Branch::default().with_left(leaf("b"))));
    assert_eq!(round_trip::<Node>(r#"{"left":"a","right":{"left":"b"}}"#), tree);
    assert!(matches!(round_trip::<Anything>(r#"{"type":"mail","address":"a"}"#), Anything::Contact(Contact::Mail(_))));
    assert!(matches!(round_trip::<Anything>("12"), Anything::Number(12)));
    // The nesting limit of the decoder applies, and deep values take no exponential time.
    let deep = format!("{}\"a\"{}", r#"{"left":"#.repeat(60), "}".repeat(60));
    round_trip::<Node>(&deep);
    let deeper = format!("{}\"a\"{}", r#"{"left":"#.repeat(500), "}".repeat(500));
    assert!(json::from_str::<Node>(&deeper).is_err());
    let lists = format!("{}{}", "[".repeat(120), "]".repeat(120));
    round_trip::<Choice>(&lists);
}

#[test]
fn errors_have_the_path_of_the_field() {
    let error = json::from_str::<Card>(r#"{"contacts":[{"type":"mail","address":12}]}"#).expect_err("a number");
    assert_eq!(error.path, "contacts[0].address");
}

#[test]
fn fields_are_stripped_and_patches_replace_the_union() {
    let mut card: Card = read(r#"{"contact":{"type":"phone","number":"1","checked":true},"byName":{"a":{"type":"mail"}}}"#);
    let stored = card.clone();
    card.strip_output_only("cards.update");
    assert_eq!(card.contact.as_ref().and_then(Contact::as_phone).and_then(|phone| phone.checked), None);
    let write = WriteContext { operation: "cards.update", effective: &ConditionSet::ALL };
    card.restore_stored(&stored, &write);
    assert_eq!(card, stored);
    let changed = Card::default().with_contact(Contact::Mail(Box::new(MailAddress::default().with_address("a@b"))));
    let patch = stored.diff(&changed).expect("a difference");
    assert_eq!(json::to_string(&patch).expect("JSON"), r#"{"contact":{"type":"mail","address":"a@b"},"byName":null}"#);
    let read_back: CardPatch = read(&json::to_string(&patch).expect("JSON"));
    let mut patched = stored;
    patched.apply(read_back);
    assert_eq!(patched, changed);
}

#[test]
fn decimal_strings_have_one_notation() {
    let decimal = |text: &str| Amount::Words(text.into());
    assert!(matches!(round_trip::<Amount>("12"), Amount::Small(12)));
    assert!(matches!(round_trip::<Amount>("\"12\""), Amount::Large(inner) if inner.0 == 12));
    assert!(matches!(round_trip::<Amount>("\"18446744073709551615\""), Amount::Larger(inner) if inner.0 == u64::MAX));
    for text in ["007", "+5", "-0", " 5", "5.0"] {
        assert_eq!(round_trip::<Amount>(&format!("\"{text}\"")), decimal(text), "{text}");
    }
    assert!(matches!(round_trip::<Amount>("\"+/8=\""), Amount::Raw(_)));
}

#[test]
fn both_discriminators_are_written() {
    let cat = round_trip::<Belonging>(r#"{"kind":"pet","breed":"cat","lives":7}"#);
    assert!(matches!(&cat, Belonging::Pet(Pet::Cat(cat)) if cat.lives == Some(7)));
    assert_eq!(Belonging::from(Pet::from(Cat::default().with_lives(7))), cat);
    assert_eq!(read::<Belonging>(r#"{"lives":7,"breed":"cat","kind":"pet"}"#), cat);
    let dog = Belonging::from(Pet::from(Dog::default()));
    assert_eq!(json::to_string(&dog).expect("JSON"), r#"{"kind":"pet","breed":"dog"}"#);
    round_trip::<Belonging>(r#"{"breed":"dog","kind":"pet","tail":true}"#);
    let bird = round_trip::<Belonging>(r#"{"breed":"bird","kind":"pet"}"#);
    assert!(matches!(bird, Belonging::Pet(Pet::Unknown(_))));
    assert!(matches!(round_trip::<Belonging>(r#"{"kind":"car","seats":5}"#), Belonging::Car(_)));
}

#[test]
fn the_best_complete_match_is_chosen() {
    type Is = fn(&Figure) -> bool;
    let table: [(&str, Is); 11] = [
        // Null is a value of a required nullable field, and is preserved.
        (r#"{"form":"circle","radius":null}"#, |it| it.as_circle().is_some()),
        (r#"{"side":1.5,"radius":2.5}"#, |it| it.as_square().is_some()),
        (r#"{"radius":2.5}"#, |it| it.as_circle().is_some()),
        (r#"{"form":"oval","radius":2.5}"#, |it| matches!(it, Figure::Unknown(_))),
        (r#"{"colour":"red","side":1.5}"#, |it| matches!(it, Figure::Unknown(_))),
        (r#"{"title":"A square","side":1.5}"#, |it| it.as_sketch().is_some()),
        (r#"{"colour":"red"}"#, |it| matches!(it, Figure::Unknown(_))),
        (r#"{"kind":"car","seats":5}"#, |it| it.as_belonging().is_some()),
        (r#"{"breed":"dog","kind":"pet","title":1}"#, |it| it.as_belonging().is_some()),
        ("{}", |it| it.as_circle().is_some()),
        ("[]", |it| matches!(it, Figure::Unknown(_))),
    ];
    for (text, is) in table {
        let value = round_trip::<Figure>(text);
        assert!(is(&value), "{text}: {value:?}");
    }
    // Null means absent for a field that is not nullable, but it shows that the field is known.
    assert!(read::<Figure>(r#"{"side":null}"#).as_square().is_some());
}

#[test]
fn the_discriminator_is_filled_in() {
    let circle = Figure::from(Circle::default().with_radius(1.5));
    assert_eq!(json::to_string(&circle).expect("JSON"), r#"{"form":"circle","radius":1.5}"#);
}
