//! Valid request of every operation in its wire form.

/// Valid request and response of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Valid {
    pub api: &'static str,
    pub operation: &'static str,
    pub method: &'static str,
    /// Path and query.
    pub target: &'static str,
    pub body: Option<&'static str>,
    /// Valid response, or `None` if it has no body.
    pub response: Option<&'static str>,
}

const fn valid(api: &'static str, operation: &'static str, method: &'static str, target: &'static str) -> Valid {
    Valid { api, operation, method, target, body: None, response: None }
}

impl Valid {
    const fn with(mut self, body: &'static str) -> Self {
        self.body = Some(body);
        self
    }

    const fn with_response(mut self, response: &'static str) -> Self {
        self.response = Some(response);
        self
    }
}

const EVENT: &str = r#"{"summary":"tea \" é😀","start":{"dateTime":"2026-03-02T10:00:00Z"},"end":{"dateTime":"2026-03-02T11:00:00+00:00"},"attendees":[{"email":"someone@example.com"}]}"#;

const EVENT_RESPONSE: &str = r#"{"kind":"calendar#event","etag":"\"7\"","id":"abcde","status":"confirmed","summary":"tea \" é😀","start":{"dateTime":"2026-03-02T10:00:00Z"},"end":{"dateTime":"2026-03-02T11:00:00Z"},"reminders":{"useDefault":true}}"#;
const EVENTS: &str = r#"{"kind":"calendar#events","etag":"\"8\"","timeZone":"Europe/Zurich","items":[{"kind":"calendar#event","etag":"\"7\"","id":"abcde","start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"}}],"nextSyncToken":"s"}"#;
const PROJECT: &str = r#"{"scriptId":"a","title":"a title","createTime":"2026-03-02T10:00:00.123Z","creator":{"email":"someone@example.com"}}"#;
const CONTENT: &str = r#"{"scriptId":"a","files":[{"name":"appsscript","type":"JSON","source":"{}"},{"name":"Code","type":"SERVER_JS","source":"function f() {}","functionSet":{"values":[{"name":"f"}]}}]}"#;
const DEPLOYMENT: &str = r#"{"deploymentId":"b","deploymentConfig":{"scriptId":"a","versionNumber":3,"manifestFileName":"appsscript"},"updateTime":"2026-03-02T10:00:00Z"}"#;
const VERSION: &str =
    r#"{"scriptId":"a","versionNumber":3,"description":"the third","createTime":"2026-03-02T10:00:00Z"}"#;
const PROCESSES: &str = r#"{"processes":[{"projectName":"p","functionName":"f","processType":"EDITOR","processStatus":"COMPLETED","startTime":"2026-03-02T10:00:00Z","duration":"3.500s"}],"nextPageToken":"t"}"#;
const MESSAGE: &str = r#"{"id":"18c0ffee","threadId":"t","labelIds":["INBOX","Label_1"],"snippet":"tea \" é😀","historyId":"18446744073709551615","internalDate":"1772445600000","payload":{"mimeType":"multipart/mixed","headers":[{"name":"Subject","value":"tea"}],"body":{"size":0},"parts":[{"partId":"0","mimeType":"text/plain","body":{"size":3,"data":"dGVh"}}]},"sizeEstimate":120}"#;
const DRAFT: &str =
    r#"{"id":"18c0ffee","message":{"id":"18c0ffee","threadId":"t","labelIds":["DRAFT"],"snippet":"tea"}}"#;
const LABEL: &str = r##"{"id":"Label_1","name":"Travel/é😀","messageListVisibility":"hide","labelListVisibility":"labelShowIfUnread","type":"user","messagesTotal":2,"messagesUnread":1,"threadsTotal":1,"threadsUnread":1,"color":{"textColor":"#ffffff","backgroundColor":"#16a766"}}"##;

/// Valid requests in the order of the schemas.
pub const ALL: &[Valid] = &[
    valid("script", "scripts.run", "POST", "/v1/scripts/id%2Fwith%3Arun:run").with(r#"{"function":"f","parameters":[1,"two",{"three":[null]}]}"#).with_response(r#"{"done":true,"response":{"@type":"type.googleapis.com/google.apps.script.v1.ExecutionResponse","result":[1,{"two":null}]}}"#),
    valid("script", "processes.list", "GET", "/v1/processes?pageSize=10&userProcessFilter.scriptId=a%26b&userProcessFilter.statuses=COMPLETED&userProcessFilter.statuses=FAILED").with_response(PROCESSES),
    valid("script", "processes.listScriptProcesses", "GET", "/v1/processes:listScriptProcesses?scriptId=one&scriptProcessFilter.startTime=2026-03-29T02%3A30%3A00.10%2B05%3A45").with_response(PROCESSES),
    valid("script", "projects.create", "POST", "/v1/projects").with(r#"{"title":"a title"}"#).with_response(PROJECT),
    valid("script", "projects.get", "GET", "/v1/projects/a").with_response(PROJECT),
    valid("script", "projects.getContent", "GET", "/v1/projects/a/content?versionNumber=9007199254740993").with_response(CONTENT),
    valid("script", "projects.updateContent", "PUT", "/v1/projects/a/content").with(r#"{"files":[{"name":"appsscript","type":"JSON","source":"{}"},{"name":"Code","type":"SERVER_JS","source":"function f() {}"}]}"#).with_response(CONTENT),
    valid("script", "projects.getMetrics", "GET", "/v1/projects/a/metrics?metricsGranularity=WEEKLY").with_response(r#"{"activeUsers":[{"startTime":"2026-03-02T00:00:00Z","endTime":"2026-03-09T00:00:00Z","value":"18446744073709551615"}]}"#),
    valid("script", "projects.deployments.create", "POST", "/v1/projects/a/deployments").with(r#"{"versionNumber":3,"manifestFileName":"appsscript","description":"d"}"#).with_response(DEPLOYMENT),
    valid("script", "projects.deployments.get", "GET", "/v1/projects/a/deployments/b").with_response(DEPLOYMENT),
    valid("script", "projects.deployments.list", "GET", "/v1/projects/a/deployments?pageSize=50").with_response(r#"{"deployments":[{"deploymentId":"b"}],"nextPageToken":"t"}"#),
    valid("script", "projects.deployments.update", "PUT", "/v1/projects/a/deployments/b").with(r#"{"deploymentConfig":{"versionNumber":3,"manifestFileName":"appsscript"}}"#).with_response(DEPLOYMENT),
    valid("script", "projects.deployments.delete", "DELETE", "/v1/projects/a/deployments/b").with_response("{}"),
    valid("script", "projects.versions.create", "POST", "/v1/projects/a/versions").with(r#"{"description":"the third"}"#).with_response(VERSION),
    valid("script", "projects.versions.get", "GET", "/v1/projects/a/versions/3").with_response(VERSION),
    valid("script", "projects.versions.list", "GET", "/v1/projects/a/versions?pageToken=t").with_response(r#"{"versions":[{"scriptId":"a","versionNumber":9007199254740993}]}"#),
    valid("mailbox", "users.labels.list", "GET", "/mail/v1/users/some%40example.com/labels").with_response(r#"{"labels":[{"id":"INBOX","name":"INBOX","type":"system"},{"id":"Label_1","name":"Travel","type":"user"}]}"#),
    valid("mailbox", "users.labels.get", "GET", "/mail/v1/users/some%40example.com/labels/Label_1").with_response(LABEL),
    valid("mailbox", "users.labels.create", "POST", "/mail/v1/users/some%40example.com/labels").with(r##"{"name":"Travel/é😀","color":{"textColor":"#ffffff","backgroundColor":"#16a766"}}"##).with_response(LABEL),
    valid("mailbox", "users.labels.update", "PUT", "/mail/v1/users/some%40example.com/labels/Label_1").with(r#"{"name":"Travel","messageListVisibility":"hide"}"#).with_response(LABEL),
    valid("mailbox", "users.labels.patch", "PATCH", "/mail/v1/users/some%40example.com/labels/Label_1").with(r##"{"labelListVisibility":null,"color":{"textColor":"#000000"}}"##).with_response(LABEL),
    valid("mailbox", "users.labels.delete", "DELETE", "/mail/v1/users/some%40example.com/labels/Label_1"),
    valid("mailbox", "users.messages.list", "GET", "/mail/v1/users/some%40example.com/messages?q=from%3Aa%26b%2Bc+d&labelIds=INBOX&labelIds=UNREAD&maxResults=500&includeSpamTrash=true").with_response(r#"{"messages":[{"id":"18c0ffee","threadId":"t"}],"nextPageToken":"n","resultSizeEstimate":201}"#),
    valid("mailbox", "users.messages.get", "GET", "/mail/v1/users/some%40example.com/messages/18c0ffee?format=metadata&metadataHeaders=Subject&metadataHeaders=From").with_response(MESSAGE),
    valid("mailbox", "users.messages.insert", "POST", "/mail/v1/users/some%40example.com/messages?internalDateSource=dateHeader&deleted=false").with(r#"{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KDQp0ZWE","labelIds":["INBOX"],"threadId":"t"}"#).with_response(MESSAGE),
    valid("mailbox", "users.messages.import", "POST", "/mail/v1/users/some%40example.com/messages/import?neverMarkSpam=true&processForCalendar=false").with(r#"{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KDQp0ZWE"}"#).with_response(MESSAGE),
    valid("mailbox", "users.messages.delete", "DELETE", "/mail/v1/users/some%40example.com/messages/18c0ffee"),
    valid("mailbox", "users.messages.modify", "POST", "/mail/v1/users/some%40example.com/messages/18c0ffee/modify").with(r#"{"addLabelIds":["Label_1"],"removeLabelIds":["UNREAD"]}"#).with_response(MESSAGE),
    valid("mailbox", "users.messages.batchModify", "POST", "/mail/v1/users/some%40example.com/messages/batchModify").with(r#"{"ids":["18c0ffee","18c0ffed"],"removeLabelIds":["UNREAD"]}"#),
    valid("mailbox", "users.messages.trash", "POST", "/mail/v1/users/some%40example.com/messages/18c0ffee/trash").with_response(MESSAGE),
    valid("mailbox", "users.messages.untrash", "POST", "/mail/v1/users/some%40example.com/messages/18c0ffee/untrash").with_response(MESSAGE),
    valid("mailbox", "users.messages.send", "POST", "/mail/v1/users/some%40example.com/messages/send").with(r#"{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KDQp0ZWE","threadId":"t"}"#).with_response(MESSAGE),
    valid("mailbox", "users.messages.batchDelete", "POST", "/mail/v1/users/some%40example.com/messages/batchDelete").with(r#"{"ids":["18c0ffee","18c0ffed"]}"#),
    valid("mailbox", "users.messages.attachments.get", "GET", "/mail/v1/users/some%40example.com/messages/18c0ffee/attachments/part-1").with_response(r#"{"size":3,"data":"dGVh"}"#),
    valid("mailbox", "users.threads.list", "GET", "/mail/v1/users/some%40example.com/threads?q=from%3Aa%26b%2Bc+d&labelIds=INBOX&maxResults=500").with_response(r#"{"threads":[{"id":"18c0ffee","snippet":"tea \" é😀","historyId":"18446744073709551615"}],"nextPageToken":"n","resultSizeEstimate":201}"#),
    valid("mailbox", "users.threads.get", "GET", "/mail/v1/users/some%40example.com/threads/18c0ffee?format=metadata&metadataHeaders=Subject").with_response(r#"{"id":"18c0ffee","historyId":"18446744073709551615","messages":[{"id":"18c0ffee","threadId":"18c0ffee"}]}"#),
    valid("mailbox", "users.drafts.list", "GET", "/mail/v1/users/some%40example.com/drafts?q=subject%3Atea&includeSpamTrash=true").with_response(r#"{"drafts":[{"id":"d","message":{"id":"18c0ffee","threadId":"t"}}],"resultSizeEstimate":1}"#),
    valid("mailbox", "users.drafts.get", "GET", "/mail/v1/users/some%40example.com/drafts/18c0ffee?format=raw").with_response(DRAFT),
    valid("mailbox", "users.drafts.create", "POST", "/mail/v1/users/some%40example.com/drafts").with(r#"{"message":{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KDQp0ZWE"}}"#).with_response(DRAFT),
    valid("mailbox", "users.drafts.update", "PUT", "/mail/v1/users/some%40example.com/drafts/18c0ffee").with(r#"{"id":"18c0ffee","message":{"raw":"VG86IGFuYUBleGFtcGxlLmNvbQ0KDQp0ZWE"}}"#).with_response(DRAFT),
    valid("mailbox", "users.drafts.delete", "DELETE", "/mail/v1/users/some%40example.com/drafts/18c0ffee"),
    valid("mailbox", "users.drafts.send", "POST", "/mail/v1/users/some%40example.com/drafts/send").with(r#"{"id":"18c0ffee"}"#).with_response(MESSAGE),
    valid("mailbox", "users.getProfile", "GET", "/mail/v1/users/some%40example.com/profile").with_response(r#"{"emailAddress":"some@example.com","messagesTotal":2,"threadsTotal":1,"historyId":"18446744073709551615"}"#),
    valid("mailbox", "users.history.list", "GET", "/mail/v1/users/some%40example.com/history?startHistoryId=18446744073709551615&historyTypes=messageAdded&historyTypes=labelRemoved").with_response(r#"{"history":[{"id":"18446744073709551615","messages":[{"id":"18c0ffee","threadId":"t"}],"messagesAdded":[{"message":{"id":"18c0ffee","threadId":"t"}}]}],"historyId":"18446744073709551615"}"#),
    valid("calendar", "calendarList.list", "GET", "/calendar/v3/users/me/calendarList?minAccessRole=reader&showHidden=true").with_response(r##"{"kind":"calendar#calendarList","etag":"\"8\"","items":[{"kind":"calendar#calendarListEntry","id":"one@example.com","accessRole":"owner","primary":true,"backgroundColor":"#9fe1e7","defaultReminders":[]}],"nextSyncToken":"s"}"##),
    valid("calendar", "calendarList.get", "GET", "/calendar/v3/users/me/calendarList/some%40example.com").with_response(r#"{"kind":"calendar#calendarListEntry","etag":"\"7\"","id":"some@example.com","accessRole":"reader"}"#),
    valid("calendar", "calendars.get", "GET", "/calendar/v3/calendars/primary").with_response(r#"{"kind":"calendar#calendar","etag":"\"7\"","id":"one@example.com","timeZone":"Europe/Zurich"}"#),
    valid("calendar", "colors.get", "GET", "/calendar/v3/colors").with_response(r##"{"kind":"calendar#colors","updated":"2012-02-14T00:00:00Z","event":{"1":{"background":"#a4bdfc","foreground":"#1d1d1d"}}}"##),
    valid("calendar", "settings.list", "GET", "/calendar/v3/users/me/settings?maxResults=250").with_response(r#"{"kind":"calendar#settings","etag":"\"8\"","items":[{"kind":"calendar#setting","id":"timezone","value":"Europe/Zurich"}],"nextPageToken":"n"}"#),
    valid("calendar", "settings.get", "GET", "/calendar/v3/users/me/settings/timezone").with_response(r#"{"kind":"calendar#setting","etag":"\"7\"","id":"timezone","value":"Europe/Zurich"}"#),
    valid("calendar", "freebusy.query", "POST", "/calendar/v3/freeBusy").with(r#"{"timeMin":"2026-03-02T10:00:00Z","timeMax":"2026-03-02T11:00:00+00:00","items":[{"id":"one@example.com"}]}"#).with_response(r#"{"kind":"calendar#freeBusy","timeMin":"2026-03-02T10:00:00Z","timeMax":"2026-03-02T11:00:00Z","calendars":{"one@example.com":{"busy":[{"start":"2026-03-02T10:00:00Z","end":"2026-03-02T10:30:00Z"}]},"nobody":{"busy":[],"errors":[{"domain":"global","reason":"notFound"}]}}}"#),
    valid("calendar", "channels.stop", "POST", "/calendar/v3/channels/stop").with(r#"{"id":"channel","resourceId":"r"}"#),
    valid("calendar", "events.get", "GET", "/calendar/v3/calendars/some%40example.com/events/abcde?timeZone=Europe/Zurich").with_response(EVENT_RESPONSE),
    valid("calendar", "events.instances", "GET", "/calendar/v3/calendars/primary/events/abcde/instances?maxResults=2500&showDeleted=true").with_response(EVENTS),
    valid("calendar", "events.list", "GET", "/calendar/v3/calendars/primary/events?q=a%26b%2Bc+d&eventTypes=default&singleEvents=true&orderBy=startTime&privateExtendedProperty=a%3Db%3Dc").with_response(EVENTS),
    valid("calendar", "events.watch", "POST", "/calendar/v3/calendars/primary/events/watch").with(r#"{"id":"channel","type":"web_hook","address":"https://example.com/"}"#).with_response(r#"{"kind":"api#channel","id":"channel","resourceId":"r","resourceUri":"https://example.com/r","expiration":"1772445600000"}"#),
    valid("calendar", "events.insert", "POST", "/calendar/v3/calendars/primary/events?sendUpdates=all").with(EVENT).with_response(EVENT_RESPONSE),
    valid("calendar", "events.quickAdd", "POST", "/calendar/v3/calendars/primary/events/quickAdd?text=tea%20at%20five").with_response(EVENT_RESPONSE),
    valid("calendar", "events.import", "POST", "/calendar/v3/calendars/primary/events/import").with(r#"{"iCalUID":"one@example.com","start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"}}"#).with_response(EVENT_RESPONSE),
    valid("calendar", "events.update", "PUT", "/calendar/v3/calendars/primary/events/abcde").with(EVENT).with_response(EVENT_RESPONSE),
    valid("calendar", "events.patch", "PATCH", "/calendar/v3/calendars/primary/events/abcde").with(r#"{"summary":null,"location":"here"}"#).with_response(EVENT_RESPONSE),
    valid("calendar", "events.move", "POST", "/calendar/v3/calendars/primary/events/abcde/move?destination=other").with_response(EVENT_RESPONSE),
    valid("calendar", "events.delete", "DELETE", "/calendar/v3/calendars/primary/events/abcde?sendUpdates=none"),
];

/// Returns the valid request of an operation.
pub fn of(api: &str, operation: &str) -> Valid {
    let is = |one: &&Valid| one.api == api && one.operation == operation;
    *ALL.iter().find(is).unwrap_or_else(|| panic!("{api} has no {operation}"))
}

#[test]
fn every_operation_has_one() {
    let named = |api: &'static str, operation: &'static str| (api, operation);
    let mut here: Vec<_> = ALL.iter().map(|one| named(one.api, one.operation)).collect();
    let mut there: Vec<_> = crate::desk::SERVED.iter().map(|one| named(one.api, one.operation)).collect();
    here.sort_unstable();
    there.sort_unstable();
    assert_eq!(here, there);
}
