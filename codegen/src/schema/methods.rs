//! HTTP methods.

/// The methods of RFC 9110 and RFC 5789 that an operation can have.
pub const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
