//! Path parameters that operations share, by path prefix.

use std::collections::BTreeSet;

use super::Shared;
use crate::diagnostics::{Code, Sink};
use crate::schema::http::{HttpLine, PathSegment};
use crate::schema::write::is_equivalent;
use crate::schema::{Named, Operation, Parameter, Text};

/// Kind of the prefixes, as in messages.
pub const KIND: &str = "beginning of paths";

/// Path prefix, with its parameters.
struct PathPrefix<'s> {
    key: &'s Text,
    segments: Vec<&'s str>,
    variables: Vec<&'s str>,
    parameters: &'s Named<Parameter>,
}

impl PathPrefix<'_> {
    fn has_variable(&self, parameter: &(Text, Parameter)) -> bool {
        self.variables.contains(&wire(parameter))
    }
}

/// Shared parameter, with the index of its prefix and its own index there.
type Match<'s> = ((usize, usize), &'s (Text, Parameter));

/// Shared path parameters.
pub struct Paths<'s> {
    /// Longest first.
    beginnings: Vec<PathPrefix<'s>>,
    /// Indices of the parameters that operations use.
    used: BTreeSet<(usize, usize)>,
    /// False if some of the parameters are left out, which was reported.
    pub is_complete: bool,
}

impl<'s> Paths<'s> {
    pub fn new(Shared { file: api, duplicates }: &'s Shared, sink: &mut Sink) -> Self {
        let written = &api.path_parameters.0;
        let mut beginnings: Vec<_> =
            written.iter().filter_map(|(key, parameters)| beginning(key, parameters, sink)).collect();
        beginnings.sort_by_key(|one| std::cmp::Reverse(one.segments.len()));
        let are_variables = beginnings.iter().all(|one| one.parameters.0.iter().all(|it| one.has_variable(it)));
        let is_complete = beginnings.len() == written.len() && are_variables && !duplicates.contains(KIND);
        Self { beginnings, used: BTreeSet::new(), is_complete }
    }

    /// Declares the variables of an operation's path that it does not declare itself.
    pub fn apply(&mut self, operation: &mut Operation, sink: &mut Sink) {
        if self.beginnings.is_empty() {
            return;
        }
        let path: Vec<String> = operation.http.segments.iter().map(ToString::to_string).collect();
        let mut own = std::mem::take(&mut operation.path.0);
        let mut all = Vec::new();
        let mut is_shared = false;
        for variable in variables(&operation.http) {
            let shared = self.find(&path, variable);
            let declared = own.iter().position(|one| wire(one) == variable).map(|at| own.remove(at));
            match (declared, shared) {
                (Some(declared), Some((_, shared))) => {
                    report_idle(&declared, shared, operation.origin.as_ref(), sink);
                    all.push(declared);
                }
                (Some(declared), None) => all.push(declared),
                (None, Some((place, (key, parameter)))) => {
                    is_shared = true;
                    self.used.insert(place);
                    all.push((key.clone(), parameter.clone()));
                }
                (None, None) => {}
            }
        }
        all.append(&mut own);
        // The declared order of parameters is kept, unless shared ones are among them.
        if !is_shared {
            let places = |one: &(Text, Parameter)| one.0.span.start;
            all.sort_by_key(places);
        }
        operation.path.0 = all;
    }

    /// Returns the parameter of the longest prefix that declares a variable.
    fn find(&self, path: &[String], variable: &str) -> Option<Match<'s>> {
        let fits = |one: &PathPrefix<'_>| {
            one.segments.len() <= path.len() && one.segments.iter().zip(path).all(|(own, segment)| own == segment)
        };
        self.beginnings.iter().enumerate().filter(|(_, one)| fits(one)).find_map(|(at, one)| {
            let place = one.parameters.0.iter().position(|one| wire(one) == variable)?;
            Some(((at, place), one.parameters.0.get(place)?))
        })
    }

    /// Warns of the parameters that no operation uses.
    pub fn report_unused(&self, sink: &mut Sink) {
        for (at, one) in self.beginnings.iter().enumerate() {
            for (place, parameter) in one.parameters.0.iter().enumerate() {
                // A parameter that is no variable was reported.
                if !self.used.contains(&(at, place)) && one.has_variable(parameter) {
                    let name = &parameter.0;
                    let message = format!("unused parameter `{}` of `{}`", name.text, one.key.text);
                    sink.report(Code::Unused, name.span, message)
                        .help("remove it, or correct the path prefix, which is compared literally");
                }
            }
        }
    }
}

/// Parses a path prefix; reports parameters that are not variables of it.
fn beginning<'s>(key: &'s Text, parameters: &'s Named<Parameter>, sink: &mut Sink) -> Option<PathPrefix<'s>> {
    let Some(path) = key.text.strip_prefix('/') else {
        sink.report(
            Code::BadHttp,
            key.span,
            format!("missing `/` at the start of the path prefix `{}`", key.text.escape_debug()),
        )
        .help(format!("write `/{}`", key.text.escape_debug()));
        return None;
    };
    let segments: Vec<&str> = path.split('/').collect();
    let names = |segment: &&'s str| {
        let pieces = segment.split('{').skip(1);
        pieces
            .filter_map(|piece| piece.split_once('}'))
            .map(|(name, _)| name.trim_start_matches('+'))
            .collect::<Vec<_>>()
    };
    let variables: Vec<&str> = segments.iter().flat_map(names).collect();
    for one in &parameters.0 {
        if !variables.contains(&wire(one)) {
            let message = format!("parameter `{}` does not occur in `{}`", wire(one), key.text);
            sink.report(Code::PathMismatch, one.0.span, message)
                .related(key.span, "the path prefix")
                .suggest(wire(one), variables.iter().copied());
        }
    }
    Some(PathPrefix { key, segments, variables, parameters })
}

fn report_idle(own: &(Text, Parameter), shared: &(Text, Parameter), origin: Option<&Text>, sink: &mut Sink) {
    let inherited = |one: &Parameter| {
        let own_origin = one.origin.clone();
        Parameter { origin: own_origin.or_else(|| origin.cloned()), ..one.clone() }
    };
    if own.0.text == shared.0.text && is_equivalent(&inherited(&own.1), &inherited(&shared.1)) {
        let message = format!("redundant parameter `{}`: its path already declares it", own.0.text);
        sink.report(Code::IdleOverride, own.0.span, message).related(shared.0.span, "here").help("remove it");
    }
}

/// Returns the names of the variables of a path, in order.
fn variables(http: &HttpLine) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in http.segments.iter().flat_map(PathSegment::variables) {
        if !names.contains(&name.text.as_str()) {
            names.push(&name.text);
        }
    }
    names
}

/// Returns the wire name of a path parameter.
fn wire((key, parameter): &(Text, Parameter)) -> &str {
    &parameter.wire_name.as_ref().unwrap_or(key).text
}
