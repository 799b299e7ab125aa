//! Conversion of violations to error bodies of an API.

use wireform_runtime::Value;
use wireform_runtime::error_body::{ErrorDetail, ErrorReport};
use wireform_runtime::operation::{ErrorFields, Profile, ReasonCase, Reasons};

use crate::path::PathRoot;
use crate::violation::{Violation, ViolationKind};
use crate::violations::Violations;

impl Violation {
    /// Returns the violation as a detail of an error body, with the reason that the API has for it.
    #[must_use]
    pub fn error_detail(&self, reasons: &Reasons) -> ErrorDetail {
        let violation = self;
        let (location, location_type) = match violation.path.root() {
            PathRoot::Parameter(_) => (Some(violation.path.to_string()), Some("parameter")),
            PathRoot::Header(_) => (Some(violation.path.to_string()), Some("header")),
            PathRoot::Body if violation.path.steps().is_empty() => (None, None),
            PathRoot::Body => (Some(violation.path.to_string()), None),
        };
        let case = match (violation.kind, violation.rule) {
            (ViolationKind::Syntax, _) => ReasonCase::Malformed,
            (_, "required") => ReasonCase::Required,
            _ if location_type == Some("parameter") => ReasonCase::InvalidParameter,
            _ => ReasonCase::Invalid,
        };
        let reason = violation.reason.unwrap_or_else(|| reasons.for_case(case));
        let message = match &location {
            Some(location) => format!("{location}: {}", violation.message()),
            // Messages continue the name of a field; here the body as a whole.
            None if violation.kind == ViolationKind::Syntax => violation.message().into_owned(),
            None => format!("the body {}", violation.message()),
        };
        let mut detail = ErrorDetail::new().with_message(message).with_reason(reason).with_rule(violation.rule);
        detail.location = location;
        detail.location_type = location_type.map(str::to_owned);
        detail
    }
}

impl Violations {
    /// Returns the errors as the details of an error body, with the reasons that the API has for them.
    pub fn error_details(&self, reasons: &Reasons) -> impl Iterator<Item = ErrorDetail> {
        self.errors().map(move |violation| violation.error_detail(reasons))
    }

    /// Returns a summary: the first error, and the number of others.
    #[must_use]
    pub fn summary(&self) -> String {
        let mut details = self.error_details(&Profile::STANDARD.reasons);
        let first = details.next().and_then(|detail| detail.message);
        let first = first.unwrap_or_else(|| "invalid request".to_owned());
        match details.count() + self.omitted() {
            0 => first,
            1 => format!("{first} (and 1 other violation)"),
            others => format!("{first} (and {others} other violations)"),
        }
    }

    /// Returns an error body with the fields that the API declares for its errors: see [`ErrorReport::write`]. `code`
    /// is the status.
    #[must_use]
    pub fn error_body(&self, code: u16, members: &ErrorFields) -> Value {
        let mut report = ErrorReport::new(self.summary());
        report.details = self.error_details(&members.profile.reasons).collect();
        report.omitted = self.omitted();
        for detail in &mut report.details {
            detail.reason = detail.reason.take().filter(|reason| members.reason.accepts(reason));
        }
        report.write(members, code)
    }

    /// Returns the errors of the body as `google.rpc.BadRequest`, which some APIs add to the details of an error.
    #[must_use]
    pub fn bad_request(&self) -> Value {
        let violations: Vec<Value> = self
            .errors()
            .filter(|violation| violation.path.root() == PathRoot::Body)
            .map(|violation| {
                serde_json::json!({ "field": violation.path.to_string(), "description": violation.message() })
            })
            .collect();
        serde_json::json!({ "@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": violations })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::checker::Checker;
    use crate::context::ValidationContext;
    use crate::location::Location;
    use wireform_runtime::operation::{ErrorField, Step};

    const MEMBERS: ErrorFields = ErrorFields {
        status: ErrorField::NONE,
        profile: &Profile { domain: Some("global"), ..Profile::STANDARD },
        ..ErrorFields::STANDARD
    };

    fn violations() -> Violations {
        let mut checker = Checker::new(ValidationContext::VALUE);
        checker.required(Location::BODY.field("end"), false);
        checker.range(Location::parameter("maxResults"), 0, Some(1), None);
        checker.deprecated(Location::BODY.field("colorId"), true, None);
        checker.required(Location::header("If-Match"), false);
        let Err(violations) = checker.finish() else { return Violations::default() };
        violations
    }

    #[test]
    fn the_body_of_an_error() {
        let expected = json!({ "error": {
            "code": 400,
            "message": "end: is required (and 2 other violations)",
            "errors": [
                { "domain": "global", "reason": "required", "message": "is required", "location": "end" },
                { "domain": "global", "reason": "invalidParameter", "message": "must be at least 1",
                  "locationType": "parameter", "location": "maxResults" },
                { "domain": "global", "reason": "required", "message": "is required",
                  "locationType": "header", "location": "If-Match" },
            ],
        } });
        assert_eq!(violations().error_body(400, &MEMBERS), expected);
    }

    #[test]
    fn invalid_json_is_malformed() {
        let reading = crate::lenient::ReadOptions::new(ValidationContext::VALUE);
        let Err(violations) = crate::lenient::read_body(b"{", &reading, |_: Value, _| ()) else {
            panic!("it is no JSON")
        };
        let details: Vec<ErrorDetail> = violations.error_details(&Profile::STANDARD.reasons).collect();
        let found: Vec<_> = details.iter().map(|detail| (detail.reason.as_deref(), &detail.location)).collect();
        assert_eq!(found, [(Some("malformed"), &None)]);
        // An API can have a word of its own.
        let reasons = Reasons { cases: &[(ReasonCase::Malformed, "unreadable")], ..Profile::STANDARD.reasons };
        let own: Vec<ErrorDetail> = violations.error_details(&reasons).collect();
        assert_eq!(own[0].reason.as_deref(), Some("unreadable"));
    }

    #[test]
    fn bodies_without_a_list_join_all_messages() {
        const FLAT: ErrorFields = ErrorFields {
            message: ErrorField::at(&[Step::member("message")]),
            location: ErrorField::at(&[Step::member("at"), Step::member("field")]),
            rule: ErrorField::at(&[Step::member("rule")]),
            ..ErrorFields::NONE
        };
        let message = "end: is required; maxResults: must be at least 1; If-Match: is required";
        let expected = json!({ "message": message, "at": { "field": "end" }, "rule": "required" });
        assert_eq!(violations().error_body(422, &FLAT), expected);
        assert_eq!(violations().error_body(422, &ErrorFields::NONE), json!({}));
    }

    #[test]
    fn reasons_are_restricted_to_the_allowed_values() {
        const OPTIONAL: &[Step] = &[Step::list("errors"), Step::member("kind")];
        const REQUIRED: &[Step] = &[Step::list("errors"), Step::member("kind").required()];
        let members = |path| {
            let reason = ErrorField::at(path).with_values(&["required"]);
            ErrorFields { reason, ..ErrorFields::NONE }
        };
        let kinds = |members: &ErrorFields| violations().error_body(400, members)["errors"].clone();
        assert_eq!(kinds(&members(OPTIONAL)), json!([{ "kind": "required" }, {}, { "kind": "required" }]));
        assert_eq!(kinds(&members(REQUIRED))[1], json!({ "kind": "invalidParameter" }));
    }

    #[test]
    fn bad_request_details() {
        let detail = violations().bad_request();
        assert_eq!(detail["@type"], "type.googleapis.com/google.rpc.BadRequest");
        assert_eq!(detail["fieldViolations"][0], json!({ "field": "end", "description": "is required" }));
        assert_eq!(detail["fieldViolations"].as_array().map(Vec::len), Some(1), "parameters are no fields of the body");
    }
}
