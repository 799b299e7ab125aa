//! Types and operations of each feature, and the features that it implies.

use features_client::{Client, fake, requests, types};

/// Returns the names of the operations in the crate.
fn operations() -> Vec<&'static str> {
    requests::OPERATIONS.iter().map(|operation| operation.name).collect()
}

#[test]
fn ungrouped_operations_are_always_available() {
    let status = types::Status::default().with_level(types::Level::Good);
    let fake = fake().on(move |_: &requests::Ping| Ok(status.clone()));
    let client: Client = fake.client().unwrap();
    assert_eq!(client.ping().send_blocking().unwrap().level, Some(types::Level::Good));
    assert!(operations().contains(&"ping"));
}

/// Unreferenced types are available with their own feature, with the types of their fields.
#[cfg(feature = "unreferenced")]
#[test]
fn unreferenced_types_have_a_feature() {
    let _ = types::Unused::default().with_about(types::Topic::default());
}

#[test]
fn each_feature_adds_its_operations() {
    let has = |name: &str| operations().contains(&name);
    assert_eq!(has("shelves.get"), cfg!(feature = "shelves"));
    assert_eq!(has("shelves.books.find"), cfg!(feature = "shelves-books"));
    assert_eq!(has("people.hobbies.list"), cfg!(feature = "people-hobbies"));
    assert_eq!(has("archives.holders.get"), cfg!(feature = "archives-holders"));
    // Updating a read resource and polling a long-running operation send requests of other groups.
    assert_eq!(has("requests.update"), cfg!(any(feature = "requests-group", feature = "people")));
    assert_eq!(has("works.get"), cfg!(any(feature = "works", feature = "shelves-books")));
}

#[cfg(feature = "shelves-books")]
#[test]
fn a_long_running_operation_is_polled_without_its_group() {
    use features_client::runtime::{PollPolicy, fake::Failure};
    use std::time::Duration;

    let moved = types::Book::default().with_title("Moved");
    let work = types::Work::default().with_name("w");
    let response = types::runtime::json::from_str(r#"{"title":"Moved"}"#).unwrap();
    let (pending, done) = (work.clone(), work.with_done(true).with_response(response));
    let fake = fake()
        .on(move |_: &requests::ShelvesBooksMove| Ok(pending.clone()))
        .on(move |request: &requests::WorksGet| if request.name == "w" { Ok(done.clone()) } else { Err(Failure::status(404)) });
    let client: Client = fake.client().unwrap();
    let call = client.shelves().books().r#move("s", "b", types::Book::default());
    let policy = PollPolicy::default().with_initial_delay(Duration::ZERO);
    assert_eq!(call.poller().policy(policy).wait_blocking().unwrap(), moved);
}

#[cfg(feature = "people")]
#[test]
fn an_update_can_use_an_operation_of_another_group() {
    let fake = fake()
        .on(|_: &requests::PeopleGet| Ok(types::Person::default().with_name("ana").with_etag("\"1\"")))
        .on(|update: &requests::RequestsUpdate| Ok(update.body.clone()));
    let client: Client = fake.client().unwrap();
    let written = client.people().get("ana").update_with(|person| person.mood = Some(types::Mood::Glad));
    assert_eq!(written.send_blocking().unwrap().mood, Some(types::Mood::Glad));
}

#[cfg(all(feature = "people", feature = "validation"))]
#[test]
fn a_group_includes_its_rules() {
    use features_client::runtime::Tier;
    use features_client::validation::{Rules, Validate as _, operation};

    let person = types::Person::default().with_home(types::Address::default().with_street("low"));
    let violations = requests::RequestsUpdate::new("ana", person).validate().unwrap_err();
    let rules: Vec<&str> = violations.iter().map(|violation| violation.rule).collect();
    assert_eq!(rules, ["person.home_since", "pattern"]);
    // The numbers of operations do not depend on the features.
    assert_eq!((operation::PING, operation::ARCHIVES_HOLDERS_FIND), (0, 10));
    let fake = fake().on(|_: &requests::PeopleGet| Ok(types::Person::default()));
    let client: Client = fake.builder().validation(Rules, Tier::Deny).build().unwrap();
    assert!(client.people().get("No Name").send_blocking().is_err());
}
