//! Path parameters that operations share, by path prefix.

use std::collections::BTreeSet;

use super::Shared;
use crate::diagnostics::{Code, Sink};
use crate::schema::http::{HttpLine, PathSegment};
use crate::schema::write::is_equivalent;
use crate::schema::{Named, Operation, Parameter, Text};

/// Kind of the prefixes, as in messages.
pub const KIND: &str = "path prefix";

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

/// Index of a prefix, and that of a parameter within it.
type ParameterIndex = (usize, usize);

/// Shared path parameters.
pub struct Paths<'s> {
    /// Longest first.
    prefixes: Vec<PathPrefix<'s>>,
    /// Parameters that operations use.
    used: BTreeSet<ParameterIndex>,
    /// False if some of the parameters are left out, which was reported.
    pub is_complete: bool,
}

impl<'s> Paths<'s> {
    pub fn new(Shared { file: api, duplicates }: &'s Shared, sink: &mut Sink) -> Self {
        let written = &api.path_parameters.0;
        let mut prefixes: Vec<_> =
            written.iter().filter_map(|(key, parameters)| parse_prefix(key, parameters, sink)).collect();
        prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.segments.len()));
        let has_only_variables =
            |prefix: &PathPrefix<'_>| prefix.parameters.0.iter().all(|parameter| prefix.has_variable(parameter));
        let is_complete =
            prefixes.len() == written.len() && prefixes.iter().all(has_only_variables) && !duplicates.contains(KIND);
        Self { prefixes, used: BTreeSet::new(), is_complete }
    }

    /// Declares the variables of an operation's path that it does not declare itself.
    pub fn apply(&mut self, operation: &mut Operation, sink: &mut Sink) {
        if self.prefixes.is_empty() {
            return;
        }
        let path: Vec<String> = operation.http.segments.iter().map(ToString::to_string).collect();
        let mut own = std::mem::take(&mut operation.path.0);
        let mut all = Vec::new();
        let mut is_shared = false;
        for variable in variables(&operation.http) {
            let shared = self.find(&path, variable);
            let declared = own.iter().position(|parameter| wire(parameter) == variable).map(|at| own.remove(at));
            match (declared, shared) {
                (Some(declared), Some((_, shared))) => {
                    report_idle(&declared, shared, operation.origin.as_ref(), sink);
                    all.push(declared);
                }
                (Some(declared), None) => all.push(declared),
                (None, Some((index, (key, parameter)))) => {
                    is_shared = true;
                    self.used.insert(index);
                    all.push((key.clone(), parameter.clone()));
                }
                (None, None) => {}
            }
        }
        all.append(&mut own);
        // The declared order of parameters is kept, unless shared ones are among them.
        if !is_shared {
            all.sort_by_key(|(key, _)| key.span.start);
        }
        operation.path.0 = all;
    }

    /// Returns the parameter of the longest prefix that declares a variable.
    fn find(&self, path: &[String], variable: &str) -> Option<(ParameterIndex, &'s (Text, Parameter))> {
        let fits = |prefix: &PathPrefix<'_>| {
            prefix.segments.len() <= path.len() && prefix.segments.iter().zip(path).all(|(own, segment)| own == segment)
        };
        self.prefixes.iter().enumerate().filter(|(_, prefix)| fits(prefix)).find_map(|(number, prefix)| {
            let index = prefix.parameters.0.iter().position(|parameter| wire(parameter) == variable)?;
            Some(((number, index), prefix.parameters.0.get(index)?))
        })
    }

    /// Warns of the parameters that no operation uses.
    pub fn report_unused(&self, sink: &mut Sink) {
        for (number, prefix) in self.prefixes.iter().enumerate() {
            for (index, parameter) in prefix.parameters.0.iter().enumerate() {
                // A parameter that is no variable was reported.
                if !self.used.contains(&(number, index)) && prefix.has_variable(parameter) {
                    let name = &parameter.0;
                    let message = format!("unused parameter `{}` of `{}`", name.text, prefix.key.text);
                    sink.report(Code::Unused, name.span, message)
                        .help("remove it, or correct the path prefix, which is compared literally");
                }
            }
        }
    }
}

/// Parses a path prefix; reports parameters that are not variables of it.
fn parse_prefix<'s>(key: &'s Text, parameters: &'s Named<Parameter>, sink: &mut Sink) -> Option<PathPrefix<'s>> {
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
    let variables: Vec<&str> = path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split('/').next()?.split_once('}'))
        .map(|(name, _)| name.trim_start_matches('+'))
        .collect();
    for parameter in &parameters.0 {
        let name = wire(parameter);
        if !variables.contains(&name) {
            let message = format!("parameter `{name}` does not occur in `{}`", key.text);
            sink.report(Code::PathMismatch, parameter.0.span, message)
                .related(key.span, "the path prefix")
                .suggest(name, variables.iter().copied());
        }
    }
    Some(PathPrefix { key, segments, variables, parameters })
}

fn report_idle(own: &(Text, Parameter), shared: &(Text, Parameter), origin: Option<&Text>, sink: &mut Sink) {
    let inherited = |parameter: &Parameter| {
        let own_origin = parameter.origin.clone();
        Parameter { origin: own_origin.or_else(|| origin.cloned()), ..parameter.clone() }
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
