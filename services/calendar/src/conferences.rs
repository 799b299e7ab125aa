//! Conference providers.

use std::fmt;

/// Conference created by a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewConference {
    /// Display name of the kind of conference.
    pub name: String,
    /// Identifier of the conference, also for joining it.
    pub id: String,
    /// URL of the conference.
    pub uri: String,
}

/// Provider of conferences for events.
pub trait ConferenceProvider: fmt::Debug + Send + Sync {
    /// Creates a conference of a type such as `hangoutsMeet`; returns `None` for unsupported types.
    fn create(&self, solution: &str) -> Option<NewConference>;
}

/// Rooms with random names of ten letters, at URLs of this program.
#[derive(Clone, Debug)]
pub struct Rooms {
    /// Base URL of the rooms, without a trailing slash.
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
