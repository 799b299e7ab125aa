//! Data source with two users, in which all texts are the same.

use http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};
use wireform_page::{
    ApiResponse, CalendarLabel, Cancellation, Channel, ExecutionDetails, ExecutionList, ExecutionSummary, LogLine,
    Person, RunningExecution, ServiceError, Services, VisibleCalendar, VisibleProject, WorkingHours,
};

use crate::common::Sample;

pub const ADA: &str = "ada@example.com";
pub const BEN: &str = "ben@example.com";
/// Identifier of a message of the sample, and of its conversation.
pub const MESSAGE: &str = "0123456789abcdef";

impl Services for Sample {
    fn now(&self) -> Timestamp {
        "2026-03-04T09:20:00Z".parse().expect("a time")
    }

    async fn people(&self) -> Result<Vec<Person>, ServiceError> {
        Ok([ADA, BEN].map(|address| Person { address: address.into(), name: self.text.clone() }).into())
    }

    async fn calendars(&self, user: &str) -> Result<Vec<VisibleCalendar>, ServiceError> {
        let calendar = |id: &str, role: &str| VisibleCalendar {
            id: id.into(),
            summary: self.text.clone(),
            time_zone: "Europe/London".into(),
            owner: id.into(),
            role: role.into(),
            working_hours: vec![WorkingHours { day: 1, from: 600, until: 1_050 }],
            labels: vec![
                CalendarLabel { id: "good".into(), name: self.text.clone(), color: "#16a765".into() },
                CalendarLabel { id: "bad".into(), name: self.text.clone(), color: self.text.clone() },
            ],
        };
        let own = calendar(user, "owner");
        Ok(if user == ADA { vec![own, calendar(BEN, "reader")] } else { vec![own] })
    }

    async fn channels(&self, user: &str) -> Result<Vec<Channel>, ServiceError> {
        let at = |minute: u8| format!("2026-03-04T09:{minute:02}:00Z").parse().expect("a time");
        let channel = |id: &str, last: Option<(Timestamp, u64, String)>| Channel {
            id: format!("{id}{}", self.text),
            calendar: user.to_owned(),
            host: self.text.clone(),
            resource_id: self.text.clone(),
            opened: at(0),
            expires: at(59),
            message: 2,
            is_sending: last.is_some(),
            attempts: u32::from(last.is_some()) * 3,
            next: last.is_some().then(|| at(30)),
            last,
        };
        let tried = channel("tried ", Some((at(10), 2, self.text.clone())));
        Ok(if user == ADA { vec![channel("new ", None), tried] } else { Vec::new() })
    }

    async fn calendar_owner(&self, calendar: &str) -> Result<Option<String>, ServiceError> {
        Ok([ADA, BEN].into_iter().find(|one| *one == calendar).map(str::to_owned))
    }

    async fn history_start(&self, _: &str, until: Option<u64>, _: u32) -> Result<u64, ServiceError> {
        Ok(if until.is_some() { 1 } else { 100 })
    }

    async fn projects(&self, user: &str) -> Result<Vec<VisibleProject>, ServiceError> {
        let (text, updated) = (self.text.clone(), self.now());
        let role = if user == ADA { "owner" } else { "reader" }.to_owned();
        let one = VisibleProject { id: "one".to_owned(), title: text.clone(), role: role.clone(), updated };
        Ok(vec![VisibleProject { id: text.clone(), title: text, role, updated }, one])
    }

    async fn script_log(&self, _: &str, _: &str, _: u32) -> Result<Vec<LogLine>, ServiceError> {
        let (function, text) = (self.text.clone(), format!("{}\nmore", self.text));
        let line = |execution| LogLine {
            at: self.now(),
            execution,
            function: function.clone(),
            severity: "warning".to_owned(),
            text: text.clone(),
        };
        Ok(vec![line(7), line(8)])
    }

    async fn post(&self, user: &str, target: &str, body: Vec<u8>) -> Result<ApiResponse, ServiceError> {
        let body: Value = serde_json::from_slice(&body)?;
        let result = json!({ "done": true, "response": { "result": [user, target, body] } });
        let execution = (body["function"] == "plain").then_some(8);
        Ok(ApiResponse { status: StatusCode::OK, execution, body: result.to_string().into_bytes() })
    }

    async fn executions(
        &self,
        user: &str,
        project: Option<&str>,
        before: Option<i64>,
        _: u32,
    ) -> Result<Option<ExecutionList>, ServiceError> {
        if project == Some("hidden") {
            return Ok(None);
        }
        // An execution of another user, and one that began before the page did.
        let other = ExecutionSummary { user: BEN.to_owned(), ..self.summary(user, 9) };
        let mut earlier = self.summary(user, 7);
        earlier.started = "2026-03-04T09:00:00Z".parse()?;
        let items = if before.is_some() { vec![earlier] } else { vec![other, self.summary(user, 8), earlier] };
        Ok(Some(ExecutionList { items, next: before.is_none().then_some(7) }))
    }

    async fn execution(&self, user: &str, number: i64, _: u32) -> Result<Option<ExecutionDetails>, ServiceError> {
        let line = |severity: &str| LogLine {
            at: self.now(),
            execution: number,
            function: self.text.clone(),
            severity: severity.to_owned(),
            text: format!("{}\n    at f (line 8)", self.text),
        };
        let log = vec![line("info"), line("error")];
        Ok((number < 10).then(|| ExecutionDetails { summary: self.summary(user, number), log }))
    }

    async fn running_executions(
        &self,
        user: &str,
        project: Option<&str>,
    ) -> Result<Vec<RunningExecution>, ServiceError> {
        let (number, function) = (if project.is_some() { 8 } else { 9 }, self.text.clone());
        let started = "2026-03-04T09:00:00Z".parse().expect("a time");
        let running = RunningExecution { number, project: self.text.clone(), function, started };
        Ok(if user == ADA { vec![running] } else { Vec::new() })
    }

    async fn cancel_execution(&self, user: &str, number: i64) -> Result<Cancellation, ServiceError> {
        Ok(match (user, number) {
            (ADA, 8) => Cancellation::Done,
            (ADA, 7) => Cancellation::Ended("TIMED_OUT".to_owned()),
            (BEN, 8) => Cancellation::Forbidden,
            _ => Cancellation::NotFound,
        })
    }

    async fn get(&self, user: &str, target: &str) -> Result<ApiResponse, ServiceError> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if user == BEN && path.ends_with("/metrics") {
            let refusal = json!({ "error": { "code": 403, "message": self.text } });
            return Ok(ApiResponse {
                status: StatusCode::FORBIDDEN,
                execution: None,
                body: refusal.to_string().into_bytes(),
            });
        }
        let found = match path.split('/').skip(1).collect::<Vec<_>>()[..] {
            ["calendar", "v3", "calendars", _, "events"] => Some(self.events()),
            ["calendar", "v3", "calendars", _, "events", "unknown"] => None,
            ["calendar", "v3", "calendars", _, "events", "series", "instances"] if query.contains("timeMin") => {
                Some(json!({ "items": [] }))
            }
            ["calendar", "v3", "calendars", _, "events", _, "instances"] => {
                let mut one = self.event("series_20260309T090000Z", "2026-03-09T09:00:00Z", "2026-03-09T12:00:00Z");
                one["recurringEventId"] = json!("series");
                Some(json!({ "items": [one] }))
            }
            ["calendar", "v3", "calendars", _, "events", "instance"] => {
                let mut one = self.event("instance", "2026-03-02T09:00:00Z", "2026-03-02T12:00:00Z");
                one["recurringEventId"] = json!("series");
                one["recurrence"] = json!([]);
                Some(one)
            }
            ["calendar", "v3", "calendars", _, "events", "html"] => Some(self.html_event()),
            ["calendar", "v3", "calendars", _, "events", "series"] => {
                Some(self.event("series", "2026-03-02T09:00:00Z", "2026-03-02T12:00:00Z"))
            }
            ["calendar", "v3", "calendars", ..] => {
                Some(self.event("one", "2026-03-02T09:00:00Z", "2026-03-02T12:00:00Z"))
            }
            ["mail", "v1", "users", "me", "labels"] => Some(json!({ "labels": [self.label()] })),
            ["mail", "v1", "users", "me", "labels", _] => Some(self.label()),
            ["mail", "v1", "users", "me", "messages"] if query.contains("labelIds=wrong") => None,
            ["mail", "v1", "users", "me", "messages"] => {
                Some(json!({ "messages": [{ "id": MESSAGE }, { "id": "gone" }], "nextPageToken": "next+page" }))
            }
            ["mail", "v1", "users", "me", "messages", MESSAGE] if query.contains("format=raw") => {
                // `Subject: <b>` and a line that is not UTF-8.
                Some(json!({ "id": MESSAGE, "raw": "U3ViamVjdDogPGI-DQoNCv8NCg" }))
            }
            ["mail", "v1", "users", "me", "messages", MESSAGE] => Some(self.message()),
            ["mail", "v1", "users", "me", "messages", MESSAGE, "attachments", "part-2"] => {
                Some(json!({ "size": 7, "data": "PGI-b25lPC8" }))
            }
            ["mail", "v1", "users", "me", "threads"] => {
                Some(json!({ "threads": [{ "id": MESSAGE }, { "id": "gone" }], "nextPageToken": "next+page" }))
            }
            ["mail", "v1", "users", "me", "threads", MESSAGE] => {
                let mut first = self.message();
                first["id"] = json!("first");
                Some(json!({ "id": MESSAGE, "messages": [first, self.message()] }))
            }
            ["mail", "v1", "users", "me", "profile"] => Some(json!({ "historyId": "110" })),
            ["mail", "v1", "users", "me", "history"] => Some(self.history(query)),
            ["v1", "projects", _] => Some(json!({ "scriptId": self.text, "title": self.text })),
            ["v1", "projects", "manifest-first", "content"] => {
                let mut content = self.project("content");
                content["files"].as_array_mut().expect("files").rotate_right(2);
                Some(content)
            }
            ["v1", "projects", _, part] => Some(self.project(part)),
            _ => None,
        };
        assert!([ADA, BEN].contains(&user), "{user} requests {target}");
        let refusal = || json!({ "error": { "code": 404, "message": self.text } });
        let status = if found.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
        Ok(ApiResponse { status, execution: None, body: found.unwrap_or_else(refusal).to_string().into_bytes() })
    }
}
