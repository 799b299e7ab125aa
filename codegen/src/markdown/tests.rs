//! Tests of normalization.

use super::{import, normalize, paragraph};

const BASE: &str = "https://docs.example/rest/";

/// Descriptions of schemas.
const OWN: [(&str, &str); 24] = [
    ("A title.", "A title."),
    ("Two\n    lines", "Two lines"),
    ("Two  spaces\u{a0}here ", "Two spaces here"),
    ("Use `a[0]` here", "Use `a[0]` here"),
    ("[`crate::x`] and [y](crate::y)", "\\[`crate::x`\\] and y"),
    ("```rust\npanic!()\n```", "```text\npanic!()\n```"),
    ("```\nlet a = 1;\n```", "```text\nlet a = 1;\n```"),
    ("```json\n{ \"a\":\t1 }\n```", "```json\n{ \"a\":    1 }\n```"),
    ("```should_panic\na\n```", "```text\na\n```"),
    ("# Heading\nText", "# Heading\n\nText"),
    ("#1 is no heading, 1. no list", "#1 is no heading, 1. no list"),
    ("1\\. one", "1\\. one"),
    ("A <b>x</b> */ */ <id>", "A \\<b\\>x\\</b\\> \\*/ \\*/ \\<id\\>"),
    ("see https://example.com/a_b.", "see <https://example.com/a_b>."),
    ("see https://{host}/a", "see `https://{host}/a`"),
    ("see https://a.example/?b=[c]. [https://a.example]", "see <https://a.example/?b=[c]>. \\[<https://a.example>\\]"),
    ("see https://a.example/b(c=1)", "see <https://a.example/b%28c=1%29>"),
    ("a \u{202e}b", "a \u{fffd}b"),
    ("odd ` tick", "odd \\` tick"),
    ("`projects/*` or projects/*/notes/*", "`projects/*` or projects/\\*/notes/\\*"),
    ("2*3*4 and *this* and **That:** so", "2\\*3\\*4 and *this* and **That:** so"),
    ("- a\n- b\n  - c\n\n    d\n\n1) e", "* a\n* b\n  * c\n\n    d\n\n1. e"),
    ("| a | b |\n|:--|---|\n| `x\\|y` | [z] |", "| a | b |\n| --- | --- |\n| `x\\|y` | \\[z\\] |"),
    ("> Note\n\nafter\\\n\\- line", "> Note\n\nafter\\\n\\- line"),
];

/// Descriptions of imported documents.
const OF_DOCUMENTS: [(&str, &str); 20] = [
    ("See <a href='https://a.example/b'>the page</a>.", "See [the page](https://a.example/b)."),
    (
        "See [the page](/b \"Page\"), [above](#x).",
        "See [the page](https://docs.example/b), [above](https://docs.example/rest/#x).",
    ),
    ("<a href=\"https://a.example\">https://a.example</a>", "<https://a.example>"),
    ("[x](javascript:alert) and <a name=top>y</a>", "x and y"),
    ("One<br/>- two<p>three</p>", "One\\\n\\- two\n\nthree"),
    ("Set <code>a[b](c)*d*</code> to `<br>` or &lt;id&gt;", "Set `a[b](c)*d*` to `<br>` or \\<id\\>"),
    (
        "**Bold**, **/*.rs and **<b>too</b>**, <id> not, 2 < 3 & 4 > 3",
        "**Bold**, \\*\\*/\\*.rs and **too**, \\<id\\> not, 2 \\< 3 \\& 4 \\> 3",
    ),
    (
        "# Head\nText with #1.\n```\n{\"a\": 1}\n```\nMore",
        "# Head\n\nText with #1.\n\n```text\n{\"a\": 1}\n```\n\nMore",
    ),
    ("An open ` tick, an <a tag, a [bracket](", "An open \\` tick, an \\<a tag, a \\[bracket\\]("),
    ("<ul><li>One <b>x</b><li>Two\n<ul><li>Three</ul></ul>After", "* One **x**\n* Two\n  * Three\n\nAfter"),
    ("<ol>\n<li><p>One</p></li>\n<li>Two</li>\n</ol>", "1. One\n2. Two"),
    ("<dl><dt>a<dd>b</dl>", "* a\n\n  b"),
    (
        "<table><tr><th>A<th>B</tr><tr><td>1|2</td><td><p>x</p><p>y</p></td></tr></table>",
        "| A | B |\n| --- | --- |\n| 1\\|2 | x y |",
    ),
    ("<pre><code>let a &lt; b;\n\n  c</code></pre>", "```text\nlet a < b;\n\n  c\n```"),
    ("<p>a <!-- hidden --> b</p><script>x()</script>", "a b"),
    ("<h2>Head</h2><p>Text</p><hr>", "## Head\n\nText\n\n---"),
    ("2<sup>32</sup>, <strong> spaced </strong>words", "2^32, **spaced** words"),
    ("![chart](img/a.png)", "[chart](https://docs.example/rest/img/a.png)"),
    ("<p></p>", ""),
    ("x <code>a</code><code>b</code>", "x `a` `b`"),
];

#[test]
fn descriptions_of_schemas_have_one_form() {
    for (written, expected) in OWN {
        assert_eq!(normalize(written), expected, "{written}");
    }
}

#[test]
fn descriptions_of_documents_become_markdown() {
    for (written, expected) in OF_DOCUMENTS {
        assert_eq!(import(written, Some(BASE)), expected, "{written}");
    }
    assert_eq!(import("[a](/b)", None), "a");
}

#[test]
fn the_form_stays_as_it_is() {
    let own = OWN.iter().map(|(written, _)| normalize(written));
    for form in own.chain(OF_DOCUMENTS.iter().map(|(written, _)| import(written, Some(BASE)))) {
        assert_eq!(normalize(&form), form);
        assert_eq!(import(&form, Some(BASE)), form);
    }
}

#[test]
fn paragraphs_among_others_are_broken_where_no_line_begins_a_block() {
    let words = ["word", "-", "1.", "#", "+1", "`- a`", "=", "<https://a.example>"].repeat(40).join(" ");
    let form = normalize(&format!("{words}\n\nSecond."));
    assert!(form.lines().count() > 10 && form.lines().all(|line| line.chars().count() <= 110), "{form}");
    assert_eq!(normalize(&form), form);
    assert_eq!(paragraph(&form).split_whitespace().count(), words.split_whitespace().count() + 1);
}

#[test]
fn a_description_within_a_sentence_is_one_paragraph() {
    let text = "# Head\nText:\n\n* one\n* two `x`\n\n```json\n{ }\n```\n\n| a |\n|---|\n| b |";
    assert_eq!(paragraph(text), "Head Text: one two `x` `{ }` a b");
}

#[test]
fn what_nests_without_end_or_never_closes_is_read() {
    for unit in ["> ", "<ul><li>", "<table><tr><td>", "* ", "<b>", "[", "<a href='x'>", "`", "<", "<!--", "&", "<code>"]
    {
        let text = unit.repeat(3000);
        let form = import(&text, Some(BASE));
        let _ = normalize(&form);
        let _ = paragraph(&text);
    }
}

#[test]
fn marks_without_words_are_not_lost() {
    for marks in ["-", "#", ">", "1.", "- -", "> -"] {
        assert_eq!((normalize(marks), paragraph(marks)), (format!("`{marks}`"), format!("`{marks}`")));
        assert_eq!(normalize(&normalize(marks)), normalize(marks));
    }
    assert_eq!((normalize(" "), paragraph("\n")), (String::new(), String::new()));
}
