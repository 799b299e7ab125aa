//! Types of conditions, and the presence of the fields that they read.

use super::{diagnostics_at, diagnostics_of};

#[test]
fn well_typed_conditions_are_accepted() {
    for condition in [
        "true",
        "has(this.note) && this.note.startsWith('a')",
        "!has(this.note) || this.note.size() > 1",
        "has(this.note) ? this.note != '' : this.done",
        "!(has(this.note) && has(this.count)) || this.count > size(this.note)",
        "!(!has(this.note) || this.note == '')",
        "this.id == 'x' && this.done",
        "this.state == 'open' || this.state in ['done', 'closed'] || this.state == State.open",
        "!has(this.other) || this.other == this.state",
        "!has(this.size) || this.size > 3 && this.size == 3u && this.size in [1, 2]",
        "!has(this.share) || this.share * 2 > 1 && this.share > 1.5",
        "!has(this.size) || !has(this.count) || this.size > this.count",
        "has(this.part.inner.name) && this.part.inner.name == this.id && this.part.inner.inner == this.part.inner.inner || true"
            .split(" && this.part.inner.inner")
            .next()
            .unwrap(),
        "this.parts.all(p, has(p.inner) && has(p.inner.name) && p.inner.name != '')",
        "this.parts.exists_one(p, has(p.name)) || this.tags.existsOne(t, t == 'a')",
        "this.parts.map(p, has(p.name), p.name).unique() && unique(this.tags)",
        "this.parts.map(p, has(p.name) && has(p.weight), [p.name, p.weight]).unique()",
        "size(this.parts.filter(p, has(p.name))) <= 1",
        "this.tags.map(t, t + 'x') == ['ax'] && this.tags == []",
        "'a' in this.tags && this.tags[0] == 'a' && 'k' in this.labels && this.labels['k'] == this.labels.k",
        "has(this.labels.k) && has(this.object.k) && this.labels.all(k, k != '')",
        "this.anything.all(a, a != null) && (!has(this.any) || this.any == null)",
        "!has(this.start) || (hasOffset(this.start) && this.start > timestamp('2020-01-01T00:00:00Z'))",
        "!has(this.start) || this.start + duration('1h') > this.start - duration('1.5s')",
        "!has(this.start) || this.start - this.start < duration('1h') && this.start.getFullYear('Europe/Zurich') > 2000",
        "!has(this.day) || this.day >= date('2020-02-29') && this.day.getMonth() == 1",
        "!has(this.wait) || this.wait.getSeconds() > 3 && this.wait == duration('3s')",
        "!has(this.data) || size(this.data) > 3 && this.data != b'a'",
        "!has(this.count) || -this.count < 3 - 2 * this.count / 2 % 3",
        "!has(this.count) || int('3') == this.count && double(this.count) > 0.5 && string(this.count) == '3' && uint(3) == 3u",
        "this.id.matches('^[a-z]+$') && matches(this.id, 'a') && this.id.isIp(4) && isIpPrefix(this.id, 6, true)",
        "isNan(1.5) || 1.isInf() || this.id.isHostAndPort(true)",
    ] {
        assert_eq!(diagnostics_of(condition), [], "{condition}");
    }
}

/// Ill-typed conditions with the expected code, part and message.
const ILL_TYPED: &[(&str, &str, &str, &str)] = &[
    ("this.nota == ''", "E0227", "nota", "unknown field `nota` of the resource `Item`"),
    ("that.note == ''", "E0227", "that", "unknown name `that`"),
    ("params.x == 1", "E0227", "params", "unknown name `params`: the rule belongs to a resource, not to an operation"),
    ("isMail(this.id)", "E0227", "isMail", "unknown function `isMail`"),
    ("this.note == ''", "E0229", "this.note", "the field may be absent here"),
    ("has(this.note) || this.note == ''", "E0229", "this.note", "the field may be absent here"),
    ("this.part.name == ''", "E0229", "this.part", "the field may be absent here"),
    ("has(this.part) && this.part.name == ''", "E0229", "this.part.name", "the field may be absent here"),
    ("this.start > timestamp('2020-01-01T00:00:00Z')", "E0229", "this.start", "the field may be absent here"),
    ("this.id == 1", "E0228", "this.id == 1", "cannot compare a string with an integer"),
    ("this.done == 'true'", "E0228", "this.done == 'true'", "cannot compare a boolean with a string"),
    ("this.id", "E0228", "this.id", "expected a boolean, found a string"),
    ("this.id && true", "E0228", "this.id", "expected a boolean, found a string"),
    ("this.state == 'opn'", "E0230", "'opn'", "unknown value `opn` of the enum `State`"),
    ("this.state in ['open', 'x']", "E0230", "'x'", "unknown value `x` of the enum `State`"),
    ("this.state < 'open'", "E0228", "this.state < 'open'", "cannot compare a value of the enum `State` with a string"),
    ("this.state > this.state", "E0228", "this.state > this.state", "a value of the enum `State` cannot be ordered"),
    (
        "this.id == null",
        "E0228",
        "this.id == null",
        "a string is never null: use `has()` to check whether it is present",
    ),
    ("this.anything.all(a, a == 'x')", "E0228", "a == 'x'", "cannot compare any JSON value with a string"),
    (
        "this.tags.all(t, u, true)",
        "E0226",
        "this.tags.all(t, u, true)",
        "comprehensions with two variables are not supported",
    ),
    ("{'a': 1} == this", "E0226", "{'a': 1}", "map literals are not supported"),
    ("type(this.id) == this.id", "E0226", "type", "the conversion to a type (`type(x)`) is not supported"),
    ("this.id.lowerAscii() == 'a'", "E0226", "lowerAscii", "the string extension `lowerAscii` is not supported"),
    ("now > timestamp('2020-01-01T00:00:00Z')", "E0226", "now", "the current time (`now`) is not supported"),
    ("math.greatest(1, 2) == 2", "E0226", "math.greatest(1, 2)", "the functions of `math` are not supported"),
    ("this.id.matches(this.id)", "E0226", "this.id", "patterns that are not literals are not supported"),
    ("this.id.matches('(')", "E0208", "'('", "invalid pattern: unclosed group"),
    (
        "timestamp('2020') > timestamp('2020-01-01T00:00:00Z')",
        "E0230",
        "timestamp('2020')",
        "`2020` is not a timestamp",
    ),
    ("has(this)", "E0228", "this", "`has()` expects a field: `has(this.title)`"),
    ("size(3) == 1", "E0228", "size(3)", "`size` cannot be called with an integer"),
    ("this.id.startsWith()", "E0228", "this.id.startsWith()", "`startsWith` cannot be called with a string"),
    ("this.tags + ['a'] == []", "E0226", "this.tags + ['a']", "concatenations of lists are not supported"),
    ("this.id + 1 == ''", "E0228", "this.id + 1", "cannot apply `+` to a string and an integer"),
    ("[1, 'a'] == []", "E0228", "'a'", "expected an integer like the first element of the list, found a string"),
    (
        "true ? 1 == 1 : 'x'",
        "E0228",
        "true ? 1 == 1 : 'x'",
        "the values of the conditional have different types: a boolean and a string",
    ),
    ("isIp(this.id, 5)", "E0230", "isIp(this.id, 5)", "unknown IP version 5"),
    ("a ||", "E0225", "", "unexpected end of the condition"),
    ("this.id == 'x", "E0225", "'x", "unterminated string"),
    ("Item{id: 'a'} == this", "E0226", "Item{id: 'a'}", "message literals are not supported"),
];

#[test]
fn ill_typed_conditions_are_rejected() {
    for (condition, code, part, message) in ILL_TYPED {
        let expected = ((*code).to_owned(), (*part).to_owned(), (*message).to_owned());
        assert_eq!(diagnostics_of(condition), [expected], "{condition}");
    }
}

#[test]
fn every_error_is_reported() {
    let found = diagnostics_of("this.nota == '' && (this.id == 1 || this.note == '') && foo(this.bar)");
    let parts: Vec<&str> = found.iter().map(|(_, part, _)| part.as_str()).collect();
    assert_eq!(parts, ["nota", "this.id == 1", "this.note", "foo", "bar"]);
}

#[test]
fn required_where_the_rule_holds() {
    let condition = "this.start > timestamp('2020-01-01T00:00:00Z')";
    assert_eq!(diagnostics_at("CONDITION", condition, "[items.create]"), []);
    assert_eq!(diagnostics_at("CONDITION", condition, "[items.create, items.patch]").len(), 1);
}
