//! Sample values of parameters, as Rust and as they are to arrive.

use wireform_codegen::model::{Api, Constraints, Encoding, Lexical, Number, Parameter, Type};

/// A text for a query: what separates parameters, what stands for a space, what begins an escape, what is no ASCII.
const QUERY: &str = "a&b=c+d #%41;é😀\r\n\0";

/// A text for a query that the pattern of a property takes.
const PROPERTY: &str = "name=va&l+u#e%3D é";

/// A time with an offset whose `+` is a space to a careless reader.
const TIME: &str = "2026-03-29T02:30:00.10+05:45";

/// A value.
pub struct Value {
    /// The expression that makes it.
    pub rust: String,
    /// Its texts: of a list, one an element.
    pub texts: Vec<String>,
}

impl Value {
    fn text(text: &str) -> Self {
        Self { rust: format!("{text:?}"), texts: vec![text.to_owned()] }
    }

    fn plain(text: String) -> Self {
        Self { rust: text.clone(), texts: vec![text] }
    }

    fn parsed(api: &Api, ty: &str, text: &str) -> Self {
        let rust = format!("::{}_types::runtime::{ty}::parse({text:?}).expect(\"a sample\")", api.name);
        Self { rust, texts: vec![text.to_owned()] }
    }
}

/// A value of a parameter in a query.
pub fn of(api: &Api, parameter: &Parameter) -> Value {
    value(api, &parameter.ty, &parameter.constraints)
}

fn value(api: &Api, ty: &Type, constraints: &Constraints) -> Value {
    match ty {
        Type::Bool => Value::plain("true".into()),
        Type::Int32 => Value::plain(greatest(constraints, i32::MAX.into())),
        Type::Uint32 => Value::plain(greatest(constraints, u32::MAX.into())),
        Type::Int64(Encoding::DecimalString) => decimal("i64", greatest(constraints, i64::MAX.into())),
        Type::Int64(encoding @ (Encoding::UnixSeconds | Encoding::UnixMilliseconds)) => {
            let rust =
                format!("::{}_types::runtime::{}(1_700_000_000)", api.name, encoding.wrapper().unwrap_or_default());
            Value { rust, texts: vec!["1700000000".to_owned()] }
        }
        Type::Int64(_) => Value::plain(greatest(constraints, i64::MAX.into())),
        Type::Uint64(Encoding::DecimalString) => decimal("u64", greatest(constraints, u64::MAX.into())),
        Type::Uint64(_) => Value::plain(greatest(constraints, u64::MAX.into())),
        Type::Date => Value::parsed(api, "Date", "2028-02-29"),
        Type::DateTime => Value::parsed(api, "DateTime", TIME),
        Type::Duration => Value::parsed(api, "Duration", "3.5s"),
        Type::Lexical(lexical) => {
            let text = match lexical {
                Lexical::Decimal => "0.10",
                Lexical::IsoDuration => "P1DT2H",
                Lexical::Time => "09:30:00.50Z",
                Lexical::HttpDate => "Sun, 06 Nov 1994 08:49:37 GMT",
            };
            Value::parsed(api, lexical.rust_name(), text)
        }
        Type::String if constraints.pattern.is_some() => Value::text(PROPERTY),
        Type::String => Value::text(QUERY),
        Type::Enum(id) => Value::text(&api.enumeration(*id).values[0].name.wire),
        Type::List(inner) => list(api, inner, constraints),
        other => panic!("no sample is known of a parameter of type {other:?}"),
    }
}

/// Two values; of an enum, the first and the last.
fn list(api: &Api, inner: &Type, constraints: &Constraints) -> Value {
    let first = value(api, inner, constraints);
    let second = match inner {
        Type::Enum(id) => Value::text(&api.enumeration(*id).values.last().expect("an enum has values").name.wire),
        Type::String if constraints.pattern.is_none() => Value::text("b,c"),
        _ => value(api, inner, constraints),
    };
    let rust = format!("[{}, {}]", first.rust, second.rust);
    Value { rust, texts: [first.texts, second.texts].concat() }
}

/// The greatest number that is allowed.
fn greatest(constraints: &Constraints, of_the_type: i128) -> String {
    match constraints.max {
        Some(Number::Int(most)) => most.min(of_the_type).to_string(),
        _ => of_the_type.to_string(),
    }
}

/// A setter takes a plain number as well.
fn decimal(ty: &str, number: String) -> Value {
    Value { rust: format!("{number}_{ty}"), texts: vec![number] }
}
