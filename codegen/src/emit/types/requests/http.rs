//! Method and path of an operation as facts.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Http, Operation, Part, Piece, Segment};

fn piece(piece: &Piece) -> TokenStream {
    match piece {
        Piece::Literal(text) => quote!(operation::Piece::Literal(#text)),
        // Names have no segments with parts.
        Piece::One | Piece::Parts(_) => quote!(operation::Piece::One),
        Piece::Many => quote!(operation::Piece::Many),
    }
}

/// Returns the segments of a path of an operation, with the module `operation` in scope.
pub fn path(operation: &Operation, http: &Http) -> TokenStream {
    let name = |parameter: &usize| &operation.parameter(*parameter).name.wire;
    let part = |part: &Part| match part {
        Part::Text(text) => quote!(operation::Part::Text(#text)),
        Part::Variable(parameter) => {
            let name = name(parameter);
            quote!(operation::Part::Variable(#name))
        }
    };
    let path = http.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => quote!(operation::Segment::Literal(#text)),
        Segment::Variable(parameter) => {
            let name = name(parameter);
            quote!(operation::Segment::Variable(#name))
        }
        Segment::Parts(parts) => {
            let parts = parts.iter().map(part);
            quote!(operation::Segment::Parts(&[#(#parts),*]))
        }
        Segment::Rest(parameter) => {
            let name = name(parameter);
            quote!(operation::Segment::Rest(#name))
        }
        Segment::Name(parameter, pieces) => {
            let (name, pieces) = (name(parameter), pieces.iter().map(piece));
            quote!(operation::Segment::Name(#name, &[#(#pieces),*]))
        }
    });
    quote!(&[#(#path),*])
}

/// Returns the verb of a path.
pub fn verb(http: &Http) -> TokenStream {
    match &http.verb {
        Some(verb) => quote!(Some(#verb)),
        None => quote!(None),
    }
}
