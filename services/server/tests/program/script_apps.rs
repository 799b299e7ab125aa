//! Tests of drafts and series of scripts, on the mail and the calendar of the server.

use reqwest::Method;
use serde_json::{Value, json};

use crate::program::Home;
use crate::scripts::deploy;

const DRAFTS: &str = "
    function make() {
      GmailApp.createDraft('ben@example.com', 'Draft', 'First', { bcc: 'cy@example.com' }).update('ben@example.com', 'Draft', 'Second', { bcc: 'cy@example.com' });
      return GmailApp.getDrafts().map((draft) => draft.getMessage().getPlainBody().trim());
    }
    function send() {
      const sent = GmailApp.getDrafts()[0].send();
      return [sent.isDraft(), sent.getSubject(), sent.getHeader('Message-ID') !== '', GmailApp.getDrafts().length];
    }
    function drop() {
      GmailApp.createDraft('', 'No recipient', '').deleteDraft();
      return GmailApp.getDrafts().length;
    }
    function nobody() { GmailApp.createDraft('', 'No recipient', '').send(); }
    function answer() { GmailApp.search('subject:Draft')[0].reply('Answer'); }
    function talk() {
      const thread = GmailApp.search('subject:Draft in:anywhere')[0];
      return thread.getMessages().map((message) => message.getPlainBody().trim());
    }";

#[tokio::test]
async fn scripts_write_drafts_and_conversations_go_on() {
    let home = Home::new();
    for user in ["ana@example.com", "ben@example.com", "cy@example.com"] {
        home.run(&["users", "add", user]);
    }
    let server = home.serve(&["--user", "ana@example.com"]);
    let (id, _) = deploy(&server, json!({ "executionApi": { "access": "ANYONE" } }), DRAFTS).await;
    let ben = home.run(&["tokens", "create", "--user", "ben@example.com", "--scope", "all"]);
    let result = async |token: &str, function: &str| {
        let request = server.request(Method::POST, &format!("/v1/scripts/{id}:run")).bearer_auth(token);
        let done = request.json(&json!({ "function": function })).send().await.expect("a response");
        let done = done.json::<Value>().await.expect("JSON");
        done["response"].get("result").unwrap_or(&done["error"]["details"][0]["errorMessage"]).clone()
    };
    let own = server.token.clone();
    assert_eq!(result(&own, "make").await, json!(["Second"]));
    assert_eq!(result(&own, "send").await, json!([false, "Draft", true, 0]));
    assert_eq!(result(&own, "drop").await, 0);
    assert_eq!(result(&own, "nobody").await, "the message has no recipient");
    for user in ["ben@example.com", "cy@example.com"] {
        let token = home.run(&["tokens", "create", "--user", user, "--scope", "all"]);
        let (_, inbox) = server.get_by(&token, "/mail/v1/users/me/messages?q=in:inbox").await;
        let message = inbox["messages"][0]["id"].as_str().expect("it was delivered");
        let (_, message) = server.get_by(&token, &format!("/mail/v1/users/me/messages/{message}")).await;
        assert!(!message.to_string().contains("cy@example.com"), "{message}");
    }
    assert_eq!(result(&ben, "answer").await, Value::Null);
    assert_eq!(result(&own, "talk").await, json!(["Second", "Answer"]), "the reply is in the conversation");
    server.stop();
}

const SERIES: &str = "
    const at = (day, hour) => new Date(Date.UTC(2026, 2, day, hour));
    function repeat() {
      const weekly = CalendarApp.newRecurrence().addWeeklyRule().onlyOnWeekdays([CalendarApp.Weekday.MONDAY, CalendarApp.Weekday.WEDNESDAY]).times(6);
      weekly.addDateExclusion(at(9, 9)).addDate(at(12, 9));
      const series = CalendarApp.createEventSeries('Series', at(2, 9), at(2, 10), weekly, { guests: 'ben@example.com' });
      const days = CalendarApp.createAllDayEventSeries('Days', at(2, 0), CalendarApp.newRecurrence().addDailyRule().until(at(4, 0)));
      const find = (search) => CalendarApp.getEvents(at(1, 0), at(31, 0), { search });
      const found = find('Series').map((event) => event.getStartTime().getUTCDate());
      const result = [found, find('Days').length, find('Series')[0].getEventSeries().getTitle(), find('Series')[0].isRecurringEvent()];
      series.deleteEventSeries();
      return [...result, find('Series').length, days.isAllDayEvent()];
    }
    function change() {
      const event = CalendarApp.createEvent('One', at(2, 9), at(2, 10), { guests: 'ben@example.com' });
      event.addPopupReminder(10).addEmailReminder(60).setVisibility(CalendarApp.Visibility.PRIVATE).setTag('a', '1').setTag('b', '2').deleteTag('a');
      event.setColor(CalendarApp.EventColor.RED).setTransparency(CalendarApp.EventTransparency.TRANSPARENT).addGuest('BEN@example.com');
      event.setGuestsCanModify(true).setAllDayDates(at(2, 0), at(4, 0));
      const again = CalendarApp.getEventById(event.getId());
      const shown = [again.getPopupReminders(), again.getEmailReminders(), again.getVisibility(), again.getAllTagKeys(), again.getColor(),
        again.getTransparency(), again.getGuestList().length, again.guestsCanModify(), again.isAllDayEvent(), again.getMyStatus()];
      again.removeAllReminders();
      const bare = CalendarApp.getEventById(event.getId()).getPopupReminders();
      again.resetRemindersToDefault().removeGuest('Ben@Example.com');
      return [...shown, bare, CalendarApp.getEventById(event.getId()).getGuestList().length];
    }
    function answer() {
      const event = CalendarApp.getEvents(at(1, 0), at(31, 0), { search: 'Asked' })[0];
      return [event.getMyStatus(), event.setMyStatus(CalendarApp.GuestStatus.MAYBE).getMyStatus()];
    }
    function ask() { CalendarApp.createEvent('Asked', at(2, 9), at(2, 10), { guests: 'ben@example.com' }); }";

#[tokio::test]
async fn script_events_have_recurrence_reminders_and_responses() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    home.run(&["users", "add", "ben@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let ben = home.run(&["tokens", "create", "--user", "ben@example.com", "--scope", "all"]);
    let (id, _) = deploy(&server, json!({ "executionApi": { "access": "ANYONE" } }), SERIES).await;
    let result = async |token: &str, function: &str| {
        let request = server.request(Method::POST, &format!("/v1/scripts/{id}:run")).bearer_auth(token);
        let done = request.json(&json!({ "function": function })).send().await.expect("a response");
        let done = done.json::<Value>().await.expect("JSON");
        done["response"].get("result").unwrap_or(&done["error"]["details"][0]["errorMessage"]).clone()
    };
    let own = server.token.clone();
    // One of the six Mondays and Wednesdays is excluded, and a Thursday is added.
    let repeated = json!([[2, 4, 11, 12, 16, 18], 3, "Series", true, 0, true]);
    assert_eq!(result(&own, "repeat").await, repeated);
    let changed = json!([[10], [60], "PRIVATE", ["b"], "11", "TRANSPARENT", 1, true, true, "OWNER", [], 0]);
    assert_eq!(result(&own, "change").await, changed);
    assert_eq!(result(&own, "ask").await, Value::Null);
    assert_eq!(result(&ben, "answer").await, json!(["INVITED", "MAYBE"]));
    server.stop();
}
