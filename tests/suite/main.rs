//! All suites, one module each.

mod cases;
mod inventory;
mod boundaries;
mod determinism;
mod errors;
mod freshness;
mod hostile;
mod json_suite;
mod round_trip;
mod smoke;
mod yaml_readers;
mod yaml_suite;
