//! OpenAPI path templates, in which a variable fills one segment. A parameter that fills several segments has one
//! variable for each that is not literal, such as `/projects/{projectsId}/files/{filesId}`.

use crate::model::{Operation, Segment, SegmentPart, SegmentPattern};

/// Path template.
pub struct Template {
    /// Segments with the verb, without the names of variables: paths that are equal in OpenAPI have equal texts.
    pub anonymous: String,
    /// Variables, in order.
    pub variables: Vec<Variable>,
}

/// Variable of a template.
#[derive(Clone)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Index of the operation's parameter.
    pub parameter: usize,
    /// True if it is only a part of the parameter's value.
    pub part: bool,
    /// True if it may contain slashes.
    pub slashes: bool,
}

impl Template {
    /// Creates the template of an operation's path.
    pub fn of(operation: &Operation) -> Self {
        let mut variables: Vec<Variable> = Vec::new();
        let mut anonymous = String::new();
        let wire = |parameter: usize| operation.parameter(parameter).name.wire.as_str();
        let segments = &operation.http.segments;
        let whole = segments.iter().filter(|segment| !matches!(segment, Segment::ResourceName(..)));
        let taken: Vec<&str> = whole.flat_map(Segment::parameters).map(wire).collect();
        for segment in segments {
            let part = matches!(segment, Segment::ResourceName(..));
            let mut parameters = segment.parameters().into_iter();
            if let Segment::Parts(parts) = segment {
                let text = |part: &SegmentPart| {
                    if let SegmentPart::Text(text) = part { text.clone() } else { "{}".to_owned() }
                };
                anonymous.push('/');
                anonymous.extend(parts.iter().map(text));
                let variable =
                    |parameter| Variable { name: wire(parameter).to_owned(), parameter, part: false, slashes: false };
                variables.extend(parameters.map(variable));
                continue;
            }
            let parameter = parameters.next();
            let mut before = None;
            for piece in segment.patterns() {
                anonymous.push('/');
                match (&piece, parameter) {
                    (SegmentPattern::Single | SegmentPattern::Multiple, Some(parameter)) => {
                        anonymous.push_str("{}");
                        let free = |name: &str| {
                            !taken.contains(&name) && variables.iter().all(|variable| variable.name != name)
                        };
                        let own = wire(parameter);
                        let name = if part { part_name(before.as_deref(), own, &free) } else { own.to_owned() };
                        variables.push(Variable { name, parameter, part, slashes: piece == SegmentPattern::Multiple });
                    }
                    (SegmentPattern::Literal(text), _) => anonymous.push_str(text),
                    (SegmentPattern::Single | SegmentPattern::Multiple, None) | (SegmentPattern::Parts(_), _) => {}
                }
                before = if let SegmentPattern::Literal(text) = piece { Some(text) } else { None };
            }
        }
        if anonymous.is_empty() {
            anonymous.push('/');
        }
        anonymous.extend(operation.http.verb.iter().flat_map(|verb| [":", verb.as_str()]));
        Self { anonymous, variables }
    }

    /// Returns the path with variable names: `/scripts/{scriptId}:run`.
    pub fn text(&self) -> String {
        let mut pieces = self.anonymous.split("{}");
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for (variable, piece) in self.variables.iter().zip(pieces) {
            text.push_str(&format!("{{{}}}{piece}", variable.name));
        }
        text
    }
}

/// Returns the name of a part's variable: after the preceding word, or after the parameter.
fn part_name(word: Option<&str>, own: &str, free: &dyn Fn(&str) -> bool) -> String {
    let stem = word.map_or_else(|| own.to_owned(), |word| format!("{word}Id"));
    let numbered = (2..).map(|number| format!("{stem}{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(|name| free(name)).unwrap_or(stem)
}
