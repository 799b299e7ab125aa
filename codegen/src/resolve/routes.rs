//! Methods and paths.

use super::disambiguate::{PathConflict, PathMap};
use super::segment_patterns;
use super::tables::Tables;
use crate::diagnostics::{Code, Sink, Span, nearest};
use crate::model::{Http, Location, Media, Operation, Parameter, Segment, SegmentPart, SegmentPattern, Type};
use crate::schema::http::{HttpLine, PathPart, PathSegment};
use crate::schema::{self, Named, Text};

/// Returns a method and path with anonymous variables: two operations with equal routes are ambiguous.
pub fn route(http: &Http) -> String {
    let mut text = http.method.clone();
    for piece in http.segments.iter().flat_map(Segment::patterns) {
        text.push('/');
        match piece {
            SegmentPattern::Literal(literal) => text.push_str(&literal),
            SegmentPattern::Parts(parts) => {
                parts.iter().for_each(|part| text.push_str(part.as_deref().unwrap_or("{}")))
            }
            SegmentPattern::Single => text.push_str("{}"),
            SegmentPattern::Multiple => text.push_str("{+}"),
        }
    }
    text.extend(http.verb.iter().flat_map(|verb| [":", verb.as_str()]));
    text
}

/// Returns the wire name of a parameter.
fn wire((key, parameter): &(Text, schema::Parameter)) -> &Text {
    parameter.wire_name.as_ref().unwrap_or(key)
}

/// Returns whether a path has a variable with a name.
fn has_variable(line: &HttpLine, wire: &Text) -> bool {
    line.segments.iter().flat_map(PathSegment::variables).any(|name| name.text == wire.text)
}

/// Resolves a variable that may contain slashes: to the segments of its pattern, or to any if it has no usable one.
fn rest(
    index: usize,
    parameters: &[Parameter],
    declared: &Named<schema::Parameter>,
    sink: &mut Sink,
) -> Option<Segment> {
    if let Some(list) = parameters.get(index).filter(|parameter| parameter.ty.is_collection()) {
        let written = declared.0.iter().find(|entry| wire(entry).text == list.name.wire);
        let span = written.map_or_else(Default::default, |(key, _)| key.span);
        sink.report(Code::BadParameter, span, "a list cannot match several path segments")
            .help("remove the plus of the variable");
    }
    // The constraints of a parameter without a type are not known, and the pattern is.
    let has_pattern = |it: &&Parameter| it.constraints.pattern.is_some() || it.ty == Type::Unresolved;
    let parameter = parameters.get(index).filter(has_pattern);
    let written = parameter.and_then(|it| declared.0.iter().find(|entry| wire(entry).text == it.name.wire));
    match written.and_then(|(_, written)| written.pattern.as_ref()) {
        Some(pattern) => Some(Segment::ResourceName(index, segment_patterns::parse_pattern(pattern, sink)?)),
        None => Some(Segment::Rest(index)),
    }
}

/// Checks that at most one variable spans any number of segments: otherwise their boundary is ambiguous.
fn has_one_meaning(line: &HttpLine, segments: &[Segment], sink: &mut Sink) -> bool {
    let open = segments
        .iter()
        .zip(&line.segments)
        .filter(|(segment, _)| segment.patterns().contains(&SegmentPattern::Multiple));
    let mut names = open.filter_map(|(_, written)| match written {
        PathSegment::Rest(name) => Some(name),
        PathSegment::Literal(_) | PathSegment::Variable(_) | PathSegment::Parts(_) => None,
    });
    let (Some(first), Some(second)) = (names.next(), names.next()) else { return true };
    sink.report(Code::NamePattern, second.span, "only one variable of a path can match several segments")
        .related(first.span, "the other one")
        .help("give one of them a `pattern` with a fixed number of segments, such as `^projects/[^/]+$`");
    false
}

/// Reports a variable that is not declared, and the parameter that is probably meant.
fn report_undeclared(name: &Text, meant: Option<&&Text>, sink: &mut Sink) {
    let report = sink.report(Code::PathMismatch, name.span, format!("undeclared path variable `{}`", name.text));
    match meant {
        Some(meant) => report
            .related(meant.span, "declared here with another name")
            .help(format!("did you mean `{}`?", meant.text)),
        None => report.help(format!("add `path: {{ {}: {{ type: string }} }}`", name.text)),
    };
}

/// Matches the variables of a path with the declared parameters.
pub fn http(
    line: &HttpLine,
    parameters: &[Parameter],
    declared: &Named<schema::Parameter>,
    sink: &mut Sink,
) -> Option<Http> {
    let spare: Vec<&Text> = declared.0.iter().map(wire).filter(|wire| !has_variable(line, wire)).collect();
    let probable = probable_match(line, declared, &spare);
    let mut meant: Vec<&str> = Vec::new();
    let mut find = |name: &Text, sink: &mut Sink| {
        let found = parameters
            .iter()
            .position(|parameter| parameter.location == Location::Path && parameter.name.wire == name.text);
        if found.is_none() && !declared.0.iter().any(|entry| wire(entry).text == name.text) {
            let near = nearest(&name.text, spare.iter().map(|spare| spare.text.as_str())).or(probable);
            report_undeclared(name, spare.iter().find(|spare| near == Some(&spare.text)), sink);
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
            PathSegment::Parts(parts) => {
                let part = |part: &PathPart| match part {
                    PathPart::Text(text) => Some(SegmentPart::Text(text.clone())),
                    PathPart::Variable(name) => find(name, sink).map(SegmentPart::Variable),
                };
                // Collected first, so that each undeclared variable is reported.
                let parts: Vec<Option<SegmentPart>> = parts.iter().map(part).collect();
                parts.into_iter().collect::<Option<_>>().map(Segment::Parts)
            }
            PathSegment::Rest(name) => find(name, sink).and_then(|index| rest(index, parameters, declared, sink)),
        };
        complete &= resolved.is_some();
        segments.extend(resolved);
    }
    spare.into_iter().filter(|wire| !meant.contains(&wire.text.as_str())).for_each(|wire| unused(line, wire, sink));
    complete = complete && has_one_meaning(line, &segments, sink);
    complete.then(|| Http { method: line.method.clone(), segments, verb: line.verb.clone() })
}

/// Returns the parameter that the path lacks, if it is the only one and a single variable is undeclared: they are
/// probably the same.
/// the other.
fn probable_match<'s>(line: &HttpLine, declared: &Named<schema::Parameter>, spare: &[&'s Text]) -> Option<&'s str> {
    let [spare] = spare else { return None };
    let is_declared = |name: &&Text| declared.0.iter().any(|entry| wire(entry).text == name.text);
    let names = line.segments.iter().flat_map(variables);
    let open = names.filter(|name| !is_declared(name)).count();
    // Otherwise a segment of that name probably lacks its braces.
    (open == 1 && line.verb.as_ref() != Some(&spare.text)).then_some(spare.text.as_str())
}

/// Returns the variables of a segment.
fn variables(segment: &PathSegment) -> Vec<&Text> {
    match segment {
        PathSegment::Literal(_) => Vec::new(),
        PathSegment::Variable(name) | PathSegment::Rest(name) => vec![name],
        PathSegment::Parts(parts) => {
            let names = parts.iter().filter_map(|part| match part {
                PathPart::Variable(name) => Some(name),
                PathPart::Text(_) => None,
            });
            names.collect()
        }
    }
}

/// Reports a parameter that the path does not have.
fn unused(line: &HttpLine, wire: &Text, sink: &mut Sink) {
    let name = &wire.text;
    let report = sink.report(Code::PathMismatch, wire.span, format!("parameter `{name}` does not occur in the path"));
    match line.leading_colon.filter(|_| line.verb.as_ref() == Some(name)) {
        Some(colon) => {
            report.related(colon, "literal text").help(format!("write the variable in braces: `{{{name}}}`"))
        }
        None => {
            report.related(line.span, "the path").help(format!("add `{{{name}}}` to the path, or move it to `query:`"))
        }
    };
}

/// Returns whether servers omit an operation; reports a path that no server supports.
pub fn client_only(def: &schema::Operation, sink: &mut Sink) -> bool {
    let is_client_only = def.client_only.is_some_and(|flag| flag.value);
    if def.http.has_trailing_slash() && !is_client_only {
        sink.report(Code::BadHttp, def.http.span, "servers do not support a trailing slash")
            .help("remove the slash, or add `client_only: true` if another service requires it");
    }
    is_client_only
}

impl Tables<'_> {
    /// Reports routes of more than one operation, and paths with more than one upload.
    pub fn check_routes(&self, operations: &[Operation], sink: &mut Sink) {
        let mut response: PathMap<(Span, &str)> = PathMap::default();
        let mut uploads: PathMap<(usize, Span)> = PathMap::default();
        for operation in operations.iter().filter(|operation| !operation.client_only) {
            let Some(id) = self.operation_ids.get(operation.name.as_str()) else { continue };
            let (_, def) = self.operations[id.0];
            match response.add(&route(&operation.http), (def.http.span, operation.name.as_str())) {
                Some(PathConflict::Same((first, other))) => {
                    let message = format!("`{}` matches the same requests as `{other}`", operation.name);
                    sink.report(Code::RouteConflict, def.http.span, message)
                        .label(format!("`{}`", operation.name))
                        .related(first, format!("`{other}`"))
                        .help("remove one of them, or change the path or add a verb: `/books:import`")
                        .help("add `client_only: true` to the operation that servers do not implement");
                }
                Some(PathConflict::Ambiguous((first, _))) => report_ambiguous(def.http.span, first, sink),
                None => {}
            }
            let Some(span) = def.media.as_ref().map(|media| media.span) else { continue };
            for way in operation.media.iter().flat_map(Media::upload_endpoints) {
                // Both protocols of one operation may share a path: the request determines which is meant.
                match uploads.add(&route(&way.http), (id.0, span)) {
                    Some(PathConflict::Same((other, first))) if other != id.0 => {
                        let message = "another operation has the same method and upload path";
                        sink.report(Code::RouteConflict, span, message).related(first, "the other one");
                    }
                    Some(PathConflict::Ambiguous((_, first))) => report_ambiguous(span, first, sink),
                    _ => {}
                }
            }
        }
    }
}

/// Reports two ambiguous paths.
fn report_ambiguous(span: Span, first: Span, sink: &mut Sink) {
    sink.report(Code::RouteConflict, span, "ambiguous path: another operation matches the same requests")
        .related(first, "the other one")
        .help("change the literal text next to one of the variables");
}
