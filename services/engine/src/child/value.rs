//! Values of a script as JSON.

use rquickjs::object::Filter;
use rquickjs::{Ctx, Error, Function, Object, Type, Value as Js};
use serde_json::{Map, Number, Value};

use super::natives::Platform;
use super::text::{MAX_NAME, cut_to, to_text};

/// Deeper results are refused: readers of JSON have a limit of their own.
const MAX_DEPTH: usize = 100;
/// The least that a value counts, so that a list of empty lists is no bomb for those who read it.
const MIN_COST: usize = 8;

/// Why a value has no JSON.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A value that JSON does not know, with its place.
    NotSerializable(String),
    TooLong,
    /// A getter of the script threw.
    Threw,
}

impl From<Error> for Refusal {
    fn from(_: Error) -> Self {
        Self::Threw
    }
}

/// Converts a result; `None` for `undefined`.
pub(super) fn to_json<'js>(
    ctx: &Ctx<'js>,
    platform: &Platform,
    value: &Js<'js>,
    max: usize,
) -> Result<Option<Value>, Refusal> {
    if value.is_undefined() {
        return Ok(None);
    }
    let class_of = platform.class_of(ctx)?;
    let mut walk =
        Walk { ctx: ctx.clone(), class_of, left: max, path: vec!["result".to_owned()], ancestors: Vec::new() };
    walk.value(value).map(Some)
}

struct Walk<'js> {
    ctx: Ctx<'js>,
    class_of: Function<'js>,
    left: usize,
    path: Vec<String>,
    ancestors: Vec<Js<'js>>,
}

impl<'js> Walk<'js> {
    fn value(&mut self, value: &Js<'js>) -> Result<Value, Refusal> {
        match value.type_of() {
            Type::Null | Type::Undefined => self.take(4).map(|()| Value::Null),
            Type::Bool => self.take(5).map(|()| Value::Bool(value.as_bool().unwrap_or_default())),
            Type::Int | Type::Float => self.number(value.as_number().unwrap_or(f64::NAN)),
            Type::String => Ok(Value::String(self.text(value)?)),
            Type::Array => self.nested(value, Self::array),
            Type::Object => match self.class_of.call::<_, String>((value.clone(),))?.as_str() {
                "" => self.nested(value, Self::object),
                class => self.refuse(class),
            },
            Type::Exception => self.refuse("an error"),
            Type::Function | Type::Constructor => self.refuse("a function"),
            Type::Promise => self.refuse("a promise"),
            Type::Proxy => self.refuse("a proxy"),
            Type::Symbol => self.refuse("a symbol"),
            Type::BigInt => self.refuse("a bigint"),
            _ => self.refuse("an internal value"),
        }
    }

    fn take(&mut self, bytes: usize) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(bytes.max(MIN_COST)).ok_or(Refusal::TooLong)?;
        Ok(())
    }

    fn refuse<T>(&self, what: &str) -> Result<T, Refusal> {
        let place = cut_to(self.path.concat(), MAX_NAME);
        Err(Refusal::NotSerializable(format!("{what} at {place}")))
    }

    fn number(&mut self, number: f64) -> Result<Value, Refusal> {
        self.take(24)?;
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() < EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "integers up to 2^53")]
            return Ok(Value::from(number as i64));
        }
        match Number::from_f64(number) {
            Some(number) => Ok(Value::Number(number)),
            None => self.refuse(if number.is_nan() { "NaN" } else { "Infinity" }),
        }
    }

    fn text(&mut self, value: &Js<'js>) -> Result<String, Refusal> {
        let text = to_text(&self.ctx, value)?;
        self.take(escaped(&text))?;
        Ok(text)
    }

    fn nested(
        &mut self,
        value: &Js<'js>,
        members: fn(&mut Self, &Object<'js>) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        self.take(2)?;
        if self.ancestors.contains(value) {
            return self.refuse("a cycle");
        }
        if self.ancestors.len() >= MAX_DEPTH {
            return Err(Refusal::NotSerializable(format!("the result is nested deeper than {MAX_DEPTH} levels")));
        }
        let Some(object) = value.as_object() else { return self.refuse("an internal value") };
        self.ancestors.push(value.clone());
        let members = members(self, object)?;
        self.ancestors.pop();
        Ok(members)
    }

    fn array(&mut self, object: &Object<'js>) -> Result<Value, Refusal> {
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

    fn object(&mut self, object: &Object<'js>) -> Result<Value, Refusal> {
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

/// The length of a text in JSON.
fn escaped(text: &str) -> usize {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(byte).sum::<usize>() + 2
}
