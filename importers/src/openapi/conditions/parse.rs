//! Conditions of a document: schemas that state something about the members of an object.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use wireform_codegen::schema::Resource;
use wireform_codegen::schema::behavior::Required;
use wireform_codegen::schema::field::Field;

use super::tree::Condition;
use crate::node::Node;
use crate::number::Number;
use crate::openapi::enums;
use crate::openapi::view::{View, expanded};
use crate::value::Value;

/// Maximum nesting depth of conditions.
const MAX_DEPTH: usize = 8;

/// Object that conditions are about. Its members are in tables, since conditions can have thousands of parts.
pub struct Scope<'s, 'd> {
    root: &'s Node<'d>,
    fields: HashMap<&'s str, &'s Field>,
    members: HashMap<&'d str, &'s [Node<'d>]>,
    /// Listed texts of the members that were compared so far.
    listed: RefCell<HashMap<String, Rc<HashSet<String>>>>,
}

/// Condition, or the reason why it cannot be a rule.
type Parsed = Result<Condition, String>;

impl<'s, 'd> Scope<'s, 'd> {
    /// Creates the scope of the conditions of a resource.
    pub fn new(root: &'s Node<'d>, view: &'s View<'d>, resource: &'s Resource) -> Self {
        let fields = resource.fields.0.iter().map(|(name, field)| (name.text.as_str(), field)).collect();
        let members = view.properties.iter().map(|(name, nodes)| (*name, nodes.as_slice())).collect();
        Self { root, fields, members, listed: RefCell::default() }
    }

    /// Returns the condition that a schema states.
    pub fn condition(&self, schema: &Node<'d>, depth: usize) -> Parsed {
        let Value::Object(keys) = schema.value else {
            let Value::Bool(holds) = schema.value else { return Err("expected a schema".to_owned()) };
            return Ok(Condition::Known(*holds));
        };
        if depth > MAX_DEPTH {
            return Err("conditions are nested too deeply".to_owned());
        }
        let names = schema.texts("required");
        let mut all = names.iter().map(|name| self.presence(name)).collect::<Result<Vec<Condition>, _>>()?;
        let required: HashSet<&str> = names.into_iter().collect();
        let lists = |key: &str| -> Result<Vec<Condition>, String> {
            schema.list(key).iter().map(|one| self.condition(one, depth + 1)).collect()
        };
        for (key, value) in keys {
            match key.as_str() {
                "properties" => {
                    for (name, member) in schema.entries("properties") {
                        all.push(self.member(name, &member, required.contains(name), depth)?);
                    }
                }
                "not" => all.push(self.condition(&schema.child_at(key, value), depth + 1)?.not()),
                "allOf" => all.extend(lists(key)?),
                "anyOf" => all.push(Condition::any(lists(key)?)),
                "oneOf" => all.push(Condition::one(lists(key)?)),
                "if" => all.push(self.conditional(schema, depth)?),
                "dependentRequired" | "dependentSchemas" => {
                    for (name, needed) in schema.entries(key) {
                        all.push(self.dependency(name, &needed, depth)?);
                    }
                }
                "type" if value.text() == Some("object") => {}
                "required" | "then" | "else" | "title" | "description" | "$comment" => {}
                key if key.starts_with("x-") => {}
                key => return Err(format!("`{}` cannot be a condition", key.escape_debug())),
            }
        }
        Ok(Condition::all(all))
    }

    /// Returns the condition of `if` with `then` and `else`.
    pub fn conditional(&self, schema: &Node<'d>, depth: usize) -> Parsed {
        let part = |key: &str| match schema.get(key) {
            Some(part) => self.condition(&part, depth + 1),
            None => Ok(Condition::Known(true)),
        };
        if !schema.has("if") {
            return Ok(Condition::Known(true));
        }
        let condition = part("if")?;
        let (then, otherwise) = (condition.clone().implies(part("then")?), condition.not().implies(part("else")?));
        Ok(Condition::all(vec![then, otherwise]))
    }

    /// Returns the condition that the presence of a member has: other members, or a schema.
    pub fn dependency(&self, name: &str, needed: &Node<'d>, depth: usize) -> Parsed {
        let then = match needed.value {
            Value::List(_) => {
                let names = needed.elements();
                let all: Result<Vec<_>, _> =
                    names.iter().filter_map(Node::as_text).map(|name| self.presence(name)).collect();
                Condition::all(all?)
            }
            _ => self.condition(needed, depth + 1)?,
        };
        Ok(self.presence(name)?.implies(then))
    }

    /// Returns the field of a member that conditions can read.
    fn field(&self, name: &str) -> Result<&Field, String> {
        let shown = name.escape_debug();
        let Some(field) = self.fields.get(name) else {
            return Err(format!("a condition cannot contain the unknown field `{shown}`"));
        };
        if !is_identifier(name) {
            return Err(format!("a condition cannot contain the name `{shown}`"));
        }
        // Requests do not contain it, or responses.
        if !field.behavior.is_empty() {
            return Err(format!("a condition cannot contain the field `{shown}`, which is `readOnly` or `writeOnly`"));
        }
        Ok(field)
    }

    /// Returns whether a member is present.
    fn presence(&self, name: &str) -> Parsed {
        let is_required = self.field(name)?.required == Some(Required::Everywhere(true));
        Ok(if is_required { Condition::Known(true) } else { Condition::Has(name.to_owned()) })
    }

    /// Returns whether a member satisfies a schema, if it is present.
    fn member(&self, name: &str, schema: &Node<'d>, is_tested: bool, depth: usize) -> Parsed {
        let present = self.presence(name)?;
        let holds = self.value(name, schema, depth + 1)?;
        Ok(if is_tested { holds } else { present.implies(holds) })
    }

    /// Returns whether the value of a member satisfies a schema.
    fn value(&self, name: &str, schema: &Node<'d>, depth: usize) -> Parsed {
        let Value::Object(keys) = schema.value else {
            let Value::Bool(holds) = schema.value else { return Err("expected a schema".to_owned()) };
            return Ok(Condition::Known(*holds));
        };
        if depth > MAX_DEPTH {
            return Err("conditions are nested too deeply".to_owned());
        }
        let is_set = |key: &str| schema.value.get(key) == Some(&Value::Bool(true));
        let compare = |operator, value: &Value| {
            self.literal(name, value).map(|literal| Condition::Compare(name.to_owned(), operator, literal))
        };
        let mut all = Vec::new();
        for (key, value) in keys {
            all.push(match key.as_str() {
                "const" => compare("==", value)?,
                "enum" => {
                    let Value::List(values) = value else { return Err("expected a list".to_owned()) };
                    let each: Result<Vec<_>, _> = values.iter().map(|value| compare("==", value)).collect();
                    Condition::any(each?)
                }
                "minimum" if !is_set("exclusiveMinimum") => compare(">=", value)?,
                "maximum" if !is_set("exclusiveMaximum") => compare("<=", value)?,
                "minimum" => compare(">", value)?,
                "maximum" => compare("<", value)?,
                "exclusiveMinimum" if !matches!(value, Value::Bool(_)) => compare(">", value)?,
                "exclusiveMaximum" if !matches!(value, Value::Bool(_)) => compare("<", value)?,
                "not" => self.value(name, &schema.child_at(key, value), depth + 1)?.not(),
                "type" if self.has_type(name, value) => continue,
                "exclusiveMinimum" | "exclusiveMaximum" | "title" | "description" | "$comment" => continue,
                key if key.starts_with("x-") => continue,
                key => return Err(format!("`{}` of a field cannot be a condition", key.escape_debug())),
            });
        }
        Ok(Condition::all(all))
    }

    /// Returns whether a member has a type anyway.
    fn has_type(&self, name: &str, ty: &Value) -> bool {
        let view = self.members.get(name).map(|nodes| expanded(self.root, nodes));
        view.is_some_and(|view| view.nodes.iter().any(|node| node.value.get("type") == Some(ty)))
    }

    /// Returns the listed texts of a member.
    fn listed(&self, name: &str) -> Rc<HashSet<String>> {
        let known = self.listed.borrow().get(name).map(Rc::clone);
        known.unwrap_or_else(|| {
            let view = self.members.get(name).map(|nodes| expanded(self.root, nodes));
            let listed = view.as_ref().and_then(enums::listed_values).unwrap_or_default();
            let texts = listed.iter().filter(|one| one.number.is_none()).map(|one| one.wire.to_string()).collect();
            let texts = Rc::new(texts);
            self.listed.borrow_mut().insert(name.to_owned(), Rc::clone(&texts));
            texts
        })
    }

    /// Returns a value that a member is compared with, as a literal.
    fn literal(&self, name: &str, value: &Value) -> Result<String, String> {
        let field = self.field(name)?;
        let unsupported = || format!("the field `{}` cannot be compared with this value", name.escape_debug());
        // Null is neither equal to a value nor absent.
        if field.nullable.is_some() {
            return Err(format!("the field `{}`, which can be null, cannot be compared", name.escape_debug()));
        }
        match (field.ty.name().unwrap_or_default(), value) {
            ("bool", Value::Bool(flag)) => Ok(flag.to_string()),
            ("string", Value::Text(text)) => Ok(quoted(text)),
            ("int32" | "int64" | "uint32" | "uint64", Value::Number(text)) => Number::parse(text)
                .and_then(Number::as_integer)
                .map(|number| number.to_string())
                .ok_or_else(unsupported),
            ("double" | "float" | "number", Value::Number(text)) => {
                Number::float(text).map(|number| number.to_string()).ok_or_else(unsupported)
            }
            (_, Value::Text(text)) => {
                if self.listed(name).contains(text) {
                    Ok(quoted(text))
                } else {
                    Err(unsupported())
                }
            }
            _ => Err(unsupported()),
        }
    }
}

/// Returns whether a name can be that of a field in CEL.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !["false", "in", "null", "true"].contains(&name)
}

/// Returns a text as a literal of CEL.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('\'');
    quoted
}
