//! Intentional differences between the types of the schemas and the Discovery documents.

use super::fact::FLAG;

/// Fact that replaces the one in the Discovery document; empty removes it.
pub struct Deviation {
    pub api: &'static str,
    pub places: &'static [&'static str],
    pub what: &'static str,
    pub ours: &'static str,
    /// Reason for the difference.
    pub reason: &'static str,
}

const fn at(
    api: &'static str,
    places: &'static [&'static str],
    what: &'static str,
    ours: &'static str,
    reason: &'static str,
) -> Deviation {
    Deviation { api, places, what, ours, reason }
}

/// Operations in whose bodies elements of an event can be new, for rules such as `required when adding`.
const EVERY_BODY: &str = "events.import,events.insert,events.patch,events.update";

/// Page sizes of the lists that are not lists of events.
const ENTRY_LISTS: &[&str] = &["calendarList.list.maxResults", "settings.list.maxResults"];

pub const DEVIATIONS: &[Deviation] = &[
    // All three.
    at("script", &["*.prettyPrint"], "default", "false", COMPACT),
    at("mailbox", &["*.prettyPrint"], "default", "false", COMPACT),
    at("calendar", &["*.prettyPrint"], "default", "false", COMPACT),
    // Script.
    at("script", &["*.versionNumber", "*.pageSize"], "type", "int64", "the specification says int64"),
    at("script", &["Operation.response"], "type", "ExecutionResponse", "the specification says what it holds"),
    at("script", &["Status.details"], "type", "[ExecutionError]", "the specification says what it holds"),
    at("script", &["ExecutionRequest.function"], "required", "scripts.run", "without it there is nothing to run"),
    at("script", &["AddOnEntryPoint.addOnType"], "required", FLAG, SPECIFIED),
    at("script", &["AddOnEntryPoint.postInstallTipUrl", "AddOnEntryPoint.title"], "required", FLAG, SPECIFIED),
    at("script", &["MetricsValue.endTime", "MetricsValue.startTime"], "required", FLAG, SPECIFIED),
    at("script", &["processes.listScriptProcesses.scriptId"], "required", FLAG, "it identifies what is listed"),
    at("script", &["projects.getMetrics.metricsGranularity"], "required", FLAG, "the wire facts: required in effect"),
    // Mailbox.
    at("mailbox", &["users.history.list.startHistoryId"], "required", FLAG, SPECIFIED),
    at("mailbox", &["*.userId"], "default", "", "a parameter of the path cannot be left out"),
    at("mailbox", &["*.maxResults"], "clamp", "500", "more than the maximum is lowered"),
    at("mailbox", &["*.maxResults"], "min", "1", "a page of nothing leads nowhere"),
    at(
        "mailbox",
        &["Message.raw"],
        "required",
        "users.messages.import,users.messages.insert,users.messages.send",
        "no media are uploaded",
    ),
    at("mailbox", &["BatchDeleteMessagesRequest.ids"], "required", FLAG, "without one there is nothing to do"),
    at("mailbox", &["BatchModifyMessagesRequest.ids"], "required", FLAG, "without one there is nothing to do"),
    at("mailbox", &["Label.id"], "required", "", "the path names the label"),
    at("mailbox", &["Label.messageListVisibility", "Label.labelListVisibility"], "required", "", SHOWN),
    at("mailbox", &["Label.messageListVisibility"], "default", "show", SHOWN),
    at("mailbox", &["Label.labelListVisibility"], "default", "labelShow", SHOWN),
    // Calendar.
    at("calendar", &["*.maxResults"], "clamp", "2500", "the wire facts: never more on a page"),
    at("calendar", ENTRY_LISTS, "clamp", "250", "the public service lists at most 250 entries on a page"),
    at("calendar", &["FreeBusyRequest.timeMin", "FreeBusyRequest.timeMax"], "required", FLAG, "a query needs a range"),
    at("calendar", &["FreeBusyRequest.calendarExpansionMax"], "max", "50", "a limit of the public service"),
    at("calendar", &["FreeBusyRequest.groupExpansionMax"], "max", "100", "a limit of the public service"),
    at("calendar", &["Gadget.height", "Gadget.width"], "min", "1", "the specification says greater than 0"),
    at("calendar", &["Reminder.minutes"], "min", "0", "a limit of the specification"),
    at("calendar", &["Reminder.minutes"], "max", "40320", "a limit of the specification"),
    at("calendar", &["Event.sequence"], "min", "0", "RFC 5545 counts from 0 up; no document here says so"),
    at("calendar", &["Attachment.fileUrl", "Reminder.method", "Reminder.minutes"], "required", EVERY_BODY, ADDED),
    at(
        "calendar",
        &["Attendee.email"],
        "required",
        "events.import,events.insert",
        "required when adding: rules determine which elements are new in an update or a patch",
    ),
    at(
        "calendar",
        &["WorkingLocationProperties.type"],
        "required",
        "events.insert,events.patch,events.update",
        "required when adding: an import has no such properties",
    ),
    at(
        "calendar",
        &["Channel.address", "Channel.type"],
        "required",
        "events.watch",
        "the wire facts: required in the request",
    ),
    at("calendar", &["Channel.id"], "required", "channels.stop,events.watch", "it names the channel in both requests"),
    at("calendar", &["Channel.resourceId"], "required", "channels.stop", "the public service requires it"),
];

const COMPACT: &str = "responses are compact unless a client requests otherwise";
const SHOWN: &str = "the public service accepts a label with only a name, and shows it";
const SPECIFIED: &str = "the specification requires it";
const ADDED: &str = "required when adding, and lists are replaced as a whole";
