//! Tests of the contents and headers of the pages.

use crate::browse::shapes;
use crate::common::{BASE, Sample, TOKEN, apis, from, local, page, sample, send};
use http::StatusCode;
use wireform_page::{
    Api, Calendar, Contents, DocumentError, Listing, Mailbox, PageSettings, Project, not_found, router,
};

fn contents() -> Contents {
    let mailbox = |address: &str| Mailbox { address: address.into(), messages: 12, threads: 7, history_id: 90_210 };
    Contents {
        mailboxes: Listing { items: vec![mailbox("ada@example.com")], total: 4 },
        calendars: vec![Calendar {
            id: "team@example.com".into(),
            summary: "Team".into(),
            owner: "ada@example.com".into(),
        }]
        .into(),
        projects: Listing::default(),
    }
}

#[tokio::test]
async fn the_overview_shows_the_store() {
    let router = router(page(contents())).expect("pages");
    let response = send(&router, local("/", &[])).await;
    assert_eq!(response.status, StatusCode::OK);
    assert_eq!(response.header("content-type"), "text/html; charset=utf-8");
    for piece in [
        "<h2>Mailboxes (4)</h2>",
        "<td><a href=\"/mail?user=ada%40example.com\"><bdi>ada@example.com</bdi></a></td><td class=\"number\">12</td><td class=\"number\">7</td>\
         <td class=\"number\">90210</td>",
        "<p>And 3 more.</p>",
        "<h2>Calendars (1)</h2>",
        "<td><a href=\"/calendar?user=ada%40example.com&amp;calendar=team%40example.com\"><bdi>Team</bdi></a></td>\
         <td><bdi>team@example.com</bdi></td><td><bdi>ada@example.com</bdi></td>",
        "<h2>Script projects (0)</h2>\n<p>There are none.</p>",
        "<a href=\"/docs/mailbox\">Mailbox history</a>",
        "<a href=\"/docs/script\">Script projects</a>",
    ] {
        assert!(response.body.contains(piece), "{piece} is not in {}", response.body);
    }
}

#[tokio::test]
async fn the_overview_has_samples_with_the_token_for_the_person_here_only() {
    let router = router(PageSettings { overview_public: true, ..page(contents()) }).expect("pages");
    let here = send(&router, local("/", &[])).await;
    for piece in [
        "<h3>Base URL</h3>\n<div class=\"code\"><button type=\"button\" data-copies hidden>Copy</button>\
         <pre tabindex=\"0\">http://127.0.0.1:8117</pre>",
        "<pre tabindex=\"0\">ready-token-of-the-tests</pre>",
        "<summary>curl</summary>",
        "curl -H &#39;Authorization: Bearer ready-token-of-the-tests&#39; http://127.0.0.1:8117/mail/v1/users/me/profile</pre>",
        "<summary>Python</summary>",
        "<summary>Node.js</summary>",
        "<summary>Rust</summary>",
        ".base_url(&quot;http://127.0.0.1:8117/mail/v1&quot;).credentials(Credentials::token(&quot;ready-token",
    ] {
        assert!(here.body.contains(piece), "{piece} is not in {}", here.body);
    }
    // Others see neither the token nor links to pages that they may not open.
    let headers = [("host", "wireform.example")];
    let elsewhere = send(&router, from("192.0.2.7:1", "/", &headers)).await;
    assert_eq!(elsewhere.status, StatusCode::OK);
    assert!(!elsewhere.body.contains(TOKEN) && !elsewhere.body.contains("/mail?user="), "{}", elsewhere.body);
    assert!(elsewhere.body.contains("<bdi>ada@example.com</bdi>") && elsewhere.body.contains("No token is shown here"));
}

#[tokio::test]
async fn every_page_has_a_skip_link_first_and_marks_its_section() {
    for (target, section) in [
        ("/", "Overview"),
        ("/mail", "Mail"),
        ("/mail/message", "Mail"),
        ("/calendar?view=year", "Calendar"),
        ("/scripts/executions", "Scripts"),
        ("/docs", "References"),
        ("/docs/calendar", "References"),
    ] {
        let html = send(&sample(), local(target, &[])).await.body;
        let body = html.split("<body>\n").nth(1).expect("a body");
        assert!(body.starts_with("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"), "{target}: {html}");
        assert!(body.contains("<main id=\"main\" tabindex=\"-1\">"), "{target}: {html}");
        assert_eq!(html.matches("aria-current=\"true\"").count(), 1, "{target}: {html}");
        assert!(html.contains(&format!("aria-current=\"true\">{section}</a>")), "{target}: {html}");
    }
}

#[tokio::test]
async fn an_unknown_path_is_a_page_with_a_way_back_for_browsers() {
    let browser = [("accept", "text/html,application/xhtml+xml,*/*;q=0.8")];
    let request = |target: &str, headers: &[(&str, &str)]| local(target, headers).into_parts().0;
    let page = not_found(&request("/no/%3Cb%3Epage", &browser)).expect("a page");
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
    let body = axum::body::to_bytes(page.into_body(), 1 << 20).await.expect("a body");
    let html = String::from_utf8(body.to_vec()).expect("UTF-8");
    for piece in ["<a href=\"/\">‹ Overview</a>", "<h1>Page not found</h1>", "<code>/no/%3Cb%3Epage</code>"] {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
    assert!(not_found(&request("/v1/nothing", &[("accept", "application/json")])).is_none());
    assert!(not_found(&request("/v1/nothing", &[])).is_none());
    // A page of a section that cannot be shown leads back to the section.
    let failed = send(&sample(), local("/mail/message?id=gone", &[])).await.body;
    assert!(failed.contains("<p class=\"back\"><a href=\"/mail\">‹ Mail</a></p>"), "{failed}");
}

/// The sample in Rust, which is compiled here and never run.
#[allow(dead_code)]
mod rust_sample {
    include!("../../assets/samples/call.rs");
}

/// Names that would be interpreted as something other than text without escaping.
pub const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</td></table></main><form action=//evil.example>",
    "&lt;b&gt;",
    "<!-- <![CDATA[",
    "\u{202e}moc.live\u{2066}\0",
    "{{7*7}} ${7*7} javascript:alert(1)",
];

#[tokio::test]
async fn names_are_text_whatever_they_hold() {
    let clean = send(&router(page(named("plain"))).expect("pages"), local("/", &[])).await;
    for name in HOSTILE {
        let response = send(&router(page(named(name))).expect("pages"), local("/", &[])).await;
        assert_eq!(response.status, StatusCode::OK);
        assert_eq!(shapes(&response.body), shapes(&clean.body), "{name:?} adds elements");
        let shown = text_of(&response.body);
        let expected: String = name.chars().map(|c| if HIDDEN.contains(&c) { '\u{fffd}' } else { c }).collect();
        assert_eq!(shown.matches(&expected).count(), 6, "{name:?} is shown as it is: {shown}");
    }
}

const HIDDEN: [char; 3] = ['\u{202e}', '\u{2066}', '\0'];

/// Returns contents in which every text is the given name.
fn named(name: &str) -> Contents {
    let mailbox = Mailbox { address: name.into(), messages: 1, threads: 1, history_id: 1 };
    Contents {
        mailboxes: vec![mailbox].into(),
        calendars: vec![Calendar { id: name.into(), summary: name.into(), owner: name.into() }].into(),
        projects: vec![Project { id: name.into(), title: name.into(), owner: String::new() }].into(),
    }
}

/// Returns the tags of a page, in order.
pub fn elements(html: &str) -> Vec<&str> {
    html.split('<').skip(1).filter_map(|piece| piece.split_once('>')).map(|(tag, _)| tag).collect()
}

/// Returns the text of a page between its tags.
pub fn text_of(html: &str) -> String {
    let text: String = html.split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

#[tokio::test]
async fn pages_run_no_scripts_in_their_text() {
    for target in ["/", "/docs", "/docs/", "/docs/mailbox"] {
        let response = send(&sample(), local(target, &[])).await;
        assert_eq!(response.status, 200, "{target}");
        let policy = response.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{target}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{target}: {policy}");
        assert_eq!(response.header("x-content-type-options"), "nosniff");
        for inline in ["<script>", " onclick", " style=", "<style"] {
            assert!(!response.body.contains(inline), "{target} has {inline}");
        }
        let body = response.body.replace(BASE, "");
        for outside in ["http://", "https://", "\"//"] {
            assert!(!body.contains(outside), "{target} names another origin: {body}");
        }
    }
}

#[tokio::test]
async fn an_overview_that_cannot_be_read_says_so_without_the_cause() {
    let settings: PageSettings<Sample> =
        PageSettings { source: Sample { contents: None, text: String::new() }, ..page(Contents::default()) };
    let response = send(&router(settings).expect("pages"), local("/", &[])).await;
    assert_eq!(response.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(response.body.contains("cannot be read") && !response.body.contains("fire"), "{}", response.body);
}

#[tokio::test]
async fn descriptions_name_this_server_and_keep_their_order() {
    for api in apis() {
        let response = send(&sample(), local(&format!("/docs/{}/openapi.json", api.name), &[])).await;
        assert_eq!(response.header("content-type"), "application/json; charset=UTF-8");
        let mut shown: serde_json::Value = serde_json::from_str(&response.body).expect("JSON");
        let mut written: serde_json::Value = serde_json::from_str(api.openapi).expect("JSON");
        let servers = shown["servers"].take();
        let paths: Vec<_> =
            servers.as_array().expect("servers").iter().map(|s| s["url"].as_str().expect("url")).collect();
        match api.name {
            "mailbox" => assert_eq!(paths, ["/mail/v1", "/gmail/v1"]),
            "calendar" => assert_eq!(paths, ["/calendar/v3"]),
            _ => assert_eq!(paths, ["/v1"]),
        }
        written["servers"].take();
        assert_eq!(shown, written, "nothing else differs");
        let cut = |text: &str| text.split_once("\"paths\"").map(|(_, rest)| rest.to_owned());
        assert_eq!(cut(&response.body), cut(api.openapi));
    }
}

#[test]
fn a_description_of_another_form_is_refused() {
    for (openapi, json) in [("{", false), ("{}", true), ("{\"servers\":[{\"url\":\"/\"}]}", true)] {
        let settings =
            PageSettings { apis: vec![Api { name: "odd", title: "Odd", openapi }], ..page(Contents::default()) };
        let error = router(settings).expect_err("refused");
        assert_eq!(matches!(error, DocumentError::Servers { api: "odd" }), json, "{error}");
    }
}

#[tokio::test]
async fn what_a_reference_loads_is_there() {
    let response = send(&sample(), local("/docs/calendar", &[])).await;
    let addresses: Vec<_> = ["src=\"", "href=\"", "data-document=\""]
        .iter()
        .flat_map(|name| response.body.split(name).skip(1))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(address, _)| address)
        .filter(|address| !address.starts_with('#'))
        .collect();
    assert!(addresses.len() >= 8, "{addresses:?}");
    for address in addresses {
        let response = send(&sample(), local(address, &[])).await;
        assert_eq!(response.status, StatusCode::OK, "{address}");
        let keeps = response.header("cache-control").contains("immutable");
        assert_eq!(
            keeps,
            address.contains("swagger-ui-5."),
            "{address}: only files with a version are cached permanently"
        );
    }
}
