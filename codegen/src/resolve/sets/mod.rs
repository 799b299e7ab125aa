//! Expansion of shared definitions into each operation, so that later passes do not know them: sets of errors and of
//! rules, path parameters, and origins.

mod errors;
mod origins;
mod paths;
mod rules;

pub use origins::of_facts;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Code, Sink, Span};
use crate::schema::sets::{ErrorSet, RuleSetDef};
use crate::schema::shape::Short;
use crate::schema::{File, Named, Text};

/// Files of an API without shared definitions.
pub struct Expanded {
    /// Files, in the order of the sources.
    pub files: Vec<File>,
    /// False if some definitions are not expanded, because they are unknown or unusable, which was reported.
    pub(super) is_complete: bool,
}

/// Expands the shared definitions of an API.
pub fn expand(mut files: Vec<File>, sink: &mut Sink) -> Expanded {
    files.iter_mut().for_each(|file| origins::of_file(file, sink));
    let shared = Shared::gather(&files, sink);
    let mut errors = errors::Errors::new(&shared, sink);
    let mut rules = rules::Rules::new(&shared, sink);
    let mut paths = paths::Paths::new(&shared, sink);
    for (name, operation) in files.iter_mut().flat_map(|file| &mut file.operations.0) {
        paths.apply(operation, sink);
        origins::of_operation(operation);
        errors.apply(operation, sink);
        rules.apply(name, operation, sink);
        origins::of_operation(operation);
    }
    errors.sets.report_unused("`error_sets:` or `standard_errors:`", sink);
    rules.sets.report_unused("`rule_sets:`", sink);
    paths.report_unused(sink);
    let is_complete = errors.sets.is_complete && paths.is_complete;
    Expanded { files, is_complete }
}

/// Shared definitions of all files.
#[derive(Default)]
struct Shared {
    file: File,
    /// Kinds of which a definition is left out, because another one has its name.
    duplicates: BTreeSet<&'static str>,
}

impl Shared {
    /// Merges the shared definitions of all files into one.
    fn gather(files: &[File], sink: &mut Sink) -> Self {
        let mut shared = Self::default();
        let Self { file: all, duplicates } = &mut shared;
        for file in files {
            if file.api.is_some() {
                all.standard_errors.clone_from(&file.standard_errors);
            }
            merge_definitions(&mut all.error_sets, &file.error_sets, ErrorSet::KIND, duplicates, sink);
            merge_definitions(&mut all.rule_sets, &file.rule_sets, <Short<RuleSetDef>>::KIND, duplicates, sink);
            merge_definitions(&mut all.path_parameters, &file.path_parameters, paths::KIND, duplicates, sink);
        }
        shared
    }
}

/// Adds definitions of one kind to those of other files; reports a duplicate and leaves it out.
fn merge_definitions<T: Clone>(
    all: &mut Named<T>,
    more: &Named<T>,
    kind: &'static str,
    duplicates: &mut BTreeSet<&'static str>,
    sink: &mut Sink,
) {
    for (name, value) in &more.0 {
        match entry(all, &name.text) {
            Some((first, _)) => {
                duplicates.insert(kind);
                sink.report(Code::DuplicateName, name.span, format!("duplicate {kind} `{}`", name.text))
                    .related(first.span, "first defined here")
                    .help("merge them");
            }
            None => all.0.push((name.clone(), value.clone())),
        }
    }
}

/// Set that can include others.
trait Set {
    /// Kind, as in messages.
    const KIND: &'static str;

    /// Returns the names of the sets that this set includes.
    fn include(&self) -> &[Text];
}

/// Maximum depth of includes. Deeper ones would only serve to exhaust the stack.
const MAX_INCLUDES: usize = 64;

/// Sets of one kind, and which of them are used.
struct Sets<'s, S> {
    named: BTreeMap<&'s str, (&'s Text, &'s S)>,
    order: Vec<&'s Text>,
    used: BTreeSet<&'s str>,
    /// True if includes are followed: not if they are too deep.
    follows: bool,
    /// False if a set was left out, is unknown or is not followed, which was reported: any set may be the one that is
    /// meant, or included there.
    is_complete: bool,
}

/// State of the traversal of includes.
struct Walk<'s> {
    open: Vec<&'s str>,
    /// Depth of includes of each set.
    done: BTreeMap<&'s str, usize>,
    /// First include beyond the limit.
    too_deep: Option<Span>,
    /// True if an included set is unknown.
    is_lost: bool,
}

impl<'s, S: Set> Sets<'s, S> {
    /// Indexes the sets; reports includes of unknown sets, and cycles.
    fn new(sets: &'s Named<S>, duplicates: &BTreeSet<&'static str>, sink: &mut Sink) -> Self {
        let order = sets.0.iter().map(|(name, _)| name).collect();
        let named: BTreeMap<_, _> = sets.0.iter().map(|(name, set)| (name.text.as_str(), (name, set))).collect();
        let is_complete = !duplicates.contains(S::KIND);
        let mut found = Self { named, order, used: BTreeSet::new(), follows: true, is_complete };
        let mut walk = Walk { open: Vec::new(), done: BTreeMap::new(), too_deep: None, is_lost: false };
        for name in &found.order {
            found.check(&name.text, &mut walk, sink);
        }
        if let Some(span) = walk.too_deep {
            let message = format!("{}s are nested more than {MAX_INCLUDES} levels deep", S::KIND);
            sink.report(Code::BadSet, span, message).help("merge some of them");
            found.follows = false;
        }
        found.is_complete &= found.follows && !walk.is_lost;
        found
    }

    /// Checks the includes of a set, and returns their depth.
    fn check(&self, name: &str, walk: &mut Walk<'s>, sink: &mut Sink) -> usize {
        let Some((key, set)) = self.named.get(name).copied() else { return 0 };
        if let Some(depth) = walk.done.get(key.text.as_str()) {
            return *depth;
        }
        walk.open.push(&key.text);
        let mut depth = 0;
        for included in set.include() {
            if self.find(included, sink).is_none() {
                walk.is_lost = true;
                continue;
            }
            let below = match walk.open.iter().position(|one| *one == included.text) {
                Some(start) => {
                    report_circle::<S>(&walk.open[start..], included, sink);
                    0
                }
                None if walk.open.len() > MAX_INCLUDES => MAX_INCLUDES,
                None => self.check(&included.text, walk, sink),
            };
            depth = depth.max(below + 1);
            if depth > MAX_INCLUDES {
                walk.too_deep.get_or_insert(included.span);
            }
        }
        walk.open.pop();
        walk.done.insert(&key.text, depth);
        depth
    }

    /// Returns the includes of a set.
    fn included(&self, set: &'s S) -> &'s [Text] {
        if self.follows { set.include() } else { &[] }
    }

    /// Returns a set by name; reports an unknown one.
    fn find(&self, name: &Text, sink: &mut Sink) -> Option<(&'s Text, &'s S)> {
        let found = self.named.get(name.text.as_str()).copied();
        if found.is_none() {
            let message = format!("unknown {} `{}`", S::KIND, name.text.escape_debug());
            sink.report(Code::UnknownMember, name.span, message).suggest(&name.text, self.named.keys().copied());
        }
        found
    }

    /// Returns the set that an operation uses.
    fn take(&mut self, name: &Text, sink: &mut Sink) -> Option<&'s S> {
        let Some((key, set)) = self.find(name, sink) else {
            self.is_complete = false;
            return None;
        };
        self.mark_used(key, set);
        Some(set)
    }

    /// Marks a set and all sets that it includes as used.
    fn mark_used(&mut self, key: &'s Text, set: &'s S) {
        if self.used.insert(&key.text) {
            for (key, set) in self
                .included(set)
                .iter()
                .filter_map(|name| self.named.get(name.text.as_str()).copied())
                .collect::<Vec<_>>()
            {
                self.mark_used(key, set);
            }
        }
    }

    /// Warns of sets that no operation uses.
    fn report_unused(&self, keys: &str, sink: &mut Sink) {
        if !self.is_complete {
            return;
        }
        for name in self.order.iter().filter(|name| !self.used.contains(name.text.as_str())) {
            sink.report(Code::Unused, name.span, format!("unused {} `{}`", S::KIND, name.text))
                .help(format!("remove it, or list it under {keys}"));
        }
    }
}

/// Reports an include that closes a cycle.
fn report_circle<S: Set>(open: &[&str], included: &Text, sink: &mut Sink) {
    let way: Vec<String> = open.iter().map(|one| format!("`{one}`")).collect();
    let through = way.get(1..).filter(|rest| !rest.is_empty()).map(|rest| rest.join(", "));
    let through = through.map_or_else(String::new, |through| format!(" through {through}"));
    let first = way.first().map_or("", String::as_str);
    let message = format!("{} {first} includes itself{through}", S::KIND);
    sink.report(Code::BadSet, included.span, message).help("remove one of the includes");
}

/// Warns of a set that an operation names although it is already included.
fn report_idle_name(name: &Text, kind: &str, sink: &mut Sink) {
    sink.report(
        Code::IdleOverride,
        name.span,
        format!("redundant {kind} `{}`: the operation already includes it", name.text),
    )
    .help("remove the name");
}

/// Returns an entry by name, with its key.
fn entry<'n, T>(named: &'n Named<T>, name: &str) -> Option<(&'n Text, &'n T)> {
    named.0.iter().find(|(own, _)| own.text == name).map(|(own, value)| (own, value))
}

#[cfg(test)]
mod tests {
    use crate::{Options, Source, generate};

    /// Returns the messages for a chain of sets, each of which includes the next one.
    fn messages(count: usize, kind: &str) -> Vec<String> {
        let set = |at: usize| {
            let next = if at + 1 < count { format!("include: [a{}], ", at + 1) } else { String::new() };
            let own = match kind {
                "error_sets" => "errors: { 404: It is not there. }",
                _ => "rules: [{ id: a.b, cel: \"params.a != ''\", message: it is empty }]",
            };
            format!("  a{at}: {{ {next}{own} }}\n")
        };
        let sets: String = (0..count).map(set).collect();
        let text = format!(
            "api: a\n{kind}:\n{sets}operations:\n  a.get:\n    doc: Gets.\n    http: GET /a/{{a}}\n    \
             path: {{ a: {{ type: string, doc: It. }} }}\n    {kind}: [a0]\n"
        );
        let output = generate(&[Source::new("a/a.yaml", text)], &Options::default());
        output.diagnostics.into_iter().map(|one| one.message).collect()
    }

    #[test]
    fn chains_of_includes_have_an_end() {
        for (kind, one) in [("error_sets", "error set"), ("rule_sets", "rule set")] {
            let refused = format!("{one}s are nested more than 64 levels deep");
            assert!(!messages(64, kind).contains(&refused), "{:?}", messages(64, kind));
            for count in [70, 20_000] {
                assert!(messages(count, kind).contains(&refused), "{kind}: {count}");
            }
        }
    }
}
