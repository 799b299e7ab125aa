//! All suites, one module each.

mod smoke;
