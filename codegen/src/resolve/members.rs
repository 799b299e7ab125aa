//! Fields, and what they share with parameters.

use super::behavior::sensitive;
use super::constraints::WrittenConstraints;
use super::names::{self, Casing, ReservedNames, WireNames};
use super::tables::Tables;
use super::{elements, types, xml};
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{
    Behavior, Cel, Constraints, Deprecated, Field, Ignored, Literal, Location, Name, OutputOnly, Type, XmlMapping,
};
use crate::schema::behavior::Presence;
use crate::schema::field::Elements;
use crate::schema::resource::{KindTag, RestDef};
use crate::schema::shape::Short;
use crate::schema::{self, Deprecation, Text};

/// Names in use among the fields of a resource or the parameters of an operation.
#[derive(Default)]
pub struct Scope {
    idents: ReservedNames,
    /// Methods for setters and accessors.
    pub methods: ReservedNames,
    /// True if the last field's name was unique; consequences of a collision are not reported again.
    pub alone: bool,
    /// Wire names, which are separate for each location: path, query, headers, cookies.
    spellings: [WireNames; 4],
}

impl Scope {
    /// Reserves a Rust name that the generated code needs for itself.
    pub fn take(&mut self, ident: &str, what: &str, span: Span, sink: &mut Sink) {
        self.idents.take(ident, what, span, sink);
    }

    /// Reserves the Rust and wire names of a field, and returns its name.
    pub fn name(
        &mut self,
        key: &Text,
        wire: Option<&Text>,
        given: Option<&Text>,
        aliases: &[Text],
        at: Location,
        sink: &mut Sink,
    ) -> Option<Name> {
        let wire = wire.unwrap_or(key);
        let free = self.spellings[at as usize].take(&wire.text, wire.span, aliases, sink);
        let mut name = names::name(key, given, Casing::Member, sink)?;
        name.wire.clone_from(&wire.text);
        self.alone = free && self.idents.take(&name.ident, &format!("`{}`", key.text), key.span, sink);
        Some(name)
    }

    /// Reserves the methods of a field.
    fn methods(&mut self, key: &Text, name: &Name, has_default: bool, sink: &mut Sink) {
        if !self.alone {
            return;
        }
        self.methods.take(&format!("with_{}", name.stem), &format!("the setter of `{}`", key.text), key.span, sink);
        if has_default {
            self.methods.take(
                &name.suffixed("_or_default"),
                &format!("the accessor of `{}`", key.text),
                key.span,
                sink,
            );
        }
    }
}

impl Tables<'_> {
    /// Resolves a field of a resource.
    pub fn field(&mut self, key: &Text, def: &schema::Field, scope: &mut Scope, sink: &mut Sink) -> Option<Field> {
        // Fields have a single location; any of the four does.
        let name = scope.name(key, def.wire_name.as_ref(), def.name.as_ref(), &def.aliases, Location::Path, sink);
        if let Some(name) = &name {
            scope.methods(key, name, def.default.is_some(), sink);
        }
        document(def.doc.as_ref(), key, "field", sink);
        let Some(ty) = self.ty(&def.ty, sink) else {
            // The field is kept, so that references to it are not reported as well.
            return Some(Field { span: key.span, ..new_field(name?, Type::Unresolved) });
        };
        let ty = types::encode(ty, def.encoding, sink);
        let constraints = self.constraints(&WrittenConstraints::field(def), &ty, sink);
        let presence = def.presence.or(self.api.presence);
        let explicit_presence =
            ty.is_collection() && presence.is_some_and(|presence| presence.value == Presence::Explicit);
        let own = def.presence.filter(|presence| presence.value == Presence::Explicit);
        if let (Some(presence), false) = (own, ty.is_collection()) {
            sink.report(
                Code::Misplaced,
                presence.span,
                "`presence` applies only to lists and maps; other fields always have explicit presence",
            );
        }
        let nullable = def.nullable.is_some_and(|nullable| nullable.value);
        self.check_presence(def, &ty, nullable, sink);
        // Without the rest of `new_field`, so that the compiler reports a key that is not resolved.
        Some(Field {
            behavior: self.behavior(def, sink),
            nullable,
            xml: xml::xml_mapping(def.xml.as_ref(), xml::XmlSubject::Member(&ty, nullable), sink),
            // An empty list and a null one are different values.
            explicit_presence: explicit_presence || nullable && ty.is_collection(),
            default: def.default.as_ref().and_then(|raw| self.default(raw, &ty, &constraints, sink)),
            example: def.example.as_ref().and_then(|raw| self.example(raw, &ty, &constraints, sink)),
            doc: text(def.doc.as_ref()),
            fill: self.fill(def, &ty, sink),
            sensitive: sensitive(def, &ty, sink),
            aliases: texts(&def.aliases),
            effective_when: def.effective_when.as_ref().map(cel),
            ignored: self.ignored(def, sink),
            constrained: self.constrained(def, &ty, sink),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            origins: super::sets::of_facts(def, &def.origins, def.origin.as_ref(), sink),
            constraints,
            boxed: false,
            is_kind: false,
            is_rest: false,
            span: key.span,
            name: name?,
            ty,
        })
    }

    /// Returns the constant field that identifies a resource.
    pub fn kind_field(&self, tag: &KindTag, scope: &mut Scope, sink: &mut Sink) -> Option<Field> {
        let member = tag.member.clone().unwrap_or_else(|| Text { text: "kind".into(), span: tag.span });
        let name = scope.name(&member, None, None, &[], Location::Path, sink)?;
        let constant = Some(Literal::Text(tag.value.text.clone()));
        Some(Field {
            doc: "Kind of the object.".into(),
            is_kind: true,
            behavior: Behavior { output_only: Some(OutputOnly::default()), ..Behavior::default() },
            constraints: Constraints { constant, ..Constraints::default() },
            origin: tag.origin.as_ref().map(|origin| origin.text.clone()),
            span: tag.span,
            ..new_field(name, Type::String)
        })
    }

    /// Resolves the map of other fields, which has a name only in Rust.
    pub fn rest(&mut self, def: &RestDef, scope: &mut Scope, sink: &mut Sink) -> Option<Field> {
        let key = Text { text: "rest".into(), span: def.span };
        let ty = self.ty(&def.ty, sink);
        let mut name = names::name(&key, def.name.as_ref(), Casing::Member, sink)?;
        // Diagnostics show it as `*`, which is no field of the schema.
        name.wire = "*".into();
        scope.alone = scope.idents.take(&name.ident, "the map of the other fields", def.span, sink);
        scope.methods(&key, &name, false, sink);
        let inner = types::encode(ty?, def.encoding, sink);
        let inner = self.or_null(def, inner, sink);
        let (keys, elements) = (def.keys.clone(), def.elements.clone());
        let own = Elements { span: def.span, items: def.items, keys, unique: def.unique, elements };
        let elements = elements::of_values(Some(&own), &inner, &self.patterns, sink);
        let ty = Type::Map(Box::new(inner));
        let constraints = self.constraints(&WrittenConstraints::rest(def), &ty, sink);
        let constraints = Constraints { elements, ..constraints };
        let doc = def.doc.as_ref().map_or_else(|| "Other fields.".to_owned(), |doc| doc.text.clone());
        Some(Field { doc, is_rest: true, constraints, span: def.span, ..new_field(name, ty) })
    }

    /// Makes the values of the map nullable if null is a value of one.
    fn or_null(&self, def: &RestDef, inner: Type, sink: &mut Sink) -> Type {
        let Some(nullable) = def.nullable.filter(|nullable| nullable.value) else { return inner };
        if inner == Type::Any || inner.is_collection() {
            let what = if inner == Type::Any {
                "`any` already includes null"
            } else {
                "lists and maps in a map cannot be null"
            };
            sink.report(Code::Misplaced, nullable.span, what).help("remove `nullable`");
            return inner;
        }
        Type::Nullable(Box::new(inner))
    }
}

/// Returns a field with only a name and a type.
fn new_field(name: Name, ty: Type) -> Field {
    Field {
        name,
        doc: String::new(),
        ty,
        boxed: false,
        is_kind: false,
        is_rest: false,
        behavior: Behavior::default(),
        nullable: false,
        xml: XmlMapping::default(),
        explicit_presence: false,
        default: None,
        example: None,
        constraints: Constraints::default(),
        fill: None,
        sensitive: false,
        aliases: Vec::new(),
        effective_when: None,
        ignored: Ignored::default(),
        constrained: None,
        deprecated: None,
        origin: None,
        origins: std::collections::BTreeMap::new(),
        span: Span::default(),
    }
}

/// Warns if there is no description.
pub fn document(doc: Option<&Text>, key: &Text, what: &str, sink: &mut Sink) {
    if let Some(doc) = doc.filter(|doc| is_trivial(doc)) {
        let message = format!("`{}` does not describe the {what} `{}`", doc.text.escape_debug(), key.text);
        sink.report(Code::MissingDoc, doc.span, message).help("write a sentence");
    } else if doc.is_none_or(|doc| doc.text.trim().is_empty()) {
        sink.report(Code::MissingDoc, key.span, format!("the {what} `{}` has no description", key.text))
            .help("add `doc:` with a sentence");
    }
}

/// Returns whether a description is a number or a boolean in YAML, not words.
fn is_trivial(doc: &Text) -> bool {
    let is_word = |c: char| c.is_alphabetic();
    let is_plain = (doc.span.end - doc.span.start) as usize == doc.text.len();
    let text = doc.text.trim();
    !text.is_empty() && (!text.chars().any(is_word) || is_plain && matches!(text, "true" | "false"))
}

/// Returns the text, or an empty string.
pub fn text(text: Option<&Text>) -> String {
    text.map(|text| text.text.clone()).unwrap_or_default()
}

/// Returns the texts without their spans.
pub fn texts(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.text.clone()).collect()
}

/// Returns a condition with its span.
pub fn cel(text: &Text) -> Cel {
    Cel { text: text.text.clone(), span: text.span }
}

/// Returns a deprecation without its span.
pub fn deprecated(written: Option<&Short<Deprecation>>) -> Option<Deprecated> {
    let Short(written) = written?;
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Some(Deprecated { since: text(&written.since), replacement: text(&written.instead), doc: text(&written.doc) })
}
