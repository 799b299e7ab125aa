//! Tests of the two namings.

use reqwest::header::WWW_AUTHENTICATE;
use reqwest::{Method, StatusCode};

use crate::program::Home;

#[tokio::test]
async fn both_vocabularies_are_read_and_the_chosen_one_is_written() {
    for (names, parameter, scope) in
        [("spec", "`maxAttendee`", "/mail.readonly"), ("public", "`maxAttendees`", "/gmail.readonly")]
    {
        let home = Home::new();
        let server = home.serve(&["--names", names]);
        for base in ["/mail/v1", "/gmail/v1"] {
            let (status, profile) = server.get(&format!("{base}/users/me/profile")).await;
            assert_eq!((status, &profile["emailAddress"]), (StatusCode::OK, &"me@localhost".into()), "{base}");
        }
        for read in ["maxAttendee", "maxAttendees"] {
            let (status, _) = server.get(&format!("/calendar/v3/calendars/primary/events?{read}=7")).await;
            assert_eq!(status, StatusCode::OK, "{names} reads {read}");
        }
        let (_, unknown) = server.get("/calendar/v3/calendars/primary/events?maxAttendeez=7").await;
        assert!(unknown["error"]["message"].as_str().is_some_and(|message| message.contains(parameter)), "{unknown}");

        let weak = home.run(&["tokens", "create", "--user", "me@localhost", "--scope", "calendar"]);
        let path = "/mail/v1/users/me/profile";
        let refused = server.request(Method::GET, path).bearer_auth(weak).send().await.expect("a response");
        let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().expect("a text");
        assert!(challenge.contains(scope), "{challenge}");
    }
}
