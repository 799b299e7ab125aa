//! Resources, their members, and enums.

use wireform_codegen::schema::Named;
use wireform_codegen::schema::behavior::{
    Behavior, BehaviorDetail, BehaviorWord, ConstrainedIn, EnumBehavior, Required, RequiredIn,
};
use wireform_codegen::schema::enums::{EnumDef, EnumType, EnumValue};
use wireform_codegen::schema::field::Field;
use wireform_codegen::schema::resource::{KindTag, Resource, RestDef, States, Transition, Transitions};

use super::keys::read;
use super::{deprecated, known, long_running, restore_type, rules};
use crate::lowering::{Member, flag, text};
use crate::node::Node;
use crate::openapi::enums::ListedValue;
use crate::value::Value;

/// Restores the other keys of a resource. The member with its kind is not among its fields.
pub fn resource(root: &Node<'_>, name: &str, node: &Node<'_>, resource: &mut Resource) {
    resource.name = read(node, "x-wireform-name");
    resource.outcome = read(node, "x-wireform-outcome");
    for (name, property) in node.entries("properties").into_iter().filter(|(_, one)| one.flag("x-wireform-kind")) {
        let member = text((name != "kind").then_some(name));
        let value = property.text("const").unwrap_or_default();
        resource.kind = Some(KindTag { value: value.into(), member, ..KindTag::default() }.into());
        resource.fields.0.retain(|(own, _)| own.text != name);
    }
    resource.long_running = long_running::resource(root, name, node);
    resource.rules = rules(node);
    resource.states = states(node);
    resource.deprecated = deprecated(node).or(resource.deprecated.take());
}

/// Reads the state tables of a resource from `x-wireform-states`.
fn states(node: &Node<'_>) -> Named<States> {
    let mut all = Named::default();
    for one in node.list("x-wireform-states") {
        let listed: Vec<Transition> = one.list("transitions").iter().filter_map(transition).collect();
        let otherwise = read(&one, "otherwise");
        let (transitions, otherwise) = if listed.is_empty() {
            (otherwise.map(Transitions::Policy).unwrap_or_default(), None)
        } else {
            (Transitions::Listed(listed), otherwise)
        };
        if let Some(member) = one.text("member") {
            all.insert(member, States { initial: read(&one, "initial"), transitions, otherwise, ..States::default() });
        }
    }
    all
}

/// Reads a transition of a state table.
fn transition(node: &Node<'_>) -> Option<Transition> {
    Some(Transition {
        from: read(node, "from")?,
        to: read(node, "to")?,
        on: read(node, "on")?,
        when: read(node, "when"),
        doc: read(node, "description"),
        ..Transition::default()
    })
}

/// Restores the additional members of the schema.
pub fn rest(node: &Node<'_>, mut member: Member) -> RestDef {
    member.name = None;
    restore_type(node, node, &mut member);
    member.doc = member.doc.filter(|doc| doc.text != "Other fields.");
    member.into_rest()
}

/// Restores a field of the schema.
pub fn field(node: &Node<'_>, mut member: Member) -> Field {
    member.name = None;
    restore_type(node, node, &mut member);
    member.deprecated = deprecated(node).or(member.deprecated);
    let mut field = Field {
        nullable: flag(node.flag("x-wireform-nullable")),
        behavior: behavior(node),
        required: required(node),
        known: known(node),
        presence: read(node, "x-wireform-presence"),
        fill: read(node, "x-wireform-fill"),
        sensitive: flag(node.flag("x-wireform-sensitive")),
        effective_when: read(node, "x-wireform-effective-when"),
        ignored: read(node, "x-wireform-ignored"),
        ..member.into_field()
    };
    if let Some(constrained) = node.get("x-wireform-constrained") {
        constrain(&constrained, &mut field);
    }
    field
}

/// Adds the constraints that apply in some operations only.
fn constrain(node: &Node<'_>, field: &mut Field) {
    field.length = read(node, "length").or(field.length);
    field.pattern = read(node, "pattern").or(field.pattern.take());
    field.format = read(node, "format").or(field.format);
    field.schemes = read(node, "schemes").unwrap_or_else(|| std::mem::take(&mut field.schemes));
    field.min = read(node, "min").or(field.min.take());
    field.max = read(node, "max").or(field.max.take());
    field.multiple_of = read(node, "multiple_of").or(field.multiple_of.take());
    let operations = read(node, "in").unwrap_or_default();
    field.constrained = Some(ConstrainedIn { operations, ..ConstrainedIn::default() });
}

/// Reads the behaviors of a field.
fn behavior(node: &Node<'_>) -> Vec<Behavior> {
    let mut all = Vec::new();
    if node.flag("readOnly") {
        let detail: BehaviorDetail = read(node, "x-wireform-output-only").unwrap_or_default();
        let refuse = detail.refuse.is_some_and(|refuse| refuse.value);
        all.push(Behavior { except: detail.except, refuse, ..Behavior::from(BehaviorWord::OutputOnly) });
    }
    all.extend(node.flag("writeOnly").then(|| BehaviorWord::InputOnly.into()));
    if node.flag("x-wireform-immutable") {
        let ignore = node.flag("x-wireform-ignores-change");
        all.push(Behavior { ignore, ..Behavior::from(BehaviorWord::Immutable) });
    }
    all.extend(node.flag("x-wireform-identifier").then(|| BehaviorWord::Identifier.into()));
    all
}

/// Reads where a field is required.
fn required(node: &Node<'_>) -> Option<Required> {
    let required = node.get("x-wireform-required")?;
    if *required.value == Value::Bool(true) {
        return Some(Required::Everywhere(true));
    }
    let operations = read(node, "x-wireform-required")?;
    let clearable = flag(node.flag("x-wireform-clearable"));
    Some(Required::In(RequiredIn { operations, clearable, ..RequiredIn::default() }))
}

/// Returns the values of an enum with their metadata.
pub fn values<'d>(node: &Node<'d>) -> Option<Vec<ListedValue<'d>>> {
    let value = |(wire, one): (&'d str, Node<'d>)| {
        let words =
            [("x-wireform-output-only", EnumBehavior::OutputOnly), ("x-wireform-input-only", EnumBehavior::InputOnly)];
        let details = EnumValue {
            doc: text(one.text("description")),
            name: read(&one, "x-wireform-name"),
            aliases: read(&one, "aliases").unwrap_or_default(),
            behavior: words.into_iter().filter(|(key, _)| one.flag(key)).map(|(_, word)| word).collect(),
            deprecated: deprecated(&one),
            ..EnumValue::default()
        };
        ListedValue { wire: wire.into(), number: None, name: None, details }
    };
    let all = node.get("x-wireform-values")?;
    Some(all.members().into_iter().map(value).collect())
}

/// Restores the other keys of an enum.
pub fn enumeration(node: &Node<'_>, definition: &mut EnumDef) {
    definition.doc = read(node, "x-wireform-description");
    definition.name = read(node, "x-wireform-name");
    // The base type follows the known values.
    let number = node.list("anyOf").into_iter().find_map(|one| match one.value.get("type")? {
        Value::List(_) => Some(EnumType::Any),
        Value::Text(ty) if ty == "integer" || ty == "number" => one.text("format").and_then(EnumType::from_word),
        _ => None,
    });
    definition.ty = number.map(Into::into).or(definition.ty);
    definition.default = read(node, "x-wireform-default");
    definition.deprecated = deprecated(node).or(definition.deprecated.take());
}
