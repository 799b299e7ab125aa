//! Conditions of operations and of fields.

use super::*;

#[test]
fn requests() {
    for (place, condition) in [
        ("REQUEST", "params.limit > 1 && (!has(params.dryRun) || params.dryRun) && params.states.all(s, s == 'open')"),
        ("REQUEST", "!has(params.zone) || isTimeZone(params.zone) || params.zone == body.id"),
        ("REQUEST", "body.start > timestamp('2020-01-01T00:00:00Z') && old.id == body.id && !old.done"),
        ("PATCH", "!has(body.note) || has(old.note) && body.note == old.note && params.itemId == old.id"),
        ("PATCH", "!has(body.part) || !has(body.part.inner.name) || body.part.inner.name == ''"),
        ("PATCH", "body.tags == old.tags && body.parts.all(p, has(p.name)) && has(body.labels)"),
        ("REQUEST", "new.start > timestamp('2020-01-01T00:00:00Z') && same(new.note, old.note) && new.id == body.id"),
        ("PATCH", "same(new.note, old.note) && same(new.part.inner.name, body.note) && new.done == old.done"),
        ("PATCH", "new.tags == old.tags && new.parts.all(p, same(p.name, old.note)) && same(new.done, old.done)"),
        ("EFFECTIVE", "params.limit == 1"),
        ("EFFECTIVE", "has(params.dryRun) && params.dryRun"),
        ("EFFECTIVE", "!has(params.itemId) || params.itemId == '1'"),
    ] {
        assert_eq!(diagnostics_at(place, condition, "[]"), [], "{condition}");
    }
    for (place, condition, code, part) in [
        ("REQUEST", "params.none == 1", "E0227", "none"),
        ("REQUEST", "this.id == ''", "E0227", "this"),
        ("REQUEST", "params.dryRun", "E0229", "params.dryRun"),
        ("REQUEST", "params == 1", "E0228", "params"),
        ("PATCH", "body.done", "E0229", "body.done"),
        ("PATCH", "!has(body.part) || body.part == old.part", "E0229", "old.part"),
        ("PATCH", "!has(body.part) || !has(old.part) || body.part == old.part", "E0228", "body.part == old.part"),
        ("PATCH", "body.labels.all(k, k == '')", "E0229", "body.labels"),
        ("LIST", "body.id == ''", "E0227", "body"),
        ("LIST", "old.nome == ''", "E0227", "nome"),
        ("LIST", "new.name == ''", "E0227", "new"),
        ("EFFECTIVE", "new.id == ''", "E0227", "new"),
        ("CONDITION", "has(new.id)", "E0227", "new"),
        ("PATCH", "new.note == ''", "E0229", "new.note"),
        ("PATCH", "same(new.note)", "E0228", "same(new.note)"),
        ("PATCH", "same(new.note, 'x')", "E0228", "'x'"),
        ("PATCH", "same(new.note, old.count)", "E0228", "same(new.note, old.count)"),
        ("PATCH", "same(new.nota, old.note)", "E0227", "nota"),
        ("PATCH", "same(new.labels, old.labels)", "E0228", "same(new.labels, old.labels)"),
        ("EFFECTIVE", "params.none == 1", "E0227", "none"),
        ("EFFECTIVE", "body.id == ''", "E0227", "body"),
        ("EFFECTIVE", "old.id == ''", "E0227", "old"),
    ] {
        let found: Vec<_> =
            diagnostics_at(place, condition, "[]").into_iter().map(|(code, part, _)| (code, part)).collect();
        assert_eq!(found, [(code.to_owned(), part.to_owned())], "{condition}");
    }
}

#[test]
fn a_parameter_that_an_operation_lacks_is_absent() {
    let constants = |condition: &str| -> Vec<Option<bool>> {
        let text = schema("EFFECTIVE", condition, "[]");
        let api = load(&[Source::new("api.yaml", text)]).unwrap_or_else(|output| panic!("{:?}", output.diagnostics));
        api.conditions.effective.values().map(crate::model::condition::Condition::constant).collect()
    };
    // Only the first operation has the parameter.
    assert_eq!(constants("has(params.dryRun) && params.dryRun"), [None, Some(false)]);
    assert_eq!(constants("!has(params.dryRun) || params.dryRun"), [None, Some(true)]);
    assert_eq!(constants("params.states == []"), [None, Some(false)]);
    assert_eq!(constants("params.limit == 1"), [None, None]);
    // Path parameters are always present.
    assert_eq!(constants("has(params.itemId)"), [Some(false), Some(true)]);
}
