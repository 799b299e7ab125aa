//! References in a value.

use super::{Path, Position};
use crate::value::Value;

/// Reference or entry of a mapping.
pub struct Found {
    /// Path of the object that has it, or of the entry.
    pub path: Path,
    pub text: String,
    pub position: Position,
    /// True if the object has no other members.
    pub is_alone: bool,
}

/// Finds the references and the entries of mappings in a value.
pub fn find(value: &Value, position: Position, path: &mut Path, found: &mut Vec<Found>) {
    match value {
        _ if position == Position::Opaque => {}
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                find(item, position.element(), path, found);
                path.pop();
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::Text(text) if position == Position::Mapping || key == "$ref" => {
                        let (path, is_alone) = (path.clone(), members.len() == 1);
                        found.push(Found { path, text: text.clone(), position, is_alone });
                    }
                    _ => {
                        path.push(key.clone());
                        find(member, position.member(key), path, found);
                        path.pop();
                    }
                }
            }
        }
        _ => {}
    }
}
