//! Providers of conferences.

use std::fmt;

/// A conference that a provider has made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewConference {
    /// What people call the kind of conference.
    pub name: String,
    /// Identifier of the conference, by which people join it as well.
    pub id: String,
    /// Address of the conference.
    pub uri: String,
}

/// Makes conferences for events.
pub trait ConferenceProvider: fmt::Debug + Send + Sync {
    /// Makes a conference of a type, such as `hangoutsMeet`; `None` for types that the provider does not have.
    fn create(&self, solution: &str) -> Option<NewConference>;
}

/// Rooms at an address of this program, whose names have ten letters.
#[derive(Clone, Debug)]
pub struct Rooms {
    /// Address that the rooms are below, without a slash at its end.
    pub base: String,
}

impl ConferenceProvider for Rooms {
    fn create(&self, solution: &str) -> Option<NewConference> {
        if solution != "hangoutsMeet" {
            return None;
        }
        let letters =
            |count: usize| -> String { (0..count).map(|_| char::from(b'a' + rand::random_range(0..26))).collect() };
        let id = format!("{}-{}-{}", letters(3), letters(4), letters(3));
        let uri = format!("{}/meet/{id}", self.base);
        Some(NewConference { name: "Wireform Meet".to_owned(), id, uri })
    }
}
