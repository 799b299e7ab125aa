//! Resources of the sample, in which every text is the same.

use serde_json::{Value, json};
use wireform_page::{ExecutionSummary, Services as _};

use crate::common::Sample;
use crate::services::MESSAGE;

impl Sample {
    /// Returns a part of a project in which every text is that of the sample.
    pub fn project(&self, part: &str) -> Value {
        let text = &self.text;
        let functions = json!({ "values": [{ "name": format!("f{text}f"), "parameters": [text] }] });
        let source = "function f() { return 'x'; }";
        let file = |kind: &str| json!({ "name": text, "type": kind, "source": source, "functionSet": functions });
        let files = ["SERVER_JS", "HTML", "JSON", text].map(file);
        let count = json!([{ "startTime": "2026-03-04T00:00:00Z", "endTime": "2026-03-05T00:00:00Z", "value": "3" }]);
        match part {
            "content" => json!({ "scriptId": text, "files": files }),
            "versions" => json!({ "versions": [{ "versionNumber": 1, "description": text }], "nextPageToken": text }),
            "deployments" => json!({ "deployments": [{
                "deploymentId": text, "deploymentConfig": { "description": text, "versionNumber": 1 },
                "entryPoints": [{ "entryPointType": text, "webApp": { "url": format!("x{text}") } }],
            }] }),
            _ => json!({ "totalExecutions": count, "failedExecutions": count, "activeUsers": count }),
        }
    }

    /// Returns an execution, failed if its number is even.
    pub fn summary(&self, user: &str, number: i64) -> ExecutionSummary {
        let text = self.text.clone();
        ExecutionSummary {
            number,
            project: "one".to_owned(),
            title: text.clone(),
            user: user.to_owned(),
            function: text.clone(),
            kind: text,
            status: match number {
                6 => "RUNNING",
                number if number % 2 == 0 => "FAILED",
                _ => "COMPLETED",
            }
            .to_owned(),
            started: self.now(),
            ended: (number != 6).then(|| self.now() + jiff::SignedDuration::from_millis(1_500)),
        }
    }

    pub fn event(&self, id: &str, start: &str, end: &str) -> Value {
        let text = &self.text;
        let time = |at: &str| if at.len() > 10 { json!({ "dateTime": at }) } else { json!({ "date": at }) };
        json!({
            "id": id, "summary": text, "description": text, "location": text, "eventLabelId": "bad", "colorId": text,
            "status": "confirmed", "start": time(start), "end": time(end), "recurrence": [format!("RRULE:{text}")],
            "creator": { "email": text, "displayName": text }, "organizer": { "email": "x", "displayName": text },
            "attendees": [{ "email": text, "displayName": text, "comment": text, "responseStatus": text }],
            "conferenceData": {
                "conferenceSolution": { "name": text }, "entryPoints": [{ "entryPointType": text, "uri": text }],
            },
            "visibility": text, "transparency": text, "eventType": text,
            "reminders": { "useDefault": false, "overrides": [{ "method": text, "minutes": 90 }] },
        })
    }

    /// Returns an event with URLs and HTML.
    pub fn html_event(&self) -> Value {
        let mut event = self.event("html", "2026-03-02T09:00:00Z", "2026-03-02T12:00:00Z");
        event["location"] = json!("Room 1, https://example.com/room?a=1&b=2.");
        event["description"] = json!("<p onclick=x>See <a href='https://example.com/a'>this</a><script>1</script></p>");
        event["conferenceData"]["entryPoints"] = json!([
            { "entryPointType": "video", "uri": "https://meet.example.com/x" },
            { "entryPointType": "more", "uri": "javascript:alert(1)" },
        ]);
        event["attachments"] = json!([
            { "title": "Plan", "fileUrl": "https://example.com/plan" },
            { "title": "Trap", "fileUrl": "javascript:alert(1)" },
        ]);
        event["source"] = json!({ "title": "Minutes", "url": "https://example.com/minutes" });
        event
    }

    pub fn events(&self) -> Value {
        let mut declined = self.event("declined", "2026-03-06T20:00:00Z", "2026-03-06T21:00:00Z");
        declined["attendees"] = json!([{ "email": "x", "self": true, "responseStatus": "declined" }]);
        let mut free = self.event("free", "2026-03-05T20:00:00Z", "2026-03-05T21:00:00Z");
        free["transparency"] = json!("transparent");
        json!({
            "items": [
                self.event("one", "2026-03-02T09:00:00Z", "2026-03-02T12:00:00Z"),
                self.event("two", "2026-03-02T11:00:00Z", "2026-03-02T11:10:00Z"),
                self.event("night", "2026-03-03T22:00:00Z", "2026-03-04T02:00:00Z"),
                self.event("days", "2026-02-27", "2026-03-04"),
                declined,
                free,
            ],
            "defaultReminders": [{ "method": "popup", "minutes": 10 }],
        })
    }

    pub fn label(&self) -> Value {
        let color = json!({ "textColor": self.text, "backgroundColor": self.text });
        json!({ "id": "Label_1", "name": self.text, "type": "user", "messagesUnread": 3, "color": color })
    }

    pub fn message(&self) -> Value {
        let text = &self.text;
        let header = |name: &str| json!({ "name": name, "value": text });
        let part = |id: &str, kind: &str, name: &str, data: &str| {
            let headers = [json!({ "name": "Content-Type", "value": kind })];
            json!({ "partId": id, "mimeType": kind, "filename": name, "headers": headers, "body": { "data": data, "size": 9 } })
        };
        let mut attached = part("2", "application/pdf", text, "");
        attached["body"] = json!({ "attachmentId": "part-2", "size": 7 });
        let mut image = part("3", "image/png", "été.png", "");
        image["body"] = json!({ "attachmentId": "part-2", "size": 7 });
        let mut huge = part("4", "text/csv", "huge.csv", "");
        huge["body"] = json!({ "attachmentId": "part-4", "size": 12 << 20 });
        // `plain <link rel=x>` and `<b>bold</b><script>1</script>`.
        let parts = [
            part("0", "text/plain", "", "cGxhaW4gPGxpbmsgcmVsPXg-"),
            part("1", "text/html", "", "PGI-Ym9sZDwvYj48c2NyaXB0PjE8L3NjcmlwdD4"),
            attached,
            image,
            huge,
        ];
        json!({
            "id": MESSAGE, "threadId": MESSAGE, "labelIds": ["Label_1", "UNREAD", text], "snippet": text, "internalDate": "1772613000000",
            "sizeEstimate": 1000,
            "payload": {
                "mimeType": "multipart/mixed", "parts": parts,
                "headers": [header("From"), header("To"), header("Subject"), header(text)],
            },
        })
    }

    pub fn history(&self, query: &str) -> Value {
        if query.contains("startHistoryId=110") {
            return json!({ "historyId": "110" });
        }
        let message = json!({ "id": MESSAGE });
        let (gone, many) = (json!({ "id": "gone" }), vec![json!({ "message": message }); 9]);
        json!({
            "historyId": "110",
            "history": [
                { "id": "105", "messagesAdded": [{ "message": message }], "messagesDeleted": [{ "message": gone }] },
                { "id": "110", "labelsAdded": many, "labelsRemoved": [{ "message": message, "labelIds": [self.text] }] },
            ],
        })
    }
}
