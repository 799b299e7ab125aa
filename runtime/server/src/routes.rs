//! Routing.
//!
//! Paths are matched as received, segment by segment, so that an encoded slash never splits a segment and nothing is
//! normalized (RFC 3986, section 6.2.2). Routes are tried by specificity: a literal segment comes before a variable
//! with a verb after it, that before a plain variable, and one of any length last; literal text next to variables comes
//! before variables alone, and more text before less; a variable whose pattern has segments counts as those. The first
//! one with the method is used, so that `GET /events/import` is for the event `import` although `POST /events/import`
//! is an operation of its own.

mod index;
mod pattern;

use http::{HeaderValue, Method};
use wireform_runtime::operation::{Api, Operation, Unimplemented};

use crate::contract::Contract;
use index::Index;
use pattern::ColonEncoding;

/// Operations of an API, by their paths.
#[derive(Debug)]
pub(crate) struct Routes {
    bases: Vec<&'static str>,
    routes: Vec<Route>,
    index: Index,
    /// Operations that the API does not have here.
    unimplemented: &'static [Unimplemented],
}

/// Operation that a path can lead to.
#[derive(Debug)]
struct Route {
    /// Index in the list of contracts.
    index: usize,
    operation: &'static Operation,
}

/// Result of routing.
#[derive(Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "one of them has the name of its status")]
pub(crate) enum RouteMatch {
    /// Operation.
    Operation { operation: usize, captures: Captures },
    /// `OPTIONS` request, with the methods of the path.
    Options { allow: HeaderValue },
    /// Operation that the API does not have here.
    Unimplemented { name: &'static str },
    /// The path has only other methods.
    MethodNotAllowed { allow: HeaderValue },
    /// No operation has the path.
    NotFound,
}

/// Range of a path with the segments of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Captures {
    /// Offset after the slash after the base path.
    start: usize,
    /// Offset of the verb, or of the end.
    end: usize,
}

impl Captures {
    /// Returns the text of a variable, still encoded.
    pub(crate) fn variable_text<'p>(self, operation: &Operation, path: &'p str, name: &str) -> Option<&'p str> {
        pattern::variable_text(operation.path, path.get(self.start..self.end)?, name)
    }
}

/// Maximum number of segments without an allocation; only variables with slashes match longer paths.
const INLINE_SEGMENTS: usize = 16;

impl Routes {
    /// Creates the routes of an API.
    pub(crate) fn new(api: &'static Api, contracts: &[&'static Contract]) -> Self {
        let mut bases = vec![api.base_path.name];
        bases.extend(api.base_path.aliases);
        // The longest first, because one may be a prefix of another.
        bases.sort_by_key(|base| (std::cmp::Reverse(base.len()), *base));
        bases.dedup();
        let routes = Self::with_bases(bases, contracts.iter().map(|contract| contract.operation));
        Self { unimplemented: api.unimplemented, ..routes }
    }

    /// Creates routes whose paths start at the root of the server.
    pub(crate) fn at_root(operations: impl Iterator<Item = &'static Operation>) -> Self {
        Self::with_bases(vec![""], operations)
    }

    /// Creates routes below each of the base paths, sorted so that the most specific path matches first.
    fn with_bases(bases: Vec<&'static str>, operations: impl Iterator<Item = &'static Operation>) -> Self {
        let route = |(operation, facts): (usize, &'static Operation)| Route { index: operation, operation: facts };
        let mut routes: Vec<Route> = operations.enumerate().map(route).collect();
        routes.sort_by(|a, b| pattern::compare(a.operation, b.operation));
        let index = Index::new(routes.iter().map(|route| route.operation));
        Self { bases, routes, index, unimplemented: &[] }
    }

    /// Returns the base paths of the API.
    pub(crate) fn bases(&self) -> &[&'static str] {
        &self.bases
    }

    /// Finds the operation for a method and an undecoded path.
    pub(crate) fn find(&self, method: &Method, path: &str) -> RouteMatch {
        let found = self.find_implemented(method, path);
        let is_missing = matches!(found, RouteMatch::NotFound | RouteMatch::MethodNotAllowed { .. });
        let name = if is_missing { self.find_unimplemented(method, path) } else { None };
        name.map_or(found, |name| RouteMatch::Unimplemented { name })
    }

    /// Returns the name of the operation that the API does not have here.
    fn find_unimplemented(&self, method: &Method, path: &str) -> Option<&'static str> {
        let below = |base: &&str| path.strip_prefix(*base).filter(|rest| rest.starts_with('/'));
        let is_same = |pattern: &str, path: &str| {
            let fits = |(wanted, given): (&str, &str)| match wanted.split_once('}') {
                Some((_, verb)) => given.strip_suffix(verb).is_some_and(|value| !value.is_empty()),
                None => wanted == given,
            };
            pattern.split('/').count() == path.split('/').count() && pattern.split('/').zip(path.split('/')).all(fits)
        };
        let paths: Vec<&str> = self.bases.iter().filter_map(below).collect();
        let is_here =
            |one: &&Unimplemented| one.method == method.as_str() && paths.iter().any(|path| is_same(one.path, path));
        self.unimplemented.iter().find(is_here).map(|one| one.name)
    }

    /// Finds the operation for a method and an undecoded path, of those that the API has.
    fn find_implemented(&self, method: &Method, path: &str) -> RouteMatch {
        for base in &self.bases {
            let Some(below) = path.strip_prefix(base) else { continue };
            let (mut few, mut many) = ([""; INLINE_SEGMENTS], Vec::new());
            let Some(segments) = split_segments(below, &mut few, &mut many) else { continue };
            let candidates = self.index.candidates(segments);
            if candidates.is_empty() {
                continue;
            }
            if let Some((route, verb)) = self.route(method, &candidates, segments) {
                let captures = Captures { start: base.len() + 1, end: path.len() - verb };
                return RouteMatch::Operation { operation: route.index, captures };
            }
            if let Some(allow) = self.allow(&candidates, segments) {
                let is_options = method == Method::OPTIONS;
                return if is_options { RouteMatch::Options { allow } } else { RouteMatch::MethodNotAllowed { allow } };
            }
        }
        RouteMatch::NotFound
    }

    /// Returns the route for a method, and the length of the verb; `GET` routes match `HEAD` too. Verbs with an encoded
    /// colon are tried last.
    fn route<'r>(&'r self, method: &Method, candidates: &'r [usize], segments: &[&str]) -> Option<(&'r Route, usize)> {
        let matching = |verbs: ColonEncoding, method: &str| {
            let mut routes = self.routes_at(candidates).filter(|route| route.operation.method == method);
            routes.find_map(|route| Some((route, pattern::match_path(route.operation, segments, verbs)?)))
        };
        let either =
            |method: &str| matching(ColonEncoding::Plain, method).or_else(|| matching(ColonEncoding::Encoded, method));
        either(method.as_str()).or_else(|| if method == Method::HEAD { either("GET") } else { None })
    }

    /// Returns the routes at these indices.
    fn routes_at<'r>(&'r self, candidates: &'r [usize]) -> impl Iterator<Item = &'r Route> {
        candidates.iter().filter_map(|place| self.routes.get(*place))
    }

    /// Returns the methods of a path for `Allow` (RFC 9110, section 10.2.1); `None` if it has no operation.
    #[cold]
    fn allow(&self, candidates: &[usize], segments: &[&str]) -> Option<HeaderValue> {
        let fits = |route: &&Route| {
            let matches = |verbs| pattern::match_path(route.operation, segments, verbs).is_some();
            matches(ColonEncoding::Plain) || matches(ColonEncoding::Encoded)
        };
        let mut methods: Vec<&str> =
            self.routes_at(candidates).filter(fits).map(|route| route.operation.method).collect();
        if methods.is_empty() {
            return None;
        }
        if methods.contains(&"GET") {
            methods.push("HEAD");
        }
        methods.push("OPTIONS");
        methods.sort_unstable();
        methods.dedup();
        HeaderValue::from_str(&methods.join(", ")).ok()
    }
}

/// Splits the text after the base path into segments; `None` if one of them is empty.
fn split_segments<'s, 'p: 's>(
    below: &'p str,
    few: &'s mut [&'p str; INLINE_SEGMENTS],
    many: &'s mut Vec<&'p str>,
) -> Option<&'s [&'p str]> {
    let Some(text) = below.strip_prefix('/') else { return below.is_empty().then_some(&[]) };
    let mut count = 0;
    for segment in text.split('/') {
        if segment.is_empty() {
            return None;
        }
        match few.get_mut(count) {
            Some(place) if many.is_empty() => *place = segment,
            _ => {
                if many.is_empty() {
                    many.extend_from_slice(few);
                }
                many.push(segment);
            }
        }
        count += 1;
    }
    if many.is_empty() { few.get(..count) } else { Some(many) }
}

#[cfg(test)]
mod tests;
