//! Methods and path templates of operations.

use super::{Operation, Type};

/// Method and path template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// Method.
    pub method: String,
    /// Segments below the base path.
    pub segments: Vec<Segment>,
    /// Custom verb after a colon at the end.
    pub verb: Option<String>,
}

/// Segment of a path template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Literal text.
    Literal(String),
    /// Parameter, by index, that fills the segment.
    Variable(usize),
    /// Literal text and parameters within one segment.
    Parts(Vec<SegmentPart>),
    /// Parameter, by index, that starts at this segment and may contain slashes.
    Rest(usize),
    /// Parameter, by index, that matches these pieces and the slashes between them.
    ResourceName(usize, Vec<SegmentPattern>),
}

/// Part of a segment that mixes literal text and variables; two variables are always separated by text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentPart {
    /// Literal text.
    Text(String),
    /// Parameter, by index.
    Variable(usize),
}

/// Pattern of one segment of a resource name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentPattern {
    /// Literal text.
    Literal(String),
    /// Segment with literal text and variables: `Some` for text, `None` for a variable.
    Parts(Vec<Option<String>>),
    /// Exactly one segment, whatever its text.
    Single,
    /// One or more segments.
    Multiple,
}

impl Segment {
    /// Returns the pieces that the segment matches, regardless of which parameter it belongs to.
    #[must_use]
    pub fn patterns(&self) -> Vec<SegmentPattern> {
        match self {
            Self::Literal(text) => vec![SegmentPattern::Literal(text.clone())],
            Self::Variable(_) => vec![SegmentPattern::Single],
            Self::Parts(parts) => {
                let text =
                    |part: &SegmentPart| if let SegmentPart::Text(text) = part { Some(text.clone()) } else { None };
                vec![SegmentPattern::Parts(parts.iter().map(text).collect())]
            }
            Self::Rest(_) => vec![SegmentPattern::Multiple],
            Self::ResourceName(_, pieces) => pieces.clone(),
        }
    }

    /// Returns the parameters of the segment.
    #[must_use]
    pub fn parameters(&self) -> Vec<usize> {
        let variable = |part: &SegmentPart| if let SegmentPart::Variable(index) = part { Some(*index) } else { None };
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Variable(index) | Self::Rest(index) | Self::ResourceName(index, _) => vec![*index],
            Self::Parts(parts) => parts.iter().filter_map(variable).collect(),
        }
    }
}

/// Returns the key of an operation's path template, without the names of its variables: the pieces that each segment
/// matches, the types of the variables, and the verb.
#[must_use]
pub fn path_key(operation: &Operation) -> (Vec<Vec<SegmentPattern>>, Vec<Option<&Type>>, Option<&str>) {
    let types = variables(operation).map(|at| operation.parameters.get(at).map(|it| &it.ty));
    let pieces = operation.http.segments.iter().map(Segment::patterns).collect();
    (pieces, types.collect(), operation.http.verb.as_deref())
}

/// Returns the indices of the parameters in a path, in order.
fn variables(operation: &Operation) -> impl Iterator<Item = usize> {
    operation.http.segments.iter().flat_map(Segment::parameters)
}

/// Returns the position of a parameter among the variables of the path.
#[must_use]
pub fn variable_position(operation: &Operation, parameter: usize) -> Option<usize> {
    variables(operation).position(|index| index == parameter)
}

/// Returns the parameter at a position among the variables of the path.
#[must_use]
pub fn variable_at(operation: &Operation, place: usize) -> Option<usize> {
    variables(operation).nth(place)
}
