//! JSON Patches (RFC 6902): lists of operations, which have a dedicated type.

use wireform_codegen::schema::operation::{Body, BodyMode};

use crate::lowering::texts;
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::media::{self, Content, can_be_json_patch};
use crate::openapi::view::LIMITS;
use crate::value::Value;

/// Returns whether a body is a JSON Patch: it has that media type, and its schema, if not empty, is a list.
pub fn is_json_patch<'d>(root: &Node<'d>, content: &Content<'d>) -> bool {
    content.types.iter().all(|media| media::is_json_patch(media)) && can_be_json_patch(root, content.schema.as_ref())
}

/// Returns the body of a JSON Patch. Parts of its schema beyond RFC 6902 are reported.
pub fn body<'d>(importer: &Importer<'d>, content: &Content<'d>) -> Body {
    if let Some(schema) = &content.schema {
        schema.mark_used();
        if !importer.is_generated {
            let mut report = Losses { root: importer.root.clone(), open: Vec::new() };
            report.list(schema);
        }
    }
    let is_default = matches!(*content.types, [only] if only == "application/json-patch+json");
    let types = if is_default { Vec::new() } else { content.types.iter().map(|ty| (*ty).to_owned()).collect() };
    Body { mode: Some(BodyMode::JsonPatch), content_types: texts(types), ..Body::default() }
}

/// Operations of RFC 6902.
const OPERATIONS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

/// Keys, in addition to [`LIMITS`], that limit a list, the operations in it or their members. A `format` only states
/// that paths are JSON pointers.
const FURTHER_LIMITS: [&str; 4] = ["const", "contains", "if", "not"];

/// Reports constraints in the schema of a JSON Patch that `runtime::JsonPatch` does not enforce.
struct Losses<'d> {
    root: Node<'d>,
    /// Named schemas that are being visited, to detect cycles.
    open: Vec<&'d str>,
}

impl<'d> Losses<'d> {
    /// Reports constraints in the schema of the list of operations.
    fn list(&mut self, list: &Node<'d>) {
        self.each(list, |this, list| {
            limits(list);
            if let Some(items) = list.get("items") {
                this.operation(&items, true);
            }
        });
    }

    /// Checks an operation; if it is one of several alternatives, each covers some of the values of `op`.
    fn operation(&mut self, operation: &Node<'d>, is_only: bool) {
        self.each(operation, |this, operation| {
            limits(operation);
            for key in ["oneOf", "anyOf"] {
                operation.get(key).iter().flat_map(Node::elements).for_each(|one| this.operation(&one, false));
            }
            for (name, member) in operation.get("properties").iter().flat_map(Node::members) {
                match name {
                    "op" => this.op(&member, is_only),
                    "path" | "from" => this.pointer(&member),
                    "value" => this.value(&member),
                    _ => member.whole_loss("left out: unknown field of a JSON Patch operation"),
                }
            }
        });
    }

    /// Reports a schema of the field `op` that allows other or fewer operations.
    fn op(&mut self, op: &Node<'d>, is_only: bool) {
        self.each(op, |_, op| {
            let Some(values) = op.get("enum") else { return };
            let listed: Vec<&str> = values.elements().iter().filter_map(|one| one.value.text()).collect();
            let is_foreign = listed.iter().any(|one| !OPERATIONS.contains(one));
            if is_foreign || is_only && !OPERATIONS.iter().all(|one| listed.contains(one)) {
                let all = OPERATIONS.join("`, `");
                values.whole_loss(format!("left out: a JSON Patch supports the operations `{all}`"));
            }
        });
    }

    /// Reports constraints of a path in a JSON Patch.
    fn pointer(&mut self, pointer: &Node<'d>) {
        self.each(pointer, |_, pointer| {
            limits(pointer);
            if let Some(values) = pointer.get("enum") {
                values.whole_loss("left out: constraints of the paths of a JSON Patch are not supported");
            }
        });
    }

    /// Checks the value of an operation. Many documents write `type: object` for any value.
    fn value(&mut self, value: &Node<'d>) {
        self.each(value, |_, value| {
            let is_typed = value.get("type").is_some_and(|ty| ty.value.text().is_some_and(|ty| ty != "object"));
            if is_typed || ["enum", "properties", "items"].iter().any(|key| value.has(key)) {
                value.whole_loss("left out: constraints of the values of a JSON Patch are not supported");
            } else {
                limits(value);
            }
        });
    }

    /// Visits a schema, its references and its components.
    fn each(&mut self, schema: &Node<'d>, look: impl Fn(&mut Self, &Node<'d>) + Copy) {
        let named = schema.component();
        if let Some(name) = named {
            if self.open.contains(&name) {
                return;
            }
            if let Some(target) = schema.resolved(&self.root) {
                self.open.push(name);
                self.each(&target, look);
                self.open.pop();
            }
            return;
        }
        look(self, schema);
        schema.get("allOf").iter().flat_map(Node::elements).for_each(|part| self.each(&part, look));
    }
}

/// Reports constraints, which a JSON Patch cannot have.
fn limits(schema: &Node<'_>) {
    for limit in LIMITS.iter().filter(|key| **key != "format").chain(&FURTHER_LIMITS).filter_map(|key| schema.get(key))
    {
        if !matches!(limit.value, Value::Bool(false)) {
            limit.whole_loss("left out: constraints of a JSON Patch are not supported");
        }
    }
}
