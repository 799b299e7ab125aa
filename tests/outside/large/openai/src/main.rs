//! Sends a chat request with an image and a tool, and reads the tool call of the response.

use openai_client::Client;
use openai_client::runtime::Credentials;
use openai_client::types::*;
use serde_json::{Value, json};
use stub::{Request, Stub};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let stub = Stub::start(respond);
    let client: Client =
        Client::builder().base_url(&stub.url).credentials(Credentials::token("secret")).build().expect("a client");

    let image = ChatCompletionRequestMessageContentPartImageUrl::default().with_url("https://example.com/a.png");
    let parts = vec![
        ChatCompletionRequestUserMessageContentPart::from(
            ChatCompletionRequestMessageContentPartText::default().with_text("What is this?"),
        ),
        ChatCompletionRequestMessageContentPartImage::default().with_image_url(image).into(),
    ];
    let user = ChatCompletionRequestUserMessage::default()
        .with_content(ChatCompletionRequestUserMessageContent::ArrayOfContentParts(parts));
    let look = ChatCompletionTool::default().with_function(FunctionObject::default().with_name("look"));
    let request = CreateChatCompletionRequest::default()
        .with_model("gpt-9")
        .with_messages([ChatCompletionRequestMessage::from(user)])
        .with_tools([CreateChatCompletionRequestToolsItem::from(look)])
        .with_temperature(0.5);
    let reply = client.chat().create_chat_completion(request).await.expect("a reply");
    let message = reply.choices.expect("choices").remove(0).message.expect("a message");
    let Some([ChatCompletionMessageToolCallsItem::Function(call)]) = message.tool_calls.as_deref() else {
        panic!("{message:?}")
    };
    println!("{}", call.function.as_ref().and_then(|function| function.name.as_deref()).expect("a name"));

    let sent: Value = serde_json::from_str(&stub.requests()[0].body).expect("JSON");
    let expected = json!({
        "model": "gpt-9",
        "messages": [{ "role": "user", "content": [
            { "type": "text", "text": "What is this?" },
            { "type": "image_url", "image_url": { "url": "https://example.com/a.png" } },
        ] }],
        "tools": [{ "type": "function", "function": { "name": "look" } }],
        "temperature": 0.5,
    });
    assert_eq!(sent, expected);
}

fn respond(request: &Request) -> (u16, String) {
    assert_eq!((request.target.as_str(), request.header("authorization")), ("/v1/chat/completions", "Bearer secret"));
    let call = json!({ "id": "c", "type": "function", "function": { "name": "look", "arguments": "{}" } });
    let message = json!({ "role": "assistant", "content": null, "refusal": null, "tool_calls": [call] });
    let choice = json!({ "index": 0, "finish_reason": "tool_calls", "message": message, "logprobs": null });
    (
        200,
        json!({ "id": "r", "object": "chat.completion", "created": 1, "model": "gpt-9", "choices": [choice] })
            .to_string(),
    )
}
