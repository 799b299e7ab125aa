//! Which operation a request is for.
//!
//! Paths are matched as they came, segment by segment, so that an encoded slash never splits a segment and nothing is
//! resolved or folded on the way (RFC 3986, section 6.2.2). Routes are tried in the order of how much they fix: a
//! literal segment comes before a variable with a verb behind it, that one before a bare variable, and what may be of
//! any length comes last; text beside variables comes before variables alone, and more of it before less; a variable whose pattern has segments counts as those. The first that has the method is the
//! one, so that `GET /events/import` is for the event `import` although `POST /events/import` is an operation of its
//! own.

mod index;
mod pattern;

use http::{HeaderValue, Method};
use wireform_runtime::operation::{Api, Operation};

use crate::contract::Contract;
use index::Index;
use pattern::Verbs;

/// The operations of an API, by their paths.
#[derive(Debug)]
pub(crate) struct Routes {
    bases: Vec<&'static str>,
    routes: Vec<Route>,
    index: Index,
}

#[derive(Debug)]
struct Route {
    /// The place in the list of contracts.
    operation: usize,
    facts: &'static Operation,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "one of them is named as its status is")]
pub(crate) enum Found {
    /// An operation.
    Operation { operation: usize, captures: Captures },
    /// Operations, and the question which methods they have.
    Options { allow: HeaderValue },
    /// Operations of other methods.
    MethodNotAllowed { allow: HeaderValue },
    /// Nothing.
    NotFound,
}

/// Where in a path the segments of an operation stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Captures {
    /// Behind the slash after the base path.
    start: usize,
    /// Before the verb.
    end: usize,
}

impl Captures {
    /// The text of a variable, still encoded.
    pub(crate) fn variable<'p>(self, operation: &Operation, path: &'p str, index: usize) -> Option<&'p str> {
        pattern::variable(operation.path, path.get(self.start..self.end)?, index)
    }
}

/// Paths of more segments are for variables that hold slashes, and take an allocation.
const FEW: usize = 16;

impl Routes {
    /// The routes of an API.
    pub(crate) fn new(api: &'static Api, contracts: &[&'static Contract]) -> Self {
        let mut bases = vec![api.base_path.name];
        bases.extend(api.base_path.aliases);
        // The longest first: one may be the start of another.
        bases.sort_by_key(|base| (std::cmp::Reverse(base.len()), *base));
        bases.dedup();
        Self::below(bases, contracts.iter().map(|contract| contract.operation))
    }

    /// The routes of operations whose paths begin at the root of the server.
    pub(crate) fn at_root(operations: impl Iterator<Item = &'static Operation>) -> Self {
        Self::below(vec![""], operations)
    }

    fn below(bases: Vec<&'static str>, operations: impl Iterator<Item = &'static Operation>) -> Self {
        let route = |(operation, facts): (usize, &'static Operation)| Route { operation, facts };
        let mut routes: Vec<Route> = operations.enumerate().map(route).collect();
        routes.sort_by(|a, b| pattern::compare(a.facts, b.facts));
        let index = Index::new(routes.iter().map(|route| route.facts));
        Self { bases, routes, index }
    }

    /// The paths below which the API answers.
    pub(crate) fn bases(&self) -> &[&'static str] {
        &self.bases
    }

    /// Finds the operation for a method and a path as it came.
    pub(crate) fn find(&self, method: &Method, path: &str) -> Found {
        for base in &self.bases {
            let Some(below) = path.strip_prefix(base) else { continue };
            let (mut few, mut many) = ([""; FEW], Vec::new());
            let Some(segments) = split(below, &mut few, &mut many) else { continue };
            let candidates = self.index.candidates(segments);
            if candidates.is_empty() {
                continue;
            }
            if let Some((route, verb)) = self.route(method, &candidates, segments) {
                let captures = Captures { start: base.len() + 1, end: path.len() - verb };
                return Found::Operation { operation: route.operation, captures };
            }
            if let Some(allow) = self.allow(&candidates, segments) {
                let asked = method == Method::OPTIONS;
                return if asked { Found::Options { allow } } else { Found::MethodNotAllowed { allow } };
            }
        }
        Found::NotFound
    }

    /// The route for a method, and the length of the verb; a read answers `HEAD` too. Verbs whose colon is encoded are
    /// looked for when nothing else fits.
    fn route<'r>(&'r self, method: &Method, candidates: &'r [usize], segments: &[&str]) -> Option<(&'r Route, usize)> {
        let matching = |verbs: Verbs, method: &str| {
            let mut routes = self.those(candidates).filter(|route| route.facts.method == method);
            routes.find_map(|route| Some((route, pattern::matches(route.facts, segments, verbs)?)))
        };
        let either = |method: &str| matching(Verbs::Plain, method).or_else(|| matching(Verbs::Encoded, method));
        either(method.as_str()).or_else(|| if method == Method::HEAD { either("GET") } else { None })
    }

    fn those<'r>(&'r self, candidates: &'r [usize]) -> impl Iterator<Item = &'r Route> {
        candidates.iter().filter_map(|place| self.routes.get(*place))
    }

    /// The methods that a path has, as `Allow` lists them (RFC 9110, section 10.2.1); none if it has no operation.
    #[cold]
    fn allow(&self, candidates: &[usize], segments: &[&str]) -> Option<HeaderValue> {
        let fits = |route: &&Route| {
            let matches = |verbs| pattern::matches(route.facts, segments, verbs).is_some();
            matches(Verbs::Plain) || matches(Verbs::Encoded)
        };
        let mut methods: Vec<&str> = self.those(candidates).filter(fits).map(|route| route.facts.method).collect();
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

/// The segments of what follows the base path; none if one of them is empty.
fn split<'s, 'p: 's>(below: &'p str, few: &'s mut [&'p str; FEW], many: &'s mut Vec<&'p str>) -> Option<&'s [&'p str]> {
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
