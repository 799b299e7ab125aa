//! Responses whose types depend on their statuses.

use crate::json::DecodeError;

/// Returns the error of a response whose type cannot be determined, because the status is not declared.
#[must_use]
pub fn undeclared_status() -> DecodeError {
    DecodeError::invalid_body("has a status that the schema does not declare, so its type is unknown")
}

/// Implements [`WireBody`](crate::WireBody) for an enum with a variant for each status: first those with a body, then
/// those without.
#[doc(hidden)]
#[macro_export]
macro_rules! status_response {
    (
        $name:ident,
        { $($with:ident = $status:literal as $media_type:literal),* $(,)? },
        { $($without:ident = $empty:literal),* $(,)? }
    ) => {
        impl $crate::WireBody for $name {
            const IS_RAW: bool = true;
            const HAS_TYPES_BY_STATUS: bool = true;

            fn decode(_body: &[u8]) -> ::core::result::Result<Self, $crate::json::DecodeError> {
                Err($crate::__private::undeclared_status())
            }

            fn decode_with_status(
                status: u16,
                body: &[u8],
                content_type: ::core::option::Option<&str>,
            ) -> ::core::result::Result<Self, $crate::json::DecodeError> {
                match status {
                    $($status => $crate::WireBody::decode_with_type(body, content_type).map(Self::$with),)*
                    $($empty => Ok(Self::$without),)*
                    _ => Err($crate::__private::undeclared_status()),
                }
            }

            fn status(&self) -> ::core::option::Option<u16> {
                Some(match self {
                    $(Self::$with(_) => $status,)*
                    $(Self::$without => $empty,)*
                })
            }

            fn content_type(&self) -> ::core::option::Option<&str> {
                match self {
                    $(Self::$with(body) => $crate::WireBody::content_type(body).or(Some($media_type)),)*
                    $(Self::$without => None,)*
                }
            }

            fn is_raw(&self) -> bool {
                match self {
                    $(Self::$with(body) => $crate::WireBody::is_raw(body),)*
                    $(Self::$without => false,)*
                }
            }

            fn encode(&self) -> ::core::result::Result<::std::vec::Vec<u8>, $crate::json::EncodeError> {
                match self {
                    $(Self::$with(body) => $crate::WireBody::encode(body),)*
                    $(Self::$without => Ok(::std::vec::Vec::new()),)*
                }
            }

            fn encode_selected(
                &self,
                selection: &$crate::fields::AnySelection,
            ) -> ::core::result::Result<::std::vec::Vec<u8>, $crate::json::EncodeError> {
                match self {
                    $(Self::$with(body) => $crate::WireBody::encode_selected(body, selection),)*
                    $(Self::$without => Ok(::std::vec::Vec::new()),)*
                }
            }
        }
    };
}
