//! Error sets: inclusion, conflicts within a status, and overriding by operations.

use std::collections::BTreeMap;

use super::{Set, Sets, Shared, entry, report_idle_name};
use crate::diagnostics::{Code, Sink};
use crate::schema::operation::ErrorCase;
use crate::schema::sets::ErrorSet;
use crate::schema::shape::Short;
use crate::schema::write::is_equivalent;
use crate::schema::{Named, Operation, Text};

impl Set for ErrorSet {
    const KIND: &'static str = "error set";

    fn include(&self) -> &[Text] {
        &self.0.include
    }
}

/// Errors of a set, by status.
type Cases = Named<Short<ErrorCase>>;

/// Error sets of an API.
pub struct Errors<'s> {
    pub sets: Sets<'s, ErrorSet>,
    /// Errors of each set, including those of included sets.
    flat: BTreeMap<&'s str, Cases>,
    standard: &'s [Text],
}

impl<'s> Errors<'s> {
    pub fn new(Shared { file: api, duplicates }: &'s Shared, sink: &mut Sink) -> Self {
        let sets = Sets::new(&api.error_sets, duplicates, sink);
        let mut errors = Self { sets, flat: BTreeMap::new(), standard: &api.standard_errors };
        for (name, _) in &api.error_sets.0 {
            errors.flatten(&name.text, &mut Vec::new(), sink);
        }
        for name in &api.standard_errors {
            errors.sets.take(name, sink);
        }
        errors
    }

    /// Computes the errors of a set after those of the sets that it includes; `open` breaks cycles.
    fn flatten(&mut self, name: &str, open: &mut Vec<&'s str>, sink: &mut Sink) {
        let Some((key, written)) = self.sets.named.get(name).copied() else { return };
        let (ErrorSet(set), include) = (written, self.sets.included(written));
        if self.flat.contains_key(key.text.as_str()) || open.contains(&key.text.as_str()) {
            return;
        }
        open.push(&key.text);
        for included in include {
            self.flatten(&included.text, open, sink);
        }
        open.pop();
        let mut own = set.errors.clone();
        for (_, Short(case)) in &mut own.0 {
            case.origin = case.origin.take().or_else(|| set.origin.clone());
        }
        let cases = self.merge(Cases::default(), include, &own, sink);
        let cases = override_cases(cases, &own, sink);
        self.flat.insert(&key.text, cases);
    }

    /// Adds the errors of its sets to an operation.
    pub fn apply(&mut self, operation: &mut Operation, sink: &mut Sink) {
        let standard = self.standard;
        if operation.error_sets.is_empty() && standard.is_empty() {
            return;
        }
        for name in &operation.error_sets {
            if self.sets.take(name, sink).is_some() && standard.iter().any(|one| one.text == name.text) {
                report_idle_name(name, ErrorSet::KIND, sink);
            }
        }
        let cases = self.merge(Cases::default(), standard, &operation.errors, sink);
        let mut cases = self.merge(cases, &operation.error_sets, &operation.errors, sink);
        for (_, Short(case)) in &mut cases.0 {
            case.origin = case.origin.take().or_else(|| operation.origin.clone());
        }
        operation.errors = override_cases(cases, &operation.errors, sink);
    }

    /// Merges the errors of sets. Two sets must agree on a status, unless `own` overrides it.
    fn merge(&self, mut cases: Cases, names: &[Text], own: &Cases, sink: &mut Sink) -> Cases {
        let mut seen: Vec<(&Text, &Text, &Short<ErrorCase>)> = Vec::new();
        for name in names {
            for (status, case) in self.flat.get(name.text.as_str()).iter().flat_map(|flat| &flat.0) {
                match seen.iter().find(|(_, other, _)| other.text == status.text) {
                    Some((_, _, other)) if is_equivalent(*other, case) => {}
                    Some((first, other, _)) if own.get(&status.text).is_none() => {
                        let (status, first) = (&status.text, (&first.text, other.span));
                        let message =
                            format!("error sets `{}` and `{}` declare `{status}` differently", first.0, name.text);
                        sink.report(Code::BadSet, name.span, message)
                            .related(first.1, format!("declared in `{}` here", first.0))
                            .help(format!("declare it here to override both: `errors: {{ {status}: … }}`"));
                    }
                    Some(_) => {}
                    None => {
                        seen.push((name, status, case));
                        set_case(&mut cases, status, case);
                    }
                }
            }
        }
        cases
    }
}

/// Overrides errors with others.
fn override_cases(mut cases: Cases, own: &Cases, sink: &mut Sink) -> Cases {
    for (status, case) in &own.0 {
        if let Some((shared, _)) = entry(&cases, &status.text).filter(|(_, shared)| is_equivalent(*shared, case)) {
            let message = format!("redundant error `{}`: a set already declares it", status.text);
            sink.report(Code::IdleOverride, status.span, message).related(shared.span, "here").help("remove it");
        }
        set_case(&mut cases, status, case);
    }
    cases
}

fn set_case(cases: &mut Cases, status: &Text, case: &Short<ErrorCase>) {
    match cases.0.iter_mut().find(|(other, _)| other.text == status.text) {
        Some(there) => *there = (status.clone(), case.clone()),
        None => cases.0.push((status.clone(), case.clone())),
    }
}
