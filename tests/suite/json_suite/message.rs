//! The message of the JSON cases of Protocol Buffers, handwritten like a generated type.

use std::collections::BTreeMap;

use wireform_runtime::{
    __private::{MapAccess, Object, SerializeMap, read_value, skip_value, write_field},
    Bytes, DateTime, Decimal, Duration, Map, UnknownValue, Value, object, open_enum,
};

macro_rules! message {
    ($name:ident { $($field:ident: $ty:ty, $wire:literal;)* }) => {
        #[derive(Clone, Default, PartialEq)]
        pub struct $name {
            $($field: $ty,)*
        }

        impl Object for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [&'static str] = &[$($wire),*];

            fn index(name: &str) -> Option<usize> {
                Self::FIELDS.iter().position(|member| *member == name)
            }

            fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error> {
                match Self::FIELDS.get(index) {
                    $(Some(&$wire) => read_value(map, &mut self.$field),)*
                    _ => skip_value(map),
                }
            }

            fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
                $(write_field(map, $wire, &self.$field)?;)*
                Ok(())
            }
        }

        object!($name);
    };
}

macro_rules! open {
    ($name:ident { $($place:literal $variant:ident $wire:literal $(| $alias:literal)*;)* }) => {
        pub enum $name {
            $($variant,)*
            Unknown(UnknownValue<Self>),
        }

        open_enum! { $name "" { $($place $variant $wire $(| $alias)*),* } }
    };
}

open!(NestedEnum { 0 Foo "FOO"; 1 Bar "BAR"; 2 Baz "BAZ"; 3 Neg "NEG"; });
open!(AliasedEnum { 0 Foo "ALIAS_FOO"; 1 Bar "ALIAS_BAR"; 2 Baz "ALIAS_BAZ" | "MOO" | "moo" | "bAz"; });

message!(Nested { a: Option<i32>, "a"; });

message!(Message {
    fieldname1: Option<i32>, "fieldname1";
    name2: Option<i32>, "fieldName2";
    name3: Option<i32>, "FieldName3";
    name4: Option<i32>, "fieldName4";
    name5: Option<i32>, "field0name5";
    name6: Option<i32>, "field0Name6";
    name7: Option<i32>, "fieldName7";
    name8: Option<i32>, "FieldName8";
    name9: Option<i32>, "fieldName9";
    name10: Option<i32>, "FieldName10";
    name11: Option<i32>, "FIELDNAME11";
    name12: Option<i32>, "FIELDName12";
    name13: Option<i32>, "FieldName13";
    name14: Option<i32>, "FieldName14";
    name15: Option<i32>, "fieldName15";
    name16: Option<i32>, "fieldName16";
    name17: Option<i32>, "fieldName17";
    name18: Option<i32>, "FieldName18";
    int32: Option<i32>, "optionalInt32";
    uint32: Option<u32>, "optionalUint32";
    int64: Option<Decimal<i64>>, "optionalInt64";
    uint64: Option<Decimal<u64>>, "optionalUint64";
    float: Option<f32>, "optionalFloat";
    double: Option<f64>, "optionalDouble";
    bool: Option<bool>, "optionalBool";
    string: Option<String>, "optionalString";
    bytes: Option<Bytes>, "optionalBytes";
    nested: Option<Nested>, "optionalNestedMessage";
    nested_enum: Option<NestedEnum>, "optionalNestedEnum";
    aliased_enum: Option<AliasedEnum>, "optionalAliasedEnum";
    duration: Option<Duration>, "optionalDuration";
    timestamp: Option<DateTime>, "optionalTimestamp";
    field_mask: Option<String>, "optionalFieldMask";
    object: Option<Map>, "optionalStruct";
    value: Option<Value>, "optionalValue";
    any: Option<Map>, "optionalAny";
    repeated_int32: Vec<i32>, "repeatedInt32";
    repeated_string: Vec<String>, "repeatedString";
    repeated_bytes: Vec<Bytes>, "repeatedBytes";
    repeated_nested: Vec<Nested>, "repeatedNestedMessage";
    repeated_nested_enum: Vec<NestedEnum>, "repeatedNestedEnum";
    repeated_duration: Vec<Duration>, "repeatedDuration";
    repeated_timestamp: Vec<DateTime>, "repeatedTimestamp";
    repeated_value: Vec<Value>, "repeatedValue";
    repeated_list: Vec<Vec<Value>>, "repeatedListValue";
    map_int32: BTreeMap<String, i32>, "mapInt32Int32";
    map_uint32: BTreeMap<String, u32>, "mapUint32Uint32";
    map_int64: BTreeMap<String, Decimal<i64>>, "mapInt64Int64";
    map_uint64: BTreeMap<String, Decimal<u64>>, "mapUint64Uint64";
    map_bool: BTreeMap<String, bool>, "mapBoolBool";
    map_nested: BTreeMap<String, Nested>, "mapStringNestedMessage";
    oneof_uint32: Option<u32>, "oneofUint32";
    oneof_nested: Option<Nested>, "oneofNestedMessage";
    oneof_string: Option<String>, "oneofString";
    oneof_bytes: Option<Bytes>, "oneofBytes";
    oneof_bool: Option<bool>, "oneofBool";
    oneof_uint64: Option<Decimal<u64>>, "oneofUint64";
    oneof_float: Option<f32>, "oneofFloat";
    oneof_double: Option<f64>, "oneofDouble";
    oneof_enum: Option<NestedEnum>, "oneofEnum";
    bool_wrapper: Option<bool>, "optionalBoolWrapper";
    int32_wrapper: Option<i32>, "optionalInt32Wrapper";
    uint32_wrapper: Option<u32>, "optionalUint32Wrapper";
    int64_wrapper: Option<Decimal<i64>>, "optionalInt64Wrapper";
    uint64_wrapper: Option<Decimal<u64>>, "optionalUint64Wrapper";
    float_wrapper: Option<f32>, "optionalFloatWrapper";
    double_wrapper: Option<f64>, "optionalDoubleWrapper";
    string_wrapper: Option<String>, "optionalStringWrapper";
    bytes_wrapper: Option<Bytes>, "optionalBytesWrapper";
    bool_wrappers: Vec<bool>, "repeatedBoolWrapper";
    int32_wrappers: Vec<i32>, "repeatedInt32Wrapper";
    uint32_wrappers: Vec<u32>, "repeatedUint32Wrapper";
    int64_wrappers: Vec<Decimal<i64>>, "repeatedInt64Wrapper";
    uint64_wrappers: Vec<Decimal<u64>>, "repeatedUint64Wrapper";
    float_wrappers: Vec<f32>, "repeatedFloatWrapper";
    double_wrappers: Vec<f64>, "repeatedDoubleWrapper";
    string_wrappers: Vec<String>, "repeatedStringWrapper";
    bytes_wrappers: Vec<Bytes>, "repeatedBytesWrapper";
});

// Values with the names of associated types and of variants of the traits' results.
open!(Verdict { 0 Ok "ok"; 1 Err "err"; 2 Error "error"; });

#[test]
fn values_may_be_called_like_associated_types() {
    for text in ["ok", "err", "error", "later"] {
        assert_eq!(text.parse::<Verdict>().map(|verdict| verdict.to_string()), Ok(text.to_owned()));
    }
}
