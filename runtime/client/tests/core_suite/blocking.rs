//! Blocking calls.

use wireform_client::blocking::block_on;
use wireform_client::{Client, RetryPolicy};

use super::sample::{Clear, ClearThings, GetThing, SAMPLE, get};
use super::script::{Step, respond, script, thing};

fn client() -> Client {
    let (script, _) = script(|number| match number {
        1 => respond(503, ""),
        2 => Step::After(std::time::Duration::from_millis(1), Box::new(thing())),
        _ => thing(),
    });
    let policy = RetryPolicy::default().with_min_delay(std::time::Duration::from_millis(1)).with_jitter(false);
    Client::builder(&SAMPLE).transport(script).retry(policy).build().unwrap()
}

fn read(client: &Client) {
    let thing = GetThing::from_call(client.call(get("1"))).send_blocking().unwrap();
    assert_eq!(thing.text.as_deref(), Some("hello"));
}

#[test]
fn blocking_call_without_a_runtime() {
    read(&client());
    ClearThings::from_call(client().call(Clear)).send_blocking().unwrap();
}

#[tokio::test]
async fn blocking_call_in_a_current_thread_runtime() {
    read(&client());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn blocking_call_in_a_multi_thread_runtime() {
    let client = client();
    tokio::spawn(async move { read(&client) }).await.unwrap();
}

#[test]
fn blocking_calls_can_be_nested() {
    // More concurrent calls than there are threads: none may wait for a free thread.
    let threads: Vec<_> = (0..16)
        .map(|_| std::thread::spawn(|| block_on(async { block_on(async { block_on(async { read(&client()) }) }) })))
        .collect();
    for thread in threads {
        thread.join().unwrap().unwrap().unwrap().unwrap();
    }
}

#[test]
fn panic_is_resumed_in_the_caller() {
    let result = std::panic::catch_unwind(|| block_on(async { panic!("so") }));
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&"so"));
    read(&client());
}

#[test]
fn errors_are_the_same() {
    let (script, _) = script(|_| respond(404, ""));
    let client = Client::builder(&SAMPLE).transport(script).build().unwrap();
    let error = GetThing::from_call(client.call(get("1"))).send_blocking().unwrap_err();
    assert_eq!(error.to_string(), "things.get: 404 Not Found");
}
