//! Expansion of series whose search for instances takes long.

use std::collections::BTreeSet;
use std::sync::mpsc;

use serde_json::{Value, json};
use wireform_store::{Accounts as _, Events as _};

use crate::desk::{TestResponse, TestService, hour, series, with};
use crate::moves::team;

const LIST: &str = "?singleEvents=true&orderBy=startTime&timeMin=2026-03-01T00:00:00Z&timeMax=2026-05-01T00:00:00Z";

/// List of one window, which the store reads without a turn.
const SHORT_LIST: &str = "?singleEvents=true&timeMin=2026-03-01T00:00:00Z&timeMax=2026-03-10T00:00:00Z";

/// Inserts a series with recurrence lines.
async fn insert(desk: &TestService, title: &str, lines: &[&str]) -> String {
    let event = json!({
        "summary": title,
        "start": { "dateTime": "2026-03-02T09:00:00Z", "timeZone": "UTC" },
        "end": { "dateTime": "2026-03-02T09:00:01Z", "timeZone": "UTC" },
        "recurrence": lines,
    });
    let response = desk.post("", event).await;
    assert_eq!(response.status.as_u16(), 200, "{}", response.body);
    response.body["id"].as_str().unwrap().to_owned()
}

/// Lines of a series whose instances are all excluded but those at 12:00:`second` of each day: 86,400 candidates for each.
fn rare(second: u32) -> [String; 2] {
    let others: Vec<String> = (0..60).filter(|other| *other != second).map(|other| other.to_string()).collect();
    ["RRULE:FREQ=SECONDLY;BYHOUR=12".to_owned(), format!("EXRULE:FREQ=SECONDLY;BYSECOND={}", others.join(","))]
}

/// Reads all pages of a list. Returns the identifiers in order, and the number of pages.
async fn read_all(desk: &TestService, path: &str) -> (Vec<String>, usize) {
    let (mut ids, mut token, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let page = desk.get(&format!("{path}{token}")).await;
        assert_eq!(page.status.as_u16(), 200, "{}", page.body);
        let items = page.body["items"].as_array().cloned().unwrap_or_default();
        ids.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        pages += 1;
        let Some(next) = page.body["nextPageToken"].as_str() else { return (ids, pages) };
        token = format!("&pageToken={next}");
        assert!(pages < 2_000, "the list does not end");
    }
}

/// Calls all kinds of lists, whose instances must be the same.
async fn assert_lists_agree(desk: &TestService, series: &[String]) {
    let (by_start, _) = read_all(desk, &format!("{LIST}&maxResults=2500")).await;
    let all: BTreeSet<&String> = by_start.iter().collect();
    assert_eq!(all.len(), by_start.len(), "each is listed once");
    let range = "timeMin=2026-03-01T00:00:00Z&timeMax=2026-05-01T00:00:00Z&maxResults=2500";
    let mut instances = BTreeSet::new();
    for id in series {
        let (found, _) = read_all(desk, &format!("/{id}/instances?{range}")).await;
        instances.extend(found);
    }
    let expected: BTreeSet<&String> = instances.iter().collect();
    assert_eq!(all.len(), expected.len());
    assert_eq!(all, expected);
}

#[tokio::test]
async fn lists_of_rare_instances_are_complete() {
    let desk = TestService::open().await;
    let mut series = Vec::new();
    for second in [5, 30] {
        let lines = rare(second);
        series.push(insert(&desk, "rare", &[lines[0].as_str(), lines[1].as_str()]).await);
    }
    series.push(insert(&desk, "daily", &["RRULE:FREQ=DAILY"]).await);
    series.push(insert(&desk, "never", &["RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"]).await);
    assert_lists_agree(&desk, &series).await;
    // Small pages have the same events.
    let (large, _) = read_all(&desk, &format!("{LIST}&maxResults=2500")).await;
    let (small, pages) = read_all(&desk, &format!("{LIST}&maxResults=40")).await;
    assert_eq!(large, small);
    assert!(pages > large.len() / 41, "{pages}");
}

/// Takes the turn of Ana until the sender is dropped.
async fn take_turn(desk: &TestService) -> (mpsc::Sender<()>, tokio::task::JoinHandle<()>) {
    let ana = desk.store.user("ana@example.com").await.unwrap().mailbox;
    let ((entered, has_entered), (go, wait)) = (tokio::sync::oneshot::channel(), mpsc::channel::<()>());
    let store = desk.store.clone();
    let turn = tokio::spawn(async move {
        let wait = move || {
            let _ = (entered.send(()), wait.recv());
        };
        store.run_in_turn(Some(ana), wait).await.unwrap();
    });
    has_entered.await.unwrap();
    (go, turn)
}

/// A long expansion waits for the turns of its user, and short ones of others do not wait for it.
#[tokio::test]
async fn long_expansions_take_turns() {
    let desk = TestService::open().await;
    let lines = rare(5);
    insert(&desk, "rare", &[lines[0].as_str(), lines[1].as_str()]).await;
    insert(&desk.ben(), "daily", &["RRULE:FREQ=DAILY"]).await;
    let (go, turn) = take_turn(&desk).await;
    for path in [LIST.to_owned(), LIST.replace("startTime", "updated"), "?singleEvents=true&q=rare".to_owned()] {
        let ben = desk.ben();
        tokio::select! {
            biased;
            response = desk.get(&path) => panic!("{path}: {} without a turn", response.status),
            response = ben.get(SHORT_LIST) => assert_eq!(response.body["items"].as_array().unwrap().len(), 8, "{}", response.body),
        }
    }
    drop(go);
    turn.await.unwrap();
    let response = desk.get(LIST).await;
    assert_eq!(response.status.as_u16(), 200, "{}", response.body);
}

/// Without an instance to list, a page ends after its steps.
#[tokio::test]
async fn work_ends_in_a_page_with_a_token() {
    let desk = TestService::open().await;
    let exrule = "EXRULE:FREQ=SECONDLY";
    let mut lines: Vec<String> = (0..24).map(|hour| format!("RRULE:FREQ=SECONDLY;BYHOUR={hour}")).collect();
    lines.extend(std::iter::repeat_n(exrule.to_owned(), 25));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for number in 0..20 {
        insert(&desk, &format!("never {number}"), &lines).await;
    }
    insert(&desk, "daily", &["RRULE:FREQ=DAILY"]).await;
    let path = "?singleEvents=true&timeMin=2026-03-02T08:00:00Z&timeMax=2026-03-02T12:00:00Z&maxResults=250";
    let first = desk.get(path).await;
    let token = |page: &Value| page["nextPageToken"].as_str().map(str::to_owned);
    assert!(first.status.is_success() && token(&first.body).is_some(), "the page has no token");
    let (ids, _) = read_all(&desk, path).await;
    assert_eq!(ids.len(), 1, "{ids:?}");
}

/// Request whose response is awaited.
type Pending<'a> = std::pin::Pin<Box<dyn Future<Output = TestResponse> + 'a>>;

/// Series that take long to prepare are prepared in turns of the user who writes them or reads an instance: writes and reads of
/// others do not wait.
#[tokio::test]
async fn writes_of_long_series_take_turns() {
    let desk = TestService::open().await;
    let team = team(&desk).await;
    // Instances are counted, and the rule is too long for the cache.
    let dates: Vec<String> = (0..80).map(|day| format!("20{}0101T090000Z", day + 10)).collect();
    let counted =
        |count: u32| json!([format!("RRULE:FREQ=DAILY;COUNT={count}"), format!("EXDATE:{}", dates.join(","))]);
    let with_lines = |title: &str, lines: Value| {
        let event = series("x", "2026-03-02T09:00:00", "2026-03-02T10:00:00", &[]);
        let (start, end) = (&event["start"], &event["end"]);
        json!({ "summary": title, "start": start, "end": end, "recurrence": lines })
    };
    let mut ids = Vec::new();
    for title in ["one", "two", "three"] {
        let made = desk.post("", with_lines(title, counted(40))).await.ok().clone();
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    let instances = ids_of_instances(&desk, &ids[0]).await;
    let (go, turn) = take_turn(&desk).await;
    let to_team = format!("/{}/move?destination=team%40example.com", ids[2]);
    let paths = [format!("/{}", instances[3]), format!("/{}", instances[4]), format!("/{}", ids[1]), to_team];
    let imported = with(with_lines("imported", counted(50)), json!({ "iCalUID": "long@example.net" }));
    let writes: Vec<(&str, Pending<'_>)> = vec![
        ("insert", Box::pin(desk.post("", with_lines("four", counted(45))))),
        ("import", Box::pin(desk.post("/import", imported))),
        ("patch", Box::pin(desk.patch(&paths[2], json!({ "recurrence": counted(30) })))),
        ("get", Box::pin(desk.get(&paths[0]))),
        ("delete", Box::pin(desk.delete(&paths[1]))),
        ("move", Box::pin(desk.send("POST", &paths[3], None, &[]))),
    ];
    let ben = desk.ben();
    let others = async {
        for number in 0..5 {
            ben.post("", hour(3, 9, "Ben")).await.ok();
            assert_eq!(ben.get(SHORT_LIST).await.ok()["items"].as_array().unwrap().len(), number + 1);
        }
    };
    let mut pending = Vec::new();
    let mut others = std::pin::pin!(others);
    let mut over = false;
    for (name, mut write) in writes {
        if over {
            // Each must wait as well.
            for _ in 0..5 {
                tokio::select! {
                    biased;
                    response = &mut write => panic!("{name}: {} without a turn", response.status),
                    _ = ben.get(SHORT_LIST) => {}
                }
            }
        } else {
            tokio::select! {
                biased;
                response = &mut write => panic!("{name}: {} without a turn", response.status),
                () = &mut others => over = true,
            }
        }
        pending.push((name, write));
    }
    drop(go);
    turn.await.unwrap();
    for (name, write) in pending {
        let response = write.await;
        assert!(response.status.is_success(), "{name}: {} {}", response.status, response.body);
    }
    assert_eq!(desk.get(&team).await.ok()["items"][0]["summary"], "three");
}

/// Returns the identifiers of the instances of a series.
async fn ids_of_instances(desk: &TestService, id: &str) -> Vec<String> {
    let page = desk.get(&format!("/{id}/instances")).await.ok().clone();
    page["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

/// Long rules are read when they are searched.
#[tokio::test]
async fn series_with_long_rules_are_listed() {
    let desk = TestService::open().await;
    let dates: Vec<String> = (0..9_000)
        .map(|day| format!("{}{:02}{:02}T090000Z", 2030 + day / 336, day / 28 % 12 + 1, day % 28 + 1))
        .collect();
    let lines = dates.chunks(3_000).map(|dates| format!("EXDATE:{}", dates.join(",")));
    let lines: Vec<String> = std::iter::once("RRULE:FREQ=DAILY".to_owned()).chain(lines).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut expected = BTreeSet::new();
    for number in 0..5 {
        let id = insert(&desk, &format!("long {number}"), &lines).await;
        expected.extend((2..10).map(|day| format!("{id}_202603{day:02}T090000Z")));
    }
    let (found, _) = read_all(&desk, SHORT_LIST).await;
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!(read_all(&desk, "?maxResults=2500").await.0.len(), 5);
}
