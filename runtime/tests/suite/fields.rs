//! Selections of fields: building, parsing, checking, writing.

mod limits;
mod properties;

use wireform_runtime::fields::{
    Field, FieldContent, NestedField, Selectable, Selection, SelectionErrorKind, Shape, include_field,
};

#[derive(Debug)]
struct Event;
struct Time;
struct Person;
struct Nothing;

impl Event {
    const ID: Field<Self> = Field::new("id");
    const SUMMARY: Field<Self> = Field::new("summary");
    const START: NestedField<Self, Time> = NestedField::new("start");
    const ATTENDEES: NestedField<Self, Person> = NestedField::new("attendees");
    const PARENT: NestedField<Self, Self> = NestedField::new("parent");
    const LABELS: Field<Self> = Field::new("labels");
    const PEOPLE: NestedField<Self, Person> = NestedField::new("people");
    const ROOMS: NestedField<Self, Person> = NestedField::new("rooms");
    const RELATED: NestedField<Self, Self> = NestedField::new("related");
}

impl Time {
    const DATE: Field<Self> = Field::new("date");
    const DATE_TIME: Field<Self> = Field::new("dateTime");
}

impl Person {
    const EMAIL: Field<Self> = Field::new("email");
    const NAME: Field<Self> = Field::new("displayName");
}

impl Selectable for Event {
    const SHAPE: &'static Shape = &EVENT;
}

static EVENT: Shape = Shape::new(
    "Event",
    &["id", "summary", "start", "attendees", "parent", "labels", "people", "rooms", "settings", "nothing", "related"],
)
.with_contents(&[
    ("start", FieldContent::Shape(Time::SHAPE)),
    ("attendees", FieldContent::Shape(Person::SHAPE)),
    ("parent", FieldContent::Shape(&EVENT)),
    ("labels", FieldContent::Map(&FieldContent::Leaf)),
    ("people", FieldContent::Map(&FieldContent::Shape(Person::SHAPE))),
    ("rooms", FieldContent::Map(&FieldContent::Map(&FieldContent::Shape(Person::SHAPE)))),
    ("settings", FieldContent::Any),
    ("nothing", FieldContent::Shape(Nothing::SHAPE)),
    ("related", FieldContent::Map(&FieldContent::Shape(&EVENT))),
]);

impl Selectable for Time {
    const SHAPE: &'static Shape = &Shape::new("EventTime", &["date", "dateTime"]);
}

impl Selectable for Person {
    const SHAPE: &'static Shape = &Shape::new("Person", &["email", "displayName"]);
}

impl Selectable for Nothing {
    const SHAPE: &'static Shape = &Shape::new("Nothing", &[]);
}

fn canonical(text: &str) -> String {
    let selection: Selection<Event> = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(Selection::parse(&selection.to_string()).unwrap(), selection, "{text}");
    selection.to_string()
}

fn error_of(text: &str) -> String {
    Selection::<Event>::parse(text).unwrap_err().to_string()
}

#[test]
fn selections_are_written_canonically() {
    for (text, written) in [
        ("id", "id"),
        (" id\t\r\n", "id"),
        ("summary,id", "id,summary"),
        ("id,id,id", "id"),
        ("start/date", "start/date"),
        ("start(date)", "start/date"),
        ("start(dateTime,date)", "start(date,dateTime)"),
        ("start/date,start(dateTime)", "start(date,dateTime)"),
        ("start/date,start", "start"),
        ("start,start/date", "start"),
        ("start/*", "start"),
        ("start/*,start/date", "start"),
        ("start(*)", "start"),
        ("attendees(email),attendees/displayName", "attendees(displayName,email)"),
        ("parent/parent/start/date", "parent/parent/start/date"),
        ("parent(parent(start(date)))", "parent/parent/start/date"),
        ("parent(id,parent/start(date,dateTime)),id", "id,parent(id,parent/start(date,dateTime))"),
        ("*", "*"),
        ("*,id,start/date", "*"),
        ("labels", "labels"),
        ("labels/*", "labels"),
        ("labels(\u{1f600},é),id", "id,labels(é,\u{1f600})"),
        ("labels(a,b.c,x@example.com)", "labels(a,b.c,x@example.com)"),
        ("people/*/email", "people/*/email"),
        ("people/x@example.com/email", "people/x@example.com/email"),
        ("people(*/email,x/displayName)", "people(*/email,x/displayName)"),
        ("people/*", "people"),
        ("rooms/a/b(email)", "rooms/a/b/email"),
        ("rooms/*/*", "rooms"),
        ("settings/a/b(c,d/e)", "settings/a/b(c,d/e)"),
        ("settings/*/b", "settings/*/b"),
        ("nothing/*", "nothing"),
        ("*/email", "*/email"),
        ("*(date,email),id", "*(date,email),id"),
        ("*/*/*/email", "*/*/*/email"),
    ] {
        assert_eq!(canonical(text), written, "{text}");
    }
}

/// Selections, each with its error.
const ERRORS: [(&str, &str); 42] = [
    ("", "expected a field name at byte 0"),
    ("  ", "expected a field name at byte 2"),
    (",", "expected a field name at byte 0"),
    ("id,", "expected a field name at byte 3"),
    ("id,,summary", "expected a field name at byte 3"),
    ("start/", "expected a field name at byte 6"),
    ("start//date", "expected a field name at byte 6"),
    ("/id", "expected a field name at byte 0"),
    ("start()", "expected a field name at byte 6"),
    ("start/(date)", "expected a field name at byte 6"),
    ("(id)", "expected a field name at byte 0"),
    ("start(date", "unbalanced parenthesis at byte 5"),
    ("parent(start(date)", "unbalanced parenthesis at byte 6"),
    ("id)", "unbalanced parenthesis at byte 2"),
    ("start(date))", "unbalanced parenthesis at byte 11"),
    ("start(date)id", "unexpected 'i' at byte 11"),
    ("start(date)é", "unexpected 'é' at byte 11"),
    ("start(date)/date", "unexpected '/' at byte 11"),
    ("start(date)(date)", "unexpected '(' at byte 11"),
    ("id, summary", "unexpected ' ' at byte 3"),
    ("id ,summary", "unexpected ' ' at byte 2"),
    (" id summary", "unexpected ' ' at byte 3"),
    ("id\u{a0}", "unexpected '\\u{a0}' at byte 2"),
    ("id\n,id", "unexpected '\\n' at byte 2"),
    ("i*", "unexpected '*' at byte 1"),
    ("**", "unexpected '*' at byte 0"),
    ("sumary", "`Event` has no field `sumary` at byte 0: did you mean `summary`?"),
    ("id,start(date,date_time)", "`EventTime` has no field `date_time` at byte 14: did you mean `dateTime`?"),
    ("ID", "`Event` has no field `ID` at byte 0: did you mean `id`?"),
    ("attendees/mail", "`Person` has no field `mail` at byte 10: did you mean `email`?"),
    ("location", "`Event` has no field `location` at byte 0"),
    ("zzzzzz,aaaaaa", "`Event` has no field `zzzzzz` at byte 0"),
    ("start,start/year", "`EventTime` has no field `year` at byte 12"),
    ("*,year", "`Event` has no field `year` at byte 2"),
    ("related/*/year", "`Event` has no field `year` at byte 10"),
    ("attendees/*/x", "`x` at byte 12: `*` has no fields"),
    ("people/x/mail", "`Person` has no field `mail` at byte 9: did you mean `email`?"),
    ("id/x", "`x` at byte 3: `id` has no fields"),
    ("id/*", "`*` at byte 3: `id` has no fields"),
    ("labels/a/b", "`b` at byte 9: `a` has no fields"),
    ("labels/*/*", "`*` at byte 9: `*` has no fields"),
    ("\u{202e}", "`Event` has no field `\\u{202e}` at byte 0"),
];

#[test]
fn errors_have_positions() {
    for (text, error) in ERRORS {
        assert_eq!(error_of(text), error, "{text:?}");
    }
    let error = Selection::<Event>::parse("start/dat").unwrap_err();
    let suggestion = Some("date");
    let kind = SelectionErrorKind::UnknownField { member: "dat".into(), resource: "EventTime", suggestion };
    assert_eq!((error.position(), error.kind()), (6, &kind));
}

#[test]
fn typed_members_make_the_same_selections() {
    for (selection, text) in [
        (Selection::from_fields([Event::SUMMARY, Event::ID]), "id,summary"),
        (Selection::from([Event::ID, Event::START.into()]), "id,start"),
        (Selection::from(vec![Event::START.all()]), "start"),
        (Event::START.select([Time::DATE_TIME, Time::DATE]).into(), "start(date,dateTime)"),
        ([Event::START.select([Time::DATE]), Event::START.select([Time::DATE_TIME])].into(), "start(date,dateTime)"),
        ([Event::START.select([Time::DATE]), Event::START.all()].into(), "start"),
        ([Event::START.all(), Event::START.select([Time::DATE])].into(), "start"),
        (Event::START.select([]).into(), "start"),
        (Event::PARENT.select([Event::PARENT.select([Event::ID, Event::ID])]).into(), "parent/parent/id"),
        (Event::ATTENDEES.select([Person::EMAIL]).into(), "attendees/email"),
        (
            [Event::START.select([Time::DATE]), Event::START.select([Time::DATE_TIME])]
                .map(|start| Event::PARENT.select([start]))
                .into(),
            "parent/start(date,dateTime)",
        ),
        (Event::LABELS.into(), "labels"),
        (Event::START.into(), "start"),
        ([Event::PARENT, Event::RELATED].into(), "parent,related"),
        (Event::PEOPLE.select([Person::EMAIL]).into(), "people/*/email"),
        (Event::PEOPLE.into_field().into(), "people"),
        (Event::ROOMS.select([Person::EMAIL, Person::NAME]).into(), "rooms/*/*(displayName,email)"),
        ([Event::PEOPLE.select([Person::EMAIL]), Event::PEOPLE.all()].into(), "people"),
        (
            Event::RELATED.select([Event::ID, Event::RELATED.select([Event::START.select([Time::DATE])])]).into(),
            "related/*(id,related/*/start/date)",
        ),
        (Selection::all(), "*"),
        (Selection::from_fields([]), "*"),
    ] {
        assert_eq!(selection.to_string(), text);
        assert_eq!(Selection::<Event>::parse(text).unwrap(), selection, "{text}");
        assert_eq!(selection.clone(), selection);
        assert_eq!(format!("{selection:?}"), format!("Selection({text})"));
    }
    assert_ne!(Selection::from(Event::ID), Selection::from(Event::SUMMARY));
    assert_ne!(Selection::from(Event::START.all()), Selection::from(Event::START.select([Time::DATE])));
}

trait IntoField<T> {
    fn into_field(self) -> Field<T>;
}

impl<T, U> IntoField<T> for NestedField<T, U> {
    fn into_field(self) -> Field<T> {
        self.into()
    }
}

#[test]
fn tokens_are_included_once() {
    for (selection, included) in [
        ("items/id", "items/id,nextPageToken"),
        (" items(id) ", "items(id),nextPageToken"),
        ("nextPageToken", "nextPageToken"),
        ("items,nextPageToken", "items,nextPageToken"),
        ("items/nextPageToken", "items/nextPageToken,nextPageToken"),
        ("items(nextPageToken,id)", "items(nextPageToken,id),nextPageToken"),
        ("nextPageTokens", "nextPageTokens,nextPageToken"),
        ("nextPageToken/x", "nextPageToken/x"),
        ("*", "*"),
        ("items,*", "items,*"),
        ("*/id", "*/id,nextPageToken"),
        ("", ""),
        ("  ", ""),
    ] {
        assert_eq!(include_field(selection, "nextPageToken"), included, "{selection}");
        assert_eq!(include_field(included, "nextPageToken"), included);
    }
    assert_eq!(include_field("items( id )", "nextPageToken"), "items( id ),nextPageToken");
    let long = format!("nextPageToken,{}", "items/id,".repeat(2000)) + "items";
    assert_eq!(include_field(&long, "nextPageToken"), long);
}
