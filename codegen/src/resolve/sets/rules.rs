//! Rule sets: which rules apply to an operation, and under which ids.

use super::{Set, Sets, Shared, report_idle_name};
use crate::diagnostics::{Code, Sink};
use crate::schema::resource::Rule;
use crate::schema::sets::RuleSetDef;
use crate::schema::shape::Short;
use crate::schema::write::is_equivalent;
use crate::schema::{Operation, Text};

impl Set for Short<RuleSetDef> {
    const KIND: &'static str = "rule set";

    fn include(&self) -> &[Text] {
        &self.0.include
    }
}

/// Rule sets of an API.
pub struct Rules<'s> {
    pub sets: Sets<'s, Short<RuleSetDef>>,
}

impl<'s> Rules<'s> {
    pub fn new(shared: &'s Shared, sink: &mut Sink) -> Self {
        Self { sets: Sets::new(&shared.file.rule_sets, &shared.duplicates, sink) }
    }

    /// Adds the rules of a set to an operation, before its own.
    pub fn apply(&mut self, name: &Text, operation: &mut Operation, sink: &mut Sink) {
        let mut shared: Vec<(&Text, Rule)> = Vec::new();
        let mut taken: Vec<&str> = Vec::new();
        for set in &operation.rule_sets {
            let Some(found) = self.sets.take(set, sink) else { continue };
            if taken.contains(&set.text.as_str()) {
                report_idle_name(set, <Short<RuleSetDef>>::KIND, sink);
                continue;
            }
            let mut rules = Vec::new();
            self.collect(&set.text, found, &mut taken, &mut rules);
            for mut rule in rules {
                rule.id.text = in_operation(&rule.id.text, &name.text);
                rule.origin = rule.origin.take().or_else(|| operation.origin.clone());
                match shared.iter().find(|(_, other)| other.id.text == rule.id.text) {
                    Some((_, other)) if is_equivalent(other, &rule) => {}
                    Some((first, other)) => {
                        let id = &rule.id.text;
                        let message =
                            format!("rule sets `{}` and `{}` declare different rules `{id}`", first.text, set.text);
                        sink.report(Code::BadSet, set.span, message)
                            .related(other.id.span, format!("declared in `{}` here", first.text))
                            .help("give one of them a different `id`");
                    }
                    None => shared.push((set, rule)),
                }
            }
        }
        let of_sets = shared.len();
        for rule in std::mem::take(&mut operation.rules) {
            if !is_declared(&rule, shared.get(..of_sets).unwrap_or_default(), sink) {
                shared.push((name, rule));
            }
        }
        operation.rules = shared.into_iter().map(|(_, rule)| rule).collect();
    }

    /// Adds the rules of a set after those of the sets that it includes; a set in `taken` is skipped.
    fn collect(&self, name: &str, set: &'s Short<RuleSetDef>, taken: &mut Vec<&'s str>, rules: &mut Vec<Rule>) {
        let Some((key, _)) = self.sets.named.get(name).copied() else { return };
        if taken.contains(&key.text.as_str()) {
            return;
        }
        taken.push(&key.text);
        for included in self.sets.included(set) {
            if let Some((_, set)) = self.sets.named.get(included.text.as_str()).copied() {
                self.collect(&included.text, set, taken, rules);
            }
        }
        rules.extend(set.0.rules.iter().map(|rule| {
            let origin = rule.origin.clone().or_else(|| set.0.origin.clone());
            Rule { origin, ..rule.clone() }
        }));
    }
}

/// Returns whether a set already has a rule of the same id. An id has one meaning, so rules are not overridden.
fn is_declared(rule: &Rule, shared: &[(&Text, Rule)], sink: &mut Sink) -> bool {
    let same_id = |(_, one): &&(&Text, Rule)| one.id.text == rule.id.text && one.id.span != rule.id.span;
    let Some((set, there)) = shared.iter().find(same_id) else { return false };
    let id = &rule.id.text;
    if is_equivalent(there, rule) {
        sink.report(Code::IdleOverride, rule.id.span, format!("redundant rule `{id}`: a set already declares it"))
            .related(there.id.span, "here")
            .help("remove it");
    } else {
        sink.report(
            Code::BadRule,
            rule.id.span,
            format!("duplicate rule `{id}`: rule set `{}` already declares it", set.text),
        )
        .related(there.id.span, "here")
        .help("give this rule a different `id`, or remove the set");
    }
    true
}

/// Returns the id of a rule in an operation: `{method}` and `{group}` stand for the last two components of its name.
fn in_operation(id: &str, operation: &str) -> String {
    let mut words = operation.rsplit('.');
    let (method, group) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    id.replace("{method}", &snake(method)).replace("{group}", &snake(group))
}

/// Returns a word in snake case, as in ids: `batchModify` becomes `batch_modify`.
fn snake(word: &str) -> String {
    let mut text = String::new();
    for c in word.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::in_operation;

    #[test]
    fn an_id_is_the_same_everywhere_unless_it_names_the_operation() {
        assert_eq!(in_operation("event.locked", "events.patch"), "event.locked");
        assert_eq!(in_operation("{method}.locked", "events.patch"), "patch.locked");
        assert_eq!(in_operation("{group}_{method}.user", "users.messages.batchModify"), "messages_batch_modify.user");
    }
}
