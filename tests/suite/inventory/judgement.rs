//! Facts that no program can derive from the documents: names that none of them has, words that a document has lost,
//! and intentional differences of the schemas, with reasons.

/// Documents of one API.
pub struct Documents {
    pub api: &'static str,
    pub specification: &'static str,
    pub discovery: &'static str,
    /// Heading of its section in the wire facts.
    pub section: &'static str,
    /// First word of its rows in the table of scopes.
    pub scopes: &'static str,
    /// Group of operations that a document names without a group.
    pub group: &'static str,
    /// Resource to which headings such as `attendees[] entries` belong.
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

/// Resources of headings that do not name them.
pub const HEADINGS: &[(&str, &str)] =
    &[("Top-level fields", "Event"), ("History list response", "ListHistoryResponse")];

/// Prefixes of the Discovery documents that distinguish products within one namespace, and that the specifications
/// omit.
pub const PREFIXES: &[(&str, &str)] = &[("script", "GoogleAppsScriptType"), ("mailbox", "History")];

/// Names in the Discovery documents and in the schemas. The specification of the calendar mentions none of these; the
/// schemas omit what the name of the crate implies.
pub const RENAMED: &[(&str, &str)] = &[
    ("Error", "FreeBusyError"),
    ("EventAttachment", "Attachment"),
    ("EventAttendee", "Attendee"),
    ("EventBirthdayProperties", "BirthdayProperties"),
    ("EventFocusTimeProperties", "FocusTimeProperties"),
    ("EventOutOfOfficeProperties", "OutOfOfficeProperties"),
    ("EventReminder", "Reminder"),
    ("EventWorkingLocationProperties", "WorkingLocationProperties"),
    ("ConferenceParametersAddOnParameters", "AddOnParameters"),
];

/// Resources without a name in any document, because they are inline there.
pub const INLINE: &[(&str, &str)] = &[
    ("Event.creator", "Person"),
    ("Event.organizer", "Person"),
    ("Event.extendedProperties", "ExtendedProperties"),
    ("Event.gadget", "Gadget"),
    ("Event.reminders", "Reminders"),
    ("Event.source", "Source"),
    ("WorkingLocationProperties.customLocation", "CustomLocation"),
    ("WorkingLocationProperties.officeLocation", "OfficeLocation"),
    ("Calendar.workingHours", "WorkingHours"),
    ("WorkingHours.availableTimes", "AvailableTime"),
    ("CalendarListEntry.notificationSettings", "NotificationSettings"),
    ("ErrorResponse.error", "ErrorInfo"),
    ("ErrorInfo.errors", "ErrorItem"),
    ("BadRequest.fieldViolations", "FieldViolation"),
];

/// Resources without references, because fields of any type contain them.
pub const ROOTS: &[(&str, &str)] = &[("script", "ExecutionResponse"), ("script", "ExecutionError")];

/// Enums, which have no name in any document, by the fields and parameters that have them. A location is a field, or
/// `*` followed by the end of a parameter of any operation.
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
    ("calendar", &["Events.accessRole", "CalendarListEntry.accessRole", "*.minAccessRole"], "AccessRole"),
    ("calendar", &["Channel.type"], "ChannelType"),
    ("calendar", &["*.sendUpdates"], "SendUpdates"),
    ("calendar", &["*.orderBy"], "OrderBy"),
    ("calendar", &["*.alt"], "ResponseFormat"),
];

/// Enums whose values are only in a table of the wire facts.
pub struct Listed {
    pub apis: &'static [&'static str],
    pub name: &'static str,
    pub section: &'static str,
    pub cells: Cells,
}

pub enum Cells {
    /// The cell of a column in the row that starts with a name.
    Row(&'static str, usize),
    /// The remark in parentheses in this cell.
    Remark(&'static str, usize),
    /// The column with a heading.
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

/// Values that only the servers of this project return: APIs, enum, values.
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
            "channelIdNotUnique",
            "exceptionsTooLarge",
            "forbidden",
            "forbiddenForServiceAccounts",
            "pageTokenExpired",
            "push.webhookUrlNotHttps",
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

/// Names that a document replaced by the words `the service`: section, row, name.
pub const GARBLED: &[(&str, usize, &str)] = &[
    // Read-only, with id, email, displayName and self.
    ("Top-level fields", 0, "creator"),
    // Changed by moving the event, writable on import.
    ("Top-level fields", 1, "organizer"),
    // The rule of the organizer's row names it.
    ("attendees[] entries", 0, "organizer"),
];

/// Rows of the table of differences in the wire facts, and the locations of the two names.
pub const SPELLINGS: &[(&str, &str, &[&str])] = &[
    ("mailbox", "Mail path", &["base"]),
    ("mailbox", "Mail scopes", &["scope"]),
    ("script", "Script manifest file name", &["File.name", "DeploymentConfig.manifestFileName"]),
    ("script", "`addOnType`", &["AddOnType"]),
    ("calendar", "`maxAttendee` query parameter", &["parameter"]),
    // The only name of the public service that stays: the specification declares its own word a placeholder, so it is a
    // Rust name only.
    ("calendar", "`eventType` for mail-derived events", &["name EventType"]),
];

/// Wire values with the same meaning: API, enum, value, alias.
pub const ALIASES: &[(&str, &str, &str, &str)] = &[
    ("calendar", "ChannelType", "web_hook", "webhook"),
    // The specification has another name for the value, which is read and never written.
    ("calendar", "EventType", "fromGmail", "fromGmail"),
    ("calendar", "EventType", "fromGmail", "fromMail"),
];

/// Operations that take the parameters of another one: a watch request has those of the list.
pub const SAME_PARAMETERS: &[(&str, &str)] = &[("events.watch", "events.list")];
