//! Users as others see them.

use std::collections::BTreeMap;

use script_server::{Error, types};
use wireform_store::{Mailbox, Person, Store, User};

use crate::fault;

/// Users of whom something is shown, as one of them sees them.
pub(crate) struct People {
    people: BTreeMap<Mailbox, Person>,
    viewer: User,
}

impl People {
    /// Looks up users.
    pub(crate) async fn find<S: Store>(
        store: &S,
        users: impl IntoIterator<Item = Mailbox>,
        viewer: &User,
    ) -> Result<Self, Error> {
        let mut users: Vec<Mailbox> = users.into_iter().collect();
        users.sort_unstable();
        users.dedup();
        let people = store.people(users).await.map_err(fault::answer)?;
        let people = people.into_iter().map(|person| (person.user.mailbox, person)).collect();
        Ok(Self { people, viewer: viewer.clone() })
    }

    /// Returns a user as the one who asks sees them: users of the same domain see the whole profile, others the address
    /// alone, and nobody else sees one that is hidden. A user who is gone is not shown.
    pub(crate) fn show(&self, user: Mailbox) -> Option<types::User> {
        let Person { user, hidden, photo } = self.people.get(&user)?;
        let own = user.mailbox == self.viewer.mailbox;
        if *hidden && !own {
            return None;
        }
        let mut shown = types::User::default().with_email(user.address.as_str());
        if own || domain(&user.address).eq_ignore_ascii_case(domain(&self.viewer.address)) {
            shown = shown.with_domain(domain(&user.address));
            shown.name = Some(user.name.clone()).filter(|name| !name.is_empty());
            shown.photo_url.clone_from(photo);
        }
        Some(shown)
    }
}

/// Returns the domain of an address.
pub(crate) fn domain(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}
