//! A conversation in which the service calls a tool of the program.

use parley_client::Client;
use parley_client::runtime::Credentials;
use parley_client::types::*;
use serde_json::{Value, json};
use stub::{Request, Stub};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let stub = Stub::start(respond);
    let client: Client =
        Client::builder().base_url(&stub.url).credentials(Credentials::token("secret")).build().expect("a client");

    let mut request = conversation();
    let reply = client.replies().create_reply(request.clone()).await.expect("a reply");
    let choice = &reply.choices.as_ref().expect("choices")[0];
    assert_eq!(choice.ended.as_ref(), Some(&ReplyChoicesItemEnded::Calls));
    let turn = choice.turn.clone().expect("a turn");
    let calls = turn.calls.clone().expect("calls");
    let [Call::Function(call), Call::Unknown(other)] = calls.as_slice() else { panic!("{calls:?}") };
    assert_eq!(call.function.as_ref().and_then(|function| function.name.as_deref()), Some("weather"));
    assert_eq!(serde_json::to_value(other).expect("JSON"), json!({ "id": "c2", "type": "hum", "hum": [1] }));

    // The received turn is sent again unchanged, including the part that this version does not know.
    let turns = request.turns.get_or_insert_default();
    turns.push(Turn::from(turn));
    turns.push(Turn::from(ToolTurn::default().with_call("c1").with_content("18 °C")));
    request.voice = Some("warm-9".into());
    let reply = client.replies().create_reply(request).await.expect("a reply");
    let content = reply.choices.expect("choices").remove(0).turn.expect("a turn").content;
    println!("{}", content.as_ref().expect("a text"));

    let error = client
        .replies()
        .create_reply(ReplyRequest::default().with_voice("nobody").with_turns(Vec::<Turn>::new()))
        .await
        .expect_err("an error");
    assert_eq!(error.status(), Some(429));
    let failure =
        error.response().and_then(|response| response.body.clone()).and_then(|body| body.error).expect("an error body");
    println!("{}", failure.message.expect("a message"));

    check(&stub.requests());
}

/// Returns the first request of the conversation.
fn conversation() -> ReplyRequest {
    let picture =
        PicturePicture::default().with_url("https://example.com/map.png").with_detail(PicturePictureDetail::Low);
    let pieces = vec![
        Piece::from(Words::default().with_words("How warm is it here?")),
        Piece::from(Picture::default().with_picture(picture)),
    ];
    let weather = FunctionToolFunction::default().with_name("weather");
    ReplyRequest::default()
        .with_voice("calm-2")
        .with_turns([
            Turn::from(GuideTurn::default().with_content("Be brief.")),
            Turn::from(VisitorTurn::default().with_content(VisitorTurnContent::from(pieces))),
        ])
        .with_tools([
            ReplyRequestToolsItem::from(FunctionTool::default().with_function(weather)),
            AtlasTool::default().into(),
        ])
        .with_tool_choice(ReplyRequestToolChoiceWord::Auto)
        .with_until(ReplyRequestUntil::from("."))
        .with_labels([("kind", "test")])
}

fn respond(request: &Request) -> (u16, String) {
    let sent: Value = serde_json::from_str(&request.body).expect("JSON");
    let turn = match sent["turns"].as_array().map(Vec::len) {
        Some(2) => json!({ "role": "voice", "content": null, "calls": [
            { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{}" } },
            { "id": "c2", "type": "hum", "hum": [1] },
        ] }),
        Some(4) => json!({ "role": "voice", "content": "It is 18 °C." }),
        _ => {
            let error = json!({ "message": "Too many.", "type": "busy", "parameter": null, "code": null });
            return (429, json!({ "error": error }).to_string());
        }
    };
    let ended = if turn["content"].is_null() { "calls" } else { "end" };
    let choice = json!({ "index": 0, "ended": ended, "turn": turn });
    (
        200,
        json!({ "id": "r", "object": "reply", "created": 1767225600, "choices": [choice], "used": { "read": 9 } })
            .to_string(),
    )
}

fn check(requests: &[Request]) {
    let bodies: Vec<Value> =
        requests.iter().map(|request| serde_json::from_str(&request.body).expect("JSON")).collect();
    assert!(requests.iter().all(|request| request.header("authorization") == "Bearer secret"));
    assert!(
        requests.iter().all(|request| (request.method.as_str(), request.target.as_str()) == ("POST", "/v1/replies"))
    );
    let first = json!({
        "voice": "calm-2",
        "turns": [
            { "role": "guide", "content": "Be brief." },
            { "role": "visitor", "content": [
                { "type": "words", "words": "How warm is it here?" },
                { "type": "picture", "picture": { "url": "https://example.com/map.png", "detail": "low" } },
            ] },
        ],
        "tools": [{ "type": "function", "function": { "name": "weather" } }, { "type": "atlas" }],
        "tool_choice": "auto",
        "until": ".",
        "labels": { "kind": "test" },
    });
    assert_eq!(bodies[0], first);
    assert_eq!(bodies[1]["voice"], "warm-9");
    assert_eq!(
        bodies[1]["turns"][2],
        json!({ "role": "voice", "content": null, "calls": [
        { "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{}" } },
        { "id": "c2", "type": "hum", "hum": [1] },
    ] })
    );
    assert_eq!(bodies[1]["turns"][3], json!({ "role": "tool", "call": "c1", "content": "18 °C" }));
}
