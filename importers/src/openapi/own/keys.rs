//! Extensions that hold a part of a schema, read as that part.

use wireform_codegen::schema::read::Read;

use crate::lowering;
use crate::node::Node;

/// Reads an extension; `None` where the document does not have it, and where it is something else, which is a loss.
pub fn read<T: Read>(node: &Node<'_>, key: &str) -> Option<T> {
    node.get(key).and_then(|inner| of_node(&inner))
}

/// Reads what stands at a place; `None` where it is something else, which is a loss.
pub fn of_node<T: Read>(node: &Node<'_>) -> Option<T> {
    let found = lowering::read(&node.value.to_node());
    if let Err(why) = &found {
        let why = why.as_deref().unwrap_or("it is no part of a schema");
        node.whole_loss(format!("left out: {why}"));
    }
    found.ok()
}
