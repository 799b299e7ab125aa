//! Selections of fields: building, parsing, checking, writing.
#![allow(clippy::panic, clippy::unwrap_used)]

mod limits;
mod properties;

use wireform_runtime::fields::{Field, Inner, Nested, Selectable, Selection, SelectionErrorKind, Shape, include};

#[derive(Debug)]
struct Event;
struct Time;
struct Person;
struct Nothing;

impl Event {
    const ID: Field<Self> = Field::new("id");
    const SUMMARY: Field<Self> = Field::new("summary");
    const START: Nested<Self, Time> = Nested::new("start");
    const ATTENDEES: Nested<Self, Person> = Nested::new("attendees");
    const PARENT: Nested<Self, Self> = Nested::new("parent");
    const LABELS: Field<Self> = Field::new("labels");
    const PEOPLE: Nested<Self, Person> = Nested::new("people");
    const ROOMS: Nested<Self, Person> = Nested::new("rooms");
    const RELATED: Nested<Self, Self> = Nested::new("related");
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
.holding(&[
    ("start", Inner::Shape(Time::SHAPE)),
    ("attendees", Inner::Shape(Person::SHAPE)),
    ("parent", Inner::Shape(&EVENT)),
    ("labels", Inner::Map(&Inner::Leaf)),
    ("people", Inner::Map(&Inner::Shape(Person::SHAPE))),
    ("rooms", Inner::Map(&Inner::Map(&Inner::Shape(Person::SHAPE)))),
    ("settings", Inner::Any),
    ("nothing", Inner::Shape(Nothing::SHAPE)),
    ("related", Inner::Map(&Inner::Shape(&EVENT))),
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

fn refused(text: &str) -> String {
    Selection::<Event>::parse(text).unwrap_err().to_string()
}

#[test]
fn what_is_read_is_written_in_one_way() {
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

#[test]
fn mistakes_are_told_with_their_place() {
    for (text, error) in [
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
    ] {
        assert_eq!(refused(text), error, "{text:?}");
    }
    let error = Selection::<Event>::parse("start/dat").unwrap_err();
    let suggestion = Some("date");
    let kind = SelectionErrorKind::UnknownMember { member: "dat".into(), resource: "EventTime", suggestion };
    assert_eq!((error.position(), error.kind()), (6, &kind));
}

#[test]
fn typed_members_make_the_same_selections() {
    for (selection, text) in [
        (Selection::of([Event::SUMMARY, Event::ID]), "id,summary"),
        (Selection::from([Event::ID, Event::START.into()]), "id,start"),
        (Selection::from(vec![Event::START.all()]), "start"),
        (Event::START.of([Time::DATE_TIME, Time::DATE]).into(), "start(date,dateTime)"),
        ([Event::START.of([Time::DATE]), Event::START.of([Time::DATE_TIME])].into(), "start(date,dateTime)"),
        ([Event::START.of([Time::DATE]), Event::START.all()].into(), "start"),
        ([Event::START.all(), Event::START.of([Time::DATE])].into(), "start"),
        (Event::START.of([]).into(), "start"),
        (Event::PARENT.of([Event::PARENT.of([Event::ID, Event::ID])]).into(), "parent/parent/id"),
        (Event::ATTENDEES.of([Person::EMAIL]).into(), "attendees/email"),
        (
            [Event::START.of([Time::DATE]), Event::START.of([Time::DATE_TIME])]
                .map(|start| Event::PARENT.of([start]))
                .into(),
            "parent/start(date,dateTime)",
        ),
        (Event::LABELS.into(), "labels"),
        (Event::START.into(), "start"),
        ([Event::PARENT, Event::RELATED].into(), "parent,related"),
        (Event::PEOPLE.of([Person::EMAIL]).into(), "people/*/email"),
        (Event::PEOPLE.into_field().into(), "people"),
        (Event::ROOMS.of([Person::EMAIL, Person::NAME]).into(), "rooms/*/*(displayName,email)"),
        ([Event::PEOPLE.of([Person::EMAIL]), Event::PEOPLE.all()].into(), "people"),
        (
            Event::RELATED.of([Event::ID, Event::RELATED.of([Event::START.of([Time::DATE])])]).into(),
            "related/*(id,related/*/start/date)",
        ),
        (Selection::all(), "*"),
        (Selection::of([]), "*"),
    ] {
        assert_eq!(selection.to_string(), text);
        assert_eq!(Selection::<Event>::parse(text).unwrap(), selection, "{text}");
        assert_eq!(selection.clone(), selection);
        assert_eq!(format!("{selection:?}"), format!("Selection({text})"));
    }
    assert_ne!(Selection::from(Event::ID), Selection::from(Event::SUMMARY));
    assert_ne!(Selection::from(Event::START.all()), Selection::from(Event::START.of([Time::DATE])));
}

trait IntoField<T> {
    fn into_field(self) -> Field<T>;
}

impl<T, U> IntoField<T> for Nested<T, U> {
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
        assert_eq!(include(selection, "nextPageToken"), included, "{selection}");
        assert_eq!(include(included, "nextPageToken"), included);
    }
    assert_eq!(include("items( id )", "nextPageToken"), "items( id ),nextPageToken");
    let long = format!("nextPageToken,{}", "items/id,".repeat(2000)) + "items";
    assert_eq!(include(&long, "nextPageToken"), long);
}
