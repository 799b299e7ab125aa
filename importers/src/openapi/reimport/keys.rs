//! Extensions that contain a part of a schema, parsed as that part.

use wireform_codegen::schema::read::Read;

use crate::lowering;
use crate::node::Node;

/// Parses an extension; `None` if it is absent, or invalid, which is a loss.
pub fn read<T: Read>(node: &Node<'_>, key: &str) -> Option<T> {
    node.get(key).and_then(|inner| of_node(&inner))
}

/// Parses a node; `None` if it is invalid, which is a loss.
pub fn of_node<T: Read>(node: &Node<'_>) -> Option<T> {
    let found = lowering::read(&node.value.to_node());
    if let Err(why) = &found {
        let why = why.as_deref().unwrap_or("invalid value");
        node.whole_loss(format!("left out: {why}"));
    }
    found.ok()
}
