//! Methods and paths.

use super::pieces;
use crate::diagnostics::{Code, Sink, nearest};
use crate::model::{Http, Location, Parameter, Piece, Segment};
use crate::schema::http::{HttpLine, PathSegment};
use crate::schema::{self, Named, Text};

/// A method and path with its variables made equal: two operations at one route cannot be told apart.
pub fn route(http: &Http) -> String {
    let mut text = http.method.clone();
    for piece in http.segments.iter().flat_map(Segment::pieces) {
        text.push('/');
        match piece {
            Piece::Literal(literal) => text.push_str(&literal),
            Piece::One => text.push_str("{}"),
            Piece::Many => text.push_str("{+}"),
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

/// A variable that may hold slashes: the segments of its pattern, or any where it has none that can be used.
fn rest(
    index: usize,
    parameters: &[Parameter],
    declared: &Named<schema::Parameter>,
    sink: &mut Sink,
) -> Option<Segment> {
    if let Some(list) = parameters.get(index).filter(|parameter| parameter.ty.is_collection()) {
        let written = declared.0.iter().find(|entry| wire(entry).text == list.name.wire);
        let span = written.map_or_else(Default::default, |(key, _)| key.span);
        sink.report(Code::BadParameter, span, "a list stands in one segment of a path")
            .help("write the variable without its plus");
    }
    let parameter = parameters.get(index).filter(|parameter| parameter.constraints.pattern.is_some());
    let written = parameter.and_then(|it| declared.0.iter().find(|entry| wire(entry).text == it.name.wire));
    match written.and_then(|(_, written)| written.pattern.as_ref()) {
        Some(pattern) => Some(Segment::Name(index, pieces::of_pattern(pattern, sink)?)),
        None => Some(Segment::Rest(index)),
    }
}

/// Where two variables can be of any length, nobody can tell where one ends.
fn has_one_meaning(line: &HttpLine, segments: &[Segment], sink: &mut Sink) -> bool {
    let open = segments.iter().zip(&line.segments).filter(|(segment, _)| segment.pieces().contains(&Piece::Many));
    let mut names = open.filter_map(|(_, written)| match written {
        PathSegment::Rest(name) => Some(name),
        PathSegment::Literal(_) | PathSegment::Variable(_) => None,
    });
    let (Some(first), Some(second)) = (names.next(), names.next()) else { return true };
    sink.report(Code::NamePattern, second.span, "only one variable of a path can be of any length")
        .related(first.span, "the other one")
        .help("give one of them a `pattern` of so many segments, such as `^projects/[^/]+$`");
    false
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
    let mut find = |name: &Text, sink: &mut Sink| {
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
            PathSegment::Variable(name) => find(name, sink).map(Segment::Variable),
            PathSegment::Rest(name) => find(name, sink).and_then(|index| rest(index, parameters, declared, sink)),
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
    complete = complete && has_one_meaning(line, &segments, sink);
    complete.then(|| Http { method: line.method.clone(), segments, verb: line.verb.clone() })
}
