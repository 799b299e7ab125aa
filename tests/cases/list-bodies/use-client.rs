//! A client checks the number of elements before it sends a body, and accepts any response.

use list_bodies_client::runtime::Tier;
use list_bodies_client::types::Word;
use list_bodies_client::validation::Rules;
use list_bodies_client::{Client, fake, requests};

#[test]
fn bodies_are_checked_before_they_are_sent() {
    let fake = fake().on(|_: &requests::WordsSet| Ok(())).on(|_: &requests::WordsList| Ok(Vec::new()));
    let client: Client = fake.builder().validation(Rules, Tier::Deny).build().unwrap();
    let word = Word::default().with_text("a");
    assert!(client.words().set(vec![word.clone()]).send_blocking().is_ok());
    assert!(client.words().set(Vec::<Word>::new()).send_blocking().is_err());
    assert!(client.words().set(vec![word; 4]).send_blocking().is_err());
    assert_eq!(client.words().list().send_blocking().unwrap(), []);
}
