//! Parameters, and response headers, which are resolved in the same way.

use super::constraints::WrittenConstraints;
use super::header_names::{is_reserved_request_header, is_token};
use super::members::{Scope, deprecated, document, text, texts};
use super::names;
use super::tables::Tables;
use super::types;
use crate::diagnostics::{Code, Sink};
use crate::model::{Constraints, ListStyle, Location, Name, Parameter, Type};
use crate::schema::field;
use crate::schema::{self, Text};

impl Tables<'_> {
    /// Resolves a parameter of an operation or of a set.
    pub fn parameter(
        &mut self,
        key: &Text,
        def: &schema::Parameter,
        location: Location,
        scope: &mut Scope,
        sink: &mut Sink,
    ) -> Option<Parameter> {
        self.parameter_with(key, def, (location, check_parameter), scope, sink)
    }

    /// Resolves a parameter or a response header; `check` validates its type and names.
    pub fn parameter_with(
        &mut self,
        key: &Text,
        def: &schema::Parameter,
        (location, check): (Location, CheckParameter),
        scope: &mut Scope,
        sink: &mut Sink,
    ) -> Option<Parameter> {
        let name = scope.name(key, def.wire_name.as_ref(), def.name.as_ref(), &def.aliases, location, sink);
        let Some(ty) = self.ty(&def.ty, sink) else {
            // The parameter is kept, so that references to it are not reported as well.
            return Some(unknown_parameter(key, name?, location));
        };
        if let (Some(name), true) = (&name, scope.alone) {
            scope.methods.take(&names::setter(name), &format!("the setter of `{}`", key.text), key.span, sink);
        }
        let ty = types::encode(ty, def.encoding, sink);
        document(def.doc.as_ref(), key, "parameter", sink);
        check(key, def, &ty, location, sink);
        let constraints = self.constraints(&WrittenConstraints::parameter(def), &ty, sink);
        Some(Parameter {
            key: key.text.clone(),
            location,
            doc: text(def.doc.as_ref()),
            required: location == Location::Path || def.required.is_some_and(|required| required.value),
            default: def.default.as_ref().and_then(|raw| self.default(raw, &ty, &constraints, sink)),
            example: def.example.as_ref().and_then(|raw| self.example(raw, &ty, &constraints, sink)),
            style: list_style(def, location, &ty),
            role: self.role(key, def, &ty, sink),
            aliases: texts(&def.aliases),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            origins: super::sets::of_facts(def, &def.origins, def.origin.as_ref(), sink),
            setter: name.as_ref().map(names::setter).unwrap_or_default(),
            name: name?,
            constraints,
            ty,
        })
    }
}

/// Returns a parameter with only a name.
fn unknown_parameter(key: &Text, name: Name, location: Location) -> Parameter {
    Parameter {
        key: key.text.clone(),
        setter: names::setter(&name),
        name,
        location,
        doc: String::new(),
        ty: Type::Unresolved,
        required: true,
        default: None,
        example: None,
        constraints: Constraints::default(),
        style: ListStyle::Repeat,
        role: None,
        aliases: Vec::new(),
        deprecated: None,
        origin: None,
        origins: std::collections::BTreeMap::new(),
    }
}

/// Returns the serialization of a list: comma-separated in a header, since lines may be joined that way (RFC 9110,
/// section 5.3).
fn list_style(def: &schema::Parameter, location: Location, ty: &Type) -> ListStyle {
    match def.style.map(|style| style.value) {
        Some(field::ListStyle::Label) => ListStyle::Label { each: false },
        Some(field::ListStyle::LabelEach) => ListStyle::Label { each: true },
        Some(field::ListStyle::Matrix) => ListStyle::Matrix { each: false },
        Some(field::ListStyle::MatrixEach) => ListStyle::Matrix { each: true },
        Some(field::ListStyle::Pairs) => ListStyle::Pairs,
        Some(field::ListStyle::Assigned) => ListStyle::Assigned,
        Some(field::ListStyle::Members) => ListStyle::Members,
        Some(field::ListStyle::Brackets) => ListStyle::Brackets,
        _ if matches!(location, Location::Header | Location::Path) && matches!(ty, Type::List(_)) => ListStyle::Comma,
        Some(field::ListStyle::Comma) => ListStyle::Comma,
        Some(field::ListStyle::Space) => ListStyle::Space,
        Some(field::ListStyle::Pipe) => ListStyle::Pipe,
        Some(field::ListStyle::Deep) => ListStyle::Deep,
        Some(field::ListStyle::Json) => ListStyle::Json,
        Some(field::ListStyle::Repeat) | None => ListStyle::Repeat,
    }
}

/// Returns whether a type has fields that can each be a text.
fn has_members(ty: &Type) -> bool {
    matches!(ty, Type::Resource(_)) || matches!(ty, Type::Map(inner) if is_text(inner))
}

/// Check of the type and the names of a parameter.
pub type CheckParameter = fn(&Text, &schema::Parameter, &Type, Location, &mut Sink);

fn check_parameter(key: &Text, def: &schema::Parameter, ty: &Type, location: Location, sink: &mut Sink) {
    let style = def.style.map(|style| style.value);
    if !accepts_type(style, ty, location) {
        let (span, message) = match def.style {
            Some(style) => {
                let word = style.value.word();
                (style.span, format!("`style: {word}` does not apply to the parameter `{}`", key.text))
            }
            None => (def.ty.span(), format!("unsupported type of the parameter `{}`", key.text)),
        };
        sink.report(Code::BadParameter, span, message).help(types_of(style));
    }
    check_constant(key, def, ty, location, sink);
    let style = def.style.filter(|style| style.value == field::ListStyle::Repeat);
    if let (Location::Header | Location::Path, Some(style)) = (location, style) {
        sink.report(Code::BadParameter, style.span, "`style: repeat` does not apply to a path or header")
            .help("remove `style`: the elements are separated by commas");
    }
    if let (Location::Path, Some(required)) = (location, def.required.filter(|required| !required.value)) {
        sink.report(Code::BadParameter, required.span, "a path parameter is always required").help("remove `required`");
    }
    let wire = def.wire_name.as_ref().unwrap_or(key);
    for spelling in std::iter::once(wire).chain(&def.aliases) {
        check_header_name(spelling, location, sink);
    }
}

/// Returns whether a location supports a type in a style.
fn accepts_type(style: Option<field::ListStyle>, ty: &Type, location: Location) -> bool {
    let inner = match ty {
        Type::List(inner) => inner,
        other => other,
    };
    match style {
        Some(field::ListStyle::Deep) => location == Location::Query && matches!(ty, Type::Resource(_)),
        Some(field::ListStyle::Brackets) => {
            let is_structured = matches!(ty, Type::Resource(_) | Type::Map(_) | Type::List(_) | Type::Union(_));
            location == Location::Query && is_structured && !super::files::is_file(ty.innermost_type())
        }
        Some(field::ListStyle::Json) => location == Location::Query && !is_text(ty) && !matches!(ty, Type::Union(_)),
        Some(field::ListStyle::Space | field::ListStyle::Pipe) => {
            location == Location::Query && matches!(ty, Type::List(_)) && is_text(inner)
        }
        Some(field::ListStyle::Repeat | field::ListStyle::Comma) | None => is_text(inner),
        Some(field::ListStyle::Pairs) => location != Location::Cookie && has_members(ty),
        Some(field::ListStyle::Assigned) => matches!(location, Location::Path | Location::Header) && has_members(ty),
        Some(field::ListStyle::Members) => location == Location::Query && has_members(ty),
        Some(
            field::ListStyle::Label
            | field::ListStyle::LabelEach
            | field::ListStyle::Matrix
            | field::ListStyle::MatrixEach,
        ) => location == Location::Path && (is_text(inner) || has_members(ty)),
    }
}

/// Returns the types that a style supports.
fn types_of(style: Option<field::ListStyle>) -> String {
    use field::ListStyle as Style;
    let types = match style {
        None | Some(Style::Repeat | Style::Comma) => {
            return "use a scalar, an enum or a list of those; `style: brackets` and `style: json` support more types \
                in the query"
                .to_owned();
        }
        Some(Style::Space | Style::Pipe) => {
            return "`style: space` and `style: pipe` apply to lists of scalars and enums in the query".to_owned();
        }
        Some(Style::Deep) => "resources in the query",
        Some(Style::Brackets) => "resources, lists, maps and unions in the query",
        Some(Style::Json) => "resources, lists and maps in the query",
        Some(Style::Pairs) => "resources and maps of scalars, in the path, the query and headers",
        Some(Style::Assigned) => "resources and maps of scalars, in the path and headers",
        Some(Style::Members) => "resources and maps of scalars, in the query",
        Some(Style::Label | Style::LabelEach | Style::Matrix | Style::MatrixEach) => {
            "scalars, lists of those, and resources and maps of those, in the path"
        }
    };
    format!("`style: {}` applies to {types}", style.map_or("repeat", field::ListStyle::word))
}

/// Checks a constant, which is a single text; callers do not set it, so it has no aliases.
fn check_constant(key: &Text, def: &schema::Parameter, ty: &Type, location: Location, sink: &mut Sink) {
    let Some(constant) = &def.constant else { return };
    let span = constant.0.span;
    if location == Location::Path {
        sink.report(Code::BadParameter, span, format!("path parameter `{}` has a constant value", key.text))
            .help("write the segment in `http` instead of the variable");
    } else if !is_plain(ty) {
        sink.report(
            Code::Misplaced,
            span,
            "`const` applies only to parameters that are booleans, numbers, strings or enums",
        );
    } else if constant.0.text().is_some_and(|text| !can_hold(location, text)) {
        let message = format!("the constant of `{}` contains an invalid character", key.text);
        sink.report(Code::BadParameter, span, message)
            .help("headers and cookies contain visible ASCII; cookies no quotes, commas, semicolons or spaces");
    } else if let Some(default) = &def.default {
        sink.report(Code::BadParameter, default.0.span, "`default` cannot be combined with `const`")
            .help("remove one of them");
    }
}

/// Returns whether a value is a boolean, a number, a string or an enum.
fn is_plain(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool
            | Type::Int32
            | Type::Int64(_)
            | Type::Uint32
            | Type::Uint64(_)
            | Type::Float
            | Type::Double
            | Type::Number
            | Type::String
            | Type::Enum(_)
            | Type::Lexical(_)
    )
}

/// Returns whether a location can hold a text unescaped (RFC 9110, section 5.5; RFC 6265, section 4.1.1).
fn can_hold(location: Location, text: &str) -> bool {
    match location {
        Location::Path | Location::Query => true,
        Location::Header => {
            text.bytes().all(|byte| matches!(byte, b' '..=b'~')) && text.trim_ascii().len() == text.len()
        }
        Location::Cookie => text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\",;\\".contains(&byte)),
    }
}

/// Returns whether values of a type are single texts.
pub fn is_text(ty: &Type) -> bool {
    !matches!(
        ty,
        Type::Resource(_)
            | Type::Union(_)
            | Type::List(_)
            | Type::Map(_)
            | Type::Nullable(_)
            | Type::Any
            | Type::Object
    ) && !super::files::is_file(ty)
}

fn check_header_name(name: &Text, location: Location, sink: &mut Sink) {
    if !matches!(location, Location::Header | Location::Cookie) {
        return;
    }
    let shown = name.text.escape_debug();
    if !is_token(&name.text) {
        sink.report(Code::BadParameter, name.span, format!("invalid header or cookie name `{shown}`"));
    } else if location == Location::Header && is_reserved_request_header(&name.text) {
        sink.report(Code::BadParameter, name.span, format!("header `{shown}` is controlled by the protocol"))
            .help("remove it: credentials, conditional requests and media types have keys of their own");
    }
}
