//! Selection of a list of mail: user, label, search, and whether it lists messages or conversations.

use crate::browse::{BrowsePages, Failure};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{Person, Services};

/// Value in URLs for messages with any label.
pub(super) const ALL_LABELS: &str = "all";
/// Value in URLs for a list of conversations.
const CONVERSATIONS: &str = "conversations";

/// Selection of a page.
pub(super) struct Selection {
    pub(super) people: Vec<Person>,
    pub(super) person: usize,
    pub(super) label: String,
    pub(super) search: String,
    pub(super) token: Option<String>,
    /// True if the page lists conversations rather than messages.
    pub(super) conversations: bool,
}

impl Selection {
    /// Reads the selection from the parameters. A search without a label is in all of them.
    pub(super) async fn read<O: Services>(pages: &BrowsePages<O>, parameters: &Parameters) -> Result<Self, Failure> {
        let (people, person) = pages.people(parameters.get("user")).await?;
        let search = parameters.get("q").unwrap_or_default().to_owned();
        let label = parameters.get("label").unwrap_or(if search.is_empty() { "INBOX" } else { ALL_LABELS }).to_owned();
        let conversations = match parameters.get("view") {
            None | Some("messages") => false,
            Some(CONVERSATIONS) => true,
            Some(name) => return Err(Failure::BadRequest(format!("View `{name}` not found."))),
        };
        Ok(Self { people, person, label, search, token: parameters.get("page").map(str::to_owned), conversations })
    }

    /// Returns the address of the selected user; empty if there are no users.
    pub(super) fn user(&self) -> &str {
        self.people.get(self.person).map_or("", |person| &person.address)
    }

    /// Returns the search, if there is one.
    fn search(&self) -> Option<&str> {
        Some(self.search.as_str()).filter(|search| !search.is_empty())
    }

    /// Returns the link to a label, without the search.
    pub(super) fn label_link(&self, label: &str) -> Link {
        self.at("/mail", label, self.conversations)
    }

    /// Returns the link to the same label and search as messages or as conversations.
    pub(super) fn view_link(&self, conversations: bool) -> Link {
        self.at("/mail", &self.label, conversations).with_some("q", self.search())
    }

    /// Returns the link to a page of the list; `None` is the first.
    pub(super) fn page_link(&self, token: Option<&str>) -> Link {
        self.view_link(self.conversations).with_some("page", token)
    }

    /// Returns the link to the newest rows.
    pub(super) fn feed_link(&self) -> Link {
        self.at("/mail/rows", &self.label, self.conversations).with_some("q", self.search())
    }

    /// Adds the selected label and search to a list operation.
    pub(super) fn narrow(&self, link: Link) -> Link {
        let label = Some(self.label.as_str()).filter(|label| *label != ALL_LABELS);
        link.with_some("labelIds", label).with_some("q", self.search()).with_some("pageToken", self.token.as_deref())
    }

    fn at(&self, path: &str, label: &str, conversations: bool) -> Link {
        let link = Link::new(path).with("user", self.user()).with("label", label);
        link.with_some("view", conversations.then_some(CONVERSATIONS))
    }
}
