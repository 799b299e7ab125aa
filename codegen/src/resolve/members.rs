//! Fields and parameters.

use super::constraints::Written;
use super::names::{self, Casing, Spellings, Taken};
use super::tables::Tables;
use super::types;
use crate::diagnostics::{Code, Sink, Span};
use crate::model::{
    Behavior, Cel, Constraints, Deprecated, Field, Fill, ListStyle, Literal, Location, Name, OutputOnly, Parameter,
    Required, Type,
};
use crate::schema::behavior::{self, BehaviorWord, Presence};
use crate::schema::field;
use crate::schema::resource::KindTag;
use crate::schema::shape::Short;
use crate::schema::{self, Deprecation, Text};

/// The names that are taken among the members of one resource, or the parameters of one operation.
#[derive(Default)]
pub struct Scope {
    idents: Taken,
    /// The methods that setters and accessors become.
    methods: Taken,
    /// Whether the member that was named last has its name alone; what follows from a collision is
    /// not reported too.
    alone: bool,
    /// Names on the wire are of their own at each location: path, query, headers, cookies.
    spellings: [Spellings; 4],
}

impl Scope {
    /// Takes a Rust name that the generated code needs for itself.
    pub fn take(&mut self, ident: &str, what: &str, span: Span, sink: &mut Sink) {
        self.idents.take(ident, what, span, sink);
    }

    /// Takes a member's names, in Rust and on the wire, and gives its name.
    fn name(
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

    /// Takes the methods that a field becomes beside its member.
    fn methods(&mut self, key: &Text, name: &Name, has_default: bool, sink: &mut Sink) {
        if !self.alone {
            return;
        }
        self.methods.take(&format!("with_{}", name.stem), &format!("the setter of `{}`", key.text), key.span, sink);
        if has_default {
            self.methods.take(
                &format!("{}_or_default", name.stem),
                &format!("the accessor of `{}`", key.text),
                key.span,
                sink,
            );
        }
    }
}

impl Tables<'_> {
    /// A field of a resource.
    pub fn field(&mut self, key: &Text, def: &schema::Field, scope: &mut Scope, sink: &mut Sink) -> Option<Field> {
        // Fields have one location; any of the four does.
        let name = scope.name(key, def.wire_name.as_ref(), def.name.as_ref(), &def.aliases, Location::Path, sink);
        if let Some(name) = &name {
            scope.methods(key, name, def.default.is_some(), sink);
        }
        document(def.doc.as_ref(), key, "field", sink);
        let Some(ty) = self.ty(&def.ty, sink) else {
            // The member stays, so that what names it does not report it as missing.
            return Some(bare(name?, Type::Any));
        };
        let ty = types::encode(ty, def.encoding, sink);
        let constraints = self.constraints(&Written::field(def), &ty, sink);
        let presence = def.presence.filter(|presence| presence.value == Presence::Explicit);
        let explicit_presence = presence.is_some();
        if let (Some(presence), false) = (presence, ty.is_collection()) {
            sink.report(
                Code::Misplaced,
                presence.span,
                "`presence` is for lists and maps; other members always tell absence apart",
            );
        }
        let nullable = def.nullable.is_some_and(|nullable| nullable.value);
        Some(Field {
            behavior: self.behavior(def, sink),
            nullable,
            // A list that can be null is one thing, and one that is empty another.
            explicit_presence: explicit_presence || nullable && ty.is_collection(),
            default: def.default.as_ref().and_then(|raw| self.default(raw, &ty, &constraints, sink)),
            example: def.example.as_ref().and_then(|raw| self.literal(raw, &ty, "example", sink)),
            doc: text(def.doc.as_ref()),
            fill: self.fill(def, &ty, sink),
            aliases: texts(&def.aliases),
            effective_when: def.effective_when.as_ref().map(cel),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            constraints,
            span: key.span,
            ..bare(name?, ty)
        })
    }

    /// The constant member that tells what a resource is.
    pub fn kind_field(&self, tag: &KindTag, scope: &mut Scope, sink: &mut Sink) -> Option<Field> {
        let member = tag.member.clone().unwrap_or_else(|| Text { text: "kind".into(), span: tag.span });
        let name = scope.name(&member, None, None, &[], Location::Path, sink)?;
        let constant = Some(Literal::Text(tag.value.text.clone()));
        Some(Field {
            doc: "Tells what the object is.".into(),
            is_kind: true,
            behavior: Behavior { output_only: Some(OutputOnly::default()), ..Behavior::default() },
            constraints: Constraints { constant, ..Constraints::default() },
            origin: tag.origin.as_ref().map(|origin| origin.text.clone()),
            span: tag.span,
            ..bare(name, Type::String)
        })
    }

    /// What a client fills in; only where it may write, and only a text.
    fn fill(&self, def: &schema::Field, ty: &Type, sink: &mut Sink) -> Option<Fill> {
        let fill = def.fill?;
        let received = def.behavior.iter().any(|item| item.word == BehaviorWord::OutputOnly);
        let nullable = def.nullable.is_some_and(|nullable| nullable.value);
        if *ty != Type::String || received || nullable {
            sink.report(Code::Misplaced, fill.span, "a client fills in strings that it may send")
                .help("leave `fill` out, or make the member a `string` without `output_only` and `nullable`");
            return None;
        }
        Some(match fill.value {
            field::Fill::Uuid => Fill::Uuid,
        })
    }

    fn behavior(&self, def: &schema::Field, sink: &mut Sink) -> Behavior {
        let mut behavior = Behavior::default();
        for item in &def.behavior {
            let except = self.operations(&item.except, sink);
            if item.word != BehaviorWord::OutputOnly && (item.refuse || !except.is_empty()) {
                sink.report(Code::BadBehavior, item.span, "only `output_only` has exceptions");
            }
            match item.word {
                BehaviorWord::Required => behavior.required = Required::Everywhere,
                BehaviorWord::OutputOnly => behavior.output_only = Some(OutputOnly { except, refuse: item.refuse }),
                BehaviorWord::InputOnly => behavior.input_only = true,
                BehaviorWord::Immutable => behavior.immutable = true,
                BehaviorWord::Identifier => behavior.identifier = true,
            }
        }
        match &def.required {
            Some(behavior::Required::Everywhere(true)) => behavior.required = Required::Everywhere,
            Some(behavior::Required::In(names)) => behavior.required = Required::In(self.operations(names, sink)),
            Some(behavior::Required::Everywhere(false)) | None => {}
        }
        let written = def.behavior.iter().find(|item| item.word == BehaviorWord::OutputOnly && item.except.is_empty());
        let asked = match &behavior.required {
            Required::Never => false,
            Required::Everywhere => true,
            Required::In(operations) => !operations.is_empty(),
        };
        let sent = behavior.input_only || asked;
        if let (Some(written), true) = (written, sent) {
            sink.report(
                Code::BadBehavior,
                written.span,
                "a member that only the server writes cannot be asked of a client",
            )
            .help("remove `output_only`, or name the operations in which a client writes it under `except`");
        }
        behavior
    }

    /// A parameter of an operation or of a set.
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

    /// A parameter, or a header of an answer, which is like one; `check` looks at its type and its names.
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
            // The parameter stays, so that what names it does not report it as missing.
            return Some(unknown_parameter(key, name?, location));
        };
        if let (Some(name), true) = (&name, scope.alone) {
            scope.methods.take(&names::setter(name), &format!("the setter of `{}`", key.text), key.span, sink);
        }
        let ty = types::encode(ty, def.encoding, sink);
        document(def.doc.as_ref(), key, "parameter", sink);
        check(key, def, &ty, location, sink);
        let constraints = self.constraints(&Written::parameter(def), &ty, sink);
        Some(Parameter {
            key: key.text.clone(),
            location,
            doc: text(def.doc.as_ref()),
            required: location == Location::Path || def.required.is_some_and(|required| required.value),
            default: def.default.as_ref().and_then(|raw| self.default(raw, &ty, &constraints, sink)),
            example: def.example.as_ref().and_then(|raw| self.literal(raw, &ty, "example", sink)),
            style: list_style(def, location, &ty),
            aliases: texts(&def.aliases),
            deprecated: deprecated(def.deprecated.as_ref()),
            origin: def.origin.as_ref().map(|origin| origin.text.clone()),
            setter: name.as_ref().map(names::setter).unwrap_or_default(),
            name: name?,
            constraints,
            ty,
        })
    }
}

/// A member of which nothing but the name and the type is known.
fn bare(name: Name, ty: Type) -> Field {
    Field {
        name,
        doc: String::new(),
        ty,
        boxed: false,
        is_kind: false,
        behavior: Behavior::default(),
        nullable: false,
        explicit_presence: false,
        default: None,
        example: None,
        constraints: Constraints::default(),
        fill: None,
        aliases: Vec::new(),
        effective_when: None,
        deprecated: None,
        origin: None,
        span: Span::default(),
    }
}

/// A parameter of which nothing but the name is known.
fn unknown_parameter(key: &Text, name: Name, location: Location) -> Parameter {
    Parameter {
        key: key.text.clone(),
        setter: names::setter(&name),
        name,
        location,
        doc: String::new(),
        ty: Type::Any,
        required: true,
        default: None,
        example: None,
        constraints: Constraints::default(),
        style: ListStyle::Repeat,
        aliases: Vec::new(),
        deprecated: None,
        origin: None,
    }
}

/// How a list is written: in a header with commas, which may join the lines of one anyway (RFC 9110, section 5.3).
fn list_style(def: &schema::Parameter, location: Location, ty: &Type) -> ListStyle {
    match def.style.map(|style| style.value) {
        _ if matches!(location, Location::Header | Location::Path) && matches!(ty, Type::List(_)) => ListStyle::Comma,
        Some(field::ListStyle::Comma) => ListStyle::Comma,
        Some(field::ListStyle::Deep) => ListStyle::Deep,
        Some(field::ListStyle::Json) => ListStyle::Json,
        Some(field::ListStyle::Repeat) | None => ListStyle::Repeat,
    }
}

/// What looks at the type and the names of a parameter.
pub type CheckParameter = fn(&Text, &schema::Parameter, &Type, Location, &mut Sink);

fn check_parameter(key: &Text, def: &schema::Parameter, ty: &Type, location: Location, sink: &mut Sink) {
    let style = def.style.map(|style| style.value);
    let inner = match ty {
        Type::List(inner) if location != Location::Cookie => inner,
        other => other,
    };
    let fits = match style {
        Some(field::ListStyle::Deep) => location == Location::Query && matches!(ty, Type::Resource(_)),
        Some(field::ListStyle::Json) => location == Location::Query && !is_text(ty) && !matches!(ty, Type::Union(_)),
        Some(field::ListStyle::Repeat | field::ListStyle::Comma) | None => is_text(inner),
    };
    if !fits {
        let report = sink.report(
            Code::BadParameter,
            def.ty.span(),
            format!("`{}` has a type that no parameter can have", key.text),
        );
        match style {
            Some(field::ListStyle::Deep) => report.help("`style: deep` is for resources in the query"),
            Some(field::ListStyle::Json) => report.help("`style: json` is for resources, lists and maps in the query"),
            _ => report.help(
                "a parameter is a scalar or an enum, or a list of those where it is no cookie; in the query \
                 `style: deep` and `style: json` take more",
            ),
        };
    }
    let style = def.style.filter(|style| style.value == field::ListStyle::Repeat);
    if let (Location::Header | Location::Path, Some(style)) = (location, style) {
        sink.report(Code::BadParameter, style.span, "a list here has commas between its elements")
            .help("leave `style` out");
    }
    if let (Location::Path, Some(required)) = (location, def.required.filter(|required| !required.value)) {
        sink.report(Code::BadParameter, required.span, "a parameter in the path is always required")
            .help("leave `required` out");
    }
    let wire = def.wire_name.as_ref().unwrap_or(key);
    for spelling in std::iter::once(wire).chain(&def.aliases) {
        check_header_name(spelling, location, sink);
    }
}

/// Headers that the protocol, the credentials or the conditions of a call set.
const OWN_HEADERS: &[&str] = &[
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "cookie",
    "host",
    "if-match",
    "if-none-match",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

/// Whether a value is one text.
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

/// Whether a name consists of what those of headers and cookies do (RFC 9110, section 5.6.2).
pub fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

fn check_header_name(name: &Text, location: Location, sink: &mut Sink) {
    if !matches!(location, Location::Header | Location::Cookie) {
        return;
    }
    let shown = name.text.escape_debug();
    if !is_token(&name.text) {
        sink.report(Code::BadParameter, name.span, format!("`{shown}` cannot be the name of a header or a cookie"));
    } else if location == Location::Header && OWN_HEADERS.contains(&name.text.to_ascii_lowercase().as_str()) {
        sink.report(Code::BadParameter, name.span, format!("the header `{shown}` is set by the protocol itself"))
            .help("leave it out: credentials, conditions and media types have keys of their own");
    }
}

/// Warns when there is no description.
pub fn document(doc: Option<&Text>, key: &Text, what: &str, sink: &mut Sink) {
    if doc.is_none_or(|doc| doc.text.trim().is_empty()) {
        sink.report(Code::MissingDoc, key.span, format!("the {what} `{}` has no description", key.text))
            .help("add `doc:` with one good sentence");
    }
}

/// The text, or nothing.
pub fn text(text: Option<&Text>) -> String {
    text.map(|text| text.text.clone()).unwrap_or_default()
}

/// The texts without their places.
pub fn texts(texts: &[Text]) -> Vec<String> {
    texts.iter().map(|text| text.text.clone()).collect()
}

/// A condition with its place.
pub fn cel(text: &Text) -> Cel {
    Cel { text: text.text.clone(), span: text.span }
}

/// A deprecation without its place.
pub fn deprecated(written: Option<&Short<Deprecation>>) -> Option<Deprecated> {
    let Short(written) = written?;
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
    Some(Deprecated { since: text(&written.since), instead: text(&written.instead), doc: text(&written.doc) })
}
