//! Method and path of an operation as facts.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use crate::model::{Http, Part, Piece, Segment};

fn piece(piece: &Piece) -> TokenStream {
    match piece {
        Piece::Literal(text) => quote!(operation::Piece::Literal(#text)),
        // Names have no segments with parts.
        Piece::One | Piece::Parts(_) => quote!(operation::Piece::One),
        Piece::Many => quote!(operation::Piece::Many),
    }
}

fn part(part: &Part) -> TokenStream {
    match part {
        Part::Text(text) => quote!(operation::Part::Text(#text)),
        Part::Variable(index) => {
            let index = Lit::usize_unsuffixed(*index);
            quote!(operation::Part::Variable(#index))
        }
    }
}

/// Returns the segments of a path, with the module `operation` in scope.
pub fn path(http: &Http) -> TokenStream {
    let path = http.segments.iter().map(|segment| match segment {
        Segment::Literal(text) => quote!(operation::Segment::Literal(#text)),
        Segment::Variable(index) => {
            let index = Lit::usize_unsuffixed(*index);
            quote!(operation::Segment::Variable(#index))
        }
        Segment::Parts(parts) => {
            let parts = parts.iter().map(part);
            quote!(operation::Segment::Parts(&[#(#parts),*]))
        }
        Segment::Rest(index) => {
            let index = Lit::usize_unsuffixed(*index);
            quote!(operation::Segment::Rest(#index))
        }
        Segment::Name(index, pieces) => {
            let (index, pieces) = (Lit::usize_unsuffixed(*index), pieces.iter().map(piece));
            quote!(operation::Segment::Name(#index, &[#(#pieces),*]))
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
