//! Syntax of HTTP texts that clients and servers share, without input or output.
//!
//! | topic | see |
//! |---|---|
//! | percent-encoding, and text of forms | [`percent`] |
//! | media types and ranges of them | [`media_type`] |
//! | tokens, and lists whose elements may be quoted | [`list`] |
//! | multipart bodies, and parameters of headers | [`multipart`] |
//!
//! Entity tags are in [`etag`](crate::etag), and dates are [`HttpDate`](crate::HttpDate).

pub mod list;
pub mod media_type;
pub mod multipart;
pub mod percent;
