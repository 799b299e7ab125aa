//! Members: fields of resources and parameters of operations.

use wireform_codegen::schema::Deprecation;
use wireform_codegen::schema::field::{Field, Parameter};
use wireform_codegen::schema::read::{Raw, Text};
use wireform_codegen::schema::resource::RestDef;
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::types::TypeExpr;

use super::Constraints;

/// Keys that fields and parameters share.
#[derive(Clone, Debug, Default)]
pub struct Member {
    pub ty: TypeExpr,
    pub doc: Option<Text>,
    pub name: Option<Text>,
    pub default: Option<Raw>,
    pub example: Option<Raw>,
    pub constraints: Constraints,
    pub aliases: Vec<Text>,
    pub deprecated: Option<Short<Deprecation>>,
}

impl Member {
    /// Returns the member as a field.
    pub fn into_field(self) -> Field {
        let keys = self.constraints;
        Field {
            ty: self.ty,
            doc: self.doc,
            name: self.name,
            default: self.default,
            constant: keys.constant,
            example: self.example,
            pattern: keys.pattern,
            length: keys.length,
            format: keys.format,
            schemes: keys.schemes,
            min: keys.min,
            max: keys.max,
            multiple_of: keys.multiple_of,
            items: keys.items,
            keys: keys.keys,
            unique: keys.unique,
            elements: keys.elements,
            encoding: keys.encoding,
            aliases: self.aliases,
            deprecated: self.deprecated,
            ..Field::default()
        }
    }

    /// Returns the member as a parameter, which has no step.
    pub fn into_parameter(self) -> Parameter {
        let keys = self.constraints;
        Parameter {
            ty: self.ty,
            doc: self.doc,
            name: self.name,
            default: self.default,
            constant: keys.constant,
            example: self.example,
            pattern: keys.pattern,
            length: keys.length,
            format: keys.format,
            schemes: keys.schemes,
            min: keys.min,
            max: keys.max,
            items: keys.items,
            keys: keys.keys,
            unique: keys.unique,
            elements: keys.elements,
            encoding: keys.encoding,
            aliases: self.aliases,
            deprecated: self.deprecated,
            ..Parameter::default()
        }
    }

    /// Returns the member as additional members, which have only a type and its limits.
    pub fn into_rest(self) -> RestDef {
        let keys = self.constraints;
        RestDef {
            ty: self.ty,
            doc: self.doc,
            name: self.name,
            pattern: keys.pattern,
            length: keys.length,
            format: keys.format,
            schemes: keys.schemes,
            min: keys.min,
            max: keys.max,
            multiple_of: keys.multiple_of,
            items: keys.items,
            keys: keys.keys,
            unique: keys.unique,
            elements: keys.elements,
            encoding: keys.encoding,
            ..RestDef::default()
        }
    }
}
