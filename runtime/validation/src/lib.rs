//! What the validation crates that Wireform generates call.

pub mod cel;
