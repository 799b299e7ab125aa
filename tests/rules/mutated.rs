//! Properties of validation that hold for every value: a text and its decoded value have equal violations, a request
//! has the same violations with and without its static type, and repeated validation has the same result. A run is
//! short and deterministic; `WIREFORM_ROUNDS=100` makes it a hundred times longer.

mod texts;

use std::any::Any;
use std::fmt::Debug;

use calendar_validation::requests::{EventsImport, EventsInsert, EventsPatch, EventsUpdate, EventsWatch};
use calendar_validation::types::{Channel, Event, EventPatch, Events};
use calendar_validation::{Rules as Calendar, operation as calendar};
use mailbox_validation::requests::{UsersLabelsCreate, UsersLabelsPatch, UsersMessagesInsert, UsersMessagesModify};
use mailbox_validation::types::{Label, LabelPatch, ListHistoryResponse, Message, ModifyMessageRequest};
use mailbox_validation::{Rules as Mailbox, operation as mailbox};
use script_validation::requests::{ProjectsUpdateContent, ScriptsRun};
use script_validation::types::{Content, Deployment, ExecutionRequest, Operation};
use script_validation::{Rules as Script, operation as script};
use wireform_runtime::{FromWire, Request, json as wire};
use wireform_validation::{
    __private::Location, CheckRequests, ReadOptions, Validates, ValidationContext, Violation, ViolationKind,
    Violations, Warnings, read_body,
};

use self::texts::{Random, texts};
use crate::http;

type Verdict<T> = Result<T, Violations>;

/// Returns the violations in sorted order, since those of a text are in the order of the text.
fn reported(verdict: Result<&Warnings, &Violations>) -> Vec<String> {
    let line = |one: &Violation| format!("{:?} {} {:?} {}", one.path.root(), one.path, one.severity, one.rule);
    let mut lines: Vec<String> = match verdict {
        Ok(warnings) => warnings.iter().map(line).collect(),
        Err(violations) => violations.iter().map(line).collect(),
    };
    lines.sort();
    lines
}

/// Compares the violations of a text with those of its decoded value. Returns whether the text was decoded, and whether
/// it passed.
fn compare_text_and_value<T, V>(rules: &V, context: ValidationContext<'_>, text: &str) -> (bool, bool)
where
    T: for<'de> FromWire<'de> + Debug,
    V: Validates<T>,
{
    let read = |text: &str| -> Verdict<Warnings> {
        let reading = ReadOptions::for_type::<T, V>(context);
        read_body(text.as_bytes(), &reading, |value: T, checker| rules.check(&value, Location::BODY, checker))
            .map(|(_, warnings)| warnings)
    };
    let from_text = read(text);
    assert_eq!(from_text, read(text), "{text}");
    match wire::from_slice::<T>(text.as_bytes()) {
        Ok(value) => {
            let typed = rules.validate(&value, context);
            assert_eq!(reported(from_text.as_ref()), reported(typed.as_ref()), "{text}");
            (true, typed.is_ok())
        }
        Err(error) => {
            let violations = match from_text {
                Err(violations) => violations,
                // Fields that a server drops may have any type.
                Ok(_) if context.operation().is_some() => return (false, true),
                Ok(_) => panic!("{error}, but {text} has no violations"),
            };
            let dropped = context.operation().is_some();
            assert!(
                dropped || violations.iter().any(|violation| violation.kind != ViolationKind::Schema),
                "{violations}\n{text}"
            );
            (false, false)
        }
    }
}

/// Compares texts and values of a resource in every context in which it is validated.
fn compare_in_contexts<T, V>(rules: &V, contexts: &[ValidationContext<'_>], texts: &[String])
where
    T: for<'de> FromWire<'de> + Debug,
    V: Validates<T>,
{
    let (mut decoded, mut passed) = (0, 0);
    for text in texts {
        for context in contexts {
            let (is_value, passes) = compare_text_and_value::<T, V>(rules, *context, text);
            decoded += usize::from(is_value);
            passed += usize::from(passes);
        }
    }
    let all = texts.len() * contexts.len();
    // The generated texts must cover all outcomes, or the comparison shows little.
    assert!(decoded > all / 4 && decoded < all, "{decoded} of {all} are values");
    assert!(passed > all / 100 && passed < decoded, "{passed} of {decoded} pass");
}

#[test]
fn a_text_is_judged_as_the_value_that_it_stands_for() {
    let [request, response] = [calendar::request, calendar::response];
    let contexts = [
        ValidationContext::VALUE,
        request(calendar::EVENTS_INSERT),
        request(calendar::EVENTS_IMPORT),
        request(calendar::EVENTS_UPDATE),
        response(calendar::EVENTS_GET),
    ];
    compare_in_contexts::<Event, _>(&Calendar, &contexts, &texts("calendar", "Event"));
    compare_in_contexts::<Events, _>(&Calendar, &[response(calendar::EVENTS_LIST)], &texts("calendar", "Events"));
    let contexts = [request(calendar::EVENTS_WATCH), response(calendar::EVENTS_WATCH)];
    compare_in_contexts::<Channel, _>(&Calendar, &contexts, &texts("calendar", "Channel"));
    compare_in_contexts::<EventPatch, _>(&Calendar, &[request(calendar::EVENTS_PATCH)], &texts("calendar", "Event"));
    let contexts = [script::request(script::PROJECTS_UPDATE_CONTENT), script::response(script::PROJECTS_GET_CONTENT)];
    compare_in_contexts::<Content, _>(&Script, &contexts, &texts("script", "Content"));
    let contexts = [script::request(script::SCRIPTS_RUN)];
    compare_in_contexts::<ExecutionRequest, _>(&Script, &contexts, &texts("script", "ExecutionRequest"));
    let contexts = [script::response(script::PROJECTS_DEPLOYMENTS_GET)];
    compare_in_contexts::<Deployment, _>(&Script, &contexts, &texts("script", "Deployment"));
    compare_in_contexts::<Operation, _>(
        &Script,
        &[script::response(script::SCRIPTS_RUN)],
        &texts("script", "Operation"),
    );
    let contexts = [mailbox::response(mailbox::USERS_HISTORY_LIST)];
    compare_in_contexts::<ListHistoryResponse, _>(&Mailbox, &contexts, &texts("mailbox", "ListHistoryResponse"));
    let contexts = [
        ValidationContext::VALUE,
        mailbox::request(mailbox::USERS_LABELS_CREATE),
        mailbox::request(mailbox::USERS_LABELS_UPDATE),
        mailbox::response(mailbox::USERS_LABELS_GET),
    ];
    let labels = texts("mailbox", "Label");
    compare_in_contexts::<Label, _>(&Mailbox, &contexts, &labels);
    compare_in_contexts::<LabelPatch, _>(&Mailbox, &[mailbox::request(mailbox::USERS_LABELS_PATCH)], &labels);
    let contexts = [mailbox::request(mailbox::USERS_MESSAGES_INSERT), mailbox::response(mailbox::USERS_MESSAGES_GET)];
    compare_in_contexts::<Message, _>(&Mailbox, &contexts, &texts("mailbox", "Message"));
}

/// Asserts that the violations of a request are the same with and without its static type, and when it is validated
/// again.
fn compare_with_untyped<V, R>(rules: &V, request: &R, stored: Option<&dyn Any>)
where
    V: Validates<R> + CheckRequests,
    R: Request,
{
    let context = <V as Validates<R>>::CONTEXT.with_any_stored(stored);
    let typed = rules.validate(request, context);
    assert_eq!(typed, rules.validate(request, context), "{request:?}");
    assert_eq!(Some(typed), rules.check_request(R::OPERATION, request, stored), "{request:?}");
    http::assert_same_verdict(rules, request, stored);
}

/// Asserts that a server reports the same violations for a body as reading the body does.
fn compare_with_body<T, V, R>(rules: &V, texts: &[String], request: impl Fn(T) -> R)
where
    T: for<'de> FromWire<'de> + Default,
    V: Validates<R>,
    R: Request,
{
    let reading = ReadOptions::for_type::<R, V>(V::CONTEXT);
    // An empty body is an absent body.
    for text in texts.iter().filter(|text| !text.is_empty()) {
        let read = read_body(text.as_bytes(), &reading, |value, checker| {
            rules.check(&request(value), Location::BODY, checker)
        });
        http::assert_same_verdict_of_text(&request(T::default()), text, read.as_ref().map(|_| ()));
    }
}

#[test]
fn a_server_says_of_a_text_what_reading_it_says() {
    let events = texts("calendar", "Event");
    compare_with_body(&Calendar, &events, |event: Event| EventsImport::new("primary", event));
    compare_with_body(&Calendar, &events, |event: Event| EventsUpdate::new("primary", "abcde", event));
    compare_with_body(&Calendar, &events, |event: EventPatch| EventsPatch::new("primary", "abcde", event));
    compare_with_body(&Calendar, &texts("calendar", "Channel"), |channel: Channel| {
        EventsWatch::new("primary", channel)
    });
    let content = texts("script", "Content");
    compare_with_body(&Script, &content, |content: Content| ProjectsUpdateContent::new("script", content));
    let runs = texts("script", "ExecutionRequest");
    compare_with_body(&Script, &runs, |run: ExecutionRequest| ScriptsRun::new("script", run));
    let labels = texts("mailbox", "Label");
    compare_with_body(&Mailbox, &labels, |label: Label| UsersLabelsCreate::new("me", label));
    compare_with_body(&Mailbox, &labels, |label: LabelPatch| UsersLabelsPatch::new("me", "Label_1", label));
    let messages = texts("mailbox", "Message");
    compare_with_body(&Mailbox, &messages, |message: Message| UsersMessagesInsert::new("me", message));
    let changes = texts("mailbox", "ModifyMessageRequest");
    compare_with_body(&Mailbox, &changes, |change: ModifyMessageRequest| UsersMessagesModify::new("me", "m", change));
}

#[test]
fn a_request_is_judged_the_same_without_its_type() {
    let texts = texts("calendar", "Event");
    let events: Vec<Event> = texts.iter().filter_map(|text| wire::from_str(text).ok()).collect();
    let mut random = Random::new(7);
    for (event, known) in events.iter().zip(events.iter().skip(1)) {
        let stored: Option<&dyn Any> = (random.below(3) > 0).then_some(known as &dyn Any);
        let mut insert = EventsInsert::new("primary", event.clone());
        insert.supports_attachments = [None, Some(true), Some(false)][random.below(3)];
        insert.conference_data_version = [None, Some(0), Some(1), Some(2)][random.below(4)];
        compare_with_untyped(&Calendar, &insert, stored);
        compare_with_untyped(&Calendar, &EventsImport::new("primary", event.clone()), stored);
        compare_with_untyped(&Calendar, &EventsUpdate::new("primary", "abcde", event.clone()), stored);
    }
    for patch in texts.iter().filter_map(|text| wire::from_str::<EventPatch>(text).ok()) {
        let stored = &events[random.below(events.len())];
        let mut request = EventsPatch::new("primary", "abcde", patch);
        request.event_label_version = [None, Some(0), Some(1)][random.below(3)];
        compare_with_untyped(&Calendar, &request, Some(stored));
        compare_with_untyped(&Calendar, &request, None);
    }
    for text in texts::texts("script", "Content") {
        if let Ok(content) = wire::from_str::<Content>(&text) {
            compare_with_untyped(&Script, &ProjectsUpdateContent::new("script", content), None);
        }
    }
    for text in texts::texts("script", "ExecutionRequest") {
        if let Ok(run) = wire::from_str::<ExecutionRequest>(&text) {
            compare_with_untyped(&Script, &ScriptsRun::new("script", run), None);
        }
    }
}

#[test]
fn a_change_of_a_label_is_judged_the_same_without_its_type() {
    let texts = texts("mailbox", "Label");
    let labels: Vec<Label> = texts.iter().filter_map(|text| wire::from_str(text).ok()).collect();
    let mut random = Random::new(8);
    for patch in texts.iter().filter_map(|text| wire::from_str::<LabelPatch>(text).ok()) {
        let stored = &labels[random.below(labels.len())];
        let request = UsersLabelsPatch::new("me", "Label_1", patch);
        compare_with_untyped(&Mailbox, &request, Some(stored));
        compare_with_untyped(&Mailbox, &request, None);
    }
}
