//! JSON values of a resource, derived from the model: one full value, and arbitrary ones.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use wireform_codegen::model::{Api, Encoding, Lexical, Resource, Type};

/// Maximum nesting depth of resources in a value.
const DEPTH: usize = 4;

/// Returns a value with all fields, up to the maximum depth.
pub fn full(api: &Api, resource: &Resource, depth: usize) -> Value {
    if let Some(outcome) = resource.outcome {
        let success = &resource.fields[outcome.success];
        return json!({ "done": true, &*success.name.wire: one(api, &success.ty, depth) });
    }
    let fields = resource.fields.iter().filter(|field| depth < DEPTH || !holds_resource(&field.ty));
    fields.map(|field| (field.name.wire.clone(), one(api, &field.ty, depth))).collect()
}

fn holds_resource(ty: &Type) -> bool {
    matches!(ty.innermost_type(), Type::Resource(_))
}

/// Returns one value of a type.
fn one(api: &Api, ty: &Type, depth: usize) -> Value {
    match ty {
        Type::Bool => json!(true),
        Type::Int32 => json!(-2_147_483_648_i64),
        Type::Uint32 => json!(4_294_967_295_u64),
        Type::Int64(Encoding::DecimalString) => json!("-9223372036854775808"),
        Type::Int64(Encoding::UnixSeconds | Encoding::UnixMilliseconds) => json!(-377_705_023_201_i64),
        Type::Int64(_) => json!(i64::MIN),
        Type::Uint64(Encoding::DecimalString) => json!("18446744073709551615"),
        Type::Uint64(_) => json!(u64::MAX),
        Type::Float => json!(0.25),
        Type::Double => json!(-1.5e300),
        Type::Number => json!(-0.5),
        Type::String => json!("text \u{1f980} \"\\\n\u{0}"),
        Type::Bytes(_) => json!("-_-_AA=="),
        Type::Date => json!("2024-02-29"),
        Type::DateTime => json!("2026-03-29T02:30:00.120+05:45"),
        Type::Duration => json!("-1.500s"),
        Type::Lexical(Lexical::Decimal) => json!("-0.10e400"),
        Type::Lexical(Lexical::IsoDuration) => json!("-P1Y2M10DT2H30M"),
        Type::Lexical(Lexical::Time) => json!("23:59:60.120z"),
        Type::Lexical(Lexical::HttpDate) => json!("Tue, 29 Feb 2028 00:00:00 GMT"),
        Type::Any | Type::Unresolved => json!({ "any": [1, null, "x"] }),
        Type::Object => json!({ "a": null, "b": { "c": 1.5 } }),
        Type::Enum(id) => json!(api.enumeration(*id).values[0].name.wire),
        Type::Resource(id) => full(api, api.resource(*id), depth + 1),
        // A value that matches no variant is kept.
        Type::Union(_) => json!({ "later": [1, null] }),
        Type::Nullable(inner) => one(api, inner, depth),
        Type::List(inner) => json!([one(api, inner, depth)]),
        Type::Map(inner) => json!({ "key": one(api, inner, depth), "": one(api, inner, depth) }),
    }
}

/// Replaces every enum value by an unknown one.
pub fn make_enums_unknown(api: &Api, resource: &Resource, value: &mut Value) {
    for field in &resource.fields {
        if let Some(member) = value.get_mut(&field.name.wire) {
            make_unknown(api, &field.ty, member);
        }
    }
}

fn make_unknown(api: &Api, ty: &Type, value: &mut Value) {
    match (ty, value) {
        (Type::Enum(_), value) => *value = json!("value of a later version"),
        (Type::Resource(id), value) => make_enums_unknown(api, api.resource(*id), value),
        (Type::List(inner), Value::Array(items)) => items.iter_mut().for_each(|item| make_unknown(api, inner, item)),
        (Type::Map(inner), Value::Object(members)) => {
            members.values_mut().for_each(|member| make_unknown(api, inner, member))
        }
        _ => {}
    }
}

/// Returns arbitrary values of a resource: each field is present or absent, without nulls and empty lists.
pub fn arbitrary_of(api: &Api, resource: &Resource) -> BoxedStrategy<Value> {
    members(api, resource, 0)
}

fn members(api: &Api, resource: &Resource, depth: usize) -> BoxedStrategy<Value> {
    if resource.outcome.is_some() {
        return outcome(api, resource, depth);
    }
    let mut strategy: BoxedStrategy<Map<String, Value>> = Just(Map::new()).boxed();
    for field in resource.fields.iter().filter(|field| depth < 2 || !holds_resource(&field.ty)) {
        let name = field.name.wire.clone();
        let member = proptest::option::weighted(0.4, arbitrary(api, &field.ty, depth));
        strategy = (strategy, member)
            .prop_map(move |(mut object, member)| {
                object.extend(member.map(|member| (name.clone(), member)));
                object
            })
            .boxed();
    }
    strategy.prop_map(Value::Object).boxed()
}

fn outcome(api: &Api, resource: &Resource, depth: usize) -> BoxedStrategy<Value> {
    let Some(outcome) = resource.outcome else { return Just(json!({})).boxed() };
    let result = |index: usize| {
        let field = &resource.fields[index];
        let name = field.name.wire.clone();
        arbitrary(api, &field.ty, depth).prop_map(move |value| json!({ "done": true, &*name: value }))
    };
    prop_oneof![Just(json!({ "done": false })), result(outcome.success), result(outcome.failure)].boxed()
}

/// Returns arbitrary values of a type.
pub fn arbitrary(api: &Api, ty: &Type, depth: usize) -> BoxedStrategy<Value> {
    match ty {
        Type::Bool => any_of(any::<bool>()),
        Type::Int32 => any_of(any::<i32>()),
        Type::Uint32 => any_of(any::<u32>()),
        Type::Int64(Encoding::DecimalString) => any::<i64>().prop_map(|number| json!(number.to_string())).boxed(),
        Type::Int64(Encoding::UnixSeconds | Encoding::UnixMilliseconds) => any_of(any::<i32>()),
        Type::Int64(_) => any_of(any::<i64>()),
        Type::Uint64(Encoding::DecimalString) => any::<u64>().prop_map(|number| json!(number.to_string())).boxed(),
        Type::Uint64(_) => any_of(any::<u64>()),
        Type::Float => (-1000_i16..1000).prop_map(|number| json!(f32::from(number) / 8.0)).boxed(),
        Type::Double | Type::Number => any_of(-1e300..1e300_f64),
        Type::String => any_of(any::<String>()),
        Type::Bytes(_) => "([A-Za-z0-9_-]{4}){0,5}".prop_map(|text| json!(text)).boxed(),
        Type::Date => date().prop_map(|date| json!(date)).boxed(),
        Type::DateTime => date_time().prop_map(|text| json!(text)).boxed(),
        Type::Duration => "-?[1-9][0-9]{0,9}(\\.[0-9]{1,9})?s".prop_map(|text| json!(text)).boxed(),
        Type::Lexical(Lexical::Decimal) => {
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,9})?([eE][-+]?[0-9]{1,5})?".prop_map(|text| json!(text)).boxed()
        }
        Type::Lexical(Lexical::IsoDuration) => "P[0-9]{1,3}DT[0-9]{1,3}S".prop_map(|text| json!(text)).boxed(),
        Type::Lexical(Lexical::Time) => {
            "[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]0[0-9]:30)?".prop_map(|text| json!(text)).boxed()
        }
        Type::Lexical(Lexical::HttpDate) => {
            "[01][0-9]:[0-5][0-9]:[0-5][0-9]".prop_map(|time| json!(format!("Sun, 06 Nov 1994 {time} GMT"))).boxed()
        }
        Type::Any | Type::Unresolved => json_value().prop_filter("null is absent", |value| !value.is_null()).boxed(),
        Type::Object => json_value().prop_map(|value| json!({ "value": value })).boxed(),
        Type::Enum(id) => {
            let known: Vec<String> = api.enumeration(*id).values.iter().map(|value| value.name.wire.clone()).collect();
            prop_oneof![9 => proptest::sample::select(known), 1 => "later[a-z]{0,8}"]
                .prop_map(|text| json!(text))
                .boxed()
        }
        Type::Resource(id) => members(api, api.resource(*id), depth + 1),
        Type::Union(_) => json_value().prop_map(|value| json!({ "later": value })).boxed(),
        Type::Nullable(inner) => prop_oneof![Just(Value::Null), arbitrary(api, inner, depth)].boxed(),
        Type::List(inner) => {
            proptest::collection::vec(arbitrary(api, inner, depth + 1), 1..3).prop_map(Value::Array).boxed()
        }
        Type::Map(inner) => proptest::collection::btree_map("[a-z]{0,3}", arbitrary(api, inner, depth + 1), 1..3)
            .prop_map(|members| members.into_iter().collect::<Value>())
            .boxed(),
    }
}

fn any_of<T: Into<Value> + std::fmt::Debug + 'static>(
    strategy: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Value> {
    strategy.prop_map(Into::into).boxed()
}

fn date() -> impl Strategy<Value = String> {
    (0_u16..10_000, 1_u8..13, 1_u8..29).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
}

fn date_time() -> impl Strategy<Value = String> {
    let clock =
        (0_u8..24, 0_u8..60, 0_u8..60).prop_map(|(hour, minute, second)| format!("{hour:02}:{minute:02}:{second:02}"));
    let fraction = prop_oneof![Just(String::new()), "\\.[0-9]{1,18}"];
    let offset = prop_oneof![
        Just(String::new()),
        Just("Z".into()),
        Just("-00:00".into()),
        "[+-](0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]"
    ];
    (date(), prop_oneof![Just('T'), Just('t')], clock, fraction, offset)
        .prop_map(|(date, letter, clock, fraction, offset)| format!("{date}{letter}{clock}{fraction}{offset}"))
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Null), any_of(any::<bool>()), any_of(any::<i64>()), any_of(any::<String>())];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            proptest::collection::btree_map("[a-z]{1,3}", inner, 0..3)
                .prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}
