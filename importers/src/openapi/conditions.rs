//! Conditions across the members of an object, which become rules: `required` in alternatives, `dependentRequired`,
//! `if` and the like.

mod parse;
mod tree;

use std::collections::HashSet;

use heck::ToSnakeCase;

use wireform_codegen::schema::behavior::{Presence, Required};
use wireform_codegen::schema::resource::{Resource, Rule};
use wireform_codegen::schema::types::TypeExpr;

use super::importer::Importer;
use super::limits::is_list_of_conditions;
use super::view::View;
use crate::node::Node;
use parse::Scope;
use tree::Condition;

/// Maximum length of the text of a condition, as in the schema language.
const MAX_LENGTH: usize = 4096;

/// Condition that a keyword states: its location and all parts of the document that it consists of.
struct Statement<'d> {
    /// Keyword in snake case, for the identifier of the rule.
    name: &'static str,
    /// Parts of the document.
    nodes: Vec<Node<'d>>,
    /// Meaning, or the reason why it cannot be a rule.
    condition: Result<Condition, String>,
    /// Text of the message of a violation, if the condition does not describe itself.
    message: Option<String>,
}

/// Adds the conditions across the members of an object to its resource; reports those that cannot be rules.
pub fn write<'d>(importer: &mut Importer<'d>, view: &View<'d>, name: &str, resource: &mut Resource) {
    if importer.is_generated {
        return;
    }
    let scope = Scope::new(&importer.root, view, resource);
    let lists = view.alternatives.iter().filter(|list| is_list_of_conditions(list, view));
    let mut all: Vec<Statement<'d>> = lists.map(|list| of_alternatives(&scope, list)).collect();
    for node in &view.nodes {
        all.extend(of_keywords(&scope, node));
    }
    let mut tested = HashSet::new();
    for statement in all {
        let found = statement.condition.and_then(|condition| match condition {
            Condition::Known(true) => Ok(None),
            Condition::Known(false) => Err("no object satisfies it".to_owned()),
            condition => rule(&condition, statement.message).map(|rule| Some((condition, rule))),
        });
        match found {
            Ok(found) => {
                statement.nodes.iter().for_each(Node::mark_used);
                if let Some((condition, rule)) = found {
                    let id = importer.rule_id(&format!("{}.{}", name.to_snake_case(), statement.name));
                    resource.rules.push(Rule { id: id.into(), ..rule });
                    condition.tested(&mut tested);
                }
            }
            Err(reason) => statement.nodes.iter().for_each(|node| node.whole_loss(format!("left out: {reason}"))),
        }
    }
    distinguish_empty(&tested, resource);
}

/// Returns the condition of alternatives.
fn of_alternatives<'d>(scope: &Scope<'_, 'd>, list: &[Node<'d>]) -> Statement<'d> {
    let parts: Result<Vec<_>, _> = list.iter().map(|node| scope.condition(node, 0)).collect();
    let is_one = list.first().is_some_and(|node| node.at.rsplit('/').nth(1) == Some("oneOf"));
    let names: Option<Vec<String>> =
        parts.as_ref().ok().and_then(|parts| parts.iter().map(Condition::present).collect());
    let message = names.map(|names| {
        let count = if is_one { "exactly one" } else { "at least one" };
        format!("give {count} of {}", tree::join(&names, "and"))
    });
    let name = if is_one { "one_of" } else { "any_of" };
    let condition = parts.map(if is_one { Condition::one } else { Condition::any });
    Statement { name, nodes: list.to_vec(), condition, message }
}

/// Returns the conditions that keywords of a schema state.
fn of_keywords<'d>(scope: &Scope<'_, 'd>, node: &Node<'d>) -> Vec<Statement<'d>> {
    let mut all = Vec::new();
    let mut add = |name, nodes, condition| all.push(Statement { name, nodes, condition, message: None });
    if let Some(not) = node.get("not") {
        let condition = scope.condition(&not, 0).map(Condition::not);
        add("not", vec![not], condition);
    }
    let parts: Vec<Node<'d>> = ["if", "then", "else"].into_iter().filter_map(|key| node.get(key)).collect();
    if node.has("if") && parts.len() > 1 {
        add("if", parts, scope.conditional(node, 0));
    } else {
        let what = "left out: `if` has no effect without `then` or `else`, nor they without it";
        parts.iter().for_each(|part| part.whole_note(what));
    }
    for (key, name) in [("dependentRequired", "dependent_required"), ("dependentSchemas", "dependent_schemas")] {
        for (member, needed) in node.entries(key) {
            let condition = scope.dependency(member, &needed, 0);
            add(name, vec![needed], condition);
        }
    }
    all
}

/// Returns the rule of a condition, without its identifier.
fn rule(condition: &Condition, message: Option<String>) -> Result<Rule, String> {
    let cel = condition.to_cel();
    if cel.len() > MAX_LENGTH {
        return Err(format!("as a condition it has {} bytes, and {MAX_LENGTH} are possible", cel.len()));
    }
    let message = message.unwrap_or_else(|| condition.describe());
    let at = condition.consequence();
    Ok(Rule { cel: cel.into(), message: message.into(), at: at.map(Into::into), ..Rule::default() })
}

/// Distinguishes empty lists and maps from absent ones where conditions test their presence.
fn distinguish_empty(tested: &HashSet<String>, resource: &mut Resource) {
    for (_, field) in resource.fields.0.iter_mut().filter(|(name, _)| tested.contains(&name.text)) {
        let is_collection = matches!(field.ty, TypeExpr::List(..) | TypeExpr::Map(..));
        if is_collection && field.presence.is_none() && field.required != Some(Required::Everywhere(true)) {
            field.presence = Some(Presence::Explicit.into());
        }
    }
}
