//! What takes more than one request.
