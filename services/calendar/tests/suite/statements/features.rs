//! Statements about parameters that let a client change fields, and about labels.

use serde_json::{Value, json};

use super::{WRITES, read, write, write_over};
use crate::desk::{TestService, hour, with};
use crate::labels::set_labels;

/// Parameter with the values that let a client change a field and that do not, and values that do not exist.
struct Feature {
    parameter: &'static str,
    on: &'static str,
    off: &'static str,
    invalid: &'static [&'static str],
    members: Value,
    others: Value,
}

fn features() -> [Feature; 3] {
    let file = |name: &str| json!({ "attachments": [{ "fileUrl": format!("https://example.com/{name}") }] });
    let room = |name: &str| {
        json!({ "conferenceData": {
            "conferenceSolution": { "key": { "type": "addOn" }, "name": name },
            "entryPoints": [{ "entryPointType": "video", "uri": "https://example.com/room" }],
        } })
    };
    let versions = &["2", "-1", "one", "1.5"][..];
    let [attachments, conferences, labels] = ["supportsAttachments", "conferenceDataVersion", "eventLabelVersion"];
    [
        Feature {
            parameter: attachments,
            on: "true",
            off: "false",
            invalid: &["maybe", "2"],
            members: file("a"),
            others: file("b"),
        },
        Feature { parameter: conferences, on: "1", off: "0", invalid: versions, members: room("a"), others: room("b") },
        Feature {
            parameter: labels,
            on: "1",
            off: "0",
            invalid: versions,
            members: json!({ "eventLabelId": "red" }),
            others: json!({ "eventLabelId": "blue" }),
        },
    ]
}

#[tokio::test]
async fn fields_of_a_feature_are_written_only_with_its_parameter() {
    let desk = TestService::open().await;
    set_labels(&desk, &["red", "blue"]).await;
    for Feature { parameter, on, off, invalid, members, .. } in features() {
        let name = members.as_object().unwrap().keys().next().unwrap().clone();
        for operation in WRITES {
            let written = write(&desk, operation, &format!("?{parameter}={on}"), &members).await;
            for event in [written.ok(), &read(&desk, &written).await] {
                assert_eq!(event[&name], members[&name], "{operation}");
            }
            for query in ["".to_owned(), format!("?{parameter}={off}")] {
                let written = write(&desk, operation, &query, &members).await;
                for event in [written.ok(), &read(&desk, &written).await] {
                    assert!(event.get(&name).is_none(), "{operation} {query}: {event}");
                }
            }
            for value in invalid {
                let refused = write(&desk, operation, &format!("?{parameter}={value}"), &members).await;
                assert_eq!(refused.status, 400, "{operation} {parameter}={value}: {}", refused.body);
                refused.assert_location(parameter);
            }
        }
    }
}

/// A client that does not know a feature neither changes nor removes its fields.
#[tokio::test]
async fn fields_of_a_feature_are_kept_without_its_parameter() {
    let desk = TestService::open().await;
    set_labels(&desk, &["red", "blue"]).await;
    for (at, Feature { parameter, on, off, members, others, .. }) in features().into_iter().enumerate() {
        let name = members.as_object().unwrap().keys().next().unwrap().clone();
        let event = with(with(hour(2, 9, "Lunch"), json!({ "id": format!("event{at}") })), members.clone());
        desk.post(&format!("?{parameter}={on}"), event.clone()).await.ok();
        for query in ["".to_owned(), format!("?{parameter}={off}")] {
            let path = format!("/event{at}{query}");
            for sent in [others.clone(), json!({ &name: null }), json!({})] {
                desk.patch(&path, sent.clone()).await.ok();
                desk.put(&path, with(hour(2, 9, "Lunch"), sent)).await.ok();
                assert_eq!(desk.event(&format!("event{at}")).await[&name], members[&name], "{query}");
            }
        }
        let path = format!("/event{at}?{parameter}={on}");
        assert_eq!(desk.patch(&path, others.clone()).await.ok()[&name], others[&name]);
        assert_eq!(desk.patch(&path, json!({ "summary": "Tea" })).await.ok()[&name], others[&name]);
        assert!(desk.put(&path, hour(2, 9, "Lunch")).await.ok().get(&name).is_none(), "{name}");
    }
}

/// The color of an event with a label is that of its label, whatever color a client sends.
#[tokio::test]
async fn a_label_supersedes_the_color() {
    let desk = TestService::open().await;
    set_labels(&desk, &["red", "blue"]).await;
    let both = json!({ "eventLabelId": "red", "colorId": "5" });
    for operation in WRITES {
        let written = write(&desk, operation, "?eventLabelVersion=1", &both).await;
        for event in [written.ok(), &read(&desk, &written).await] {
            assert_eq!((&event["eventLabelId"], &event["colorId"]), (&json!("red"), &json!("11")), "{operation}");
        }
        // A client without labels cannot replace that color.
        let path = format!("/{}", written.ok()["id"].as_str().unwrap());
        assert_eq!(desk.patch(&path, json!({ "colorId": "5" })).await.ok()["colorId"], "11");
        let colored = with(hour(2, 9, "Lunch"), json!({ "colorId": "5" }));
        assert_eq!(desk.put(&path, colored).await.ok()["colorId"], "11");
        for sent in [json!({ "eventLabelId": "" }), json!({ "eventLabelId": null })] {
            let labelled = json!({ "eventLabelId": "red" });
            desk.patch(&format!("{path}?eventLabelVersion=1"), labelled).await.ok();
            let none = desk.patch(&format!("{path}?eventLabelVersion=1"), sent).await.ok().clone();
            assert!(none.get("eventLabelId").is_none(), "{none}");
        }
    }
    let empty = json!({ "eventLabelId": "" });
    for operation in WRITES {
        let written = write_over(&desk, operation, "?eventLabelVersion=1", hour(2, 9, "Lunch"), &empty).await;
        assert!(written.ok().get("eventLabelId").is_none(), "{operation}");
    }
}

/// The color of an event is not set by a client that knows labels; such a client does not remove it either.
#[tokio::test]
async fn a_color_has_no_effect_with_labels() {
    let desk = TestService::open().await;
    let color = json!({ "colorId": "5" });
    for operation in WRITES {
        let written = write(&desk, operation, "?eventLabelVersion=1", &color).await;
        assert!(written.ok().get("colorId").is_none(), "{operation}: {}", written.body);
        assert_eq!(write(&desk, operation, "?eventLabelVersion=0", &color).await.ok()["colorId"], "5", "{operation}");
    }
    desk.insert(with(hour(2, 9, "Lunch"), json!({ "id": "lunch", "colorId": "3" }))).await;
    for sent in [color, json!({ "colorId": null }), json!({})] {
        let path = "/lunch?eventLabelVersion=1";
        assert_eq!(desk.patch(path, sent.clone()).await.ok()["colorId"], "3");
        assert_eq!(desk.put(path, with(hour(2, 9, "Lunch"), sent)).await.ok()["colorId"], "3");
    }
}
