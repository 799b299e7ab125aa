//! Pages, synchronization and updates of the sample API.

use serde_json::Value;
use wireform_client::wire::__private::Object;
use wireform_client::wire::operation::ExpiredTokenError;
use wireform_client::{Paginated, ReadForPatch, ReadForUpdate, Syncable};

use super::api::*;

impl Paginated for List {
    type Item = Thing;
    const NEXT_PAGE_FIELD: &'static str = "nextPageToken";
    const ITEMS_FIELD: &'static str = "items";

    fn page_token(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.page.as_deref().map(Into::into)
    }

    fn set_page_token(&mut self, token: Option<String>) {
        self.page = token;
    }

    fn next_page(&self, response: &Things) -> Option<String> {
        response.next.clone()
    }

    fn take_items(response: &mut Things) -> Vec<Thing> {
        std::mem::take(&mut response.items)
    }
}

impl Syncable for List {
    type SyncToken = String;
    type Change = Thing;
    const SYNC_TOKEN_FIELD: &'static str = "nextSyncToken";
    const EXPIRED_TOKEN: ExpiredTokenError =
        ExpiredTokenError { status: 410, reason: Some("fullSyncRequired"), location: None };
    const SUPPORTS_FULL_SYNC: bool = true;

    fn without_sync_token(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn set_sync_token(&mut self, cursor: Option<String>) {
        self.cursor = cursor;
    }

    fn next_sync_token(response: &Things) -> Option<String> {
        response.cursor.clone()
    }

    fn collect_changes(item: Thing, changes: &mut Vec<Thing>) {
        changes.push(item);
    }
}

impl Paginated for Changed {
    type Item = Record;
    const NEXT_PAGE_FIELD: &'static str = "nextPageToken";
    const ITEMS_FIELD: &'static str = "history";

    fn page_token(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.page.as_deref().map(Into::into)
    }

    fn set_page_token(&mut self, token: Option<String>) {
        self.page = token;
    }

    fn next_page(&self, response: &History) -> Option<String> {
        response.next.clone()
    }

    fn take_items(response: &mut History) -> Vec<Record> {
        std::mem::take(&mut response.records)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    Added(String),
    Removed(String),
}

impl Syncable for Changed {
    type SyncToken = i32;
    type Change = Change;
    const SYNC_TOKEN_FIELD: &'static str = "historyId";
    const EXPIRED_TOKEN: ExpiredTokenError =
        ExpiredTokenError { status: 404, reason: Some("notFound"), location: Some("start") };
    const SUPPORTS_FULL_SYNC: bool = false;

    fn without_sync_token(&self) -> Option<Self> {
        Some(self.clone())
    }

    fn set_sync_token(&mut self, cursor: Option<i32>) {
        self.start = cursor.unwrap_or_default();
    }

    fn next_sync_token(response: &History) -> Option<i32> {
        response.cursor
    }

    fn collect_changes(record: Record, changes: &mut Vec<Change>) {
        changes.extend(record.added.into_iter().map(Change::Added));
        changes.extend(record.removed.into_iter().map(Change::Removed));
    }
}

impl ReadForUpdate for Get {
    type UpdateRequest = Update;

    fn update(&self, value: Thing) -> Update {
        Update { id: self.id.clone(), thing: value, notify: None }
    }
}

impl ReadForPatch for Get {
    type PatchRequest = Patch;

    fn patch(&self, old: &Thing, new: &Thing) -> Patch {
        let (old, new) = (serde_json::to_value(old).unwrap(), serde_json::to_value(new).unwrap());
        let mut patch = serde_json::Map::new();
        for name in Thing::FIELDS {
            if old.get(name) != new.get(name) {
                patch.insert((*name).to_owned(), new.get(name).cloned().unwrap_or(Value::Null));
            }
        }
        Patch { id: self.id.clone(), patch: patch.into() }
    }
}
