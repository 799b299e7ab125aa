//! What no program can read off the sources: names that stand in none of them, words that were
//! lost in a document, and places at which the schemas differ on purpose. Data with reasons.

/// The sources of one API.
pub struct Documents {
    pub api: &'static str,
    pub specification: &'static str,
    pub discovery: &'static str,
    /// The heading of its section in the wire facts.
    pub section: &'static str,
    /// The first word of its rows in the table of scopes.
    pub scopes: &'static str,
    /// What a document calls an operation without its group.
    pub group: &'static str,
    /// The resource that headings such as `attendees[] entries` belong to.
    pub subject: &'static str,
}

pub const DOCUMENTS: [Documents; 3] = [
    Documents {
        api: "script",
        specification: "1-script-projects.md",
        discovery: "script.v1.json",
        section: "2",
        scopes: "script",
        group: "",
        subject: "",
    },
    Documents {
        api: "mailbox",
        specification: "2-mailbox-history.md",
        discovery: "gmail.v1.json",
        section: "3",
        scopes: "mail",
        group: "",
        subject: "",
    },
    Documents {
        api: "calendar",
        specification: "3-calendar-events.md",
        discovery: "calendar.v3.json",
        section: "4",
        scopes: "calendar",
        group: "events.",
        subject: "Event",
    },
];

/// Headings that do not name their resource, and the resource.
pub const HEADINGS: &[(&str, &str)] =
    &[("Top-level fields", "Event"), ("History list response", "ListHistoryResponse")];

/// Prefixes of the discovery documents that tell products apart within one large namespace, and
/// without which the specifications name the same resources.
pub const PREFIXES: &[(&str, &str)] = &[("script", "GoogleAppsScriptType"), ("mailbox", "History")];

/// Names of the discovery documents and those of the schemas. The specification of the calendar
/// names none of these; the schemas drop what the name of the crate says already.
pub const RENAMED: &[(&str, &str)] = &[
    ("EventAttachment", "Attachment"),
    ("EventAttendee", "Attendee"),
    ("EventBirthdayProperties", "BirthdayProperties"),
    ("EventFocusTimeProperties", "FocusTimeProperties"),
    ("EventOutOfOfficeProperties", "OutOfOfficeProperties"),
    ("EventReminder", "Reminder"),
    ("EventWorkingLocationProperties", "WorkingLocationProperties"),
    ("ConferenceParametersAddOnParameters", "AddOnParameters"),
];

/// Resources without a name in any document, because they are written out where they are used.
pub const INLINE: &[(&str, &str)] = &[
    ("Event.creator", "Person"),
    ("Event.organizer", "Person"),
    ("Event.extendedProperties", "ExtendedProperties"),
    ("Event.gadget", "Gadget"),
    ("Event.reminders", "Reminders"),
    ("Event.source", "Source"),
    ("WorkingLocationProperties.customLocation", "CustomLocation"),
    ("WorkingLocationProperties.officeLocation", "OfficeLocation"),
    ("ErrorResponse.error", "ErrorInfo"),
    ("ErrorInfo.errors", "ErrorItem"),
    ("BadRequest.fieldViolations", "FieldViolation"),
];

/// Resources that no reference leads to, because they travel in members of any type.
pub const ROOTS: &[(&str, &str)] = &[("script", "ExecutionResponse"), ("script", "ExecutionError")];

/// Enums, which have no name in any document, by the members and parameters that hold them.
/// A place is a member, or after `*` the end of parameters of whatever operation.
pub const ENUMS: &[(&str, &[&str], &str)] = &[
    ("script", &["File.type"], "FileType"),
    ("script", &["EntryPoint.entryPointType"], "EntryPointType"),
    ("script", &["AddOnEntryPoint.addOnType"], "AddOnType"),
    ("script", &["WebAppConfig.access", "ExecutionApiConfig.access"], "Access"),
    ("script", &["WebAppConfig.executeAs"], "ExecuteAs"),
    ("script", &["Process.processStatus", "*ProcessFilter.statuses"], "ProcessStatus"),
    ("script", &["Process.processType", "*ProcessFilter.types"], "ProcessType"),
    ("script", &["Process.userAccessLevel", "*ProcessFilter.userAccessLevels"], "UserAccessLevel"),
    ("script", &["Process.runtimeVersion"], "RuntimeVersion"),
    ("script", &["*.metricsGranularity"], "MetricsGranularity"),
    ("script", &["*.alt"], "ResponseFormat"),
    ("script", &["*.$.xgafv"], "ErrorFormat"),
    ("mailbox", &["*.historyTypes"], "HistoryType"),
    ("mailbox", &["*.format"], "MessageFormat"),
    ("mailbox", &["*.internalDateSource"], "InternalDateSource"),
    ("mailbox", &["Label.messageListVisibility"], "MessageListVisibility"),
    ("mailbox", &["Label.labelListVisibility"], "LabelListVisibility"),
    ("mailbox", &["Label.type"], "LabelType"),
    ("mailbox", &["LabelColor.textColor", "LabelColor.backgroundColor"], "LabelPaletteColor"),
    ("mailbox", &["*.alt"], "ResponseFormat"),
    ("mailbox", &["*.$.xgafv"], "ErrorFormat"),
    ("calendar", &["Event.status"], "EventStatus"),
    ("calendar", &["Event.transparency"], "Transparency"),
    ("calendar", &["Event.visibility"], "Visibility"),
    ("calendar", &["Event.eventType", "*.eventTypes"], "EventType"),
    ("calendar", &["Attendee.responseStatus"], "ResponseStatus"),
    ("calendar", &["Attendee.asyncOperation"], "AsyncOperation"),
    ("calendar", &["ConferenceSolutionKey.type"], "ConferenceSolutionType"),
    ("calendar", &["ConferenceRequestStatus.statusCode"], "ConferenceStatusCode"),
    ("calendar", &["EntryPoint.entryPointType"], "EntryPointType"),
    ("calendar", &["Gadget.display"], "GadgetDisplay"),
    ("calendar", &["Reminder.method"], "ReminderMethod"),
    ("calendar", &["WorkingLocationProperties.type"], "WorkingLocationType"),
    ("calendar", &["OutOfOfficeProperties.autoDeclineMode", "FocusTimeProperties.autoDeclineMode"], "AutoDeclineMode"),
    ("calendar", &["FocusTimeProperties.chatStatus"], "ChatStatus"),
    ("calendar", &["BirthdayProperties.type"], "BirthdayType"),
    ("calendar", &["Events.accessRole"], "AccessRole"),
    ("calendar", &["Channel.type"], "ChannelType"),
    ("calendar", &["*.sendUpdates"], "SendUpdates"),
    ("calendar", &["*.orderBy"], "OrderBy"),
    ("calendar", &["*.alt"], "ResponseFormat"),
];

/// Enums whose values stand in a table of the wire facts and nowhere else.
pub struct Listed {
    pub apis: &'static [&'static str],
    pub name: &'static str,
    pub section: &'static str,
    pub cells: Cells,
}

pub enum Cells {
    /// The cell of that column in the row that begins with that name.
    Row(&'static str, usize),
    /// The remark in parentheses in such a cell.
    Remark(&'static str, usize),
    /// The column of that heading.
    Column(&'static str),
}

pub const LISTED: &[Listed] = &[
    Listed { apis: &["script", "mailbox"], name: "ErrorStatus", section: "1.5", cells: Cells::Row("error.status", 2) },
    Listed {
        apis: &["script", "mailbox", "calendar"],
        name: "ErrorLocationType",
        section: "1.5",
        cells: Cells::Remark("error.errors[]", 0),
    },
    Listed { apis: &["calendar"], name: "ErrorReason", section: "1.5", cells: Cells::Column("`reason`") },
    Listed { apis: &["calendar"], name: "ErrorDomain", section: "1.5", cells: Cells::Column("`domain`") },
    Listed { apis: &["calendar"], name: "AccessRole", section: "4.4", cells: Cells::Row("accessRole", 2) },
    Listed { apis: &["calendar"], name: "ChannelType", section: "4.4", cells: Cells::Row("type", 2) },
    Listed { apis: &["calendar"], name: "ChannelState", section: "4.4", cells: Cells::Row("X-Goog-Resource-State", 1) },
];

/// Values that no document has, because only the servers of this project say them: which APIs have them, enum, values.
pub const OWN_VALUES: &[(&[&str], &str, &[&str])] = &[
    (
        &["script", "mailbox"],
        "ErrorStatus",
        &["ABORTED", "OUT_OF_RANGE", "CANCELLED", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "UNAVAILABLE"],
    ),
    (
        &["calendar"],
        "ErrorReason",
        &[
            "forbidden",
            "insufficientPermissions",
            "httpMethodNotAllowed",
            "notAcceptable",
            "requestTimeout",
            "conflict",
            "uploadTooLarge",
            "uriTooLong",
            "contentTypeNotSupported",
            "headersTooLarge",
            "notImplemented",
        ],
    ),
];

/// The words `the service` took the place of three names: section, which of its rows, name.
pub const GARBLED: &[(&str, usize, &str)] = &[
    // Read-only, with id, email, displayName and self.
    ("Top-level fields", 0, "creator"),
    // Changed by moving the event, writable on import.
    ("Top-level fields", 1, "organizer"),
    // The rule of the organizer's row names it.
    ("attendees[] entries", 0, "organizer"),
];

/// Rows of the table of differences in the wire facts, and where the two spellings stand.
pub const SPELLINGS: &[(&str, &str, &[&str])] = &[
    ("mailbox", "Mail path", &["base"]),
    ("mailbox", "Mail scopes", &["scope"]),
    ("script", "Script manifest file name", &["File.name", "DeploymentConfig.manifestFileName"]),
    ("script", "`addOnType`", &["AddOnType"]),
    ("calendar", "`maxAttendee` query parameter", &["parameter"]),
    // The one place where the public spelling stays: the specification says itself that its word
    // only stands in for it, so that it is a name in Rust and no more.
    ("calendar", "`eventType` for mail-derived events", &["name EventType"]),
];

/// Two values of the wire with one meaning: API, enum, value, alias.
pub const ALIASES: &[(&str, &str, &str, &str)] = &[
    ("calendar", "ChannelType", "web_hook", "webhook"),
    // The specification spells the value in its own way, which is read and never written.
    ("calendar", "EventType", "fromGmail", "fromGmail"),
    ("calendar", "EventType", "fromGmail", "fromMail"),
];

/// Operations that take the parameters of another by their nature: what is watched is a list.
pub const SAME_PARAMETERS: &[(&str, &str)] = &[("events.watch", "events.list")];
