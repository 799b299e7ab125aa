//! The scopes for which a program requests the consent of its users.

use wireform_client::scopes::{smallest, urls};
use wireform_client::wire::operation::{Api, AuthRequirement, Operation};
use wireform_client::{Naming, Request};

use crate::calls::{ALL, operations};

fn api(name: &str) -> &'static Api {
    match name {
        "calendar" => &calendar_client::requests::API,
        "mailbox" => &mailbox_client::requests::API,
        _ => &script_client::requests::API,
    }
}

fn names(api_name: &str, operations: &[&str]) -> Vec<&'static str> {
    let all = self::operations(api_name);
    let selected: Vec<&'static Operation> =
        operations.iter().map(|name| *all.iter().find(|one| one.name == *name).expect("an operation")).collect();
    smallest(api(api_name), &selected, all).into_iter().map(|scope| scope.name).collect()
}

#[test]
fn the_fewest_and_weakest_scopes_are_chosen() {
    let table: [(&str, &[&str], &[&str]); 13] = [
        ("calendar", &[], &[]),
        ("calendar", &["events.get"], &["calendar.events.readonly"]),
        ("calendar", &["events.list", "events.watch", "events.instances"], &["calendar.events.readonly"]),
        // This scope allows every operation on events, and no other one.
        ("calendar", &["events.get", "events.insert"], &["calendar.events"]),
        ("calendar", &["events.move", "calendarList.list"], &["calendar"]),
        ("mailbox", &["users.history.list"], &["mail.metadata"]),
        ("mailbox", &["users.labels.list", "users.labels.patch"], &["mail.labels"]),
        ("mailbox", &["users.messages.insert"], &["mail.insert"]),
        ("mailbox", &["users.messages.insert", "users.messages.get"], &["mail.modify"]),
        ("mailbox", &["users.messages.delete"], &["mail"]),
        ("script", &["projects.get", "projects.versions.list"], &["script.projects.readonly"]),
        ("script", &["projects.get", "projects.create"], &["script.projects"]),
        (
            "script",
            &["projects.get", "projects.getMetrics", "processes.list", "projects.deployments.delete"],
            &["script.deployments", "script.metrics", "script.processes", "script.projects.readonly"],
        ),
    ];
    for (api, operations, expected) in table {
        assert_eq!(names(api, operations), expected, "{operations:?}");
    }
}

#[test]
fn each_operation_is_allowed_by_its_scope() {
    for entry in ALL {
        let api = api(entry.api);
        let found = smallest(api, &[entry.facts()], operations(entry.api));
        let AuthRequirement::AnyOf(allowed) = entry.facts().scopes else { panic!("{}: other scopes", entry.name()) };
        assert_eq!(found.len(), 1, "{}", entry.name());
        assert!(allowed.iter().any(|scope| scope.name == found[0].name), "{}", entry.name());
    }
}

#[test]
fn scopes_are_written_in_the_naming_of_the_server() {
    let request = mailbox_client::requests::UsersHistoryList::OPERATION;
    let found = smallest(api("mailbox"), &[request], operations("mailbox"));
    assert_eq!(urls(&found, Naming::Specification), ["https://www.googleapis.com/auth/mail.metadata"]);
    let request = mailbox_client::requests::UsersMessagesDelete::OPERATION;
    let found = smallest(api("mailbox"), &[request], operations("mailbox"));
    assert_eq!(urls(&found, Naming::Public), ["https://mail.google.com/"]);
    let all = wireform_client::scopes::all(api("mailbox"));
    assert_eq!(urls(&all, Naming::Public)[2], "https://www.googleapis.com/auth/gmail.readonly");
    assert_eq!(urls(&all, Naming::Specification)[2], "https://www.googleapis.com/auth/mail.readonly");
}
