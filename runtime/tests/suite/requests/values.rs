//! Values of every type.

use wireform_runtime::fields::{Field, FieldContent, NestedField, Selectable, Selection, Shape};
use wireform_runtime::{BigDecimal, Bytes, Date, DateTime, Decimal, Duration, HttpDate, IsoDuration, Time};
use wireform_runtime::{UnixMillis, UnixTime};

use super::*;

const V: Parameter = Parameter::query("v");
const L: Parameter = Parameter::query("l").commas();

request! {
    struct Typed {
        flag: Option<bool>, i32: Option<i32>, i64: Option<i64>, u32: Option<u32>, u64: Option<u64>, float: Vec<f32>,
        double: Vec<f64>, signed: Option<Decimal<i64>>, unsigned: Option<Decimal<u64>>, date: Option<Date>,
        time: Option<DateTime>, duration: Option<Duration>, bytes: Option<Bytes>,
        price: Option<BigDecimal>, clock: Option<Time>, http: Option<HttpDate>, iso: Option<IsoDuration>,
        seconds: Option<UnixTime>, millis: Option<UnixMillis>,
    }
    path: &[Segment::Literal("typed")],
    verb: None,
    parameters: &[V, V, V, V, V, L, L, V, V, V, V, V, V, V, V, V, V, V, V],
    write: |request, parts| {
        parts.parameter(&request.flag);
        parts.parameter(&request.i32);
        parts.parameter(&request.i64);
        parts.parameter(&request.u32);
        parts.parameter(&request.u64);
        parts.parameter(&request.float);
        parts.parameter(&request.double);
        parts.parameter(&request.signed);
        parts.parameter(&request.unsigned);
        parts.parameter(&request.date);
        parts.parameter(&request.time);
        parts.parameter(&request.duration);
        parts.parameter(&request.bytes);
        parts.parameter(&request.price);
        parts.parameter(&request.clock);
        parts.parameter(&request.http);
        parts.parameter(&request.iso);
        parts.parameter(&request.seconds);
        parts.parameter(&request.millis);
    }
}

#[test]
fn values_of_every_type() {
    let base = Typed::default;
    for (request, query) in [
        (Typed { flag: Some(true), ..base() }, "v=true"),
        (Typed { flag: Some(false), ..base() }, "v=false"),
        (Typed { i32: Some(i32::MIN), ..base() }, "v=-2147483648"),
        (Typed { i64: Some(i64::MIN), ..base() }, "v=-9223372036854775808"),
        (Typed { u32: Some(u32::MAX), ..base() }, "v=4294967295"),
        (Typed { u64: Some(u64::MAX), ..base() }, "v=18446744073709551615"),
        (Typed { float: vec![1.5, -0.0, 0.1], ..base() }, "l=1.5,-0,0.1"),
        (Typed { double: vec![0.30000000000000004, 1e21], ..base() }, "l=0.30000000000000004,1000000000000000000000"),
        (Typed { double: vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY], ..base() }, "l=NaN,Infinity,-Infinity"),
        (Typed { float: vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY], ..base() }, "l=NaN,Infinity,-Infinity"),
        (Typed { signed: Some(Decimal(-1)), ..base() }, "v=-1"),
        (Typed { unsigned: Some(Decimal(u64::MAX)), ..base() }, "v=18446744073709551615"),
        (Typed { date: Some("2026-02-28".parse().unwrap()), ..base() }, "v=2026-02-28"),
        // Parsed values are written in their original form; a plus sign does not become a space.
        (
            Typed { time: Some("2026-01-01T10:00:00.50+01:00".parse().unwrap()), ..base() },
            "v=2026-01-01T10%3A00%3A00.50%2B01%3A00",
        ),
        (Typed { time: Some("2026-01-01T10:00:00Z".parse().unwrap()), ..base() }, "v=2026-01-01T10%3A00%3A00Z"),
        (Typed { duration: Some("-1.50s".parse().unwrap()), ..base() }, "v=-1.50s"),
        (Typed { bytes: Some("+w==".parse().unwrap()), ..base() }, "v=%2Bw%3D%3D"),
        (Typed { bytes: Some(Bytes::url_unpadded([0xfb])), ..base() }, "v=-w"),
        (Typed { bytes: Some(Bytes::standard_unpadded([0xfb])), ..base() }, "v=%2Bw"),
        (Typed { price: Some("-0.10".parse().unwrap()), ..base() }, "v=-0.10"),
        (Typed { clock: Some("09:30:00.50Z".parse().unwrap()), ..base() }, "v=09%3A30%3A00.50Z"),
        (
            Typed { http: Some("Sunday, 06-Nov-94 08:49:37 GMT".parse().unwrap()), ..base() },
            "v=Sun%2C%2006%20Nov%201994%2008%3A49%3A37%20GMT",
        ),
        (Typed { iso: Some("P1DT2H".parse().unwrap()), ..base() }, "v=P1DT2H"),
        (Typed { seconds: Some(UnixTime(-1)), ..base() }, "v=-1"),
        (Typed { millis: Some(UnixMillis(1_700_000_000_123)), ..base() }, "v=1700000000123"),
    ] {
        assert_eq!(target(&request), format!("/calendars/v3/typed?{query}"), "{request:?}");
    }
}

struct Event;

impl Event {
    const ID: Field<Self> = Field::new("id");
    const PARENT: NestedField<Self, Self> = NestedField::new("parent");
}

static EVENT: Shape = Shape::new("Event", &["id", "parent"]).with_contents(&[("parent", FieldContent::Shape(&EVENT))]);

impl Selectable for Event {
    const SHAPE: &'static Shape = &EVENT;
}

request! {
    struct Select {}
    path: &[Segment::Literal("select")],
    verb: None,
    parameters: &[Parameter::query("fields")],
    write: |_request, parts| {
        parts.parameter(&Selection::from_fields([Event::PARENT.select([Event::ID, Event::PARENT.all()]), Event::ID]));
    }
}

#[test]
fn a_selection_is_a_value() {
    assert_eq!(target(&Select {}), "/calendars/v3/select?fields=id%2Cparent%28id%2Cparent%29");
}
