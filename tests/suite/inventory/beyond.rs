//! Operations in the schemas that the specification lacks and only the public interface has. Their facts and scopes are
//! those of the Discovery document; omitted parts are listed with reasons.

use std::collections::BTreeSet;

use serde_json::Value;

use super::discovery::{Catalogue, methods};
use super::judgement::Documents;
use super::list::List;
use super::wire_facts::SCOPE_BASE;

/// Operations that no specification mentions.
pub const OPERATIONS: &[(&str, &[&str])] = &[
    (
        "calendar",
        &[
            "calendarList.get",
            "calendarList.list",
            "calendars.get",
            "channels.stop",
            "colors.get",
            "freebusy.query",
            "settings.get",
            "settings.list",
        ],
    ),
    (
        "mailbox",
        &[
            "users.drafts.create",
            "users.drafts.delete",
            "users.drafts.get",
            "users.drafts.list",
            "users.drafts.send",
            "users.drafts.update",
            "users.getProfile",
            "users.labels.create",
            "users.labels.delete",
            "users.labels.get",
            "users.labels.list",
            "users.labels.patch",
            "users.labels.update",
            "users.messages.attachments.get",
            "users.messages.batchDelete",
            "users.messages.batchModify",
            "users.messages.delete",
            "users.messages.get",
            "users.messages.import",
            "users.messages.insert",
            "users.messages.list",
            "users.messages.modify",
            "users.messages.send",
            "users.messages.trash",
            "users.messages.untrash",
            "users.threads.get",
            "users.threads.list",
        ],
    ),
];

/// Fields that those operations use and the schemas omit: API, resource, field. Labels of organizations are read here,
/// and written nowhere.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("mailbox", "ModifyMessageRequest", "addClassificationLabels"),
    ("mailbox", "ModifyMessageRequest", "removeClassificationLabelIds"),
    ("mailbox", "BatchModifyMessagesRequest", "addClassificationLabels"),
    ("mailbox", "BatchModifyMessagesRequest", "removeClassificationLabelIds"),
];

/// Prefixes of scopes that no caller of these servers has: add-ons run only within the public service, and there are no
/// operations on access control.
const SCOPES_LEFT_OUT: &[&str] = &["gmail.addons.", "calendar.acls"];

/// Replacements of the specification for names of the public service in scopes.
const SCOPES_RESPELT: &[(&str, &str, &str)] = &[("mailbox", "gmail.", "mail.")];

/// Returns the operations of an API that are listed here.
pub fn operations(api: &str) -> BTreeSet<String> {
    let of = OPERATIONS.iter().filter(|(name, _)| *name == api);
    of.flat_map(|(_, names)| names.iter().map(ToString::to_string)).collect()
}

/// Removes the omitted parts, which must exist.
pub fn leave_out(catalogue: &mut Catalogue, documents: &Documents) {
    for (_, resource, member) in LEFT_OUT.iter().filter(|(api, _, _)| *api == documents.api) {
        let members = catalogue.resources.get_mut(*resource);
        let found = members.and_then(|members| members.remove(*member));
        assert!(found.is_some(), "{resource}.{member} is no longer omitted");
    }
}

/// Adds the scopes of the operations that are listed here, with their aliases.
pub fn scopes(list: &mut List, document: &Value, documents: &Documents) {
    let preferred = operations(documents.api);
    let mut found = BTreeSet::new();
    for (name, method) in methods(document).into_iter().filter(|(name, _)| preferred.contains(name)) {
        let urls = method["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let all: Vec<&str> = urls.map(|url| url.strip_prefix(SCOPE_BASE).unwrap_or(url)).collect();
        for scope in all.iter().filter(|scope| !SCOPES_LEFT_OUT.iter().any(|start| scope.starts_with(start))) {
            list.set(format!("scope {name} {scope}"), "");
            spell(list, documents, scope);
        }
        found.insert(name);
    }
    assert_eq!(found, preferred, "the discovery document of {} has the operations", documents.api);
}

fn spell(list: &mut List, documents: &Documents, scope: &str) {
    for (_, theirs, ours) in SCOPES_RESPELT.iter().filter(|(api, _, _)| *api == documents.api) {
        if let Some(rest) = scope.strip_prefix(theirs) {
            list.set(format!("alias scope {ours}{rest} {scope}"), "");
        }
    }
}
