//! Where operations are found.

use super::{Operation, Type};

/// A method and a path template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The method.
    pub method: String,
    /// The segments below the base path.
    pub segments: Vec<Segment>,
    /// The verb after a colon at the end.
    pub verb: Option<String>,
}

/// A segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Fixed text.
    Literal(String),
    /// The parameter of that index fills the segment.
    Variable(usize),
    /// Text and parameters fill the segment.
    Parts(Vec<Part>),
    /// The parameter of that index fills this segment and may hold slashes.
    Rest(usize),
    /// The parameter of that index fills these pieces, and holds the slashes between them.
    Name(usize, Vec<Piece>),
}

/// A part of a segment in which text stands beside variables, between each two of which there is some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Fixed text.
    Text(String),
    /// The parameter of that index.
    Variable(usize),
}

/// What stands between two slashes of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Fixed text.
    Literal(String),
    /// A segment with text beside variables: the texts, and nothing for each variable.
    Parts(Vec<Option<String>>),
    /// Any one segment.
    One,
    /// One segment or more.
    Many,
}

impl Segment {
    /// The pieces that it stands for, whichever parameter fills them.
    #[must_use]
    pub fn pieces(&self) -> Vec<Piece> {
        match self {
            Self::Literal(text) => vec![Piece::Literal(text.clone())],
            Self::Variable(_) => vec![Piece::One],
            Self::Parts(parts) => {
                let text = |part: &Part| if let Part::Text(text) = part { Some(text.clone()) } else { None };
                vec![Piece::Parts(parts.iter().map(text).collect())]
            }
            Self::Rest(_) => vec![Piece::Many],
            Self::Name(_, pieces) => pieces.clone(),
        }
    }

    /// The parameters in it.
    #[must_use]
    pub fn parameters(&self) -> Vec<usize> {
        let variable = |part: &Part| if let Part::Variable(index) = part { Some(*index) } else { None };
        match self {
            Self::Literal(_) => Vec::new(),
            Self::Variable(index) | Self::Rest(index) | Self::Name(index, _) => vec![*index],
            Self::Parts(parts) => parts.iter().filter_map(variable).collect(),
        }
    }
}

/// Where an operation is found, whatever the variables of its path are called; the types of the variables count, and
/// so does what each of them fills.
#[must_use]
pub fn address(operation: &Operation) -> (Vec<Vec<Piece>>, Vec<Option<&Type>>, Option<&str>) {
    let types = variables(operation).map(|at| operation.parameters.get(at).map(|it| &it.ty));
    let pieces = operation.http.segments.iter().map(Segment::pieces).collect();
    (pieces, types.collect(), operation.http.verb.as_deref())
}

fn variables(operation: &Operation) -> impl Iterator<Item = usize> {
    operation.http.segments.iter().flat_map(Segment::parameters)
}

/// Which of the variables of the path a parameter is.
#[must_use]
pub fn place(operation: &Operation, parameter: usize) -> Option<usize> {
    variables(operation).position(|index| index == parameter)
}

/// The parameter that such a variable of the path is.
#[must_use]
pub fn variable(operation: &Operation, place: usize) -> Option<usize> {
    variables(operation).nth(place)
}
