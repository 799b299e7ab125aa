//! Methods and paths.

use crate::diagnostics::{Code, Sink};
use crate::model::{Http, Location, Parameter, Segment};
use crate::schema::types::{HttpLine, PathSegment};
use crate::schema::{self, Named, Text};

/// A method and path with its variables made equal: two operations at one route cannot be told apart.
pub fn route(http: &Http) -> String {
    let mut text = http.method.clone();
    for segment in &http.segments {
        text.push('/');
        match segment {
            Segment::Literal(literal) => text.push_str(literal),
            Segment::Variable(_) => text.push_str("{}"),
            Segment::Rest(_) => text.push_str("{+}"),
        }
    }
    text.extend(http.verb.iter().flat_map(|verb| [":", verb.as_str()]));
    text
}

/// Puts the variables of a path and the parameters declared for it together.
pub fn http(line: &HttpLine, parameters: &[Parameter], declared: &Named<schema::Parameter>, sink: &mut Sink) -> Option<Http> {
    let mut find = |name: &Text| {
        let found = parameters.iter().position(|parameter| parameter.location == Location::Path && parameter.name.wire == name.text);
        if found.is_none() && !declared.0.iter().any(|(key, _)| key.text == name.text) {
            sink.report(Code::PathMismatch, name.span, format!("the variable `{}` is not declared", name.text))
                .help(format!("add `path: {{ {}: {{ type: string }} }}`", name.text));
        }
        found
    };
    let mut segments = Vec::new();
    let mut complete = true;
    for segment in &line.segments {
        let resolved = match segment {
            PathSegment::Literal(literal) => Some(Segment::Literal(literal.clone())),
            PathSegment::Variable(name) => find(name).map(Segment::Variable),
            PathSegment::Rest(name) => find(name).map(Segment::Rest),
        };
        complete &= resolved.is_some();
        segments.extend(resolved);
    }
    for (key, parameter) in &declared.0 {
        let wire = parameter.wire_name.as_ref().unwrap_or(key);
        let occurs = line.segments.iter().any(|segment| {
            matches!(segment, PathSegment::Variable(name) | PathSegment::Rest(name) if name.text == wire.text)
        });
        if !occurs {
            sink.report(Code::PathMismatch, key.span, format!("`{}` does not occur in the path", wire.text))
                .related(line.span, "the path");
        }
    }
    complete.then(|| Http { method: line.method.clone(), segments, verb: line.verb.clone() })
}
