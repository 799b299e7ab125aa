//! Conference rules. The requests declare support for conference data.

use wireform_validation::Severity::Warning;

use crate::row::{ExpectedViolation, Row, request, response};

/// The conference type is deprecated, in addition to the violation of the rule.
const OLD_KIND: &[ExpectedViolation] = &[("conferenceData.conferenceSolution.key.type", "deprecated", Warning)];

/// Request that adds a conference without entry points.
macro_rules! conference {
    ($members:literal) => {
        concat!(r#"{"?conferenceDataVersion":1,"conferenceData":{"conferenceSolution":{"name":"A"},"#, $members, "}}")
    };
}

/// Request that adds a conference with a list of entry points.
macro_rules! entries {
    ($entries:literal) => {
        concat!(
            r#"{"?conferenceDataVersion":1,"conferenceData":{"conferenceSolution":{"name":"A"},"entryPoints":["#,
            $entries,
            "]}}"
        )
    };
}

/// Request that adds a conference with a solution type and a name.
macro_rules! named {
    ($kind:literal, $name:literal) => {
        concat!(
            r#"{"?conferenceDataVersion":1,"conferenceData":{"entryPoints":[{}],"#,
            r#""conferenceSolution":{"key":{"type":""#,
            $kind,
            r#""}},"#,
            r#""conferenceId":"#,
            $name,
            "}}"
        )
    };
}

/// Create request for a conference of one type.
macro_rules! create_request {
    ($kind:literal) => {
        create_request_with_id!($kind, "1")
    };
}

/// Create request with an identifier.
macro_rules! create_request_with_id {
    ($kind:literal, $name:literal) => {
        concat!(
            r#"{"?conferenceDataVersion":1,"conferenceData":{"createRequest":{"requestId":""#,
            $name,
            r#"","conferenceSolutionKey":{"type":""#,
            $kind,
            r#""}}}}"#
        )
    };
}

/// Create request with a status.
macro_rules! create_request_with_status {
    ($status:literal, $members:literal) => {
        concat!(
            r#"{"conferenceData":{"createRequest":{"requestId":"1","status":{"statusCode":""#,
            $status,
            r#""}}"#,
            $members,
            "}}"
        )
    };
}

pub const ROWS: &[Row] = &[
    request("events.insert", "effective_when", "conferenceData")
        .warns()
        .breaks(r#"{"conferenceData":{"notes":"nobody looks at it"}}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":{"createRequest":{"requestId":"1"}}}"#),
    request("events.patch", "effective_when", "conferenceData")
        .warns()
        .breaks(r#"{"conferenceData":null}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":null}"#),
    request("events.insert", "conference.request_or_solution", "conferenceData.createRequest")
        .breaks(conference!(r#""notes":"no entry point""#))
        .passes(conference!(r#""entryPoints":[{}]"#)),
    request("events.update", "conference.request_or_solution", "conferenceData.createRequest")
        .breaks(r#"{"?conferenceDataVersion":1,"conferenceData":{"entryPoints":[{}]}}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":{"createRequest":{}}}"#),
    request("events.patch", "conference.request_or_solution", "conferenceData.createRequest")
        .stored(r#"{"conferenceData":{"conferenceSolution":{"name":"A"},"entryPoints":[{}]}}"#)
        .breaks(r#"{"?conferenceDataVersion":1,"conferenceData":{"entryPoints":[]}}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":{"notes":"A"}}"#),
    request("events.insert", "conference.one_video", "conferenceData.entryPoints")
        .breaks(entries!(r#""*2",{"entryPointType":"video"}"#))
        .passes(entries!(r#"{"entryPointType":"video"},{"entryPointType":"phone"}"#)),
    request("events.insert", "conference.one_sip", "conferenceData.entryPoints")
        .breaks(entries!(r#""*2",{"entryPointType":"sip"}"#))
        .passes(entries!(r#"{"entryPointType":"sip"},{"entryPointType":"video"}"#)),
    request("events.insert", "conference.one_more", "conferenceData.entryPoints")
        .breaks(entries!(r#"{"entryPointType":"phone"},{"entryPointType":"more"},{"entryPointType":"more"}"#))
        .passes(entries!(r#"{"entryPointType":"phone"},{"entryPointType":"phone"},{"entryPointType":"more"}"#)),
    request("events.insert", "conference.not_only_more", "conferenceData.entryPoints")
        .breaks(entries!(r#"{"entryPointType":"more"}"#))
        .passes(entries!(r#"{"entryPointType":"more"},{"entryPointType":"video"}"#)),
    response("events.get", "conference.not_only_more", "conferenceData.entryPoints")
        .breaks(r#"{"conferenceData":{"entryPoints":[{"entryPointType":"more"}]}}"#)
        .passes(r#"{"conferenceData":{"entryPoints":[{"entryPointType":"of a later version"}]}}"#),
    request("events.insert", "conference.creatable", "conferenceData.conferenceSolution.key.type")
        .with(OLD_KIND)
        .breaks(named!("eventNamedHangout", r#""a""#))
        .passes(named!("addOn", r#""a""#)),
    request("events.import", "conference.nameless", "conferenceData.conferenceId")
        .warns()
        .also(OLD_KIND)
        .breaks(named!("eventHangout", r#""a""#))
        .passes(named!("eventHangout", "null")),
    request("events.insert", "conference.meeting_code", "conferenceData.conferenceId")
        .breaks(named!("hangoutsMeet", r#""abc-defg-hi""#))
        .passes(named!("hangoutsMeet", r#""abc-defg-hij""#)),
    request("events.import", "conference.imported_meeting_code", "conferenceData.conferenceId")
        .warns()
        .breaks(named!("hangoutsMeet", r#""xabc-defg-hij""#))
        .passes(named!("hangoutsMeet", r#""ABCDEFGHIJ""#)),
    request("events.insert", "conference.meeting_code", "conferenceData.conferenceId")
        .breaks(named!("hangoutsMeet", r#""abc-defg-hijk""#))
        .passes(named!("addOn", r#""abc-defg-hijk""#)),
    request("events.import", "deprecated", "conferenceData.conferenceSolution.key.type")
        .warns()
        .breaks(named!("eventNamedHangout", r#""a""#))
        .passes(named!("addOn", r#""a""#)),
    // What is stored can be repeated with the rest of the event.
    request("events.update", "update.creatable_solution", "conferenceData.conferenceSolution.key.type")
        .stored(named!("eventHangout", "null"))
        .also(OLD_KIND)
        .breaks(named!("eventNamedHangout", r#""a""#))
        .passes(named!("eventHangout", "null")),
    request("events.update", "update.creatable_solution", "conferenceData.conferenceSolution.key.type")
        .stored(named!("eventHangout", "null"))
        .also(OLD_KIND)
        .breaks(
            r#"{"?conferenceDataVersion":1,"conferenceData":{"conferenceSolution":{"key":{"type":"eventHangout"}},"entryPoints":[{"entryPointType":"video","uri":"https://example.com/new"}]}}"#,
        )
        .passes(named!("eventHangout", "null")),
    request("events.patch", "patch.creatable_solution", "conferenceData.conferenceSolution.key.type")
        .stored("{}")
        .with(OLD_KIND)
        .breaks(named!("eventHangout", "null"))
        .passes(named!("hangoutsMeet", "null")),
    request("events.update", "update.nameless_conference", "conferenceData.conferenceId")
        .stored(named!("eventHangout", r#""a""#))
        .also(OLD_KIND)
        .breaks(named!("eventHangout", r#""b""#))
        .passes(named!("eventHangout", r#""a""#)),
    request("events.patch", "patch.nameless_conference", "conferenceData.conferenceId")
        .stored(named!("eventHangout", "null"))
        .breaks(r#"{"?conferenceDataVersion":1,"conferenceData":{"conferenceId":"a"}}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":{"notes":"A"}}"#),
    request("events.update", "update.meeting_code", "conferenceData.conferenceId")
        .stored(named!("hangoutsMeet", r#""zzz""#))
        .breaks(named!("hangoutsMeet", r#""yyy""#))
        .passes(named!("hangoutsMeet", r#""zzz""#)),
    request("events.patch", "patch.meeting_code", "conferenceData.conferenceId")
        .stored(named!("addOn", r#""zzz""#))
        .breaks(named!("hangoutsMeet", r#""zzz""#))
        .passes(named!("hangoutsMeet", r#""abcdefghij""#)),
    response("events.get", "conference.success_has_entry_points", "conferenceData.entryPoints")
        .breaks(create_request_with_status!("success", ""))
        .passes(create_request_with_status!("pending", "")),
    response("events.get", "conference.success_has_entry_points", "conferenceData.entryPoints")
        .breaks(create_request_with_status!("success", r#","notes":"A""#))
        .passes(create_request_with_status!("success", r#","entryPoints":[{}]"#)),
    response("events.get", "conference.failure_is_empty", "conferenceData.createRequest")
        .breaks(create_request_with_status!("failure", r#","entryPoints":[{}]"#))
        .passes(create_request_with_status!(
            "success",
            r#","entryPoints":[{}],"signature":"s","conferenceSolution":{}"#
        )),
    response("events.get", "conference.failure_is_empty", "conferenceData.createRequest")
        .breaks(create_request_with_status!("failure", r#","conferenceSolution":{}"#))
        .passes(r#"{"conferenceData":{"createRequest":{"status":{}},"signature":"s"}}"#),
    response("events.list", "conference.failure_is_empty", "items[0].conferenceData.createRequest")
        .breaks(concat!(r#"{"items":["#, create_request_with_status!("failure", r#","signature":"s""#), "]}"))
        .passes(concat!(r#"{"items":["#, create_request_with_status!("failure", ""), "]}")),
    request("events.insert", "conference_request.creatable", "conferenceData.createRequest.conferenceSolutionKey.type")
        .with(&[("conferenceData.createRequest.conferenceSolutionKey.type", "deprecated", Warning)])
        .breaks(create_request!("eventHangout"))
        .passes(create_request!("addOn")),
    request("events.update", "update.creatable_conference", "conferenceData.createRequest.conferenceSolutionKey.type")
        .stored("{}")
        .stored_otherwise(create_request!("addOn"))
        .with(&[("conferenceData.createRequest.conferenceSolutionKey.type", "deprecated", Warning)])
        .breaks(create_request!("eventHangout"))
        .passes(create_request!("addOn")),
    // A stored create request of a deprecated type can be repeated with the rest of the event, but not replaced by
    // another one of such a type.
    request("events.update", "update.creatable_conference", "conferenceData.createRequest.conferenceSolutionKey.type")
        .stored(create_request_with_id!("eventHangout", "a"))
        .also(&[("conferenceData.createRequest.conferenceSolutionKey.type", "deprecated", Warning)])
        .breaks(create_request_with_id!("eventHangout", "b"))
        .passes(create_request_with_id!("eventHangout", "a")),
    request("events.patch", "patch.creatable_conference", "conferenceData.createRequest.conferenceSolutionKey.type")
        .stored(create_request_with_id!("eventHangout", "a"))
        .also(&[("conferenceData.createRequest.conferenceSolutionKey.type", "deprecated", Warning)])
        .breaks(create_request_with_id!("eventNamedHangout", "a"))
        .passes(create_request_with_id!("eventHangout", "a")),
    request("events.patch", "patch.creatable_conference", "conferenceData.createRequest.conferenceSolutionKey.type")
        .stored("{}")
        .with(&[("conferenceData.createRequest.conferenceSolutionKey.type", "deprecated", Warning)])
        .breaks(create_request!("eventNamedHangout"))
        .passes(create_request!("hangoutsMeet")),
    request("events.insert", "known_value", "conferenceData.createRequest.conferenceSolutionKey.type")
        .breaks(create_request!("carrierPigeon"))
        .passes(create_request!("hangoutsMeet")),
    // Entry points.
    request("events.insert", "entry_point.web_address", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"video","uri":"tel:+1"}"#))
        .passes(entries!(r#"{"entryPointType":"video","uri":"HTTPS://example.com/1"}"#)),
    request("events.insert", "entry_point.web_address", "conferenceData.entryPoints[1].uri")
        .breaks(entries!(r#"{},{"entryPointType":"more","uri":"ftp://example.com"}"#))
        .passes(entries!(r#"{},{"entryPointType":"more","uri":"http://example.com"}"#)),
    request("events.insert", "entry_point.telephone_number", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"phone","uri":"https://example.com/1"}"#))
        .passes(entries!(r#"{"entryPointType":"phone","uri":"tel:+12345678,,,12345678;1234"}"#)),
    request("events.insert", "entry_point.sip_address", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"sip","uri":"sips:1@example.com"}"#))
        .passes(entries!(r#"{"entryPointType":"sip","uri":"sip:1@example.com"}"#)),
    request("events.insert", "entry_point.web_address", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"video","uri":"x:https://example.com"}"#))
        .passes(entries!(r#"{"entryPointType":"sip","uri":"SIP:https"}"#)),
    request("events.insert", "entry_point.telephone_number", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"phone","uri":"x:tel:1"}"#))
        .passes(entries!(r#"{"entryPointType":"phone","uri":"TEL:+1"}"#)),
    request("events.insert", "entry_point.sip_address", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"entryPointType":"sip","uri":"x:sip:1"}"#))
        .passes(entries!(r#"{"uri":"x:sip:1"}"#)),
    request("events.insert", "format", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"uri":"example.com/1"}"#))
        .passes(entries!(r#"{"uri":"x:1"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].uri")
        .breaks(entries!(r#"{"uri":"*1301 https://example.com/1"}"#))
        .passes(entries!(r#"{"uri":"*1300 https://example.com/1"}"#)),
    request("events.insert", "entry_point.no_label", "conferenceData.entryPoints[1].label")
        .warns()
        .breaks(entries!(r#"{},{"entryPointType":"more","label":"A"}"#))
        .passes(entries!(r#"{},{"entryPointType":"phone","label":"A"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].label")
        .breaks(entries!(r#"{"label":"*513 é"}"#))
        .passes(entries!(r#"{"label":"*512 é"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].meetingCode")
        .breaks(entries!(r#"{"meetingCode":"*129 1"}"#))
        .passes(entries!(r#"{"meetingCode":"*128 1"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].accessCode")
        .breaks(entries!(r#"{"accessCode":"*129 1"}"#))
        .passes(entries!(r#"{"accessCode":"*128 1"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].passcode")
        .breaks(entries!(r#"{"passcode":"*129 1"}"#))
        .passes(entries!(r#"{"passcode":"*128 1"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].password")
        .breaks(entries!(r#"{"password":"*129 1"}"#))
        .passes(entries!(r#"{"password":"*128 1"}"#)),
    request("events.insert", "length", "conferenceData.entryPoints[0].pin")
        .breaks(entries!(r#"{"pin":"*129 1"}"#))
        .passes(entries!(r#"{"pin":"*128 1"}"#)),
    request("events.patch", "length", "conferenceData.notes")
        .breaks(r#"{"?conferenceDataVersion":1,"conferenceData":{"notes":"*2049 🦀"}}"#)
        .passes(r#"{"?conferenceDataVersion":1,"conferenceData":{"notes":"*2048 🦀"}}"#),
];
