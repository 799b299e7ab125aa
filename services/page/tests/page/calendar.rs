//! Tests of weeks, months, and busy times.

use crate::common::{local, sample, send};
use crate::pages::text_of;

async fn get_html(target: &str) -> String {
    let response = send(&sample(), local(target, &[])).await;
    assert_eq!(response.status, 200, "{target}: {}", response.body);
    response.body
}

#[tokio::test]
async fn a_week_has_its_events_at_their_times() {
    let html = get_html("/calendar?calendar=ada%40example.com").await;
    for piece in [
        "<h1>2 – 8 March 2026</h1>",
        "Times of Europe/London",
        "<section class=\"day d2 today\"",
        "data-minute=\"560\"",
        "<span class=\"when\">09:00<span class=\"until\">–12:00</span></span>",
        "<span class=\"when\">22:00 →</span>",
        "<span class=\"when\">→ 02:00</span>",
        "<span class=\"when\">27 Feb – 3 Mar</span>",
        "class=\"event declined\"",
        "class=\"event free\"",
        "/calendar/event?user=ada%40example.com&amp;calendar=ada%40example.com&amp;event=night",
        "view=week&amp;date=2026-02-25\" rel=\"prev\"",
        "view=week&amp;date=2026-03-11\" rel=\"next\"",
        // The hours extend from midnight, because of the night, to midnight.
        ".week{--hours:24;--days:7;}",
        // Two events side by side, from nine o'clock; the event from before the week takes two of its days.
        "--top:37.50;--height:12.50;--left:0.00;--width:50.00;",
        "--top:45.83;--height:2.08;--left:50.00;--width:50.00;",
        "--from:1;--to:3;",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[tokio::test]
async fn a_label_that_is_no_color_gives_none() {
    let html = get_html("/calendar").await;
    assert!(html.contains("--color:#2b6cb0;"), "{html}");
    assert!(!html.contains("--color:plain"), "{html}");
}

#[tokio::test]
async fn a_month_has_whole_weeks() {
    let html = get_html("/calendar?view=month&date=2026-03-15&calendar=ada%40example.com").await;
    assert_eq!(html.matches("class=\"row").count(), 6);
    assert!(html.contains("<h1>March 2026</h1>") && html.contains("aria-label=\"Week of 23 February 2026\""), "{html}");
    assert!(html.contains("view=month&amp;date=2026-02-01\" rel=\"prev\""), "{html}");
    // The event across days extends over the end of February, in two weeks.
    assert_eq!(html.matches("event=days\"").count(), 2);
    assert!(html.contains("across goes-on\"") && html.contains("across from-before\""), "{html}");
    let leap = get_html("/calendar?view=month&date=2028-02-29").await;
    assert_eq!(leap.matches("class=\"row").count(), 5);
}

#[tokio::test]
async fn busy_times_are_shown_without_details() {
    let html = get_html("/calendar?view=busy").await;
    let events = html.split("<table").nth(1).expect("a table");
    for (piece, count) in [
        // Each calendar, and both together. Declined and free events are omitted, and so are those within others.
        ("busy 09:00–12:00", 0),
        ("busy 20:00–21:00", 0),
        ("busy all day", 6),
        ("busy 22:00–24:00", 0),
        ("busy 00:00–02:00", 3),
    ] {
        assert_eq!(events.matches(piece).count(), count, "{piece}: {events}");
    }
    assert_eq!(events.matches("plain").count(), 2, "the titles of calendars alone: {events}");
    assert!(!events.contains("event="), "{events}");
    let day = get_html("/calendar?view=busy-day&date=2026-03-05&user=ben%40example.com").await;
    assert!(text_of(&day).contains("free") && !day.contains("All together"), "{day}");
}

#[tokio::test]
async fn an_event_is_shown_with_its_details() {
    let html = get_html("/calendar/event?calendar=ben%40example.com&event=one").await;
    for piece in [
        "<dt>When</dt><dd>Monday, 2 March 2026, 09:00 – 12:00 GMT <small>Europe/London</small></dd>",
        "<dt>Calendar</dt><dd><bdi>plain</bdi> (reader)</dd>",
        "<dt>Repeats</dt><dd><bdi>RRULE:plain</bdi></dd>",
        "<dt>Reminders</dt><dd>plain, 90 minutes before</dd>",
        "<summary>As the API returns it</summary>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[tokio::test]
async fn urls_of_an_event_are_links_and_its_html_is_sanitized() {
    let html = get_html("/calendar/event?calendar=ada%40example.com&event=html").await;
    for piece in [
        "Room 1, <a href=\"https://example.com/room?a=1&amp;b=2\" rel=\"noopener noreferrer\">\
         https://example.com/room?a=1&amp;b=2</a>.",
        "<div class=\"rich\" dir=\"auto\"><p>See <a href=\"https://example.com/a\" rel=\"noopener noreferrer\">this</a></p></div>",
        "video: <bdi><a href=\"https://meet.example.com/x\"",
        "more: <bdi>javascript:alert(1)</bdi>",
        "<dt>Attached</dt><dd><a href=\"https://example.com/plan\" rel=\"noopener noreferrer\"><bdi>Plan</bdi></a><br><bdi>Trap</bdi></dd>",
        "<dt>Source</dt><dd><a href=\"https://example.com/minutes\"",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    assert!(!html.contains("href=\"javascript"), "{html}");
}

#[tokio::test]
async fn an_event_leads_to_its_series_and_a_series_to_its_instances() {
    let html = get_html("/calendar/event?calendar=ada%40example.com&event=instance").await;
    let series = "<dt>Series</dt><dd><a href=\"/calendar/event?user=ada%40example.com&amp;calendar=ada%40example.com&amp;event=series\">";
    assert!(html.contains(series), "{html}");
    assert!(!html.contains("<dt>Instances</dt>"), "{html}");
    let html = get_html("/calendar/event?calendar=ada%40example.com&event=series").await;
    // A series without further instances shows its first ones.
    let instance = "<li><a href=\"/calendar/event?user=ada%40example.com&amp;calendar=ada%40example.com&amp;\
                    event=series_20260309T090000Z\">Mon 9 March 2026, 09:00</a></li>";
    assert!(html.contains(instance) && !html.contains("<dt>Series</dt>"), "{html}");
}

#[tokio::test]
async fn events_are_found_by_words() {
    let html = get_html("/calendar?q=%3Cmill%3E&calendar=ada%40example.com").await;
    for piece in [
        "<h1>Events with “&lt;mill&gt;”</h1>",
        "name=\"q\" value=\"&lt;mill&gt;\"",
        "event=declined\"><b><bdi>plain</bdi></b></a> Fri 6 March 2026, 20:00 <small><bdi>plain</bdi>, repeats</small>",
        "event=days\"><b><bdi>plain</bdi></b></a> Fri 27 February 2026 <small>",
        "view=month&amp;date=2026-03-04\">Month</a>",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    assert!(html.find("event=declined") < html.find("event=one"), "the latest is first: {html}");
}

#[tokio::test]
async fn a_day_and_a_month_show_titles() {
    let html = get_html("/calendar?view=day&date=2026-03-02&calendar=ada%40example.com").await;
    assert!(html.contains("<h1>Monday, 2 March 2026</h1>") && html.contains(".week{--hours:11;--days:1;}"), "{html}");
    let month = get_html("/calendar?view=month&date=2026-03-15&calendar=ada%40example.com").await;
    assert!(month.contains("<b><bdi>plain</bdi></b> <span class=\"when\">09:00<span"), "{month}");
}

#[tokio::test]
async fn a_url_without_a_user_selects_one_who_sees_the_calendar() {
    // Ben does not see the calendar of Ada, so that it is shown as Ada sees it.
    let source =
        wireform_page::PageSettings { user: Some("ben@example.com".into()), ..crate::common::page(Default::default()) };
    let router = wireform_page::router(source).expect("pages");
    let response = send(&router, local("/calendar/event?calendar=ada%40example.com&event=one", &[])).await;
    assert!(response.body.contains("/calendar?user=ada%40example.com"), "{}", response.body);
    let response = send(&router, local("/calendar/event?calendar=ben%40example.com&event=one", &[])).await;
    assert!(response.body.contains("/calendar?user=ben%40example.com"), "{}", response.body);
    let response = send(&router, local("/calendar/event?calendar=nobodys&event=one", &[])).await;
    assert_eq!(response.status, 404, "{}", response.body);
}

#[tokio::test]
async fn point_103_a_week_shows_when_its_owner_works() {
    let html = get_html("/calendar?calendar=ada%40example.com").await;
    assert!(html.contains("<span class=\"working\">Working hours Mon 10:00–17:30</span>"), "{html}");
    // Monday before ten and after half past five, and all of the other six days, of hours that reach from midnight on.
    assert_eq!(html.matches("class=\"off\"").count(), 8);
    assert!(html.contains("--top:0.00;--height:41.66;") && html.contains("--top:72.91;--height:27.08;"), "{html}");
}

#[tokio::test]
async fn channels_are_listed_with_their_messages() {
    let html = get_html("/calendar/channels").await;
    for piece in [
        "<bdi>tried plain</bdi>",
        "<bdi>new plain</bdi>",
        "4 Mar 2026 09:00:00 <small>until 4 Mar 2026 09:59:00</small>",
        "<span class=\"message\">2</span> <small>on its way, tried 3 times</small>",
        "<bdi>plain</bdi> <small>message 2, 4 Mar 2026 09:10:00</small>",
        "<td>4 Mar 2026 09:30:00</td>",
        "<td>none yet</td><td>with the next change</td>",
        "<a href=\"/calendar?user=ada%40example.com&amp;calendar=ada%40example.com\">",
    ] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    let none = get_html("/calendar/channels?user=ben%40example.com").await;
    assert!(text_of(&none).contains("No channel is open.") && !none.contains("<table"), "{none}");
}
