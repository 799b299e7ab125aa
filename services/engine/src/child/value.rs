//! Conversion of script values to JSON.

use rquickjs::object::Filter;
use rquickjs::{Ctx, Error, Function, Object, Type, Value as Js};
use serde_json::{Map, Number, Value};

use super::natives::Platform;
use super::text::{MAX_NAME, to_text, truncate_to};

/// Maximum depth of results; JSON parsers have limits of their own.
const MAX_DEPTH: usize = 100;
/// Minimum cost of a value, so that a list of empty lists cannot exhaust the memory of its readers.
const MIN_COST: usize = 8;

/// Reason why a value cannot be converted.
#[derive(Debug)]
pub(super) enum ConversionError {
    /// A value that JSON cannot represent, with its location.
    NotSerializable(String),
    TooLong,
    /// A getter of the script threw.
    Threw,
}

impl From<Error> for ConversionError {
    fn from(_: Error) -> Self {
        Self::Threw
    }
}

/// Converts a result; returns `None` for `undefined`.
pub(super) fn to_json<'js>(
    ctx: &Ctx<'js>,
    platform: &Platform,
    value: &Js<'js>,
    max: usize,
) -> Result<Option<Value>, ConversionError> {
    if value.is_undefined() {
        return Ok(None);
    }
    let class_of = platform.class_of(ctx)?;
    let mut walk = Converter {
        ctx: ctx.clone(),
        class_of,
        remaining: max,
        path: vec!["result".to_owned()],
        ancestors: Vec::new(),
    };
    walk.value(value).map(Some)
}

/// Recursive conversion. `remaining` is the budget of JSON bytes, `ancestors` are the objects around the value.
struct Converter<'js> {
    ctx: Ctx<'js>,
    class_of: Function<'js>,
    remaining: usize,
    path: Vec<String>,
    ancestors: Vec<Js<'js>>,
}

impl<'js> Converter<'js> {
    /// Converts a value; `undefined` becomes `null`.
    fn value(&mut self, value: &Js<'js>) -> Result<Value, ConversionError> {
        match value.type_of() {
            Type::Null | Type::Undefined => self.reserve(4).map(|()| Value::Null),
            Type::Bool => self.reserve(5).map(|()| Value::Bool(value.as_bool().unwrap_or_default())),
            Type::Int | Type::Float => self.number(value.as_number().unwrap_or(f64::NAN)),
            Type::String => Ok(Value::String(self.text(value)?)),
            Type::Array => self.nested(value, Self::array),
            Type::Object => match self.class_of.call::<_, String>((value.clone(),))?.as_str() {
                "" => self.nested(value, Self::object),
                class => self.reject(class),
            },
            Type::Exception => self.reject("an error"),
            Type::Function | Type::Constructor => self.reject("a function"),
            Type::Promise => self.reject("a promise"),
            Type::Proxy => self.reject("a proxy"),
            Type::Symbol => self.reject("a symbol"),
            Type::BigInt => self.reject("a bigint"),
            _ => self.reject("an internal value"),
        }
    }

    /// Deducts the bytes of a value, at least [`MIN_COST`], from the budget; fails if it is exceeded.
    fn reserve(&mut self, bytes: usize) -> Result<(), ConversionError> {
        self.remaining = self.remaining.checked_sub(bytes.max(MIN_COST)).ok_or(ConversionError::TooLong)?;
        Ok(())
    }

    /// Returns the error that JSON cannot represent `what`, with the current path.
    fn reject<T>(&self, what: &str) -> Result<T, ConversionError> {
        let location = truncate_to(self.path.concat(), MAX_NAME);
        Err(ConversionError::NotSerializable(format!("{what} at {location}")))
    }

    /// Converts a number, to a JSON integer if it is exactly one; rejects `NaN` and infinity.
    fn number(&mut self, number: f64) -> Result<Value, ConversionError> {
        self.reserve(24)?;
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() < EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "integers up to 2^53")]
            return Ok(Value::from(number as i64));
        }
        match Number::from_f64(number) {
            Some(number) => Ok(Value::Number(number)),
            None => self.reject(if number.is_nan() { "NaN" } else { "Infinity" }),
        }
    }

    /// Converts a string, and deducts its length with escapes from the budget.
    fn text(&mut self, value: &Js<'js>) -> Result<String, ConversionError> {
        let text = to_text(&self.ctx, value)?;
        self.reserve(escaped_length(&text))?;
        Ok(text)
    }

    /// Converts an array or object with `members`, after rejecting cycles and nesting deeper than [`MAX_DEPTH`].
    fn nested(
        &mut self,
        value: &Js<'js>,
        members: fn(&mut Self, &Object<'js>) -> Result<Value, ConversionError>,
    ) -> Result<Value, ConversionError> {
        self.reserve(2)?;
        if self.ancestors.contains(value) {
            return self.reject("a cycle");
        }
        if self.ancestors.len() >= MAX_DEPTH {
            return Err(ConversionError::NotSerializable(format!(
                "the result is nested deeper than {MAX_DEPTH} levels"
            )));
        }
        let Some(object) = value.as_object() else { return self.reject("an internal value") };
        self.ancestors.push(value.clone());
        let members = members(self, object)?;
        self.ancestors.pop();
        Ok(members)
    }

    /// Converts the elements up to `length`; holes become `null`.
    fn array(&mut self, object: &Object<'js>) -> Result<Value, ConversionError> {
        let length: f64 = object.get("length")?;
        let mut items = Vec::new();
        let mut index = 0_u32;
        while f64::from(index) < length {
            self.path.push(format!("[{index}]"));
            let item: Js<'js> = object.get(index)?;
            items.push(self.value(&item)?);
            self.path.pop();
            index = index.saturating_add(1);
        }
        Ok(Value::Array(items))
    }

    /// Converts the enumerable own properties with string names, without those that are `undefined`.
    fn object(&mut self, object: &Object<'js>) -> Result<Value, ConversionError> {
        let mut members = Map::new();
        for key in object.own_keys::<Js<'js>>(Filter::new().string().enum_only()) {
            let key = key?;
            let name = self.text(&key)?;
            let item: Js<'js> = object.get(key)?;
            if item.is_undefined() {
                continue;
            }
            self.path.push(format!(".{name}"));
            let item = self.value(&item)?;
            self.path.pop();
            members.insert(name, item);
        }
        Ok(Value::Object(members))
    }
}

/// Returns the length of a text in JSON.
fn escaped_length(text: &str) -> usize {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(byte).sum::<usize>() + 2
}
