//! Method and path of an operation as facts.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::{Http, Operation, Segment, SegmentPart, SegmentPattern};

/// Emits the pattern of one path segment.
fn piece(piece: &SegmentPattern) -> TokenStream {
    match piece {
        SegmentPattern::Literal(text) => quote!(operation::SegmentPattern::Literal(#text)),
        // Names have no segments with parts.
        SegmentPattern::Single | SegmentPattern::Parts(_) => quote!(operation::SegmentPattern::Wildcard),
        SegmentPattern::Multiple => quote!(operation::SegmentPattern::DoubleWildcard),
    }
}

/// Returns the segments of a path of an operation, with the module `operation` in scope.
pub fn path(operation: &Operation, http: &Http) -> TokenStream {
    let name = |parameter: &usize| &operation.parameter(*parameter).name.wire;
    let part = |part: &SegmentPart| match part {
        SegmentPart::Text(text) => quote!(operation::SegmentPart::Text(#text)),
        SegmentPart::Variable(parameter) => {
            let name = name(parameter);
            quote!(operation::SegmentPart::Variable(#name))
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
            quote!(operation::Segment::CatchAll(#name))
        }
        Segment::ResourceName(parameter, pieces) => {
            let (name, pieces) = (name(parameter), pieces.iter().map(piece));
            quote!(operation::Segment::Pattern(#name, &[#(#pieces),*]))
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
