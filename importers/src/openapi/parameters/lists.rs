//! Parameters that are lists, or one value or a list.

use wireform_codegen::schema::types::TypeExpr;

use crate::node::Node;
use crate::openapi::form::Form;
use crate::openapi::importer::Importer;
use crate::openapi::types::unions::{self, Alternatives};
use crate::openapi::view::{Kind, View, expanded};
use crate::value_kind::ValueKind;

/// Schema of a single value that is sent like a list of one value.
pub struct SingleValue<'d> {
    schema: Node<'d>,
    /// True if it is that of the elements.
    is_element: bool,
}

impl SingleValue<'_> {
    /// Reports that the schema is left out.
    pub fn report(&self) {
        if self.is_element {
            self.schema.whole_note("left out: a single value is sent like a list of one value");
        } else {
            let what = "left out: a single value is sent like a list of one value, which has another schema";
            self.schema.whole_loss(what);
        }
    }
}

/// Returns the list of a schema that is one value or a list of such values, since a list of one value is written like the
/// value, with the schema of the value; otherwise the schema itself.
pub fn or_list<'d>(importer: &Importer<'d>, schema: Node<'d>) -> (Node<'d>, Option<SingleValue<'d>>) {
    match find_list(importer, &schema).filter(|_| !importer.is_generated) {
        Some((list, value)) => (list, Some(value)),
        None => (schema, None),
    }
}

/// Returns the list and the value of a schema that is either.
fn find_list<'d>(importer: &Importer<'d>, schema: &Node<'d>) -> Option<(Node<'d>, SingleValue<'d>)> {
    let of = |nodes: &[Node<'d>]| expanded(&importer.root, nodes);
    let whole = of(std::slice::from_ref(schema));
    let [alternatives] = whole.alternatives.as_slice() else { return None };
    let is_null = |one: &Node<'d>| one.text_if("type") == Some("null");
    let values: Vec<&Node<'d>> = alternatives.iter().filter(|one| !is_null(one)).collect();
    let is_list = |one: &Node<'d>| of(std::slice::from_ref(one)).kind() == Some(Kind::List);
    let (list, value) = match values.as_slice() {
        [value, list] | [list, value] if is_list(list) && is_scalar(&of(&[(*value).clone()])) => (*list, *value),
        _ => return None,
    };
    let (elements, single) = (of(std::slice::from_ref(list)).items, of(std::slice::from_ref(value)));
    let element = of(&elements);
    if !whole.properties.is_empty() || !is_scalar(&element) || element.kind() != single.kind() {
        return None;
    }
    alternatives.iter().filter(|one| is_null(one)).for_each(Node::mark_used);
    let is_element = elements.iter().any(|one| one.value == value.value);
    Some((list.clone(), SingleValue { schema: value.clone(), is_element }))
}

/// Returns whether a schema is a single value of one type.
fn is_scalar(view: &View<'_>) -> bool {
    view.kind().as_ref().is_some_and(is_scalar_kind) && view.alternatives.is_empty()
}

/// Returns whether values of this kind are scalars.
const fn is_scalar_kind(kind: &Kind) -> bool {
    !matches!(kind, Kind::Object | Kind::List)
}

/// Returns whether the elements of a list are scalars of several types.
pub fn is_mixed<'d>(importer: &Importer<'d>, elements: &[Node<'d>]) -> bool {
    let view = expanded(&importer.root, elements);
    let is_one = |one: &Node<'d>| is_scalar(&expanded(&importer.root, std::slice::from_ref(one)));
    match unions::alternatives(importer, &view) {
        Alternatives::Types => view.alternatives.iter().flatten().all(is_one),
        // A list of types.
        _ => view.kinds.as_ref().is_some_and(|kinds| kinds.len() > 1 && kinds.iter().all(is_scalar_kind)),
    }
}

/// Replaces the elements of a list by strings.
pub fn replace_elements(form: &mut Form<'_>) {
    if let TypeExpr::List(element, _) = &mut form.ty {
        **element = TypeExpr::named("string");
    }
    form.inner = ValueKind::Text;
}
