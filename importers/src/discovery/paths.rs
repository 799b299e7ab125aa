//! Conversion of path templates to http lines.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::model::SegmentPattern;
use wireform_codegen::resolve::segment_patterns;
use wireform_codegen::schema::http::{HttpLine, HttpPath, PathSegment};
use wireform_codegen::schema::methods::METHODS;

use crate::lowering::{http_line, http_path};
use crate::node::Node;

/// Path of a method as an operation has it.
pub struct Path {
    /// `GET /v1/{+name}`
    pub http: HttpLine,
    /// Method.
    pub method: String,
    /// Variables in it.
    pub variables: Vec<String>,
    /// Parameters that were replaced by others.
    pub replaced: Vec<String>,
}

/// Routes of a document: which need to be distinguished, and which are taken.
pub struct Routes {
    counts: BTreeMap<String, usize>,
    taken: BTreeSet<String>,
}

impl Routes {
    /// Counts the routes of all methods.
    pub fn of(methods: &[&Node<'_>]) -> Self {
        let mut counts = BTreeMap::new();
        for (_, route) in methods.iter().filter_map(|node| read(node, "path").ok()) {
            *counts.entry(route).or_insert(0) += 1;
        }
        Self { counts, taken: BTreeSet::new() }
    }

    /// Returns the path of a method; `None`, and a loss, if it cannot be expressed.
    pub fn path(&mut self, node: &Node<'_>) -> Option<Path> {
        let full = read(node, "path");
        let shared = full.as_ref().is_ok_and(|(_, route)| self.counts.get(route).is_some_and(|count| *count > 1));
        let ((line, route), why) = match (full, read(node, "flatPath")) {
            (Ok(_), Ok(flat)) if shared => (flat, Some(SHARED.to_owned())),
            (Ok(line), _) => (line, None),
            (Err(why), Ok(flat)) => (flat, Some(why)),
            (Err(why), Err(_)) => {
                node.whole_loss(format!("the method is left out: {why}"));
                return None;
            }
        };
        if !self.taken.insert(route) {
            node.whole_loss("the method is left out: another one has the same HTTP method and path");
            return None;
        }
        let variables = variables(&line);
        let mut replaced = Vec::new();
        if let Some(why) = why {
            node.loss(format!("`path` is replaced by `flatPath`, with a parameter for each segment: {why}"));
            for (name, other) in node.objects("parameters") {
                if variables.iter().any(|own| own == name) {
                    continue;
                }
                // Parameters of the query stay.
                if other.text("location") == Some("path") {
                    other.mark_used();
                }
                replaced.push(name.to_owned());
            }
        }
        Some(Path { method: line.method.clone(), http: line, variables, replaced })
    }
}

/// Reason why a path is not written verbatim.
const SHARED: &str = "another method has the same path";

/// Returns the `http` line of a method and a path.
fn http(method: &str, path: &str) -> String {
    format!("{method} /{}", path.trim_start_matches('/'))
}

/// Reads the method and the path under `key`. Returns them, and their route: methods with equal routes collide.
fn read(node: &Node<'_>, key: &str) -> Result<(HttpLine, String), String> {
    let method = node.text("httpMethod").unwrap_or("GET");
    if !METHODS.contains(&method) {
        return Err(format!("unknown HTTP method `{}`", method.escape_debug()));
    }
    let path = written(node, node, key).ok_or("missing path")?;
    let line = http_line(&http(method, &path))?;
    let route = route(&line, node)?;
    Ok((line, route))
}

/// Returns the path template of a method or an upload. A variable whose values contain no slash is an ordinary one,
/// even if its template has `{+name}`.
fn written(method: &Node<'_>, at: &Node<'_>, key: &str) -> Option<String> {
    let mut path = at.text(key)?.to_owned();
    for (name, parameter) in method.objects("parameters") {
        let values = parameter.list("enum");
        let of_values = !values.is_empty() && values.iter().all(|value| value.value.text().is_some_and(is_plain));
        let of_digits = matches!(parameter.text("format"), Some("int32" | "int64" | "uint32" | "uint64"));
        if of_values || of_digits || matches!(parameter.text("type"), Some("integer" | "number" | "boolean")) {
            path = path.replace(&format!("{{+{name}}}"), &format!("{{{name}}}"));
        }
    }
    Some(path)
}

/// Returns whether a text is unaffected by escaping in a segment.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte))
}

/// Returns the path of an upload, and its variables.
pub fn upload(method: &Node<'_>, protocol: &Node<'_>) -> Option<(HttpPath, Vec<String>)> {
    let path = written(method, protocol, "path")?;
    let path = http_path(&format!("/{}", path.trim_start_matches('/'))).ok()?;
    let variables = variables(&path.0);
    Some((path, variables))
}

/// Returns the names of the variables of a path.
fn variables(line: &HttpLine) -> Vec<String> {
    line.segments.iter().flat_map(PathSegment::variables).map(|name| name.text.clone()).collect()
}

/// Returns the route of a method and path, with normalized variables; a variable that contains slashes has the segments
/// of its pattern.
fn route(line: &HttpLine, node: &Node<'_>) -> Result<String, String> {
    let mut pieces = vec![line.method.clone()];
    for segment in &line.segments {
        match segment {
            PathSegment::Literal(_) | PathSegment::Variable(_) | PathSegment::Parts(_) => pieces.push(segment.shape()),
            PathSegment::Rest(name) => pieces.extend(multi_segment_pattern(&name.text, node)?),
        }
    }
    if pieces.iter().filter(|piece| *piece == MULTIPLE).count() > 1 {
        return Err("two of its variables can span several segments".to_owned());
    }
    Ok(format!("{}:{}", pieces.join("/"), line.verb.as_deref().unwrap_or_default()))
}

/// Segment of a route that is a variable: exactly one segment of a URL.
const SINGLE: &str = "{}";
/// Segment of a route that stands for any number of segments of a URL.
const MULTIPLE: &str = "{+}";

/// Returns the segments of a variable that contains slashes: literals, single segments, and wildcards for any number of
/// segments.
fn multi_segment_pattern(name: &str, node: &Node<'_>) -> Result<Vec<String>, String> {
    let parameter = node.get("parameters").and_then(|parameters| parameters.get(name));
    let Some(pattern) = parameter.and_then(|parameter| parameter.text("pattern")) else {
        return Ok(vec![MULTIPLE.to_owned()]);
    };
    let piece = |piece: SegmentPattern| match piece {
        SegmentPattern::Literal(literal) => literal,
        SegmentPattern::Single | SegmentPattern::Parts(_) => SINGLE.to_owned(),
        SegmentPattern::Multiple => MULTIPLE.to_owned(),
    };
    let other = |_| format!("unsupported path pattern `{}`", pattern.escape_debug());
    segment_patterns::parse(pattern).map(|all| all.into_iter().map(piece).collect()).map_err(other)
}
