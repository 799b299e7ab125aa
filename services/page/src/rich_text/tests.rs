//! Tests of links and of HTML of others.

use super::sanitize::KEPT;
use super::*;

fn rel(url: &str, text: &str) -> String {
    format!("<a href=\"{url}\" rel=\"noopener noreferrer\">{text}</a>")
}

#[test]
fn urls_become_links() {
    let linked = |url: &str| rel(url, url);
    for (text, expected) in [
        ("see https://a.example/b?c=1.", format!("see {}.", linked("https://a.example/b?c=1"))),
        ("(http://a/(b))", format!("({})", linked("http://a/(b)"))),
        ("MAILTO:a@b, c@d.", format!("MAILTO:{}, {}.", rel("mailto:a@b", "a@b"), rel("mailto:c@d", "c@d"))),
        ("a <https://b>", format!("a &lt;{}&gt;", linked("https://b"))),
        (
            "javascript:alert(1) data:x xhttps://a https:// ftp://a",
            "javascript:alert(1) data:x xhttps://a https:// ftp://a".to_owned(),
        ),
        ("http://a\u{202e}b", format!("{}\u{fffd}b", linked("http://a"))),
    ] {
        assert_eq!(with_links(text), expected, "{text}");
    }
    assert_eq!(link("javascript:alert(1)"), "<bdi>javascript:alert(1)</bdi>");
}

#[test]
fn html_is_reduced_to_harmless_elements() {
    for (html, expected) in [
        ("<p>a <b>b</b></p>", "<p>a <b>b</b></p>"),
        ("<p onclick=x style='y'>a<script>b</script><img src=x onerror=y>", "<p>a</p>"),
        ("<b>a<i>b</b>c</i>", "<b>a<i>b</i></b><i>c</i>"),
        ("</div></main><p>a", "<p>a</p>"),
        ("<a href=javascript:x>a</a><b>b</b>", "a<b>b</b>"),
        ("<a href=' java&#115;cript:x'>a</a> <a href=\"&#x6a;avascript:x\">b</a>", "a b"),
        ("<p title=\"<b>\">a<!-- <b> -->b<?x ?></p>", "<p>ab</p>"),
        (
            "<style>p{}</style><svg><p>x</p></svg><p>a &lt;b&gt; &amp; &eacute;</p>",
            "<p>x</p><p>a &lt;b&gt; &amp; é</p>",
        ),
        ("<ul>\n<li>a<li>b</ul><li>c", "<ul><li>a</li><li>b</li></ul><div>c</div>"),
        ("<ul>a<b>c</b></ul>", "<ul><li>a<b>c</b></li></ul>"),
        ("<ol><li><ul><li>a</ul><li>b", "<ol><li><ul><li>a</li></ul></li><li>b</li></ol>"),
        ("<h1>a</h1><b", "<div>a</div>"),
        ("<table><tr><th>a<td>b</table>", "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>"),
        ("<a href='https://a/\u{202e}b'>c</a>&#x202e;", "c\u{fffd}"),
        ("1 < 2 <b>3</b>", "1 &lt; 2 <b>3</b>"),
    ] {
        assert_eq!(sanitize(html), expected, "{html}");
    }
    let url = "https://a/?b=1&c=\"";
    assert_eq!(
        sanitize("<a class=x href='https://a/?b=1&amp;c'>d https://e</a>"),
        rel("https://a/?b=1&amp;c", "d https://e")
    );
    assert_eq!(sanitize(&format!("<a href='{url}'>x</a>")), "x", "a URL with a quote is none");
    assert_eq!(sanitize("<b>https://e</b>"), format!("<b>{}</b>", rel("https://e", "https://e")));
}

#[test]
fn a_text_without_kept_elements_is_shown_as_it_is() {
    for text in ["a <b", "if a<b then c", "to <ada@example.com>, <script>x</script>"] {
        assert!(rich_text(text).starts_with("<div class=\"text\" dir=\"auto\">"), "{text}");
        assert!(rich_text(text).contains("&lt;"), "{text}");
    }
    // Nested elements take quadratic time.
    let nested = rich_text(&"<div>".repeat(100_000));
    assert!(nested.contains("&lt;div&gt;"), "{}", &nested[..200]);
    assert!(rich_text(&"<ul><li>".repeat(1_000)).contains("<ul><li><ul>"));
}

#[test]
fn whatever_comes_only_kept_elements_are_written() {
    // A small generator of tags and pieces of tags.
    let pieces = [
        "<",
        ">",
        "</",
        "<a ",
        "<b",
        "<ul>",
        "<li>",
        "</li>",
        "</ul>",
        "href=",
        "'",
        "\"",
        "http://x",
        "javascript:x",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "&lt;",
        "&#60;",
        "<p>",
        "</p>",
        " ",
        "onerror=x",
        "/",
        "=",
        "é",
        "<img ",
        "<svg>",
        "<div>",
    ];
    let mut state = 7_usize;
    for _ in 0..4_000 {
        let mut html = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            html.push_str(pieces[(state >> 33) % pieces.len()]);
        }
        let result = sanitize(&html);
        let mut open: Vec<&str> = Vec::new();
        for tag in result.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("every tag ends");
            let name = tag.trim_start_matches('/').split(' ').next().unwrap_or_default();
            assert!(KEPT.split(' ').any(|kept| kept == name), "{html} becomes {result}");
            assert!(
                tag == name || tag == format!("/{name}") || tag.starts_with("a href=\"http://x"),
                "{html}: {result}"
            );
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name), "{html} becomes {result}"),
                None if name != "br" => open.push(name),
                None => {}
            }
        }
        assert!(open.is_empty(), "{html} becomes {result}");
    }
}
