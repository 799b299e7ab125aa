//! Rules of attendees, reminders, attachments and labels.

use wireform_validation::Severity;

use crate::row::{Row, request};

/// Two attendees, one of them identified by its `id` alone.
const KNOWN_PEOPLE: &str = r#"{"attendees":[{"id":"1","email":"a@example.com"},{"id":"2"}]}"#;

pub const ROWS: &[Row] = &[
    // Attendees.
    request("events.insert", "required", "attendees[1].email")
        .breaks(r#"{"attendees":[{"email":"a@example.com"},{"id":"2"}]}"#)
        .passes(r#"{"attendees":[{"email":"a@example.com"},{"id":"2","email":"b@example.com"}]}"#),
    request("events.import", "required", "attendees[0].email")
        .breaks(r#"{"attendees":[{"displayName":"A"}]}"#)
        .passes(r#"{"attendees":[{"displayName":"A","email":"a@example.com"}]}"#),
    request("events.insert", "format", "attendees[0].email")
        .breaks(r#"{"attendees":[{"email":"a@b@example.com"}]}"#)
        .passes(r#"{"attendees":[{"email":"\"a@b\"@example.com"}]}"#),
    request("events.patch", "format", "attendees[0].email")
        .breaks(r#"{"attendees":[{"email":"a"}]}"#)
        .passes(r#"{"attendees":[{"id":"1"}]}"#),
    request("events.insert", "attendee.not_answered_yet", "attendees[0].responseStatus")
        .warns()
        .breaks(r#"{"attendees":[{"email":"a@example.com","responseStatus":"accepted"}]}"#)
        .passes(r#"{"attendees":[{"email":"a@example.com","responseStatus":"needsAction"}]}"#),
    request("events.insert", "attendee.guests", "attendees[0].additionalGuests")
        .breaks(r#"{"attendees":[{"email":"a@example.com","additionalGuests":-1}]}"#)
        .passes(r#"{"attendees":[{"email":"a@example.com","additionalGuests":0}]}"#),
    request("events.update", "update.new_attendee_has_email", "attendees")
        .stored(KNOWN_PEOPLE)
        .breaks(r#"{"attendees":[{"id":"2"},{"id":"3"}]}"#)
        .passes(r#"{"attendees":[{"id":"2"},{"id":"3","email":"c@example.com"}]}"#),
    request("events.patch", "patch.new_attendee_has_email", "attendees")
        .stored(KNOWN_PEOPLE)
        .breaks(r#"{"attendees":[{"displayName":"B"}]}"#)
        .passes(r#"{"attendees":[{"id":"1"},{"id":"2"}]}"#),
    request("events.update", "update.attendee_stays_what_it_is", "attendees")
        .warns()
        .stored(KNOWN_PEOPLE)
        .breaks(r#"{"attendees":[{"email":"a@example.com","resource":true}]}"#)
        .passes(r#"{"attendees":[{"email":"b@example.com","resource":true},{"email":"a@example.com"}]}"#),
    request("events.patch", "patch.new_attendee_has_email", "attendees")
        .stored(KNOWN_PEOPLE)
        .breaks(r#"{"attendees":[{"id":"1"},{"id":"3"}]}"#)
        .passes(r#"{"attendees":[{"id":"3","email":"c@example.com"}]}"#),
    request("events.patch", "patch.attendee_stays_what_it_is", "attendees")
        .warns()
        .stored(KNOWN_PEOPLE)
        .breaks(r#"{"attendees":[{"email":"a@example.com","resource":true}]}"#)
        .passes(r#"{"attendees":[{"email":"b@example.com","resource":true},{"email":"a@example.com"}]}"#),
    request("events.patch", "patch.attendee_stays_what_it_is", "attendees")
        .warns()
        .stored(r#"{"attendees":[{"email":"a@example.com","resource":true}]}"#)
        .breaks(r#"{"attendees":[{"email":"a@example.com"}]}"#)
        .passes(r#"{"attendees":[{"email":"a@example.com","resource":true}]}"#),
    // Reminders.
    request("events.insert", "items", "reminders.overrides")
        .breaks(r#"{"reminders":{"overrides":["*6",{"method":"popup","minutes":10}]}}"#)
        .passes(r#"{"reminders":{"overrides":["*5",{"method":"popup","minutes":10}]}}"#),
    request("events.patch", "required", "reminders.overrides[0].method")
        .breaks(r#"{"reminders":{"overrides":[{"minutes":10}]}}"#)
        .passes(r#"{"reminders":{"overrides":[{"method":"email","minutes":10}]}}"#),
    request("events.update", "required", "reminders.overrides[0].minutes")
        .breaks(r#"{"reminders":{"overrides":[{"method":"popup"}]}}"#)
        .passes(r#"{"reminders":{"overrides":[{"method":"popup","minutes":0}]}}"#),
    request("events.insert", "range", "reminders.overrides[0].minutes")
        .breaks(r#"{"reminders":{"overrides":[{"method":"popup","minutes":40321}]}}"#)
        .passes(r#"{"reminders":{"overrides":[{"method":"popup","minutes":40320}]}}"#),
    request("events.insert", "range", "reminders.overrides[0].minutes")
        .breaks(r#"{"reminders":{"overrides":[{"method":"popup","minutes":-1}]}}"#)
        .passes(r#"{"reminders":{"overrides":[{"method":"popup","minutes":0}]}}"#),
    request("events.insert", "known_value", "reminders.overrides[0].method")
        .breaks(r#"{"reminders":{"overrides":[{"method":"sms","minutes":1}]}}"#)
        .passes(r#"{"reminders":{"overrides":[{"method":"email","minutes":1}]}}"#),
    // Attachments.
    request("events.insert", "items", "attachments")
        .breaks(r#"{"?supportsAttachments":true,"attachments":["*26",{"fileUrl":"https://example.com/a"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":["*25",{"fileUrl":"https://example.com/a"}]}"#),
    request("events.insert", "required", "attachments[0].fileUrl")
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"title":"A"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[{"title":"A","fileUrl":"https://example.com/a"}]}"#),
    request("events.insert", "schemes", "attachments[0].fileUrl")
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"javascript:alert(1)"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"http://example.com/a"}]}"#),
    request("events.patch", "schemes", "attachments[0].iconLink")
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://example.com/a","iconLink":"data:,a"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://example.com/a","iconLink":"https://example.com/i"}]}"#),
    request("events.patch", "required", "attachments[0].fileUrl")
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"title":"A"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[]}"#),
    request("events.insert", "format", "attachments[0].mimeType")
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://example.com/a","mimeType":"pdf"}]}"#)
        .passes(
            r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://example.com/a","mimeType":"application/pdf"}]}"#,
        ),
    request("events.insert", "attachment.usual_link", "attachments[0].fileUrl")
        .warns()
        .breaks(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://drive.google.com/open?id=1"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://drive.google.com/file/d/1/view"}]}"#),
    request("events.insert", "effective_when", "attachments")
        .warns()
        .breaks(r#"{"attachments":[{"fileUrl":"https://example.com/a"}]}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":[{"fileUrl":"https://example.com/a"}]}"#),
    request("events.update", "effective_when", "attachments")
        .warns()
        .breaks(r#"{"?supportsAttachments":false,"attachments":[{"title":"nobody looks at it"}]}"#)
        .passes(r#"{"?supportsAttachments":false}"#),
    request("events.patch", "effective_when", "attachments")
        .warns()
        .breaks(r#"{"attachments":null}"#)
        .passes(r#"{"?supportsAttachments":true,"attachments":null}"#),
    // Labels. With label version 1, it is the color that has no effect.
    request("events.insert", "effective_when", "eventLabelId")
        .warns()
        .breaks(r#"{"eventLabelId":"1"}"#)
        .passes(r#"{"?eventLabelVersion":1,"eventLabelId":"1"}"#),
    request("events.import", "effective_when", "eventLabelId")
        .warns()
        .breaks(r#"{"?eventLabelVersion":0,"eventLabelId":"1"}"#)
        .passes(r#"{"?eventLabelVersion":1,"eventLabelId":""}"#),
    request("events.insert", "effective_when", "colorId")
        .warns()
        .also(&[("colorId", "deprecated", Severity::Warning)])
        .breaks(r#"{"?eventLabelVersion":1,"colorId":"1"}"#)
        .passes(r#"{"?eventLabelVersion":0,"colorId":"1"}"#),
    request("events.insert", "deprecated", "colorId")
        .warns()
        .breaks(r#"{"colorId":"1"}"#)
        .passes(r#"{"?eventLabelVersion":1,"eventLabelId":"1"}"#),
];
