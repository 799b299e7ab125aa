//! Long-running operations, with a fake.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use long_running_client::Client;
use long_running_client::requests::{
    JobsGet, JobsStart, RoomsBuild, RoomsTear, RoomsWorksGet, ShopsOpen, ShopsWorksGet, TasksGet, TasksStart,
};
use long_running_client::runtime::{LongRunning as _, PollError, PollPolicy, Poller, OperationState};
use long_running_client::types::{Building, Failure, Failures, Job, Room, State, Task, Work};

fn without_delay() -> PollPolicy {
    PollPolicy::default().with_initial_delay(Duration::ZERO).with_max_delay(Duration::ZERO)
}

fn work(name: &str) -> Work {
    Work::default().with_name(name)
}

fn object(text: &str) -> long_running_client::types::runtime::Map {
    long_running_client::types::runtime::json::from_str(text).unwrap()
}

#[test]
fn the_response_of_a_long_running_operation_is_typed() {
    let polls = AtomicUsize::new(0);
    let fake = long_running_client::fake()
        .on(|_: &RoomsBuild| Ok(work("rooms/1/works/2")))
        .on(move |request: &RoomsWorksGet| {
            assert_eq!(request.name, "rooms/1/works/2");
            let running = work("rooms/1/works/2").with_metadata(object(r#"{"percent":50}"#));
            let built = r#"{"@type":"type.example.com/Room","name":"r","built":"7"}"#;
            Ok(match polls.fetch_add(1, Ordering::Relaxed) {
                0 => running,
                _ => running.with_done(true).with_response(object(built)),
            })
        });
    let client: Client = fake.client().unwrap();
    let mut poller = client.rooms().build(Room::default()).poller().policy(without_delay());
    assert_eq!(poller.name(), None);
    assert_eq!(poller.poll_blocking().unwrap(), OperationState::Running(Some(Building::default())));
    assert_eq!(poller.name(), Some("rooms/1/works/2"));
    assert_eq!(poller.poll_blocking().unwrap(), OperationState::Running(Some(Building::default().with_percent(50))));
    let room = Room::default().with_name("r").with_built(7);
    assert_eq!(poller.wait_blocking().unwrap(), room);
    // A finished operation is not polled again, and the `@type` of the response is available.
    assert_eq!(poller.wait_blocking().unwrap(), room);
    assert_eq!(poller.response().unwrap().response.as_ref().unwrap()["@type"], "type.example.com/Room");
    assert_eq!(fake.calls(), ["rooms.build", "rooms.works.get", "rooms.works.get"]);
}

#[test]
fn an_undeclared_response_is_an_object_and_polling_can_be_resumed() {
    let fake = long_running_client::fake()
        .on(|_: &RoomsTear| Ok(work("rooms/1/works/3").with_metadata(object(r#"{"a":1}"#))))
        .on(|_: &RoomsWorksGet| Ok(work("rooms/1/works/3").with_done(true)));
    let client: Client = fake.client().unwrap();
    let mut poller = client.rooms().tear("1").poller();
    assert!(matches!(poller.poll_blocking().unwrap(), OperationState::Running(Some(metadata)) if metadata["a"] == 1));
    let name = poller.name().unwrap().to_owned();
    drop(poller);
    let mut resumed = Poller::<RoomsTear>::resume(client.rooms().works().get(name).into_call());
    assert_eq!(resumed.wait_blocking().unwrap(), object("{}"));
}

#[test]
fn the_nearest_poll_operation_is_used_and_failures_are_typed() {
    let fake = long_running_client::fake()
        .on(|_: &ShopsOpen| Ok(work("shops/1/works/1")))
        .on(|_: &ShopsWorksGet| {
            Ok(work("shops/1/works/1").with_done(true).with_error(Failure::default().with_message("no\nmoney")))
        });
    let client: Client = fake.client().unwrap();
    let error = client.shops().open().poller().policy(without_delay()).wait_blocking().unwrap_err();
    assert_eq!(error.to_string(), "the operation failed: no\u{fffd}money");
    assert_eq!(error.failure().unwrap().message.as_deref(), Some("no\nmoney"));
}

#[test]
fn a_resource_with_a_state_is_its_own_response() {
    let fake = long_running_client::fake()
        .on(|_: &JobsStart| Ok(Job::default().with_id("j").with_state(State::Running)))
        .on(|request: &JobsGet| {
            assert_eq!((request.project.as_str(), request.id.as_str()), ("p", "j"));
            Ok(Job::default().with_id("j").with_state(State::Done).with_target("t"))
        });
    let client: Client = fake.client().unwrap();
    let job = client.jobs().start("p").poller().policy(without_delay()).wait_blocking().unwrap();
    assert_eq!(job.target.as_deref(), Some("t"));

    let fake = long_running_client::fake().on(|_: &JobsStart| {
        Ok(Job::default().with_state(State::Gone).with_failures(Failures::default().with_list([Failure::default()])))
    });
    let client: Client = fake.client().unwrap();
    let error = client.jobs().start("p").poller().wait_blocking().unwrap_err();
    assert_eq!(error.failure().unwrap().list.len(), 1);
}

#[test]
fn parameters_of_the_poll_request_come_from_the_schema() {
    let fake = long_running_client::fake()
        .on(|_: &TasksStart| Ok(Task::default().with_name("t").with_kind(4)))
        .on(|request: &TasksGet| {
            assert_eq!((request.task.as_str(), request.kind, request.at.as_str()), ("t", 4, "here"));
            Ok(Task::default().with_state("done").with_result(Room::default().with_name("r")))
        });
    let client: Client = fake.client().unwrap();
    let room = client.tasks().start().place("here").poller().policy(without_delay()).wait_blocking().unwrap();
    assert_eq!(room.name.as_deref(), Some("r"));
    // Without a place the poll request cannot be built.
    let error = client.tasks().start().poller().policy(without_delay()).wait_blocking().unwrap_err();
    assert!(matches!(error, PollError::Unnamed), "{error}");
}

#[test]
fn a_server_returns_an_operation_as_a_client_reads_it() {
    let running = RoomsBuild::build_response("w".to_owned(), OperationState::Running(Some(Building::default().with_percent(5))));
    let running = running.unwrap();
    assert_eq!((running.name.as_deref(), running.done), (Some("w"), None));
    assert_eq!(RoomsBuild::state(&running).unwrap(), OperationState::Running(Some(Building::default().with_percent(5))));
    let room = Room::default().with_built(7);
    let done = RoomsBuild::build_response("w".to_owned(), OperationState::Succeeded(room.clone())).unwrap();
    assert_eq!(done.response.as_ref().unwrap()["built"], "7");
    assert_eq!(RoomsBuild::state(&done).unwrap(), OperationState::Succeeded(room));
    let failed = RoomsBuild::build_response("w".to_owned(), OperationState::Failed(Failure::default().with_code(9))).unwrap();
    assert_eq!(RoomsBuild::state(&failed).unwrap(), OperationState::Failed(Failure::default().with_code(9)));
    let job = JobsStart::build_response("j".to_owned(), OperationState::Succeeded(Job::default().with_target("t"))).unwrap();
    assert_eq!((job.id.as_deref(), job.state.clone(), job.target.as_deref()), (Some("j"), Some(State::Done), Some("t")));
    let task = TasksStart::build_response("t".to_owned(), OperationState::Running(None)).unwrap();
    assert_eq!((task.name.as_deref(), task.state), (Some("t"), None));
}

#[test]
fn a_response_of_another_type_is_an_error() {
    let work = work("w").with_done(true).with_response(object(r#"{"built":true}"#));
    let fake = long_running_client::fake().on(move |_: &RoomsBuild| Ok(work.clone()));
    let client: Client = fake.client().unwrap();
    let mut poller = client.rooms().build(Room::default()).poller();
    let error = poller.wait_blocking().unwrap_err();
    assert!(matches!(error, PollError::Outcome(_)) && error.to_string().contains("built"), "{error}");
    assert!(poller.response().is_some());
}
