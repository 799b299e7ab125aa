//! The two vocabularies.

use reqwest::StatusCode;

use crate::program::Home;

#[tokio::test]
async fn both_vocabularies_are_read_and_the_chosen_one_is_written() {
    for (names, written) in [("spec", "maxAttendee"), ("public", "maxAttendees")] {
        let home = Home::new();
        let server = home.serve(&["--names", names]);
        for base in ["/mail/v1", "/gmail/v1"] {
            let (status, profile) = server.get(&format!("{base}/users/me/profile")).await;
            assert_eq!((status, &profile["emailAddress"]), (StatusCode::OK, &"me@localhost".into()), "{base}");
        }
        for read in ["maxAttendee", "maxAttendees"] {
            let (status, body) = server.get(&format!("/calendar/v3/calendars/primary/events?{read}=many")).await;
            assert_eq!(status, StatusCode::BAD_REQUEST);
            assert_eq!(body["error"]["errors"][0]["location"], written, "{names} reads {read}");
        }
    }
}
