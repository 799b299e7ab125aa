//! Methods and paths.

use crate::diagnostics::{Code, Sink, nearest};
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

/// What a parameter is called on the wire.
fn wire((key, parameter): &(Text, schema::Parameter)) -> &Text {
    parameter.wire_name.as_ref().unwrap_or(key)
}

fn occurs(line: &HttpLine, wire: &Text) -> bool {
    let names = line.segments.iter().filter_map(|segment| match segment {
        PathSegment::Variable(name) | PathSegment::Rest(name) => Some(&name.text),
        PathSegment::Literal(_) => None,
    });
    names.into_iter().any(|name| *name == wire.text)
}

/// Puts the variables of a path and the parameters declared for it together.
pub fn http(
    line: &HttpLine,
    parameters: &[Parameter],
    declared: &Named<schema::Parameter>,
    sink: &mut Sink,
) -> Option<Http> {
    let spare: Vec<&Text> = declared.0.iter().map(wire).filter(|wire| !occurs(line, wire)).collect();
    let mut meant: Vec<&str> = Vec::new();
    let mut find = |name: &Text| {
        let found = parameters
            .iter()
            .position(|parameter| parameter.location == Location::Path && parameter.name.wire == name.text);
        if found.is_none() && !declared.0.iter().any(|entry| wire(entry).text == name.text) {
            let near = nearest(&name.text, spare.iter().map(|spare| spare.text.as_str()));
            let report =
                sink.report(Code::PathMismatch, name.span, format!("the variable `{}` is not declared", name.text));
            match spare.iter().find(|spare| near == Some(&spare.text)) {
                Some(spare) => report
                    .related(spare.span, "declared here by another name")
                    .help(format!("did you mean `{}`?", spare.text)),
                None => report.help(format!("add `path: {{ {}: {{ type: string }} }}`", name.text)),
            };
            meant.extend(near);
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
    for wire in spare {
        if !meant.contains(&wire.text.as_str()) {
            sink.report(Code::PathMismatch, wire.span, format!("`{}` does not occur in the path", wire.text))
                .related(line.span, "the path")
                .help(format!("write `{{{}}}` where it stands in the path, or move it to `query:`", wire.text));
        }
    }
    complete.then(|| Http { method: line.method.clone(), segments, verb: line.verb.clone() })
}
