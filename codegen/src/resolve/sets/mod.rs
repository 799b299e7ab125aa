//! What operations share is put into each of them, so that no later pass knows of it: sets of errors and of rules,
//! parameters of paths, and origins.

mod errors;
mod origins;
mod paths;
mod rules;

pub use origins::of_facts;

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Code, Sink};
use crate::schema::{File, Named, Text};

/// Expands what the operations of an API share.
pub fn expand(mut files: Vec<File>, sink: &mut Sink) -> Vec<File> {
    files.iter_mut().for_each(|file| origins::of_file(file, sink));
    let shared = gather(&files, sink);
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
    // What was not understood may be the use that is missed.
    if !sink.has_errors() {
        errors.sets.report_unused("`error_sets:` or `standard_errors:`", sink);
        rules.sets.report_unused("`rule_sets:`", sink);
        paths.report_unused(sink);
    }
    files
}

/// Gathers what all files of an API share in one.
fn gather(files: &[File], sink: &mut Sink) -> File {
    let mut shared = File::default();
    for file in files {
        if file.api.is_some() {
            shared.standard_errors.clone_from(&file.standard_errors);
        }
        add(&mut shared.error_sets, &file.error_sets, "error set", sink);
        add(&mut shared.rule_sets, &file.rule_sets, "rule set", sink);
        add(&mut shared.path_parameters, &file.path_parameters, "beginning of paths", sink);
    }
    shared
}

fn add<T: Clone>(all: &mut Named<T>, more: &Named<T>, kind: &str, sink: &mut Sink) {
    for (name, value) in &more.0 {
        match entry(all, &name.text) {
            Some((first, _)) => {
                sink.report(Code::DuplicateName, name.span, format!("the {kind} `{}` is defined twice", name.text))
                    .related(first.span, "first here")
                    .help("put both into one");
            }
            None => all.0.push((name.clone(), value.clone())),
        }
    }
}

/// A set that can include others.
trait Set {
    /// What it is called in messages.
    const KIND: &'static str;

    fn include(&self) -> &[Text];
}

/// The sets of one kind, and which of them something takes.
struct Sets<'s, S> {
    named: BTreeMap<&'s str, (&'s Text, &'s S)>,
    order: Vec<&'s Text>,
    used: BTreeSet<&'s str>,
}

impl<'s, S: Set> Sets<'s, S> {
    /// Reports the includes that lead nowhere, or back to where they start.
    fn new(sets: impl Iterator<Item = (&'s Text, &'s S)> + Clone, sink: &mut Sink) -> Self {
        let order = sets.clone().map(|(name, _)| name).collect();
        let named: BTreeMap<_, _> = sets.map(|(name, set)| (name.text.as_str(), (name, set))).collect();
        let found = Self { named, order, used: BTreeSet::new() };
        let mut done = BTreeSet::new();
        for name in &found.order {
            found.check(&name.text, &mut Vec::new(), &mut done, sink);
        }
        found
    }

    fn check(&self, name: &str, open: &mut Vec<&'s str>, done: &mut BTreeSet<&'s str>, sink: &mut Sink) {
        let Some((key, set)) = self.named.get(name).copied() else { return };
        if done.contains(key.text.as_str()) {
            return;
        }
        open.push(&key.text);
        for included in set.include() {
            if self.find(included, sink).is_none() {
                continue;
            }
            match open.iter().position(|one| *one == included.text) {
                Some(start) => {
                    let way: Vec<String> = open[start..].iter().map(|one| format!("`{one}`")).collect();
                    let through = way.get(1..).filter(|rest| !rest.is_empty()).map(|rest| rest.join(", "));
                    let through = through.map_or_else(String::new, |through| format!(" through {through}"));
                    let message = format!("the {} {} includes itself{through}", S::KIND, way[0]);
                    sink.report(Code::BadSet, included.span, message).help("remove one of the includes");
                }
                None => self.check(&included.text, open, done, sink),
            }
        }
        open.pop();
        done.insert(&key.text);
    }

    /// The set of a name; reports when there is none.
    fn find(&self, name: &Text, sink: &mut Sink) -> Option<(&'s Text, &'s S)> {
        let found = self.named.get(name.text.as_str()).copied();
        if found.is_none() {
            let message = format!("unknown {} `{}`", S::KIND, name.text.escape_debug());
            sink.report(Code::UnknownMember, name.span, message).suggest(&name.text, self.named.keys().copied());
        }
        found
    }

    /// The set that an operation takes.
    fn take(&mut self, name: &Text, sink: &mut Sink) -> Option<&'s S> {
        let (key, set) = self.find(name, sink)?;
        self.mark(key, set);
        Some(set)
    }

    fn mark(&mut self, key: &'s Text, set: &'s S) {
        if self.used.insert(&key.text) {
            for (key, set) in
                set.include().iter().filter_map(|name| self.named.get(name.text.as_str()).copied()).collect::<Vec<_>>()
            {
                self.mark(key, set);
            }
        }
    }

    /// Warns of the sets that no operation takes.
    fn report_unused(&self, keys: &str, sink: &mut Sink) {
        for name in self.order.iter().filter(|name| !self.used.contains(name.text.as_str())) {
            sink.report(Code::Unused, name.span, format!("no operation takes the {} `{}`", S::KIND, name.text))
                .help(format!("remove it, or name it under {keys}"));
        }
    }
}

/// Warns of a set that an operation names, and would have without that.
fn report_idle_name(name: &Text, kind: &str, sink: &mut Sink) {
    sink.report(Code::IdleOverride, name.span, format!("the operation has the {kind} `{}` already", name.text))
        .help("remove the name");
}

/// The value of a name, and where the name stands.
fn entry<'n, T>(named: &'n Named<T>, name: &str) -> Option<(&'n Text, &'n T)> {
    named.0.iter().find(|(own, _)| own.text == name).map(|(own, value)| (own, value))
}
