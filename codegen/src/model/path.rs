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
    /// The parameter of that index fills this segment and may hold slashes.
    Rest(usize),
    /// The parameter of that index fills these pieces, and holds the slashes between them.
    Name(usize, Vec<Piece>),
}

/// What stands between two slashes of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Fixed text.
    Literal(String),
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
            Self::Rest(_) => vec![Piece::Many],
            Self::Name(_, pieces) => pieces.clone(),
        }
    }

    /// The parameter that fills it.
    #[must_use]
    pub const fn parameter(&self) -> Option<usize> {
        match self {
            Self::Literal(_) => None,
            Self::Variable(index) | Self::Rest(index) | Self::Name(index, _) => Some(*index),
        }
    }
}

/// Where an operation is found, whatever the variables of its path are called; the types of the variables count, and
/// so does what each of them fills.
#[must_use]
pub fn address(operation: &Operation) -> (Vec<Vec<Piece>>, Vec<Option<&Type>>, Option<&str>) {
    let segments = &operation.http.segments;
    let variable = |segment: &Segment| segment.parameter().map(|at| operation.parameters.get(at).map(|it| &it.ty));
    let types = segments.iter().map(|segment| variable(segment).flatten());
    (segments.iter().map(Segment::pieces).collect(), types.collect(), operation.http.verb.as_deref())
}

/// The segment of the path that a parameter fills.
#[must_use]
pub fn place(operation: &Operation, parameter: usize) -> Option<usize> {
    operation.http.segments.iter().position(|segment| segment.parameter() == Some(parameter))
}

/// The parameter that fills a segment of the path.
#[must_use]
pub fn variable(operation: &Operation, place: usize) -> Option<usize> {
    operation.http.segments.get(place)?.parameter()
}
