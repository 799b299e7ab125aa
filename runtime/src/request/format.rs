//! Alternatives of a body, selected by media type.

use std::fmt::Debug;

use crate::http::media_type::{essence, matches_range};
use crate::json::DecodeError;

/// Alternative of a response, selected by its media type. Generated code implements it for one enum per operation.
pub trait ResponseAlternative: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// First alternative.
    const FIRST: Self;

    /// Alternatives, each with its media types, in the order of the schema.
    const ALL: &'static [(Self, &'static [&'static str])];

    /// Returns the alternative of a body with this media type; the first one if the header is absent.
    ///
    /// # Errors
    /// Returns an error if no alternative has the media type.
    fn from_content_type(content_type: Option<&str>) -> Result<Self, DecodeError> {
        let types = Self::ALL.iter().map(|(_, types)| *types);
        let index = content_type.map_or(Some(0), |content_type| alternative_index(content_type, types));
        let found = index.and_then(|index| Self::ALL.get(index)).map(|(format, _)| *format);
        found.ok_or_else(|| DecodeError::invalid_body("has an unexpected media type"))
    }
}

/// Returns the index of the alternative with a media type: one that names it takes precedence over one with a matching
/// range.
pub(crate) fn alternative_index<'t>(
    content_type: &str,
    alternatives: impl Iterator<Item = &'t [&'t str]> + Clone,
) -> Option<usize> {
    let own = essence(content_type);
    let named = |types: &[&str]| types.iter().any(|known| essence(known).eq_ignore_ascii_case(own));
    let within = |ranges: fn(&str) -> bool| {
        move |types: &[&str]| types.iter().any(|known| ranges(known) && matches_range(content_type, known))
    };
    let mut all = alternatives.clone();
    all.position(named)
        .or_else(|| alternatives.clone().position(within(|range| !range.starts_with("*/"))))
        .or_else(|| alternatives.clone().position(within(|_| true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Json,
        Png,
        Image,
        Any,
    }

    impl ResponseAlternative for Kind {
        const FIRST: Self = Self::Any;
        const ALL: &'static [(Self, &'static [&'static str])] = &[
            (Self::Any, &["*/*"]),
            (Self::Json, &["application/json; charset=utf-8"]),
            (Self::Image, &["image/*"]),
            (Self::Png, &["image/png"]),
        ];
    }

    #[test]
    fn the_most_specific_media_type_wins() {
        for (content_type, expected) in [
            (None, Some(Kind::Any)),
            (Some("application/json"), Some(Kind::Json)),
            (Some("APPLICATION/JSON;charset=utf-8"), Some(Kind::Json)),
            (Some("image/png"), Some(Kind::Png)),
            (Some("image/jpeg ; q=1"), Some(Kind::Image)),
            (Some("text/html"), Some(Kind::Any)),
            (Some("text"), None),
            (Some(""), None),
        ] {
            assert_eq!(Kind::from_content_type(content_type).ok(), expected, "{content_type:?}");
        }
    }
}
