//! Constraints of single fields.

use wireform_validation::Severity::Warning;

use crate::row::{ExpectedViolation, Row, request, response, value};

/// Gadgets are deprecated, and so are all of their fields.
const GADGET: &[ExpectedViolation] = &[("gadget", "deprecated", Warning)];
const GADGET_SIZE: &[ExpectedViolation] = &[
    ("gadget", "deprecated", Warning),
    ("gadget.height", "deprecated", Warning),
    ("gadget.width", "deprecated", Warning),
];

pub const ROWS: &[Row] = &[
    // Identifiers.
    request("events.insert", "length", "id").breaks(r#"{"id":"abcd"}"#).passes(r#"{"id":"abcde"}"#),
    request("events.insert", "length", "id").breaks(r#"{"id":"*1025 a"}"#).passes(r#"{"id":"*1024 a"}"#),
    request("events.insert", "pattern", "id").breaks(r#"{"id":"abcdw"}"#).passes(r#"{"id":"abcdv"}"#),
    request("events.insert", "pattern", "id").breaks(r#"{"id":"Abcde"}"#).passes(r#"{"id":"01239"}"#),
    request("events.insert", "event.one_identifier", "iCalUID")
        .warns()
        .breaks(r#"{"id":"abcde","iCalUID":"one@example.com"}"#)
        .passes(r#"{"iCalUID":"one@example.com"}"#),
    request("events.insert", "length", "iCalUID").breaks(r#"{"iCalUID":""}"#).passes(r#"{"iCalUID":"a"}"#),
    request("events.import", "required", "iCalUID").breaks(r#"{"iCalUID":null}"#).passes(r#"{"id":"abcde"}"#),
    value("Event", "constant", "kind").breaks(r#"{"kind":"calendar#events"}"#).passes(r#"{"kind":"calendar#event"}"#),
    response("events.list", "constant", "items[0].kind")
        .breaks(r#"{"items":[{"kind":"calendar#events"}]}"#)
        .passes(r#"{"kind":"calendar#events"}"#),
    response("events.get", "format", "etag").breaks(r#"{"etag":"abc"}"#).passes(r#"{"etag":"\"abc\""}"#),
    // Values of enums.
    request("events.insert", "known_value", "status")
        .breaks(r#"{"status":"maybe"}"#)
        .passes(r#"{"status":"tentative"}"#),
    request("events.patch", "known_value", "visibility")
        .breaks(r#"{"visibility":"secret"}"#)
        .passes(r#"{"visibility":"confidential"}"#),
    request("events.quickAdd", "known_value", "?sendUpdates")
        .breaks(r#"{"?sendUpdates":"some"}"#)
        .passes(r#"{"?sendUpdates":"externalOnly"}"#),
    // Output-only fields are dropped without validation, except that an import sets the organizer.
    request("events.import", "format", "organizer.email")
        .breaks(r#"{"organizer":{"email":"a"},"creator":{"email":"a"}}"#)
        .passes(r#"{"organizer":{"email":"a@example.com"},"hangoutLink":"a"}"#),
    response("events.get", "format", "creator.email")
        .breaks(r#"{"creator":{"email":"a"}}"#)
        .passes(r#"{"creator":{"email":"a@example.com"}}"#),
    // Numbers.
    request("events.insert", "min", "sequence").breaks(r#"{"sequence":-1}"#).passes(r#"{"sequence":0}"#),
    request("events.insert", "min", "?maxAttendee").breaks(r#"{"?maxAttendee":0}"#).passes(r#"{"?maxAttendee":1}"#),
    request("events.insert", "range", "?conferenceDataVersion")
        .breaks(r#"{"?conferenceDataVersion":2}"#)
        .passes(r#"{"?conferenceDataVersion":1}"#),
    request("events.patch", "range", "?eventLabelVersion")
        .breaks(r#"{"?eventLabelVersion":-1}"#)
        .passes(r#"{"?eventLabelVersion":0}"#),
    // The source.
    request("events.insert", "schemes", "source.url")
        .breaks(r#"{"source":{"url":"ftp://example.com"}}"#)
        .passes(r#"{"source":{"url":"HTTP://example.com"}}"#),
    request("events.patch", "format", "source.url")
        .breaks(r#"{"source":{"url":"example.com"}}"#)
        .passes(r#"{"source":{"url":null}}"#),
    // Channels.
    request("events.watch", "required", "id").breaks(r#"{"id":null}"#).passes(r#"{"id":""}"#),
    request("events.watch", "required", "address").breaks(r#"{"address":null}"#).passes(r#"{"token":"a"}"#),
    request("events.watch", "schemes", "address")
        .with(&[("address", "channel.secure_address", Warning)])
        .breaks(r#"{"address":"ftp://example.com"}"#)
        .passes(r#"{"address":"https://example.com/a"}"#),
    request("events.watch", "channel.secure_address", "address")
        .warns()
        .breaks(r#"{"address":"http://example.com"}"#)
        .passes(r#"{"address":"HTTPS://example.com"}"#),
    request("events.watch", "channel.secure_address", "address")
        .warns()
        .breaks(r#"{"address":"http://example.com/https:"}"#)
        .passes(r#"{"address":"https://example.com/http:"}"#),
    // Gadgets.
    request("events.insert", "min", "gadget.width")
        .also(GADGET_SIZE)
        .breaks(r#"{"gadget":{"width":0,"height":1}}"#)
        .passes(r#"{"gadget":{"width":1,"height":1}}"#),
    request("events.insert", "min", "gadget.height")
        .also(GADGET_SIZE)
        .breaks(r#"{"gadget":{"width":1,"height":-1}}"#)
        .passes(r#"{"gadget":{"width":2147483647,"height":1}}"#),
    request("events.insert", "deprecated", "gadget.title")
        .warns()
        .also(GADGET)
        .breaks(r#"{"gadget":{"title":"A"}}"#)
        .passes(r#"{"gadget":{}}"#),
    request("events.insert", "deprecated", "anyoneCanAddSelf")
        .warns()
        .breaks(r#"{"anyoneCanAddSelf":false}"#)
        .passes("{}"),
    request("events.insert", "deprecated", "?sendNotifications")
        .warns()
        .breaks(r#"{"?sendNotifications":true}"#)
        .passes(r#"{"?sendUpdates":"all"}"#),
    // Errors.
    value("ErrorResponse", "required", "error").passes(r#"{"error":{"code":404,"message":"A"}}"#),
    value("ErrorResponse", "length", "error.message")
        .breaks(r#"{"error":{"code":404,"message":""}}"#)
        .passes(r#"{"error":{"code":404,"message":"A"}}"#),
];
