//! Sample resources as JSON, generated from the model: deterministic, and with values that require escaping or care on
//! the wire.

use serde_json::{Map, Value, json};
use wireform_codegen::model::{
    Api, Behavior, Encoding, Field, Format, Lexical, OperationId, OutputOnly, Required, Resource, ResourceId, Type,
};

/// Maximum nesting depth of resources.
const DEPTH: usize = 6;

/// Name of a field that no schema defines.
const UNKNOWN: &str = "x-from-the-future";

/// The fields of a sample.
#[derive(Clone, Copy)]
pub enum Extent {
    /// Every field.
    Full,
    /// Every field, and an unknown field in every resource.
    Unknown,
    /// The required fields of the operation's body.
    Required(OperationId),
    /// Every field that a client may write in the operation.
    Written(OperationId),
}

/// Creates a sample of a resource.
pub fn resource(api: &Api, id: ResourceId, extent: Extent) -> Value {
    Sampler { api, extent }.resource(id, &mut Vec::new())
}

/// Creates a merge patch with every field, of which every fourth is null.
pub fn merge_patch(api: &Api, id: ResourceId, extent: Extent) -> Value {
    let full = resource(api, id, Extent::Full);
    let cleared: Vec<&String> = full.as_object().into_iter().flat_map(Map::keys).step_by(4).collect();
    let mut patch = resource(api, id, extent);
    for (name, value) in patch.as_object_mut().into_iter().flatten() {
        if cleared.contains(&name) {
            *value = Value::Null;
        }
    }
    patch
}

/// Creates a sample with one field of the wrong type: an object for a scalar, or a number for anything else.
pub fn wrong(api: &Api, id: ResourceId) -> Option<Value> {
    let checked = |field: &&Field| !matches!(field.ty.innermost_type(), Type::Any) && !field.is_kind;
    let field = api.resource(id).fields.iter().find(checked)?;
    let value = match field.ty {
        Type::Resource(_) | Type::List(_) | Type::Map(_) | Type::Object => json!(7),
        _ => json!({ "not": ["a", "scalar"] }),
    };
    Some(json!({ (field.name.wire.clone()): value }))
}

struct Sampler<'a> {
    api: &'a Api,
    extent: Extent,
}

impl Sampler<'_> {
    fn resource(&self, id: ResourceId, within: &mut Vec<ResourceId>) -> Value {
        let resource = self.api.resource(id);
        within.push(id);
        let fields = resource.fields.iter().filter(|field| self.has(resource, field));
        let members = fields.filter_map(|field| Some((field.name.wire.clone(), self.field(field, within)?)));
        let mut members: Map<String, Value> = members.collect();
        if let Extent::Unknown = self.extent {
            members.insert(UNKNOWN.into(), json!({ "a": [1, { "b": null }] }));
        }
        within.pop();
        Value::Object(members)
    }

    fn has(&self, resource: &Resource, field: &Field) -> bool {
        if let Some(outcome) = resource.outcome {
            // A finished operation contains its success, not its failure.
            return !std::ptr::eq(&resource.fields[outcome.failure], field);
        }
        match self.extent {
            Extent::Full | Extent::Unknown => true,
            Extent::Required(operation) => is_required(&field.behavior, operation),
            Extent::Written(operation) => is_written(field, operation),
        }
    }

    fn field(&self, field: &Field, within: &mut Vec<ResourceId>) -> Option<Value> {
        if field.is_kind {
            let Some(wireform_codegen::model::Literal::Text(kind)) = &field.constraints.constant else {
                panic!("the kind of a resource is a string: {field:?}")
            };
            return Some(json!(kind));
        }
        self.value(&field.ty, field, within)
    }

    /// Returns `None` for recursive values and beyond the maximum depth.
    fn value(&self, ty: &Type, field: &Field, within: &mut Vec<ResourceId>) -> Option<Value> {
        Some(match ty {
            Type::Resource(id) if within.contains(id) || within.len() >= DEPTH => return None,
            Type::Resource(id) => self.resource(*id, within),
            Type::List(inner) => self.list(inner, field, within)?,
            Type::Map(inner) => {
                let value = self.value(inner, field, within)?;
                json!({ "a key/with \"marks\" é": value })
            }
            Type::Enum(id) => json!(self.api.enumeration(*id).values[0].name.wire),
            Type::Union(_) => panic!("samples do not support unions: {field:?}"),
            scalar => self::scalar(scalar, field),
        })
    }

    /// Returns two elements: of resources, a full and an empty one.
    fn list(&self, inner: &Type, field: &Field, within: &mut Vec<ResourceId>) -> Option<Value> {
        let first = self.value(inner, field, within)?;
        let second = match inner {
            Type::Resource(_) => return Some(json!([first, {}])),
            Type::Enum(id) => json!(self.api.enumeration(*id).values.last()?.name.wire),
            Type::String => json!("second"),
            _ => first.clone(),
        };
        Some(json!([first, second]))
    }
}

fn is_required(behavior: &Behavior, operation: OperationId) -> bool {
    match &behavior.required {
        Required::Never => false,
        Required::Everywhere => true,
        Required::In(operations) => operations.contains(&operation),
    }
}

/// Output-only fields are written by the server only, and so is the kind of a resource.
fn is_written(field: &Field, operation: OperationId) -> bool {
    let excepted = |output: &OutputOnly| output.except.contains(&operation);
    !field.is_kind && field.behavior.output_only.as_ref().is_none_or(excepted)
}

fn scalar(ty: &Type, field: &Field) -> Value {
    match ty {
        Type::Bool => json!(true),
        Type::Int32 => json!(i32::MIN),
        Type::Uint32 => json!(u32::MAX),
        Type::Int64(Encoding::DecimalString) => json!(i64::MIN.to_string()),
        Type::Int64(Encoding::UnixSeconds | Encoding::UnixMilliseconds) => json!(-1),
        Type::Int64(_) => json!(i64::MIN),
        Type::Uint64(Encoding::DecimalString) => json!(u64::MAX.to_string()),
        Type::Uint64(_) => json!(u64::MAX),
        Type::Float | Type::Double | Type::Number => json!(0.5),
        Type::Bytes(Encoding::Base64 | Encoding::Base64Unpadded) => json!("+/+/"),
        Type::Bytes(_) => json!("-_-_"),
        Type::Date => json!("2028-02-29"),
        Type::DateTime => json!("2026-03-29T02:30:00.10+05:45"),
        Type::Duration => json!("3.5s"),
        Type::Lexical(Lexical::Decimal) => json!("0.10"),
        Type::Lexical(Lexical::IsoDuration) => json!("P1DT2H"),
        Type::Lexical(Lexical::Time) => json!("09:30:00.50Z"),
        Type::Lexical(Lexical::HttpDate) => json!("Sun, 06 Nov 1994 08:49:37 GMT"),
        Type::Any => json!(["anything", { "at": null }]),
        Type::Object => json!({ "@type": "example.com/anything", "deep": [{}] }),
        _ => json!(text(field)),
    }
}

fn text(field: &Field) -> String {
    match field.constraints.format {
        Some(Format::Email) => "someone@example.com".into(),
        Some(Format::Uri) => "https://example.com/a%20b?c=d&e#f".into(),
        Some(Format::TimeZone) => "Europe/Zurich".into(),
        Some(Format::Etag) => "\"3181\"".into(),
        Some(Format::MediaType) => "text/plain; charset=utf-8".into(),
        _ => format!("{} \"\\/\u{1}\u{2028}é😀", field.name.wire),
    }
}
