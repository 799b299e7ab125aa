//! Users as other users see them.

use std::collections::BTreeMap;

use script_server::{Error, types};
use wireform_store::{Mailbox, Person, Store, User};

use crate::error;

/// Users to be shown, and the viewer.
pub(crate) struct UserProfiles {
    people: BTreeMap<Mailbox, Person>,
    viewer: User,
}

impl UserProfiles {
    /// Looks up users.
    pub(crate) async fn find<S: Store>(
        store: &S,
        users: impl IntoIterator<Item = Mailbox>,
        viewer: &User,
    ) -> Result<Self, Error> {
        let mut users: Vec<Mailbox> = users.into_iter().collect();
        users.sort_unstable();
        users.dedup();
        let people = store.people(users).await.map_err(error::from_store)?;
        let people = people.into_iter().map(|person| (person.user.mailbox, person)).collect();
        Ok(Self { people, viewer: viewer.clone() })
    }

    /// Returns a user as the caller sees them: users of the same domain see the whole profile, others only the address,
    /// and hidden profiles are not shown to others. Returns `None` for a user who was removed.
    pub(crate) fn show(&self, user: Mailbox) -> Option<types::User> {
        let Person { user, hidden, photo } = self.people.get(&user)?;
        let own = user.mailbox == self.viewer.mailbox;
        if *hidden && !own {
            return None;
        }
        let mut profile = types::User::default().with_email(user.address.as_str());
        if own || domain(&user.address).eq_ignore_ascii_case(domain(&self.viewer.address)) {
            profile = profile.with_domain(domain(&user.address));
            profile.name = Some(user.name.clone()).filter(|name| !name.is_empty());
            profile.photo_url.clone_from(photo);
        }
        Some(profile)
    }
}

/// Returns the domain of an address.
pub(crate) fn domain(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}
