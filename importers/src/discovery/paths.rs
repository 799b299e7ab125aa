//! Path templates → http lines.

use std::collections::{BTreeMap, BTreeSet};

use wireform_codegen::diagnostics::{Sink, Span};
use wireform_codegen::schema::read::Read as _;
use wireform_codegen::schema::types::{HttpLine, METHODS, PathSegment};
use wireform_codegen::schema::yaml::{Node as Yaml, Style, Value};

use crate::node::Node;

/// The path of a method as an operation has it.
pub struct Path {
    /// `GET /v1/{+name}`
    pub line: String,
    /// The method.
    pub method: String,
    /// The variables in it.
    pub variables: Vec<String>,
    /// The parameters whose place others have taken.
    pub gone: Vec<String>,
}

/// The routes of a document: which of them are told apart, and which are taken.
pub struct Routes {
    often: BTreeMap<String, usize>,
    taken: BTreeSet<String>,
}

impl Routes {
    /// Counts the routes of all methods.
    pub fn of(methods: &[&Node<'_>]) -> Self {
        let mut often = BTreeMap::new();
        for line in methods.iter().filter_map(|node| read(node, "path").ok()) {
            *often.entry(route(&line)).or_insert(0) += 1;
        }
        Self { often, taken: BTreeSet::new() }
    }

    /// The path of a method; nothing, and a loss, where none can be said.
    pub fn path(&mut self, node: &Node<'_>) -> Option<Path> {
        let full = read(node, "path");
        let shared = full.as_ref().is_ok_and(|line| self.often.get(&route(line)).is_some_and(|often| *often > 1));
        let (line, why) = match (full, read(node, "flatPath")) {
            (Ok(_), Ok(flat)) if shared => (flat, Some(SHARED.to_owned())),
            (Ok(line), _) => (line, None),
            (Err(why), Ok(flat)) => (flat, Some(why)),
            (Err(why), Err(_)) => {
                node.loss(format!("the method is left out: {why}"));
                return None;
            }
        };
        if !self.taken.insert(route(&line)) {
            node.loss("the method is left out: another one has the same method and path");
            return None;
        }
        let variables = variables(&line);
        let path = node.text(if why.is_some() { "flatPath" } else { "path" }).unwrap_or_default();
        let mut gone = Vec::new();
        if let Some(why) = why {
            node.loss(format!("`path` is written as `flatPath`, with a parameter for each segment: {why}"));
            gone.extend(node.entries("parameters").into_iter().map(|(name, _)| name.to_owned()));
            gone.retain(|name| !variables.contains(name));
        }
        Some(Path { line: http(&line.method, path), method: line.method, variables, gone })
    }
}

/// Why a path is not written as it is.
const SHARED: &str = "another method has the same path but for the pattern of its variables";

fn http(method: &str, path: &str) -> String {
    format!("{method} /{}", path.trim_start_matches('/'))
}

fn read(node: &Node<'_>, key: &str) -> Result<HttpLine, String> {
    let method = node.text("httpMethod").unwrap_or("GET");
    if !METHODS.contains(&method) {
        return Err(format!("`{}` is no method", method.escape_debug()));
    }
    let path = node.text(key).ok_or("it has no path")?;
    let text = http(method, path);
    let mut sink = Sink::new();
    let yaml = Yaml { span: Span::default(), value: Value::Scalar(text, Style::Text) };
    let line = HttpLine::read(&yaml, &mut sink);
    line.ok_or_else(|| {
        let told = sink.into_sorted().into_iter().next().map(|first| first.message);
        told.unwrap_or_else(|| "its path cannot be read".to_owned())
    })
}

fn variables(line: &HttpLine) -> Vec<String> {
    let names = line.segments.iter().filter_map(|segment| match segment {
        PathSegment::Variable(name) | PathSegment::Rest(name) => Some(name.text.clone()),
        PathSegment::Literal(_) => None,
    });
    names.collect()
}

/// A method and path with its variables made equal.
fn route(line: &HttpLine) -> String {
    let mut text = line.method.clone();
    for segment in &line.segments {
        text.push('/');
        text.push_str(match segment {
            PathSegment::Literal(literal) => literal,
            PathSegment::Variable(_) => "{}",
            PathSegment::Rest(_) => "{+}",
        });
    }
    text.extend(line.verb.iter().flat_map(|verb| [":", verb.as_str()]));
    text
}

/// A size such as `10GB` in bytes.
pub fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "KB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        "TB" => 1 << 40,
        _ => return None,
    };
    digits.trim().parse::<u64>().ok()?.checked_mul(unit)
}
