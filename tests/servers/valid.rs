//! A valid request of every operation, as it stands on the wire.

/// A request.
#[derive(Clone, Copy, Debug)]
pub struct Valid {
    /// The API.
    pub api: &'static str,
    /// The operation.
    pub operation: &'static str,
    /// The method.
    pub method: &'static str,
    /// Path and query.
    pub target: &'static str,
    /// The body, where there is one.
    pub body: Option<&'static str>,
}

const fn valid(api: &'static str, operation: &'static str, method: &'static str, target: &'static str) -> Valid {
    Valid { api, operation, method, target, body: None }
}

impl Valid {
    const fn with(mut self, body: &'static str) -> Self {
        self.body = Some(body);
        self
    }
}

const EVENT: &str = r#"{"summary":"tea \" é😀","start":{"dateTime":"2026-03-02T10:00:00Z"},"end":{"dateTime":"2026-03-02T11:00:00+00:00"},"attendees":[{"email":"someone@example.com"}]}"#;

/// The requests, in the order of the schemas.
pub const ALL: &[Valid] = &[
    valid("script", "scripts.run", "POST", "/v1/scripts/id%2Fwith%3Arun:run").with(r#"{"function":"f","parameters":[1,"two",{"three":[null]}]}"#),
    valid("script", "processes.list", "GET", "/v1/processes?pageSize=10&userProcessFilter.scriptId=a%26b&userProcessFilter.statuses=COMPLETED&userProcessFilter.statuses=FAILED"),
    valid("script", "processes.listScriptProcesses", "GET", "/v1/processes:listScriptProcesses?scriptId=one&scriptProcessFilter.startTime=2026-03-29T02%3A30%3A00.10%2B05%3A45"),
    valid("script", "projects.create", "POST", "/v1/projects").with(r#"{"title":"a title"}"#),
    valid("script", "projects.get", "GET", "/v1/projects/a"),
    valid("script", "projects.getContent", "GET", "/v1/projects/a/content?versionNumber=9007199254740993"),
    valid("script", "projects.updateContent", "PUT", "/v1/projects/a/content").with(r#"{"files":[{"name":"appsscript","type":"JSON","source":"{}"},{"name":"Code","type":"SERVER_JS","source":"function f() {}"}]}"#),
    valid("script", "projects.getMetrics", "GET", "/v1/projects/a/metrics?metricsGranularity=WEEKLY"),
    valid("script", "projects.deployments.create", "POST", "/v1/projects/a/deployments").with(r#"{"versionNumber":3,"manifestFileName":"appsscript","description":"d"}"#),
    valid("script", "projects.deployments.get", "GET", "/v1/projects/a/deployments/b"),
    valid("script", "projects.deployments.list", "GET", "/v1/projects/a/deployments?pageSize=50"),
    valid("script", "projects.deployments.update", "PUT", "/v1/projects/a/deployments/b").with(r#"{"deploymentConfig":{"versionNumber":3,"manifestFileName":"appsscript"}}"#),
    valid("script", "projects.deployments.delete", "DELETE", "/v1/projects/a/deployments/b"),
    valid("script", "projects.versions.create", "POST", "/v1/projects/a/versions").with(r#"{"description":"the third"}"#),
    valid("script", "projects.versions.get", "GET", "/v1/projects/a/versions/3"),
    valid("script", "projects.versions.list", "GET", "/v1/projects/a/versions?pageToken=t"),
    valid("mailbox", "users.history.list", "GET", "/mail/v1/users/some%40example.com/history?startHistoryId=18446744073709551615&historyTypes=messageAdded&historyTypes=labelRemoved"),
    valid("calendar", "events.get", "GET", "/calendar/v3/calendars/some%40example.com/events/abcde?timeZone=Europe/Zurich"),
    valid("calendar", "events.instances", "GET", "/calendar/v3/calendars/primary/events/abcde/instances?maxResults=2500&showDeleted=true"),
    valid("calendar", "events.list", "GET", "/calendar/v3/calendars/primary/events?q=a%26b%2Bc+d&eventTypes=default&singleEvents=true&orderBy=startTime&privateExtendedProperty=a%3Db%3Dc"),
    valid("calendar", "events.watch", "POST", "/calendar/v3/calendars/primary/events/watch").with(r#"{"id":"channel","type":"web_hook","address":"https://example.com/"}"#),
    valid("calendar", "events.insert", "POST", "/calendar/v3/calendars/primary/events?sendUpdates=all").with(EVENT),
    valid("calendar", "events.quickAdd", "POST", "/calendar/v3/calendars/primary/events/quickAdd?text=tea%20at%20five"),
    valid("calendar", "events.import", "POST", "/calendar/v3/calendars/primary/events/import").with(r#"{"iCalUID":"one@example.com","start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"}}"#),
    valid("calendar", "events.update", "PUT", "/calendar/v3/calendars/primary/events/abcde").with(EVENT),
    valid("calendar", "events.patch", "PATCH", "/calendar/v3/calendars/primary/events/abcde").with(r#"{"summary":null,"location":"here"}"#),
    valid("calendar", "events.move", "POST", "/calendar/v3/calendars/primary/events/abcde/move?destination=other"),
    valid("calendar", "events.delete", "DELETE", "/calendar/v3/calendars/primary/events/abcde?sendUpdates=none"),
];

/// The request of an operation.
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
