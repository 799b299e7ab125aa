//! What the schemas describe beyond the specification: whole operations that only the public interface has. Their
//! facts, and here their scopes too, are those of the discovery document; what is left out is named with the reason.

use std::collections::BTreeSet;

use serde_json::Value;

use super::discovery::{Catalogue, methods};
use super::judgement::Documents;
use super::list::List;
use super::wire_facts::SCOPE_BASE;

/// Operations that no specification names.
pub const OPERATIONS: &[(&str, &[&str])] = &[
    ("calendar", &["channels.stop"]),
    (
        "mailbox",
        &[
            "users.getProfile",
            "users.labels.create",
            "users.labels.delete",
            "users.labels.get",
            "users.labels.list",
            "users.labels.patch",
            "users.labels.update",
            "users.messages.batchModify",
            "users.messages.delete",
            "users.messages.get",
            "users.messages.import",
            "users.messages.insert",
            "users.messages.list",
            "users.messages.modify",
            "users.messages.trash",
            "users.messages.untrash",
        ],
    ),
];

/// Members that those operations reach and the schemas lack: API, resource, member. Labels of organisations are read
/// here, and written nowhere.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("mailbox", "ModifyMessageRequest", "addClassificationLabels"),
    ("mailbox", "ModifyMessageRequest", "removeClassificationLabelIds"),
    ("mailbox", "BatchModifyMessagesRequest", "addClassificationLabels"),
    ("mailbox", "BatchModifyMessagesRequest", "removeClassificationLabelIds"),
];

/// The beginnings of scopes that nobody has who asks these servers: add-ons run within the public service alone, and
/// there are no operations on lists of calendars, their settings and who may use them.
const SCOPES_LEFT_OUT: &[&str] = &["gmail.addons.", "calendar.acls", "calendar.calendarlist", "calendar.settings"];

/// What the specification puts in the place of a name of the public service in a scope.
const SCOPES_RESPELT: &[(&str, &str, &str)] = &[("mailbox", "gmail.", "mail.")];

/// The operations of an API that stand here.
pub fn operations(api: &str) -> BTreeSet<String> {
    let of = OPERATIONS.iter().filter(|(name, _)| *name == api);
    of.flat_map(|(_, names)| names.iter().map(ToString::to_string)).collect()
}

/// Takes away what is left out. It must be there to be left out.
pub fn leave_out(catalogue: &mut Catalogue, documents: &Documents) {
    for (_, resource, member) in LEFT_OUT.iter().filter(|(api, _, _)| *api == documents.api) {
        let members = catalogue.resources.get_mut(*resource);
        let found = members.and_then(|members| members.remove(*member));
        assert!(found.is_some(), "{resource}.{member} is not left out any more");
    }
}

/// The scopes of the operations that stand here, and the other spelling of each.
pub fn scopes(list: &mut List, document: &Value, documents: &Documents) {
    let wanted = operations(documents.api);
    let mut found = BTreeSet::new();
    for (name, method) in methods(document).into_iter().filter(|(name, _)| wanted.contains(name)) {
        let urls = method["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let all: Vec<&str> = urls.map(|url| url.strip_prefix(SCOPE_BASE).unwrap_or(url)).collect();
        for scope in all.iter().filter(|scope| !SCOPES_LEFT_OUT.iter().any(|start| scope.starts_with(start))) {
            list.set(format!("scope {name} {scope}"), "");
            spell(list, documents, scope);
        }
        found.insert(name);
    }
    assert_eq!(found, wanted, "the discovery document of {} has the operations", documents.api);
}

fn spell(list: &mut List, documents: &Documents, scope: &str) {
    for (_, theirs, ours) in SCOPES_RESPELT.iter().filter(|(api, _, _)| *api == documents.api) {
        if let Some(rest) = scope.strip_prefix(theirs) {
            list.set(format!("alias scope {ours}{rest} {scope}"), "");
        }
    }
}
